"""The tiles of a pair: its longest runs first, no token in two matches."""

import heapq
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import all_set, ranges_of
from mosslite.records import Comparable, KGrams, TokenStream
from mosslite.winnowing.runs import SharedGrams, all_runs, some_runs
from mosslite.winnowing.significance import Runs
from mosslite.winnowing.winnow import kgram_hashes

# Bytes of a symbol code.
_SIZE: Final = 8

# Number of runs queued at a time: most of the later ones are inside tiles by then.
_AT_ONCE: Final = 1024

_Entry = tuple[int, int, int]


def _noise_lengths(comparable: Comparable) -> NDArray[np.int64]:
    """Return the noise threshold at every token."""
    sizes = [segment.stop - segment.start for segment in comparable.segments]
    values = np.array([segment.thresholds.noise for segment in comparable.segments], np.int64)
    return np.repeat(values, sizes)


class _Tiling:
    """The tiles of a pair found so far; none overlaps another on either side."""

    def __init__(self, left: Comparable, right: Comparable) -> None:
        self._sides = _Free(left), _Free(right)
        self._tiles: list[tuple[int, int, int]] = []

    @property
    def columns(self) -> NDArray[np.int64]:
        """``(m, 3) int64``: left start, right start and length, ordered by left start."""
        columns = np.array(self._tiles, np.int64).reshape(-1, 3)
        return columns[np.argsort(columns[:, 0])]

    @property
    def free(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The tokens of the left and of the right that are not in a tile."""
        left, right = self._sides
        return left.free_at(0, len(left.marks)), right.free_at(0, len(right.marks))

    def add(self, runs: NDArray[np.int64], least: NDArray[np.int64]) -> int:
        """Turn runs into tiles, the longest first, then by position on the left.

        Args:
            runs: ``(m, 3) int64``, as returned by ``all_runs``.
            least: ``(n,)``, minimum length of a tile at every token of the left.

        Returns:
            The number of new tiles.
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
        """Process the runs of a queue down to the next longer entry of ``before``."""
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
        """Return which runs have at least ``shortest`` free tokens in a row on either side."""
        are_hopeful = np.ones(len(runs), np.bool_)
        for free, starts in zip(self.free, runs.T, strict=False):
            counts = np.append(0, np.cumsum(all_set(free, shortest)))
            are_hopeful &= counts[starts + runs[:, 2] - shortest + 1] > counts[starts]
        return are_hopeful

    def _is_hopeless(self, shortest: bytes, i: int, j: int, length: int) -> bool:
        """Return whether a run is inside longer ones, by a cheap test on bytes that finds most."""
        left, right = self._sides
        return (
            left.marks.find(shortest, i, i + length) < 0
            or right.marks.find(shortest, j, j + length) < 0
        )

    def _is_tile(self, i: int, j: int, length: int) -> bool:
        """Take a run if all of its tokens are free and equal, as equal hashes are not proof."""
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
        """Return the parts of a run with free and equal tokens, as ranges within it."""
        left, right = self._sides
        is_equal = left.codes_at(i, length) == right.codes_at(j, length)
        are_free = left.free_at(i, length) & right.free_at(j, length)
        parts: list[list[int]] = ranges_of(is_equal & are_free).tolist()
        return parts


def _entries(runs: NDArray[np.int64]) -> list[_Entry]:
    """Return queue entries of runs: the longest first, then the first on the left."""
    return [(-length, i, j) for i, j, length in runs.tolist()]


class _Free:
    """Codes of a side's tokens as bytes, with the tokens in tiles marked."""

    __slots__ = ("codes", "marks")

    def __init__(self, comparable: Comparable) -> None:
        self.codes = comparable.codes.tobytes()
        self.marks = bytearray(b"\1" * len(comparable))

    def codes_at(self, start: int, length: int) -> NDArray[np.uint64]:
        return np.frombuffer(self.codes, np.uint64, length, start * _SIZE)

    def free_at(self, start: int, length: int) -> NDArray[np.bool_]:
        return np.frombuffer(bytes(self.marks[start : start + length]), np.bool_)


# All runs of a pair are processed if there are at most this many ways to pair k-grams per token.
# Of 900 pairs of submitted programs three had more, at most 21.
_WAYS_PER_TOKEN: Final = 16

# Maximum number of rounds that tile free tokens by some of the runs, while these find any.
_ROUNDS: Final = 8

# Every length up to this is a step, then each is about a quarter longer than the one before.
_EACH_LENGTH: Final = 64


def find_tiles(
    left: Comparable, left_grams: KGrams, right: Comparable, right_grams: KGrams, size: int
) -> Runs:
    """Find the matches of a pair; of equally long ones, the first on the left are preferred.

    Args:
        left: Comparable tokens of one side.
        left_grams: All its k-grams of noise threshold length.
        right: Comparable tokens of the other.
        right_grams: All k-grams of the other.
        size: Number of tokens of both, which limits the ways to pair k-grams.

    Returns:
        Tiles of at least k equal tokens.
    """
    # Columns that are made on access are made once.
    left, right = (
        replace(each, stream=TokenStream(*each.stream.columns)) for each in (left, right)
    )
    shared = SharedGrams.of(left_grams, right_grams)
    most = _WAYS_PER_TOKEN * size
    tiling, lengths = _Tiling(left, right), _noise_lengths(left)
    if shared.ways.sum() > most:
        _tile_by_length(tiling, left, right, most)
    else:
        tiling.add(all_runs(shared, left, right, lengths), lengths)
    lefts, rights, lengths = tiling.columns.T
    return Runs(lefts, rights, lengths, left.documents[lefts], right.documents[rights])


# --- pairs with repetitions ----------------------------------------------------------------------


def _tile_by_length(tiling: _Tiling, left: Comparable, right: Comparable, most: int) -> None:
    """Tile from the longest runs to the shortest; use all runs if there are few ways to pair."""
    noise = _noise_lengths(left)
    more = list(_further_tokens(left))  # in addition to the noise threshold, ascending
    stop = len(more)

    def shared_at(number: int) -> SharedGrams:
        sides = zip((left, right), tiling.free, strict=True)
        return SharedGrams.of(*(_free_grams(side, free, more[number]) for side, free in sides))

    def are_few(number: int) -> bool:
        return int(shared_at(number).ways.sum()) <= most

    while stop:
        if are_few(stop - 1):
            stop = bisect_left(range(stop - 1), True, key=are_few)
            lengths = noise + more[stop]
            tiling.add(all_runs(shared_at(stop), left, right, lengths), lengths)
            continue
        stop -= 1
        lengths = noise + more[stop]
        for _ in range(_ROUNDS):
            if not tiling.add(some_runs(shared_at(stop), left, right, lengths), lengths):
                break


def _further_tokens(comparable: Comparable) -> Iterator[int]:
    """Yield the steps of run lengths, in tokens above k."""
    segments = comparable.segments
    least = length = min(each.thresholds.noise for each in segments)
    longest = max(each.stop - each.start for each in segments)
    while length <= longest:
        yield length - least
        length = max(length + 1, _geometric(length))
    yield longest + 1 - least


def _geometric(length: int) -> int:
    """Return the next length of a fixed geometric sequence, whatever length it starts from."""
    following = 0 if length < _EACH_LENGTH else _EACH_LENGTH
    while 0 < following <= length:
        following += following // 4
    return following


def _free_grams(comparable: Comparable, free: NDArray[np.bool_], more: int) -> KGrams:
    """Return the k-grams without a token in a tile, ``more`` tokens longer than k."""
    hashes, starts = [np.empty(0, np.uint64)], [np.empty(0, np.int32)]
    for each in comparable.segments:
        length = each.thresholds.noise + more
        places = np.flatnonzero(all_set(free[each.start : each.stop], length))
        hashes.append(kgram_hashes(comparable.codes[each.start : each.stop], length)[places])
        starts.append((each.start + places).astype(np.int32))
    found = np.concatenate(hashes)
    order = np.argsort(found, kind="stable")
    return KGrams(found[order], np.concatenate(starts)[order])
