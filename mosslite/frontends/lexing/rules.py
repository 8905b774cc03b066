"""Rules of a lexer's states, and which of them can match at each character."""

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import FunctionType
from typing import Final, NamedTuple

from pygments.lexer import Lexer, LexerContext, bygroups
from pygments.token import _TokenType

from mosslite.frontends.lexing.patterns import (
    ASCII,
    IGNORECASE,
    LETTERS,
    MOST,
    OTHER,
    UNKNOWN,
    Item,
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

# Number of characters searched ahead: without a limit, a text in which a match could start
# anywhere would take quadratic time.
_FAR: Final = 80

_CHARACTERS: Final = ASCII | OTHER

# For rarer characters, the analysis would cost more than the tries that it avoids.
_FREQUENT: Final = LETTERS | bit_of(" ")


@cache
def guarded(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Return an equivalent expression that usually fails immediately.

    It is the same one if no required character is known, or if failure is immediate anyway.
    """
    looked_for = _required_characters(items_of(pattern), pattern.flags)
    if looked_for is None:
        return pattern
    before, signs = looked_for
    guard = f"(?=(?-i:{_written(before)}{{0,{_FAR}}}+{_written(before | signs)}))"
    try:
        with warnings.catch_warnings(action="ignore"):  # already issued when the lexer compiled it
            return re.compile(guard + pattern.pattern, pattern.flags)
    except re.error:  # it starts with flags of its own
        return pattern


def _required_characters(items: Sequence[Item], flags: int) -> tuple[int, int] | None:
    """Return the leading characters and a set of which one must follow, as late as known."""
    begins = head_of(nodes_of(items, flags), begins_line=True).begins
    if not begins & _FREQUENT or not any(map(_is_endless, items[:-1])):
        return None
    found, taken, is_endless = None, 0, False
    for index, item in enumerate(items):
        if is_endless and taken:
            head = head_of(nodes_of(items[index:], flags), begins_line=True)
            is_distinct = head.begins | taken != _CHARACTERS  # else all would match
            if is_distinct and not head.passes and not head.begins & taken:
                found = taken, head.begins
        try:
            taken |= _taken([item], flags)
        except ValueError:
            break
        is_endless |= _is_endless(item)
    return found


def _is_endless(item: Item) -> bool:
    """Return whether an item may consume any number of characters."""
    match item[0].name, item[1]:
        case "SUBPATTERN", (_, _, _, part):
            return any(map(_is_endless, part))
        case "BRANCH", (_, parts):
            return any(_is_endless(item) for part in parts for item in part)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT", (_, most, _):
            return bool(most == MOST)
    return False


def _taken(items: Iterable[Item], flags: int) -> int:
    """Return all characters that a sequence may consume.

    Raises:
        ValueError: It contains an unknown item.
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
    """Return an expression for a set of characters."""
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

# All actions returned by ``bygroups`` share this code object.
_BY_GROUPS: Final = bygroups().__code__  # type: ignore[no-untyped-call]


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
    """The action of ``bygroups`` if all parts are token types: group numbers with their types."""

    kinds: tuple[tuple[int, _TokenType], ...]

    def __call__(
        self, _: Lexer, match: re.Match[str], context: LexerContext | None = None
    ) -> list[Token]:
        """Return a token for each non-empty group."""
        tokens = [
            (match.start(number), kind, value)
            for number, kind in self.kinds
            if (value := match.group(number))
        ]
        if context:
            context.pos = match.end()
        return tokens


def rule_of(match: Match, action: _TokenType | Action | None, target: object) -> _Rule:
    """Convert a rule in Pygments' form: expression, action and new state.

    Raises:
        ValueError: The new state is of an unknown kind.
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
    """Replace an action of ``bygroups`` that only assigns types to groups."""
    if not isinstance(action, FunctionType) or action.__code__ is not _BY_GROUPS:
        return action
    (parts,) = (cell.cell_contents for cell in action.__closure__ or ())
    if not all(part is None or isinstance(part, _TokenType) for part in parts):
        return action
    return Groups(tuple((number, part) for number, part in enumerate(parts, 1) if part is not None))


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
    return choice.sign, choice.kind, choice.moves, tuple(rule.to_try() for rule in choice.rules)
