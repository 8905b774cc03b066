"""Finds what catches exceptions and does nothing with them.

======================================  ==============================
what is written                         what is left out
======================================  ==============================
``try { f(); } catch (E e) { }``        all but ``f();``
``try { f(); } catch (E e) { g(); }``  ``try``, and the braces behind
``except E as e: pass``                 all of it
``try:``                                all of it
======================================  ==============================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.standard_form.blocks import marked
from mosslite.frontends.standard_form.program import END
from mosslite.frontends.words import number_of_word, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.standard_form.blocks import Brackets
    from mosslite.frontends.standard_form.program import Program

__all__ = ["tries_in"]

_OPEN, _COLON, _DOT = map(number_of_word, "(:.")
_BEGIN, _END_OF_BLOCK = map(number_of_word, "{}")
_TRY, _CATCH, _EXCEPT, _PASS = map(number_of_word, ["try", "catch", "except", "pass"])
_HANDLING = table_of("try catch except")

# The head of a handler has fewer symbols.
_MOST_CAUGHT = 64


def tries_in(program: Program, indents: NDArray[np.int64], brackets: Brackets) -> NDArray[np.bool_]:
    """Mark ``try`` with the braces around what is tried, and handlers that do nothing.

    Args:
        program: ``n`` symbols, the last of them an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.
        brackets: Of the program.

    Returns:
        ``(n,) bool``.
    """
    words, length = program.words, len(program.words)
    if not _HANDLING[program.written].any():
        return np.zeros(length, np.bool_)
    tries = np.flatnonzero(program.written == _TRY)
    behind = np.append(words, [0, 0])
    lasts = brackets.partners_of(tries + 1)
    is_block, is_line = lasts >= 0, words[tries + 1] == _COLON
    is_block &= words[tries + 1] == _BEGIN
    is_trying = is_block | is_line
    is_marked = marked(length, tries[is_trying], tries[is_trying] + 2)
    is_marked[lasts[is_block]] = True
    for firsts, stops in (_catches(program, behind, brackets), _excepts(program, behind, indents)):
        is_marked |= marked(length, firsts, stops)
    return is_marked


def _catches(
    program: Program, words: NDArray[np.int64], brackets: Brackets
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the handlers in braces that hold nothing: where each begins and ends."""
    at = np.flatnonzero((program.written == _CATCH) & (np.roll(program.words, 1) != _DOT))
    closing = brackets.partners_of(at + 1)
    is_headed = (words[at + 1] == _OPEN) & (closing >= 0)
    begins = np.where(is_headed, closing, at) + 1
    is_empty = (words[begins] == _BEGIN) & (words[begins + 1] == _END_OF_BLOCK)
    is_empty &= begins - at < _MOST_CAUGHT
    return at[is_empty], begins[is_empty] + 2


def _excepts(
    program: Program, words: NDArray[np.int64], indents: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Likewise, those on lines that only ``pass``."""
    at = np.flatnonzero(program.written == _EXCEPT)
    stops = np.flatnonzero((program.words == _COLON) | (program.words == END))
    colons = stops[np.searchsorted(stops, at)]
    passes = colons + 1
    is_empty = (words[colons] == _COLON) & (words[passes] == _PASS) & (passes - at < _MOST_CAUGHT)
    is_empty &= np.append(indents, [0, 0])[np.minimum(passes + 1, len(indents))] >= 0
    return at[is_empty], passes[is_empty] + 1
