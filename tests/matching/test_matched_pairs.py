"""What two submissions share is the same whether all pairs are matched or one is asked for."""

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.cli.check import summary_lines
from mosslite.matching.matched_pairs import matched
from mosslite.options import Options, Thresholds
from mosslite.pipeline import compare
from mosslite.ranking import Ranked
from mosslite.records import Detail, Inputs, Pair, Report, TokenizedSubmission, no_progress
from mosslite.report import ReportMetadata, to_csv, to_json
from mosslite.report.anonymous import anonymous
from mosslite.report.ci import to_junit, to_markdown
from mosslite.report.ci.baseline import Gate, states_of
from mosslite.report.formats import Found
from tests.builders import (
    EVERYTHING,
    LAW,
    THRESHOLDS,
    document_of,
    pair_of,
    stream_of,
    submission_of,
)
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files
from tests.reports import baseline_of, report_of

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
    report = report_with(tmp_path, Detail.SCORE)
    none = states_of(report, baseline_of(report_of([], [])))
    found = Found(report, "", Gate(fail_above, none), ReportMetadata("", ""))

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
