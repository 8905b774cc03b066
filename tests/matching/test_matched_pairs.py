"""What two submissions share is the same whether all pairs are matched or one is asked for."""

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import accumulate, combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mosslite
from mosslite.cli.check import summary_lines
from mosslite.matching.matched_pairs import block_numbers, matched
from mosslite.options import Options, Thresholds
from mosslite.pipeline import compare
from mosslite.ranking import Ranked
from mosslite.records import Detail, Inputs, Pair, Report, TokenizedSubmission, no_progress
from mosslite.report import ReportMetadata, to_csv, to_json
from mosslite.report.anonymous import anonymous
from mosslite.report.baseline import Gate, with_baseline
from mosslite.report.formats import Found
from mosslite.report.formats.junit import to_junit
from mosslite.report.formats.markdown import to_markdown
from mosslite.winnowing.significance import MOST_BETWEEN, Runs
from tests.builders import (
    EVERYTHING,
    LAW,
    THRESHOLDS,
    Tile,
    document_of,
    pair_of,
    stream_of,
    submission_of,
)
from tests.pages import Page, parsed, write
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, WORDS, write_files
from tests.reports import baseline_of, report_of
from tests.tables import texts_of

ATTRIBUTES = [each.name for each in fields(Pair) if each.init]

# Few symbols, so that there are repeats, files without a match, and files that are too short.
FILES = st.lists(st.lists(st.integers(1, 3), max_size=40), max_size=3)
WIDE = Thresholds(noise=5, guarantee=7, detail=2)


def submission_of_codes(files: Sequence[Sequence[int]], name: str = "work") -> TokenizedSubmission:
    return submission_of(
        *(
            document_of(
                stream_of(codes), text="x\n" * len(codes), thresholds=WIDE if nth else THRESHOLDS
            )
            for nth, codes in enumerate(files)
        ),
        name=name,
    )


def is_found(pair: Pair, name: str) -> bool:
    """Return whether an attribute has a value, without having it found."""
    try:
        vars(Pair)[name].__get__(pair, Pair)
    except AttributeError:
        return False
    return True


def values_of(pair: Pair) -> dict[str, object]:
    return {name: getattr(pair, name) for name in ATTRIBUTES[2:]}


# --- many at once --------------------------------------------------------------------------------


@LAW
@given(st.lists(FILES, min_size=2, max_size=5))
def test_pairs_that_are_matched_together_are_matched_as_each_alone(
    batch: list[list[list[int]]],
) -> None:
    submissions = [submission_of_codes(files) for files in batch]
    ranking = [Ranked(0.5, *both) for both in combinations(range(len(submissions)), 2)]

    together = matched(submissions, ranking, EVERYTHING, no_progress)

    for each, pair in zip(ranking, together, strict=True):
        alone = pair_of(submissions[each.left], submissions[each.right], 0.5)
        assert replace(pair, rare_evidence=()) == replace(alone, rare_evidence=())


@LAW
@given(st.lists(FILES, min_size=2, max_size=4))
def test_what_is_found_later_is_what_is_found_at_once(batch: list[list[list[int]]]) -> None:
    submissions = [submission_of_codes(files) for files in batch]
    ranking = [Ranked(0.5, *both) for both in combinations(range(len(submissions)), 2)]

    at_once, *later = (
        matched(submissions, ranking, EVERYTHING, no_progress, detail=detail)
        for detail in [*Detail][::-1]
    )

    for pairs in later:
        assert [values_of(pair) for pair in pairs] == [values_of(pair) for pair in at_once]


# --- only where it is shown ----------------------------------------------------------------------


def report_with(tmp_path: Path, detail: Detail, count: int = 12) -> Report:
    texts = (QUEUE, QUEUE_RENAMED, PRIMES)
    write_files(
        tmp_path,
        {f"hw/{n:02}.py": f"{texts[n % 3]}{texts[(n + 1) % 3]}z{n} = {n}\n" for n in range(count)},
    )
    return compare(Inputs((str(tmp_path / "hw"),)), Options(jobs=1, show=0), detail=detail)


def found_pairs(report: Report, name: str = "matched_tokens") -> int:
    return sum(is_found(pair, name) for pair in report.pairs)


@pytest.mark.parametrize("fail_above", [None, 0.0])
def test_the_terminal_asks_for_the_ten_pairs_it_shows(
    tmp_path: Path, fail_above: float | None
) -> None:
    report = with_baseline(report_with(tmp_path, Detail.SCORE), baseline_of(report_of([], [])))
    found = Found(report, "", Gate(fail_above), ReportMetadata("", ""))

    assert list(summary_lines(found, None))

    assert found_pairs(report) == 10
    assert not found_pairs(report, "matches")
    assert not found_pairs(report, "rare_evidence")


def test_a_job_summary_and_a_table_ask_for_no_matches(tmp_path: Path) -> None:
    report = report_with(tmp_path, Detail.SCORE)

    assert to_markdown(report, Gate(90))
    assert to_junit(report, Gate(90))
    assert to_csv(report)

    assert found_pairs(report) == len(report.pairs)
    assert not found_pairs(report, "matches")


def test_results_are_the_same_whatever_was_found_at_once(tmp_path: Path) -> None:
    reports = [report_with(tmp_path, detail) for detail in Detail]

    for shown in (reports, [anonymous(report)[0] for report in reports]):
        texts = [to_json(each, created="", version="") + to_csv(each) for each in shown]
        assert len({*texts}) == 1


# --- the record ----------------------------------------------------------------------------------


GAP = MOST_BETWEEN

# Tokens between each match and the next, left and right.
BETWEEN = st.integers(GAP - 3, GAP + 3)
GAPS = st.lists(st.tuples(BETWEEN, BETWEEN), max_size=8)

LEDGER = texts_of("programs")["LEDGER"]
INSERTED = LEDGER.replace("// half-way", "assert due >= 0;")


def blocks_of(
    tiles: Sequence[Tile], left_files: Sequence[int] = (), right_files: Sequence[int] = ()
) -> list[int]:
    """Number the blocks of tiles, by default in two submissions of one file each."""
    rows = [(each.left_start, each.right_start, each.length) for each in tiles]
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    files = [np.array([*each] or [0] * len(tiles)) for each in (left_files, right_files)]
    return list(block_numbers(Runs(*columns, *files)))


def tiles_between(gaps: Sequence[tuple[int, int]]) -> list[Tile]:
    """Return tiles of ten tokens with this many others between them, left and right."""
    lefts = accumulate((10 + left for left, _ in gaps), initial=0)
    rights = accumulate((10 + right for _, right in gaps), initial=0)
    return [Tile(left, right, 10) for left, right in zip(lefts, rights, strict=True)]


def numbers_of(pair: Pair) -> list[int]:
    return [match.block for match in pair.matches]


def checked(folder: Path, **files: str) -> Report:
    write_files(folder / "hw", {f"{name}.java": text for name, text in files.items()})
    return mosslite.check([folder / "hw"])


def as_json(report: Report) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(to_json(report, created="2026-11-21", version="0.1.0"))
    return content


def first_page(report: Report, folder: Path) -> Page:
    return parsed(write(report, folder / "report").parent / "pairs" / "1.html")


def headings(page: Page) -> set[str]:
    return {word for each in page.of_tag("th") for word in each.text.split()}


# --- which matches belong together ---------------------------------------------------------------


def test_matches_with_little_between_them_are_one_block() -> None:
    assert blocks_of(tiles_between([(GAP, GAP), (0, 1), (GAP, 0)])) == [1, 1, 1, 1]


@pytest.mark.parametrize("gap", [(GAP + 1, 0), (0, GAP + 1), (GAP + 1, GAP + 1)])
def test_more_between_them_on_either_side_parts_them(gap: tuple[int, int]) -> None:
    assert blocks_of(tiles_between([(0, 1), gap, (1, 0)])) == [1, 1, 2, 2]


def test_matches_that_change_places_are_no_block() -> None:
    assert blocks_of([Tile(0, 10, 10), Tile(10, 0, 10), Tile(20, 60, 10)]) == [1, 2, 3]


def test_a_match_alone_is_the_first_block() -> None:
    assert blocks_of([Tile(5, 9, 4)]) == [1]
    assert blocks_of([]) == []


@pytest.mark.parametrize("sides", [(0, 1), (1, 0), (1, 1)])
def test_matches_in_different_files_are_no_block(sides: tuple[int, int]) -> None:
    tiles = tiles_between([(0, 0)])
    assert blocks_of(tiles) == [1, 1]
    assert blocks_of(tiles, *([0, side] for side in sides)) == [1, 2]


@LAW
@given(GAPS)
def test_blocks_are_numbered_from_1_without_a_gap(gaps: list[tuple[int, int]]) -> None:
    numbers = blocks_of(tiles_between(gaps))
    assert numbers[0] == 1
    assert {after - before for before, after in pairwise(numbers)} <= {0, 1}
    assert numbers[-1] == 1 + sum(max(between) > GAP for between in gaps)


# --- of whole runs -------------------------------------------------------------------------------


def test_a_statement_put_into_a_long_function_leaves_two_matches_of_one_block(
    tmp_path: Path,
) -> None:
    report = checked(tmp_path, ann=LEDGER, bob=INSERTED)

    (pair,) = as_json(report)["pairs"]
    assert [match["block"] for match in pair["matches"]] == [1, 1]
    rights = [match["right"] for match in pair["matches"]]
    assert [(each["first_line"], each["last_line"]) for each in rights] == [(1, 9), (11, 19)]
    page = first_page(report, tmp_path)
    assert [each.text.strip() for each in page.of_class("block")] == ["1", "1"]
    assert "Block" in headings(page)


def test_functions_that_changed_places_are_blocks_of_their_own(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": QUEUE + PRIMES, "b.py": PRIMES + QUEUE})

    report = mosslite.check([tmp_path / "a.py", tmp_path / "b.py"])

    assert numbers_of(report.pairs[0]) == [1, 2]
    assert "Block" not in headings(first_page(report, tmp_path))


def test_json_gives_the_threshold_of_a_batch_and_null_where_it_is_small(tmp_path: Path) -> None:
    write_files(tmp_path, {"ada.py": QUEUE, "ben.py": QUEUE + WORDS, "cleo.py": PRIMES})
    samples = Path(__file__).parents[2] / "samples" / "python" / "submissions"

    few = as_json(mosslite.check(tmp_path))
    report = mosslite.check(samples)

    assert few["threshold"] is None
    threshold = as_json(report)["threshold"]
    kinds = {key: type(value) for key, value in threshold.items()}
    assert kinds == {
        **dict.fromkeys(("score", "low", "high", "expected"), float),
        **dict.fromkeys(("found", "submissions", "groups"), int),
        "languages": list,
    }
    assert 0 <= threshold["low"] <= threshold["score"] <= threshold["high"] <= 1
    scores = [pair["score"] for pair in as_json(report)["pairs"]]
    assert threshold["found"] == sum(score >= threshold["score"] for score in scores)


def test_json_gives_the_rare_evidence_on_a_pair(tmp_path: Path) -> None:
    honest = {f"hw/{number}/main.py": f"# receive {number}\n{PRIMES}" for number in range(6)}
    copied = {"hw/ann/main.py": WORDS, "hw/ann/my/queue.py": "# Recieve\n" + QUEUE}
    copied |= {"hw/bob/line.py": "\n# recieve\n" + QUEUE}
    write_files(tmp_path, honest | copied)

    pairs = as_json(mosslite.check([tmp_path / "hw"]))["pairs"]

    (pair,) = [each for each in pairs if (each["left"], each["right"]) == ("ann", "bob")]
    slip, *others = pair["rare_evidence"]
    assert slip == {
        "kind": "misspelling",
        "text": "Recieve",
        "resembles": "receive",
        "left": [1],
        "left_file": "my/queue.py",
        "right": [2],
        "right_file": "line.py",
        "submissions": 2,
    }
    assert {
        "kind": "string",
        "text": "full",
        "left": [11],
        "left_file": "my/queue.py",
        "right": [12],
        "right_file": "line.py",
        "submissions": 2,
    } in others
    assert next(each["rare_evidence"] for each in pairs if each["left"] == "0") == []
