"""Finds what does nothing to what a program computes, nor to what it is asked for.

Put around or behind each statement of a copy, it would leave no k-gram whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends.standard_form.constants import constants_in
from mosslite.frontends.standard_form.dead_stores import dead_stores_in
from mosslite.frontends.standard_form.prints import prints_in
from mosslite.frontends.standard_form.program import END
from mosslite.frontends.standard_form.tries import tries_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.standard_form.program import Program

__all__ = ["junk_in"]

# Where fewer symbols would be left, junk is all that there is to compare.
_ENOUGH: Final = 16
# And where fewer are left without prints, what is printed is a good part of the work.
_ENOUGH_BESIDE_PRINTS: Final = 256


def junk_in(program: Program, indents: NDArray[np.int64], language: str) -> NDArray[np.bool_]:
    """Mark junk in texts that are more than a few symbols without it.

    Args:
        program: ``n`` symbols; each text ends in an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.
        language: Its canonical name.

    Returns:
        ``(n,) bool``.
    """
    if not len(program.words):
        return np.zeros(0, np.bool_)
    ends = np.flatnonzero(program.words == END)
    is_junk = dead_stores_in(program, indents, language)
    is_junk |= constants_in(program, indents) | tries_in(program, indents)
    is_junk &= _leaves(_ENOUGH, is_junk, ends)
    with_prints = is_junk | prints_in(program, indents)
    return np.where(_leaves(_ENOUGH_BESIDE_PRINTS, with_prints, ends), with_prints, is_junk)


def _leaves(least: int, is_junk: NDArray[np.bool_], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark all symbols of the texts that so many are left of without junk."""
    sizes = np.diff(ends, prepend=-1)
    counts = np.add.reduceat(is_junk, ends - sizes + 1, dtype=np.int64)
    is_enough = sizes - 1 - counts >= least
    return np.append(np.repeat(is_enough, sizes), np.zeros(len(is_junk) - sizes.sum(), np.bool_))
