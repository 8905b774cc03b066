import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends.dispatch import read_plain
from mosslite.frontends.symbols import NAME, NUMBER, STRING, code_of
from mosslite.frontends.text import Source
from mosslite.records import TokenKind
from tests.builders import LAW, document_of

TEXTS = st.text() | st.text(
    st.sampled_from("ab_19\"'\\+(. \t\r\n\x0b\x00\x85\u2028é\U0001f600\ud800")
)
MANY = 1_000_000


def undisguised(text: str) -> Source:
    """Use a text unchanged: look-alike letters are tested elsewhere."""
    return Source(text, text, None, is_odd=False)


def codes(text: str) -> list[int]:
    return [int(code) for code in read_plain(undisguised(text)).codes]


def slices(text: str) -> list[str]:
    stream = read_plain(undisguised(text))
    return [text[i:j] for i, j in zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)]


def test_a_text_is_split_into_words_numbers_strings_and_signs() -> None:
    text = "if (größe_1 >= 0x1F) print(\"it's\", 'a\"b');"

    assert slices(text) == [
        *("if", "(", "größe_1", ">", "=", "0x1F", ")", "print", "("),
        *('"it\'s"', ",", "'a\"b'", ")", ";"),
    ]
    assert codes(text) == [
        *(NAME, code_of("("), NAME, code_of(">"), code_of("="), NUMBER, code_of(")"), NAME),
        *(code_of("("), STRING, code_of(","), STRING, code_of(")"), code_of(";")),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"open', ['"', "open"]),
        ('"open\nclose"', ['"', "open", "close", '"']),
        ("'open\nclose'", ["'", "open", "close", "'"]),
        ("''", ["''"]),
        ("don't", ["don", "'", "t"]),
        ("1e5 x1 1.5", ["1e5", "x1", "1", ".", "5"]),
        ("\U0001f600\U00020000", ["\U0001f600", "\U00020000"]),
        (" \r\n\t\x0b\x1c\x85\u2028", []),
        ("", []),
    ],
)
def test_every_text_has_tokens(text: str, expected: list[str]) -> None:
    assert slices(text) == expected


@LAW
@given(TEXTS)
def test_lines_are_those_of_the_first_and_last_character(text: str) -> None:
    stream = read_plain(undisguised(text))

    lines = document_of(stream, text=text).lines_of(stream.starts, stream.stops)
    for start, stop, line, last in zip(stream.starts, stream.stops, *lines, strict=True):
        assert line == 1 + len(re.findall("\r\n|\r|\n", text[:start]))
        assert last == 1 + len(re.findall("\r\n|\r|\n", text[: stop - 1]))


@LAW
@given(TEXTS)
def test_tokens_count_as_equal_by_kind_and_as_the_same_by_text(text: str) -> None:
    stream = read_plain(undisguised(text))

    assert stream.lexemes.tolist() == [code_of(each) for each in slices(text)]
    assert ((stream.kinds == TokenKind.NAME) == (stream.codes == np.uint64(NAME))).all()


# What the tokenizer finds, literally: the first branch that matches, from left to right.
REFERENCE = re.compile(
    r"""(?P<string>"[^"\n]*"|'[^'\n]*')|(?P<number>\d\w*)|(?P<name>\w+)|(?P<sign>[^\w\s])"""
)
OF_KIND = {"string": STRING, "number": NUMBER, "name": NAME}


@LAW
@given(TEXTS)
def test_tokens_are_those_that_a_search_from_left_to_right_finds(text: str) -> None:
    found = list(REFERENCE.finditer(text))

    assert slices(text) == [token.group() for token in found]
    assert codes(text) == [
        OF_KIND.get(token.lastgroup or "") or code_of(token.group()) for token in found
    ]


@pytest.mark.slow
# A tokenizer that looks far ahead from each of them would not come to an end.
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('"' * MANY, MANY // 2),
        ("'\"" * (MANY // 2), MANY // 3 + 1),
        ('"' + "'a" * (MANY // 2), MANY // 2 + 1),
        ('"\n' * (MANY // 2), MANY // 2),
        ("(" * MANY, MANY),
        ("a" * MANY, 1),
        ("\n" * MANY, 0),
        ("1a " * (MANY // 3), MANY // 3),
        ("\\" * MANY, MANY),
    ],
    ids=lambda value: repr(value[:4]) if isinstance(value, str) else "",
)
def test_a_million_hostile_characters_are_read(text: str, count: int) -> None:
    assert len(read_plain(undisguised(text))) == count
