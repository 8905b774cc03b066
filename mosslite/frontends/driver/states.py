"""What a lexer can do at a place, by its state and the signs there."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.frontends.driver.followers import followers
from mosslite.frontends.driver.signs import bit_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pygments.token import _TokenType

    from mosslite.frontends.driver.rules import Rule, Try
    from mosslite.frontends.driver.shapes import Shape

__all__ = ["Choice", "State"]

_MOST_CHOICES: Final = 16384  # of a state: a text of many scripts must not fill the memory


class Choice(NamedTuple):
    """What can be done at a place.

    Attributes:
        sign: The sign there.
        kind: The kind of token that it is, alone, if that is known without a try.
        moves: Where to go behind it; or at once, if it is known that nothing else is to be done.
        rules: Those to be tried otherwise, in their order; none if none can match.
    """

    sign: str
    kind: _TokenType | None
    moves: tuple[str, ...]
    rules: tuple[Rule, ...]


if TYPE_CHECKING:
    Step = tuple[str, _TokenType | None, tuple[str, ...], tuple[Try, ...]]
    """A choice as a state keeps it: a tuple without names is taken apart in half the time."""


class Candidate(NamedTuple):
    """A rule that may match at a sign.

    Attributes:
        rule: The rule.
        shape: What is known of its expression.
        behind: The signs that may follow the one at which it matches.
    """

    rule: Rule
    shape: Shape
    behind: int

    def choice(self, signs: str) -> Choice | None:
        """Return what is done by this rule at signs for sure, if that needs no try."""
        rule, shape = self.rule, self.shape
        is_single = shape.single & bit_of(signs[:1]) and shape.stops & bit_of(signs[1:])
        if rule.kind is not None and is_single:
            return Choice(signs[0], rule.kind, rule.moves, ())
        is_empty = rule.kind is None and rule.action is None and not shape.tree
        return Choice("", None, rule.moves, ()) if is_empty and rule.moves else None


class State(dict[str, "Step"]):
    """What a state chooses, by three signs of a text: before a place, there, and behind.

    Where the text ends there are less of them; before the text there is a line end.
    """

    def __init__(self, name: str, rules: Sequence[Rule]) -> None:
        super().__init__()
        self.name = name
        self._rules = rules
        self._by_place: dict[tuple[bool, str], Step] = {}
        self._by_sign: dict[tuple[bool, int], tuple[Candidate, ...]] = {}

    def __missing__(self, signs: str) -> Step:
        """Make the choice for signs that have not been met before."""
        place = signs[:1] == "\n", signs[1:]
        step = self._by_place.get(place) or _step_of(self._choice(*place))
        if len(self) < _MOST_CHOICES:
            self[signs] = self._by_place[place] = step
        return step

    def _choice(self, begins_line: bool, signs: str) -> Choice:
        here, behind = bit_of(signs[:1]), bit_of(signs[1:])
        at_sign = self._by_sign.get((begins_line, here))
        if at_sign is None:
            at_sign = tuple(self._candidates(begins_line, here))
            self._by_sign[begins_line, here] = at_sign
        chosen = [candidate for candidate in at_sign if candidate.behind & behind]
        rules = tuple(candidate.rule for candidate in chosen)
        known = chosen[0].choice(signs) if chosen else None
        return known or Choice(signs[:1], None, (), rules)

    def _candidates(self, begins_line: bool, here: int) -> Iterator[Candidate]:
        for rule, shape in self._shaped:
            behind = followers(shape.tree, here, begins_line=begins_line)
            if behind:
                yield Candidate(rule, shape, behind)

    @cached_property
    def _shaped(self) -> tuple[tuple[Rule, Shape], ...]:
        """The rules with their shapes, read when the state is first met."""
        return tuple((rule, rule.shape()) for rule in self._rules)


def _step_of(choice: Choice) -> Step:
    return choice.sign, choice.kind, choice.moves, tuple(rule.to_try() for rule in choice.rules)
