"""Finds the name that a statement gives a value to, if that is all it can do.

What the statements of a valid program are is plain from little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.standard_form.grammars import MODIFIERS, OPERATORS
from mosslite.frontends.standard_form.program import NAME
from mosslite.frontends.words import number_of_word, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.standard_form.grammars import Grammar

__all__ = ["Targets", "targets_in"]

_COMMA, _COLON, _EQUALS, _LESS, _MINUS = map(number_of_word, ",:=<-")
_STEPS = table_of("+ -")
_SIGNS = OPERATORS | table_of(": .")  # ``x := 1``, ``x .= 'a'``
_BEGINS_TYPE = MODIFIERS | table_of("", symbols.NAME)
_SIGIL = table_of("$")
# Before a name without a type they declare nothing: ``private set;`` in C#.
_ACCESS = table_of("private protected public")


class Targets(NamedTuple):
    """What the symbols of statements are parts of, in ``(n,)`` columns.

    Attributes:
        are_stores: ``bool``, something that only stores.
        names: ``int64``, what it stores to.
        values: ``int64``, where that is said: all before is of the name and its type.
    """

    are_stores: NDArray[np.bool_]
    names: NDArray[np.int64]
    values: NDArray[np.int64]


class _Items(NamedTuple):
    """What commas part in statements, each from ``firsts`` to ``stops``."""

    firsts: NDArray[np.int64]
    stops: NDArray[np.int64]
    nexts: NDArray[np.int64]
    are_next: NDArray[np.bool_]


def targets_in(words: NDArray[np.int64], starts: NDArray[np.int64], grammar: Grammar) -> Targets:
    """Return the targets of statements.

    Args:
        words: ``(n,)`` symbols of statements, end to end.
        starts: ``(m,)``, which of them are first.
        grammar: How stores are written.
    """
    items = _items_in(words, starts)
    find = _behind_types if grammar.types_first else _before_types
    is_store, names, values = find(words, items, grammar)
    is_store &= words[names] == NAME
    # In a loop's head.
    is_store &= (values + 1 >= items.stops) | (_word(words, values + 1) != _EQUALS)
    lengths = items.nexts - items.firsts
    return Targets(is_store.repeat(lengths), names.repeat(lengths), values.repeat(lengths))


def _word(words: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
    return words[np.minimum(places, len(words) - 1)]


def _items_in(words: NDArray[np.int64], starts: NDArray[np.int64]) -> _Items:
    begins = np.append(False, words[:-1] == _COMMA)
    is_next = begins.copy()
    begins[starts], is_next[starts] = True, False
    firsts = np.flatnonzero(begins)
    nexts = np.append(firsts[1:], len(words))
    return _Items(firsts, nexts - (words[nexts - 1] == _COMMA), nexts, is_next[firsts])


def _behind_types(words: NDArray[np.int64], items: _Items, _: Grammar) -> Targets:
    """Find the name that is before ``=``, or last where there is none, but for signs."""
    firsts = items.firsts
    equals = np.append(np.flatnonzero(words == _EQUALS), len(words))
    heads = np.minimum(equals[np.searchsorted(equals, firsts)], items.stops)
    is_signed = OPERATORS[words[heads - 1]]
    is_twice = is_signed & (words[np.maximum(heads - 2, 0)] == words[heads - 1])
    names = np.maximum(heads - 1 - is_signed - is_twice, 0)
    is_store = (names == firsts) & ((heads < items.stops) | is_twice)
    is_typed = (heads < items.stops) | ~_ACCESS[words[names - 1]]
    is_store |= (names > firsts) & ~is_signed & _BEGINS_TYPE[words[firsts]] & is_typed
    is_store |= (names == firsts + len("++")) & _STEPS[words[firsts]]
    is_store = np.where(items.are_next, (names >= firsts) & ~is_signed, is_store)
    return Targets(is_store, names, heads)


def _before_types(words: NDArray[np.int64], items: _Items, grammar: Grammar) -> Targets:
    """Find the first name; what is between it and ``=`` is a sign or two, or its type."""
    firsts, stops = items.firsts, items.stops
    bare = np.append(np.flatnonzero(~(grammar.declaring | _SIGIL)[words]), len(words) - 1)
    names = np.minimum(bare[np.searchsorted(bare, firsts)], stops - 1)
    is_prefix = _STEPS[words[firsts]] & (_word(words, firsts + 1) == words[firsts])
    is_prefix &= firsts + len("++x") == stops
    names = np.where(is_prefix, stops - 1, names)
    gives = np.append(np.flatnonzero(_gives(words, grammar)), len(words))
    values = np.minimum(gives[np.searchsorted(gives, names)], stops)
    gap, sign, second = values - names - 1, _word(words, names + 1), _word(words, names + 2)
    is_twice = (gap == len("++")) & OPERATORS[sign] & (second == sign)
    is_store = (gap == 0) | ((gap == 1) & _SIGNS[sign]) | is_twice
    is_store |= (sign == _COLON) & grammar.annotates
    is_store &= (values < stops) | (is_twice & _STEPS[sign])
    is_store |= is_prefix | items.are_next | grammar.declaring[words[firsts]]
    return Targets(is_store, names, values)


def _gives(words: NDArray[np.int64], grammar: Grammar) -> NDArray[np.bool_]:
    """Tell which symbols are ``=`` or begin an arrow."""
    is_given: NDArray[np.bool_] = words == _EQUALS
    if grammar.has_arrows:
        is_given[:-1] |= (words[:-1] == _LESS) & (words[1:] == _MINUS)
    return is_given
