"""The paired t-test of Student."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, copysign, cos, inf, pi, sin, sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TTest", "paired_t_test", "two_sided"]


@dataclass(frozen=True, slots=True)
class TTest:
    """Whether two series differ in the mean.

    Attributes:
        t: The statistic.
        degrees: Degrees of freedom.
        p_value: How likely chance alone makes one as large or larger, on either side.
    """

    t: float
    degrees: int
    p_value: float


def paired_t_test(left: Sequence[float], right: Sequence[float]) -> TTest:
    """Compare two series of the same length, at least 2, value by value."""
    differences = [ours - theirs for ours, theirs in zip(left, right, strict=True)]
    mean, error = fmean(differences), stdev(differences) / sqrt(len(differences))
    degrees = len(differences) - 1
    if not error:
        return TTest(mean and copysign(inf, mean), degrees, float(not mean))
    t = mean / error
    return TTest(t, degrees, two_sided(t, degrees))


def two_sided(t: float, degrees: int) -> float:
    """Return the chance that Student's t is at least as far from 0.

    For whole degrees of freedom it is a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    angle = atan(abs(t) / sqrt(degrees))
    square, term, total = cos(angle) ** 2, 1.0, 1.0
    is_odd = degrees % 2
    for step in range(2 + is_odd, degrees, 2):
        term *= square * (step - 1) / step
        total += term
    if not is_odd:
        return max(1 - sin(angle) * total, 0.0)
    if degrees == 1:
        total = 0.0
    return max(1 - 2 / pi * (angle + sin(angle) * cos(angle) * total), 0.0)
