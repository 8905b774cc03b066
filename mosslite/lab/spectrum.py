"""Frequency by rank: plateaus, their end points, and the line through these."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Line", "Plateau", "Spectrum", "fitted", "spectrum_of"]

# What makes a plateau aberrant: so many hashes, over so many decades of rank, and so many times
# what a power law gives a plateau of its height.
_LEAST_HASHES: Final = 10
_LEAST_DECADES: Final = 0.25
_TIMES_EXPECTED: Final = 8.0


@dataclass(frozen=True, slots=True)
class Plateau:
    """Hashes of the same frequency, which take all ranks from the first to the last."""

    frequency: int
    first_rank: int
    last_rank: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line on log-log scales: frequency = 10^intercept * rank^slope."""

    slope: float
    intercept: float


@dataclass(frozen=True, slots=True)
class Spectrum:
    """How often distinct hashes occur.

    Attributes:
        occurrences: All hashes.
        distinct: Different hashes.
        once: The share of the distinct hashes that occur once; twice and thrice likewise.
        line: Fitted to the end points of all plateaus; None for a single point.
        cleaned_line: Fitted without the aberrant ones.
        plateaus: By descending frequency.
        aberrant: Those that are far longer than a power law makes them.
    """

    occurrences: int
    distinct: int
    once: float
    twice: float
    thrice: float
    line: Line | None
    cleaned_line: Line | None
    aberrant: tuple[Plateau, ...]
    plateaus: tuple[Plateau, ...]


def spectrum_of(multiplicities: Mapping[int, int]) -> Spectrum:
    """Rank hashes of which so many (the values) occur so often (the keys)."""
    plateaus, rank = [], 0
    for frequency in sorted(multiplicities, reverse=True):
        plateaus.append(Plateau(frequency, rank + 1, rank + multiplicities[frequency]))
        rank += multiplicities[frequency]
    line = fitted(plateaus)
    aberrant = [each for each in plateaus if line and _is_aberrant(each, line)]
    kept = [each for each in plateaus if each not in aberrant]
    return Spectrum(
        occurrences=sum(often * many for often, many in multiplicities.items()),
        distinct=rank,
        once=multiplicities.get(1, 0) / max(rank, 1),
        twice=multiplicities.get(2, 0) / max(rank, 1),
        thrice=multiplicities.get(3, 0) / max(rank, 1),
        line=line,
        cleaned_line=fitted(kept),
        aberrant=tuple(aberrant),
        plateaus=tuple(plateaus),
    )


def fitted(plateaus: Sequence[Plateau]) -> Line | None:
    """Fit a line to the end points of plateaus by least squares of the logarithms.

    As in the paper, a plateau of one hash counts twice, so that the weights are not biased.

    Returns:
        None where all points have the same rank.
    """
    ends = [
        (rank, each.frequency) for each in plateaus for rank in (each.first_rank, each.last_rank)
    ]
    if len({rank for rank, _ in ends}) < 2:
        return None
    x, y = np.log10(np.array(ends, np.float64)).T
    x_mean, y_mean = float(x.mean()), float(y.mean())
    slope = float(((x - x_mean) * (y - y_mean)).sum() / ((x - x_mean) ** 2).sum())
    return Line(slope, y_mean - slope * x_mean)


def _is_aberrant(plateau: Plateau, line: Line) -> bool:
    """Return whether a plateau is far longer than the line makes one of its height.

    On a power law, frequencies from f - 1/2 to f + 1/2 take log10((f + 1/2) / (f - 1/2)) / |slope|
    decades of rank.
    """
    frequency = plateau.frequency
    if plateau.last_rank - plateau.first_rank < _LEAST_HASHES or not line.slope:
        return False
    decades = log10(plateau.last_rank / plateau.first_rank)
    expected = log10((frequency + 0.5) / (frequency - 0.5)) / abs(line.slope)
    return decades >= _LEAST_DECADES and decades > _TIMES_EXPECTED * expected
