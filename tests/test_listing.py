from __future__ import annotations

import re
import sys
import unicodedata
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexer import Lexer
from pygments.token import Keyword, Name

from mosslite.model import Document, Place, SourceFile
from mosslite.options import CODE_DEFAULTS
from mosslite.report.listing import Line, Piece, Run, canvas_of, lines_of
from mosslite.report.syntax import SYNTAX_CLASSES, syntax_by
from mosslite.report.visible import HIDDEN_RUN, code_point, name_parts, spelled_out
from tests.builders import stream_of_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pygments.token import _TokenType

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
    """Tokenize words and signs but no comments; those in ``boilerplate`` are not own."""
    found = [token for token in TOKEN.finditer(text) if token.group("own")]
    return Document(
        file=SourceFile("Main.java", text, "utf-8"),
        language=language,
        thresholds=CODE_DEFAULTS,
        stream=stream_of_tokens(text, found),
        is_boilerplate=np.isin(np.arange(len(found)), boilerplate),
        is_degraded=is_degraded,
    )


def place(within: Document, first: int, last: int) -> Place:
    stream = within.stream
    return Place(
        document=0,
        start_char=int(stream.starts[first]),
        stop_char=int(stream.stops[last]),
        first_line=int(stream.lines[first]),
        last_line=int(stream.lines[last]),
    )


def listing(of: Document, places: Mapping[int, Place] | None = None) -> list[Line]:
    return list(lines_of(canvas_of(of), places or {}))


def runs(lines: Sequence[Line]) -> Iterator[Run]:
    for line in lines:
        yield from line.runs


def pieces(lines: Sequence[Line]) -> Iterator[Piece]:
    for run in runs(lines):
        yield from run.pieces


def text_of(run: Run) -> str:
    return "".join(piece.text for piece in run.pieces)


def text_in_match(lines: Sequence[Line], number: int) -> str:
    return "".join(text_of(run) for run in runs(lines) if run.match == number)


def text_in_class(lines: Sequence[Line], syntax: str) -> list[str]:
    return [piece.text for piece in pieces(lines) if piece.syntax == syntax]


@st.composite
def marked_documents(draw: st.DrawFn) -> tuple[Document, dict[int, Place]]:
    text = draw(texts)
    count = len(document(text).stream)
    tokens = st.integers(0, max(count - 1, 0))
    marked = document(
        text,
        language=draw(st.sampled_from(["java", "python", "text", "html+php"])),
        boilerplate=draw(st.lists(tokens)),
        is_degraded=draw(st.booleans()),
    )
    ends = draw(st.lists(st.tuples(tokens, tokens), max_size=4)) if count else []
    places = {number: place(marked, min(pair), max(pair)) for number, pair in enumerate(ends, 1)}
    return marked, places


@given(marked_documents())
def test_the_pieces_of_all_lines_add_up_to_the_text_without_its_line_ends(
    marked: tuple[Document, dict[int, Place]],
) -> None:
    lines = listing(*marked)
    expected = re.split(r"\r\n|\r|\n", marked[0].file.text)
    if not expected[-1]:
        expected.pop()
    assert ["".join(text_of(run) for run in line.runs) for line in lines] == expected
    assert [line.number for line in lines] == list(range(1, len(expected) + 1))


@given(marked_documents())
def test_no_piece_is_empty_and_neighbouring_pieces_differ(
    marked: tuple[Document, dict[int, Place]],
) -> None:
    for run in runs(listing(*marked)):
        assert all(piece.text for piece in run.pieces)
        for one, other in zip(run.pieces, run.pieces[1:], strict=False):
            assert one.syntax != other.syntax or one.is_hidden or other.is_hidden


@given(marked_documents())
def test_every_hidden_character_is_in_a_piece_of_its_kind_alone(
    marked: tuple[Document, dict[int, Place]],
) -> None:
    for piece in pieces(listing(*marked)):
        assert piece.is_hidden == bool(HIDDEN_RUN.search(piece.text))
        assert not piece.is_hidden or len(set(piece.text)) == 1


@given(marked_documents())
def test_every_match_opens_once_at_its_first_character(
    marked: tuple[Document, dict[int, Place]],
) -> None:
    of, places = marked
    opened = [
        (number, text_of(run)[0]) for run in runs(listing(of, places)) for number in run.opens
    ]
    first = {number: of.file.text[each.start_char] for number, each in places.items()}
    assert sorted(opened) == sorted(first.items())


def test_a_match_covers_its_text_from_the_first_token_to_the_last() -> None:
    of = document(JAVA)
    lines = listing(of, {1: place(of, 1, 6)})
    assert text_in_match(lines, 1) == "rate = 80; // centsString kind"


def test_a_match_over_several_lines_is_on_each_of_them() -> None:
    of = document("a b\n  c\n\nd e")
    lines = listing(of, {1: place(of, 1, 3)})
    assert [[text_of(run) for run in line.runs if run.match] for line in lines] == [
        ["b"], ["  c"], [], ["d"],
    ]  # fmt: skip


def test_matches_side_by_side_keep_their_numbers() -> None:
    of = document("a b c d")
    lines = listing(of, {1: place(of, 0, 1), 2: place(of, 2, 3)})
    assert [text_in_match(lines, number) for number in (0, 1, 2)] == [" ", "a b", "c d"]


def test_of_overlapping_matches_the_lowest_number_is_shown_and_all_open() -> None:
    of = document("a b c d")
    lines = listing(of, {1: place(of, 1, 2), 2: place(of, 0, 3), 3: place(of, 1, 1)})
    assert [text_in_match(lines, number) for number in (1, 2, 3)] == ["b c", "a  d", ""]
    assert [run.opens for run in runs(lines) if run.opens] == [(2,), (1, 3)]


def test_boilerplate_inside_a_match_is_boilerplate_and_not_match() -> None:
    of = document("a b c d e", boilerplate=[1, 2])
    lines = listing(of, {1: place(of, 0, 4)})
    assert text_in_match(lines, 1) == "ad e"
    assert [text_of(run) for run in runs(lines) if run.is_boilerplate] == ["b c"]


def test_boilerplate_is_marked_outside_of_matches_too() -> None:
    lines = listing(document("a b c", boilerplate=[2]))
    assert [text_of(run) for run in runs(lines) if run.is_boilerplate] == ["c"]


def test_a_comment_between_boilerplate_tokens_is_not_called_boilerplate() -> None:
    lines = listing(document("int a /* mine */ ; int b;", boilerplate=range(6)))
    grey = [text_of(run) for run in runs(lines) if run.is_boilerplate]
    assert grey == ["int a ", " ; int b;"]


def test_a_comment_beside_boilerplate_inside_a_match_is_not_matched() -> None:
    of = document("a; /* mine */ b; /* kept */ c;", boilerplate=[2, 3])
    assert text_in_match(listing(of, {1: place(of, 0, 5)}), 1) == "a;c;"


def test_boilerplate_has_no_syntax_colours() -> None:
    lines = listing(document("int a = 1;", boilerplate=range(5)))
    assert {piece.syntax for piece in pieces(lines)} == {""}


def test_code_is_coloured_by_its_language() -> None:
    lines = listing(document(JAVA))
    assert text_in_class(lines, "comment") == ["/* rates */", "// cents"]
    assert text_in_class(lines, "keyword") == ["int"]
    assert text_in_class(lines, "string") == ['"car"']
    assert text_in_class(lines, "number") == ["80"]


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_the_line_end_does_not_change_the_colours(line_end: str) -> None:
    assert listing(document(JAVA.replace("\n", line_end))) == listing(document(JAVA))


def test_a_comment_may_end_with_the_text() -> None:
    assert text_in_class(listing(document("x // end")), "comment") == ["// end"]


@pytest.mark.parametrize(("language", "is_degraded"), [("text", False), ("java", True)])
def test_prose_and_what_the_lexer_failed_on_are_not_coloured(
    language: str, is_degraded: bool
) -> None:
    lines = listing(document(JAVA, language=language, is_degraded=is_degraded))
    assert {piece.syntax for piece in pieces(lines)} == {""}


class FailingLexer(Lexer):
    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        yield 0, Keyword, text[:3]
        raise RecursionError


class LyingLexer(Lexer):
    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        yield 0, Keyword, text[:3]
        yield 5, Name.Class, text[:3]
        yield len(text) + 9, Name.Class, "far"


def test_a_lexer_that_fails_leaves_the_whole_text_without_colours() -> None:
    assert not syntax_by(FailingLexer(), "int a;").any()


def test_a_token_that_is_not_where_the_lexer_says_is_not_coloured() -> None:
    classes = [SYNTAX_CLASSES[number] for number in syntax_by(LyingLexer(), "int abc;")]
    assert classes == ["keyword"] * 3 + [""] * 5


@pytest.mark.parametrize("text", ["", "\n", "\r\n", "a", "a\n", "a\n\n", "a\r\rb"])
def test_a_last_line_without_text_is_no_line(text: str) -> None:
    assert len(listing(document(text))) == len(
        text.replace("\r\n", "\n").replace("\r", "\n").splitlines()
    )


def test_a_form_feed_ends_no_line() -> None:
    assert [text_of(run) for run in runs(listing(document("a\x0cb\u2028c")))] == ["a\x0cb\u2028c"]


def test_the_same_hidden_character_many_times_is_one_piece() -> None:
    lines = listing(document("a" + "\0" * 512 + RIGHT_TO_LEFT))
    assert [code_point(piece.text) for piece in pieces(lines) if piece.is_hidden] == [
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


def test_line_ends_and_tabs_in_a_name_are_spelled_out() -> None:
    assert [part.text for part in name_parts("a\tb\n\nc") if part.is_hidden] == ["\t", "\n\n"]
