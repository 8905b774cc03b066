"""Greedy tiling: the longest verified run first, and no token in two matches."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.spans import all_set, ranges_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mosslite.columns import Comparable

__all__ = ["Tiling", "noise_lengths"]

# Bytes of a symbol code.
_SIZE: Final = 8

# So many runs are queued at a time: of those behind them, most are inside of tiles by then.
_AT_ONCE: Final = 4096

_Entry = tuple[int, int, int]


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
        runs = runs[np.lexsort((runs[:, 1], runs[:, 0], -runs[:, 2]))]
        before = len(self._tiles)
        queue: list[_Entry] = []
        shortest = int(least.min()) if len(runs) else 0
        while len(runs) or queue:
            queue += _entries(runs[:_AT_ONCE])
            runs = runs[_AT_ONCE:]
            heapq.heapify(queue)
            self._take(queue, least, b"\1" * shortest, before=_entries(runs[:1]))
            if len(runs):
                runs = runs[self._are_hopeful(runs, shortest)]
        return len(self._tiles) - before

    def _take(
        self,
        queue: list[_Entry],
        least: NDArray[np.int64],
        shortest: bytes,
        *,
        before: Sequence[_Entry],
    ) -> None:
        """Take runs off a queue up to the one that is next, if there is one."""
        while queue and not (before and before[0] < queue[0]):
            negative, i, j = heapq.heappop(queue)
            if self._is_hopeless(shortest, i, j, -negative):
                continue
            if self._is_tile(i, j, -negative):
                self._tiles.append((i, j, -negative))
                continue
            for start, stop in self._parts(i, j, -negative):
                if stop - start >= least[i]:
                    heapq.heappush(queue, (start - stop, i + start, j + start))

    def _are_hopeful(self, runs: NDArray[np.int64], shortest: int) -> NDArray[np.bool_]:
        """Tell of many runs at once which have so many free tokens in a row on either side."""
        are_hopeful = np.ones(len(runs), np.bool_)
        for free, starts in zip(self.free, runs.T, strict=False):
            counts = np.append(0, np.cumsum(all_set(free, shortest)))
            are_hopeful &= counts[starts + runs[:, 2] - shortest + 1] > counts[starts]
        return are_hopeful

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


def _entries(runs: NDArray[np.int64]) -> list[_Entry]:
    """Return runs as a queue has them: the longest first, then the first on the left."""
    return [(-length, i, j) for i, j, length in runs.tolist()]


class _Free:
    """The codes of a side's tokens as bytes, and a mark on each token that is in no tile yet."""

    __slots__ = ("codes", "marks")

    def __init__(self, comparable: Comparable) -> None:
        self.codes = comparable.codes.tobytes()
        self.marks = bytearray(b"\1" * len(comparable))
