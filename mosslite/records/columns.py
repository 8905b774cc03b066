"""Column records: the result of a front-end for a text, and data about all submissions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

# An odd number with mixed bits.
_ODD = np.uint64(0x9E3779B97F4A7C15)


class TokenKind(IntEnum):
    """Role of a token in the disguise of a copy."""

    CONTENT = 0
    """What the program says: a keyword, an operator, a literal, a letter."""
    NAME = 1
    """A name chosen by the author."""
    FRAME = 2
    """A bracket, separator or modifier that may be added or removed without effect."""
    TYPE = 3
    """A reserved word for a type: another type often does as well."""


class TraceKind(IntEnum):
    """Stylistic features: properties of a text besides the structure of the program."""

    NAME = 0
    COMMENT = 1
    """A word of a comment."""
    STRING = 2
    NUMBER = 3
    LAYOUT = 4
    """The blanks and punctuation of a line, independent of its words."""
    WORD = 5
    """A word of prose."""


@dataclass(frozen=True, slots=True, eq=False)
class Traces:
    """The stylistic features of one file, in text order.

    Attributes:
        kinds: ``(n,) uint8``, the ``TraceKind`` of each item.
        codes: ``(n,) uint64``, equal for features of equal kind and text, the same on every
            machine.
        starts: ``(n,) int32``, first character of each item, 0-based.
        stops: ``(n,) int32``, one past its last character.
    """

    kinds: NDArray[np.uint8]
    codes: NDArray[np.uint64]
    starts: NDArray[np.int32]
    stops: NDArray[np.int32]

    def __len__(self) -> int:
        """Count the items."""
        return len(self.codes)

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> Traces:
        """Return the features that a mask marks, or those at some positions."""
        return Traces(
            kinds=self.kinds[chosen],
            codes=self.codes[chosen],
            starts=self.starts[chosen],
            stops=self.stops[chosen],
        )


@dataclass(frozen=True, slots=True, eq=False)
class TokenStream:
    """The compared tokens of one file, in text order.

    Attributes:
        codes: ``(n,) uint64``, symbol codes, the same on every machine.
        lexemes: ``(n,) uint64``, equal for tokens that are also written the same.
        kinds: ``(n,) uint8``, the ``TokenKind`` of each.
        starts: ``(n,) int32``, first character of each token, 0-based.
        stops: ``(n,) int32``, one past its last character; equal to the start if the end of a line
            or block is the token, behind the last token of that line.
    """

    codes: NDArray[np.uint64]
    lexemes: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    starts: NDArray[np.int32]
    stops: NDArray[np.int32]

    @classmethod
    def joined(cls, parts: Sequence[TokenStream]) -> TokenStream:
        """Concatenate streams; a single one is not copied."""
        if len(parts) == 1:
            return parts[0]
        none = cls(*(np.empty(0, dtype) for dtype in ("u8", "u8", "u1", "i4", "i4")))
        columns = zip(*(each.columns for each in (none, *parts)), strict=True)
        return cls(*map(np.concatenate, columns))

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """All columns, in order."""
        return tuple(getattr(self, each.name) for each in fields(self))

    def part(self, chosen: slice | NDArray[np.integer]) -> TokenStream:
        """Return the tokens at some positions; those of a slice are not copied."""
        return TokenStream(*(column[chosen] for column in self.columns))

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.starts)


_Distinct = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint8]]


class InternedStream(TokenStream):
    """A stream of many tokens in half the memory: each distinct one is kept once.

    The columns of symbols are made anew on each access.
    """

    __slots__ = ("_distinct", "_numbers")
    _distinct: _Distinct
    _numbers: NDArray[np.unsignedinteger]

    def __init__(
        self,
        distinct: _Distinct,
        numbers: NDArray[np.unsignedinteger],
        starts: NDArray[np.int32],
        stops: NDArray[np.int32],
    ) -> None:
        """Store the distinct codes, lexemes and kinds, and the number of each token among them."""
        columns = {"_distinct": distinct, "_numbers": numbers, "starts": starts, "stops": stops}
        for name, column in columns.items():
            object.__setattr__(self, name, column)

    @classmethod
    def of(cls, stream: TokenStream) -> TokenStream:
        """Return equal tokens; the stream itself if its hashes are not unique."""
        keys = (stream.lexemes * _ODD + stream.codes) * _ODD + stream.kinds
        _, firsts, places = np.unique(keys, return_index=True, return_inverse=True)
        distinct = stream.codes[firsts], stream.lexemes[firsts], stream.kinds[firsts]
        numbers = places.astype(np.min_scalar_type(len(firsts)))
        found = cls(distinct, numbers, stream.starts, stream.stops)
        return found if all(map(np.array_equal, found.columns, stream.columns)) else stream

    @property
    def codes(self) -> NDArray[np.uint64]:
        """``(n,)``, as in any stream."""
        column: NDArray[np.uint64] = self._distinct[0][self._numbers]
        return column

    @property
    def lexemes(self) -> NDArray[np.uint64]:
        """``(n,)``, as in any stream."""
        column: NDArray[np.uint64] = self._distinct[1][self._numbers]
        return column

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """``(n,)``, as in any stream."""
        column: NDArray[np.uint8] = self._distinct[2][self._numbers]
        return column

    def part(self, chosen: slice | NDArray[np.integer]) -> TokenStream:
        """Return the tokens at some positions."""
        numbers, starts, stops = self._numbers[chosen], self.starts[chosen], self.stops[chosen]
        return InternedStream(self._distinct, numbers, starts, stops)


@dataclass(frozen=True, slots=True, eq=False)
class Hashes:
    """Hashes of all submissions, concatenated, with repeats.

    Attributes:
        values: ``(m,) uint64``.
        offsets: ``(n + 1,) int64``: those of submission i are
            ``values[offsets[i] : offsets[i + 1]]``.
        files: ``(m,) int32``, the file of each within its submission, where this is asked for.
    """

    values: NDArray[np.uint64]
    offsets: NDArray[np.int64]
    files: NDArray[np.int32] | None = None

    @property
    def count(self) -> int:
        """Number of submissions."""
        return len(self.offsets) - 1

    @property
    def owners(self) -> NDArray[np.int32]:
        """The submission of each hash, ``(m,) int32``."""
        return np.repeat(np.arange(self.count, dtype=np.int32), np.diff(self.offsets))


@dataclass(frozen=True, slots=True, eq=False)
class FeatureIndex:
    """Inverted index of one feature set; unique features are only kept as a total weight.

    Attributes:
        offsets: ``(n + 1,) int64``: the features that submission i shares with others are
            ``items[offsets[i] : offsets[i + 1]]``.
        items: ``(p,) int32`` in ``[0, u)``, increasing for each submission.
        weights: ``(u, p) float64``, weight of each feature in each of p populations; at least 0
            if a submission of the population has it.
        populations: ``(n,) int64`` in ``[0, p)``: the group of submissions within which
            frequencies are counted, such as those in the same language.
        totals: ``(n,) float64``, total weight of the features of each submission.
        files: ``(p,) int32``, the file of each item, the first that has it; or None.
    """

    offsets: NDArray[np.int64]
    items: NDArray[np.int32]
    weights: NDArray[np.float64]
    populations: NDArray[np.int64]
    totals: NDArray[np.float64]
    files: NDArray[np.int32] | None = None

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of features of each submission, ``(n,) int64``."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> NDArray[np.int32]:
        """The submission of each of ``items``, ``(p,) int32``."""
        return np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), self.sizes)

    @property
    def frequencies(self) -> NDArray[np.int64]:
        """Number of submissions with each feature, ``(u,) int64``."""
        return np.bincount(self.items, minlength=len(self.weights))


@dataclass(frozen=True, slots=True, eq=False)
class PairWeights:
    """Evidence in each of some pairs: ``(m,) float64`` sums of weights.

    Attributes:
        shared: Weight of the features on both sides.
        left: Weight of the left side's features.
        right: Weight of the right side's features.
    """

    shared: NDArray[np.float64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]

    def __mul__(self, unit: float) -> PairWeights:
        """Multiply the weight of each feature."""
        return PairWeights(self.shared * unit, self.left * unit, self.right * unit)

    def __add__(self, other: PairWeights) -> PairWeights:
        """Add two kinds of evidence on the same pairs."""
        return PairWeights(
            self.shared + other.shared, self.left + other.left, self.right + other.right
        )
