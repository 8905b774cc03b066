"""Finds statements that do nothing but give names a value that is written out.

===================================  ================
``int x = 1;``  ``char *x;``         a declaration
``int x, y = -1;``                   several in one
``x = 1;``  ``x -= 2;``              an assignment
``x++;``  ``--x;``  ``x = x + 1;``   a step
===================================  ================

How other languages write them is in ``grammars``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.standard_form.grammars import LITERALS, OPERATORS
from mosslite.frontends.standard_form.program import NAME
from mosslite.frontends.standard_form.statements import depths_of
from mosslite.frontends.standard_form.targets import targets_in
from mosslite.frontends.words import number_of_word, table_of
from mosslite.spans import positions_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.standard_form.blocks import Brackets
    from mosslite.frontends.standard_form.grammars import Grammar
    from mosslite.frontends.standard_form.program import Program

__all__ = ["Statements", "Stores", "stores_in"]

_OPEN, _SEMICOLON = map(number_of_word, "(;")
_SIGIL, _UNDERSCORE, _YIELD = map(number_of_word, ["$", "_", "yield"])
_BEFORE_STATEMENT = table_of("; { }", symbols.END)
_CONDITIONS = table_of("if for foreach function while")  # and what R's functions take
_WITHOUT_CONDITION = table_of("else do repeat")
_ENDS_OF_BLOCKS = table_of("} catch end else elif elseif elsif ensure finally in rescue when")
_STEPS = table_of("+ -")


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


def stores_in(
    program: Program, indents: NDArray[np.int64], brackets: Brackets, grammar: Grammar
) -> Stores:
    """Find the statements that are stores of what is written out.

    Args:
        program: ``n`` symbols, the last of them an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.
        brackets: Of the program.
        grammar: How they are written.
    """
    words = program.words
    find = _whole_lines if grammar.by_lines else _ended
    found = _that_stand_alone(words, find(program, indents, grammar), brackets, grammar)
    if not len(found.firsts):
        return Stores(found, found.firsts, found.firsts)
    lengths = found.stops - found.firsts
    rows = positions_in(found.firsts, lengths)
    starts = np.cumsum(lengths) - lengths
    part, written, wordings = words[rows], program.written[rows], program.wordings[rows]
    part = np.where(written == _SIGIL, _SIGIL, part)  # a name to Perl's lexer
    targets = targets_in(part, starts, grammar)
    is_name = (part == NAME) & ~LITERALS[written]
    is_thrown_away = grammar.discards & (written[targets.names] == _UNDERSCORE)
    is_target = wordings == wordings[targets.names]
    is_mention = is_name & (is_thrown_away ^ is_target)
    # Behind the one that it stores to, another name is in the value.
    is_store = ~is_name | is_mention | (np.arange(len(rows)) < targets.values)
    is_store &= targets.are_stores & is_name[targets.names]
    is_kept = np.logical_and.reduceat(is_store, starts)
    is_mention &= np.repeat(is_kept, lengths)
    owners = np.repeat(np.cumsum(is_kept) - 1, lengths)
    return Stores(found.where(is_kept), rows[is_mention], owners[is_mention])


def _ended(program: Program, _: NDArray[np.int64], grammar: Grammar) -> Statements:
    """Find statements with a semicolon behind them that are made of what stores are made of."""
    words = program.words
    # To Java ``yield`` is a name, but ``yield x;`` declares none.
    cuts = np.append(-1, np.flatnonzero(~grammar.parts[words] | (program.written == _YIELD)))
    around = words[cuts]  # before the first symbol is the last one, an end
    at = np.flatnonzero(around == _SEMICOLON)
    at = at[_BEFORE_STATEMENT[around[at - 1]]]
    firsts, stops = cuts[at - 1] + 1, cuts[at]
    return Statements(firsts, stops, stops + 1).where(firsts < stops)


def _whole_lines(program: Program, indents: NDArray[np.int64], grammar: Grammar) -> Statements:
    """Likewise, with the end of a line or a semicolon behind them."""
    words = program.words
    begins_line = (indents >= 0) & ~grammar.rest[words]
    begins_line[1:] &= ~grammar.before_rest[words[:-1]]  # as an argument with its name may
    cuts = np.append(-1, np.flatnonzero(begins_line | ~grammar.parts[words]))
    around = words[cuts]
    is_part, is_semicolon = grammar.parts[around], around == _SEMICOLON
    firsts, stops = (cuts + ~is_part)[:-1], cuts[1:]
    is_begun = is_part | _BEFORE_STATEMENT[around]
    is_ended = begins_line[cuts] | is_semicolon
    found = Statements(firsts, stops, stops + is_semicolon[1:])
    found = found.where(is_begun[:-1] & is_ended[1:] & (firsts < stops))
    last, before = words[found.stops - 1], words[found.stops - 2]
    goes_on = OPERATORS[last] & ~(_STEPS[last] & (last == before))  # but for ``x++``
    return found.where(~goes_on)


def _that_stand_alone(
    words: NDArray[np.int64], found: Statements, brackets: Brackets, grammar: Grammar
) -> Statements:
    """Leave out what a condition governs, what gives a block its value, and what is in a list."""
    if grammar.has_values:
        found = found.where(~_ENDS_OF_BLOCKS[words[found.ends]])
    if grammar.has_lists:
        found = found.where(depths_of(words)[found.firsts] == 0)
    if grammar.has_bare_bodies:
        found = found.where(~_are_governed(words, brackets)[found.firsts])
    return found


def _are_governed(words: NDArray[np.int64], brackets: Brackets) -> NDArray[np.bool_]:
    """Tell which symbols are right behind a condition or what stands for one."""
    are_governed = np.append(False, _WITHOUT_CONDITION[words[:-1]])
    heads = np.flatnonzero(_CONDITIONS[words[:-1]] & (words[1:] == _OPEN))
    stops = brackets.partners_of(heads + 1) + 1
    are_governed[np.minimum(stops, len(words) - 1)] = True
    are_governed[0] = False
    return are_governed
