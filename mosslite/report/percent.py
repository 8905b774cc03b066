"""Shares in words: whole percents that never round up to all or down to nothing."""

from __future__ import annotations

__all__ = ["hundredths", "percent"]


def percent(share: float) -> str:
    """Write a share in [0, 1] as ``91 %``: ``100 %`` and ``0 %`` only where they are exact."""
    return f"{_whole_percent(share)} %"


def hundredths(share: float) -> str:
    """Write a share in [0, 1] as ``0.91``, by the same rule as ``percent``."""
    return f"{_whole_percent(share) / 100:.2f}"


def _whole_percent(share: float) -> int:
    if share in (0, 1):
        return int(share) * 100
    # 0.29 * 100 is a hair below 29 in binary; rounding first takes that hair away.
    return min(max(int(round(share * 100, 6)), 1), 99)
