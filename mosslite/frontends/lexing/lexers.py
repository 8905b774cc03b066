"""Lexers that the driver runs, and those that it leaves to Pygments."""

from __future__ import annotations

from copy import copy
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from pygments.lexer import DelegatingLexer, ExtendedRegexLexer, RegexLexer

from mosslite.frontends.lexing.counting import CountedRun, counted
from mosslite.frontends.lexing.rules import State, rule_of
from mosslite.frontends.lexing.runs import Entrance, ExtendedEntrance, TokenRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pygments.lexer import Lexer

    from mosslite.frontends.lexing.counting import Numbers
    from mosslite.frontends.lexing.rules import Token

__all__ = ["fast_numbers", "fast_tokens", "is_driven"]

_RULES: Final = "_tokens"  # where Pygments' loop looks for the rules of the states

# Tokens, without numbers of their own yet, that are counted together.
_AT_ONCE: Final = 256


class _Table:
    """The rules of a lexer's states by name, told from others by being the same object."""

    def __init__(self, lexer: RegexLexer) -> None:
        self.rules = getattr(lexer, _RULES, {})
        self.is_extended = isinstance(lexer, ExtendedRegexLexer)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Table) and self.rules is other.rules

    def __hash__(self) -> int:
        return id(self.rules)


def fast_tokens(lexer: Lexer, text: str) -> Iterator[Token]:
    """Return the tokens that a lexer gives for a text, sooner.

    Whatever the lexer makes of its tokens behind Pygments' own loop, it still does. The lexer is
    copied, so what it may keep from one text to the next has no effect.
    """
    return iter(_driven(lexer).get_tokens_unprocessed(text))  # a few give a list


def fast_numbers(lexer: Lexer, text: str, numbers: Numbers) -> Iterator[list[int]]:
    """Return the types and texts of the same tokens by their numbers, some at a time.

    Most lexers leave Pygments' loop as it is; they take less time than for tokens.
    """
    if isinstance(lexer, RegexLexer) and is_driven(lexer) and _has_own_loop(lexer):
        return counted(_counting(lexer), _driven(lexer), text, numbers)
    return _by_number(fast_tokens(lexer, text), numbers)


def _has_own_loop(lexer: RegexLexer) -> bool:
    return type(lexer).get_tokens_unprocessed is RegexLexer.get_tokens_unprocessed


def _by_number(tokens: Iterator[Token], numbers: Numbers) -> Iterator[list[int]]:
    while some := [numbers[kind][value] for _, kind, value in islice(tokens, _AT_ONCE)]:
        yield some


def is_driven(lexer: Lexer) -> bool:
    """Return whether a lexer, or one of those that it is made of, is run by the driver."""
    if isinstance(lexer, DelegatingLexer):
        return is_driven(lexer.root_lexer) or is_driven(lexer.language_lexer)
    return isinstance(lexer, RegexLexer) and bool(_states(_Table(lexer)))


def _driven(lexer: Lexer) -> Lexer:
    """Return a copy of a lexer whose states, as Pygments' loop finds them, are the driver's."""
    if not is_driven(lexer):
        return lexer
    twin = copy(lexer)
    if isinstance(twin, DelegatingLexer):
        twin.root_lexer = _driven(twin.root_lexer)
        twin.language_lexer = _driven(twin.language_lexer)
    elif isinstance(twin, RegexLexer):
        vars(twin)[_RULES] = _entrances(_Table(twin))
    return twin


def _counting(lexer: RegexLexer) -> RegexLexer:
    """Return a copy of a lexer with the entrances to counted runs."""
    twin = copy(lexer)
    vars(twin)[_RULES] = _entrances(_Table(lexer), counts=True)
    return twin


@cache
def _states(table: _Table) -> Mapping[str, State]:
    """Return the driver's states by name; none if a rule is not of a known kind."""
    try:
        return {
            name: State(name, [rule_of(*rule) for rule in rules])
            for name, rules in table.rules.items()
        }
    except (TypeError, ValueError):
        return {}


@cache
def _entrances(table: _Table, *, counts: bool = False) -> Mapping[str, Entrance | ExtendedEntrance]:
    states = _states(table)
    if table.is_extended:
        return {name: ExtendedEntrance(states, name) for name in states}
    kind = CountedRun if counts else TokenRun
    return {name: Entrance(states, name, kind) for name in states}
