"""Where the symbols of a program are: in its text, and on lines that may go on the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.frontends.standard_form.program import CONTINUATION, END, STRING, program_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.facts import Spread
    from mosslite.frontends.standard_form.program import Program

__all__ = ["JOINED", "Laid", "laid_out"]

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
