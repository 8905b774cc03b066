"""Sentences about a report that the terminal and the pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mosslite.model import Threshold

__all__ = ["standing_out"]


def standing_out(threshold: Threshold) -> str:
    """Say where to begin looking, and how sure that is."""
    found = "1 pair stands" if threshold.found == 1 else f"{threshold.found:,} pairs stand"
    return (
        f"{found} out in this batch, from score {threshold.score:.2f} on "
        f"({threshold.low:.2f} to {threshold.high:.2f}), where about {threshold.expected:.0f} "
        "pair of honest work is to be expected by chance"
    )
