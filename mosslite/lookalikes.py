"""Tables of confusable characters: invisible ones, and those that look like ASCII.

The tables follow the Unicode character database (``DerivedCoreProperties``, ``UnicodeData``) and
the glyphs of common fonts; they were compiled by hand and contain only letters that are easily
mistaken for ASCII letters.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

# Soft hyphen, grapheme joiner, Mongolian separator, zero width space, joiners, invisible
# operators, shaping controls, the byte order mark, annotations, tags. Variation selectors are
# not included: they select the form of a visible character.
_ZERO_WIDTH: Final = (
    "\u00ad\u034f\u180e\u200b\u200c\u200d\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0001\U000e0020-\U000e007f"
)
# Arabic letter mark, marks, embeddings and overrides, isolates.
BIDIRECTIONAL: Final = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# Characters that change the display order regardless of the letters.
OVERRIDES: Final = "\u202d\u202e"
# A run of invisible characters.
HIDDEN: Final = re.compile(f"[{_ZERO_WIDTH}{BIDIRECTIONAL}]+")

# For each ASCII letter its look-alikes in most fonts, in Greek, Cyrillic, Armenian, Cherokee,
# Coptic and Lisu, and two phonetic letters.
_SAME: Final = {
    "A": "0391 0410 13AA A4EE",
    "B": "0392 0412 13F4 2C82 A4D0",
    "C": "03F9 0421 13DF 2CA4 A4DA",
    "D": "13A0 A4D3",
    "E": "0395 0415 13AC A4F0",
    "F": "A4DD",
    "G": "050C 13C0 13F3 A4D6",
    "H": "0397 041D 13BB 2C8E A4E7",
    "I": "0399 0406 04C0 2C92 A4F2",
    "J": "037F 0408 13AB A4D9",
    "K": "039A 041A 13E6 2C94 A4D7",
    "L": "053C 13DE A4E1",
    "M": "039C 041C 13B7 2C98 A4DF",
    "N": "039D 2C9A A4E0",
    "O": "039F 041E 0555 2C9E A4F3",
    "P": "03A1 0420 13E2 2CA2 A4D1",
    "Q": "051A",
    "R": "13A1 13D2 A4E3",
    "S": "0405 054F 13D5 13DA A4E2",
    "T": "03A4 0422 13A2 2CA6 A4D4",
    "U": "054D A4F4",
    "V": "0474 13D9 A4E6",
    "W": "051C 13B3 13D4 A4EA",
    "X": "03A7 0425 2CAC A4EB",
    "Y": "03A5 0423 04AE 13BD 2CA8 A4EC",
    "Z": "0396 13C3 A4DC",
    "a": "0251 0430",
    "b": "13CF",
    "c": "03F2 0441 2CA5",
    "d": "0501 13E7",
    "e": "0435",
    "g": "0261 0581",
    "h": "04BB 0570",
    "i": "0456 13A5",
    "j": "03F3 0458",
    "l": "04CF",
    "n": "0578",
    "o": "03BF 043E 0585 2C9F",
    "p": "0440 2CA3",
    "q": "051B 0566",
    "s": "0455",
    "u": "057D",
    "v": "0475",
    "w": "051D",
    "x": "0445",
    "y": "0443 04AF",
}
# Greek letters that are similar enough to mislead, but common in honest formulas.
_NEAR: Final = {
    "a": "03B1",
    "i": "03B9",
    "k": "03BA",
    "p": "03C1",
    "u": "03C5",
    "v": "03BD",
    "x": "03C7",
    "y": "03B3",
}

# Unicode's variants of ASCII letters and digits: long s, letter-like symbols and Roman numerals,
# full-width forms, mathematical alphabets, segmented digits.
_WIDE_RANGES: Final = (
    range(0x017F, 0x0180),
    range(0x2100, 0x2180),
    range(0xFE33, 0xFF5B),
    range(0x1D400, 0x1D800),
    range(0x1FBF0, 0x1FBFA),
)

# Full-width and other underscores: part of identifiers, but not matched by ``\w``.
_WIDE_UNDERSCORES: Final = "\ufe33\ufe34\ufe4d-\ufe4f\uff3f"
# A word that is not all ASCII; the look-behind makes the search linear.
UNUSUAL_WORD: Final = re.compile(
    rf"(?<![\w{_WIDE_UNDERSCORES}])[0-9A-Za-z_]*+(?:[^\x00-\x7f\W]|[{_WIDE_UNDERSCORES}])"
    rf"[\w{_WIDE_UNDERSCORES}]*"
)


_LATIN: Final = re.compile("[A-Za-z]")


def _all_of(table: Mapping[str, str]) -> str:
    return "".join(chr(int(code, 16)) for codes in table.values() for code in codes.split())


# Any character in these tables or near one: text without any contains no disguise.
ODD: Final = re.compile(
    f"[{_ZERO_WIDTH}{BIDIRECTIONAL}{_all_of(_SAME)}{_all_of(_NEAR)}"
    + "".join(f"{chr(each.start)}-{chr(each.stop - 1)}" for each in _WIDE_RANGES)
    + "]"
)


@cache
def homoglyphs() -> Mapping[int, str]:
    """Map letters of other scripts to the ASCII letters that look the same."""
    return _by_code_point(_SAME)


@cache
def symbols_like_letters() -> Mapping[int, str]:
    """Return the letters that resemble an ASCII letter but usually occur legitimately."""
    return _by_code_point(_NEAR)


@cache
def wide_letters() -> Mapping[int, str]:
    """Map ASCII letters, digits and underscores of other widths or styles to ASCII."""
    plain = {
        code: unicodedata.normalize("NFKC", chr(code)) for each in _WIDE_RANGES for code in each
    }
    return {code: to for code, to in plain.items() if re.fullmatch("[0-9A-Za-z_]", to)}


def unmasked(text: str) -> str:
    """Replace wide letters, and homoglyphs in words that are not in another script.

    A word is not in another script if it mixes ASCII letters with look-alikes only, or if the text
    has no other word in that script.
    """
    text = text.translate(wide_letters())
    letters = letters_in(text)
    return UNUSUAL_WORD.sub(lambda found: _plain_word(found.group(), letters), text)


class Letters(NamedTuple):
    """Characters of a text by script.

    Attributes:
        foreign: Letters that neither are Latin nor look Latin.
        honest: All letters of scripts with genuine words in the text.
    """

    foreign: frozenset[str]
    honest: frozenset[str]


def letters_in(text: str) -> Letters:
    """Return the letters of a text; each distinct character is looked up once."""
    distinct = set(text)
    foreign = frozenset(filter(is_of_another_script, distinct))
    scripts = set(map(script_of, foreign))
    return Letters(foreign, frozenset(each for each in distinct if script_of(each) in scripts))


def is_of_another_script(character: str) -> bool:
    """Return whether a letter neither is Latin nor looks Latin."""
    code = ord(character)
    is_known = code in homoglyphs() or code in symbols_like_letters() or code in wide_letters()
    is_other = not character.isascii() and character.isalpha() and not is_known
    return is_other and script_of(character) != "LATIN"


def script_of(character: str) -> str:
    """Return the first word of the character's name, which names a letter's script."""
    return unicodedata.name(character, "").partition(" ")[0]


def _plain_word(word: str, letters: Letters) -> str:
    if not letters.foreign.isdisjoint(word):
        return word
    if _LATIN.search(word):
        return word.translate(homoglyphs()).translate(symbols_like_letters())
    return word.translate(homoglyphs()) if letters.honest.isdisjoint(word) else word


def _by_code_point(table: Mapping[str, str]) -> Mapping[int, str]:
    return {int(code, 16): letter for letter, codes in table.items() for code in codes.split()}
