"""Names short enough to stand below the shapes of a picture."""

from __future__ import annotations

import unicodedata
from typing import Final

from mosslite.display import spelled_out

__all__ = ["shortened", "width_of"]

# In pixels: letters of most scripts, and those that fill a square.
_NARROW, _WIDE = 7.0, 13.0
_MOST_WIDTH: Final = 132.0


def shortened(name: str) -> str:
    """Cut the middle out of a name that is too wide for a label, hidden characters spelled out."""
    name = " ".join(spelled_out(name).split()) or "-"
    if width_of(name) <= _MOST_WIDTH:
        return name
    half = (_MOST_WIDTH - _WIDE) / 2
    return f"{_begin(name, half)}\u2026{_begin(name[::-1], half)[::-1]}"


def width_of(text: str) -> float:
    """Guess how many pixels a text takes; Chinese and emoji take about two letters."""
    return sum(_WIDE if unicodedata.east_asian_width(each) in "WF" else _NARROW for each in text)


def _begin(name: str, width: float) -> str:
    count = 0
    while width_of(name[: count + 1]) <= width:
        count += 1
    return name[:count]
