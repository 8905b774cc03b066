"""A source file as numbered lines of pieces, with the matches and the boilerplate on it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np

from mosslite.report.syntax import COMMENT, SYNTAX_CLASSES, syntax_of
from mosslite.report.visible import HIDDEN_RUN
from mosslite.spans import covered, line_starts, ranges_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from mosslite.model import Document, Place

__all__ = ["Canvas", "Line", "Piece", "Run", "canvas_of", "lines_of"]


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
    """

    text: str
    lines: NDArray[np.int64]
    syntax: NDArray[np.uint8]
    hidden: NDArray[np.uint8]
    is_boilerplate: NDArray[np.bool_]
    is_own: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of one look; a hidden piece is one character, or one repeated.

    Attributes:
        syntax: A CSS class of ``SYNTAX_CLASSES``, empty for plain text.
    """

    text: str
    syntax: str
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class Run:
    """Pieces side by side of one line that belong to the same match.

    Attributes:
        match: The match's number, or 0.
        opens: Numbers of the matches that begin here.
    """

    pieces: tuple[Piece, ...]
    match: int
    opens: tuple[int, ...]
    is_boilerplate: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One line; its runs are empty where it is."""

    number: int
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Marks:
    """The matches of one pair on a canvas: each character's match and run, runs ascending."""

    match: NDArray[np.int32]
    run: NDArray[np.int64]
    opens: Mapping[int, tuple[int, ...]]


def canvas_of(document: Document) -> Canvas:
    """Prepare a document for its listings; this lexes it, which costs far more than they do."""
    text = document.file.text
    syntax = syntax_of(document)
    is_boilerplate = _span(document, document.is_boilerplate) & (syntax != COMMENT)
    return Canvas(
        text=text,
        lines=_line_ranges(text),
        syntax=syntax * ~is_boilerplate,
        hidden=_hidden_in(text),
        is_boilerplate=is_boilerplate,
        is_own=_span(document, ~document.is_boilerplate),
    )


def lines_of(canvas: Canvas, places: Mapping[int, Place]) -> Iterator[Line]:
    """Cut a document into lines, and these into pieces, wherever the look changes.

    ``places`` says where each match is, by its number, which is at least 1. All pieces of a line
    add up to its text. Boilerplate inside a match is not part of it. Of matches that overlap,
    the one with the lowest number is shown. Linear in the text.
    """
    marks = _marks_of(canvas, places)
    cuts = _cuts(canvas, marks)
    for number, (first, last) in enumerate(np.searchsorted(cuts, canvas.lines).tolist(), 1):
        bounds = cuts[first : last + 1].tolist()
        yield Line(number, tuple(_runs(canvas, marks, bounds)))


def _span(document: Document, is_chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
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


def _marks_of(canvas: Canvas, places: Mapping[int, Place]) -> _Marks:
    match = np.zeros(len(canvas.text), np.int32)
    begins = _changes(canvas.is_boilerplate)
    opens: dict[int, tuple[int, ...]] = {}
    for number, place in sorted(places.items(), reverse=True):
        match[place.start_char : place.stop_char] = number
        begins[place.start_char] = True
        opens[place.start_char] = (number, *opens.get(place.start_char, ()))
    match[~canvas.is_own] = 0
    return _Marks(match, np.cumsum(begins | _changes(match)), opens)


def _cuts(canvas: Canvas, marks: _Marks) -> NDArray[np.int64]:
    """Give every place where a piece can begin or a line end, ascending."""
    is_cut = np.zeros(len(canvas.text) + 1, np.bool_)
    is_cut[:-1] = _changes(marks.run) | _changes(canvas.syntax) | _changes(canvas.hidden)
    is_cut[canvas.lines] = True
    return np.flatnonzero(is_cut)


def _changes(column: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Mark what is not the same as the item before it; the first item always."""
    is_change = np.ones(len(column), np.bool_)
    is_change[1:] = column[1:] != column[:-1]
    return is_change


def _runs(canvas: Canvas, marks: _Marks, bounds: list[int]) -> Iterator[Run]:
    ranges = pairwise(bounds)
    for _, group in groupby(ranges, key=lambda piece: int(marks.run[piece[0]])):
        pieces = list(group)
        start = pieces[0][0]
        yield Run(
            pieces=tuple(_piece(canvas, *piece) for piece in pieces),
            match=int(marks.match[start]),
            opens=marks.opens.get(start, ()),
            is_boilerplate=bool(canvas.is_boilerplate[start]),
        )


def _piece(canvas: Canvas, start: int, stop: int) -> Piece:
    return Piece(
        text=canvas.text[start:stop],
        syntax=SYNTAX_CLASSES[canvas.syntax[start]],
        is_hidden=bool(canvas.hidden[start]),
    )
