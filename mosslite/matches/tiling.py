"""Greedy tiling: the longest verified run first, and no token in two matches."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.spans import ranges_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.columns import Comparable

__all__ = ["Tiling", "noise_lengths"]

# Bytes of a symbol code.
_SIZE: Final = 8


def noise_lengths(comparable: Comparable) -> NDArray[np.int64]:
    """Return the noise threshold in force at every token."""
    sizes = [stretch.stop - stretch.start for stretch in comparable.stretches]
    values = np.array([stretch.thresholds.noise for stretch in comparable.stretches], np.int64)
    return np.repeat(values, sizes)


class Tiling:
    """The tiles of a pair as far as they are found; none overlaps another on either side."""

    def __init__(self, left: Comparable, right: Comparable) -> None:
        self._sides = _Free(left), _Free(right)
        self._tiles: list[tuple[int, int, int]] = []

    @property
    def columns(self) -> NDArray[np.int64]:
        """``(m, 3) int64``: left start, right start and length, in order of the left."""
        columns = np.array(self._tiles, np.int64).reshape(-1, 3)
        return columns[np.argsort(columns[:, 0])]

    @property
    def free(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The tokens of the left and of the right that are in no tile."""
        left, right = (np.frombuffer(bytes(side.marks), np.bool_) for side in self._sides)
        return left, right

    def add(self, runs: NDArray[np.int64], least: NDArray[np.int64]) -> int:
        """Make tiles of runs, the longest first, then by their place on the left.

        Args:
            runs: ``(m, 3) int64``, as ``all_runs`` has them.
            least: ``(n,)``, how long a tile is at least, for every token of the left.

        Returns:
            How many tiles there are now that were not there before.
        """
        queue = [(-length, i, j) for i, j, length in runs.tolist()]
        heapq.heapify(queue)
        before = len(self._tiles)
        shortest = b"\1" * int(least.min(initial=1 << 62) if queue else 0)
        while queue:
            negative, i, j = heapq.heappop(queue)
            if self._is_hopeless(shortest, i, j, -negative):
                continue
            if self._is_tile(i, j, -negative):
                self._tiles.append((i, j, -negative))
                continue
            for start, stop in self._parts(i, j, -negative):
                if stop - start >= least[i]:
                    heapq.heappush(queue, (start - stop, i + start, j + start))
        return len(self._tiles) - before

    def _is_hopeless(self, shortest: bytes, i: int, j: int, length: int) -> bool:
        """Tell of most runs inside longer ones that they are; nothing is as cheap as bytes."""
        left, right = self._sides
        return (
            left.marks.find(shortest, i, i + length) < 0
            or right.marks.find(shortest, j, j + length) < 0
        )

    def _is_tile(self, i: int, j: int, length: int) -> bool:
        """Take a run if all of its tokens are free, and equal: equal hashes are no proof."""
        left, right = self._sides
        is_tile = (
            left.marks.find(0, i, i + length) < 0
            and right.marks.find(0, j, j + length) < 0
            and left.codes[i * _SIZE : (i + length) * _SIZE]
            == right.codes[j * _SIZE : (j + length) * _SIZE]
        )
        if is_tile:
            left.marks[i : i + length] = right.marks[j : j + length] = bytes(length)
        return is_tile

    def _parts(self, i: int, j: int, length: int) -> list[list[int]]:
        """Return the parts of a run whose tokens are free and equal, as ranges within it."""
        codes, marks = zip(
            *(
                (
                    np.frombuffer(side.codes, np.uint64, length, at * _SIZE),
                    np.frombuffer(bytes(side.marks[at : at + length]), np.bool_),
                )
                for side, at in zip(self._sides, (i, j), strict=True)
            ),
            strict=True,
        )
        parts: list[list[int]] = ranges_of((codes[0] == codes[1]) & marks[0] & marks[1]).tolist()
        return parts


class _Free:
    """The codes of a side's tokens as bytes, and a mark on each token that is in no tile yet."""

    __slots__ = ("codes", "marks")

    def __init__(self, comparable: Comparable) -> None:
        self.codes = comparable.codes.tobytes()
        self.marks = bytearray(b"\1" * len(comparable))
