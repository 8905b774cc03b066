"""Finds where brackets and blocks end."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.standard_form.program import END
from mosslite.frontends.standard_form.statements import depths_of
from mosslite.frontends.words import table_of
from mosslite.spans import positions_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Brackets", "marked"]

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
