"""What is to know of a token whatever its place: found once for equal tokens, and packed."""

from __future__ import annotations

from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.frontends.colours import class_of
from mosslite.frontends.symbols import pieces_of
from mosslite.frontends.traces import is_string, items_of
from mosslite.frontends.words import number_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from pygments.token import _TokenType

    from mosslite.frontends.tokens import Tokens
    from mosslite.languages import Language

    Distinct = tuple[_TokenType, str]

__all__ = ["Facts", "Spread", "Table", "facts_of"]

_PIECE: Final = Struct("=iiQBB")
_ITEM: Final = Struct("=iiQB")
_PIECES: Final = np.dtype(
    [("offset", "i4"), ("length", "i4"), ("wording", "u8"), ("word", "u1"), ("written", "u1")]
)
_ITEMS: Final = np.dtype([("offset", "i4"), ("length", "i4"), ("code", "u8"), ("kind", "u1")])

# Equal tokens in other files: so many are kept of each language, but no long comments.
_MOST_KEPT: Final = 1 << 14
_LONGEST_KEPT: Final = 40


class Spread(NamedTuple):
    """What the tokens of a text have, in order.

    Attributes:
        numbers: ``(n,) int64``, which rows of the table.
        rows: ``(n,)``, these rows.
        starts: ``(n,) int64``, where each starts in the text.
    """

    numbers: NDArray[np.int64]
    rows: NDArray[np.void]
    starts: NDArray[np.int64]


class Table(NamedTuple):
    """What each of some distinct tokens has: any number of rows.

    Attributes:
        rows: All of them, one token's behind the other's.
        counts: ``(m,) int64``, how many each token has.
    """

    rows: NDArray[np.void]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, packed: Sequence[bytes], row: np.dtype[np.void]) -> Table:
        """Unpack the rows of each token."""
        sizes = np.fromiter(map(len, packed), np.int64, len(packed))
        return cls(np.frombuffer(b"".join(packed), row), sizes // row.itemsize)

    def spread(self, tokens: Tokens) -> Spread:
        """Give the rows of all tokens of a text, in order."""
        counts = self.counts[tokens.numbers]
        holders = np.flatnonzero(counts)
        counts = counts[holders]
        firsts = (np.cumsum(self.counts) - self.counts)[tokens.numbers[holders]]
        # A token's rows are side by side here and there.
        shifts = firsts - (np.cumsum(counts) - counts)
        numbers = np.arange(counts.sum()) + np.repeat(shifts, counts)
        rows = self.rows[numbers]
        starts = np.repeat(tokens.starts[holders], counts) + rows["offset"]
        return Spread(numbers, rows, starts)

    def texts(self, distinct: Sequence[Distinct]) -> list[str]:
        """Give the text of each row."""
        owners = np.repeat(np.arange(len(distinct)), self.counts).tolist()
        offsets = self.rows["offset"]
        ranges = map(slice, offsets.tolist(), (offsets + self.rows["length"]).tolist())
        return [distinct[owner][1][part] for owner, part in zip(owners, ranges, strict=True)]


class Facts(NamedTuple):
    """What is to know of the distinct tokens of a text.

    Attributes:
        pieces: Their symbols, with the fields of ``Piece`` and the numbers of their words.
        items: Their traces, those of strings left out.
        classes: ``(m,) uint8``, as what they are coloured.
        is_string: ``(m,) bool``, they are a part of a string.
    """

    pieces: Table
    items: Table
    classes: NDArray[np.uint8]
    is_string: NDArray[np.bool_]


class _Fact(NamedTuple):
    pieces: bytes
    items: bytes
    colour: int
    is_string: bool


def facts_of(distinct: Sequence[Distinct], language: Language) -> Facts:
    """Give what is to know of distinct tokens."""
    facts = list(map(_known_in(language).__getitem__, distinct))
    return Facts(
        Table.of([fact.pieces for fact in facts], _PIECES),
        Table.of([fact.items for fact in facts], _ITEMS),
        np.array([fact.colour for fact in facts], np.uint8),
        np.array([fact.is_string for fact in facts], np.bool_),
    )


class _Known(dict["Distinct", _Fact]):
    """The facts of a language's tokens, found where they are asked for first."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, token: Distinct) -> _Fact:
        fact = _fact(token, self._language)
        if len(token[1]) <= _LONGEST_KEPT:
            if len(self) == _MOST_KEPT:
                self.clear()
            self[token] = fact
        return fact


_known_in = cache(_Known)


def _fact(token: Distinct, language: Language) -> _Fact:
    kind, value = token
    pieces = (
        _PIECE.pack(offset, length, wording, number_of(code), number_of(wording))
        for offset, length, code, wording in pieces_of(kind, value, language)
    )
    items = (
        _ITEM.pack(start, stop - start, code, of_kind)
        for of_kind, code, start, stop in items_of(kind, value)
    )
    return _Fact(b"".join(pieces), b"".join(items), class_of(kind), is_string(kind))
