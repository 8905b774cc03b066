"""Hashes of a corpus piece by piece, and the selection algorithms of the paper (SIGMOD 2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mosslite.errors import InputError
from mosslite.winnowing.winnow import kgram_hashes, robust_winnow, winnow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

    Positions = NDArray[np.int64]

__all__ = [
    "Count",
    "EveryNth",
    "HashPiece",
    "Piece",
    "SafeZeroMod",
    "Selector",
    "Smallest",
    "Source",
    "Tally",
    "Winnowing",
    "ZeroMod",
    "hash_pieces",
    "too_short",
]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Some symbols of a corpus, in order.

    Attributes:
        codes: ``(n,) uint64`` symbol codes.
        words: The symbols as a reader knows them: letters, or tokens as written.
        starts: Where documents begin, as indices into ``codes``.
        size: Bytes that were read for it.
    """

    codes: NDArray[np.uint64]
    words: Sequence[str]
    starts: tuple[int, ...]
    size: int


class Source(Protocol):
    """A corpus that can be read again and again, always with the same symbols."""

    @property
    def name(self) -> str:
        """What to call it in results."""

    @property
    def size(self) -> int:
        """How many bytes there are to read, at least one for each symbol."""

    @property
    def skipped(self) -> tuple[str, ...]:
        """What cannot be read."""

    def pieces(self) -> Iterator[Piece]:
        """Read the corpus; a piece is a few megabytes at most."""


@dataclass(frozen=True, slots=True, eq=False)
class HashPiece:
    """Some hashes of a corpus, in order.

    Attributes:
        hashes: ``(n,) uint64``.
        first: The position in the corpus of the first of them.
        starts: Positions in the corpus where documents begin, within this piece.
        symbols: How many symbols were read for it.
        size: How many bytes.
    """

    hashes: NDArray[np.uint64]
    first: int
    starts: tuple[int, ...]
    symbols: int
    size: int


def hash_pieces(source: Source, k: int) -> Iterator[HashPiece]:
    """Hash every k-gram of a corpus; those across two pieces, or two documents, too.

    As in the paper, whose corpus of 1,940,576,448 characters has 1,940,576,399 50-grams, the
    documents are concatenated.
    """
    carried, first = np.empty(0, np.uint64), 0
    waiting: list[int] = []
    for piece in source.pieces():
        begin = first + len(carried)
        waiting += [begin + start for start in piece.starts]
        codes = np.concatenate([carried, piece.codes])
        hashes = kgram_hashes(codes, k)
        stop = first + len(hashes)
        starts = tuple(start for start in waiting if start < stop)
        yield HashPiece(hashes, first, starts, len(piece.codes), piece.size)
        waiting = waiting[len(starts) :]
        carried, first = codes[len(hashes) :], stop


def too_short(source: Source, symbols: int, k: int) -> InputError:
    """Return the error that a corpus has no k-gram."""
    return InputError(f"{source.name!r} has {symbols} symbols, fewer than k = {k}")


_GREATEST = np.uint64(2**64 - 1)
_NONE = np.empty(0, np.int64)


class Selector(Protocol):
    """An algorithm that selects fingerprints among hashes."""

    def feed(self, piece: HashPiece) -> Positions:
        """Take the next hashes; give positions selected that were not given yet, ascending."""

    def finish(self) -> Positions:
        """Return the rest when no hashes follow."""


class Winnowing:
    """Winnowing (Definition 1), or robust winnowing (Definition 3) where ``is_robust``."""

    def __init__(self, w: int, *, is_robust: bool) -> None:
        self._w = w
        self._select: Callable[[Hashes, int], Positions] = robust_winnow if is_robust else winnow
        # From the last choice on; in front of the first window, everything.
        self._held = np.empty(0, np.uint64)
        self._first = 0
        self._has_choice = False

    def feed(self, piece: HashPiece) -> Positions:
        """Select in the windows that end in the piece."""
        self._held = np.concatenate([self._held, piece.hashes])
        if not self._has_choice and len(self._held) < self._w:
            return _NONE
        return self._selected()

    def finish(self) -> Positions:
        """Select in what is less than a window, which counts as one."""
        return _NONE if self._has_choice or not len(self._held) else self._selected()

    def _selected(self) -> Positions:
        """Go on from the last choice.

        Where it was the choice of a window, all in front of it can be taken as greater: in every
        later window that holds it, it is the minimum, or a smaller one behind it is.
        """
        hidden = self._w - 1 if self._has_choice else 0
        hashes = np.concatenate([np.full(hidden, _GREATEST), self._held])
        chosen = self._select(hashes, self._w) - hidden
        last = int(chosen[-1])
        positions = chosen[int(self._has_choice) :] + self._first
        self._held, self._first = self._held[last:], self._first + last
        self._has_choice = True
        return positions


class ZeroMod:
    """All hashes that are 0 mod p (Manber; section 2.3)."""

    def __init__(self, p: int) -> None:
        self._p = np.uint64(p)

    def feed(self, piece: HashPiece) -> Positions:
        """Select in the piece."""
        places: Positions = np.flatnonzero(piece.hashes % self._p == 0)
        return places + piece.first

    def finish(self) -> Positions:
        """Return nothing."""
        return _NONE


class SafeZeroMod:
    """Safe 0 mod p (section 3.1.2): the Good and the Bad, but not the Ugly."""

    def __init__(self, p: int, w: int) -> None:
        self._p, self._w = np.uint64(p), w
        self._last_good = -1  # as though one stood in front: the first w - 1 hashes cannot be Bad

    def feed(self, piece: HashPiece) -> Positions:
        """Select in the piece."""
        if not len(piece.hashes):
            return _NONE
        positions: Positions = np.arange(len(piece.hashes)) + piece.first
        is_good: NDArray[np.bool_] = piece.hashes % self._p == 0
        last_good: Positions = np.maximum.accumulate(np.where(is_good, positions, self._last_good))
        self._last_good = int(last_good[-1])
        is_bad = positions - last_good >= self._w
        return positions[is_good | is_bad]

    def finish(self) -> Positions:
        """Return nothing."""
        return _NONE


class Smallest:
    """The n smallest distinct hashes of each document, wherever they stand (Heintze)."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._hashes, self._positions = np.empty(0, np.uint64), _NONE

    def feed(self, piece: HashPiece) -> Positions:
        """Select in the documents that end in the piece."""
        ends = [start - piece.first for start in piece.starts]
        given, begin = [_NONE], 0
        for end in [*ends, len(piece.hashes)]:
            self._add(piece.hashes[begin:end], piece.first + begin)
            if end in ends:
                given.append(self.finish())
            begin = end
        return np.concatenate(given)

    def finish(self) -> Positions:
        """Return those of the last document."""
        positions = np.sort(self._positions)
        self._hashes, self._positions = np.empty(0, np.uint64), _NONE
        return positions

    def _add(self, hashes: Hashes, first: int) -> None:
        joined = np.concatenate([self._hashes, hashes])
        positions = np.concatenate([self._positions, first + np.arange(len(hashes))])
        # The first of equal ones stands for them all: a fingerprint is a hash.
        distinct, places = np.unique(joined, return_index=True)
        self._hashes = distinct[: self._n]
        self._positions = positions[places[: self._n]]


class EveryNth:
    """Every i-th hash, which is simple and incorrect (section 2.3)."""

    def __init__(self, i: int) -> None:
        self._i = i

    def feed(self, piece: HashPiece) -> Positions:
        """Select in the piece."""
        skipped = -piece.first % self._i
        return piece.first + np.arange(skipped, len(piece.hashes), self._i)

    def finish(self) -> Positions:
        """Return nothing."""
        return _NONE


class Count(Protocol):
    """What is counted over a stream of hashes."""

    def feed(self, piece: HashPiece) -> None:
        """Take the next hashes."""

    def finish(self) -> None:
        """Count what is left when no hashes follow."""


class Tally:
    """Counts what a selector selects, and the longest run of hashes without any."""

    def __init__(self, selector: Selector) -> None:
        self._selector = selector
        self._last, self._hashes = -1, 0
        self.fingerprints, self.longest_run = 0, 0

    def feed(self, piece: HashPiece) -> None:
        """Take the next hashes."""
        self._hashes += len(piece.hashes)
        self._count(self._selector.feed(piece))

    def finish(self) -> None:
        """Count the rest, and the run that nothing ends."""
        self._count(self._selector.finish())
        self._count_run(self._hashes - self._last - 1)

    def _count(self, positions: Positions) -> None:
        if len(positions):
            gaps = np.diff(positions, prepend=self._last)
            self._count_run(int(gaps.max()) - 1)
            self._last = int(positions[-1])
            self.fingerprints += len(positions)

    def _count_run(self, length: int) -> None:
        self.longest_run = max(self.longest_run, length)
