"""The rules of a lexer's states, and which of them can match at each character."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Final, NamedTuple

from pygments.lexer import bygroups
from pygments.token import _TokenType

from mosslite.frontends.lexing.patterns import (
    ASCII,
    IGNORECASE,
    LETTERS,
    MOST,
    OTHER,
    UNKNOWN,
    Shape,
    bit_of,
    both_cases,
    flags_within,
    followers,
    head_of,
    is_set,
    items_of,
    nodes_of,
    shape_of,
    signs_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pygments.lexer import Lexer, LexerContext

    from mosslite.frontends.lexing.patterns import Item

__all__ = [
    "POP",
    "PUSH",
    "State",
    "Token",
    "guarded",
    "rule_of",
]


# So many signs are looked at: in a text without end that could begin anywhere, each look would
# be at all of it.
_FAR: Final = 80

_CHARACTERS: Final = ASCII | OTHER

# What is tried seldom is not worth the time that it takes to know more.
_FREQUENT: Final = LETTERS | bit_of(" ")


@cache
def guarded(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Return an equivalent expression that usually fails immediately.

    It is the same one where nothing is known to look for, or where there is one way to fail.
    """
    looked_for = _required_characters(items_of(pattern), pattern.flags)
    if looked_for is None:
        return pattern
    before, signs = looked_for
    guard = f"(?=(?-i:{_written(before)}{{0,{_FAR}}}+{_written(before | signs)}))"
    try:
        with warnings.catch_warnings(action="ignore"):  # there has been one
            return re.compile(guard + pattern.pattern, pattern.flags)
    except re.error:  # it begins with flags of its own
        return pattern


def _required_characters(items: Sequence[Item], flags: int) -> tuple[int, int] | None:
    """Return the signs that are taken first, and those of which one follows, as late as known."""
    begins = head_of(nodes_of(items, flags), begins_line=True).begins
    if not begins & _FREQUENT or not any(map(_is_endless, items[:-1])):
        return None
    found, taken, is_endless = None, 0, False
    for index, item in enumerate(items):
        if is_endless and taken:
            head = head_of(nodes_of(items[index:], flags), begins_line=True)
            is_distinct = head.begins | taken != _CHARACTERS  # else anything would do
            if is_distinct and not head.passes and not head.begins & taken:
                found = taken, head.begins
        try:
            taken |= _taken([item], flags)
        except ValueError:
            break
        is_endless |= _is_endless(item)
    return found


def _is_endless(item: Item) -> bool:
    """Return whether there is no end of what an item may take."""
    match item[0].name, item[1]:
        case "SUBPATTERN", (_, _, _, part):
            return any(map(_is_endless, part))
        case "BRANCH", (_, parts):
            return any(_is_endless(item) for part in parts for item in part)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT", (_, most, _):
            return bool(most == MOST)
    return False


def _taken(items: Iterable[Item], flags: int) -> int:
    """Return all signs that a sequence may take.

    Raises:
        ValueError: Not all of it is understood.
    """
    taken = 0
    for item in items:
        taken |= _taken_by(item, flags)
    return taken


def _taken_by(item: Item, flags: int) -> int:
    if is_set(item):
        signs = signs_of(item, flags)
        return both_cases(signs) if flags & IGNORECASE else signs
    match item[0].name, item[1]:
        case "SUBPATTERN", (_, int(on), int(off), part):
            return _taken(part, flags_within(flags, on, off))
        case "BRANCH", (_, parts):
            return _taken((item for part in parts for item in part), flags)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT", (_, _, part):
            return _taken(part, flags)
        case "AT" | "ASSERT" | "ASSERT_NOT", _:
            return 0
    msg = f"not understood: {item[0].name}"
    raise ValueError(msg)


def _written(signs: int) -> str:
    """Write a set of signs as an expression."""
    is_open = bool(signs & OTHER)
    named = ASCII & (~signs if is_open else signs)
    codes = "".join(f"\\x{code:02x}" for code in range(128) if named >> code & 1)
    return f"[^{codes}]" if is_open else f"[{codes}]"


Token = tuple[int, _TokenType, str]
Action = Callable[..., Iterable[Token]]
Match = Callable[..., re.Match[str] | None]

Try = tuple[Match, _TokenType | None, Action | None, tuple[str, ...]]
"""A rule that is tried."""

POP: Final = "#pop"
PUSH: Final = "#push"

# All actions that ``bygroups`` gives have the same code.
_BY_GROUPS: Final = bygroups().__code__  # type: ignore[no-untyped-call]


class _Rule(NamedTuple):
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
        """Return what is known of the expression."""
        pattern = self._pattern()
        return shape_of(pattern) if pattern else UNKNOWN

    def to_try(self) -> Try:
        """Return an equivalent expression that fails sooner."""
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


def rule_of(match: Match, action: _TokenType | Action | None, target: object) -> _Rule:
    """Read a rule in Pygments' form: expression, action and new state.

    Raises:
        ValueError: It leads nowhere that is known.
    """
    if action is None or isinstance(action, _TokenType):
        return _Rule(match, action, None, _moves(target))
    return _Rule(match, None, _faster(action), _moves(target))


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


_MOST_CHOICES: Final = 16384  # of a state: a text of many scripts must not fill the memory


class _Choice(NamedTuple):
    """The rules to try at a place.

    Attributes:
        sign: The sign there.
        kind: The kind of token that it is, alone, if that is known without a try.
        moves: Where to go behind it; or at once, if it is known that nothing else is to be done.
        rules: Those to be tried otherwise, in their order; none if none can match.
    """

    sign: str
    kind: _TokenType | None
    moves: tuple[str, ...]
    rules: tuple[_Rule, ...]


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

    rule: _Rule
    shape: Shape
    behind: int

    def choice(self, signs: str) -> _Choice | None:
        """Return what is done by this rule at signs for sure, if that needs no try."""
        rule, shape = self.rule, self.shape
        is_single = shape.single & bit_of(signs[:1]) and shape.stops & bit_of(signs[1:])
        if rule.kind is not None and is_single:
            return _Choice(signs[0], rule.kind, rule.moves, ())
        is_empty = rule.kind is None and rule.action is None and not shape.tree
        return _Choice("", None, rule.moves, ()) if is_empty and rule.moves else None


class State(dict[str, "Step"]):
    """The choices of a state, by three characters: before a place, at it, and behind it.

    Where the text ends there are less of them; before the text there is a line end.
    """

    def __init__(self, name: str, rules: Sequence[_Rule]) -> None:
        super().__init__()
        self.name = name
        self._rules = rules
        self._by_place: dict[tuple[bool, str], Step] = {}
        self._by_sign: dict[tuple[bool, int], tuple[Candidate, ...]] = {}

    def __missing__(self, signs: str) -> Step:
        """Compute the choice for characters not met before."""
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
        """The rules with their shapes, read when the state is first met."""
        return tuple((rule, rule.shape()) for rule in self._rules)


def _step_of(choice: _Choice) -> Step:
    return choice.sign, choice.kind, choice.moves, tuple(rule.to_try() for rule in choice.rules)
