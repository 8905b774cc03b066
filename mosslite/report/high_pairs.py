"""From which score on pairs need a look, and whether a report holds all of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mosslite.model import Report

__all__ = ["is_cut", "reaches", "threshold_of"]

# Where to draw the line in a batch that suggests none.
_NO_SUGGESTION: Final = 0.5


def threshold_of(report: Report) -> float:
    """Give the score from which on pairs need a look."""
    return report.threshold.score if report.threshold else _NO_SUGGESTION


def is_cut(report: Report, percent: float | None) -> bool:
    """Tell whether more pairs than those in the report may be at or above the percentage."""
    is_full = 0 < report.options.most_pairs <= len(report.pairs)
    return is_full and percent is not None and reaches(report.pairs[-1].score, percent)


def reaches(score: float, percent: float) -> bool:
    """Tell whether a score in [0, 1] is at or above a percentage.

    0.29 * 100 is a hair below 29 in binary, so nearly is enough.
    """
    return score * 100 >= percent or math.isclose(score * 100, percent)
