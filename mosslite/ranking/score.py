"""The score of a pair: the weights of what both sides share, and the formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.messages import M_
from mosslite.ranges import chunks, expand_ranges, run_starts, sums_of
from mosslite.ranking.candidates import exact
from mosslite.records import FeatureIndex, PairWeights, PlacedBy

# Approximate number of features processed together; and number of marks that cost as much as one.
_ITEMS_AT_ONCE, _MARKS_PER_ITEM = 200_000, 64


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of the score.

    Attributes:
        structure: Score of identical structure alone, in [0, 1].
        wording: Score of identical wording alone, in [0, 1].
        trace: Weight of a word of a comment, a string or a number, in k-grams of tokens.
        layout: Weight of the layout of a line, likewise.
        doubt: Smoothing constant of the overlap of two submissions, in the weight of features.
        part: Maximum score of a submission that is wholly contained in another one.
        part_doubt: Smoothing constant of containment, as a few features are contained by chance.
        large: Weight of two programs beyond which their overlap is partly chance.
        passage_doubt: Smoothing constant of the passages that large programs share.
    """

    structure: float = 0.9
    wording: float = 0.8
    trace: float = 4.0
    layout: float = 8.0
    doubt: float = 5.0
    part: float = 0.8
    part_doubt: float = 50.0
    large: float = 1_500.0
    passage_doubt: float = 500.0


WEIGHTS: Final = Weights()
"""Those that scores are made with, as labelled pairs have shown them to be best."""


def score_explanation(weights: Weights) -> str:
    """Return the formula of ``combined`` in words, for readers of a report."""
    most = 1 - (1 - weights.structure) * (1 - weights.wording)
    return M_(
        "The score orders the pairs, from 0 (nothing in common) to 1 "
        "(identical token for token). All short passages of tokens are "
        "compared, matched or not, in four views: without brackets, "
        "separators and types, without names and types, each name's uses in "
        "a row, and as written. A passage that m of the n submissions have "
        "weighs log((n + 2) / m), so common passages count little. If S is "
        "the weight both sides share, and L and R are the weights of the two "
        "sides, the overlap of a view is S / (sqrt(L x R) + %(doubt)s); the "
        "constant keeps little evidence from counting much. Structure is the "
        "mean of the average and the largest overlap of the first three "
        "views, where a repeated passage counts once more; wording is the "
        "overlap of the fourth, together with words in comments, strings and "
        "numbers at %(trace)s times the weight of a passage and the layout "
        "of lines at %(layout)s times. score = (1 - (1 - %(structure)s x "
        "structure) x (1 - %(wording)s x wording)) / %(most)s. If it is "
        "higher, the score is %(part)s times the same formula with the "
        "containment S / (min(L, R) + %(part_doubt)s) instead of the "
        "overlap, for a submission of which only a part is shared. Large "
        "programs agree in many places by chance: if sqrt(L x R) in the "
        "first view exceeds G = %(large)s, the score s becomes 1 - (1 - q x "
        "s) x (1 - (1 - q) x P / (P + %(passage_doubt)s)) with q = sqrt(G / "
        "sqrt(L x R)). P counts shared passages of some lines that neither "
        "public code nor the rest of the program makes likely, at log((n + "
        "2) / m) cubed, divided by log((n + 2) / 2) squared: their weights "
        "are summed up for each two files, and P is the root of the sum of "
        "the squares, as copied code is in few files. So a pair can rank "
        "above another with higher percentages.",
        f"{weights.doubt:g}",
        f"{weights.trace:g}",
        f"{weights.layout:g}",
        f"{weights.structure:g}",
        f"{weights.wording:g}",
        f"{most:g}",
        f"{weights.part:g}",
        f"{weights.part_doubt:g}",
        f"{weights.large:g}",
        f"{weights.passage_doubt:g}",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """All evidence on some pairs, as weights of features.

    Attributes:
        structure: Weights in each view of structure, at least one.
        wording: Weights of the tokens as written.
        traces: Weights of words of comments, strings and numbers.
        layout: Weights of the layout of lines.
        passages: Weights of the passages that chance does not explain.
        is_same: ``(m,) bool``, pairs with identical tokens.
        bits: ``(m,) int64``, information in the side that has less, in units of 1/256 bit.
    """

    structure: tuple[PairWeights, ...]
    wording: PairWeights
    traces: PairWeights
    layout: PairWeights
    passages: PairWeights
    is_same: NDArray[np.bool_]
    bits: NDArray[np.int64]


class Scores(NamedTuple):
    """Scores of some pairs.

    Attributes:
        values: ``(m,) float64`` in [0, 1], 1 exactly for identical tokens, rounded to millionths:
            the last digits of sums may differ between machines, and must not change the order of
            equal pairs.
        placed_by: ``(m,) uint8``, the evidence that most of each comes from, as an index in
            ``PlacedBy``.
        bits: ``(m,) int64``, as in ``Evidence``: which of equal scores has more evidence.
    """

    values: NDArray[np.float64]
    placed_by: NDArray[np.uint8]
    bits: NDArray[np.int64]


def combined(evidence: Evidence, weights: Weights) -> Scores:
    """Combine all evidence on each pair into its score.

    Two submissions can be the same work, which their overlap shows, or one can contain part of the
    other, which containment shows; the stronger of both determines the score. By containment alone,
    every short program would be found in every long one, so it counts less and needs more evidence.
    """
    trust = _trust(evidence.structure[0], weights.large)
    shared = evidence.passages.shared / (evidence.passages.shared + weights.passage_doubt)
    shares = {
        PlacedBy.IDENTITY: evidence.is_same * 1.0,
        PlacedBy.OVERLAP: trust * _score(evidence, weights, _mean_size, weights.doubt),
        PlacedBy.CONTAINMENT: trust
        * weights.part
        * _score(
            evidence, weights, lambda view: np.minimum(view.left, view.right), weights.part_doubt
        ),
        PlacedBy.PASSAGES: (1 - trust) * shared,
    }
    overlap = np.maximum(shares[PlacedBy.OVERLAP], shares[PlacedBy.CONTAINMENT])
    score = (1 - (1 - overlap) * (1 - shares[PlacedBy.PASSAGES])).round(6)
    return Scores(
        values=np.where(evidence.is_same, 1.0, np.minimum(score, 1 - 1e-6)),
        placed_by=np.argmax([shares[kind].round(6) for kind in PlacedBy], axis=0).astype(np.uint8),
        bits=evidence.bits,
    )


def _trust(view: PairWeights, large: float) -> NDArray[np.float64]:
    """Return how far the overlap of two programs is evidence: ``(m,)`` in (0, 1].

    Two programs agree by chance in about as many places as they have, times a share that varies
    from pair to pair; so what their overlap proves falls with the root of their size.
    """
    sizes = _mean_size(view)
    trust: NDArray[np.float64] = np.sqrt(large / np.maximum(sizes, large))
    return trust


def _mean_size(view: PairWeights) -> NDArray[np.float64]:
    """Return the geometric mean of both sides, of which the shared weight is a fraction.

    The fraction stays high if code was added around a copy, and low if a small file happens to be
    found inside a large one.
    """
    sizes: NDArray[np.float64] = np.sqrt(view.left * view.right)
    return sizes


def _score(
    evidence: Evidence,
    weights: Weights,
    size_of: Callable[[PairWeights], NDArray[np.float64]],
    doubt: float,
) -> NDArray[np.float64]:
    """Combine the shared fractions of all views, each ``shared / (size_of(view) + doubt)``.

    Structure is half the mean of its views and half the maximum: an edit that hides a passage
    from some views seldom hides it from all. Identical wording is not the result of independent
    work, so it closes most of the remaining gap; different wording reduces the score little, as it
    is the first thing a copier changes. A view without features on either side is left out.
    """

    def measure(view: PairWeights) -> NDArray[np.float64]:
        sizes, is_there = size_of(view) + doubt, view.left + view.right > 0
        return np.where(is_there, view.shared / np.where(sizes > 0, sizes, 1), np.nan)

    views = np.stack([measure(view) for view in evidence.structure])
    mean = np.nansum(views, axis=0) / np.maximum((~np.isnan(views)).sum(axis=0), 1)
    structure = (mean + np.nan_to_num(views).max(axis=0)) / 2
    written = evidence.wording + evidence.traces * weights.trace + evidence.layout * weights.layout
    wording = np.nan_to_num(measure(written))
    gap = (1 - weights.structure * structure) * (1 - weights.wording * wording)
    most = 1 - (1 - weights.structure) * (1 - weights.wording)
    score: NDArray[np.float64] = (1 - gap) / most
    return score


def pair_weights(pairs: NDArray[np.int64], view: FeatureIndex) -> PairWeights:
    """Sum up the weights of each pair's features.

    Args:
        pairs: ``(m, 2) int64`` submission numbers, in ascending order.
        view: Features of all submissions in one view.
    """
    # Each left side costs a row of marks, which limits the size of blocks too.
    row = len(view.weights) // _MARKS_PER_ITEM
    costs = view.sizes[pairs[:, 1]] + run_starts(pairs[:, 0]) * row
    shared = [_shared_weights(pairs[block], view) for block in chunks(costs, _ITEMS_AT_ONCE)]
    return PairWeights(np.concatenate([np.zeros(0), *shared]), *view.totals[pairs.T])


def _shared_weights(pairs: NDArray[np.int64], view: FeatureIndex) -> NDArray[np.float64]:
    """Sum up the shared weight of each pair, ``(m,)``.

    If a feature weighs more in the population of one side than in that of the other, the geometric
    mean of both weights counts, so that no overlap exceeds 1.

    If the index has files, the sums of each pair of files are combined as the root of the sum of
    their squares: what was copied is in few files, what agrees by chance is in many.
    """
    marks, rows = _marks(pairs[:, 0], view)
    places = expand_ranges(view.offsets[pairs[:, 1]], view.sizes[pairs[:, 1]])
    sizes, items = view.sizes[pairs[:, 1]], view.items[places]
    found = marks[np.repeat(rows * len(view.weights), sizes) + items]
    held = np.flatnonzero(found)
    nth = np.repeat(np.arange(len(pairs)), sizes)[held]
    left, right = _weights(items[held], pairs, nth, view)
    weights = left if left is right else exact(np.sqrt(left * right))
    if view.files is None:
        return sums_of(weights, nth, len(pairs))
    lefts, rights = found[held].astype(np.int64), view.files[places[held]].astype(np.int64)
    of_lefts, of_rights = lefts.max(initial=0) + 1, rights.max(initial=0) + 1
    keys = (nth * of_lefts + lefts) * of_rights + rights
    of_files, groups = np.unique(keys, return_inverse=True)
    sums = sums_of(weights, groups, len(of_files))
    owners = of_files // (of_lefts * of_rights)
    return np.sqrt(sums_of(sums * sums, owners, len(pairs)))


def _weights(
    items: NDArray[np.int32], pairs: NDArray[np.int64], nth: NDArray[np.int64], view: FeatureIndex
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weights of features on either side of the pair that shares each."""
    if view.weights.shape[1] == 1:  # the usual case, and the fastest
        weights = view.weights[:, 0][items]
        return weights, weights
    left, right = (view.weights[items, view.populations[side][nth]] for side in pairs.T)
    return left, right


def _marks(
    lefts: NDArray[np.int64], view: FeatureIndex
) -> tuple[NDArray[np.bool_] | NDArray[np.int32], NDArray[np.int64]]:
    """Mark the features of each left side, by the number of the file from 1: a row for each.

    Returns:
        All rows concatenated, and the row of each of these submissions.
    """
    is_new = run_starts(lefts)
    submissions, rows = lefts[is_new], np.cumsum(is_new) - 1
    places = expand_ranges(view.offsets[submissions], view.sizes[submissions])
    firsts = np.repeat(np.arange(len(submissions)) * len(view.weights), view.sizes[submissions])
    size = len(submissions) * len(view.weights)
    marks: NDArray[np.bool_] | NDArray[np.int32] = np.zeros(size, np.bool_)
    if view.files is None:
        marks[firsts + view.items[places]] = True
    else:
        marks = np.zeros(size, np.int32)
        marks[firsts + view.items[places]] = view.files[places] + 1
    return marks, rows
