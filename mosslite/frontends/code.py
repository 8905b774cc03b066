"""The code front-end: any Pygments lexer, without what a copier can change freely."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.statements import annotations_in, imports_in
from mosslite.frontends.symbols import CONTINUATION, STRING, Piece, pieces_of
from mosslite.frontends.text import normalize_line_ends, token_stream
from mosslite.languages import lexer_of
from mosslite.spans import line_starts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

    from mosslite.languages import Language
    from mosslite.model import TokenStream

__all__ = ["lex", "read_code"]


def read_code(text: str, language: Language) -> TokenStream:
    """Tokenize ``text`` by the language's lexer; ``symbols`` says what counts as equal.

    Raises:
        Exception: Whatever the lexer raises; lexers promise nothing.
    """
    source, origin = normalize_line_ends(text)
    codes, starts, stops = _merge_strings(*_symbols(source, language))
    goes_on = codes == np.uint64(CONTINUATION)
    lines = np.searchsorted(line_starts(source), starts, side="right")
    begins_line = np.diff(lines, prepend=0) > 0
    begins_line[1:] &= ~goes_on[:-1]
    is_free = goes_on | imports_in(codes, begins_line, language.name)
    if language.name == "python":
        is_free |= annotations_in(codes, begins_line)
    return token_stream(text, codes[~is_free], starts[~is_free], stops[~is_free], origin=origin)


def lex(lexer: Lexer, source: str) -> Iterator[tuple[int, _TokenType, str]]:
    """Give a lexer's tokens with the true offset of each, in order of their place.

    The offsets of lexers that combine others may be off, but the texts of their tokens follow
    each other without a gap. A token that stands neither behind the one before it nor where the
    lexer says is made up or given twice, and left out.
    """
    padded, stop = source + "\n", 0  # many lexers need the last line to end
    for offset, kind, value in lexer.get_tokens_unprocessed(padded):
        start = stop if padded.startswith(value, stop) else offset
        if start >= stop and padded.startswith(value, start):
            stop = start + len(value)
            yield start, kind, value[: len(source) - start]


def _symbols(
    source: str, language: Language
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """Give the code, start and stop of every symbol."""
    known: dict[tuple[_TokenType, str], tuple[Piece, ...]] = {}
    codes, starts, stops = [], [], []
    for start, kind, value in lex(lexer_of(language), source):
        pieces = known.get((kind, value))
        if pieces is None:
            pieces = known[kind, value] = pieces_of(kind, value, language)
        for offset, length, code in pieces:
            codes.append(code)
            starts.append(start + offset)
            stops.append(start + offset + length)
    return np.array(codes, np.uint64), np.array(starts, np.int64), np.array(stops, np.int64)


def _merge_strings(
    codes: NDArray[np.uint64], starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """Make one symbol of a string's quotes, text and escapes, and of strings side by side."""
    is_string = codes == np.uint64(STRING)
    goes_on = np.zeros(len(codes) + 1, np.bool_)
    goes_on[1:-1] = is_string[1:] & is_string[:-1]
    return codes[~goes_on[:-1]], starts[~goes_on[:-1]], stops[~goes_on[1:]]
