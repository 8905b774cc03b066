"""Numbers with their nouns."""

from __future__ import annotations

__all__ = ["counted"]


def counted(count: int, what: str) -> str:
    """Write a number with its noun, as in ``1 pair`` or ``1,200 pairs``."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
