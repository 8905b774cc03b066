"""Finds statements that do nothing but give names a value that is written out.

===================================  ================
``int x = 1;``  ``char *x;``         a declaration
``int x, y = -1;``                   several in one
``x = 1;``  ``x -= 2;``              an assignment
``x++;``  ``--x;``  ``x = x + 1;``   a step
===================================  ================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.standard_form.program import NAME
from mosslite.frontends.words import number_of_word, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.standard_form.program import Program

__all__ = ["Statements", "Stores", "rows_of", "stores_in"]

_COMMA, _EQUALS, _SEMICOLON = map(number_of_word, ",=;")
_YIELD = number_of_word("yield")
_OPERATORS = table_of("+ - * / % & | ^")
_STEPS = table_of("+ -")
_MODIFIERS = table_of("auto const final let private protected public register static var")
_BEGINS_TYPE = _MODIFIERS | table_of("", symbols.NAME)
_LITERALS = table_of("true false null nullptr None NULL True False")  # names to some lexers
_OPERANDS = _LITERALS | table_of("", symbols.NAME, symbols.NUMBER, symbols.STRING)
_OF_STORES = _OPERATORS | _MODIFIERS | _OPERANDS | table_of(", =")
_OF_OTHERS = ~_OF_STORES
_OF_STORES_IN_PYTHON = _OPERATORS | _OPERANDS | table_of("=")
_BEFORE_STATEMENT = table_of("; { }", symbols.END)
_INSIDE = table_of("( [ { ,")


class Statements(NamedTuple):
    """Statements of a program, in ``(m,) int64`` columns.

    Attributes:
        firsts: The first symbol of each.
        stops: One past its last symbol, a semicolon left out.
        ends: Likewise, with the semicolon.
    """

    firsts: NDArray[np.int64]
    stops: NDArray[np.int64]
    ends: NDArray[np.int64]

    def where(self, mask: NDArray[np.bool_]) -> Statements:
        """Keep the statements that ``mask`` marks."""
        return Statements(self.firsts[mask], self.stops[mask], self.ends[mask])


class Stores(NamedTuple):
    """What statements store, and where they mention the names that they store to.

    Attributes:
        statements: ``m`` of them.
        mentions: ``(n,) int64``, which symbols.
        owners: ``(n,) int64``, whose.
    """

    statements: Statements
    mentions: NDArray[np.int64]
    owners: NDArray[np.int64]


def stores_in(program: Program, indents: NDArray[np.int64], *, is_python: bool) -> Stores:
    """Find the statements that are stores of what is written out.

    Args:
        program: ``n`` symbols, the last of them an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.
        is_python: Lines end statements, and nothing is declared.
    """
    words = program.words
    found = _whole_lines(words, indents) if is_python else _ended(program)
    if not len(found.firsts):
        return Stores(found, found.firsts, found.firsts)
    lengths = found.stops - found.firsts
    rows = rows_of(found.firsts, found.stops)
    starts = np.cumsum(lengths) - lengths
    part, wordings = words[rows], program.wordings[rows]
    is_store, targets = _targets(part, starts, is_python=is_python)
    is_name = (part == NAME) & ~_LITERALS[program.written[rows]]
    is_mention = is_name & (wordings == wordings[targets])
    # Behind the one that it stores to, another name is in the value.
    is_store &= ~is_name | is_mention | (np.arange(len(rows)) < targets)
    is_kept = np.logical_and.reduceat(is_store, starts)
    is_mention &= np.repeat(is_kept, lengths)
    owners = np.repeat(np.cumsum(is_kept) - 1, lengths)
    return Stores(found.where(is_kept), rows[is_mention], owners[is_mention])


def rows_of(firsts: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give all places of some ranges."""
    lengths = stops - firsts
    ends = np.cumsum(lengths)
    return np.arange(lengths.sum()) + np.repeat(stops - ends, lengths)


def _ended(program: Program) -> Statements:
    """Find statements with a semicolon behind them that are made of what stores are made of."""
    words = program.words
    # To Java ``yield`` is a name, but ``yield x;`` declares none.
    cuts = np.append(-1, np.flatnonzero(_OF_OTHERS[words] | (program.written == _YIELD)))
    around = words[cuts]  # before the first symbol is the last one, an end
    at = np.flatnonzero(around == _SEMICOLON)
    at = at[_BEFORE_STATEMENT[around[at - 1]]]
    firsts, stops = cuts[at - 1] + 1, cuts[at]
    return Statements(firsts, stops, stops + 1).where(firsts < stops)


def _whole_lines(words: NDArray[np.int64], indents: NDArray[np.int64]) -> Statements:
    """Likewise, with the end of a line or a semicolon behind them."""
    begins_line = indents >= 0
    begins_line[1:] &= ~_INSIDE[words[:-1]]  # as an argument with its name may
    cuts = np.append(-1, np.flatnonzero(begins_line | ~_OF_STORES_IN_PYTHON[words]))
    around = words[cuts]
    is_part, is_semicolon = _OF_STORES_IN_PYTHON[around], around == _SEMICOLON
    firsts, stops = (cuts + ~is_part)[:-1], cuts[1:]
    is_begun = is_part | _BEFORE_STATEMENT[around]
    is_ended = begins_line[cuts] | is_semicolon
    found = Statements(firsts, stops, stops + is_semicolon[1:])
    return found.where(is_begun[:-1] & is_ended[1:] & (firsts < stops))


def _targets(
    words: NDArray[np.int64], starts: NDArray[np.int64], *, is_python: bool
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Tell for the symbols of statements whether they are of a store, and to which name.

    What the statements of a valid program are is plain from little: the name is before ``=``, or
    last where there is none, but for signs.
    """
    begins = np.append(False, words[:-1] == _COMMA)
    is_next = begins.copy()
    begins[starts], is_next[starts] = True, False
    firsts = np.flatnonzero(begins)
    nexts = np.append(firsts[1:], len(words))
    stops = nexts - (words[nexts - 1] == _COMMA)
    equals = np.append(np.flatnonzero(words == _EQUALS), len(words))
    heads = np.minimum(equals[np.searchsorted(equals, firsts)], stops)
    is_signed = _OPERATORS[words[heads - 1]]
    is_twice = is_signed & (words[np.maximum(heads - 2, 0)] == words[heads - 1])
    names = np.maximum(heads - 1 - is_signed - is_twice, 0)
    is_store = (names == firsts) & ((heads < stops) | is_twice)
    if not is_python:
        is_store |= (names > firsts) & ~is_signed & _BEGINS_TYPE[words[firsts]]
        is_store |= (names == firsts + len("++")) & _STEPS[words[firsts]]
        is_store = np.where(is_next[firsts], (names >= firsts) & ~is_signed, is_store)
    is_compared = heads + 1 < stops
    is_compared &= words[np.minimum(heads + 1, len(words) - 1)] == _EQUALS  # in a loop's head
    is_store &= (words[names] == NAME) & ~is_compared
    lengths = nexts - firsts
    return np.repeat(is_store, lengths), np.repeat(names, lengths)
