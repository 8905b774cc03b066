"""What a lexer makes of texts, in columns: equal tokens are looked at once."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain, count
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np
from pygments.token import Token as _AnyToken

from mosslite.frontends.deadline import listed
from mosslite.frontends.driver import fast_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

    Token = tuple[int, _TokenType, str]
    """Its offset, its type and its text."""

__all__ = ["END", "GAP", "Tokens", "lex", "listed_tokens"]

GAP: Final = _AnyToken.Gap
"""The type of characters that a lexer makes nothing of."""

END: Final = _AnyToken.End
"""The type of what stands behind each text where several are read together."""

_KIND_AND_VALUE: Final = itemgetter(1, 2)
_VALUE: Final = itemgetter(2)


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens that texts are made of, in order, without gap or overlap.

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

    @classmethod
    def of(cls, given: Iterable[Token]) -> Tokens:
        """Count tokens of which each begins where the one before it stops, whatever it says."""
        known: defaultdict[tuple[_TokenType, str], int] = defaultdict(count().__next__)
        pairs = map(_KIND_AND_VALUE, given)
        numbers = np.fromiter(map(known.__getitem__, pairs), np.int64)
        lengths = np.array([len(value) for _, value in known], np.int64)
        of_each = lengths[numbers]
        return cls(list(known), numbers, np.cumsum(of_each) - of_each, lengths)

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


def lex(lexer: Lexer, source: str, seconds: float | None = None) -> Tokens:
    """Give a lexer's tokens with the true offset of each.

    Raises:
        Exception: As ``listed_tokens``.
    """
    return Tokens.of(listed_tokens(lexer, source, seconds))


def listed_tokens(lexer: Lexer, source: str, seconds: float | None = None) -> list[Token]:
    """Give tokens that a text is made of, by a lexer; only their offsets may be wrong.

    The offsets of lexers that combine others may be off, but the texts of their tokens follow
    each other without a gap. A token that stands neither behind the one before it nor where the
    lexer says is made up or given twice, and left out.

    Raises:
        Exception: Whatever the lexer raises; ``TooSlowError`` where it takes more than so many
            seconds.
    """
    padded = source + "\n"  # many lexers need the last line to end
    given = listed(fast_tokens(lexer, padded), seconds)
    if "".join(map(_VALUE, given)) == padded:  # nearly always
        return _without_last_end(given)
    return list(_without_gaps(_placed(given, padded), source))


def _placed(given: Iterable[Token], padded: str) -> Iterator[Token]:
    """Give the tokens that stand in a text, each where it does."""
    stop = 0
    for offset, kind, value in given:
        start = stop if padded.startswith(value, stop) else offset
        if start >= stop and padded.startswith(value, start):
            stop = start + len(value)
            yield start, kind, value


def _without_gaps(placed: Iterable[Token], source: str) -> Iterator[Token]:
    """Give the tokens of a text, and what is between them, as far as the text goes."""
    stop = 0
    for start, kind, value in chain(placed, [(len(source), GAP, "")]):
        if start > stop:
            yield stop, GAP, source[stop:start]
        yield start, kind, source[start : start + len(value)]
        stop = start + len(value)


def _without_last_end(given: list[Token]) -> list[Token]:
    """Take back the line end that the lexer was given; it belongs to the last token with a text."""
    last = next(index for index in reversed(range(len(given))) if given[index][2])
    offset, kind, value = given[last]
    given[last] = offset, kind, value[:-1]
    return given
