"""Tokens as numbers: equal ones have the same, and are no objects of their own.

Of a lexer that leaves Pygments' loop as it is nobody sees the tokens on their way, so they are
counted where they are found.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final, cast

from pygments.token import Token as _AnyToken

from mosslite.frontends.lexing.runs import Run

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from pygments.lexer import Lexer
    from pygments.token import _TokenType

    from mosslite.frontends.lexing.rules import Token

    Counted = tuple[int, _TokenType, list[int]]
    """What a run gives the loop in place of tokens: the place behind them, and their numbers."""

__all__ = ["CountedRun", "Numbers", "counted"]

_COUNTED: Final = _AnyToken.Counted

# Where a lexer that counts has the one that makes tokens, and the numbers.
_BESIDE: Final = "_beside"

# A clock can be read after so many steps.
_STEPS: Final = 1000


class Numbers(dict["_TokenType", "_Values"]):
    """Numbers for distinct tokens by type and text, in the order in which they are met.

    Attributes:
        distinct: Types and texts, by number.
        texts: The latter.
        lengths: Theirs, in 8 bytes each.
        characters: The sum of these.
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
        """Return the next number to a token."""
        self.distinct.append((kind, value))
        self.texts.append(value)
        self.lengths.append(len(value))
        self.characters += len(value)
        return len(self.texts) - 1


class _Values(dict[str, int]):
    """The numbers of the tokens of a type."""

    def __init__(self, kind: _TokenType, numbers: Numbers) -> None:
        super().__init__()
        self._kind = kind
        self._numbers = numbers

    def __missing__(self, value: str) -> int:
        number = self[value] = self._numbers.new(self._kind, value)
        return number


def counted(lexer: Lexer, plain: Lexer, text: str, numbers: Numbers) -> Iterator[list[int]]:
    """Return the numbers of a text's tokens, some at a time.

    Args:
        lexer: Its states are entrances to counted runs.
        plain: The same lexer, for whoever asks for tokens meanwhile.
        text: What is read.
        numbers: Those of texts before it; new ones are added.
    """
    vars(lexer)[_BESIDE] = plain, numbers
    some = list[int]()
    for _, kind, found in cast("Iterator[Token | Counted]", lexer.get_tokens_unprocessed(text)):
        if isinstance(found, list):
            some += found
        else:
            some.append(numbers[kind][found])
        if len(some) >= _STEPS or not found:  # without end there may be no token
            yield some
            some = []
    yield some


class CountedRun(Run):
    """A run that counts the tokens, and gives the loop their numbers at once."""

    def tokens(self, lexer: Lexer, _: Run) -> Iterator[Counted]:
        """Count the tokens from state to state."""
        plain, numbers = vars(lexer)[_BESIDE]
        text, place, state = self._text, self._place, self._stack[-1]
        found = list[int]()
        for _step in range(_STEPS):
            # Written out, as are the next lines: there are as many steps as tokens.
            signs = text[place - 1 : place + 2] if place else "\n" + text[:2]
            sign, kind, moves, rules = state[signs]
            if kind is not None:
                found.append(numbers[kind][sign])
                place += 1
            elif rules:
                for match, kind, action, moves in rules:  # noqa: B007
                    at = match(text, place)
                    if at:
                        break
                else:
                    break
                if kind is not None:
                    found.append(numbers[kind][at.group()])
                elif action is not None:
                    # It may be all of a text in another language.
                    found = yield from _added(found, action(plain, at), place, numbers)
                place = at.end()
            elif not moves:
                break
            if moves:
                state = self._state_behind(moves)
        self._place = place
        yield place, _COUNTED, found


def _added(
    found: list[int], given: Iterable[Token], place: int, numbers: Numbers
) -> Generator[Counted, None, list[int]]:
    """Count tokens behind those found, and give back what has not been given to the loop."""
    for _, kind, value in given:
        found.append(numbers[kind][value])
        if len(found) >= _STEPS:
            yield place, _COUNTED, found
            found = []
    return found
