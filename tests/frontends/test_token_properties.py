from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Name, _TokenType

from mosslite.frontends import degraded, tokenize
from mosslite.frontends.text import END_OF_TEXT, concatenated, source_of
from mosslite.frontends.token_properties import class_of, colours_of
from mosslite.frontends.tokens import TokenInterner, lex_all
from mosslite.languages import TEXT, Language, find_language
from mosslite.records import SYNTAX_CLASSES, Colours
from tests.builders import LAW

UNKNOWN = Language("no lexer has this name", "None", is_prose=False, is_caseless=False)
WORDS = ["int", " ", "\n", "\r", "\r\n", "//", "/*", "*/", '"', "'", "x", "9", "\u200b", "\ufeff"]
texts = st.lists(st.sampled_from(WORDS)).map("".join)


def runs(colours: Colours | None) -> list[tuple[int, str]]:
    """Return where runs begin, and their classes."""
    assert colours is not None
    classes = [SYNTAX_CLASSES[number] for number in colours.classes.tolist()]
    return list(zip(colours.starts.tolist(), classes, strict=True))


def by_hand(lexer: Lexer, text: str) -> list[tuple[int, str]]:
    concatenation = concatenated([source_of(text)])
    tokens = lex_all([(lexer, concatenation.sources[0].text)], TokenInterner(), end=END_OF_TEXT)
    classes = np.array([class_of(kind) for kind, _ in tokens.distinct], np.uint8)
    return runs(colours_of(concatenation, tokens, classes)[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int a = 9; // c", [(0, "keyword"), (3, ""), (8, "number"), (9, ""), (11, "comment")]),
        ("a\r\n\r\n// c\r\n9", [(0, ""), (5, "comment"), (11, "number")]),
        ("\ufeff// c", [(0, "comment")]),
        ("/* a\u200bb */ 9", [(0, "comment"), (9, ""), (10, "number")]),
        ("9" + "\n" * 999 + "9", [(0, "number"), (1, ""), (1000, "number")]),
        ("", [(0, "")]),
        ("\u200b", [(0, "")]),
    ],
)
def test_colours_are_runs_in_the_original(text: str, expected: list[tuple[int, str]]) -> None:
    assert runs(tokenize(text, find_language("c")).colours) == expected


@LAW
@given(texts)
def test_runs_ascend_from_the_first_character_and_differ_from_their_neighbours(text: str) -> None:
    colours = tokenize(text, find_language("java")).colours

    assert colours is not None
    assert colours.starts[0] == 0
    assert (np.diff(colours.starts) > 0).all()
    assert (np.diff(colours.classes.astype(np.int64)) != 0).all()
    assert colours.starts[-1] < max(len(text), 1)


class LyingLexer(Lexer):
    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        yield 0, Keyword, text[:3]
        yield 5, Name.Class, text[:3]
        yield len(text) + 9, Name.Class, "far"


class LaggingLexer(Lexer):
    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        yield 0, Keyword, text[:3]
        yield 0, Comment, text[3:6]


def test_what_is_not_where_the_lexer_says_is_not_coloured() -> None:
    assert by_hand(LyingLexer(), "int abc;") == [(0, "keyword"), (3, "")]


def test_what_follows_without_a_gap_is_coloured_whatever_offset_it_is_given() -> None:
    assert by_hand(LaggingLexer(), "int abc;") == [(0, "keyword"), (3, "comment"), (6, "")]


def test_what_lexers_say_beyond_the_text_is_left_out() -> None:
    reading = tokenize('\r\n"', find_language("sass"))

    assert not reading.is_degraded
    assert runs(reading.colours)[0][0] == 0


def test_prose_and_what_no_lexer_reads_have_no_colours() -> None:
    assert tokenize("int a;", TEXT).colours is None
    assert tokenize("int a;", UNKNOWN).colours is None
    assert degraded("int a;").colours is None
