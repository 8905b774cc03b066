"""Finds conditions that are written out, so that they decide nothing.

=======================================  ======================
what is written                          what is left out
=======================================  ======================
``if (true) { f(); }``, ``if (1) f();``  all but ``f();``
``if True:``                             all of it
``if (false) { f(); }``                  all of it
``assert true;``, ``assert(1);``         all of it
=======================================  ======================

Around or behind each statement of a copy, they change nothing and leave no k-gram whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.program import END
from mosslite.frontends.statements import depths_of
from mosslite.frontends.stores import rows_of
from mosslite.frontends.words import number_of_word, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.program import Program

__all__ = ["constants_in"]

_OPEN, _CLOSE, _COLON, _SEMICOLON = map(number_of_word, "():;")
_BEGIN, _END_OF_BLOCK = map(number_of_word, "{}")
_DOT = number_of_word(".")
_ASSERT, _ELSE, _IF = map(number_of_word, ["assert", "else", "if"])
_HOLDS = table_of("1 true True")
_LITERALS = _HOLDS | table_of("0 false False")

# The word, a literal in brackets, and what is behind them.
_LONGEST = 5


def constants_in(program: Program, indents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark written-out conditions, the braces around what always runs, and what never does.

    Where there is an ``else``, all stays.

    Args:
        program: ``n`` symbols, the last of them an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.

    Returns:
        ``(n,) bool``.
    """
    written = np.append(program.written, np.zeros(_LONGEST, np.int64))
    is_constant = np.zeros(len(program.words), np.bool_)
    at = np.flatnonzero((written == _IF) | (written == _ASSERT))
    is_bracketed = (written[at + 1] == _OPEN) & (written[at + 3] == _CLOSE)
    literals = written[at + 1 + is_bracketed]
    stops = at + 2 + 2 * is_bracketed
    is_found = _LITERALS[literals] & (written[at - 1] != _DOT)
    at, stops, holds = at[is_found], stops[is_found], _HOLDS[literals[is_found]]
    if len(at):
        is_assert = written[at] == _ASSERT
        is_constant |= _asserts(written, indents, at[is_assert & holds], stops[is_assert & holds])
        is_constant |= _branches(program, at[~is_assert], stops[~is_assert], holds[~is_assert])
    return is_constant


def _asserts(
    written: NDArray[np.int64],
    indents: NDArray[np.int64],
    firsts: NDArray[np.int64],
    stops: NDArray[np.int64],
) -> NDArray[np.bool_]:
    is_semicolon = written[stops] == _SEMICOLON
    is_last = is_semicolon | (indents[stops] >= 0) | (written[stops] == 0)
    return _marked(len(indents), firsts[is_last], (stops + is_semicolon)[is_last])


def _branches(
    program: Program,
    firsts: NDArray[np.int64],
    stops: NDArray[np.int64],
    holds: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Mark the heads of branches that always run with their braces, and those that never do."""
    words = program.words
    ends = _ends_of_blocks(words, stops)
    is_block, is_line = ends > stops, words[stops] == _COLON
    is_bare = (words[stops - 1] == _CLOSE) & (words[stops] != _ELSE)
    is_kept = is_block & (words[np.minimum(ends + 1, len(words) - 1)] == _ELSE)
    runs = holds & ~is_kept & (is_block | is_line | is_bare)
    never = ~holds & ~is_kept & is_block
    heads = (stops + (is_block | is_line))[runs]
    is_marked = _marked(len(words), firsts[runs], heads)
    is_marked[ends[runs & is_block]] = True
    return is_marked | _marked(len(words), firsts[never], ends[never] + 1)


def _ends_of_blocks(words: NDArray[np.int64], begins: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the brace that closes each, or -1 where there is none to close."""
    depths, texts = depths_of(words), np.cumsum(words == END)
    levels = (texts * (depths.max() + 1) + depths) * len(words)
    closing = np.flatnonzero(words == _END_OF_BLOCK)
    keys = np.sort(levels[closing] + closing)
    found = np.append(keys, -1)[np.searchsorted(keys, levels[begins] + begins)]
    is_end = (words[begins] == _BEGIN) & (found // len(words) == levels[begins] // len(words))
    return np.where(is_end, found % len(words), -1)


def _marked(length: int, firsts: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.bool_]:
    is_marked = np.zeros(length, np.bool_)
    is_marked[rows_of(firsts, stops)] = True
    return is_marked
