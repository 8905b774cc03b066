"""The rules of a lexer's states, as the driver reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Final, NamedTuple

from pygments.lexer import bygroups
from pygments.token import _TokenType

from mosslite.frontends.driver.guards import guarded
from mosslite.frontends.driver.shapes import UNKNOWN, Shape, shape_of

if TYPE_CHECKING:
    from pygments.lexer import Lexer, LexerContext

__all__ = ["POP", "PUSH", "Rule", "Token", "rule_of"]

Token = tuple[int, _TokenType, str]
Action = Callable[..., Iterable[Token]]
Match = Callable[..., re.Match[str] | None]

Try = tuple[Match, _TokenType | None, Action | None, tuple[str, ...]]
"""A rule that is tried."""

POP: Final = "#pop"
PUSH: Final = "#push"

# All actions that ``bygroups`` gives have the same code.
_BY_GROUPS: Final = bygroups().__code__  # type: ignore[no-untyped-call]


class Rule(NamedTuple):
    """What a state does where an expression matches.

    Attributes:
        match: Matches the expression at a place of a text.
        kind: The kind of token that the match is; None if it is none, or several.
        action: What makes several tokens of it, if there are any.
        moves: Names of states to go to, ``POP`` and ``PUSH``, in this order.
    """

    match: Match
    kind: _TokenType | None
    action: Action | None
    moves: tuple[str, ...]

    def shape(self) -> Shape:
        """Tell what is known of the expression."""
        pattern = self._pattern()
        return shape_of(pattern) if pattern else UNKNOWN

    def to_try(self) -> Try:
        """Return all of it, to match the same and to fail sooner where it fails."""
        pattern = self._pattern()
        match = guarded(pattern).match if pattern else self.match
        return match, self.kind, self.action, self.moves

    def _pattern(self) -> re.Pattern[str] | None:
        pattern = getattr(self.match, "__self__", None)
        return pattern if isinstance(pattern, re.Pattern) else None


@dataclass(frozen=True, slots=True)
class Groups:
    """The action of ``bygroups`` where all parts are tokens: the numbers and kinds of groups."""

    kinds: tuple[tuple[int, _TokenType], ...]

    def __call__(
        self, _: Lexer, match: re.Match[str], context: LexerContext | None = None
    ) -> list[Token]:
        """Return a token for each group that is not empty."""
        tokens = [
            (match.start(number), kind, value)
            for number, kind in self.kinds
            if (value := match.group(number))
        ]
        if context:
            context.pos = match.end()
        return tokens


def rule_of(match: Match, action: _TokenType | Action | None, target: object) -> Rule:
    """Read a rule as Pygments keeps it: an expression, what its match is, and where to go.

    Raises:
        ValueError: It leads nowhere that is known.
    """
    if action is None or isinstance(action, _TokenType):
        return Rule(match, action, None, _moves(target))
    return Rule(match, None, _faster(action), _moves(target))


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


def _faster(action: Action) -> Action:
    """Replace what ``bygroups`` gave, if all it does is to name groups."""
    if not isinstance(action, FunctionType) or action.__code__ is not _BY_GROUPS:
        return action
    (parts,) = (cell.cell_contents for cell in action.__closure__ or ())
    if not all(part is None or isinstance(part, _TokenType) for part in parts):
        return action
    return Groups(tuple((number, part) for number, part in enumerate(parts, 1) if part is not None))
