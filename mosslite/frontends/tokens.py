"""What a lexer makes of a text, in columns: equal tokens are looked at once."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import count
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends.deadline import listed
from mosslite.frontends.driver import fast_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

    Token = tuple[int, _TokenType, str]
    """Its offset, its type and its text."""

__all__ = ["Tokens", "lex"]

_KIND_AND_VALUE: Final = itemgetter(1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens of a text, in order of their place and without overlap.

    Attributes:
        distinct: Types and texts, none of them twice.
        numbers: ``(n,) int64``, which of them each token is.
        starts: ``(n,) int64``, the first character of each token.
        lengths: ``(m,) int64``, of the distinct texts.
    """

    distinct: Sequence[tuple[_TokenType, str]]
    numbers: NDArray[np.int64]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    def __iter__(self) -> Iterator[Token]:
        """Give the tokens one by one."""
        for start, number in zip(self.starts.tolist(), self.numbers.tolist(), strict=True):
            kind, value = self.distinct[number]
            yield start, kind, value

    @property
    def stops(self) -> NDArray[np.int64]:
        """One past the last character of each token, ``(n,) int64``."""
        return self.starts + self.lengths[self.numbers]


def lex(lexer: Lexer, source: str, seconds: float | None = None) -> Tokens:
    """Give a lexer's tokens with the true offset of each, in order of their place.

    The offsets of lexers that combine others may be off, but the texts of their tokens follow
    each other without a gap. A token that stands neither behind the one before it nor where the
    lexer says is made up or given twice, and left out.

    Raises:
        Exception: Whatever the lexer raises; ``TooSlowError`` where it takes more than so many
            seconds.
    """
    padded = source + "\n"  # many lexers need the last line to end
    given = listed(fast_tokens(lexer, padded), seconds)
    if "".join([value for _, _, value in given]) == padded:  # nearly always
        return _in_columns(_without_last_end(given))
    placed = list(_placed(given, padded))
    tokens = _in_columns(
        (start, kind, value[: len(source) - start]) for start, kind, value in placed
    )
    starts = np.array([start for start, _, _ in placed], np.int64)
    return replace(tokens, starts=np.minimum(starts, len(source)))


def _placed(given: Iterable[Token], padded: str) -> Iterator[Token]:
    """Give the tokens that stand in a text, each where it does."""
    stop = 0
    for offset, kind, value in given:
        start = stop if padded.startswith(value, stop) else offset
        if start >= stop and padded.startswith(value, start):
            stop = start + len(value)
            yield start, kind, value


def _without_last_end(given: list[Token]) -> list[Token]:
    """Take back the line end that the lexer was given; it belongs to the last token with a text."""
    last = next(index for index in reversed(range(len(given))) if given[index][2])
    offset, kind, value = given[last]
    given[last] = offset, kind, value[:-1]
    return given


def _in_columns(given: Iterable[Token]) -> Tokens:
    """Count tokens that follow each other without a gap."""
    known: defaultdict[tuple[_TokenType, str], int] = defaultdict(count().__next__)
    pairs = map(_KIND_AND_VALUE, given)
    numbers = np.fromiter(map(known.__getitem__, pairs), np.int64)
    lengths = np.array([len(value) for _, value in known], np.int64)
    of_each = lengths[numbers]
    return Tokens(list(known), numbers, np.cumsum(of_each) - of_each, lengths)
