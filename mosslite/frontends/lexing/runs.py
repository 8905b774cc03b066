"""Runs of a lexer through its states, as far as they get without Pygments' own loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

from mosslite.frontends.lexing.rules import POP, PUSH, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self

    from pygments.lexer import Lexer, LexerContext

    from mosslite.frontends.lexing.rules import Token

__all__ = [
    "Entrance",
    "ExtendedEntrance",
    "Run",
    "TokenRun",
]


# A state without rules.
_NOWHERE: Final = State("", [])


class Run(ABC):
    """A match of many tokens, by a stack of its own that begins with the loop's last state.

    It is over where that state is left, and where no rule matches. What is made of the tokens,
    the kinds of runs say.
    """

    def __init__(self, states: Mapping[str, State], name: str) -> None:
        self._states = states
        self._stack = [states[name]]
        self._text = ""
        self._place = 0
        self._left: tuple[str, ...] = ()

    @property
    def moves(self) -> tuple[str, ...]:
        """What brings the loop's stack to where the run's stack is."""
        return (*(state.name for state in self._stack[1:]), *self._left)

    def match(self, text: str, place: int) -> Self | None:
        """Begin at a place, if any rule matches there."""
        self._text, self._place = text, place
        return self if can_go_on(self._stack[-1], text, place, len(text)) else None

    def end(self) -> int:
        """Tell where the run was over."""
        return self._place

    @abstractmethod
    def tokens(self, lexer: Lexer, _: Run) -> Iterator[tuple[int, object, object]]:
        """Return the loop what it takes for tokens."""

    def _state_behind(self, moves: tuple[str, ...]) -> State:
        """Go from state to state, as far as that is known."""
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


class TokenRun(Run):
    """A run that gives the tokens to the loop."""

    def tokens(self, lexer: Lexer, _: Run) -> Iterator[Token]:
        """Make the tokens from state to state."""
        text, place, state = self._text, self._place, self._stack[-1]
        while True:
            # Written out, as are the next lines: there are as many steps as tokens.
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


class Entrance:
    """A state as the loop is shown it; each time it asks for the rules, a new run is begun."""

    def __init__(self, states: Mapping[str, State], name: str, kind: type[Run]) -> None:
        self._states = states
        self._name = name
        self._kind = kind

    def __iter__(self) -> Iterator[tuple[object, object, object]]:
        run = self._kind(self._states, self._name)
        yield run.match, run.tokens, _Moves.of(run)


class _Moves(tuple[str, ...]):
    """The moves behind a run, which the loop holds before they are known and reads then."""

    _run: Run

    @classmethod
    def of(cls, run: Run) -> Self:
        moves = cls()
        moves._run = run
        return moves

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.moves)


def can_go_on(state: State, text: str, place: int, end: int) -> bool:
    """Return whether any rule of a state matches at a place of a text that ends at ``end``."""
    _, kind, moves, rules = state[signs_at(text, place, end)]
    is_known = kind is not None or moves
    return bool(is_known) or any(match(text, place, end) for match, *_ in rules)


def signs_at(text: str, place: int, end: int) -> str:
    """Return the signs that a state is asked about: before a place, there, and behind."""
    stop = min(place + 2, end)
    return text[place - 1 : stop] if place else "\n" + text[:stop]


class ExtendedEntrance:
    """A state as the loop of such a lexer is shown it: one rule, and nowhere to go behind it."""

    def __init__(self, states: Mapping[str, State], name: str) -> None:
        self._states = states
        self._name = name

    def __iter__(self) -> Iterator[tuple[object, object, object]]:
        run = ExtendedRun(self._states, self._name)
        yield run.match, run.tokens, None


class ExtendedRun:
    """A match of many tokens, on the loop's own stack; it is over where no rule matches."""

    def __init__(self, states: Mapping[str, State], name: str) -> None:
        self._states = states
        self._name = name
        self._text = ""

    def match(self, text: str, place: int, end: int) -> Self | None:
        """Begin at a place, if any rule matches there."""
        self._text = text
        return self if can_go_on(self._states[self._name], text, place, end) else None

    def tokens(self, lexer: Lexer, _: ExtendedRun, context: LexerContext) -> Iterator[Token]:
        """Make the tokens from state to state; actions may change all of the context."""
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
