"""Where in a batch the scores begin that honest work hardly reaches.

There is no score above which work is plagiarised: how alike honest solutions are depends on the
assignment. Nearly all pairs of a batch are honest, so the batch itself tells.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from mosslite.model import Role, Threshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["sampled_pairs", "suggested_threshold"]

# Pairs that the distribution is guessed from, at the most and at the least.
_MOST_SAMPLED, _LEAST_SAMPLED = 5_000, 45

# Scores are spread about evenly around their median on the scale of log(s / (1 - s)), nearly all
# of them honest; one standard deviation above the median is the quantile of this share.
_SHARE = NormalDist().cdf(1)
_EDGE = 0.005

# Groups of the jackknife, and how many standard errors a range reaches to either side.
_GROUPS, _ERRORS = 10, NormalDist().inv_cdf(0.95)

# Honest pairs to be expected at the threshold or above.
_EXPECTED = 1.0


def sampled_pairs(roles: Sequence[Role]) -> NDArray[np.int64]:
    """Choose pairs evenly from all that are compared.

    Args:
        roles: The role of each work; a pair has at least one CURRENT side.

    Returns:
        ``(m, 2) int64`` work numbers, the smaller first; all pairs where they are few.
    """
    count = len(roles)
    distances = np.arange(1, count // 2 + 1)
    wanted = max(_MOST_SAMPLED // max(count, 1), 1)
    if len(distances) > wanted:
        distances = distances[np.linspace(0, len(distances) - 1, wanted).astype(np.int64)]
    firsts = np.repeat(np.arange(count), len(distances))
    pairs = np.column_stack([firsts, (firsts + np.tile(distances, count)) % max(count, 1)])
    is_current = np.array([role is Role.CURRENT for role in roles], np.bool_)
    pairs = np.sort(pairs[is_current[pairs].any(axis=1)], axis=1)
    return np.unique(pairs, axis=0).astype(np.int64).reshape(-1, 2)


def suggested_threshold(
    sample: NDArray[np.float64], ranking: NDArray[np.float64], pairs: int
) -> Threshold | None:
    """Suggest where to begin looking: where one honest pair is to be expected by chance.

    The range comes from leaving out a tenth of the sample at a time (a jackknife).

    Args:
        sample: Scores of pairs chosen without regard to their score.
        ranking: Scores of all pairs that may stand out.
        pairs: How many pairs are compared in all.

    Returns:
        None where the sample is too small, or all of it alike.
    """
    if len(sample) < _LEAST_SAMPLED or np.ptp(sample) == 0:
        return None
    groups = np.arange(len(sample)) % _GROUPS
    centre = _logit_threshold(sample, pairs)
    parts = [_logit_threshold(sample[groups != group], pairs) for group in range(_GROUPS)]
    error = np.sqrt((_GROUPS - 1) * np.var(parts)) * _ERRORS
    low, score, high = (_score(centre + step) for step in (-error, 0.0, error))
    return Threshold(score, low, high, _EXPECTED, int((ranking >= score).sum()))


def _logit_threshold(sample: NDArray[np.float64], pairs: int) -> float:
    logits = np.log((sample + _EDGE) / (1 - sample + _EDGE))
    median, above = np.quantile(logits, [0.5, _SHARE])
    share = min(_EXPECTED / pairs, 1 - _SHARE)
    return float(median + (above - median) * NormalDist().inv_cdf(1 - share))


def _score(logit: float) -> float:
    """Undo the logarithm; in steps of a thousandth, as it is no more than a guess."""
    odds = np.exp(logit)
    return float(np.clip(((1 + _EDGE) * odds - _EDGE) / (1 + odds), 0, 1).round(3))
