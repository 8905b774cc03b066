"""Finds statements and parts of them that a copier can add, drop or change freely."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.symbols import IMPORT, NAME, code_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["annotations_in", "imports_in"]

_OPEN = np.array([code_of(sign) for sign in "([{"], np.uint64)
_CLOSE = np.array([code_of(sign) for sign in ")]}"], np.uint64)
_COLON, _COMMA, _EQUALS, _SEMICOLON, _DOT = (code_of(sign) for sign in ":,=;.")
_DEF, _CLOSING, _MINUS, _GREATER = (code_of(symbol) for symbol in ("def", ")", "-", ">"))


def imports_in(codes: NDArray[np.uint64], lines: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark import statements: up to a semicolon, or to the end of a line outside brackets.

    Args:
        codes: ``(n,) uint64``.
        lines: ``(n,) int64``, the line of each.

    Returns:
        ``(n,) bool``.
    """
    is_import = np.zeros(len(codes), np.bool_)
    openers = np.flatnonzero(codes == np.uint64(IMPORT)).tolist()
    symbols, depths, line_of = codes.tolist(), _depths(codes).tolist(), lines.tolist()
    for first in openers:
        stop = first + 1
        while stop < len(symbols) and symbols[stop - 1] != _SEMICOLON:
            if line_of[stop] != line_of[stop - 1] and depths[stop] <= depths[first]:
                break
            stop += 1
        is_import[first:stop] = True
    return is_import


def annotations_in(codes: NDArray[np.uint64], lines: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark Python's type annotations: of parameters, of results and of variables.

    Args:
        codes: ``(n,) uint64``.
        lines: ``(n,) int64``, the line of each.

    Returns:
        ``(n,) bool``.
    """
    symbols, depths = codes.tolist(), _depths(codes).tolist()
    starts_line = np.flatnonzero(np.diff(lines, prepend=0)).tolist()
    is_annotation = np.zeros(len(codes), np.bool_)
    for start in (*_of_parameters(symbols, depths), *_of_variables(symbols, depths, starts_line)):
        stop = _next(symbols, depths, start, (_COMMA, _EQUALS))
        line_end = starts_line[bisect_right(starts_line, start) :][:1]
        if depths[start] == 0 and line_end:
            stop = min(stop, line_end[0])
        is_annotation[start:stop] = True
    for start in _of_results(symbols):
        is_annotation[start : _next(symbols, depths, start, (_COLON,))] = True
    return is_annotation


def _of_parameters(symbols: list[int], depths: list[int]) -> Iterator[int]:
    """Give the colons between ``def name(`` and its closing bracket that follow a name."""
    for first in (i for i, symbol in enumerate(symbols) if symbol == _DEF):
        opening = first + 2
        stop = _next(symbols, depths, opening + 1, ())
        is_default = False
        for index in range(opening + 1, stop):
            if depths[index] == depths[opening] + 1:
                if symbols[index] == _COLON and not is_default:
                    yield index
                is_default = symbols[index] == _EQUALS or (is_default and symbols[index] != _COMMA)


def _of_variables(symbols: list[int], depths: list[int], starts_line: list[int]) -> Iterator[int]:
    """Give the colons after a dotted name that begins a line outside brackets."""
    for index in starts_line:
        colon = index + 1
        while symbols[colon : colon + 2] == [_DOT, NAME]:
            colon += 2
        if symbols[index] == NAME and depths[index] == 0 and symbols[colon : colon + 1] == [_COLON]:
            yield colon


def _of_results(symbols: list[int]) -> Iterator[int]:
    """Give the arrows after a closing bracket."""
    for index in range(1, len(symbols) - 1):
        if symbols[index - 1 : index + 2] == [_CLOSING, _MINUS, _GREATER]:
            yield index


def _next(symbols: list[int], depths: list[int], start: int, signs: tuple[int, ...]) -> int:
    """Find the first of ``signs`` behind ``start`` at its depth, or where its bracket ends."""
    stop = start
    while stop < len(symbols) and depths[stop] >= depths[start]:
        if stop > start and depths[stop] == depths[start] and symbols[stop] in signs:
            break
        stop += 1
    return stop


def _depths(codes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Count the brackets open around each token; a bracket stands outside itself."""
    is_open, is_close = np.isin(codes, _OPEN), np.isin(codes, _CLOSE)
    return np.cumsum(is_open.astype(np.int64) - is_close) - is_open
