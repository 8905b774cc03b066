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
    trace: float = 4.0
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
    size = np.sqrt(view.left * view.right) + doubt
    is_there = view.left + view.right > 0
    return np.where(is_there, view.shared / np.where(size > 0, size, 1), np.nan)


def masses(pairs: NDArray[np.int64], view: View) -> Masses:
    """Sum up the weights of each pair's items.

    Code that nothing calls counts where both sides have it, and is no difference where one has
    it: it is what a copier adds, and what a writer brings along from elsewhere.

    Args:
        pairs: ``(m, 2) int64`` work numbers, in ascending order.
        view: What is seen of all works.
    """
    reached = _reached_weights(view)
    lefts, firsts = np.unique(pairs[:, 0], return_index=True)
    stops = np.searchsorted(pairs[:, 0], lefts, side="right")
    sums = [np.zeros((3, 0))]
    # 0 for what the left side does not hold, 1 for what nothing calls there, else 2.
    held = np.zeros(len(view.weights), np.int8)
    for left, first, stop in zip(lefts.tolist(), firsts, stops, strict=True):
        items = view.index.fingerprints_of(left)
        held[items] = 1 + view.is_reached[view.index.places_of(left)]
        sums.append(_shared_weights(held, pairs[first:stop, 1], view))
        held[items] = 0
    shared, left_only, right_only = np.concatenate(sums, axis=1)
    return Masses(shared, reached[pairs[:, 0]] + left_only, reached[pairs[:, 1]] + right_only)


def _reached_weights(view: View) -> NDArray[np.float64]:
    """Sum up what is reached of each work, ``(n,)``."""
    count = len(view.index.work_offsets) - 1
    works = np.repeat(np.arange(count), np.diff(view.index.work_offsets))
    weights = view.weights[view.index.fingerprints] * view.is_reached
    return np.bincount(works, weights, count).astype(np.float64)


def _shared_weights(
    held: NDArray[np.int8], rights: NDArray[np.int64], view: View
) -> NDArray[np.float64]:
    """Sum up what each of these works shares: in all, unreached on the left, on the right."""
    starts = view.index.work_offsets[rights]
    sizes = view.index.work_offsets[rights + 1] - starts
    nth = np.repeat(np.arange(len(rights)), sizes)
    places = np.arange(len(nth)) + np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
    found = held[view.index.fingerprints[places]]
    nth, places, found = nth[found > 0], places[found > 0], found[found > 0]
    weights = view.weights[view.index.fingerprints[places]]
    return np.stack(
        [
            np.bincount(nth, weights * is_counted, len(rights))
            for is_counted in (1, found == 1, ~view.is_reached[places])
        ]
    )
