"""Reads the times that platforms write."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from mosslite.intake.layouts.patterns import BRIGHTSPACE_DATE, CLOCK

__all__ = ["american", "ascending", "iso"]

_MONTHS: Final = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)


def iso(text: str) -> str:
    """Return a time in ISO 8601 to the second, or as it is if it cannot be told."""
    text = text.strip()
    match = CLOCK.fullmatch(text)
    if match is None:
        return text
    zone = (match["zone"] or "").replace("UTC", "Z")
    try:
        return datetime.fromisoformat(f"{match['date']}T{match['time']}{zone}").isoformat()
    except ValueError:
        return text


def american(text: str) -> str:
    """Return a time such as ``January 15, 2024 1159 PM`` in ISO 8601, or as it is."""
    match = BRIGHTSPACE_DATE.fullmatch(text)
    if match is None or match["month"].lower() not in _MONTHS:
        return text
    month = _MONTHS.index(match["month"].lower()) + 1
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] in "Pp" else 0)
    try:
        # The platform does not say which zone; nothing is made up here.
        when = datetime(int(match["year"]), month, int(match["day"]), hour, int(match["minute"]))  # noqa: DTZ001
    except ValueError:
        return text
    return when.isoformat()


def ascending(text: str) -> str:
    """Return a string that ascends with the time that ``text`` is in ISO 8601, in any zone."""
    try:
        when = datetime.fromisoformat(text)
        return (when.astimezone(UTC) if when.tzinfo else when).strftime("%Y-%m-%dT%H:%M:%S")
    except (ValueError, OverflowError):
        return text
