"""Shares in words: cut, not rounded, and never up to all or down to nothing."""

from __future__ import annotations

__all__ = ["hundredths", "percent", "thousandths"]


def percent(share: float) -> str:
    """Write a share in [0, 1] as ``91 %``: ``100 %`` and ``0 %`` only where they are exact."""
    return f"{_whole_parts(share, 100)} %"


def hundredths(share: float) -> str:
    """Write a share in [0, 1] as ``0.91``, by the same rule as ``percent``."""
    return f"{_whole_parts(share, 100) / 100:.2f}"


def thousandths(share: float) -> str:
    """Write a share in [0, 1] as ``0.912``, likewise."""
    return f"{_whole_parts(share, 1000) / 1000:.3f}"


def _whole_parts(share: float, of: int) -> int:
    if share in (0, 1):
        return int(share) * of
    # 0.29 * 100 is a hair below 29 in binary; rounding first takes that hair away.
    return min(max(int(round(share * of, 6)), 1), of - 1)
