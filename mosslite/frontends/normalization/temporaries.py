"""Reads a name that stands for a value only up to the next statement as that value.

================================  =====================
what is written                   how it is read
================================  =====================
``int t = f(x); return t;``       ``return f(x);``
``t = x < y`` and ``if t:``       ``if x < y:``
``var t = x[i]; s.y += t;``       ``s.y += x[i];``
================================  =====================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.normalization.assignments import GRAMMARS
from mosslite.frontends.normalization.dead_stores import are_read
from mosslite.frontends.normalization.program import END, NAME
from mosslite.frontends.symbol_ids import symbol_id_of, symbol_set
from mosslite.ranges import expand_ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.normalization.assignments import Grammar
    from mosslite.frontends.normalization.program import Program

__all__ = ["without_temporaries"]

_BRACKET, _COLON, _COMMA, _EQUALS, _SEMICOLON = map(symbol_id_of, "(:,=;")
_CUTS = symbol_set("; { }", symbols.END)
# Between these a name is all that is read.
_BEFORE_VALUE = symbol_set("return if elif =")
_BEHIND_VALUE = symbol_set("; ) ] , : { } then", symbols.END)
_LOOPS = symbol_set("for foreach while until repeat loop do")  # they read it again and again
_OPEN, _CLOSE = map(symbol_set, ("( [ {", ") ] }"))
_OF_TYPES = symbol_set("[ ] < > ? * & :", symbols.NAME)

# So many symbols may stand before the name in the statement that reads it.
_OFFSETS = np.arange(1, 13)


class _Temporaries(NamedTuple):
    """Statements that give a name a value, and where it is read, in ``(m,) int64`` columns.

    Attributes:
        firsts: The first symbol of the statement.
        names: What is given a value.
        equals: The sign before the value.
        nexts: The first symbol of the next statement.
        ends: One past its last symbol.
        reads: The name in it.
    """

    firsts: NDArray[np.int64]
    names: NDArray[np.int64]
    equals: NDArray[np.int64]
    nexts: NDArray[np.int64]
    ends: NDArray[np.int64]
    reads: NDArray[np.int64]

    def where(self, mask: NDArray[np.bool_]) -> _Temporaries:
        """Keep those that ``mask`` marks."""
        return _Temporaries(*(each[mask] for each in self))


def without_temporaries(program: Program, indents: NDArray[np.int64], language: str) -> Program:
    """Inline the values of names that are read only once, by the next statement.

    Args:
        program: ``n`` symbols; each text ends in an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.
        language: What they are written in.
    """
    grammar = GRAMMARS.get(language)
    if grammar is None or not len(program.words):
        return program
    begins = _begin_statements(program.words, indents >= 0, grammar)
    found = _read_next(program, _given(program.words, begins, grammar))
    if language == "python":  # what is indented less is behind the block, which may be a loop's
        is_behind = (indents[found.nexts] >= 0) & (indents[found.nexts] < indents[found.firsts])
        found = found.where(~is_behind)
    if len(found.firsts):
        found = found.where(_are_plain(program.words, found, grammar))
    if not len(found.firsts):
        return program
    mentions = np.concatenate([found.names, found.reads])
    is_read = are_read(program, mentions, np.flatnonzero(program.words == END))
    return _replaced(program, found.where(~is_read[: len(found.firsts)]))


def _begin_statements(
    words: NDArray[np.int64], begins_line: NDArray[np.bool_], grammar: Grammar
) -> NDArray[np.int64]:
    begins = np.append(True, _CUTS[words[:-1]])
    if grammar.by_lines:
        goes_on = np.append(False, grammar.before_rest[words[:-1]]) | grammar.rest[words]
        begins |= begins_line & ~goes_on
    return np.append(np.flatnonzero(begins), [len(words)] * 2)


def _given(words: NDArray[np.int64], begins: NDArray[np.int64], grammar: Grammar) -> _Temporaries:
    """Find statements that may do no more than to give a name a value."""
    equals = np.flatnonzero(words[:-1] == _EQUALS)
    equals = equals[words[equals + 1] != _EQUALS]
    nth = np.searchsorted(begins, equals, "right")
    firsts, nexts = begins[nth - 1], begins[nth]
    is_declared = grammar.declaring[words[firsts]]
    if grammar.types_first:
        names = equals - 1
        is_named = (names == firsts) | is_declared | (words[firsts] == NAME)
    else:
        names = firsts + is_declared
        names += is_declared & grammar.declaring[words[names]]
        is_typed = is_declared | grammar.annotates | (names + 2 == equals)
        behind = words[names + 1]
        is_named = (names + 1 == equals) | (is_typed & (behind == _COLON))
        is_named |= is_declared & (behind == NAME)
    is_named &= (words[names] == NAME) & (names < equals) & (nexts < len(words))
    return _Temporaries(firsts, names, equals, nexts, begins[nth + 1], nexts).where(is_named)


def _read_next(program: Program, given: _Temporaries) -> _Temporaries:
    """Keep those of which all that the next statement reads at a place is the name."""
    words, last = program.words, len(program.words) - 1
    places = np.minimum(given.nexts[:, np.newaxis] + _OFFSETS, last)
    is_name = program.lexemes[places] == program.lexemes[given.names][:, np.newaxis]
    given = given._replace(reads=places[np.arange(len(places)), is_name.argmax(axis=1)])
    found = given.where(is_name.any(axis=1) & (given.reads < given.ends))
    behind = np.minimum(found.reads + 1, last)
    is_all = _BEHIND_VALUE[words[behind]] | (behind == found.ends)
    is_bracketed = words[found.reads - 1] == _BRACKET
    is_all &= _BEFORE_VALUE[words[found.reads - 1 - is_bracketed]] & ~_LOOPS[words[found.nexts]]
    return found.where(is_all)


def _are_plain(
    words: NDArray[np.int64], found: _Temporaries, grammar: Grammar
) -> NDArray[np.bool_]:
    """Return which statements have but a name and its type before the value, which is one."""
    of_names = _OF_TYPES | grammar.declaring
    lengths = found.equals - found.firsts
    heads = of_names[words[expand_ranges(found.firsts, lengths)]]
    are_plain: NDArray[np.bool_] = np.logical_and.reduceat(heads, np.cumsum(lengths) - lengths)
    last = words[found.nexts - 1]
    are_plain &= ((last == _SEMICOLON) | ~_CUTS[last]) & (found.equals + 1 < _stops(words, found))
    commas = np.flatnonzero(words == _COMMA)
    may_be_lists = np.searchsorted(commas, found.equals) < np.searchsorted(commas, found.nexts)
    for at in np.flatnonzero(are_plain & may_be_lists).tolist():
        value = words[found.equals[at] + 1 : found.nexts[at]]
        depths = np.cumsum(_OPEN[value].astype(np.int64) - _CLOSE[value])
        are_plain[at] = not (depths[value == _COMMA] == 0).any()
    return are_plain


def _stops(words: NDArray[np.int64], found: _Temporaries) -> NDArray[np.int64]:
    """Return where values end."""
    stops: NDArray[np.int64] = found.nexts - (words[found.nexts - 1] == _SEMICOLON)
    return stops


def _replaced(program: Program, found: _Temporaries) -> Program:
    """Put values where they are read, those of the first of several that overlap."""
    if not len(found.firsts):
        return program
    columns = (found.firsts, found.equals + 1, _stops(program.words, found), found.nexts)
    pieces: list[NDArray[np.int64]] = []
    behind = 0
    for first, value, stop, start, read in zip(
        *(each.tolist() for each in (*columns, found.reads)), strict=True
    ):
        if first >= behind:
            pieces += [np.arange(behind, first), np.arange(start, read), np.arange(value, stop)]
            behind = read + 1
    order = np.concatenate([*pieces, np.arange(behind, len(program.words))])
    is_kept = np.zeros(len(program.words), np.bool_)
    is_kept[order] = True
    return program.part(order)._replace(places=program.places[is_kept])
