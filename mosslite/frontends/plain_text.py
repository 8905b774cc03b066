"""Front-ends without a lexer: prose, and the fallback for text that no lexer can read."""

import re
import unicodedata
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends.symbols import NAME, NUMBER, STRING, code_of, kinds_of
from mosslite.frontends.text import Source, Symbols, characters_where, token_stream
from mosslite.records import TokenKind, TokenStream

# Within one line. No other token contains quotes, so strings can be searched separately.
_STRING: Final = re.compile(r""""[^"\n]*+"|'[^'\n]*+'""")


def read_plain(source: Source) -> TokenStream:
    """Split any text into tokens of the same kinds as code, independent of its language."""
    strings = _strings_in(source.text)
    is_word, is_sign = _words_and_signs(source, strings)
    begins, ends = _ends_of_runs(is_word)
    begins[strings[:, 0]] = ends[strings[:, 1] - 1] = True
    starts, stops = np.flatnonzero(begins | is_sign), np.flatnonzero(ends | is_sign) + 1
    lexemes = _lexeme_hashes(source, starts, stops)
    is_number = characters_where(source.characters, str.isdecimal)[starts]
    codes = np.where(is_number, np.uint64(NUMBER), np.uint64(NAME))
    codes = np.where(is_sign[starts], lexemes, codes)
    codes[np.searchsorted(starts, strings[:, 0])] = STRING
    symbols = Symbols(
        codes=codes,
        lexemes=lexemes,
        kinds=kinds_of(codes),
        starts=starts,
        stops=stops,
    )
    return token_stream(source, symbols)


def _strings_in(text: str) -> NDArray[np.int64]:
    """Return the ranges of strings, ``(m, 2) int64``."""
    places = (place for found in _STRING.finditer(text) for place in found.span())
    return np.fromiter(places, np.int64).reshape(-1, 2)


def _words_and_signs(
    source: Source, strings: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which characters outside of strings are parts of words, and which are punctuation."""
    steps = np.zeros(len(source.text) + 1, np.int8)
    steps[strings[:, 0]] = 1
    steps[strings[:, 1]] -= 1  # another string may start there
    is_outside = np.cumsum(steps[:-1], dtype=np.int8) == 0
    is_word = characters_where(source.characters, _is_of_word)
    is_blank = characters_where(source.characters, str.isspace)
    return is_word & is_outside, ~is_word & ~is_blank & is_outside


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _ends_of_runs(mask: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the first and the last elements of runs of True."""
    first, last = mask.copy(), mask.copy()
    first[1:] &= ~mask[:-1]
    last[:-1] &= ~mask[1:]
    return first, last


def _lexeme_hashes(
    source: Source, starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return the codes of the tokens' text."""
    lexemes = np.zeros(len(starts), np.uint64)
    is_single = stops - starts == 1
    alphabet, letters = np.unique(source.characters[starts[is_single]], return_inverse=True)
    of_alphabet = np.array([code_of(chr(each)) for each in alphabet.tolist()], np.uint64)
    lexemes[is_single] = of_alphabet[letters]
    text, long = source.text, np.flatnonzero(~is_single)
    places = zip(starts[long].tolist(), stops[long].tolist(), strict=True)
    codes = (code_of(text[start:stop]) for start, stop in places)
    lexemes[long] = np.fromiter(codes, np.uint64, len(long))
    return lexemes


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
