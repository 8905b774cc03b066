"""Finds dead stores: statements that only give values to names that their text never reads.

Put behind each statement of a copy, they change nothing and leave no k-gram whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends.standard_form.program import END, NAME
from mosslite.frontends.standard_form.scopes import are_outside_of_functions
from mosslite.frontends.standard_form.stores import rows_of, stores_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.standard_form.program import Program

__all__ = ["dead_stores_in"]

# Lexers of others, such as PHP and C#, do not tell which names a string reads.
_LANGUAGES: Final = frozenset({"c", "cpp", "java", "javascript", "python", "typescript"})

# Most names differ in these bits of their wordings.
_BITS: Final = np.uint64(0xFFFF)
# 2^64 divided by the golden ratio: sets apart equal names of several texts.
_OF_TEXT: Final = np.uint64(0x9E3779B97F4A7C15)


def dead_stores_in(
    program: Program, indents: NDArray[np.int64], language: str
) -> NDArray[np.bool_]:
    """Mark dead stores, be they declarations, assignments or steps.

    What is declared outside of functions stays, as other files may read it; stores to it go. What
    is computed from other names stays, too: it was meant to be used once, and two works that have
    it in common have more in common than a zero. What a macro reads is not seen.

    Args:
        program: ``n`` symbols.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.
        language: Its canonical name.

    Returns:
        ``(n,) bool``.
    """
    words, is_python = program.words, language == "python"
    is_dead = np.zeros(len(words), np.bool_)
    if language not in _LANGUAGES or not len(words):
        return is_dead
    ends = np.flatnonzero(words == END)
    stores = stores_in(program, indents, is_python=is_python)
    found, is_read = stores.statements, _are_read(program, stores.mentions, ends)
    found = found.where(np.bincount(stores.owners, is_read, len(found.firsts)) == 0)
    if len(found.firsts):
        found = found.where(~are_outside_of_functions(words, indents, found.firsts, language))
        is_dead[rows_of(found.firsts, found.ends)] = True
    return is_dead


def _are_read(
    program: Program, mentions: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell which names have more mentions in their text than these."""
    keys = _keys(program, mentions, ends)
    others = _keys(program, _other_mentions(program, mentions), ends)
    known = np.append(np.sort(keys), np.uint64(0))
    places = np.searchsorted(known[:-1], others)
    is_read = np.zeros(len(known), np.bool_)
    is_read[places[known[places] == others]] = True
    return is_read[np.searchsorted(known[:-1], keys)]


def _other_mentions(program: Program, mentions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the other mentions of the names mentioned, and few of other names."""
    may_be = np.zeros(int(_BITS) + 1, np.bool_)
    may_be[program.wordings[mentions] & _BITS] = True
    is_other = program.words == NAME
    is_other[mentions] = False
    names = np.flatnonzero(is_other)
    found: NDArray[np.int64] = names[may_be[program.wordings[names] & _BITS]]
    return found


def _keys(
    program: Program, places: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Give for names what is equal for equal ones in a text, as far as 64 bits can tell."""
    return program.wordings[places] ^ (np.searchsorted(ends, places).astype(np.uint64) * _OF_TEXT)
