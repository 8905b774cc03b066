"""The score of a pair: how much it needs a look."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.columns import Masses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mosslite.columns import View

__all__ = ["combined", "masses", "overlaps"]

# How far equal structure and equal wording, each by itself, take the score.
_STRUCTURE_WEIGHT, _WORDING_WEIGHT = 0.9, 0.5
_BOTH = 1 - (1 - _STRUCTURE_WEIGHT) * (1 - _WORDING_WEIGHT)

# As much evidence as one item that few hold is always in doubt: little proves little.
_DOUBT = 2.0


def combined(
    structure: Sequence[NDArray[np.float64]],
    wording: NDArray[np.float64],
    is_same: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Combine the overlaps of several views of each pair to its score.

    Structure is the mean of its views, as an edit that hides a passage from one of them seldom
    hides it from all. What is also worded the same was not written twice, so it closes half of
    the gap that is left; wording that differs takes little away, as it is the first thing a
    copier changes.

    Args:
        structure: ``(m,)`` overlaps of each view of structure, at least one; NaN, as in all
            overlaps, where there is no evidence on either side.
        wording: ``(m,)`` overlaps of what was written.
        is_same: ``(m,) bool``, the pairs that are the same token for token.

    Returns:
        ``(m,) float64`` in [0, 1], 1 where ``is_same`` and less elsewhere, in steps of a
        millionth: sums may differ in their last digit from machine to machine, and must not
        change the order of equal pairs.
    """
    is_known = ~np.isnan(structure)
    mean = np.nansum(structure, axis=0) / np.maximum(is_known.sum(axis=0), 1)
    gap = 1 - _STRUCTURE_WEIGHT * mean
    score = (1 - gap * (1 - _WORDING_WEIGHT * np.nan_to_num(wording))) / _BOTH
    return np.where(is_same, 1.0, np.minimum(score.round(6), 1 - 1e-6))


def overlaps(evidence: Masses) -> NDArray[np.float64]:
    """Measure how much of each pair's evidence is shared, ``(m,) float64`` in [0, 1).

    It is the geometric mean of the two sides' shares of shared weight, which stays high where
    code was added around a copy, and low where a small file happens to be found inside a large
    one. Where there is little evidence in all, it is less; where there is none, it is NaN.
    """
    share = evidence.shared / (np.sqrt(evidence.left * evidence.right) + _DOUBT)
    return np.where(evidence.left + evidence.right > 0, share, np.nan)


def masses(pairs: NDArray[np.int64], view: View) -> Masses:
    """Sum up the weights of each pair's items.

    Code that nothing calls counts where both sides have it, and is no difference where one has
    it: it is what a copier adds, and what a writer brings along from elsewhere.

    Args:
        pairs: ``(m, 2) int64`` work numbers, in ascending order.
        view: What is seen of all works.
    """
    index = view.index
    works = [
        _Side(view.weights, view.index.fingerprints_of(work), reached)
        for work, reached in enumerate(np.split(view.is_reached, index.work_offsets[1:-1]))
    ]
    # 0 for what the left side does not hold, 1 for what nothing calls there, else 2.
    held, previous = np.zeros(len(view.weights), np.int8), -1
    sums = np.zeros((3, len(pairs)))
    for row, (left, right) in enumerate(pairs.tolist()):
        if left != previous:
            held[works[previous].items] = 0
            held[works[left].items] = 1 + works[left].is_reached
            previous = left
        ours, theirs = works[left], works[right]
        found = held[theirs.items]
        is_shared = found > 0
        shared = view.weights[theirs.items[is_shared]]
        sums[0, row] = shared.sum()
        sums[1, row] = ours.reached + shared[found[is_shared] == 1].sum()
        sums[2, row] = theirs.reached + shared[~theirs.is_reached[is_shared]].sum()
    return Masses(*sums)


class _Side:
    """The items of one work, and the weight of those that are reached."""

    def __init__(
        self,
        weights: NDArray[np.float64],
        items: NDArray[np.int32],
        is_reached: NDArray[np.bool_],
    ) -> None:
        self.items = items
        self.is_reached = is_reached
        self.reached = weights[items[is_reached]].sum()
