"""Which pairs are listed: by score, but nothing that stands out for the rest of a large group."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.forests import spanning_forest

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Shortlist", "shortlist"]

# Without a number given, all that stands out is listed within these bounds.
_LEAST_LISTED, _MOST_LISTED = 250, 2_000

# In this order pairs are chosen; the rest comes last.
_OF_GROUP, _OF_SUBMISSION, _OF_FOREST, _HIGH, _REST = range(5)


class Shortlist(NamedTuple):
    """What comes of the pairs of a batch.

    Attributes:
        listed: Places of the pairs that are listed, in the order of the ranking.
        unlisted: Those of pairs that stand out and are not listed, likewise.
        submissions: How many submissions are in pairs that stand out.
        groups: How many groups these pairs connect.
    """

    listed: NDArray[np.int64]
    unlisted: NDArray[np.int64]
    submissions: int
    groups: int


def shortlist(
    ranking: NDArray[np.int64],
    is_high: NDArray[np.bool_],
    show: int | None,
    known: int = 0,
) -> Shortlist:
    """Choose the pairs to list.

    First the best pair of each group of submissions that pairs which stand out connect, then the
    best pair of each submission in them, then what else holds the groups together, then all that
    stands out, then the others; at each step by rank. *Cost:* m log n.

    Args:
        ranking: ``(m, 2)`` works of each pair, the pair that ranks first in the first row.
        is_high: ``(m,) bool``, those that stand out.
        show: How many to list; 0 for all, None for all that stand out within bounds.
        known: How many a baseline knows: there is room for as many more, and as many and one more
            of the first are listed whatever the others are, so that a new one is among them.
    """
    steps, trees = _steps(ranking, is_high)
    steps[: known + 1] = -1
    if show is None:
        show = int(np.clip(is_high.sum(), _LEAST_LISTED, _MOST_LISTED))
    room = show + known if show else len(ranking)
    is_listed = np.zeros(len(ranking), np.bool_)
    is_listed[np.argsort(steps, kind="stable")[:room]] = True
    inside = np.unique(ranking[is_high])
    return Shortlist(
        listed=np.flatnonzero(is_listed),
        unlisted=np.flatnonzero(is_high & ~is_listed),
        submissions=len(inside),
        groups=len(np.unique(trees[inside])),
    )


def _steps(
    ranking: NDArray[np.int64], is_high: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the step at which each pair is chosen, and a number of the group of each work."""
    high = np.flatnonzero(is_high)
    is_of_forest, trees = spanning_forest(ranking[high], int(ranking.max(initial=-1)) + 1)
    steps = np.where(is_high, _HIGH, _REST)
    steps[high[is_of_forest]] = _OF_FOREST
    ends = ranking[high]
    # Of equal values, the first place is that of the highest rank.
    _, firsts = np.unique(ends.ravel(), return_index=True)
    steps[high[firsts // 2]] = _OF_SUBMISSION
    _, firsts = np.unique(trees[ends[:, 0]], return_index=True)
    steps[high[firsts]] = _OF_GROUP
    return steps, trees
