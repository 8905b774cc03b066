"""Counts how often each hash occurs, in memory that does not grow with the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]
    Counts = NDArray[np.int64]

__all__ = ["HashCounter", "parts_of", "within_part"]

# Distinct hashes that are counted at a time, and hashes that wait to be counted. With room to
# sort them, this is about half a gigabyte.
_MOST_DISTINCT: Final = 1 << 24
_LEAST_WAITING: Final = 1 << 23


class HashCounter:
    """Hashes so far and how often each occurred, the latest still waiting to be counted."""

    def __init__(self) -> None:
        self._hashes, self._counts = np.empty(0, np.uint64), np.empty(0, np.int64)
        self._waiting: list[Hashes] = []
        self._size = 0

    def add(self, hashes: Hashes) -> None:
        """Take some more; they are counted when there are as many as have been counted."""
        self._waiting.append(hashes)
        self._size += len(hashes)
        if self._size >= max(len(self._hashes), _LEAST_WAITING):
            self._merge()

    def counted(self) -> tuple[Hashes, Counts]:
        """Return the distinct hashes, ascending, and how often each occurred."""
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
    """Return in how many parts up to ``size`` hashes are to be counted: a power of two."""
    return 1 << max((max(size, 1) - 1) // _MOST_DISTINCT, 0).bit_length()


def within_part(hashes: Hashes, part: int, parts: int) -> Hashes:
    """Keep the hashes of one part: those whose high bits are its number."""
    if parts == 1:
        return hashes
    shift = np.uint64(64 - (parts.bit_length() - 1))
    is_of_part: NDArray[np.bool_] = hashes >> shift == np.uint64(part)
    return hashes[is_of_part]
