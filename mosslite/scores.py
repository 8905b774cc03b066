"""The score of a pair: how much it needs a look, from all k-grams of both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.index import Index

__all__ = ["score_pairs"]


def score_pairs(pairs: NDArray[np.int64], index: Index) -> NDArray[np.float64]:
    """Score pairs of works: 1 for identical work, 0 for work that shares nothing.

    Every distinct k-gram weighs the logarithm of how rare it is in the batch. The score is the
    mean of two shares of the shared weight: in the smaller side (Broder's containment, which
    survives code added around a copy) and in both sides together (which keeps a small file from
    matching everything).

    Args:
        pairs: ``(m, 2) int64`` work numbers, in ascending order.
        index: All k-grams of all works, of the length that pairs are scored on.

    Returns:
        ``(m,) float64`` in [0, 1].
    """
    works = len(index.work_offsets) - 1
    weights = np.log(1 + works / np.maximum(index.frequencies, 1))
    grams = [index.fingerprints_of(work) for work in range(works)]
    sizes = np.array([weights[of_work].sum() for of_work in grams])
    is_left = np.zeros(len(weights), np.bool_)
    scores, previous = np.zeros(len(pairs)), -1
    for row, (left, right) in enumerate(pairs.tolist()):
        if left != previous:
            is_left[grams[previous]] = False
            is_left[grams[left]] = True
            previous = left
        shared = weights[grams[right][is_left[grams[right]]]].sum()
        scores[row] = _score(shared, sizes[left], sizes[right])
    return scores


def _score(shared: float, left: float, right: float) -> float:
    if not shared:
        return 0.0
    return (shared / min(left, right) + 2 * shared / (left + right)) / 2
