import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.options import Options
from mosslite.pipeline import check
from mosslite.records import (
    Colours,
    Document,
    LeftOut,
    Lines,
    Match,
    Pair,
    PlacedBy,
    RareEvidence,
    Report,
    Surprise,
    Threshold,
)
from mosslite.report.html import ReportMetadata, write_html
from mosslite.report.html.listing import BOILERPLATE, HIDDEN, Sheet
from mosslite.report.html.pages import source_script
from mosslite.report.html.sides import marks_of
from tests.builders import document_of, stream_of_text, submission_of, submission_of_texts
from tests.pages import Line, Page, parsed, place, unpacked
from tests.programs import write_files
from tests.tables import parts_of, texts_of

LEFT = texts_of("programs")["LEFT"]
RIGHT = texts_of("programs")["RIGHT"]
Marks = dict[str, list[dict[str, Any]]]

EVIL = "// </script><script>alert(1)</script><!-- {{ 7 * 7 }} \u2028\u202e\x7f \U0001f600 &amp;\n"


def batch(tmp_path: Path, **texts: str) -> Report:
    for name, text in texts.items():
        folder = tmp_path / "batch" / name
        folder.mkdir(parents=True)
        (folder / "Lot.java").write_text(text, encoding="utf-8")
    return check(tmp_path / "batch", options=Options(jobs=1, noise=6, guarantee=8))


def written(report: Report, folder: Path) -> Path:
    write_html(report, folder, ReportMetadata("2026-11-21 09:30", "0.1.0"))
    return folder


def page_of(report: Report, tmp_path: Path, rank: int = 1) -> Page:
    return parsed(written(report, tmp_path / "report") / "pairs" / f"{rank}.html")


def by_id(page: Page, name: str) -> str:
    (element,) = [each for each in page.elements if each.attributes.get("id") == name]
    return element.text


def data_of(page: Page) -> dict[str, object]:
    content = json.loads(by_id(page, "pair-data"))
    assert isinstance(content, dict)
    return content


def part_of(script: str, *path: str | int) -> object:
    """Return a part of what a source script hands over."""
    found = re.fullmatch(r'"use strict";\nmosslite\.addSource\((.*)\);\n', script)
    assert found
    part = json.loads(found.group(1))
    for key in path:
        part = part[key]
    assert isinstance(part, object)
    return part


def lines_in(script: str) -> list[Line]:
    """Return the lines of the first file."""
    file = part_of(script, "files", 0)
    assert isinstance(file, dict)
    return unpacked(file["text"], file["indents"], file["looks"])


def greyed(text: str, boilerplate: Sequence[int]) -> Document:
    return document_of(stream_of_text(text), text=text, boilerplate=boilerplate)


# The first and last words of a match on the left and on the right, and maybe its block.
Ranges = tuple[tuple[int, int], tuple[int, int]] | tuple[tuple[int, int], tuple[int, int], int]


def marked(left: str | Document, right: str | Document, *matches: Ranges) -> Marks:
    """Return the marks of a pair of texts, of which these words match."""
    texts = (left, right)
    documents = [greyed(each, []) if isinstance(each, str) else each for each in texts]
    found = [
        Match(
            place(documents[0], *each[0]),
            place(documents[1], *each[1]),
            4,
            each[2] if len(each) == 3 else 1,
            Surprise(40.0, 0.01),
            Surprise(40.0, 0.01),
        )
        for each in matches
    ]
    one, other = map(submission_of, documents)
    return marks(Pair(one, other, 0.5, PlacedBy.OVERLAP, 0.5, 0.5, 0.5, 8, 2, 4, tuple(found)))


def marks(pair: Pair) -> Marks:
    found: Marks = json.loads(json.dumps(marks_of(pair, Sheet)))
    return found


def spans(side: object) -> object:
    assert isinstance(side, dict)
    return side["spans"]


# ---- Sources ----


@given(st.text() | st.sampled_from([EVIL, "</script>", "<!--", "\u2028", "\ud800", "]]>"]))
def test_a_source_is_ascii_and_has_no_sign_of_a_tag(text: str) -> None:
    script = source_script(submission_of_texts(text), 1)
    assert script.isascii()
    assert not re.search(r"[<>&]", script)


def test_a_piece_says_when_it_is_hidden_or_boilerplate() -> None:
    hidden = source_script(submission_of_texts("a\u202eb"), 1)
    assert lines_in(hidden) == [[("a", 0, 0), ("\u202e", 0, HIDDEN), ("b", 0, 0)]]
    assert part_of(hidden, "hidden") == {"\u202e": "right-to-left override"}
    grey = source_script(submission_of(greyed("a b c", [1])), 1)
    assert lines_in(grey) == [[("a ", 0, 0), ("b", 0, BOILERPLATE), (" c", 0, 0)]]


def test_a_piece_of_code_has_the_place_of_its_colour() -> None:
    colours = Colours(np.array([0, 3, 8], np.int32), np.array([2, 0, 4], np.uint8))
    java = replace(submission_of_texts("int x = 1").documents[0], language="java", colours=colours)
    script = source_script(submission_of(java), 1)
    assert lines_in(script) == [[("int", 2, 0), (" x = ", 0, 0), ("1", 4, 0)]]
    assert part_of(script, "classes", 2) == "keyword"


def test_boilerplate_says_where_it_is_from() -> None:
    given_code = replace(greyed("a b c", [1]), left_out=(LeftOut("Base.java", 1),))
    script = source_script(submission_of(given_code), 1)
    assert part_of(script, "files", 0, "origins") == ["Base.java"]


def test_a_source_is_written_once_for_all_its_pairs(tmp_path: Path) -> None:
    report = batch(tmp_path, ada=LEFT, ben=RIGHT, eve=LEFT.replace("bays", "b"))
    folder = written(report, tmp_path / "report")
    assert len(report.pairs) == 3
    assert sorted(path.name for path in (folder / "sources").iterdir()) == ["1.js", "2.js", "3.js"]


def test_a_source_that_no_pair_shows_is_not_written(tmp_path: Path) -> None:
    report = batch(tmp_path, ada=LEFT, ben=RIGHT, eve="int other; char x = 'x';" * 3)
    folder = written(report, tmp_path / "report")
    assert [path.name for path in sorted((folder / "sources").iterdir())] == ["1.js", "2.js"]


# ---- Matches and gaps ----


@pytest.mark.parametrize(
    ("left", "right", "match", "expected"),
    [
        # Columns are those of UTF-16.
        (
            "\U0001f600 a b\nc d e",
            "x a b c d",
            ((1, 4), (1, 4)),
            ([[1, 3, 2, 3]], [[1, 2, 1, 9]]),
        ),
        # Boilerplate is left out.
        (
            greyed("a b c d e", [2]),
            "a b d e",
            ((0, 4), (0, 3)),
            ([[1, 0, 1, 3], [1, 6, 1, 9]], [[1, 0, 1, 7]]),
        ),
    ],
    ids=["columns", "boilerplate"],
)
def test_a_span_goes_from_the_first_token_to_the_last(
    left: str | Document, right: str, match: Ranges, expected: object
) -> None:
    (only,) = marked(left, right, match)["matches"]
    assert (spans(only["left"]), spans(only["right"])) == expected


def test_of_overlapping_matches_the_lowest_number_is_shown() -> None:
    found = marked("a b c d", "a b c d", ((1, 2), (1, 2)), ((0, 3), (0, 3)))
    assert [spans(each["left"]) for each in found["matches"]] == [
        [[1, 2, 1, 5]],
        [[1, 0, 1, 2], [1, 5, 1, 7]],
    ]


@pytest.mark.parametrize(
    ("left", "right", "match", "rows"),
    [
        (
            "a b\nc d\ne f\ng",
            "x\na b c\nd\ne f\n\ng",
            ((0, 6), (1, 7)),
            [[1, 2], [4, 6]],
        ),
        ("a\nb\nc", "\n\na\nb\nc", ((0, 2), (0, 2)), [[1, 3]]),  # of the same layout
    ],
)
def test_rows_put_lines_beside_each_other_that_begin_with_the_same_token(
    left: str, right: str, match: Ranges, rows: object
) -> None:
    assert marked(left, right, match)["matches"][0]["rows"] == rows


@pytest.mark.parametrize(
    ("left", "right", "matches", "expected"),
    [
        # Between matches of a block
        ("a b c d", "a b x y c d", (((0, 1), (0, 1)), ((2, 3), (4, 5))),
         ("inserted", None, [[1, 4, 1, 7]])),
        ("a b z c d", "a b x y c d", (((0, 1), (0, 1)), ((3, 4), (4, 5))),
         ("changed", [[1, 4, 1, 5]], [[1, 4, 1, 7]])),
        # Between two blocks
        ("a b c d", "a b\nx\ny\nc d", (((0, 1), (0, 1), 1), ((2, 3), (4, 5), 2)),
         ("inserted", None, [[2, 0, 3, 1]])),
    ],
    ids=["inserted", "changed", "inserted between blocks"],
)  # fmt: skip
def test_what_sides_have_between_matches_is_inserted_or_changed(
    left: str, right: str, matches: tuple[Ranges, ...], expected: tuple[object, ...]
) -> None:
    (gap,) = marked(left, right, *matches)["gaps"]
    found = (gap["kind"], gap["left"] and spans(gap["left"]), spans(gap["right"]))
    assert (gap["block"], found) == (1, expected)


@pytest.mark.parametrize(
    ("left", "right", "matches"),
    [
        ("a b c d", greyed("a b x y c d", [2, 3]), (((0, 1), (0, 1), 1), ((2, 3), (4, 5), 2))),
        ("a b z c d", "a b x y c d", (((0, 1), (0, 1), 1), ((3, 4), (4, 5), 2))),
        ("a b c d", "c d x y a b", (((0, 1), (4, 5), 1), ((2, 3), (0, 1), 2))),
        (greyed("a b x y c d", [2, 3]), "a b x y c d", (((0, 1), (0, 1)), ((4, 5), (4, 5)))),
    ],
    ids=[
        "boilerplate between blocks",
        "own code on both sides between blocks",
        "passages in another order",
        "own code where the other side has boilerplate",
    ],
)
def test_nothing_else_is_a_gap(
    left: str | Document, right: str | Document, matches: tuple[Ranges, ...]
) -> None:
    assert marked(left, right, *matches)["gaps"] == []


def test_the_marks_of_a_real_pair_cover_its_matches(tmp_path: Path) -> None:
    report = batch(tmp_path, ada=LEFT, ben=RIGHT)
    folder = written(report, tmp_path / "report")
    data = data_of(parsed(folder / "pairs" / "1.html"))
    lines = lines_in((folder / "sources" / "2.js").read_text(encoding="ascii"))
    assert isinstance(data["gaps"], list)
    (gap,) = data["gaps"]
    assert gap["kind"] == "inserted"
    line, start, last, stop = gap["right"]["spans"][0]
    assert (line, last) == (8, 8)
    assert "print" in "".join(piece.text for piece in lines[line - 1])[start:stop]


# Programs in whose languages ends of lines or blocks are part of the program.
BY_LINES = parts_of("report/test_sides")


def with_one_more(name: str) -> Iterator[str]:
    """Yield the program with another statement, in each place and depth where it may stand."""
    statement, program = BY_LINES[name]
    lines = program.splitlines()
    for at in range(2, len(lines) - 1):
        depths = [len(line) - len(line.lstrip()) for line in lines[at - 1 : at + 1]]
        for depth in range(min(depths), max(depths) + 1, 4):
            text = "\n".join([*lines[:at], " " * depth + statement, *lines[at:], ""])
            with suppress(SyntaxError):
                if name.endswith(".py"):
                    compile(text, name, "exec")
                yield text


@pytest.mark.parametrize("name", BY_LINES)
def test_around_an_added_line_everything_is_shared_and_nothing_changed(
    name: str, tmp_path: Path
) -> None:
    texts = list(with_one_more(name))
    options = Options(noise=4, guarantee=4, chance=1e9, uses_workers=False)

    assert len(texts) >= 5
    for number, text in enumerate(texts):
        folder = tmp_path / str(number)
        write_files(folder, {f"a/{name}": BY_LINES[name][1], f"b/{name}": text})
        (pair,) = check([str(folder)], options=options).pairs
        assert pair.left_similarity == 1, text
        assert [gap["kind"] for gap in marks(pair)["gaps"]] == ["inserted"], text


# ---- The page ----


def test_the_list_of_matches_gives_lines_block_and_tokens_without_scripts(tmp_path: Path) -> None:
    report = batch(tmp_path, ada=LEFT, ben=RIGHT)
    page = page_of(report, tmp_path)
    rows = [each for each in page.of_tag("tr") if "data-row" in each.attributes]
    assert [each.text.split() for each in rows] == [
        [
            str(one.block),
            *(
                f"{each.first_line}-{each.last_line}"
                if each.first_line < each.last_line
                else str(each.first_line)
                for each in (one.left, one.right)
            ),
            str(one.tokens),
            "<",
            "0.01",
        ]
        for one in report.pairs[0].matches
    ]
    assert "noscript" in [each.tag for each in page.elements]


def with_evidence(report: Report, *evidence: RareEvidence) -> Report:
    return replace(report, pairs=(replace(report.pairs[0], rare_evidence=evidence),))


def test_rare_evidence_links_to_its_lines_and_names_what_a_slip_resembles(tmp_path: Path) -> None:
    slip = RareEvidence("misspelling", "<recieve>", Lines(0, (2, 4)), Lines(0, (3,)), 2, "receive")
    page = page_of(with_evidence(batch(tmp_path, ada=LEFT, ben=RIGHT), slip), tmp_path)
    links = [each.attributes for each in page.of_class("line-link")]
    assert [each["data-line"] for each in links] == ["2", "4", "3"]
    cells = [each.attributes for each in page.of_tag("td") if "data-document" in each.attributes]
    places = [(each["data-side"], each["data-document"]) for each in cells]
    assert places == [("left", "0"), ("right", "0")]
    assert page.of_class("evidence")[0].text == "<recieve> for receive"


@pytest.mark.parametrize(
    ("threshold", "words_of_it"),
    [
        (None, "none: the scores of this batch do not suggest one"),
        (Threshold(0.2, 0.1, 0.3, 1, 1), "at or above 0.20"),
        (Threshold(0.999, 0.9, 1.0, 1, 0), "below 1.00"),
    ],
)
def test_a_pair_page_says_how_the_score_stands_to_the_threshold(
    tmp_path: Path, threshold: Threshold | None, words_of_it: str
) -> None:
    report = replace(batch(tmp_path, ada=LEFT, ben=RIGHT), threshold=threshold)
    assert by_id(page_of(report, tmp_path), "threshold") == words_of_it


def test_what_a_student_wrote_is_nowhere_but_in_the_sources(tmp_path: Path) -> None:
    folder = written(batch(tmp_path, ada=LEFT + EVIL, ben=RIGHT), tmp_path / "report")
    assert "alert(1)" not in (folder / "pairs" / "1.html").read_text(encoding="utf-8")
    assert "alert(1)" in (folder / "sources" / "1.js").read_text(encoding="ascii")


def test_the_script_asks_only_for_elements_that_the_page_has(tmp_path: Path) -> None:
    folder = written(batch(tmp_path, ada=LEFT, ben=RIGHT), tmp_path / "report")
    script = (folder / "pair.js").read_text(encoding="utf-8")
    asked = re.findall(r'byId\("([\w-]+)"\)', script)
    page = parsed(folder / "pairs" / "1.html")
    assert asked
    assert {*asked} <= {each.attributes.get("id", "") for each in page.elements}
