"""Syntax of assignments in each language, and the name that one assigns to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.normalization.program import NAME
from mosslite.frontends.symbols import symbol_id_of, symbol_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = [
    "GRAMMARS",
    "LITERALS",
    "OPERATORS",
    "Grammar",
    "targets_in",
]


OPERATORS: Final = symbol_set("+ - * / % & | ^")
_MODIFIERS: Final = symbol_set("auto const final let private protected public register static var")
# Literals that some lexers treat as names.
LITERALS: Final = symbol_set(
    "true false null nil nullptr undef undefined None NULL True False TRUE FALSE"
)

_OPERANDS = LITERALS | symbol_set("", symbols.NAME, symbols.NUMBER, symbols.STRING)
_VALUES = OPERATORS | _OPERANDS | symbol_set("=")
_ANNOTATIONS = symbol_set(": [ ] < > ? .")
_BEFORE_REST = symbol_set("( [ , = .")
_REST = OPERATORS | symbol_set(", = . < > ? :")
_BRACKETS = symbol_set("( [")


class Grammar(NamedTuple):
    """Syntax of stores; tables are indexed by symbol id.

    Attributes:
        parts: Symbols that stores consist of.
        declaring: Symbols allowed before a declared name.
        types_first: Types may come before it, too.
        by_lines: The end of a line may end a store.
        before_rest: Symbols at the end of a line that is continued.
        rest: Symbols at the start of a continuation line.
        has_bare_bodies: A condition may govern a statement without braces.
        has_arrows: ``<-`` assigns; elsewhere ``x < -1`` may compare, or send to a channel.
        has_lists: Brackets may contain lists whose items look like stores.
        has_values: The last statement of a block is its value.
        annotates: A type may follow a colon even where nothing is declared.
        is_script: Names outside of all brackets are not visible to other files.
        takes_parameters: The head of a type may end with a parenthesis.
        discards: An assignment to ``_`` discards the value.
        names: Matches names that no other file reads; matches any if empty.
        in_strings: Strings may read names in a way that the lexer does not fully show.
    """

    parts: NDArray[np.bool_]
    declaring: NDArray[np.bool_]
    types_first: bool = False
    by_lines: bool = True
    before_rest: NDArray[np.bool_] = _BEFORE_REST
    rest: NDArray[np.bool_] = _REST
    has_bare_bodies: bool = False
    has_arrows: bool = False
    has_lists: bool = False
    has_values: bool = False
    annotates: bool = False
    is_script: bool = True
    takes_parameters: bool = False
    discards: bool = False
    names: str = ""
    in_strings: bool = True


def _declaring(words: str) -> Grammar:
    """Return the grammar of a language that declares with these words, if any."""
    declaring = symbol_set(f"{words} $")
    return Grammar(_VALUES | _ANNOTATIONS | declaring | symbol_set(","), symbol_set(words))


_TYPED = Grammar(
    _VALUES | _MODIFIERS | symbol_set(","),
    _MODIFIERS,
    types_first=True,
    by_lines=False,
    in_strings=False,
)
_C = _TYPED._replace(is_script=False)
_JAVASCRIPT = _declaring("const let var")._replace(
    rest=_REST | _BRACKETS, has_bare_bodies=True, in_strings=False
)
_SCALA = _declaring("const val var")._replace(
    has_bare_bodies=True, is_script=False, takes_parameters=True
)

GRAMMARS: Final[Mapping[str, Grammar]] = {
    "c": _C,
    "cpp": _C,
    "csharp": _TYPED._replace(in_strings=True, takes_parameters=True, discards=True),
    "dart": _TYPED._replace(is_script=False),
    "go": _declaring("const var")._replace(is_script=False, discards=True, in_strings=False),
    "java": _TYPED,
    "javascript": _JAVASCRIPT,
    "julia": _declaring("const local")._replace(has_lists=True, has_values=True, annotates=True),
    "kotlin": _SCALA,
    "lua": _declaring("local")._replace(rest=_REST | _BRACKETS, has_lists=True, in_strings=False),
    "octave": _declaring(""),
    "perl": _declaring("my")._replace(by_lines=False, has_values=True, names=r"[a-z]\w*"),
    "php": _declaring("static")._replace(by_lines=False),
    "python": Grammar(
        _VALUES | symbol_set(": [ ] ."),
        symbol_set(""),
        before_rest=symbol_set("( [ { ,"),
        rest=symbol_set(""),
        annotates=True,
        in_strings=False,
    ),
    "ruby": _declaring("")._replace(has_values=True, names=r"[a-z]\w*"),
    "rust": _declaring("const let mut static")._replace(
        by_lines=False, is_script=False, discards=True
    ),
    "scala": _SCALA,
    "splus": _declaring("")._replace(has_arrows=True, has_bare_bodies=True, has_values=True),
    "swift": _declaring("let var")._replace(discards=True),
    "typescript": _JAVASCRIPT,
}


_COMMA, _COLON, _EQUALS, _LESS, _MINUS = map(symbol_id_of, ",:=<-")
_STEPS = symbol_set("+ -")
_SIGNS = OPERATORS | symbol_set(": .")  # ``x := 1``, ``x .= 'a'``
_BEGINS_TYPE = _MODIFIERS | symbol_set("", symbols.NAME)
_SIGIL = symbol_set("$")
# Without a type they declare nothing: ``private set;`` in C#.
_ACCESS = symbol_set("private protected public")


class _Targets(NamedTuple):
    """The roles of symbols in statements, in ``(n,)`` columns.

    Attributes:
        are_stores: ``bool``, whether the statement only stores.
        names: ``int64``, the index of the name it stores to.
        values: ``int64``, the index of the assignment operator.
    """

    are_stores: NDArray[np.bool_]
    names: NDArray[np.int64]
    values: NDArray[np.int64]


class _Items(NamedTuple):
    """Comma-separated items of statements, each from ``firsts`` to ``stops``."""

    firsts: NDArray[np.int64]
    stops: NDArray[np.int64]
    nexts: NDArray[np.int64]
    are_next: NDArray[np.bool_]


def targets_in(words: NDArray[np.int64], starts: NDArray[np.int64], grammar: Grammar) -> _Targets:
    """Return the assignment targets of statements.

    Args:
        words: ``(n,)`` symbol ids of concatenated statements.
        starts: ``(m,)`` indices of their first symbols.
        grammar: Syntax of stores.
    """
    items = _items_in(words, starts)
    find = _behind_types if grammar.types_first else _before_types
    is_store, names, values = find(words, items, grammar)
    is_store &= words[names] == NAME
    # Not ``==``, which is two symbols, as in the head of a loop.
    is_store &= (values + 1 >= items.stops) | (_word(words, values + 1) != _EQUALS)
    lengths = items.nexts - items.firsts
    return _Targets(is_store.repeat(lengths), names.repeat(lengths), values.repeat(lengths))


def _word(words: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
    return words[np.minimum(places, len(words) - 1)]


def _items_in(words: NDArray[np.int64], starts: NDArray[np.int64]) -> _Items:
    begins = np.append(False, words[:-1] == _COMMA)
    is_next = begins.copy()
    begins[starts], is_next[starts] = True, False
    firsts = np.flatnonzero(begins)
    nexts = np.append(firsts[1:], len(words))
    return _Items(firsts, nexts - (words[nexts - 1] == _COMMA), nexts, is_next[firsts])


def _behind_types(words: NDArray[np.int64], items: _Items, _: Grammar) -> _Targets:
    """Find the name before ``=``, or the last one if there is no ``=``, ignoring signs."""
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
    return _Targets(is_store, names, heads)


def _before_types(words: NDArray[np.int64], items: _Items, grammar: Grammar) -> _Targets:
    """Find the first name; between it and ``=`` may be a sign or two, or its type."""
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
    return _Targets(is_store, names, values)


def _gives(words: NDArray[np.int64], grammar: Grammar) -> NDArray[np.bool_]:
    """Return which symbols are ``=`` or start an arrow."""
    is_given: NDArray[np.bool_] = words == _EQUALS
    if grammar.has_arrows:
        is_given[:-1] |= (words[:-1] == _LESS) & (words[1:] == _MINUS)
    return is_given
