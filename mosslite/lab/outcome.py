"""What values of copied and of honest pairs amount to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Outcome", "average_precision", "limit_of", "outcome_of", "recall_at"]

# Of honest pairs, so many may score as high as what is found.
_FALSE_ALARMS: Final = 0.01


@dataclass(frozen=True, slots=True)
class Outcome:
    """What fingerprints tell of copied and of honest pairs.

    Attributes:
        copies_sharing: The share of the copied pairs that have a fingerprint in common.
        honest_sharing: The share of the honest pairs that have.
        precision: The share of copied pairs among those that have.
        recall: The share of the copied pairs that share more of the smaller side's fingerprints
            than all but one in a hundred of the honest pairs.
        average_precision: Of the ranking by that share.
    """

    copies_sharing: float
    honest_sharing: float
    precision: float
    recall: float
    average_precision: float


def average_precision(copies: Sequence[float], honest: Sequence[float]) -> float:
    """Rank pairs by their values; equal ones stand together, whatever their order.

    Returns:
        The mean over the copies of the precision at their value, 0 without copies.
    """
    if not len(copies):
        return 0.0
    ours, theirs = np.sort(np.asarray(copies)), np.sort(np.asarray(honest))
    found = len(ours) - np.searchsorted(ours, ours, side="left")
    alarms = len(theirs) - np.searchsorted(theirs, ours, side="left")
    return float(np.mean(found / (found + alarms)))


def outcome_of(copies: Sequence[float], honest: Sequence[float]) -> Outcome:
    """Sum up the values of copied and of honest pairs, which are shares in [0, 1]."""
    ours, theirs = sum(each > 0 for each in copies), sum(each > 0 for each in honest)
    return Outcome(
        copies_sharing=ours / max(len(copies), 1),
        honest_sharing=theirs / max(len(honest), 1),
        precision=ours / max(ours + theirs, 1),
        recall=recall_at(copies, limit_of(honest)),
        average_precision=average_precision(copies, honest),
    )


def limit_of(honest: Sequence[float]) -> float:
    """Return the share that only one honest pair in a hundred exceeds."""
    return sorted(honest)[-1 - int(_FALSE_ALARMS * len(honest))] if honest else 0.0


def recall_at(copies: Sequence[float], limit: float) -> float:
    """Return the share of the copied pairs that are above a limit."""
    return sum(each > limit for each in copies) / max(len(copies), 1)
