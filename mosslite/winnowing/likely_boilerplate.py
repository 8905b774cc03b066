"""Passages that most of a class wrote: likely boilerplate that nobody declared.

They are not left out unless the user says so, as a solution that everybody copied looks the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.ranges import covered, ranges_of
from mosslite.records import CommonPassage, Hashes, Role
from mosslite.segments import postings, totals_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.records import Work

__all__ = ["common_passages"]

# In a smaller class, what most have can be chance; a shorter passage is idiom.
_LEAST_WORKS, _LEAST_TOKENS = 6, 20

# Hashes are first counted by so many of their bits, a block at a time.
_BITS, _BLOCK = 16, 100_000


def common_passages(works: Sequence[Work], grams: Hashes) -> tuple[CommonPassage, ...]:
    """Find passages that more than half of the current works have.

    Args:
        works: All works.
        grams: The k-grams of noise threshold length of each, file by file.

    Returns:
        The passages of the work that has most of them, in order of their place.
    """
    is_current = np.array([work.role is Role.CURRENT for work in works], np.bool_)
    count = int(is_current.sum())
    if count < _LEAST_WORKS:
        return ()
    chosen, held_by = _common_grams(grams, is_current, count // 2)
    number = _richest(works, chosen)
    here = slice(*np.searchsorted(chosen, grams.offsets[number : number + 2]).tolist())
    return tuple(_passages(works[number], chosen[here] - grams.offsets[number], held_by[here]))


def _common_grams(
    grams: Hashes, is_current: NDArray[np.bool_], limit: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the k-grams that more current works have than this: their places, how many have each."""
    sizes = np.diff(grams.offsets)
    is_likely = np.repeat(is_current, sizes) & _is_frequent(grams.values, limit)
    offsets = np.append(0, np.cumsum(totals_of(is_likely, sizes)))
    values = grams.values[is_likely]
    found = postings(Hashes(values, offsets), np.ones(len(values), np.bool_))
    counts = found.counts[np.searchsorted(found.values, values)]
    return np.flatnonzero(is_likely)[counts > limit], counts[counts > limit]


def _is_frequent(values: NDArray[np.uint64], limit: int) -> NDArray[np.bool_]:
    """Mark all hashes that occur more often than this, and few others."""
    shift = np.uint64(64 - _BITS)
    blocks = range(0, len(values), _BLOCK)
    counts = np.zeros(1 << _BITS, np.int64)
    for start in blocks:
        buckets = (values[start : start + _BLOCK] >> shift).astype(np.int64)
        counts += np.bincount(buckets, minlength=len(counts))
    is_frequent = counts > limit
    marks = [is_frequent[values[start : start + _BLOCK] >> shift] for start in blocks]
    return np.concatenate([np.empty(0, np.bool_), *marks])


def _richest(works: Sequence[Work], chosen: NDArray[np.int64]) -> int:
    """Return the first work that has the most tokens in passages of these k-grams of all works."""
    stretches = [
        (number, stretch.thresholds.noise, stretch.stop - stretch.start)
        for number, work in enumerate(works)
        for stretch in work.comparable.stretches
    ]
    owners, noises, sizes = np.array(stretches, np.int64).reshape(-1, 3).T
    of = np.searchsorted(np.cumsum(sizes - noises + 1), chosen, side="right")
    # Places of tokens, with one more between files, so that no passage runs across two.
    starts = chosen + (np.cumsum(noises) - noises)[of]
    stops = starts + noises[of]
    firsts = np.flatnonzero(np.append(True, starts[1:] > stops[:-1])[: len(starts)])
    tokens = stops[np.append(firsts, len(stops))[1:] - 1] - starts[firsts]
    tokens[tokens < _LEAST_TOKENS] = 0
    return int(np.bincount(owners[of[firsts]], tokens, len(works)).argmax())


def _passages(
    work: Work, places: NDArray[np.int64], held_by: NDArray[np.int64]
) -> Iterator[CommonPassage]:
    """Join k-grams at these places, among those of the work, to passages."""
    first = 0
    for stretch in work.comparable.stretches:
        k, size = stretch.thresholds.noise, stretch.stop - stretch.start
        here = (places >= first) & (places < first + size - k + 1)
        begins = places[here] - first
        first += size - k + 1
        if not here.any():
            continue
        for start, stop in ranges_of(covered(begins, begins + k, size)).tolist():
            if stop - start >= _LEAST_TOKENS:
                inside = (begins >= start) & (begins < stop)
                yield CommonPassage(
                    work=work,
                    place=work.place_of(stretch.start + start, stop - start),
                    tokens=stop - start,
                    works=int(held_by[here][inside].min()),
                    is_whole=stop - start == size,
                )
