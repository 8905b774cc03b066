"""The inverted index: which works hold a fingerprint (SIGMOD 2003, section 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.ranges import expand_ranges, postings, postings_in_parts, sums_of
from mosslite.records import FeatureIndex, Index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mosslite.ranges import Postings
    from mosslite.records import FeatureSet, Hashes

__all__ = ["build_feature_index", "build_index"]


def build_index(hashes: Hashes) -> Index:
    """Index the k-grams of all works by their hash; sorting makes it n log n."""
    found = postings(hashes, np.ones(len(hashes.values), np.bool_))
    places, work_offsets = _by_submission(found.works, hashes.count)
    numbers = np.repeat(np.arange(len(found.counts), dtype=np.int32), found.counts)
    return Index(
        offsets=np.concatenate([[0], np.cumsum(found.counts)]),
        works=found.works,
        work_offsets=work_offsets,
        fingerprints=numbers[places],
        places=places,
        weights=_inverse_document_frequencies(found.counts, hashes.count),
    )


def build_feature_index(
    seen: FeatureSet, populations: NDArray[np.int64] | None = None, *, with_repeats: bool = False
) -> FeatureIndex:
    """Index what is seen of all works.

    What one work alone has is in no pair: all that is kept of it is how much it says.

    Args:
        seen: Items, repeats and all.
        populations: ``(n,) int64`` from 0: the works among which each is compared, so that what is
            common in one language says little there, however rare it is in all. None for one.
        with_repeats: What a work has several times makes one more item, held by those that do.
    """
    count = seen.items.count
    of = np.zeros(count, np.int64) if populations is None else populations
    ranges = postings_in_parts(seen.items, seen.is_reached)
    parts = [_part(each, of) for found in ranges for each in _items(found, with_repeats)]
    firsts = np.cumsum([0, *(len(part.weights) for part in parts[:-1])], dtype=np.int32)
    held = [np.bincount(part.works, minlength=count) for part in parts]
    offsets = np.append(0, np.cumsum(np.sum(held, axis=0)))
    items, is_reached = np.empty(offsets[-1], np.int32), np.empty(offsets[-1], np.bool_)
    begins = offsets[:-1].copy()
    for part, first, counts in zip(parts, firsts, held, strict=True):
        order, places = _order_of(part.works, count), expand_ranges(begins, counts)
        items[places] = part.items[order] + first
        is_reached[places] = part.is_reached[order]
        begins += counts
    return FeatureIndex(
        offsets=offsets,
        items=items,
        is_reached=is_reached,
        weights=np.concatenate([part.weights for part in parts]),
        populations=of,
        reached=np.sum([part.reached for part in parts], axis=0),
    )


def _items(found: Postings, with_repeats: bool) -> Iterator[Postings]:
    yield found
    if with_repeats:
        yield found.repeated()


class _Part(NamedTuple):
    """A view of one range of values, by item and not by work."""

    items: NDArray[np.int32]
    works: NDArray[np.int32]
    is_reached: NDArray[np.bool_]
    weights: NDArray[np.float64]
    reached: NDArray[np.float64]


def _part(found: Postings, populations: NDArray[np.int64]) -> _Part:
    count = len(populations)
    weights = _inverse_frequencies_within(found, populations)
    is_reached = found.marked > 0
    items = np.repeat(np.arange(len(found.counts), dtype=np.int32), found.counts)
    says = weights[items, populations[found.works]] * is_reached
    is_shared = found.counts > 1
    counts = found.counts[is_shared]
    kept = np.flatnonzero(np.repeat(is_shared, found.counts))
    return _Part(
        items=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
        works=found.works[kept],
        is_reached=is_reached[kept],
        weights=weights[is_shared],
        reached=sums_of(says, found.works, count),
    )


def _inverse_frequencies_within(
    found: Postings, populations: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return inverse document frequencies in each population by itself: ``(u, p) float64``."""
    sizes = np.bincount(populations, minlength=1)
    if len(sizes) == 1:
        return _inverse_document_frequencies(found.counts, len(populations))[:, None]
    items = np.repeat(np.arange(len(found.counts)), found.counts)
    cells = items * len(sizes) + populations[found.works]
    held = np.bincount(cells, minlength=len(found.counts) * len(sizes))
    by_population = held.reshape(-1, len(sizes)).T
    # A work that holds it counts as one: where none does, the weight is never asked for.
    weights = [
        _inverse_document_frequencies(np.maximum(h, 1), n)
        for h, n in zip(by_population, sizes, strict=True)
    ]
    return np.stack(weights, axis=1)


def _inverse_document_frequencies(counts: NDArray[np.int64], works: int) -> NDArray[np.float64]:
    """Weigh what so many works hold, ``(u,) float64``: log((n + 2) / m) if m of n hold it.

    It is as though two more works were in the batch that hold none of it: in a batch of two,
    too, what both hold is not worthless.
    """
    by_count = np.log((works + 2) / np.arange(1, counts.max(initial=1) + 1))
    weights: NDArray[np.float64] = by_count[counts - 1]
    return weights


def _by_submission(
    works: NDArray[np.int32], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Order a column of works: the places of each, and where in these those of a work begin."""
    return _order_of(works, count), np.cumsum(np.bincount(works + 1, minlength=count + 1))


def _order_of(works: NDArray[np.int32], count: int) -> NDArray[np.int64]:
    # Numbers of 16 bits are sorted in linear time.
    return np.argsort(works.astype(np.min_scalar_type(count)), kind="stable")
