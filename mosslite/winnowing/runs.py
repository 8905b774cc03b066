"""Merges equal k-grams of two submissions into maximal runs of equal tokens."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import run_starts
from mosslite.records import Comparable, KGrams

# A k-gram with c occurrences on the left and d on the right can be paired in c * d ways.
# Above this limit, ``some_runs`` pairs the occurrences in order, from the front and from the
# back, so that the cost of repetition is linear.
_MOST_WAYS = 256


class SharedGrams(NamedTuple):
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
    def of(cls, left: KGrams, right: KGrams) -> SharedGrams:
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
    def ways(self) -> NDArray[np.int64]:
        """Number of ways to pair the occurrences of each."""
        return self.counts * self.right_counts


def all_runs(
    shared: SharedGrams, left: Comparable, right: Comparable, lengths: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Find all maximal runs of tokens whose k-grams have equal hashes.

    Args:
        shared: The k-grams of both sides.
        left: Comparable tokens of one side.
        right: Comparable tokens of the other.
        lengths: ``(n,)``, length of the k-gram at every token of the left.

    Returns:
        ``(m, 3) int64``: first token on the left, first on the right, and length of each run; at
        most as many as there are ways to pair k-grams.
    """
    grams, nth = _counted(shared.ways)
    counts = shared.right_counts[grams]
    pairs = _starts(shared, grams, nth // counts, nth % counts)
    return _merged(*pairs, left, right, lengths)


def some_runs(
    shared: SharedGrams, left: Comparable, right: Comparable, lengths: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Find runs like ``all_runs``, but only one per occurrence of k-grams that both sides repeat.

    The number of runs is linear in the number of tokens.
    """
    pairs = _starts(shared, *_paired_off(shared.counts, shared.right_counts))
    return _grown(_merged(*pairs, left, right, lengths), left, right)


def _starts(
    shared: SharedGrams,
    grams: NDArray[np.int64],
    left_nth: NDArray[np.int64],
    right_nth: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return left and right starts of paired occurrences, by diagonal and position on it."""
    lefts = shared.lefts[shared.firsts[grams] + left_nth].astype(np.int64)
    rights = shared.rights[shared.right_firsts[grams] + right_nth].astype(np.int64)
    # Packed into one number, as sorting numbers is several times as fast as sorting by two keys.
    bits = int(lefts.max(initial=0)).bit_length()
    keys = (rights - lefts << bits) + lefts
    keys.sort()
    lefts = keys & ((1 << bits) - 1)
    return lefts, (keys >> bits) + lefts


def _paired_off(
    left_counts: NDArray[np.int64], right_counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Pair the occurrences of each k-gram: return k-gram, left and right occurrence per pair."""
    is_frequent = left_counts * right_counts > _MOST_WAYS
    grams, nth = _counted(np.where(is_frequent, 0, left_counts * right_counts))
    frequent, front = _counted(np.where(is_frequent, np.minimum(left_counts, right_counts), 0))
    return (
        np.concatenate([grams, frequent, frequent]),
        np.concatenate([nth // right_counts[grams], front, left_counts[frequent] - 1 - front]),
        np.concatenate([nth % right_counts[grams], front, right_counts[frequent] - 1 - front]),
    )


def _counted(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Enumerate items by counts: ``[2, 1]`` yields items ``[0, 0, 1]``, nth ``[0, 1, 0]``."""
    items = np.repeat(np.arange(len(counts)), counts)
    return items, np.arange(len(items)) - np.repeat(np.cumsum(counts) - counts, counts)


def _merged(
    lefts: NDArray[np.int64],
    rights: NDArray[np.int64],
    left: Comparable,
    right: Comparable,
    lengths: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Merge k-grams that are consecutive on both sides (the paper's a followed by b).

    Those of one diagonal are adjacent. A pair of occurrences found both from the front and from the
    back is duplicated: a step of 0 does not end a run.
    """
    if not len(lefts):
        return np.empty((0, 3), np.int64)
    step = lefts[1:] - lefts[:-1]
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
    can_grow = _can_grow(runs, left, right)
    grown, diagonal, stop = [], None, 0
    for start, right_start, length in runs[can_grow].tolist():
        if right_start - start != diagonal or start >= stop:
            first, stop = _extent(left, right, start, right_start, length)
            diagonal = right_start - start
            grown.append((first, first + diagonal, stop - first))
    return np.concatenate([runs[~can_grow], np.array(grown, np.int64).reshape(-1, 3)])


def _can_grow(runs: NDArray[np.int64], left: Comparable, right: Comparable) -> NDArray[np.bool_]:
    """Return which runs have equal tokens before or after them, if only of other files."""
    lefts, rights, lengths = runs.T
    ours, theirs = (np.pad(each.codes, 1) for each in (left, right))
    is_equal_before = ours[lefts] == theirs[rights]
    is_equal_after = ours[lefts + lengths + 1] == theirs[rights + lengths + 1]
    can_grow: NDArray[np.bool_] = is_equal_before | is_equal_after
    return can_grow


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
