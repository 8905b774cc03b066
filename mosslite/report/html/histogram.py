"""The distribution of scores as a picture: bars on a logarithmic scale."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Bar", "Histogram", "Tick", "histogram_of"]

# A single pair is a stump of this many decades, or it would have no height on a scale of powers.
_STUMP: Final = 0.3


@dataclass(frozen=True, slots=True)
class Bar:
    """So many pairs score in ``[low, high)``, the last bar's end included; shares of the picture.

    Attributes:
        left: Where it begins, as a share of the width.
        width: As a share of the width.
        height: As a share of the height; 0 for no pairs.
    """

    low: float
    high: float
    count: int
    left: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across the picture at a count."""

    count: int
    height: float


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bars from score 0 to 1, and the lines to read them by."""

    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    total: int


def histogram_of(counts: Sequence[int]) -> Histogram | None:
    """Draw counts of equal steps of the score; None where there is nothing to draw."""
    if not any(counts):
        return None
    top = log10(max(counts)) + 2 * _STUMP
    bars = tuple(
        Bar(
            low=place / len(counts),
            high=(place + 1) / len(counts),
            count=count,
            left=(place + 0.08) / len(counts),
            width=0.84 / len(counts),
            height=_height(count, top),
        )
        for place, count in enumerate(counts)
    )
    powers = [10**power for power in range(len(str(max(counts))))]
    ticks = tuple(Tick(count, _height(count, top)) for count in powers)
    return Histogram(bars, ticks, sum(counts))


def _height(count: int, top: float) -> float:
    return (log10(count) + _STUMP) / top if count else 0.0
