"""The code front-end: any Pygments lexer, without what a copier can change freely."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.colours import colours_of
from mosslite.frontends.deadline import listed
from mosslite.frontends.disguises import disguises_in
from mosslite.frontends.driver import fast_tokens
from mosslite.frontends.reach import Words, reached_in
from mosslite.frontends.reading import Reading
from mosslite.frontends.rewrites import rewritten
from mosslite.frontends.statements import (
    annotations_in,
    depths_of,
    imports_in,
    lone_strings_in,
    selves_in,
)
from mosslite.frontends.symbols import (
    CONTINUATION,
    NAME,
    STRING,
    is_code,
    kinds_of,
    pieces_of,
)
from mosslite.frontends.text import Symbols, source_of, token_stream
from mosslite.frontends.traces import traces_of_code
from mosslite.languages import lexer_of
from mosslite.spans import covered, line_starts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

    from mosslite.frontends.symbols import Piece
    from mosslite.frontends.text import Source
    from mosslite.languages import Language

    _Token = tuple[int, _TokenType, str]

__all__ = ["lex", "read_code"]


def read_code(text: str, language: Language, seconds: float | None = None) -> Reading:
    """Tokenize ``text`` by the language's lexer; ``symbols`` says what counts as equal.

    Raises:
        Exception: Whatever the lexer raises, as lexers promise nothing; ``TooSlowError`` where
            it takes more than so many seconds.
    """
    source = source_of(text)
    tokens = listed(lex(lexer_of(language), source.text), seconds)
    symbols = _own_symbols(source.text, tokens, language)
    return Reading(
        token_stream(source, symbols, kinds=kinds_of(symbols.codes)),
        traces_of_code(source, tokens),
        is_degraded=False,
        disguises=disguises_in(source, _code_in(source, tokens, language)) if source.is_odd else (),
        colours=colours_of(source, tokens),
    )


def lex(lexer: Lexer, source: str) -> Iterator[_Token]:
    """Give a lexer's tokens with the true offset of each, in order of their place.

    The offsets of lexers that combine others may be off, but the texts of their tokens follow
    each other without a gap. A token that stands neither behind the one before it nor where the
    lexer says is made up or given twice, and left out.
    """
    padded, stop = source + "\n", 0  # many lexers need the last line to end
    for offset, kind, value in fast_tokens(lexer, padded):
        start = stop if padded.startswith(value, stop) else offset
        if start >= stop and padded.startswith(value, start):
            stop = start + len(value)
            yield start, kind, value[: len(source) - start]


def _own_symbols(text: str, tokens: Iterable[_Token], language: Language) -> Symbols:
    """Give the symbols that tell works apart, in the form that they are compared in."""
    symbols = _symbols(tokens, language)
    goes_on = symbols.codes == np.uint64(CONTINUATION)
    # A line that begins behind a backslash and a line end is a part of the one before.
    line_begins = np.setdiff1d(line_starts(text), symbols.starts[goes_on] + len("\\\n"))
    symbols = _merge_strings(symbols.where(~goes_on))
    lines = np.searchsorted(line_begins, symbols.starts, side="right")
    begins_line = np.diff(lines, prepend=0) > 0
    indents = np.where(begins_line, symbols.starts - line_begins[lines - 1], -1)
    is_free = imports_in(symbols.codes, begins_line, language.name)
    is_python = language.name == "python"
    if is_python:
        is_free |= annotations_in(symbols.codes, begins_line)
        is_free |= lone_strings_in(symbols.codes, begins_line)
        is_free |= selves_in(symbols.codes, symbols.wordings, indents)
    is_reached = _reached_in(text, symbols, indents, is_python=is_python)
    return rewritten(symbols._replace(is_reached=is_reached).where(~is_free), language.name)


def _code_in(source: Source, tokens: Iterable[_Token], language: Language) -> NDArray[np.bool_]:
    of_code = [
        (start, start + len(value)) for start, kind, value in tokens if is_code(kind, language.name)
    ]
    starts, stops = np.array(of_code, np.int64).reshape(-1, 2).T
    return covered(starts, stops, len(source.text))


def _reached_in(
    source: str, symbols: Symbols, indents: NDArray[np.int64], *, is_python: bool
) -> NDArray[np.bool_]:
    depths = depths_of(symbols.codes)
    starts = symbols.starts.tolist()
    ranges = zip(starts, symbols.stops.tolist(), strict=True)
    begins = np.flatnonzero(indents >= 0).tolist()
    words = Words(
        texts=[source[start:stop].rpartition("::")[2] for start, stop in ranges],
        is_name=(symbols.codes == np.uint64(NAME)).tolist(),
        indents=np.where(depths == 0, indents, -1).tolist(),
        decorated=frozenset(at for at in begins if _is_decorated(source, starts[at])),
    )
    return reached_in(words, is_python=is_python)


def _is_decorated(source: str, start: int) -> bool:
    """Tell whether the line above the one that a token begins is a decorator."""
    line = source.rfind("\n", 0, start)
    return source[source.rfind("\n", 0, max(line, 0)) + 1 : max(line, 0)].lstrip()[:1] == "@"


def _symbols(tokens: Iterable[_Token], language: Language) -> Symbols:
    """Give the symbols of all tokens; equal tokens are looked at once."""
    pieces: list[Piece] = []
    known: dict[tuple[_TokenType, str], range] = {}
    starts, numbers = [], []
    for start, kind, value in tokens:
        of_token = known.get((kind, value))
        if of_token is None:
            first = len(pieces)
            pieces += pieces_of(kind, value, language)
            of_token = known[kind, value] = range(first, len(pieces))
        for number in of_token:
            numbers.append(number)
            starts.append(start)
    chosen = np.array(numbers, np.int64)
    offsets = np.array([piece.offset for piece in pieces], np.int64)[chosen] + starts
    return Symbols(
        codes=np.array([piece.code for piece in pieces], np.uint64)[chosen],
        wordings=np.array([piece.wording for piece in pieces], np.uint64)[chosen],
        starts=offsets,
        stops=offsets + np.array([piece.length for piece in pieces], np.int64)[chosen],
        is_reached=np.ones(len(offsets), np.bool_),
    )


def _merge_strings(symbols: Symbols) -> Symbols:
    """Make one symbol of a string's quotes, text and escapes, and of strings side by side."""
    is_string = symbols.codes == np.uint64(STRING)
    goes_on = np.zeros(len(is_string) + 1, np.bool_)
    goes_on[1:-1] = is_string[1:] & is_string[:-1]
    firsts = np.flatnonzero(~goes_on[:-1])
    # A sum modulo 2^64 stands for the wording of all pieces.
    wordings = np.add.reduceat(symbols.wordings, firsts) if len(firsts) else symbols.wordings
    return Symbols(
        codes=symbols.codes[firsts],
        wordings=wordings,
        starts=symbols.starts[firsts],
        stops=symbols.stops[~goes_on[1:]],
        is_reached=symbols.is_reached[firsts],
    )
