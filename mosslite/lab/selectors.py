"""Streaming hashes of a corpus, and the paper's selection algorithms (SIGMOD 2003)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from mosslite.errors import InputError
from mosslite.winnowing.winnow import kgram_hashes, robust_winnow, winnow

Hashes = NDArray[np.uint64]
Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Some symbols of a corpus, in order.

    Attributes:
        codes: ``(n,) uint64`` symbol codes.
        words: The symbols as displayed: letters, or tokens as written.
        starts: Indices into ``codes`` where documents start.
        size: Number of bytes read.
    """

    codes: Hashes
    words: Sequence[str]
    starts: tuple[int, ...]
    size: int


class Source(Protocol):
    """A corpus that can be read repeatedly, always with the same symbols."""

    @property
    def name(self) -> str:
        """Name in results."""

    @property
    def size(self) -> int:
        """Number of bytes to read, at least one for each symbol."""

    @property
    def skipped(self) -> tuple[str, ...]:
        """Files that cannot be read, with reasons."""

    def pieces(self) -> Iterator[Piece]:
        """Yield the corpus in pieces of a few megabytes at most."""


@dataclass(frozen=True, slots=True, eq=False)
class HashPiece:
    """Some hashes of a corpus, in order.

    Attributes:
        hashes: ``(n,) uint64``.
        first: Position in the corpus of the first hash.
        starts: Positions in the corpus where documents start, within this piece.
        symbols: Number of symbols read.
        size: Number of bytes read.
        codes: ``(n + k - 1,) uint64`` codes of the symbols of these k-grams.
    """

    hashes: Hashes
    first: int
    starts: tuple[int, ...]
    symbols: int
    size: int
    codes: Hashes


def hash_pieces(source: Source, k: int) -> Iterator[HashPiece]:
    """Hash every k-gram of a corpus, including those across pieces and documents.

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
        yield HashPiece(hashes, first, starts, len(piece.codes), piece.size, codes)
        waiting = waiting[len(starts) :]
        carried, first = codes[len(hashes) :], stop


def piece_of(hashes: Hashes, first: int = 0) -> HashPiece:
    """Return hashes that are not those of symbols."""
    return HashPiece(hashes, first, (), len(hashes), 0, np.empty(0, np.uint64))


def too_short(source: Source, symbols: int, k: int) -> InputError:
    """Return the error for a corpus without any k-gram."""
    return InputError(f"{source.name!r} has {symbols} symbols, fewer than k = {k}")


_GREATEST = np.uint64(2**64 - 1)
_NONE = np.empty(0, np.int64)


class Selector(Protocol):
    """An algorithm that selects fingerprints among hashes."""

    def feed(self, piece: HashPiece) -> Positions:
        """Process the next hashes; return newly selected positions, ascending."""

    def finish(self) -> Positions:
        """Return the remaining positions at the end."""
        return _NONE


class Winnowing(Selector):
    """Winnowing (Definition 1), or robust winnowing (Definition 3) where ``is_robust``.

    Attributes:
        chosen: The hashes at the positions returned last.
    """

    def __init__(self, w: int, *, is_robust: bool) -> None:
        self._w = w
        self._select: Callable[[Hashes, int], Positions] = robust_winnow if is_robust else winnow
        # Hashes from the last choice on; before the first window, all.
        self._held = np.empty(0, np.uint64)
        self._first = 0
        self._has_choice = False
        self.chosen = np.empty(0, np.uint64)

    def feed(self, piece: HashPiece) -> Positions:
        """Select in windows that end in the piece."""
        self._held = np.concatenate([self._held, piece.hashes])
        return self._selected(is_enough=self._has_choice or len(self._held) >= self._w)

    def finish(self) -> Positions:
        """Select in an incomplete window, which counts as one if there is no other."""
        return self._selected(is_enough=not self._has_choice and len(self._held) > 0)

    def _selected(self, *, is_enough: bool) -> Positions:
        """Continue from the last choice.

        Everything before the choice of a window can be treated as greater: in every later window
        that contains the choice, it is the minimum, or a smaller hash after it is.
        """
        if not is_enough:
            self.chosen = self._held[:0]
            return _NONE
        hidden = self._w - 1 if self._has_choice else 0
        hashes = np.concatenate([np.full(hidden, _GREATEST), self._held])
        places = (self._select(hashes, self._w) - hidden)[int(self._has_choice) :]
        last = int(places[-1]) if len(places) else 0
        positions = places + self._first
        self.chosen = self._held[places]
        self._held, self._first = self._held[last:], self._first + last
        self._has_choice = True
        return positions


class EachAlone(Selector):
    """Hashes that are selected whatever comes before and behind them, by their indices."""

    def __init__(self, choose: Callable[[HashPiece], Positions]) -> None:
        self._choose = choose

    def feed(self, piece: HashPiece) -> Positions:
        """Select in the piece."""
        return self._choose(piece) + piece.first


def zero_mod(p: int) -> Selector:
    """Select all hashes that are 0 mod p (Manber; section 2.3)."""
    return EachAlone(lambda piece: np.flatnonzero(piece.hashes % np.uint64(p) == 0))


def every_nth(i: int) -> Selector:
    """Select every i-th hash, which is simple and incorrect (section 2.3)."""
    return EachAlone(lambda piece: np.arange(-piece.first % i, len(piece.hashes), i))


def anchored(anchors: Hashes) -> Selector:
    """Select the k-grams that begin with one of a fixed set of short strings (Manber)."""
    return EachAlone(lambda piece: np.flatnonzero(np.isin(_beginnings(piece), anchors)))


# Symbols of an anchor. Manber's have a few letters; of three, a megabyte shows most that exist.
_ANCHOR: Final = 3


def anchors_in(sample: HashPiece, density: float) -> Hashes:
    """Choose strings, in the order of their hashes, at which this share of k-grams begins."""
    strings, counts = np.unique(_beginnings(sample), return_counts=True)
    within = np.cumsum(counts) <= density * len(sample.hashes)
    return strings[: max(int(within.sum()), 1)]


def _beginnings(piece: HashPiece) -> Hashes:
    """Return the hash of the first symbols of each k-gram, as many as an anchor has."""
    length = min(_ANCHOR, len(piece.codes) - len(piece.hashes) + 1)
    return kgram_hashes(piece.codes, length)[: len(piece.hashes)]


class SafeZeroMod(Selector):
    """Safe 0 mod p (section 3.1.2): selects the Good and the Bad, but not the Ugly."""

    def __init__(self, p: int, w: int) -> None:
        self._p, self._w = np.uint64(p), w
        self._last_good = -1  # so the first w - 1 hashes cannot be Bad

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


class Smallest(Selector):
    """The n smallest distinct hashes of each document (Heintze)."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._hashes, self._positions = np.empty(0, np.uint64), _NONE

    def feed(self, piece: HashPiece) -> Positions:
        """Select in the documents that end in the piece."""
        given, begin = [_NONE], 0
        for end in [start - piece.first for start in piece.starts]:
            self._add(piece.hashes[begin:end], piece.first + begin)
            given.append(self.finish())
            begin = end
        self._add(piece.hashes[begin:], piece.first + begin)
        return np.concatenate(given)

    def finish(self) -> Positions:
        """Return those of the last document."""
        positions = np.sort(self._positions)
        self._hashes, self._positions = np.empty(0, np.uint64), _NONE
        return positions

    def _add(self, hashes: Hashes, first: int) -> None:
        joined = np.concatenate([self._hashes, hashes])
        positions = np.concatenate([self._positions, first + np.arange(len(hashes))])
        # Of equal hashes the first is selected: a fingerprint is a hash.
        distinct, places = np.unique(joined, return_index=True)
        self._hashes = distinct[: self._n]
        self._positions = positions[places[: self._n]]


class Tally:
    """Counts selected hashes, and the longest run without any."""

    def __init__(self, selector: Selector) -> None:
        self._selector = selector
        self._last, self._hashes = -1, 0
        self.fingerprints, self.longest_run = 0, 0

    def feed(self, piece: HashPiece) -> None:
        """Process the next hashes."""
        self._hashes += len(piece.hashes)
        self._count(self._selector.feed(piece))

    def finish(self) -> None:
        """Count the rest, including the last run."""
        self._count(self._selector.finish())
        self.longest_run = max(self.longest_run, self._hashes - self._last - 1)

    def _count(self, positions: Positions) -> None:
        if len(positions):
            gaps = np.diff(positions, prepend=self._last)
            self.longest_run = max(self.longest_run, int(gaps.max()) - 1)
            self._last = int(positions[-1])
            self.fingerprints += len(positions)
