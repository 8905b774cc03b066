"""Front-ends without a lexer: prose, and the fallback for text that no lexer can read."""

import re
import unicodedata
from array import array
from functools import cache
from typing import Final

import numpy as np

from mosslite.frontends.symbols import NAME, NUMBER, STRING, code_of, kinds_of
from mosslite.frontends.text import Source, Symbols, token_stream
from mosslite.records import TokenKind, TokenStream

# Strings are within one line.
_TOKEN: Final = re.compile(
    r"""(?P<string>"[^"\n]*+"|'[^'\n]*+') | (?P<number>\d\w*+) | (?P<name>\w++) | \S""",
    re.VERBOSE,
)
_CODES: Final = {"string": STRING, "number": NUMBER, "name": NAME}


def read_plain(source: Source) -> TokenStream:
    """Split any text into tokens of the same kinds as code, independent of its language."""
    codes, lexemes, places = array("Q"), array("Q"), array("q")
    for found in _TOKEN.finditer(source.text):
        lexeme = code_of(found[0])
        codes.append(_CODES.get(found.lastgroup or "", lexeme))
        lexemes.append(lexeme)
        places.extend(found.span())
    starts, stops = np.array(places, np.int64).reshape(-1, 2).T
    column = np.array(codes, np.uint64)
    kinds = kinds_of(column)
    return token_stream(source, Symbols(column, np.array(lexemes), kinds, starts, stops))


def read_prose(source: Source) -> TokenStream:
    """Return a token for each letter and digit; a ligature yields one for each of its letters."""
    characters = np.frombuffer(source.text.encode("utf-32-le", "surrogatepass"), np.uint32)
    alphabet, letters = np.unique(characters, return_inverse=True)
    codes = [_codes_of_character(chr(character)) for character in alphabet.tolist()]
    counts = np.array([len(folded) for folded in codes], np.int64)
    firsts = np.cumsum(counts) - counts
    starts = np.repeat(np.arange(len(characters)), counts[letters])
    ends = np.cumsum(counts[letters])
    within = np.arange(len(starts)) - np.repeat(ends - counts[letters], counts[letters])
    flat = np.array([code for folded in codes for code in folded], np.uint64)
    column = flat[firsts[letters[starts]] + within]
    symbols = Symbols(
        codes=column,
        lexemes=column,
        kinds=np.full(len(column), TokenKind.CONTENT, np.uint8),
        starts=starts,
        stops=starts + 1,
    )
    return token_stream(source, symbols)


@cache
def _codes_of_character(character: str) -> tuple[int, ...]:
    # Upper-casing first, as otherwise the Turkish dotless i would differ from its own capital.
    folded = unicodedata.normalize("NFKD", character).upper().casefold()
    letters = [letter for letter in folded if letter.isalnum()]
    # A phrase can be one character of 18 letters: no file has more letters than bytes.
    most = len(character.encode("utf-8", "surrogatepass"))
    return tuple(code_of("letter " + letter) for letter in letters[:most])
