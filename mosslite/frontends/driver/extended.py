"""Runs of a lexer that keeps its place and its stack in a context, for its actions to change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.frontends.driver.rules import POP, PUSH
from mosslite.frontends.driver.run import can_go_on, signs_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self

    from pygments.lexer import Lexer, LexerContext

    from mosslite.frontends.driver.rules import Token
    from mosslite.frontends.driver.states import State

__all__ = ["ExtendedEntrance"]


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
