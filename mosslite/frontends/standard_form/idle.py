"""Finds statements that do nothing, whatever their names stand for.

===========================================  ===================================
what is written                              what is left out
===========================================  ===================================
``x = x;``                                   all of it
``if (x < y) { }``, ``if (x == x);``         all of it, with the ``else`` before
``if x == x: pass``                          all of it
===========================================  ===================================

A condition that calls, steps or assigns may do something, and so may an ``else`` behind it: they
stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.standard_form.blocks import marked
from mosslite.frontends.standard_form.program import END, NAME
from mosslite.frontends.words import number_of_word, table_of
from mosslite.spans import positions_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.standard_form.program import Program

    _Ranges = tuple[NDArray[np.int64], NDArray[np.int64]]

__all__ = ["idle_in"]

_OPEN, _CLOSE, _COLON, _SEMICOLON, _EQUALS = map(number_of_word, "():;=")
_BEGIN, _END_OF_BLOCK = map(number_of_word, "{}")
_ELSE, _IF, _PASS = map(number_of_word, ["else", "if", "pass"])
_BEFORE_STATEMENT = table_of("; { }", symbols.END)
_BEFORE_IF = _BEFORE_STATEMENT | table_of("else")
_ENDS = _BEFORE_STATEMENT | table_of(":")
_INSIDE = table_of("( [ { ,")
_GOES_ON = table_of("else elif")
_CALLED = table_of(") ]", symbols.NAME)
_STEPS = table_of("+ -")
_BEFORE_EQUALS = table_of("= ! < >")
_HARMLESS = table_of(
    "( ) [ ] . + - * / % & | ^ < > = ! and in is not or true false null nullptr None True False",
    *(symbols.NAME, symbols.NUMBER, symbols.STRING),
)
# Two for what is behind the last symbol.
_BEHIND = [0, 0]


def idle_in(program: Program, indents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark names that are given their own value, and conditions that nothing depends on.

    Args:
        program: ``n`` symbols, the last of them an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.

    Returns:
        ``(n,) bool``.
    """
    begins_line = np.append(indents >= 0, [True, True])
    is_idle = marked(len(program.words), *_own_values(program, begins_line))
    at = np.flatnonzero(program.written == _IF)
    if len(at):
        is_idle |= marked(len(program.words), *_empty_branches(program, at, begins_line))
    return is_idle


def _own_values(program: Program, begins_line: NDArray[np.bool_]) -> _Ranges:
    """Return the statements ``x = x``, each with a semicolon behind it or on a line of its own."""
    words, wordings = np.append(program.words, _BEHIND), np.append(program.wordings, _BEHIND)
    at = np.flatnonzero(program.words == _EQUALS)
    at = at[(words[at - 1] == NAME) & (words[at + 1] == NAME)]
    firsts = at[wordings[at - 1] == wordings[at + 1]] - 1
    before, behind = program.words[firsts - 1], words[firsts + 3]
    is_ended = behind == _SEMICOLON
    is_line = begins_line[firsts] & ~_INSIDE[before] & (begins_line[firsts + 3] | (behind == END))
    is_statement = np.where(is_ended, _BEFORE_STATEMENT[before], is_line)
    return firsts[is_statement], (firsts + 3 + is_ended)[is_statement]


def _empty_branches(
    program: Program, at: NDArray[np.int64], begins_line: NDArray[np.bool_]
) -> _Ranges:
    """Return each ``if`` that decides whether to do nothing, with the ``else`` before it."""
    words = np.append(program.words, _BEHIND)
    ends = np.flatnonzero(_ENDS[program.words])
    ends = ends[np.searchsorted(ends, at)]  # of the condition
    is_bracketed = (words[at + 1] == _OPEN) & (words[ends - 1] == _CLOSE)
    is_block = is_bracketed & (words[ends] == _BEGIN) & (words[ends + 1] == _END_OF_BLOCK)
    is_line = begins_line[at] & (words[ends] == _COLON) & (words[ends + 1] == _PASS)
    is_bare = is_bracketed & (words[ends] == _SEMICOLON)
    stops = ends + 1 + (is_block | is_line)
    before, behind = program.words[at - 1], words[stops]
    is_found = (is_block | is_bare) & _BEFORE_IF[before]
    is_found |= is_line & (begins_line[stops] | (behind == END))
    is_found &= ~_GOES_ON[behind] & (at + 1 < ends)
    is_found[is_found] = _are_harmless(words, at[is_found] + 1, ends[is_found])
    return (at - (before == _ELSE))[is_found], stops[is_found]


def _are_harmless(
    words: NDArray[np.int64], firsts: NDArray[np.int64], stops: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell for conditions, of at least a symbol, whether they neither call, step nor assign."""
    if not len(firsts):
        return np.zeros(0, np.bool_)
    lengths = stops - firsts
    rows = positions_in(firsts, lengths)
    here, before, behind = words[rows], words[rows - 1], words[rows + 1]
    is_call = (here == _OPEN) & _CALLED[before]
    is_step = (here == before) & _STEPS[here]
    is_assigned = (here == _EQUALS) & ~_BEFORE_EQUALS[before] & (behind != _EQUALS)
    is_harmless = _HARMLESS[here] & ~(is_call | is_step | is_assigned)
    are_harmless: NDArray[np.bool_] = np.logical_and.reduceat(
        is_harmless, np.cumsum(lengths) - lengths
    )
    return are_harmless
