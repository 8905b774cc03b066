"""Finds where brackets and blocks end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.standard_form.program import END
from mosslite.frontends.standard_form.statements import depths_of
from mosslite.frontends.standard_form.stores import rows_of
from mosslite.frontends.words import table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["marked", "partners_of"]

_OPEN, _CLOSE = map(table_of, ("( [ {", ") ] }"))


def partners_of(words: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give for opening brackets which symbol closes each; n log n in the brackets.

    Args:
        words: ``(n,)`` of a program.
        places: ``(m,)``, any of its symbols.

    Returns:
        ``(m,) int64``, -1 where there is no bracket, or none that closes it in its text.
    """
    depths, texts = depths_of(words), np.cumsum(words == END)
    levels = (texts * (depths.max(initial=0) + 1) + depths) * len(words)
    closing = np.flatnonzero(_CLOSE[words])
    keys = np.sort(levels[closing] + closing)
    found = np.append(keys, -1)[np.searchsorted(keys, levels[places] + places)]
    is_level = found // len(words) == levels[places] // len(words)
    return np.where(_OPEN[words[places]] & is_level, found % len(words), -1)


def marked(length: int, firsts: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the places of ranges among so many; the cost is the sum of their lengths."""
    is_marked = np.zeros(length, np.bool_)
    is_marked[rows_of(firsts, stops)] = True
    return is_marked
