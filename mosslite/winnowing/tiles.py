"""The tiles of a pair: its longest runs of equal tokens first, no token in two matches."""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import all_set, expand_ranges, run_starts
from mosslite.records import Comparable, KGrams, TokenStream
from mosslite.winnowing.fingerprints import files_of, sorted_kgrams
from mosslite.winnowing.significance import Runs
from mosslite.winnowing.winnow import substring_hashes

# Maximum number of rounds that tile free tokens by some of the runs, while these find any.
_ROUNDS: Final = 8

# Every length up to this is a step, then each is about a quarter longer than the one before.
_EACH_LENGTH: Final = 64


def most_ways(size: int) -> int:
    """Return the number of ways to pair k-grams up to which all runs of a pair are processed.

    Of 1,350 listed pairs of submitted programs 28 had more, all of one set.

    Args:
        size: Number of tokens of both sides, independent of k.
    """
    return (1 << 15) + size


def find_tiles(
    left: Comparable, left_grams: KGrams, right: Comparable, right_grams: KGrams, most: int
) -> Runs:
    """Find the matches of a pair; of equally long ones, the first on the left are preferred.

    Args:
        left: Comparable tokens of one side.
        left_grams: All its k-grams of noise threshold length.
        right: Comparable tokens of the other.
        right_grams: All k-grams of the other.
        most: With more ways to pair k-grams, runs are found length by length.

    Returns:
        Tiles of at least k equal tokens.
    """
    # Columns that are made on access are made once.
    left, right = (
        replace(each, stream=TokenStream(*each.stream.columns)) for each in (left, right)
    )
    shared = _SharedGrams.of(left_grams, right_grams)
    tiling, lengths = _Tiling(left, right), _noise_lengths(left)
    if shared.ways.sum() > most:
        _tile_by_length(tiling, left, right, shared, most)
    else:
        tiling.add(_runs(shared, left, right, lengths), lengths)
    lefts, rights, lengths = tiling.columns.T
    return Runs(lefts, rights, lengths, left.documents[lefts], right.documents[rights])


def _noise_lengths(comparable: Comparable) -> NDArray[np.int64]:
    """Return the noise threshold at every token."""
    sizes, noises, _ = files_of([comparable])
    return np.repeat(noises, sizes)


def _tile_by_length(
    tiling: _Tiling, left: Comparable, right: Comparable, shared: _SharedGrams, most: int
) -> None:
    """Tile from the longest runs to the shortest; use all runs if there are few ways to pair."""
    noise = _noise_lengths(left)
    more = list(_further_tokens(left))  # in addition to the noise threshold, ascending
    stop = len(more)
    sides = _Substrings(left, shared.left_starts), _Substrings(right, shared.right_starts)

    @cache
    def shared_at(number: int) -> _SharedGrams:
        return _SharedGrams.of(*(side.grams(more[number]) for side in sides))

    def are_few(number: int) -> bool:
        return int(shared_at(number).ways.sum()) <= most

    def add(runs: NDArray[np.int64], lengths: NDArray[np.int64]) -> int:
        added = tiling.add(runs, lengths)
        if added:
            for side, is_free in zip(sides, tiling.free, strict=True):
                side.update(is_free)
            shared_at.cache_clear()
        return added

    while stop:
        if are_few(stop - 1):
            stop = bisect_left(range(stop - 1), True, key=are_few)
            lengths = noise + more[stop]
            add(_runs(shared_at(stop), left, right, lengths), lengths)
            continue
        stop -= 1
        lengths = noise + more[stop]
        for _ in range(_ROUNDS):
            runs = _runs(shared_at(stop), left, right, lengths, _MOST_WAYS)
            if not add(_grown(runs, left, right), lengths):
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


class _Substrings:
    """The free substrings of one side whose k-grams are all on the other side, too."""

    def __init__(self, side: Comparable, starts: NDArray[np.int64]) -> None:
        """Store the side, and where a shared k-gram starts on it."""
        self._starts, self._lengths = np.sort(starts), _noise_lengths(side)
        self._documents, self._hashes = side.documents, substring_hashes(side.codes)
        self._longest = np.empty(0, np.int64)
        self.update(np.ones(len(side), np.bool_))

    def update(self, is_free: NDArray[np.bool_]) -> None:
        """Drop the k-grams with a token in a tile."""
        taken = np.append(0, np.cumsum(~is_free))
        starts = self._starts
        starts = starts[taken[starts] == taken[starts + self._lengths[starts]]]
        files = self._documents[starts]
        goes_on = (np.diff(starts) == 1) & (files[1:] == files[:-1])
        lasts = np.flatnonzero(np.append(~goes_on, True)[: len(starts)])
        self._starts = starts
        # How much longer than k the longest from each start is.
        self._longest = starts[lasts[np.searchsorted(lasts, np.arange(len(starts)))]] - starts

    def grams(self, more: int) -> KGrams:
        """Return those that are ``more`` tokens longer than k."""
        starts = self._starts[self._longest >= more]
        hashes = self._hashes(starts, starts + self._lengths[starts] + more)
        return sorted_kgrams(hashes, starts)


# --- tiles ---------------------------------------------------------------------------------------

# Bytes of a symbol code.
_SIZE: Final = 8

# Number of runs queued at a time: most of the later ones are inside tiles by then.
_AT_ONCE: Final = 1024


class _Tiling:
    """The tiles of a pair found so far; none overlaps another on either side."""

    def __init__(self, left: Comparable, right: Comparable) -> None:
        # The codes of each side, and a mark for each token that is not in a tile.
        self._codes = left.codes.tobytes(), right.codes.tobytes()
        self._marks = bytearray(b"\1" * len(left)), bytearray(b"\1" * len(right))
        self._tiles: list[tuple[int, int, int]] = []

    @property
    def columns(self) -> NDArray[np.int64]:
        """``(m, 3) int64``: left start, right start and length, ordered by left start."""
        columns = np.array(self._tiles, np.int64).reshape(-1, 3)
        return columns[np.argsort(columns[:, 0])]

    @property
    def free(self) -> list[NDArray[np.bool_]]:
        """The tokens of the left and of the right that are not in a tile."""
        return [np.frombuffer(bytes(marks), np.bool_) for marks in self._marks]

    def add(self, runs: NDArray[np.int64], least: NDArray[np.int64]) -> int:
        """Turn runs into tiles, the longest first, then by position on the left.

        Args:
            runs: ``(m, 3) int64``: left start, right start and length.
            least: ``(n,)``, minimum length of a tile at every token of the left.

        Returns:
            The number of new tiles.
        """
        lefts, rights, lengths = runs.T
        rows = np.stack([-lengths, lefts, rights], axis=1)
        rows = rows[np.lexsort(((lefts << 32) + rights, -lengths))]
        before = len(self._tiles)
        parts: list[list[int]] = []  # of runs partly in tiles
        shortest = b"\1" * (int(least.min()) if len(rows) else 0)
        for row in self._hopeful(rows, len(shortest)):
            while parts and parts[0] < row:
                self._take(heapq.heappop(parts), parts, shortest, least)
            self._take(row, parts, shortest, least)
        while parts:
            self._take(heapq.heappop(parts), parts, shortest, least)
        return len(self._tiles) - before

    def _hopeful(self, rows: NDArray[np.int64], shortest: int) -> Iterator[list[int]]:
        """Yield runs in order, without most of those that are inside tiles by then."""
        while len(rows):
            some = max(_AT_ONCE, len(rows) // 8)
            yield from rows[:some].tolist()
            rows = rows[some:]
            rows = rows[self._are_hopeful(rows, shortest)]

    def _are_hopeful(self, rows: NDArray[np.int64], shortest: int) -> NDArray[np.bool_]:
        """Return which runs have at least ``shortest`` free tokens in a row on either side."""
        are_hopeful = np.ones(len(rows), np.bool_)
        for free, starts in zip(self.free, rows.T[1:], strict=True):
            counts = np.append(0, np.cumsum(all_set(free, shortest)))
            are_hopeful &= counts[starts - rows[:, 0] - shortest + 1] > counts[starts]
        return are_hopeful

    def _take(
        self, row: list[int], parts: list[list[int]], shortest: bytes, least: NDArray[np.int64]
    ) -> None:
        """Make a run a tile if all its tokens are free and equal, as equal hashes are not proof.

        Else its parts with free and equal tokens are queued.
        """
        (left, right), (ours, theirs) = self._marks, self._codes
        negative, i, j = row
        stop, right_stop = i - negative, j - negative
        # Most runs are inside longer ones, which a cheap test finds.
        if left.find(shortest, i, stop) < 0 or right.find(shortest, j, right_stop) < 0:
            return
        # Flags of a run are one number, whose bits are combined at once.
        flags = int.from_bytes(left[i:stop]) & int.from_bytes(right[j:right_stop])
        codes = ours[i * _SIZE : stop * _SIZE], theirs[j * _SIZE : right_stop * _SIZE]
        if codes[0] != codes[1]:
            own, other = (np.frombuffer(each, np.uint64) for each in codes)
            flags &= int.from_bytes((own == other).tobytes())
        usable = flags.to_bytes(-negative)
        if b"\0" not in usable:
            left[i:stop] = right[j:right_stop] = bytes(-negative)
            self._tiles.append((i, j, -negative))
            return
        start = 0
        for size in map(len, usable.split(b"\0")):
            if size >= least[i]:
                heapq.heappush(parts, [-size, i + start, j + start])
            start += size + 1


# --- runs ----------------------------------------------------------------------------------------

# A k-gram with c occurrences on the left and d on the right can be paired in c * d ways. Above this
# limit, they are paired in order, from the front and from the back, so that the cost of repetition
# is linear.
_MOST_WAYS: Final = 256


class _SharedGrams(NamedTuple):
    """The k-grams that occur on both sides; ``(g,) int64`` each.

    Attributes:
        lefts: Starts of all k-grams of one side, by hash.
        rights: Starts of all k-grams of the other.
        firsts: Index of the first occurrence of each on the left.
        counts: Number of occurrences on the left.
        right_firsts: Index of the first occurrence on the right.
        right_counts: Number of occurrences on the right.
    """

    lefts: NDArray[np.int32]
    rights: NDArray[np.int32]
    firsts: NDArray[np.int64]
    counts: NDArray[np.int64]
    right_firsts: NDArray[np.int64]
    right_counts: NDArray[np.int64]

    @classmethod
    def of(cls, left: KGrams, right: KGrams) -> _SharedGrams:
        """Find the k-grams that two sides share; n log n."""
        firsts = np.flatnonzero(run_starts(left.hashes))
        counts = np.diff(np.append(firsts, len(left.hashes)))
        distinct = left.hashes[firsts]
        right_firsts = np.searchsorted(right.hashes, distinct, side="left")
        right_counts = np.searchsorted(right.hashes, distinct, side="right") - right_firsts
        columns = (firsts, counts, right_firsts, right_counts)
        is_shared = right_counts > 0
        return cls(left.starts, right.starts, *(column[is_shared] for column in columns))

    @property
    def left_starts(self) -> NDArray[np.int64]:
        """Where one of them starts on the left, in no order."""
        return self.lefts[expand_ranges(self.firsts, self.counts)].astype(np.int64)

    @property
    def right_starts(self) -> NDArray[np.int64]:
        """Where one of them starts on the right, in no order."""
        return self.rights[expand_ranges(self.right_firsts, self.right_counts)].astype(np.int64)

    @property
    def ways(self) -> NDArray[np.int64]:
        """Number of ways to pair the occurrences of each."""
        return self.counts * self.right_counts

    def paired(self, most: int | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return left and right starts of paired occurrences, by diagonal and position on it.

        A pair of occurrences found both from the front and from the back is duplicated.
        """
        is_frequent = self.ways > (most or self.ways)
        grams, nth = _counted(np.where(is_frequent, 0, self.ways))
        left_nth, right_nth = np.divmod(nth, self.right_counts[grams])
        if is_frequent.any():
            fewer = np.minimum(self.counts, self.right_counts)
            frequent, front = _counted(np.where(is_frequent, fewer, 0))
            grams = np.concatenate([grams, frequent, frequent])
            left_nth, right_nth = (
                np.concatenate([few, front, counts[frequent] - 1 - front])
                for few, counts in ((left_nth, self.counts), (right_nth, self.right_counts))
            )
        lefts = self.lefts[self.firsts[grams] + left_nth].astype(np.int64)
        rights = self.rights[self.right_firsts[grams] + right_nth].astype(np.int64)
        # Packed into one number, as sorting numbers is several times as fast as by two keys.
        bits = int(lefts.max(initial=0)).bit_length()
        keys = (rights - lefts << bits) + lefts
        keys.sort()
        lefts = keys & ((1 << bits) - 1)
        return lefts, (keys >> bits) + lefts


def _counted(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Enumerate items by counts: ``[2, 1]`` yields items ``[0, 0, 1]``, nth ``[0, 1, 0]``."""
    items = np.repeat(np.arange(len(counts)), counts)
    return items, np.arange(len(items)) - np.repeat(np.cumsum(counts) - counts, counts)


def _runs(
    shared: _SharedGrams,
    left: Comparable,
    right: Comparable,
    lengths: NDArray[np.int64],
    most: int | None = None,
) -> NDArray[np.int64]:
    """Merge k-grams that are consecutive on both sides (the paper's a followed by b) to runs.

    Args:
        shared: The k-grams of both sides.
        left: Comparable tokens of one side.
        right: Comparable tokens of the other.
        lengths: ``(n,)``, length of the k-gram at every token of the left.
        most: With more ways, those of a k-gram are paired in order. None pairs each with each: then
            runs of tokens whose k-grams have equal hashes are maximal.

    Returns:
        ``(m, 3) int64``: first token on the left, first on the right, and length of each run.
    """
    lefts, rights = shared.paired(most)
    if not len(lefts):
        return np.empty((0, 3), np.int64)
    step = lefts[1:] - lefts[:-1]  # those of one diagonal are adjacent; duplicates end no run
    goes_on = (step >= 0) & (step <= 1) & (step == rights[1:] - rights[:-1])
    for comparable, starts in ((left, lefts), (right, rights)):
        files = comparable.documents[starts]
        goes_on &= files[1:] == files[:-1]
    firsts = np.flatnonzero(np.append(True, ~goes_on))
    lasts = np.append(firsts[1:], len(lefts)) - 1
    sizes = lefts[lasts] - lefts[firsts] + lengths[lefts[firsts]]
    return np.column_stack([lefts[firsts], rights[firsts], sizes])


def _grown(runs: NDArray[np.int64], left: Comparable, right: Comparable) -> NDArray[np.int64]:
    """Extend runs at both ends to the last equal token.

    Only runs next to a frequent k-gram are not maximal yet. Each token of a diagonal is visited
    once, as a run that an extended one covers is dropped.
    """
    lefts, rights, lengths = runs.T
    ours, theirs = (np.pad(each.codes, 1) for each in (left, right))
    # Which have equal tokens before or after them, if only of other files.
    can_grow = ours[lefts] == theirs[rights]
    can_grow |= ours[lefts + lengths + 1] == theirs[rights + lengths + 1]
    grown, diagonal, stop = [], None, 0
    for start, right_start, length in runs[can_grow].tolist():
        if right_start - start != diagonal or start >= stop:
            first, stop = _extent(left, right, start, right_start, length)
            diagonal = right_start - start
            grown.append((first, first + diagonal, stop - first))
    return np.concatenate([runs[~can_grow], np.array(grown, np.int64).reshape(-1, 3)])


def _extent(
    left: Comparable, right: Comparable, start: int, right_start: int, length: int
) -> tuple[int, int]:
    """Return start and end on the left of the equal tokens around a run."""
    file, right_file = left.segment_of(start), right.segment_of(right_start)
    before = min(start - file.start, right_start - right_file.start)
    after = min(file.stop - start, right_file.stop - right_start) - length
    stop, right_stop = start + length, right_start + length
    return (
        start - _equal_count(
            left.codes[start - before : start][::-1],
            right.codes[right_start - before : right_start][::-1],
        ),
        stop + _equal_count(
            left.codes[stop : stop + after], right.codes[right_stop : right_stop + after]
        ),
    )  # fmt: skip


def _equal_count(left: NDArray[np.uint64], right: NDArray[np.uint64]) -> int:
    """Count the equal leading elements of two columns, in chunks of growing size."""
    start, size = 0, 1
    while start < len(left):
        differs = left[start : start + size] != right[start : start + size]
        if differs.any():
            return start + int(differs.argmax())
        start, size = start + size, 2 * size
    return len(left)
