"""The score of a pair: how much it needs a look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.columns import Index

__all__ = ["overlaps", "scores"]

# How far equal wording closes the gap between the score of equal structure and 1.
_WORDING_WEIGHT = 0.5


def scores(
    skeleton: NDArray[np.float64], grammar: NDArray[np.float64], wording: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Combine the overlaps of three views of each pair.

    Structure is the mean of skeleton and grammar, as an edit that hides a passage from one of
    them seldom hides it from the other. What is also worded the same was not written twice, so
    it closes half of the gap to 1; wording that differs takes nothing away, as it is the first
    thing a copier changes.

    Args:
        skeleton: ``(m,)`` overlaps, as are the others; NaN where neither side has any k-gram.
        grammar: Likewise.
        wording: Likewise.

    Returns:
        ``(m,) float64`` in [0, 1], exactly 1 where structure is the same, in steps of a
        millionth: sums may differ in their last digit from machine to machine, and must not
        change the order of equal pairs.
    """
    views = np.stack([skeleton, grammar])
    is_seen = ~np.isnan(views)
    structure = np.where(is_seen, views, 0).sum(axis=0) / np.maximum(is_seen.sum(axis=0), 1)
    score = 1 - (1 - structure) * (1 - _WORDING_WEIGHT * np.nan_to_num(wording))
    is_same = ((views == 1) | ~is_seen).all(axis=0) & is_seen.any(axis=0)
    return np.where(is_same, 1.0, np.minimum(score.round(6), 1 - 1e-6))


def overlaps(pairs: NDArray[np.int64], index: Index) -> NDArray[np.float64]:
    """Measure how much of each pair's k-grams is shared: 1 for the same, 0 for none.

    Every distinct k-gram weighs the logarithm of how rare it is in the batch: what everybody
    writes counts next to nothing. The overlap is the geometric mean of the two sides' shares of
    shared weight. It stays high where code was added around a copy, and low where a small file
    happens to be found inside a large one.

    Args:
        pairs: ``(m, 2) int64`` work numbers, in ascending order.
        index: K-grams of all works.

    Returns:
        ``(m,) float64``; NaN where neither side has any k-gram.
    """
    weights = index.rarities
    grams = [index.fingerprints_of(work) for work in range(len(index.work_offsets) - 1)]
    sizes = np.array([weights[of_work].sum() for of_work in grams])
    is_left = np.zeros(len(weights), np.bool_)
    shared, previous = np.zeros(len(pairs)), -1
    for row, (left, right) in enumerate(pairs.tolist()):
        if left != previous:
            is_left[grams[previous]] = False
            is_left[grams[left]] = True
            previous = left
        shared[row] = weights[grams[right][is_left[grams[right]]]].sum()
    products = sizes[pairs[:, 0]] * sizes[pairs[:, 1]]
    overlap = shared / np.sqrt(np.maximum(products, np.finfo(np.float64).tiny))
    return np.where(sizes[pairs].any(axis=1), overlap, np.nan)
