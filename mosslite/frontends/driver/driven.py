"""Lexers that the driver runs, and those that it leaves to Pygments."""

from __future__ import annotations

from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Final

from pygments.lexer import DelegatingLexer, ExtendedRegexLexer, RegexLexer

from mosslite.frontends.driver.extended import ExtendedEntrance
from mosslite.frontends.driver.rules import rule_of
from mosslite.frontends.driver.run import Entrance
from mosslite.frontends.driver.states import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pygments.lexer import Lexer

    from mosslite.frontends.driver.rules import Token

__all__ = ["fast_tokens", "is_driven"]


_RULES: Final = "_tokens"  # where Pygments' loop looks for the rules of the states


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
    """Give the tokens that a lexer gives for a text, sooner.

    Whatever the lexer makes of its tokens behind Pygments' own loop, it still does. The lexer is
    copied, so what it may keep from one text to the next has no effect.
    """
    return _driven(lexer).get_tokens_unprocessed(text)


def is_driven(lexer: Lexer) -> bool:
    """Tell whether a lexer, or one of those that it is made of, is run by the driver."""
    if isinstance(lexer, DelegatingLexer):
        return is_driven(lexer.root_lexer) or is_driven(lexer.language_lexer)
    return isinstance(lexer, RegexLexer) and bool(_entrances(_Table(lexer)))


def _driven(lexer: Lexer) -> Lexer:
    """Give a copy of a lexer whose states, as Pygments' loop finds them, are the driver's."""
    if not is_driven(lexer):
        return lexer
    twin = copy(lexer)
    if isinstance(twin, DelegatingLexer):
        twin.root_lexer = _driven(twin.root_lexer)
        twin.language_lexer = _driven(twin.language_lexer)
    elif isinstance(twin, RegexLexer):
        vars(twin)[_RULES] = _entrances(_Table(twin))
    return twin


@cache
def _entrances(table: _Table) -> Mapping[str, Entrance | ExtendedEntrance]:
    """Give the driver's states by name; none if a rule is not of a known kind."""
    try:
        states = {
            name: State(name, [rule_of(*rule) for rule in rules])
            for name, rules in table.rules.items()
        }
    except (TypeError, ValueError):
        return {}
    kind = ExtendedEntrance if table.is_extended else Entrance
    return {name: kind(states, name) for name in states}
