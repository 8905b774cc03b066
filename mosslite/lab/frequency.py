"""How often k-grams occur, by rank: Figure 4 on any corpus (SIGMOD 2003, section 5.1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.errors import InputError
from mosslite.lab.counting import HashCounter, parts_of, within_part
from mosslite.lab.density import require_k_and_w
from mosslite.lab.passages import passages_of
from mosslite.lab.selectors import Winnowing
from mosslite.lab.spectrum import Spectrum, spectrum_of
from mosslite.lab.stream import hash_pieces
from mosslite.options import at_least
from mosslite.records import untold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mosslite.lab.stream import HashPiece, Source
    from mosslite.records import Progress

    Hashes = NDArray[np.uint64]

__all__ = ["CommonString", "Frequency", "measure_frequency", "spectrum_of_kgrams"]

# Most common hashes that are looked up, of which those of the same passage are one.
_LOOKED_UP: Final = 4000


@dataclass(frozen=True, slots=True)
class CommonString:
    """A k-gram that occurs often.

    Attributes:
        selected: How often it was selected as a fingerprint.
    """

    text: str
    frequency: int
    selected: int


@dataclass(frozen=True, slots=True)
class Frequency:
    """Figure 4: all k-grams, and those that robust winnowing selects."""

    source: str
    k: int
    w: int
    all: Spectrum
    selected: Spectrum
    most_common: tuple[CommonString, ...]


def measure_frequency(
    source: Source, k: int, w: int, *, most: int = 10, progress: Progress = untold
) -> Frequency:
    """Count all k-grams of a corpus, and those selected.

    The corpus is read once for every 17 million bytes of it, each time counting the hashes that
    begin with other bits.

    Args:
        source: The corpus.
        k: Noise threshold, in symbols.
        w: Window, in k-grams.
        most: How many of the most common strings to show.
        progress: Is told of the bytes read.

    Raises:
        OptionError: k, w or ``most`` is below what makes sense.
        InputError: The corpus has no k-gram.
    """
    require_k_and_w(k, w)
    at_least(0, "number of common strings (-n)", most)
    every, chosen = _Census(), _Census()
    for part, parts in _parts(source):
        counters = HashCounter(), HashCounter()
        selecting = _Selecting(w)
        for piece in _told(source, k, part, parts, progress):
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


def spectrum_of_kgrams(source: Source, k: int, *, progress: Progress = untold) -> Spectrum:
    """Count all k-grams of a corpus, and nothing else.

    Raises:
        OptionError: k is below 1.
        InputError: The corpus has no k-gram.
    """
    require_k_and_w(k, 1)
    every = _Census()
    for part, parts in _parts(source):
        counter = HashCounter()
        for piece in _told(source, k, part, parts, progress):
            counter.add(within_part(piece.hashes, part, parts))
        every.take(counter, 0)
    every.require_any(source, k)
    return spectrum_of(every.multiplicities)


class _Census:
    """How many hashes occur how often, and the most common ones, gathered part by part."""

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
        """Refuse a corpus that had no hashes.

        Raises:
            InputError: It is shorter than a k-gram.
        """
        if not self.multiplicities:
            msg = f"{source.name!r} has fewer symbols than k = {k}"
            raise InputError(msg)


class _Selecting:
    """Gives the hashes that robust winnowing selects, which may be in an earlier piece."""

    def __init__(self, w: int) -> None:
        self._selector = Winnowing(w, is_robust=True)
        self._w = w
        self._held, self._first = np.empty(0, np.uint64), 0

    def feed(self, piece: HashPiece) -> Hashes:
        """Take the next hashes, and give those selected by now."""
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


def _told(source: Source, k: int, part: int, parts: int, progress: Progress) -> Iterator[HashPiece]:
    done = part * source.size
    for piece in hash_pieces(source, k):
        yield piece
        done += piece.size
        progress("counting", done, parts * source.size)


def _most_common(
    source: Source, k: int, most: int, top: list[tuple[int, int]], selected: dict[int, int]
) -> tuple[CommonString, ...]:
    """Show the most common k-grams; of those that overlap where they first occur, one."""
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
