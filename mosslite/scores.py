"""The score of a pair: how much it needs a look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mosslite.columns import Masses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.columns import View

__all__ = ["Evidence", "Weights", "combined", "masses"]


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of the score.

    Attributes:
        structure: How far equal structure alone takes the score, in [0, 1].
        wording: How far equal wording alone takes it, in [0, 1].
        trace: How many k-grams of tokens a word of a comment, a string or a number is worth.
        layout: How many the layout of a line is worth; there are many lines.
        doubt: As much evidence, in items that few hold, is always in doubt: little proves little.
    """

    structure: float = 0.9
    wording: float = 0.5
    trace: float = 8.0
    layout: float = 2.0
    doubt: float = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """All there is on some pairs.

    Attributes:
        structure: The masses of each view of structure, at least one.
        wording: Those of the tokens as written.
        traces: Those of words of comments, strings and numbers.
        layout: Those of the layout of lines.
        is_same: ``(m,) bool``, the pairs that are the same token for token.
    """

    structure: tuple[Masses, ...]
    wording: Masses
    traces: Masses
    layout: Masses
    is_same: NDArray[np.bool_]


def combined(evidence: Evidence, weights: Weights) -> NDArray[np.float64]:
    """Combine all evidence on each pair to its score.

    Structure is the mean overlap of its views, as an edit that hides a passage from one of them
    seldom hides it from all. What is also worded the same was not written twice, so it closes
    half of the gap that is left; wording that differs takes little away, as it is the first
    thing a copier changes. A view in which neither side has anything is left out.

    Returns:
        ``(m,) float64`` in [0, 1], 1 where the pair is the same and less elsewhere, in steps of a
        millionth: sums may differ in their last digit from machine to machine, and must not
        change the order of equal pairs.
    """
    views = np.stack([_overlap(view, weights.doubt) for view in evidence.structure])
    is_known = ~np.isnan(views)
    structure = np.nansum(views, axis=0) / np.maximum(is_known.sum(axis=0), 1)
    written = evidence.wording + evidence.traces * weights.trace + evidence.layout * weights.layout
    wording = np.nan_to_num(_overlap(written, weights.doubt))
    gap = (1 - weights.structure * structure) * (1 - weights.wording * wording)
    most = 1 - (1 - weights.structure) * (1 - weights.wording)
    score = ((1 - gap) / most).round(6)
    return np.where(evidence.is_same, 1.0, np.minimum(score, 1 - 1e-6))


def _overlap(view: Masses, doubt: float) -> NDArray[np.float64]:
    """Measure how much is shared: ``(m,)`` in [0, 1), NaN where neither side has anything.

    It is the geometric mean of the two sides' shares of shared weight, which stays high where
    code was added around a copy, and low where a small file happens to be found inside a large
    one.
    """
    share = view.shared / (np.sqrt(view.left * view.right) + doubt)
    return np.where(view.left + view.right > 0, share, np.nan)


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
