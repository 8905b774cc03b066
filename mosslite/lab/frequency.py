"""Frequencies of k-grams by rank: Figure 4 on any corpus (SIGMOD 2003, section 5.1)."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.errors import InputError
from mosslite.lab.density import require_k_and_w
from mosslite.lab.selectors import HashPiece, Source, Winnowing, hash_pieces
from mosslite.options import at_least
from mosslite.records import Progress, no_progress
from mosslite.winnowing.winnow import kgram_hashes

Hashes = NDArray[np.uint64]
Counts = NDArray[np.int64]

# A plateau is aberrant if it has at least this many hashes, spans this many decades of rank, and is
# longer by this factor than a power law implies for its height.
_LEAST_HASHES: Final = 10
_LEAST_DECADES: Final = 0.25
_TIMES_EXPECTED: Final = 8.0


@dataclass(frozen=True, slots=True)
class Plateau:
    """Hashes of equal frequency, which occupy consecutive ranks."""

    frequency: int
    first_rank: int
    last_rank: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line on log-log scales: frequency = 10^intercept * rank^slope."""

    slope: float
    intercept: float


@dataclass(frozen=True, slots=True)
class Spectrum:
    """The frequencies of distinct hashes.

    Attributes:
        occurrences: Number of hashes, with repeats.
        distinct: Number of distinct hashes.
        once: Share of the distinct hashes that occur once; ``twice`` and ``thrice`` likewise.
        line: Fitted to the end points of all plateaus; None for a single point.
        cleaned_line: Fitted without the aberrant plateaus.
        plateaus: By descending frequency.
        aberrant: Plateaus that are far longer than a power law implies.
    """

    occurrences: int
    distinct: int
    once: float
    twice: float
    thrice: float
    line: Line | None
    cleaned_line: Line | None
    aberrant: tuple[Plateau, ...]
    plateaus: tuple[Plateau, ...]


def spectrum_of(multiplicities: Mapping[int, int]) -> Spectrum:
    """Rank hashes, given the number of hashes (values) for each frequency (keys)."""
    plateaus, rank = [], 0
    for frequency in sorted(multiplicities, reverse=True):
        plateaus.append(Plateau(frequency, rank + 1, rank + multiplicities[frequency]))
        rank += multiplicities[frequency]
    line = fitted(plateaus)
    aberrant = [each for each in plateaus if line and _is_aberrant(each, line)]
    kept = [each for each in plateaus if each not in aberrant]
    return Spectrum(
        occurrences=sum(often * many for often, many in multiplicities.items()),
        distinct=rank,
        once=multiplicities.get(1, 0) / max(rank, 1),
        twice=multiplicities.get(2, 0) / max(rank, 1),
        thrice=multiplicities.get(3, 0) / max(rank, 1),
        line=line,
        cleaned_line=fitted(kept),
        aberrant=tuple(aberrant),
        plateaus=tuple(plateaus),
    )


def fitted(plateaus: Sequence[Plateau]) -> Line | None:
    """Fit a line to the end points of plateaus by least squares of the logarithms.

    As in the paper, a plateau of one hash counts twice, so that all plateaus have equal weight.

    Returns:
        None if all points have the same rank.
    """
    ends = [
        (rank, each.frequency) for each in plateaus for rank in (each.first_rank, each.last_rank)
    ]
    if len({rank for rank, _ in ends}) < 2:
        return None
    x, y = np.log10(np.array(ends, np.float64)).T
    x_mean, y_mean = float(x.mean()), float(y.mean())
    slope = float(((x - x_mean) * (y - y_mean)).sum() / ((x - x_mean) ** 2).sum())
    return Line(slope, y_mean - slope * x_mean)


def _is_aberrant(plateau: Plateau, line: Line) -> bool:
    """Return whether a plateau is far longer than the line implies for its height.

    By a power law, frequencies from f - 1/2 to f + 1/2 span log10((f + 1/2) / (f - 1/2)) / |slope|
    decades of rank.
    """
    frequency = plateau.frequency
    if plateau.last_rank - plateau.first_rank < _LEAST_HASHES or not line.slope:
        return False
    decades = log10(plateau.last_rank / plateau.first_rank)
    expected = log10((frequency + 0.5) / (frequency - 0.5)) / abs(line.slope)
    return decades >= _LEAST_DECADES and decades > _TIMES_EXPECTED * expected


# Number of distinct hashes counted at a time, and of buffered hashes. With memory for sorting, this
# is about half a gigabyte.
_MOST_DISTINCT: Final = 1 << 24
_LEAST_WAITING: Final = 1 << 23


class HashCounter:
    """Hashes with their counts, and a buffer of uncounted ones."""

    def __init__(self) -> None:
        self._hashes, self._counts = np.empty(0, np.uint64), np.empty(0, np.int64)
        self._waiting: list[Hashes] = []
        self._size = 0

    def add(self, hashes: Hashes) -> None:
        """Add hashes; the buffer is counted when it is as large as the number of counted hashes."""
        self._waiting.append(hashes)
        self._size += len(hashes)
        if self._size >= max(len(self._hashes), _LEAST_WAITING):
            self._merge()

    def counted(self) -> tuple[Hashes, Counts]:
        """Return the distinct hashes, ascending, with their counts."""
        self._merge()
        return self._hashes, self._counts

    def _merge(self) -> None:
        waiting = np.concatenate([np.empty(0, np.uint64), *self._waiting])
        hashes, counts = np.unique(waiting, return_counts=True)
        self._waiting, self._size = [], 0
        if len(self._hashes):
            hashes, counts = _united(self._hashes, self._counts, hashes, counts)
        self._hashes, self._counts = hashes, counts


def _united(
    left: Hashes, left_counts: Counts, right: Hashes, right_counts: Counts
) -> tuple[Hashes, Counts]:
    """Add up two counts."""
    joined = np.concatenate([left, right])
    order = np.argsort(joined, kind="stable")
    joined = joined[order]
    firsts = np.flatnonzero(np.concatenate([[True], joined[1:] != joined[:-1]]))
    counts = np.concatenate([left_counts, right_counts])[order]
    return joined[firsts], np.add.reduceat(counts, firsts)


def parts_of(size: int) -> int:
    """Return the number of parts in which to count up to ``size`` hashes: a power of two."""
    return 1 << max((max(size, 1) - 1) // _MOST_DISTINCT, 0).bit_length()


def within_part(hashes: Hashes, part: int, parts: int) -> Hashes:
    """Return the hashes of one part: those whose high bits are its number."""
    if parts == 1:
        return hashes
    shift = np.uint64(64 - (parts.bit_length() - 1))
    is_of_part: NDArray[np.bool_] = hashes >> shift == np.uint64(part)
    return hashes[is_of_part]


def passages_of(source: Source, k: int, hashes: Collection[int]) -> dict[int, tuple[int, str]]:
    """Return for each hash the position of its first k-gram, and that k-gram's text."""
    found: dict[int, tuple[int, str]] = {}
    wanted = np.array(sorted(hashes), np.uint64)
    words: Sequence[str] = ()
    codes, first = np.empty(0, np.uint64), 0
    for piece in source.pieces():
        if len(found) == len(wanted):
            break
        codes = np.concatenate([codes, piece.codes])
        words = _added(words, piece.words)
        grams = kgram_hashes(codes, k)
        nearest = wanted[np.searchsorted(wanted[:-1], grams)] if len(wanted) else ~grams
        for place in np.flatnonzero(nearest == grams).tolist():
            hash_ = int(grams[place])
            if hash_ not in found:
                found[hash_] = first + place, _text(words[place : place + k])
        codes, words, first = codes[len(grams) :], words[len(grams) :], first + len(grams)
    return found


def _added(left: Sequence[str], right: Sequence[str]) -> Sequence[str]:
    if isinstance(right, str):
        return "".join(left) + right
    return (*left, *right)


def _text(words: Sequence[str]) -> str:
    """Concatenate letters without, and tokens with blanks."""
    return words if isinstance(words, str) else " ".join(words)


# Number of common hashes looked up, of which overlapping ones are merged.
_LOOKED_UP: Final = 4000


@dataclass(frozen=True, slots=True)
class CommonString:
    """A frequent k-gram.

    Attributes:
        selected: Number of times it was selected as a fingerprint.
    """

    text: str
    frequency: int
    selected: int


@dataclass(frozen=True, slots=True)
class Frequency:
    """Figure 4: all k-grams, and those selected by robust winnowing."""

    source: str
    k: int
    w: int
    all: Spectrum
    selected: Spectrum
    most_common: tuple[CommonString, ...]


def measure_frequency(
    source: Source, k: int, w: int, *, most: int = 10, progress: Progress = no_progress
) -> Frequency:
    """Count all k-grams of a corpus, and those selected.

    The corpus is read once for every 17 million bytes of it, each time counting the hashes with
    different high bits.

    Args:
        source: The corpus.
        k: Noise threshold, in symbols.
        w: Window, in k-grams.
        most: Number of common strings to show.
        progress: Called with the number of bytes read.

    Raises:
        OptionError: k, w or ``most`` is too small.
        InputError: The corpus has no k-gram.
    """
    require_k_and_w(k, w)
    at_least(0, "number of common strings (-n)", most)
    every, chosen = _HashCounts(), _HashCounts()
    for part, parts in _parts(source):
        counters = HashCounter(), HashCounter()
        selecting = _Selecting(w)
        for piece in _with_progress(source, k, part, parts, progress):
            counters[0].add(within_part(piece.hashes, part, parts))
            counters[1].add(within_part(selecting.feed(piece), part, parts))
        counters[1].add(within_part(selecting.finish(), part, parts))
        every.take(counters[0], most)
        chosen.take(counters[1], most)
    every.require_any(source, k)
    return Frequency(
        source=source.name,
        k=k,
        w=w,
        all=spectrum_of(every.multiplicities),
        selected=spectrum_of(chosen.multiplicities),
        most_common=_most_common(source, k, most, every.top, dict(chosen.top)),
    )


def spectrum_of_kgrams(source: Source, k: int, *, progress: Progress = no_progress) -> Spectrum:
    """Count all k-grams of a corpus.

    Raises:
        OptionError: k is below 1.
        InputError: The corpus has no k-gram.
    """
    require_k_and_w(k, 1)
    every = _HashCounts()
    for part, parts in _parts(source):
        counter = HashCounter()
        for piece in _with_progress(source, k, part, parts, progress):
            counter.add(within_part(piece.hashes, part, parts))
        every.take(counter, 0)
    every.require_any(source, k)
    return spectrum_of(every.multiplicities)


class _HashCounts:
    """Number of hashes for each count, and the most common ones, collected part by part."""

    def __init__(self) -> None:
        self.multiplicities: Counter[int] = Counter()
        self.top: list[tuple[int, int]] = []

    def take(self, counter: HashCounter, most: int) -> None:
        """Add the hashes of one part."""
        hashes, counts = counter.counted()
        frequencies, numbers = np.unique(counts, return_counts=True)
        self.multiplicities.update(dict(zip(frequencies.tolist(), numbers.tolist(), strict=True)))
        if most:
            order = np.lexsort((hashes, -counts))[:_LOOKED_UP]
            self.top += zip(hashes[order].tolist(), counts[order].tolist(), strict=True)
            self.top.sort(key=lambda each: (-each[1], each[0]))
            del self.top[_LOOKED_UP:]

    def require_any(self, source: Source, k: int) -> None:
        """Check that the corpus had hashes.

        Raises:
            InputError: It is shorter than a k-gram.
        """
        if not self.multiplicities:
            msg = f"{source.name!r} has fewer symbols than k = {k}"
            raise InputError(msg)


class _Selecting:
    """Yields the hashes selected by robust winnowing, which may belong to an earlier piece."""

    def __init__(self, w: int) -> None:
        self._selector = Winnowing(w, is_robust=True)
        self._w = w
        self._held, self._first = np.empty(0, np.uint64), 0

    def feed(self, piece: HashPiece) -> Hashes:
        """Process the next hashes, and return those selected by now."""
        self._held = np.concatenate([self._held, piece.hashes])
        chosen = self._held[self._selector.feed(piece) - self._first]
        dropped = max(len(self._held) - self._w, 0)
        self._held, self._first = self._held[dropped:], self._first + dropped
        return chosen

    def finish(self) -> Hashes:
        """Return the rest."""
        return self._held[self._selector.finish() - self._first]


def _parts(source: Source) -> Iterator[tuple[int, int]]:
    parts = parts_of(source.size)
    return ((part, parts) for part in range(parts))


def _with_progress(
    source: Source, k: int, part: int, parts: int, progress: Progress
) -> Iterator[HashPiece]:
    done = part * source.size
    for piece in hash_pieces(source, k):
        yield piece
        done += piece.size
        progress("counting", done, parts * source.size)


def _most_common(
    source: Source, k: int, most: int, top: list[tuple[int, int]], selected: dict[int, int]
) -> tuple[CommonString, ...]:
    """Return the most common k-grams; of those that overlap at first occurrence, only one."""
    places = passages_of(source, k, [hash_ for hash_, _ in top])
    found: list[CommonString] = []
    taken: list[int] = []
    for hash_, frequency in top:
        if len(found) == most:
            break
        place, text = places[hash_]
        if all(abs(place - other) >= k for other in taken):
            taken.append(place)
            found.append(CommonString(text, frequency, selected.get(hash_, 0)))
    return tuple(found)
