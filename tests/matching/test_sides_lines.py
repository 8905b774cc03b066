from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mosslite
from mosslite.frontends import tokenize
from mosslite.languages import find_language
from mosslite.matching.sides import FreeLines, extended, free_lines
from mosslite.records import Document, Location
from tests.builders import LAW, document_of
from tests.programs import PRIMES, QUEUE, TEMPLATE, WORDS, write_files

# Lines of a file: with tokens, empty, or with a text of their own.
LINES: st.SearchStrategy[FreeLines] = st.lists(st.sampled_from([None, None, "", "a", "b", "c"]))

Range = tuple[int, int]


def document(text: str, language: str = "python") -> Document:
    reading = tokenize(text, find_language(language))
    return document_of(reading.stream, text=text, traces=reading.traces)


def without(traces: str, within: Document) -> Document:
    """Take away the traces that this text has, as those of a template are."""
    given = document(traces).traces.codes
    own = within.traces.where(~np.isin(within.traces.codes, given))
    return document_of(within.stream, text=within.file.text, traces=own)


def place(first: int, last: int) -> Location:
    return Location(document=1, start_char=10, stop_char=20, first_line=first, last_line=last)


def lines_of(place: Location) -> Range:
    return place.first_line, place.last_line


def extended_lines(
    left: FreeLines, right: FreeLines, at: Range, there: Range | None = None
) -> tuple[Range, Range]:
    ours, theirs = extended(place(*at), place(*(there or at)), left, right)
    return lines_of(ours), lines_of(theirs)


def outwards(lines: FreeLines, at: Range, grown: Range) -> tuple[FreeLines, FreeLines]:
    """Return the lines that a match grew over above and below, the last of them outermost."""
    assert 1 <= grown[0] <= at[0] <= at[1] <= grown[1] <= len(lines)
    return lines[grown[0] - 1 : at[0] - 1][::-1], lines[at[1] : grown[1]]


def up_to_tokens(lines: FreeLines) -> FreeLines:
    return lines[: [*lines, None].index(None)]


@st.composite
def files_with_a_match(draw: st.DrawFn) -> tuple[FreeLines, Range]:
    above, inside, below = draw(LINES), draw(LINES), draw(LINES)
    first = len(above) + 1
    return [*above, None, *inside, None, *below], (first, first + len(inside) + 1)


@st.composite
def matches_between_the_same_lines(draw: st.DrawFn) -> tuple[FreeLines, Range, FreeLines, Range]:
    """Draw two files that differ inside of a match alone, and where it is in them."""
    above, below = draw(LINES), draw(LINES)
    files = []
    for _ in range(2):
        inside = draw(LINES)
        at = len(above) + 1, len(above) + len(inside) + 2
        files.append(([*above, None, *inside, None, *below], at))
    return *files[0], *files[1]


# --- lines without tokens ------------------------------------------------------------------------


def test_the_lines_of_a_token_that_spans_several_are_not_free() -> None:
    text = '# one\nx = """two\n\n# three\n"""  # four\n\n# five'
    assert free_lines(document(text)) == ["# one", *[None] * 4, "", "# five"]


def test_lines_of_the_template_are_empty() -> None:
    text = "# as it was given\n# my own remark\nx = 1\n"
    mine = without("# as it was given\n", document(text))
    assert free_lines(mine)[:2] == ["", "# my own remark"]


def test_a_line_of_the_template_with_something_put_in_is_the_writers_own() -> None:
    mine = without("# as it was given\n", document("# as it was given away\nx = 1\n"))
    assert free_lines(mine)[0] == "# as it was given away"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_a_reader_counts_them(end: str) -> None:
    text = "# form\x0cfeed\n\x0c\n# two\nx = 1\n# three".replace("\n", end)
    assert free_lines(document(text)) == ["# form\x0cfeed", "", "# two", None, "# three"]


def test_an_empty_file_has_one_free_line() -> None:
    assert free_lines(document("")) == [""]


@LAW
@given(st.lists(st.sampled_from(["x = 1", "# remark", "", "    ", '"""one', 'two"""', "\\"])))
def test_every_line_is_either_free_or_holds_a_token(lines: list[str]) -> None:
    text = "\n".join(lines)
    made = document(text)

    free = free_lines(made)

    stream = made.stream
    firsts, lasts = made.lines_of(stream.starts, stream.stops)
    held = {
        line
        for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True)
        for line in range(first, last + 1)
    }
    assert len(free) == text.count("\n") + 1
    assert {number for number, line in enumerate(free, 1) if line is None} == held
    assert all(line in {"", lines[number].strip()} for number, line in enumerate(free) if line)


# --- matches that grow ---------------------------------------------------------------------------


@pytest.mark.parametrize(("between", "grown"), [(5, 8), (6, 2)])
def test_a_match_does_not_grow_over_many_lines_of_one_side(between: int, grown: int) -> None:
    mine = [f"# mine {number}" for number in range(between)]
    left, right = [None, "# one", *mine, "# two"], [None, "# one", "# two"]
    assert extended_lines(left, right, (1, 1)) == ((1, grown), (1, 3))


def test_characters_and_file_of_a_match_stay_as_they_are() -> None:
    lines = ["# above", None, "# below"]
    for grown in extended(place(2, 2), place(2, 2), lines, lines):
        assert grown == Location(1, 10, 20, 1, 3)


@LAW
@given(files_with_a_match(), files_with_a_match())
def test_a_match_grows_over_free_lines_up_to_one_that_both_sides_have(
    left: tuple[FreeLines, Range], right: tuple[FreeLines, Range]
) -> None:
    ours, theirs = (
        outwards(lines, at, grown)
        for (lines, at), grown in zip(
            (left, right), extended_lines(left[0], right[0], left[1], right[1]), strict=True
        )
    )

    for mine, other in zip(ours, theirs, strict=True):
        assert bool(mine) == bool(other)
        assert set(mine[-1:]) | set(other[-1:]) <= set(mine) & set(other) - {"", None}
        assert None not in mine + other


@LAW
@given(files_with_a_match(), files_with_a_match())
def test_both_sides_are_treated_alike(
    left: tuple[FreeLines, Range], right: tuple[FreeLines, Range]
) -> None:
    ours, theirs = extended_lines(left[0], right[0], left[1], right[1])
    assert extended_lines(right[0], left[0], right[1], left[1]) == (theirs, ours)


@LAW
@given(matches_between_the_same_lines())
def test_a_match_between_the_same_lines_grows_up_to_the_next_tokens(
    case: tuple[FreeLines, Range, FreeLines, Range],
) -> None:
    left, at, right, there = case
    for lines, (first, last) in zip(
        (left, right), extended_lines(left, right, at, there), strict=True
    ):
        assert set(up_to_tokens(lines[: first - 1][::-1])) <= {""}
        assert set(up_to_tokens(lines[last:])) <= {""}


# --- of whole runs -------------------------------------------------------------------------------


def ranges_in(folder: Path, *, base: str = "", **files: str) -> list[tuple[Range, Range]]:
    write_files(folder, {f"hw/{name}.py": text for name, text in files.items()} | {"stub.py": base})
    report = mosslite.check([folder / "hw"], base=[folder / "stub.py"] if base else [])
    (pair,) = report.pairs
    return [(lines_of(match.left), lines_of(match.right)) for match in pair.matches]


def test_copied_imports_and_comments_are_within_the_lines_of_a_match(tmp_path: Path) -> None:
    head, tail = "# A sieve.\nimport os\n\n", "\n# That was it.\n"
    left = head + PRIMES + tail + WORDS
    right = QUEUE + head + PRIMES + "# my own\n" + tail
    assert ranges_in(tmp_path, a=left, b=right) == [((1, 13), (17, 30))]


def test_comments_and_imports_of_the_template_are_not(tmp_path: Path) -> None:
    given = "# Fill in below.\nimport os\n"
    left, right = given + PRIMES, given + PRIMES + "# Over.\n"
    assert ranges_in(tmp_path, a=left, b=right) == [((1, 10), (1, 10))]
    assert ranges_in(tmp_path, a=left, b=right, base=given + TEMPLATE) == [((3, 10), (3, 10))]


def test_lines_are_shared_whatever_ends_them(tmp_path: Path) -> None:
    text = "# A sieve.\n\n" + PRIMES + "# \x0cThat was it.\n"
    assert ranges_in(tmp_path, a=text, b=text.replace("\n", "\r\n")) == [((1, 11), (1, 11))]
