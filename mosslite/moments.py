"""Moments in time, in ISO 8601: written and compared."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

__all__ = ["iso_of", "seconds_between"]


_ZONE: Final = re.compile(r"([+-])([01]\d|2[0-3])([0-5]\d)")


def iso_of(seconds: int, zone: str) -> str:
    """Write seconds since 1970 in a time zone such as ``+0200``.

    Returns:
        In UTC where the zone is nonsense, and nothing where no calendar has the moment.
    """
    found = _ZONE.fullmatch(zone)
    offset = timedelta()
    if found:
        sign, hours, minutes = found.groups()
        offset = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
    try:
        return datetime.fromtimestamp(seconds, UTC).astimezone(timezone(offset)).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def seconds_between(first: str, second: str) -> int | None:
    """Return how many seconds the second of two times is after the first.

    Returns:
        None where one of them is not in ISO 8601, or only one of them has a time zone.
    """
    try:
        start, stop = datetime.fromisoformat(first), datetime.fromisoformat(second)
        return round((stop - start).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None
