"""Finds what does nothing to what a program computes.

Put around or behind each statement of a copy, it would leave no k-gram whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends.standard_form.blocks import Brackets
from mosslite.frontends.standard_form.constants import constants_in
from mosslite.frontends.standard_form.dead_stores import dead_stores_in
from mosslite.frontends.standard_form.idle import idle_in
from mosslite.frontends.standard_form.macros import macros_in
from mosslite.frontends.standard_form.program import END
from mosslite.frontends.standard_form.tries import tries_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.standard_form.laid import Laid

__all__ = ["junk_in"]

# Where fewer symbols would be left, junk is all that there is to compare.
_ENOUGH: Final = 16


def junk_in(laid: Laid, text: str, language: str) -> NDArray[np.bool_]:
    """Mark junk in texts that are more than a few symbols without it.

    Args:
        laid: ``n`` symbols; each text ends in an end.
        text: All texts.
        language: Its canonical name.

    Returns:
        ``(n,) bool``.
    """
    program, indents = laid.program, laid.indents
    if not len(program.words):
        return np.zeros(0, np.bool_)
    brackets = Brackets(program.words)
    is_junk = dead_stores_in(laid, text, language, brackets)
    is_junk |= constants_in(program, indents, brackets) | tries_in(program, indents, brackets)
    is_junk |= idle_in(program, indents) | macros_in(program, indents, language)
    ends = np.flatnonzero(program.words == END)
    at = np.flatnonzero(is_junk)
    texts = np.searchsorted(ends, at)
    left = np.diff(ends, prepend=-1) - 1 - np.bincount(texts, minlength=len(ends))
    is_junk[at] = left[texts] >= _ENOUGH
    return is_junk
