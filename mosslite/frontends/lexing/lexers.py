"""Faster runs of Pygments' lexers: compiled state transitions, and tokens as numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from copy import copy
from functools import cache
from itertools import islice
from typing import Final, Self

from pygments.lexer import DelegatingLexer, ExtendedRegexLexer, Lexer, LexerContext, RegexLexer
from pygments.token import _TokenType

from mosslite.frontends.lexing.rules import POP, PUSH, State, Token, rule_of

# A state without rules.
_NOWHERE: Final = State("", [])


class _Run:
    """A match of many tokens, with a stack of its own that starts with the loop's last state.

    It ends when that state is left, or when no rule matches.
    """

    def __init__(self, states: Mapping[str, State], name: str) -> None:
        self._states = states
        self._stack = [states[name]]
        self._text = ""
        self._place = 0
        self._left: tuple[str, ...] = ()

    @property
    def moves(self) -> tuple[str, ...]:
        """The state transitions that turn the loop's stack into that of the run."""
        return (*(state.name for state in self._stack[1:]), *self._left)

    def match(self, text: str, place: int) -> Self | None:
        """Start a run at a position if any rule matches there; else return None."""
        self._text, self._place = text, place
        return self if can_go_on(self._stack[-1], text, place, len(text)) else None

    def end(self) -> int:
        """Return the position where the run ended."""
        return self._place

    def tokens(self, lexer: Lexer, _: _Run) -> Iterator[Token]:
        """Yield the tokens from state to state."""
        text, place, state = self._text, self._place, self._stack[-1]
        while True:
            # Inlined, as are the next lines: this is executed once per token.
            signs = text[place - 1 : place + 2] if place else "\n" + text[:2]
            sign, kind, moves, rules = state[signs]
            if kind is not None:
                yield place, kind, sign
                place += 1
            elif rules:
                for match, kind, action, moves in rules:  # noqa: B007
                    found = match(text, place)
                    if found:
                        break
                else:
                    break
                if kind is not None:
                    yield place, kind, found.group()
                elif action is not None:
                    yield from action(lexer, found)
                place = found.end()
            elif not moves:
                break
            if moves:
                state = self._state_behind(moves)
        self._place = place

    def _state_behind(self, moves: tuple[str, ...]) -> State:
        """Return the state after as many of the transitions as are known."""
        stack, rest = self._stack, iter(moves)
        for move in rest:
            if move != POP:
                stack.append(stack[-1] if move == PUSH else self._states[move])
            elif len(stack) > 1:
                stack.pop()
            else:
                self._left = (POP, *rest)
                return _NOWHERE
        return stack[-1]


class _RunState:
    """A state as presented to the loop; each time its rules are requested, a new run starts."""

    def __init__(self, states: Mapping[str, State], name: str) -> None:
        self._states = states
        self._name = name

    def __iter__(self) -> Iterator[tuple[object, object, object]]:
        run = _Run(self._states, self._name)
        yield run.match, run.tokens, _Moves.of(run)


class _Moves(tuple[str, ...]):
    """Lazily evaluated transitions; Pygments iterates over them after the run."""

    _run: _Run

    @classmethod
    def of(cls, run: _Run) -> Self:
        moves = cls()
        moves._run = run
        return moves

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.moves)


def can_go_on(state: State, text: str, place: int, end: int) -> bool:
    """Return whether any rule of a state matches at a position in a text that ends at ``end``."""
    _, kind, moves, rules = state[signs_at(text, place, end)]
    is_known = kind is not None or moves
    return bool(is_known) or any(match(text, place, end) for match, *_ in rules)


def signs_at(text: str, place: int, end: int) -> str:
    """Return the characters before, at and after a position, the key of a ``State``."""
    stop = min(place + 2, end)
    return text[place - 1 : stop] if place else "\n" + text[:stop]


class _ExtendedRunState:
    """A state as presented to Pygments' loop: a single rule without a next state."""

    def __init__(self, states: Mapping[str, State], name: str) -> None:
        self._states = states
        self._name = name

    def __iter__(self) -> Iterator[tuple[object, object, object]]:
        run = ExtendedRun(self._states, self._name)
        yield run.match, run.tokens, None


class ExtendedRun:
    """A match of many tokens on the loop's own stack; it ends when no rule matches."""

    def __init__(self, states: Mapping[str, State], name: str) -> None:
        self._states = states
        self._name = name
        self._text = ""

    def match(self, text: str, place: int, end: int) -> Self | None:
        """Start a run at a position if any rule matches there; else return None."""
        self._text = text
        return self if can_go_on(self._states[self._name], text, place, end) else None

    def tokens(self, lexer: Lexer, _: ExtendedRun, context: LexerContext) -> Iterator[Token]:
        """Yield the tokens from state to state; actions may change all of the context."""
        text, state = self._text, self._states[self._name]
        while True:
            place, end = context.pos, context.end
            sign, kind, moves, rules = state[signs_at(text, place, end)]
            if kind is not None:
                yield place, kind, sign
                context.pos = place + 1
            elif rules:
                for match, kind, action, moves in rules:  # noqa: B007
                    found = match(text, place, end)
                    if found:
                        break
                else:
                    break
                if kind is not None:
                    yield place, kind, found.group()
                    context.pos = found.end()
                elif action is not None:
                    yield from action(lexer, found, context)
                    state = self._states[context.stack[-1]]
            elif not moves:
                break
            if moves:
                _go(context.stack, moves)
                state = self._states[context.stack[-1]]


def _go(stack: list[str], moves: tuple[str, ...]) -> None:
    for move in moves:
        if move == PUSH:
            stack.append(stack[-1])
        elif move != POP:
            stack.append(move)
        elif len(stack) > 1:
            stack.pop()


class TokenInterner(dict["_TokenType", "_Values"]):
    """Ids of distinct tokens by type and text, in order of appearance.

    Attributes:
        distinct: Types and texts, by id.
        texts: The texts, by id.
        lengths: Their lengths, in 8 bytes each.
        characters: Total length of the texts.
    """

    def __init__(self) -> None:
        super().__init__()
        self.distinct: list[tuple[_TokenType, str]] = []
        self.texts: list[str] = []
        self.lengths = array("q")
        self.characters = 0

    def __missing__(self, kind: _TokenType) -> _Values:
        values = self[kind] = _Values(kind, self)
        return values

    def new(self, kind: _TokenType, value: str) -> int:
        """Return a new id for a token."""
        self.distinct.append((kind, value))
        self.texts.append(value)
        self.lengths.append(len(value))
        self.characters += len(value)
        return len(self.texts) - 1


class _Values(dict[str, int]):
    """The ids of the tokens of one type."""

    def __init__(self, kind: _TokenType, numbers: TokenInterner) -> None:
        super().__init__()
        self._kind = kind
        self._numbers = numbers

    def __missing__(self, value: str) -> int:
        number = self[value] = self._numbers.new(self._kind, value)
        return number


_RULES: Final = "_tokens"  # where Pygments' loop looks up the rules of states

# Number of tokens, still without ids, that are interned together.
_AT_ONCE: Final = 256


class _Table:
    """The rules of a lexer's states by name; hashed by identity."""

    def __init__(self, lexer: RegexLexer) -> None:
        self.rules = getattr(lexer, _RULES, {})
        self.is_extended = isinstance(lexer, ExtendedRegexLexer)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Table) and self.rules is other.rules

    def __hash__(self) -> int:
        return id(self.rules)


def fast_tokens(lexer: Lexer, text: str) -> Iterator[Token]:
    """Return the tokens of a text, faster than the lexer itself.

    Anything that the lexer does to its tokens after Pygments' own loop is still done. The lexer is
    copied, so state that it keeps from one text to the next has no effect.
    """
    return iter(_fast_lexer(lexer).get_tokens_unprocessed(text))  # some lexers return a list


def fast_numbers(lexer: Lexer, text: str, numbers: TokenInterner) -> Iterator[list[int]]:
    """Yield the types and texts of the same tokens as ids, in chunks."""
    tokens = fast_tokens(lexer, text)
    while some := [numbers[kind][value] for _, kind, value in islice(tokens, _AT_ONCE)]:
        yield some


def runs_faster(lexer: Lexer) -> bool:
    """Return whether a lexer, or one that it delegates to, is accelerated."""
    if isinstance(lexer, DelegatingLexer):
        return runs_faster(lexer.root_lexer) or runs_faster(lexer.language_lexer)
    return isinstance(lexer, RegexLexer) and bool(_states(_Table(lexer)))


def _fast_lexer(lexer: Lexer) -> Lexer:
    """Return a copy of a lexer with accelerated states, as Pygments' loop looks them up."""
    if not runs_faster(lexer):
        return lexer
    twin = copy(lexer)
    if isinstance(twin, DelegatingLexer):
        twin.root_lexer = _fast_lexer(twin.root_lexer)
        twin.language_lexer = _fast_lexer(twin.language_lexer)
    elif isinstance(twin, RegexLexer):
        vars(twin)[_RULES] = _entrances(_Table(twin))
    return twin


@cache
def _states(table: _Table) -> Mapping[str, State]:
    """Return the accelerated states by name; empty if a rule is of an unknown kind."""
    try:
        return {
            name: State(name, [rule_of(*rule) for rule in rules])
            for name, rules in table.rules.items()
        }
    except (TypeError, ValueError):
        return {}


@cache
def _entrances(table: _Table) -> Mapping[str, _RunState | _ExtendedRunState]:
    states = _states(table)
    kind = _ExtendedRunState if table.is_extended else _RunState
    return {name: kind(states, name) for name in states}
