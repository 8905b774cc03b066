import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mosslite.display import HIDDEN_RUN, code_point, name_parts, one_line, spelled_out
from mosslite.frontends import tokenize
from mosslite.languages import find_language
from mosslite.options import CODE_DEFAULTS
from mosslite.records import SYNTAX_CLASSES, Document, SourceFile
from mosslite.report.html.listing import (
    BOILERPLATE,
    COMMENT,
    HIDDEN,
    RenderedSource,
    Sheet,
    listing_of,
    marked_lines,
    spans_of,
    syntax_of,
)
from tests.builders import stream_of_tokens, submission_of, traces_of
from tests.pages import Line, Shown, unpacked

JAVA = """\
/* rates */
int rate = 80; // cents
String kind = "car";
"""
TOKEN = re.compile(r"//.*|/\*.*?\*/|(?P<own>\w+|[^\w\s])")
RIGHT_TO_LEFT = "\u202e"
WORDS = ["int", " ", "\n", "\r", "\r\n", "\t", "//", "/*", "*/", '"', "'", "x", "9", "(", ";"]
HIDDEN_WORDS = ["\0", "\0\0", "\u200b", RIGHT_TO_LEFT, "\ud800", "\ufeff", "\x1b", "\u2028"]
texts = st.lists(st.sampled_from(WORDS + HIDDEN_WORDS) | st.text(max_size=3)).map("".join)


def document(
    text: str,
    *,
    language: str = "java",
    boilerplate: Sequence[int] = (),
    is_degraded: bool = False,
) -> Document:
    """Tokenize words and signs but no comments; those in ``boilerplate`` are not own.

    Colours are the front-end's.
    """
    found = [token for token in TOKEN.finditer(text) if token.group("own")]
    return Document(
        file=SourceFile("Main.java", text, "utf-8"),
        language=language,
        thresholds=CODE_DEFAULTS,
        stream=stream_of_tokens(text, found),
        is_boilerplate=np.isin(np.arange(len(found)), boilerplate),
        traces=traces_of([]),
        is_degraded=is_degraded,
        colours=tokenize(text, find_language(language)).colours,
    )


def listing(of: Document) -> list[Line]:
    return unpacked(*listing_of(RenderedSource(of)))


def pieces(lines: Sequence[Line]) -> Iterator[Shown]:
    for line in lines:
        yield from line


def text_of(line: Line) -> str:
    return "".join(piece.text for piece in line)


def grey_text(lines: Sequence[Line]) -> list[str]:
    return [piece.text for piece in pieces(lines) if piece.flags & BOILERPLATE]


def text_in_class(lines: Sequence[Line], syntax: str) -> list[str]:
    return [piece.text for piece in pieces(lines) if SYNTAX_CLASSES[piece.colour] == syntax]


@st.composite
def marked_documents(draw: st.DrawFn) -> Document:
    text = draw(texts)
    count = len(document(text).stream)
    return document(
        text,
        language=draw(st.sampled_from(["java", "python", "text", "html+php"])),
        boilerplate=draw(st.lists(st.integers(0, max(count - 1, 0)))),
        is_degraded=draw(st.booleans()),
    )


@given(marked_documents())
def test_the_pieces_of_all_lines_add_up_to_the_text_without_its_line_ends(marked: Document) -> None:
    expected = re.split(r"\r\n|\r|\n", marked.file.text)
    if not expected[-1]:
        expected.pop()
    assert [text_of(line) for line in listing(marked)] == expected


@given(marked_documents())
def test_no_piece_is_empty_and_neighbouring_pieces_differ(marked: Document) -> None:
    for line in listing(marked):
        assert all(piece.text for piece in line)
        for one, other in pairwise(line):
            is_grey = [bool(piece.flags & BOILERPLATE) for piece in (one, other)]
            is_same_look = one.colour == other.colour and is_grey[0] == is_grey[1]
            assert not is_same_look or (one.flags | other.flags) & HIDDEN


@given(marked_documents())
def test_every_hidden_character_is_in_a_piece_of_its_kind_alone(marked: Document) -> None:
    for piece in pieces(listing(marked)):
        assert bool(piece.flags & HIDDEN) == bool(HIDDEN_RUN.search(piece.text))
        assert not piece.flags & HIDDEN or len(set(piece.text)) == 1


@pytest.mark.slow
@given(marked_documents(), st.data())
def test_a_span_gives_back_its_text_from_lines_of_utf_16(
    marked: Document, data: st.DataObject
) -> None:
    text = marked.file.text
    start = data.draw(st.integers(0, max(len(text) - 1, 0)))
    stop = data.draw(st.integers(start + 1, max(len(text), start + 1)))
    assume("\r" not in text and stop <= len(text) and "\n" not in text[start] + text[stop - 1])
    first, start_column, last, stop_column = spans_of(
        Sheet(submission_of(marked)), np.array([[start, stop]])
    )[0]
    lines = [text_of(line).encode("utf-16-le", "surrogatepass") for line in listing(marked)]
    lines[last - 1] = lines[last - 1][: 2 * stop_column]
    lines[first - 1] = lines[first - 1][2 * start_column :]
    found = "\n".encode("utf-16-le").join(lines[first - 1 : last])
    assert found == text[start:stop].encode("utf-16-le", "surrogatepass")


def test_a_column_counts_a_character_beyond_the_first_plane_twice() -> None:
    of = document('a\n"\U0001f600" b c')
    assert spans_of(Sheet(submission_of(of)), np.array([[6, 9]])) == [(2, 5, 2, 8)]


def test_boilerplate_is_marked_outside_of_matches_too() -> None:
    lines = listing(document("a b c", boilerplate=[2]))
    assert grey_text(lines) == ["c"]


def test_a_comment_between_boilerplate_tokens_is_not_called_boilerplate() -> None:
    lines = listing(document("int a /* mine */ ; int b;", boilerplate=range(6)))
    assert grey_text(lines) == ["int a ", " ; int b;"]


def test_code_is_coloured_by_its_language() -> None:
    lines = listing(document(JAVA))
    assert text_in_class(lines, "comment") == ["/* rates */", "// cents"]
    assert text_in_class(lines, "keyword") == ["int"]
    assert text_in_class(lines, "string") == ['"car"']
    assert text_in_class(lines, "number") == ["80"]


@pytest.mark.parametrize(("language", "is_degraded"), [("text", False), ("java", True)])
def test_prose_and_what_the_lexer_failed_on_are_not_coloured(
    language: str, is_degraded: bool
) -> None:
    lines = listing(document(JAVA, language=language, is_degraded=is_degraded))
    assert {piece.colour for piece in pieces(lines)} == {0}


@pytest.mark.parametrize("text", ["", "\ufeff", "\r\n", "/* a */", "\u200b/*\u202e*/\r\nx\u200b"])
def test_every_character_has_a_colour(text: str) -> None:
    assert len(syntax_of(document(text))) == len(text)


def test_a_character_that_nobody_sees_has_the_colour_of_what_it_is_in() -> None:
    assert syntax_of(document("x /* \u202e */ y")).tolist() == [0, 0, *[COMMENT] * 7, 0, 0]


def test_the_same_hidden_character_many_times_is_one_piece() -> None:
    lines = listing(document("a" + "\0" * 512 + RIGHT_TO_LEFT))
    assert [code_point(piece.text) for piece in pieces(lines) if piece.flags & HIDDEN] == [
        "U+0000 x 512",
        "U+202E",
    ]


def test_all_controls_formats_and_separators_of_unicode_are_hidden_but_tab_and_line_ends() -> None:
    kinds = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    characters = (chr(code) for code in range(sys.maxunicode + 1))
    hidden = {each for each in characters if unicodedata.category(each) in kinds}
    assert {each for each in hidden if not HIDDEN_RUN.fullmatch(each)} == {"\t", "\n", "\r"}


@pytest.mark.parametrize(
    "character",
    ["\u034f", "\u115f", "\u17b4", "\u180b", "\u2800", "\u3164", "\ufe0f", "\uffa0", "\U000e0100"],
)
def test_fillers_blank_letters_and_variation_selectors_are_hidden(character: str) -> None:
    assert HIDDEN_RUN.fullmatch(character)


def test_printable_ascii_and_letters_are_not_hidden() -> None:
    assert not HIDDEN_RUN.search(
        "".join(map(chr, range(32, 127))) + "\t\n\r\u00e4\u05d0\u4e2d\u00a0"
    )


def test_a_text_with_hidden_characters_is_spelled_out() -> None:
    assert spelled_out(f"a{RIGHT_TO_LEFT}b\ud800\n") == "a[U+202E]b[U+D800]\n"


@given(texts)
def test_the_parts_of_a_name_add_up_to_it(name: str) -> None:
    assert "".join(part.text for part in name_parts(name)) == name


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("ann lee", []),
        (" ", [" "]),
        ("ann ", [" "]),
        ("  ann  lee", ["  ", "  "]),
        ("ann\N{NO-BREAK SPACE}lee", ["\N{NO-BREAK SPACE}"]),
        ("ann\N{EM SPACE}", ["\N{EM SPACE}"]),
        ("\u738b\u3000\u4e94", ["\u3000"]),
        ("e\u0301\u0302\u0303", []),
        ("e" + "\u0301" * 80, ["\u0301" * 77]),
    ],
)
def test_blanks_and_accents_that_make_names_look_alike_or_hide_others_are_spelled_out(
    name: str, hidden: list[str]
) -> None:
    assert [part.text for part in name_parts(name) if part.is_hidden] == hidden
    assert (one_line(name) == name) == (not hidden)


def test_line_ends_and_tabs_in_a_name_are_spelled_out() -> None:
    assert [part.text for part in name_parts("a\tb\n\nc") if part.is_hidden] == ["\t", "\n\n"]


@given(texts, st.data())
def test_marked_lines_are_the_text_with_each_own_character_in_the_first_of_its_marks(
    text: str, data: st.DataObject
) -> None:
    canvas = RenderedSource(document(text, boilerplate=(1, 2)))
    place = st.integers(0, len(text))
    marks = data.draw(st.lists(st.tuples(place, place, st.integers(1, 9)), max_size=4))
    count = len(canvas.lines)
    first = data.draw(st.integers(1, max(count, 1)))
    last = data.draw(st.integers(first, max(count, first)))

    found = [*marked_lines(canvas, range(first, last + 1), marks, longest=10**9)]

    assert [line for line, _ in found] == [*range(first, min(last, count) + 1)]
    for line, pieces in found:
        start, stop = canvas.lines[line - 1].tolist()
        assert "".join(piece.text for piece in pieces) == text[start:stop]
        shown = [piece.match for piece in pieces for _ in piece.text]
        assert shown == [
            next((n for a, b, n in marks if a <= at < b and canvas.is_own[at]), 0)
            for at in range(start, stop)
        ]
        assert all(len(set(piece.text)) == 1 for piece in pieces if piece.is_hidden)


def test_a_long_line_says_how_much_of_it_is_left_out() -> None:
    canvas = RenderedSource(document("int x;\nint yy;"))

    lines = dict(marked_lines(canvas, range(1, 3), [(0, 14, 1)], longest=5))

    assert ["".join(piece.text for piece in pieces) for pieces in lines.values()] == [
        "int x ... 1 more character",
        "int y ... 2 more characters",
    ]
    assert [piece.match for piece in lines[2]][-2:] == [1, 0]
