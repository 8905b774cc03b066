"""A source file as lines of pieces, each of one look, and its places in lines and columns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from mosslite.report.syntax import COMMENT, SYNTAX_CLASSES, syntax_of
from mosslite.spans import covered, line_starts, ranges_of
from mosslite.visible import HIDDEN_RUN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mosslite.model import Document

__all__ = ["Canvas", "Line", "Piece", "Span", "canvas_of", "lines_of", "span_of"]

_LAST_OF_ONE_UNIT = 0xFFFF


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """What is the same about a document in every pair it is in; ``n`` is its length.

    Attributes:
        lines: ``(m, 2) int64``, the characters of each line without its line end.
        syntax: ``(n,) uint8``, each character's place in ``SYNTAX_CLASSES``.
        hidden: ``(n,) uint8``, 0, or where a reader cannot see the character 1 or 2: by turns
            for each run of one character, so that neighbours differ.
        is_boilerplate: ``(n,) bool``, boilerplate tokens and what stands between them, but not
            comments: these can be the student's own, boilerplate or not.
        is_own: ``(n,) bool``, the student's own tokens and what stands between them; the rest of
            a match is no part of it.
        wide: ``(m,) int64``, ascending, the characters that a script counts as two.
    """

    text: str
    lines: NDArray[np.int64]
    syntax: NDArray[np.uint8]
    hidden: NDArray[np.uint8]
    is_boilerplate: NDArray[np.bool_]
    is_own: NDArray[np.bool_]
    wide: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of one look; a hidden piece is one character, or one repeated.

    Attributes:
        syntax: A CSS class of ``SYNTAX_CLASSES``, empty for plain text.
    """

    text: str
    syntax: str
    is_hidden: bool
    is_boilerplate: bool


Line = tuple[Piece, ...]
"""The pieces of one line; none where it is empty."""

Span = tuple[int, int, int, int]
"""Line and column where a stretch begins, and where it stops; columns count UTF-16 from 0."""


def canvas_of(document: Document) -> Canvas:
    """Prepare a document for its listings."""
    text = document.file.text
    syntax = syntax_of(document)
    is_boilerplate = _stretches(document, document.is_boilerplate) & (syntax != COMMENT)
    return Canvas(
        text=text,
        lines=_line_ranges(text),
        syntax=syntax * ~is_boilerplate,
        hidden=_hidden_in(text),
        is_boilerplate=is_boilerplate,
        is_own=_stretches(document, ~document.is_boilerplate),
        wide=_wide_in(text),
    )


def lines_of(canvas: Canvas) -> Iterator[Line]:
    """Cut a document into lines, and these into pieces, wherever the look changes.

    All pieces of a line add up to its text. Linear in the text.
    """
    cuts = _cuts(canvas)
    for first, last in np.searchsorted(cuts, canvas.lines).tolist():
        bounds = cuts[first : last + 1].tolist()
        yield tuple(_piece(canvas, *piece) for piece in pairwise(bounds))


def span_of(canvas: Canvas, start: int, stop: int) -> Span:
    """Say where the characters ``[start, stop)`` stand, at least one."""
    first_line, start_column = _position(canvas, start)
    last_line, last_column = _position(canvas, stop - 1)
    return first_line, start_column, last_line, last_column + _units(canvas, stop - 1, stop)


def _position(canvas: Canvas, character: int) -> tuple[int, int]:
    line = int(np.searchsorted(canvas.lines[:, 0], character, side="right"))
    return line, _units(canvas, int(canvas.lines[line - 1, 0]), character)


def _units(canvas: Canvas, start: int, stop: int) -> int:
    is_within = (canvas.wide >= start) & (canvas.wide < stop)
    return stop - start + int(np.count_nonzero(is_within))


def _stretches(document: Document, is_chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the characters of the chosen tokens, and those between two of them in a row."""
    first, stop = ranges_of(is_chosen).T
    stream = document.stream
    return covered(stream.starts[first], stream.stops[stop - 1], len(document.file.text))


def _line_ranges(text: str) -> NDArray[np.int64]:
    starts = line_starts(text)
    ranges = pairwise([*starts[starts < len(text)].tolist(), len(text)])
    lines = [(start, start + len(text[start:stop].rstrip("\r\n"))) for start, stop in ranges]
    return np.array(lines, np.int64).reshape(-1, 2)


def _hidden_in(text: str) -> NDArray[np.uint8]:
    hidden = np.zeros(len(text), np.uint8)
    for count, run in enumerate(HIDDEN_RUN.finditer(text)):
        hidden[run.start() : run.end()] = 1 + count % 2
    return hidden


def _wide_in(text: str) -> NDArray[np.int64]:
    if text.isascii():
        return np.zeros(0, np.int64)
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.flatnonzero(characters > _LAST_OF_ONE_UNIT)


def _cuts(canvas: Canvas) -> NDArray[np.int64]:
    """Give every place where a piece can begin or a line end, ascending."""
    is_cut = np.zeros(len(canvas.text) + 1, np.bool_)
    is_cut[:-1] = (
        _changes(canvas.is_boilerplate) | _changes(canvas.syntax) | _changes(canvas.hidden)
    )
    is_cut[canvas.lines] = True
    return np.flatnonzero(is_cut)


def _changes(column: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Mark what is not the same as the item before it; the first item always."""
    is_change = np.ones(len(column), np.bool_)
    is_change[1:] = column[1:] != column[:-1]
    return is_change


def _piece(canvas: Canvas, start: int, stop: int) -> Piece:
    return Piece(
        text=canvas.text[start:stop],
        syntax=SYNTAX_CLASSES[canvas.syntax[start]],
        is_hidden=bool(canvas.hidden[start]),
        is_boilerplate=bool(canvas.is_boilerplate[start]),
    )
