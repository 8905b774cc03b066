"""What a lexer makes of texts, in columns: equal tokens are looked at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np
from pygments.token import Token as _AnyToken

from mosslite.frontends.deadline import joined, listed
from mosslite.frontends.driver import Numbers, fast_numbers, fast_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

    Token = tuple[int, _TokenType, str]
    """Its offset, its type and its text."""

    _Distinct = tuple[_TokenType, str]

__all__ = ["END", "GAP", "Tokens", "lex", "lex_all"]

GAP: Final = _AnyToken.Gap
"""The type of characters that a lexer makes nothing of."""

END: Final = _AnyToken.End
"""The type of what stands behind each text where several are read together."""


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens that texts are made of, in order, without gap or overlap.

    Attributes:
        distinct: Types and texts, none of them twice.
        numbers: ``(n,) int64``, which of them each token is.
        starts: ``(n,) int64``, the first character of each token.
        lengths: ``(m,) int64``, of the distinct texts.
    """

    distinct: Sequence[_Distinct]
    numbers: NDArray[np.int64]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    def __iter__(self) -> Iterator[Token]:
        """Give each token as lexers do."""
        for number, start in zip(self.numbers.tolist(), self.starts.tolist(), strict=True):
            kind, value = self.distinct[number]
            if kind is not GAP:
                yield start, kind, value

    @property
    def stops(self) -> NDArray[np.int64]:
        """One past the last character of each token, ``(n,) int64``."""
        return self.starts + self.lengths[self.numbers]


def lex(lexer: Lexer, source: str) -> Tokens:
    """Give a lexer's tokens with the true offset of each.

    Raises:
        Exception: Whatever the lexer raises.
    """
    return lex_all([(lexer, source)])


def lex_all(
    sources: Iterable[tuple[Lexer, str]], *, end: str = "", seconds: float | None = None
) -> Tokens:
    """Give the tokens of texts one behind the other.

    The offsets of lexers that combine others may be off, but the texts of their tokens follow
    each other without a gap. A token that stands neither behind the one before it nor where the
    lexer says is made up or given twice, and left out.

    Args:
        sources: Texts, and a lexer for each.
        end: The text of a token of type ``END`` behind each of them; none if it is empty.
        seconds: What a lexer may take over a text; None is for ever.

    Raises:
        Exception: Whatever a lexer raises; ``TooSlowError`` where it takes longer.
    """
    lexed, numbers = _Lexed(), list[int]()
    for lexer, source in sources:
        numbers += lexed.numbers_of(lexer, source, seconds)
        if end:
            numbers.append(lexed.number(END, end))
    return lexed.tokens(numbers)


class _Lexed:
    """Texts lexed one behind the other, with the numbers of all their distinct tokens.

    A lexer's tokens are counted as they come: to keep millions of them takes longer.
    """

    def __init__(self) -> None:
        self._numbers = Numbers()
        self._values: list[str] = []

    def number(self, kind: _TokenType, value: str) -> int:
        """Give the number of a token."""
        return self._numbers[kind][value]

    def numbers_of(self, lexer: Lexer, source: str, seconds: float | None) -> list[int]:
        """Give the numbers of the tokens that a text is made of."""
        padded = source + "\n"  # many lexers need the last line to end
        numbers = joined(fast_numbers(lexer, padded, self._numbers), seconds)
        new = self._numbers.distinct[len(self._values) :]
        self._values += [value for _, value in new]
        if "".join(map(self._values.__getitem__, numbers)) == padded:  # nearly always
            return self._without_last_end(numbers)
        placed = _placed(listed(fast_tokens(lexer, padded), seconds), padded)
        return [self.number(*token) for token in _without_gaps(placed, source)]

    def tokens(self, numbers: Sequence[int]) -> Tokens:
        """Give tokens that follow each other by their numbers."""
        column, distinct = np.array(numbers, np.int64), self._numbers.distinct
        lengths = np.array([len(value) for _, value in distinct], np.int64)
        of_each = lengths[column]
        return Tokens(distinct, column, np.cumsum(of_each) - of_each, lengths)

    def _without_last_end(self, numbers: list[int]) -> list[int]:
        """Take back the line end that the lexer was given; the last token with a text has it."""
        last = next(at for at in reversed(range(len(numbers))) if self._values[numbers[at]])
        kind, value = self._numbers.distinct[numbers[last]]
        numbers[last] = self.number(kind, value[:-1])
        return numbers


def _placed(given: Iterable[Token], padded: str) -> Iterator[Token]:
    """Give the tokens that stand in a text, each where it does."""
    stop = 0
    for offset, kind, value in given:
        start = stop if padded.startswith(value, stop) else offset
        if start >= stop and padded.startswith(value, start):
            stop = start + len(value)
            yield start, kind, value


def _without_gaps(placed: Iterable[Token], source: str) -> Iterator[_Distinct]:
    """Give the tokens of a text, and what is between them, as far as the text goes."""
    stop = 0
    for start, kind, value in chain(placed, [(len(source), GAP, "")]):
        if start > stop:
            yield GAP, source[stop:start]
        yield kind, source[start : start + len(value)]
        stop = start + len(value)
