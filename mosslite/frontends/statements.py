"""Finds statements and parts of them that a copier can add, drop or change freely."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.frontends.symbols import IMPORT, NAME, STRING, code_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["annotations_in", "depths_of", "imports_in", "lone_strings_in", "selves_in"]

# The words that begin an import where the lexer does not tell them from other keywords.
_IMPORT_WORDS = {
    "cpp": "using",
    "csharp": "using",
    "d": "import",
    "dart": "import",
    "delphi": "uses",
    "fortran": "use",
    "fortranfixed": "use",
    "fsharp": "open",
    "haskell": "import",
    "javascript": "import",
    "julia": "import using",
    "kotlin": "import package",
    "modula2": "FROM IMPORT",
    "ocaml": "open",
    "php": "use",
    "rust": "use",
    "scala": "import",
    "sml": "open",
    "swift": "import",
    "typescript": "import",
    "vb.net": "imports",
    "vhdl": "library use",
}

_OPEN = np.array([code_of(sign) for sign in "([{"], np.uint64)
_CLOSE = np.array([code_of(sign) for sign in ")]}"], np.uint64)
_BEFORE_STATEMENT = np.array([code_of(sign) for sign in ";:{}"], np.uint64)
_COLON, _COMMA, _DOT, _EQUALS, _MINUS, _SEMICOLON = (code_of(sign) for sign in ":,.=-;")
_DEF, _SELF = code_of("def"), code_of("self")
# Behind the word, they say that it is something else.
_NO_IMPORT = ([code_of("(")], [code_of(":")])


class _Tokens(NamedTuple):
    """The symbols of a file, how many brackets are around each, and which end the line before."""

    symbols: list[int]
    depths: list[int]
    ends_line: list[bool]


def imports_in(
    codes: NDArray[np.uint64], begins_line: NDArray[np.bool_], language: str
) -> NDArray[np.bool_]:
    """Mark import statements: up to a semicolon, or to the end of a line outside brackets.

    Args:
        codes: ``(n,) uint64``.
        begins_line: ``(n,) bool``, the first tokens of lines that do not go on another.
        language: Its canonical name.

    Returns:
        ``(n,) bool``.
    """
    words = [IMPORT, *(code_of(word) for word in _IMPORT_WORDS.get(language, "").split())]
    begins_statement = begins_line.copy()
    begins_statement[1:] |= np.isin(codes[:-1], _BEFORE_STATEMENT)
    tokens, stop = _tokens(codes, begins_line), 0
    is_import = np.zeros(len(codes), np.bool_)
    for first in np.flatnonzero(np.isin(codes, words) & begins_statement).tolist():
        if first >= stop:
            stop = _end(tokens, first, _SEMICOLON)
            stop += tokens.symbols[stop : stop + 1] == [_SEMICOLON]
            is_import[first:stop] = _is_import(tokens, first, stop)
    return is_import


def annotations_in(codes: NDArray[np.uint64], begins_line: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark Python's type annotations: of parameters, of results and of variables.

    Args:
        codes: ``(n,) uint64``.
        begins_line: ``(n,) bool``, the first tokens of lines that do not go on another.

    Returns:
        ``(n,) bool``.
    """
    tokens = _tokens(codes, begins_line)
    is_annotation = np.zeros(len(codes), np.bool_)
    is_annotation[[*_of_functions(tokens), *_of_variables(tokens)]] = True
    return is_annotation


def lone_strings_in(codes: NDArray[np.uint64], begins_line: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark strings that are all of a line outside brackets, as Python's short docstrings are.

    Args:
        codes: ``(n,) uint64``.
        begins_line: ``(n,) bool``, the first tokens of lines that do not go on another.

    Returns:
        ``(n,) bool``.
    """
    is_lone: NDArray[np.bool_] = (
        begins_line & (codes == np.uint64(STRING)) & (depths_of(codes) == 0)
    )
    is_lone[:-1] &= begins_line[1:]
    return is_lone


def selves_in(
    codes: NDArray[np.uint64], wordings: NDArray[np.uint64], indents: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Mark ``self.`` in Python's methods, whatever the first parameter is called.

    Args:
        codes: ``(n,) uint64``.
        wordings: ``(n,) uint64``.
        indents: ``(n,)``, how far the line that a token begins is indented, else -1.

    Returns:
        ``(n,) bool``.
    """
    is_self: NDArray[np.bool_] = wordings == np.uint64(_SELF)
    definitions = np.flatnonzero(codes[:-3] == np.uint64(_DEF)).tolist()
    for first, stop in pairwise([*definitions, len(codes)]):
        if indents[first] != 0 and codes[first + 3] == np.uint64(NAME):
            body = slice(first + 4, stop)
            is_self[body] |= wordings[body] == wordings[first + 3]
    is_self[:-1] &= codes[1:] == np.uint64(_DOT)
    is_self[-1:] = False
    is_self[1:] |= is_self[:-1].copy()
    return is_self


def _is_import(tokens: _Tokens, first: int, stop: int) -> bool:
    """Tell an import from what begins like one: ``using (a)``, ``using a = b``, ``{import: 1}``."""
    symbols, depths = tokens.symbols, tokens.depths
    is_given = any(
        symbols[index] == _EQUALS and depths[index] == depths[first] for index in range(first, stop)
    )
    is_list = symbols[first] == IMPORT  # as in Go's ``import ("fmt")``
    return not is_given and (is_list or symbols[first + 1 : first + 2] not in _NO_IMPORT)


def _of_functions(tokens: _Tokens) -> Iterator[int]:
    """Give the tokens between ``def`` and its colon that annotate parameters or the result."""
    symbols, depths, stop = tokens.symbols, tokens.depths, 0
    for first in (index for index, symbol in enumerate(symbols) if symbol == _DEF):
        if first >= stop:
            stop = _end(tokens, first, _COLON)
            arrow = first
            while arrow < stop and (symbols[arrow] != _MINUS or depths[arrow] != depths[first]):
                arrow += 1
            yield from _of_parameters(tokens, first, arrow)
            yield from range(arrow, stop)


def _of_parameters(tokens: _Tokens, first: int, stop: int) -> Iterator[int]:
    """Give the tokens from the colon behind a parameter to its default or the comma."""
    is_annotation = is_default = False
    for index in range(first, stop):
        symbol, depth = tokens.symbols[index], tokens.depths[index] - tokens.depths[first]
        if depth == 0 or (depth == 1 and symbol == _COMMA):
            is_annotation = is_default = False
        elif depth == 1 and symbol == _EQUALS:
            is_annotation, is_default = False, True
        elif depth == 1 and symbol == _COLON:
            is_annotation = not is_default  # in a default, the colon of a lambda
        if is_annotation:
            yield index


def _of_variables(tokens: _Tokens) -> Iterator[int]:
    """Give the tokens from the colon behind a dotted name that begins a line to its value."""
    symbols = tokens.symbols
    for index, ends_line in enumerate(tokens.ends_line):
        if ends_line and symbols[index] == NAME and tokens.depths[index] == 0:
            colon = index + 1
            while symbols[colon : colon + 2] == [_DOT, NAME]:
                colon += 2
            if symbols[colon : colon + 1] == [_COLON]:
                yield from range(colon, _end(tokens, colon, _EQUALS))


def _end(tokens: _Tokens, start: int, sign: int) -> int:
    """Find the first ``sign``, semicolon or new line outside the brackets behind ``start``."""
    symbols, depths, ends_line = tokens
    for index in range(start + 1, len(symbols)):
        is_outside = depths[index] == depths[start] and (symbols[index] == sign or ends_line[index])
        if is_outside or depths[index] < depths[start] or symbols[index] == _SEMICOLON:
            return index
    return len(symbols)


def _tokens(codes: NDArray[np.uint64], begins_line: NDArray[np.bool_]) -> _Tokens:
    ends_line = begins_line & ~np.isin(codes, _CLOSE)  # ``)`` ends the line of its ``(``
    return _Tokens(codes.tolist(), depths_of(codes).tolist(), ends_line.tolist())


def depths_of(codes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Count the brackets open around each token; a bracket without its partner counts nothing."""
    opened: list[int] = []
    steps = np.zeros(len(codes) + 1, np.int64)
    is_open = np.isin(codes, _OPEN)
    for index in np.flatnonzero(is_open | np.isin(codes, _CLOSE)).tolist():
        if is_open[index]:
            opened.append(index)
        elif opened:
            steps[opened.pop() + 1] += 1
            steps[index] -= 1
    return np.cumsum(steps[:-1])
