import sys
import unicodedata
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends.dispatch import read_plain, read_prose
from mosslite.frontends.text import Source
from tests.builders import LAW

# Beside any text: ligatures, marks, letters of many cases and what is no single UTF-16 unit.
TEXTS = st.text() | st.text(
    st.sampled_from(
        "aAbBsSiI\u0131\u0130ßẞ\u017fﬁﬀéÉe\u0301\u0327ǆǅ\u03c3ςΣᾳ\u0345한ᄒ漢字½²٣ⓐ"
        "\U0001d54f\U0001f600\ud800 .,-\r\n\t\x00"
    )
)
SEPARATORS = st.text(
    st.sampled_from(" \t\r\n\x0b\xa0\u2028.,;:!?'\"()-\u2013…«»§@#*/\\_\u0301\ufeff\x00")
)


def undisguised(text: str) -> Source:
    """Use a text unchanged: look-alike letters are tested elsewhere."""
    return Source(text, text, None, is_odd=False)


def codes(text: str) -> list[int]:
    return [int(code) for code in read_prose(undisguised(text)).codes]


def ranges(text: str) -> list[tuple[int, int]]:
    stream = read_prose(undisguised(text))
    return list(zip(stream.starts.tolist(), stream.stops.tolist(), strict=True))


def has_letter(character: str) -> bool:
    """Distinguish letters, digits and signs composed of these from other signs."""
    return any(map(str.isalnum, unicodedata.normalize("NFKD", character).upper()))


def test_the_text_of_figure_1_of_the_paper_becomes_its_letters() -> None:
    # SIGMOD 2003, Figure 1 (a) and (b).
    text, letters = "A do run run run, a do run run", "adorunrunrunadorunrun"

    assert codes(text) == codes(letters)
    assert "".join(text[start:stop].lower() for start, stop in ranges(text)) == letters


@LAW
@given(TEXTS)
def test_case_does_not_matter(text: str) -> None:
    assert codes(text.upper()) == codes(text)
    assert codes(text.lower()) == codes(text)
    assert codes(text.title()) == codes(text)
    assert codes(text.casefold()) == codes(text)


@LAW
@given(TEXTS, st.sampled_from(("NFC", "NFD", "NFKC", "NFKD")))
def test_it_does_not_matter_how_letters_are_composed(
    text: str, form: Literal["NFC", "NFD", "NFKC", "NFKD"]
) -> None:
    assert codes(unicodedata.normalize(form, text)) == codes(text)


@pytest.mark.slow
def test_case_and_composition_do_not_matter_for_any_character() -> None:
    for number in range(sys.maxunicode + 1):
        character = chr(number)
        forms = {character.upper(), character.lower(), unicodedata.normalize("NFKC", character)}
        others = forms - {character}
        most = len(character.encode("utf-8", "surrogatepass"))  # letters that are read of it
        assert all(codes(form)[:most] == codes(character) for form in others), hex(number)


@LAW
@given(st.lists(st.tuples(TEXTS, SEPARATORS)))
def test_white_space_and_punctuation_do_not_matter(parts: list[tuple[str, str]]) -> None:
    apart = "".join(word + separator for word, separator in parts)
    together = "".join(word for word, _ in parts)

    assert codes(apart) == codes(together)


@LAW
@given(TEXTS)
def test_nothing_matters_but_letters_and_digits(text: str) -> None:
    assert codes("".join(filter(has_letter, text))) == codes(text)


@LAW
@given(TEXTS, TEXTS)
def test_a_text_is_read_letter_by_letter(left: str, right: str) -> None:
    assert codes(left + right) == codes(left) + codes(right)


@LAW
@given(TEXTS)
def test_every_token_is_one_letter_or_digit_of_the_text(text: str) -> None:
    stream = read_prose(undisguised(text))

    assert (stream.stops - stream.starts == 1).all()
    assert (np.diff(stream.starts) >= 0).all()
    assert sorted(set(stream.starts.tolist())) == [
        number for number, character in enumerate(text) if has_letter(character)
    ]


@pytest.mark.parametrize(
    ("text", "plain", "expected"),
    [
        ("Straße.", "strasse", [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (4, 5), (5, 6)]),
        ("ﬁn", "fin", [(0, 1), (0, 1), (1, 2)]),
        ("né", "ne", [(0, 1), (1, 2)]),
        ("ne\u0301 n", "nen", [(0, 1), (1, 2), (4, 5)]),
        ("½ x²", "12x2", [(0, 1), (0, 1), (2, 3), (3, 4)]),
        ("漢 字", "漢字", [(0, 1), (2, 3)]),
        ("\U0001f600\U0001d54f1", "x1", [(1, 2), (2, 3)]),
        ("\ufeffa\r\nb", "ab", [(1, 2), (4, 5)]),
        ("I\u0131\u0130", "iii", [(0, 1), (1, 2), (2, 3)]),
    ],
)
def test_ranges_are_exact(text: str, plain: str, expected: list[tuple[int, int]]) -> None:
    assert codes(text) == codes(plain)
    assert ranges(text) == expected


@pytest.mark.parametrize("text", ["", " \r\n", "...", "\U0001f600", "\ud800"])
def test_a_text_without_letters_has_no_tokens(text: str) -> None:
    stream = read_prose(undisguised(text))

    assert len(stream) == 0
    assert stream.codes.dtype == np.uint64
    assert stream.starts.dtype == np.int32


def test_a_letter_is_not_a_symbol_of_code() -> None:
    text = "i f a 1"

    assert not set(codes(text)) & set(read_plain(undisguised(text)).codes.tolist())
