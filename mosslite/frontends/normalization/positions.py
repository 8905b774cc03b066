"""Where the symbols of a program are: on which lines, in which brackets and blocks."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.frontends.normalization.program import CONTINUATION, END, STRING, program_of
from mosslite.frontends.normalization.statements import depths_of
from mosslite.frontends.symbol_ids import table_of
from mosslite.ranges import positions_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.normalization.program import Program
    from mosslite.frontends.token_properties import Spread

__all__ = [
    "JOINED",
    "Brackets",
    "Laid",
    "laid_out",
    "marked",
]


_OPEN, _CLOSE = map(table_of, ("( [ {", ") ] }"))


class Brackets:
    """Where the brackets of a program end; what that takes is found once, if it is asked for.

    Args:
        words: ``(n,)`` of a program.
    """

    def __init__(self, words: NDArray[np.int64]) -> None:
        self._words = words

    def partners_of(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for opening brackets which symbol closes each; n log n in the brackets.

        Args:
            places: ``(m,)``, any symbols.

        Returns:
            ``(m,) int64``, -1 where there is no bracket, or none that closes it in its text.
        """
        count, levels = len(self._words), self._levels[places]
        found = np.append(self._closing, -1)[np.searchsorted(self._closing, levels + places)]
        is_level = found // count == levels // count
        return np.where(_OPEN[self._words[places]] & is_level, found % count, -1)

    @cached_property
    def _levels(self) -> NDArray[np.int64]:
        """What sets symbols of another text, or within other brackets, far apart."""
        depths, texts = depths_of(self._words), np.cumsum(self._words == END)
        levels: NDArray[np.int64] = texts * (depths.max(initial=0) + 1) + depths
        return levels * len(self._words)

    @cached_property
    def _closing(self) -> NDArray[np.int64]:
        """The closing brackets, by level and then by place."""
        places = np.flatnonzero(_CLOSE[self._words])
        return np.sort(self._levels[places] + places)


def marked(length: int, firsts: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the places of ranges among so many; the cost is the sum of their lengths."""
    is_marked = np.zeros(length, np.bool_)
    is_marked[positions_in(firsts, stops - firsts)] = True
    return is_marked


JOINED = -1


class Laid(NamedTuple):
    """Symbols and where they are; all columns are ``(n,) int64``.

    Attributes:
        program: ``n`` symbols, each in its own place.
        starts: The first character of each.
        stops: One past its last character.
        indents: How far the line is indented that it begins, -1 for symbols that begin none; 0
            for ends.
        numbers: Which row of the table of pieces it is, ``JOINED`` for several in one.
    """

    program: Program
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    indents: NDArray[np.int64]
    numbers: NDArray[np.int64]


def laid_out(pieces: Spread, line_starts: NDArray[np.int64]) -> Laid:
    """Make symbols of pieces.

    Line ends that end no line go. A string's quotes, text and escapes are one symbol, and so are
    strings side by side.

    Args:
        pieces: Those of a text.
        line_starts: ``(m,) int64``, where its lines begin.
    """
    program, line_starts = _whole_lines(program_of(pieces), pieces, line_starts)
    is_string = program.words == STRING
    goes_on = np.zeros(len(is_string) + 1, np.bool_)
    goes_on[1:-1] = is_string[1:] & is_string[:-1]
    firsts, lasts = program.places[~goes_on[:-1]], program.places[~goes_on[1:]]
    starts = pieces.starts[firsts]
    program = program.joined(goes_on[:-1])._replace(places=np.arange(len(firsts)))
    return Laid(
        program=program,
        starts=starts,
        stops=pieces.starts[lasts] + pieces.rows["length"][lasts],
        indents=np.where(program.words == END, 0, _indents(starts, line_starts)),
        numbers=np.where(firsts == lasts, pieces.numbers[firsts], JOINED),
    )


def _whole_lines(
    program: Program, pieces: Spread, line_starts: NDArray[np.int64]
) -> tuple[Program, NDArray[np.int64]]:
    """Leave out line ends that end no line, and the beginnings of lines behind them."""
    goes_on = program.words == CONTINUATION
    if not goes_on.any():
        return program, line_starts
    no_begins = pieces.starts[goes_on] + len("\\\n")
    return program.where(~goes_on), np.setdiff1d(line_starts, no_begins)


def _indents(starts: NDArray[np.int64], line_starts: NDArray[np.int64]) -> NDArray[np.int64]:
    indents = np.full(len(starts) + 1, -1)
    firsts = np.searchsorted(starts, line_starts)
    # The lines above a symbol that have none have the same first one: the last of them counts.
    indents[firsts] = np.append(starts, 0)[firsts] - line_starts
    return indents[:-1]
