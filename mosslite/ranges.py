"""Array functions: half-open ranges, segments of long columns, masks and lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mosslite.records import Hashes

# Approximate number of hashes sorted at a time, which bounds memory.
_AT_A_TIME = 1_000_000


def run_starts(column: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Mark the first element of each run of equal ones, ``(n,) bool``."""
    is_new = np.ones(len(column), np.bool_)
    np.not_equal(column[1:], column[:-1], out=is_new[1:])
    return is_new


def sums_of(
    values: NDArray[np.float64], groups: NDArray[np.integer], count: int
) -> NDArray[np.float64]:
    """Sum up the values of each group, ``(count,) float64``, in input order."""
    return np.bincount(groups, values, count).astype(np.float64, copy=False)


def segment_sums(values: NDArray[np.generic], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum flags or counts over consecutive ranges of the given sizes."""
    sums = np.append(0, np.cumsum(values, dtype=np.int64))
    totals: NDArray[np.int64] = np.diff(sums[np.append(0, np.cumsum(sizes))])
    return totals


class Postings(NamedTuple):
    """Distinct hashes, with the submissions that contain each.

    Attributes:
        values: ``(u,) uint64`` ascending.
        counts: ``(u,) int64``, number of submissions with each.
        submissions: ``(p,) int32``, the submissions with the first hash, ascending, then those with
            the next.
        times: ``(p,) int32``, number of occurrences in the submission.
        places: ``(p,) uint32``, position of the first of them among all hashes.
    """

    values: NDArray[np.uint64]
    counts: NDArray[np.int64]
    submissions: NDArray[np.int32]
    times: NDArray[np.int32]
    places: NDArray[np.uint32]

    @property
    def firsts(self) -> NDArray[np.uint32]:
        """Position of the first occurrence of each hash, ``(u,) uint32``."""
        firsts: NDArray[np.uint32] = self.places[np.cumsum(self.counts) - self.counts]
        return firsts

    def repeated(self) -> Postings:
        """Return postings of repeated hashes, frequencies reduced by one."""
        again = np.flatnonzero(self.times > 1)
        numbers = np.searchsorted(np.cumsum(self.counts), again, side="right")
        begins = np.flatnonzero(run_starts(numbers))
        held = numbers[begins]
        return Postings(
            values=self.values[held],
            counts=np.diff(np.append(begins, len(again))),
            submissions=self.submissions[again],
            times=self.times[again] - 1,
            places=self.places[again],
        )


def postings(hashes: Hashes) -> Postings:
    """Sort hashes of all submissions by value, with one posting for each submission."""
    parts = list(postings_in_parts(hashes))
    return Postings(*map(np.concatenate, zip(*parts, strict=True)))


def postings_in_parts(hashes: Hashes) -> Iterator[Postings]:
    """Yield the postings of one range of values after the other; n log n."""
    bits = (len(hashes.values) // _AT_A_TIME).bit_length()
    if not bits:
        yield _sorted(hashes.values, hashes.owners)
        return
    for part in range(1 << bits):
        first, last = (part << 64 - bits), (part + 1 << 64 - bits) - 1
        here = np.flatnonzero((hashes.values >= first) & (hashes.values <= last))
        owners = np.searchsorted(hashes.offsets, here, side="right").astype(np.int32) - 1
        found = _sorted(hashes.values[here], owners)
        yield found._replace(places=here[found.places].astype(np.uint32))


def _sorted(values: NDArray[np.uint64], owners: NDArray[np.int32]) -> Postings:
    order, values = by_value(values)
    owners = owners[order]
    is_new = run_starts(values)
    # Equal values are ordered by position, and so by submission.
    is_first = is_new | run_starts(owners)
    firsts, submissions = np.flatnonzero(is_new), np.flatnonzero(is_first)
    return Postings(
        values=values[firsts],
        counts=np.diff(np.append(np.flatnonzero(is_new[submissions]), len(submissions))),
        submissions=owners[submissions],
        times=np.diff(np.append(submissions, len(values))).astype(np.int32),
        places=order[submissions].astype(np.uint32),
    )


def by_value(values: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return positions sorted by value and then position, and the values in this order.

    Sorting numbers is several times as fast as sorting positions by key, so the lowest bits of each
    value are replaced by its position: only values that are equal in all other bits can be out of
    order.
    """
    mask = np.uint64((1 << len(values).bit_length()) - 1)
    keys = values & ~mask
    keys |= np.arange(len(values), dtype=np.uint64)
    keys.sort()
    keys &= mask
    order = keys.view(np.int64)
    ranked = values[order]
    if (ranked[1:] < ranked[:-1]).any():
        order = np.argsort(values, kind="stable")
        ranked = values[order]
    return order, ranked


Given = TypeVar("Given", bound=np.generic)
Found = TypeVar("Found", bound=np.generic)


def covered(
    starts: NDArray[np.integer], stops: NDArray[np.integer], size: int
) -> NDArray[np.bool_]:
    """Mark what any of the ranges ``[start, stop)`` covers in ``size`` positions."""
    steps = np.bincount(starts, minlength=size + 1).astype(np.int32)
    steps -= np.bincount(stops, minlength=size + 1)
    return np.cumsum(steps[:-1], dtype=np.int32) > 0


def ranges_of(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the runs of True in ``mask`` as ``(m, 2)`` half-open ranges, in order."""
    padded = np.zeros(len(mask) + 2, np.bool_)
    padded[1:-1] = mask
    return np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2)


def expand_ranges(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return all positions in ranges with these starts and lengths, range by range."""
    firsts = np.cumsum(sizes) - sizes
    positions: NDArray[np.int64] = np.repeat(starts - firsts, sizes)
    positions += np.arange(len(positions))
    return positions


def chunks(costs: NDArray[np.int64], most: int) -> Iterator[slice]:
    """Split a sequence of items into blocks of limited cost, or of one item."""
    totals, start = np.cumsum(costs), 0
    while start < len(costs):
        before = totals[start] - costs[start]
        stop = max(int(np.searchsorted(totals, before + most, side="right")), start + 1)
        yield slice(start, stop)
        start = stop


def window_counts(sizes: NDArray[np.int64], widths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the windows of each width (at least 1) in texts of these sizes."""
    counts: NDArray[np.int64] = np.maximum(sizes - widths + 1, 0)
    return counts


def windows_within(
    column: NDArray[Given],
    sizes: NDArray[np.int64],
    widths: NDArray[np.int64],
    look: Callable[[NDArray[Given], int], NDArray[Found]],
) -> NDArray[Found]:
    """Apply a function to the windows of concatenated texts, none across two texts.

    Args:
        column: ``(n,)`` elements of all texts.
        sizes: Number of elements of each text; their sum is n.
        widths: Width of each text's windows, at least 1.
        look: Returns a result for every window of a column, given its width.

    Returns:
        ``(m,)``, with ``window_counts`` results for each text.
    """
    counts = window_counts(sizes, widths)
    starts, firsts = np.cumsum(sizes) - sizes, np.cumsum(counts) - counts
    found = np.empty(int(counts.sum()), look(column[:0], 1).dtype)
    for width in sorted({*widths.tolist()}):
        is_one = widths == width
        if is_one.all():
            return look(column, width)[
                _are_inside(sizes, counts)[: max(len(column) - width + 1, 0)]
            ]
        part = column[expand_ranges(starts[is_one], sizes[is_one])]
        inside = _are_inside(sizes[is_one], counts[is_one])[: max(len(part) - width + 1, 0)]
        found[expand_ranges(firsts[is_one], counts[is_one])] = look(part, width)[inside]
    return found


def _are_inside(sizes: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the first ``counts[i]`` positions of each segment."""
    by_turns = np.stack([counts, sizes - counts], axis=1).ravel()
    return np.repeat(np.tile([True, False], len(sizes)), by_turns)


def all_set(flags: NDArray[np.bool_], width: int) -> NDArray[np.bool_]:
    """Return for every window whether all flags in it are set."""
    unset = np.cumsum(np.append(False, ~flags), dtype=np.int32)
    is_set: NDArray[np.bool_] = unset[width:] == unset[:-width]
    return is_set


def between(places: NDArray[np.integer], start: int, stop: int) -> slice:
    """Return the slice of ascending positions that are in a range; log n."""
    first, last = places.searchsorted(np.array([start, stop], places.dtype)).tolist()
    return slice(first, last)
