"""Times are compared only where they can be."""

import pytest

from mosslite.display import iso_of, seconds_between
from mosslite.texts import ENGLISH


@pytest.mark.parametrize(
    ("first", "second", "seconds"),
    [
        ("2026-01-01T10:00:00", "2026-01-01T10:00:05", 5),
        ("2026-01-01T10:00:00+01:00", "2026-01-01T10:00:00+00:00", 3600),
        ("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", -86400),
        ("2026-01-01T10:00:00", "2026-01-01T10:00:00+00:00", None),
        ("yesterday", "2026-01-01T10:00:00", None),
        ("", "", None),
    ],
)
def test_seconds_are_between_times_that_can_be_compared(
    first: str, second: str, seconds: int | None
) -> None:
    assert seconds_between(first, second) == seconds


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "no time"),
        (1, "1 second"),
        (3600, "1 hour"),
        (3661, "1 hour 1 minute"),
        (-90061, "1 day 1 hour"),
        (86401, "1 day"),
    ],
)
def test_a_gap_is_told_by_its_two_largest_units(seconds: int, words: str) -> None:
    assert ENGLISH.gap(seconds) == words


def test_a_moment_that_no_calendar_has_is_not_written() -> None:
    assert iso_of(10**15, "+0000") == ""
    assert iso_of(0, "-0130") == "1969-12-31T22:30:00-01:30"
