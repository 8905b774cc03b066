"""Splits a source file into lines and equally styled pieces, with line and column positions."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, starmap
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.display import HIDDEN_RUN, counted
from mosslite.ranges import ranges_of, run_starts
from mosslite.records import SYNTAX_CLASSES, Document, TokenizedSubmission

# Items of ``SYNTAX_CLASSES`` are also the names of CSS classes.
COMMENT: Final = SYNTAX_CLASSES.index("comment")


def syntax_of(document: Document) -> NDArray[np.uint8]:
    """Return each character's index in ``SYNTAX_CLASSES``: ``(n,) uint8``.

    Prose is not coloured, nor is text whose lexer failed.
    """
    colours, size = document.colours, len(document.file.text)
    if colours is None or document.is_degraded:
        return np.zeros(size, np.uint8)
    return np.repeat(colours.classes, np.diff(colours.starts, append=size))


# Bits of a run's look above its colour.
HIDDEN: Final = 8
BOILERPLATE: Final = 16

# Blanks before a line are a digit of this base, at most; those beyond are in its text.
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_INDENT: Final = re.compile("^ {1,35}", re.MULTILINE)
_LAST_OF_ONE_UNIT: Final = 0xFFFF
_BLANKS: Final = re.compile(r"[^\S\r\n]+")


@dataclass(frozen=True, eq=False)  # not slotted, for cached properties
class RenderedSource:
    """The part of a document's rendering that all its pairs share; ``n`` is its length.

    What is not compared looks like a comment.
    """

    document: Document

    @property
    def text(self) -> str:
        """The document's text."""
        return self.document.file.text

    @cached_property
    def lines(self) -> NDArray[np.int64]:
        """``(m, 2)``, the characters of each line without its line end; each column is whole."""
        starts, codes = self.document.line_starts, _codes(self.text)
        stops = np.append(starts[1:], len(codes) + 1) - 1
        ends = stops[:-1]
        ends -= (codes[ends] == ord("\n")) & (codes[ends - 1] == ord("\r")) & (ends > starts[:-1])
        lines = np.stack([starts, stops]).T
        # No line comes after the last line end.
        return lines[:-1] if starts[-1] == len(codes) else lines

    @cached_property
    def syntax(self) -> NDArray[np.uint8]:
        """``(n,)``, each character's index in ``SYNTAX_CLASSES``."""
        shown = syntax_of(self.document) * ~self.is_boilerplate
        return np.where(self._is_left_out, np.uint8(COMMENT), shown)

    @cached_property
    def hidden(self) -> NDArray[np.uint8]:
        """``(n,)``, 0 for visible characters.

        Runs of an invisible one alternate between 1 and 2, so that neighbours differ.
        """
        return _hidden_in(self.text)

    @cached_property
    def is_boilerplate(self) -> NDArray[np.bool_]:
        """``(n,)``, boilerplate tokens and the text between them.

        Comments are not: these can be the student's own.
        """
        is_other: NDArray[np.bool_] = syntax_of(self.document) == COMMENT
        is_other |= self._is_left_out
        return _segments(self.document, self.document.is_boilerplate) & ~is_other

    @cached_property
    def is_own(self) -> NDArray[np.bool_]:
        """``(n,)``, the student's own tokens and the text between them.

        Other text is not part of a match.
        """
        return _segments(self.document, ~self.document.is_boilerplate) & ~self._is_left_out

    @cached_property
    def _is_left_out(self) -> NDArray[np.bool_]:
        """Mark each run of blanks in the code, within a line, that replaces other text."""
        text, code = self.text, self.document.file.code
        is_left_out = np.zeros(len(text), np.bool_)
        for run in () if code is None else _BLANKS.finditer(code):
            start, stop = run.span()
            is_left_out[start:stop] = bool(text[start:stop].strip())
        return is_left_out


Span = tuple[int, int, int, int]
"""Line and column where a stretch begins, and where it stops; columns count UTF-16 from 0."""


class Listing(NamedTuple):
    """A document as ``pair/sources.js`` reads it.

    Attributes:
        text: Its lines, each behind a line end except the first, without the blanks before them.
        indents: Number of these blanks for each line, a digit of base 36.
        looks: Runs of equal look that add up to the text with its blanks: a letter, which is the
            place of the colour in ``SYNTAX_CLASSES`` with the flags ``HIDDEN`` and ``BOILERPLATE``
            from ``A`` on, and the length in UTF-16 units, in base 36 of small letters, if above 1.
    """

    text: str
    indents: str
    looks: str


def listing_of(canvas: RenderedSource) -> Listing:
    """Return a document with one kind of line ends. Linear in the text."""
    codes = _codes(canvas.text)
    is_return = codes == ord("\r")
    is_kept = ~(is_return & np.append(codes[1:] == ord("\n"), False))
    codes = np.where(is_return, np.uint32(ord("\n")), codes)[is_kept]
    text = codes.tobytes().decode("utf-32-le", "surrogatepass")
    look = canvas.syntax + BOILERPLATE * canvas.is_boilerplate + HIDDEN * (canvas.hidden > 0)
    is_start = run_starts(look) | run_starts(canvas.hidden)
    is_start[1:] |= is_start[:-1] & ~is_kept[:-1]
    starts = np.flatnonzero(is_start[is_kept])
    units = np.cumsum(1 + (codes > _LAST_OF_ONE_UNIT))
    lengths = np.diff(np.append(0, units)[np.append(starts, len(codes))])
    runs = zip(look[is_kept][starts].tolist(), lengths.tolist(), strict=True)
    blanks = [len(each) - len(each.lstrip(" ")) for each in text.split("\n")]
    return Listing(
        text=_INDENT.sub("", text),
        indents="".join(_DIGITS[min(each, len(_DIGITS) - 1)] for each in blanks),
        looks="".join(starmap(_run, runs)),
    )


@lru_cache(maxsize=1 << 14)
def _run(look: int, length: int) -> str:
    """Return a run of equal look, as in a listing."""
    return chr(ord("A") + look) + (np.base_repr(length, 36).lower() if length > 1 else "")


class MarkedPiece(NamedTuple):
    """Characters of equal style.

    Attributes:
        look: CSS classes.
        is_hidden: It is an invisible character, possibly repeated.
        match: Number of the match that contains it, or 0.
    """

    text: str
    look: str
    is_hidden: bool
    match: int


def marked_lines(
    canvas: RenderedSource, lines: range, marks: Iterable[tuple[int, int, int]], *, longest: int
) -> Iterator[tuple[int, list[MarkedPiece]]]:
    """Split some lines into pieces of equal style and match.

    Args:
        canvas: The document.
        lines: Line numbers, from 1.
        marks: Ranges of characters with match numbers; of overlapping ones, the first counts.
        longest: Maximum number of characters shown per line; the number of omitted ones follows.
    """
    ranges = canvas.lines[lines.start - 1 : lines.stop - 1].copy()
    if not len(ranges):
        return
    left_out = np.maximum(ranges[:, 1] - ranges[:, 0] - longest, 0)
    ranges[:, 1] -= left_out
    matches = _matches_in(canvas, ranges, marks)
    cuts = _cuts_of(canvas, ranges, matches)
    begin = int(ranges[0, 0])
    places = np.searchsorted(cuts, ranges).tolist()
    for line, (first, last), more in zip(lines, places, left_out.tolist(), strict=True):
        pieces = [
            MarkedPiece(
                canvas.text[start:stop],
                "boilerplate"
                if canvas.is_boilerplate[start]
                else SYNTAX_CLASSES[canvas.syntax[start]],
                bool(canvas.hidden[start]),
                int(matches[start - begin]),
            )
            for start, stop in pairwise(cuts[first : last + 1].tolist())
        ]
        if more:
            words = f" ... {counted(more, 'more character')}"
            pieces.append(MarkedPiece(words, look="more", is_hidden=False, match=0))
        yield line, pieces


def _matches_in(
    canvas: RenderedSource, ranges: NDArray[np.int64], marks: Iterable[tuple[int, int, int]]
) -> NDArray[np.int64]:
    """Return the match number of each character in some lines, or 0."""
    begin, end = int(ranges[0, 0]), int(ranges[-1, 1])
    matches = np.zeros(end - begin, np.int64)
    for start, stop, number in reversed([*marks]):
        matches[max(start - begin, 0) : max(stop - begin, 0)] = number
    return matches * canvas.is_own[begin:end]


def _cuts_of(
    canvas: RenderedSource, ranges: NDArray[np.int64], matches: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the ascending positions in some lines where a piece can start or a line end."""
    begin, end = int(ranges[0, 0]), int(ranges[-1, 1])
    is_cut = np.zeros(end - begin + 1, np.bool_)
    for column in (canvas.is_boilerplate, canvas.syntax, canvas.hidden):
        is_cut[:-1] |= run_starts(column[begin:end])
    is_cut[:-1] |= run_starts(matches)
    is_cut[ranges - begin] = True
    return np.flatnonzero(is_cut) + begin


@dataclass(frozen=True, eq=False)  # not slotted, for cached properties
class Sheet:
    """The documents of a submission one behind another, as one column of ``n`` characters."""

    submission: TokenizedSubmission

    @cached_property
    def _canvases(self) -> list[RenderedSource]:
        return [RenderedSource(document) for document in self.submission.documents]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """``(d + 1,)``, the first character of each document, and the end."""
        return np.cumsum([0, *(len(each.text) for each in self._canvases)])

    @cached_property
    def first_lines(self) -> NDArray[np.int64]:
        """``(d + 1,)``, the first line of each document, and the number of lines of all."""
        return np.cumsum([0, *(len(each.lines) for each in self._canvases)])

    @cached_property
    def lines(self) -> NDArray[np.int64]:
        """``(m, 2)``, the characters of each line, without its line end."""
        both = zip(self._canvases, self.starts.tolist(), strict=False)
        return np.concatenate([each.lines + start for each, start in both])

    @cached_property
    def is_own(self) -> NDArray[np.bool_]:
        """``(n,)``, see ``RenderedSource``."""
        return np.concatenate([each.is_own for each in self._canvases])

    @cached_property
    def wide(self) -> NDArray[np.int64]:
        """``(m,)``, ascending, characters that JavaScript counts as two."""
        text = "".join(each.text for each in self._canvases)
        if text.isascii():
            return np.empty(0, np.int64)
        return np.flatnonzero(_codes(text) > _LAST_OF_ONE_UNIT)

    def documents_at(self, places: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the documents of characters."""
        return self.starts.searchsorted(places, side="right") - 1


def spans_of(sheet: Sheet, ranges: NDArray[np.integer]) -> list[Span]:
    """Return the lines and columns of ranges of characters, ``(m, 2)``, none of them empty.

    Lines are those of the document that has the whole range.
    """
    begins = sheet.lines[:, 0]
    lines = begins.searchsorted(ranges - (0, 1), side="right")
    columns = _units(sheet, begins[lines - 1], ranges)
    lines -= sheet.first_lines[sheet.documents_at(ranges[:, :1])]
    both = np.stack([lines, columns], axis=2).reshape(-1, 4)
    return [(first, start, last, stop) for first, start, last, stop in both.tolist()]


def places_in_listing(sheet: Sheet, ranges: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return ranges of characters, ``(m, 2)``, in the listings of documents, in UTF-16 units."""
    firsts, stops = sheet.lines.T
    lengths = _units(sheet, firsts, stops) + 1
    begins = np.cumsum(lengths) - lengths
    documents = sheet.documents_at(ranges[:, :1])
    first_lines, next_lines = sheet.first_lines[documents], sheet.first_lines[documents + 1]
    # The end of a document is on its last line, though another one begins there.
    lines = np.minimum(firsts.searchsorted(ranges, side="right"), next_lines) - 1
    before = begins[lines] - begins[first_lines]
    return np.asarray(before + _units(sheet, firsts[lines], ranges))


def _units(
    sheet: Sheet, starts: NDArray[np.integer], stops: NDArray[np.integer]
) -> NDArray[np.integer]:
    """Return the lengths of ranges as JavaScript counts them: some characters are two units."""
    wide = sheet.wide
    if not len(wide):  # the usual case, and much faster
        return np.asarray(stops - starts)
    return np.asarray(stops - starts + wide.searchsorted(stops) - wide.searchsorted(starts))


def _segments(document: Document, is_chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the characters of the chosen tokens, and those between consecutive ones."""
    marks = np.zeros(len(document.file.text), np.bool_)
    starts, stops = document.stream.starts, document.stream.stops
    for first, stop in ranges_of(is_chosen).tolist():
        marks[starts[first] : stops[stop - 1]] = True
    return marks


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _hidden_in(text: str) -> NDArray[np.uint8]:
    hidden = np.zeros(len(text), np.uint8)
    for count, run in enumerate(HIDDEN_RUN.finditer(text)):
        hidden[run.start() : run.end()] = 1 + count % 2
    return hidden
