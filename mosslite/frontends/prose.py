"""The prose front-end: letters and digits, whatever their case, accents and what stands between.

This is property 1 of SIGMOD 2003, section 2.1, as in its Figure 1: white space, punctuation and
capitals do not matter, so a token is one letter or digit.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from mosslite.columns import TokenKind
from mosslite.frontends.symbols import code_of
from mosslite.frontends.text import Symbols, token_stream

if TYPE_CHECKING:
    from mosslite.columns import TokenStream
    from mosslite.frontends.text import Source

__all__ = ["read_prose"]


def read_prose(source: Source) -> TokenStream:
    """Return one token for each letter and digit; a ligature gives one for each of its letters."""
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
        wordings=column,
        kinds=np.full(len(column), TokenKind.CONTENT, np.uint8),
        starts=starts,
        stops=starts + 1,
        is_reached=np.ones(len(column), np.bool_),
    )
    return token_stream(source, symbols)


@cache
def _codes_of_character(character: str) -> tuple[int, ...]:
    # By way of capitals, or the Turkish dotless i would be apart from its own.
    folded = unicodedata.normalize("NFKD", character).upper().casefold()
    return tuple(code_of("letter " + letter) for letter in folded if letter.isalnum())
