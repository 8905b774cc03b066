"""Who was first: hand-in times of a group, and how a student's work grew over attempts."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.moments import seconds_between
from mosslite.winnowing.fingerprints import share_found

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mosslite.records import Report, TokenizedSubmission
    from mosslite.report.html.groups import Entry

__all__ = ["AttemptRow", "HandIn", "attempts_of", "timeline_of"]


# A work becomes another one's where so much more of it is found there than in the attempt before.
_JUMP: Final = 0.3
_ATTEMPT: Final = re.compile(r", attempt ([0-9]{1,9})\Z")


class HandIn(NamedTuple):
    """A submission on a timeline.

    Attributes:
        number: Of the submission.
        after: How many seconds after the first; 0 for the first, and where that is not known.
        place: From 0, the first, to 1, the last; None where the time is not known or cannot be
            compared with the others.
    """

    number: int
    submission: TokenizedSubmission
    after: int
    place: float | None


def timeline_of(numbers: Iterable[int], submissions: Sequence[TokenizedSubmission]) -> list[HandIn]:
    """Put submissions in the order in which they were handed in; those without a time come last.

    Args:
        numbers: Which of them, from 1.
        submissions: All of the report.

    Returns:
        Nothing where fewer than two have times that can be compared.
    """
    members = [(number, submissions[number - 1]) for number in numbers]
    times = {number: each.source.hand_in.submitted for number, each in members}
    offsets = _offsets(times)
    if len(offsets) < 2:
        return []
    first, last = min(offsets.values()), max(offsets.values())
    rows = [
        HandIn(
            number, each, offsets.get(number, first) - first, _place(offsets, number, first, last)
        )
        for number, each in members
    ]
    unknown = last + 1
    return sorted(rows, key=lambda row: (offsets.get(row.number, unknown), row.number))


def _offsets(times: Mapping[int, str]) -> dict[int, int]:
    """Return seconds from one of the times on, for as many of them as can be compared."""
    best: dict[int, int] = {}
    for reference in dict.fromkeys(_zoned(times)):
        gaps = {number: seconds_between(reference, time) for number, time in times.items()}
        found = {number: gap for number, gap in gaps.items() if gap is not None}
        best = max(best, found, key=len)
    return best


def _zoned(times: Mapping[int, str]) -> list[str]:
    """Return a time with a zone and one without, where there are such."""
    known = [time for time in times.values() if seconds_between(time, time) is not None]
    others = [time for time in known if seconds_between(known[0], time) is None]
    return [*known[:1], *others[:1]]


def _place(offsets: Mapping[int, int], number: int, first: int, last: int) -> float | None:
    if number not in offsets:
        return None
    return round((offsets[number] - first) / ((last - first) or 1), 4)


class AttemptRow(NamedTuple):
    """One attempt of a student.

    Attributes:
        number: Of the submission.
        kept: The share of the attempt before that is still there; None for the first attempt.
        new: The share of this attempt that the one before does not have.
        entry: The listed pair of this attempt with the highest score; None without one.
        other: The other submission of that pair, and its number.
        found: The share of this attempt that is found in the other submission.
        found_before: The same of the attempt before.
    """

    number: int
    submission: TokenizedSubmission
    kept: float | None = None
    new: float | None = None
    entry: Entry | None = None
    other: tuple[int, TokenizedSubmission] | None = None
    found: float | None = None
    found_before: float | None = None

    @property
    def is_jump(self) -> bool:
        """Whether the work became much more like the other one, and stands out with it."""
        if self.entry is None or self.found is None or self.found_before is None:
            return False
        return self.entry.is_high and self.found - self.found_before >= _JUMP


def attempts_of(
    report: Report, entries_of: Mapping[int, Sequence[Entry]]
) -> dict[int, list[AttemptRow]]:
    """Return, for each submission that is one of several attempts, all of them in order.

    Args:
        report: With names or without.
        entries_of: The listed pairs of each submission, by its number, the highest score first.
    """
    of_owner = defaultdict[tuple[str, str], list[int]](list)
    for number, each in enumerate(report.submissions, 1):
        if each.source.hand_in.owner and _ATTEMPT.search(each.name):
            of_owner[each.role.value, each.source.hand_in.owner].append(number)
    rows: dict[int, list[AttemptRow]] = {}
    for numbers in of_owner.values():
        if len(numbers) > 1:
            numbers.sort(key=lambda number: _nth(report.submissions[number - 1]))
            own = _rows(report, numbers, entries_of)
            rows |= dict.fromkeys(numbers, own)
    return rows


def _nth(submission: TokenizedSubmission) -> int:
    found = _ATTEMPT.search(submission.name)
    return int(found[1]) if found else 0


def _rows(
    report: Report, numbers: Sequence[int], entries_of: Mapping[int, Sequence[Entry]]
) -> list[AttemptRow]:
    rows: list[AttemptRow] = []
    for number in numbers:
        before = rows[-1].submission if rows else None
        rows.append(_row(report, number, before, entries_of.get(number, ())))
    return rows


def _row(
    report: Report, number: int, before: TokenizedSubmission | None, entries: Sequence[Entry]
) -> AttemptRow:
    submission = report.submissions[number - 1]
    row = AttemptRow(number, submission)
    if before is not None:
        kept = share_found(before.comparable, submission.comparable)
        new = 1 - share_found(submission.comparable, before.comparable)
        row = row._replace(kept=kept, new=new)
    entry = max(entries, key=lambda each: (each.score, -each.rank), default=None)
    if entry is None:
        return row
    number = entry.right if entry.left == number else entry.left
    other = report.submissions[number - 1]
    return row._replace(
        entry=entry,
        other=(number, other),
        found=share_found(submission.comparable, other.comparable),
        found_before=None if before is None else share_found(before.comparable, other.comparable),
    )
