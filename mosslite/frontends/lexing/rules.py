"""Rules of a lexer's states, and which of them can match at each character."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from pygments.token import _TokenType

from mosslite.frontends.lexing.patterns import (
    UNKNOWN,
    Shape,
    bit_of,
    followers,
    shape_of,
)

Token = tuple[int, _TokenType, str]
Action = Callable[..., Iterable[Token]]
Match = Callable[..., re.Match[str] | None]

Try = tuple[Match, _TokenType | None, Action | None, tuple[str, ...]]
"""A rule that is tried."""

POP: Final = "#pop"
PUSH: Final = "#push"


class _Rule(NamedTuple):
    """What a state does when an expression matches.

    Attributes:
        match: Matches the expression at a position in a text.
        kind: Token type of the match; None if there is no token, or several.
        action: Splits the match into several tokens; None if there is only one.
        moves: State transitions in order: names of states, ``POP`` and ``PUSH``.
    """

    match: Match
    kind: _TokenType | None
    action: Action | None
    moves: tuple[str, ...]

    def shape(self) -> Shape:
        """Return the properties of the expression."""
        pattern = getattr(self.match, "__self__", None)
        return shape_of(pattern) if isinstance(pattern, re.Pattern) else UNKNOWN


def rule_of(match: Match, action: _TokenType | Action | None, target: object) -> _Rule:
    """Convert a rule in Pygments' form: expression, action and new state.

    Raises:
        ValueError: The new state is of an unknown kind.
    """
    if action is None or isinstance(action, _TokenType):
        return _Rule(match, action, None, _moves(target))
    return _Rule(match, None, action, _moves(target))


def _moves(target: object) -> tuple[str, ...]:
    match target:
        case None:
            return ()
        case tuple():
            return target
        case int() if target < 0:
            return (POP,) * -target
        case "#push":
            return (PUSH,)
    msg = f"unknown target of a rule: {target!r}"
    raise ValueError(msg)


_MOST_CHOICES: Final = 16384  # per state: a text in many scripts must not exhaust memory


class _Choice(NamedTuple):
    """What to do at a position.

    Attributes:
        sign: The character there.
        kind: Token type of that character alone, if known without trying a rule.
        moves: Transitions after it; or at once, if nothing else is to be done.
        rules: The rules to try otherwise, in order; empty if none can match.
    """

    sign: str
    kind: _TokenType | None
    moves: tuple[str, ...]
    rules: tuple[_Rule, ...]


Step = tuple[str, _TokenType | None, tuple[str, ...], tuple[Try, ...]]
"""A choice as a state keeps it: a tuple without names is taken apart in half the time."""


class Candidate(NamedTuple):
    """A rule that may match at a character.

    Attributes:
        rule: The rule.
        shape: Properties of its expression.
        behind: Characters that may follow the first one of a match.
    """

    rule: _Rule
    shape: Shape
    behind: int

    def choice(self, signs: str) -> _Choice | None:
        """Return the rule's effect at these characters if certain without trying; else None."""
        rule, shape = self.rule, self.shape
        is_single = shape.single & bit_of(signs[:1]) and shape.stops & bit_of(signs[1:])
        if rule.kind is not None and is_single:
            return _Choice(signs[0], rule.kind, rule.moves, ())
        is_empty = rule.kind is None and rule.action is None and not shape.tree
        return _Choice("", None, rule.moves, ()) if is_empty and rule.moves else None


class State(dict[str, "Step"]):
    """The choices of a state, by three characters: before, at and after a position.

    At the end of the text the key is shorter; before the text a line end is assumed.
    """

    def __init__(self, name: str, rules: Sequence[_Rule]) -> None:
        super().__init__()
        self.name = name
        self._rules = rules
        self._by_place: dict[tuple[bool, str], Step] = {}
        self._by_sign: dict[tuple[bool, int], tuple[Candidate, ...]] = {}

    def __missing__(self, signs: str) -> Step:
        """Compute the choice for characters seen for the first time."""
        place = signs[:1] == "\n", signs[1:]
        step = self._by_place.get(place) or _step_of(self._choice(*place))
        if len(self) < _MOST_CHOICES:
            self[signs] = self._by_place[place] = step
        return step

    def _choice(self, begins_line: bool, signs: str) -> _Choice:
        here, behind = bit_of(signs[:1]), bit_of(signs[1:])
        at_sign = self._by_sign.get((begins_line, here))
        if at_sign is None:
            at_sign = tuple(self._candidates(begins_line, here))
            self._by_sign[begins_line, here] = at_sign
        chosen = [candidate for candidate in at_sign if candidate.behind & behind]
        rules = tuple(candidate.rule for candidate in chosen)
        known = chosen[0].choice(signs) if chosen else None
        return known or _Choice(signs[:1], None, (), rules)

    def _candidates(self, begins_line: bool, here: int) -> Iterator[Candidate]:
        for rule, shape in self._shaped:
            behind = followers(shape.tree, here, begins_line=begins_line)
            if behind:
                yield Candidate(rule, shape, behind)

    @cached_property
    def _shaped(self) -> tuple[tuple[_Rule, Shape], ...]:
        """The rules with properties of their expressions, computed on first use."""
        return tuple((rule, rule.shape()) for rule in self._rules)


def _step_of(choice: _Choice) -> Step:
    rules = tuple((rule.match, rule.kind, rule.action, rule.moves) for rule in choice.rules)
    return choice.sign, choice.kind, choice.moves, rules
