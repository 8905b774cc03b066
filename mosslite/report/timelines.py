"""Submission times of groups, and the growth of a student's work over attempts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from mosslite.display import seconds_between
from mosslite.records import Comparable, Pair, Report, TokenizedSubmission
from mosslite.report.results import AttemptResult
from mosslite.winnowing.fingerprints import share_found

# Increase of the share found in another submission, from one attempt to the next, that is a jump.
_JUMP: Final = 0.3


class HandIn(NamedTuple):
    """A submission on a timeline.

    Attributes:
        number: Number of the submission.
        after: Seconds after the first; 0 for the first, and if unknown.
        place: From 0, the first, to 1, the last; None if the time is unknown or not comparable with
            the others.
    """

    number: int
    submission: TokenizedSubmission
    after: int
    place: float | None


def timeline_of(numbers: Iterable[int], submissions: Sequence[TokenizedSubmission]) -> list[HandIn]:
    """Return submissions in order of time; those without a time come last.

    Args:
        numbers: Numbers of the submissions, from 1.
        submissions: All submissions of the report.

    Returns:
        Empty if fewer than two have comparable times.
    """
    members = [(number, submissions[number - 1]) for number in numbers]
    times = {number: each.source.hand_in.submitted for number, each in members}
    offsets = _offsets(times)
    if len(offsets) < 2:
        return []
    first, last = min(offsets.values()), max(offsets.values())
    rows = []
    for number, each in members:
        after = offsets.get(number, first) - first
        place = round(after / ((last - first) or 1), 4) if number in offsets else None
        rows.append(HandIn(number, each, after, place))
    unknown = last + 1
    return sorted(rows, key=lambda row: (offsets.get(row.number, unknown), row.number))


def _offsets(times: Mapping[int, str]) -> dict[int, int]:
    """Return seconds after the first time, for those times that are comparable."""
    best: dict[int, int] = {}
    for reference in dict.fromkeys(_zoned(times)):
        gaps = {number: seconds_between(reference, time) for number, time in times.items()}
        found = {number: gap for number, gap in gaps.items() if gap is not None}
        best = max(best, found, key=len)
    return best


def _zoned(times: Mapping[int, str]) -> list[str]:
    """Return a time with a zone and one without, if both occur."""
    known = [time for time in times.values() if seconds_between(time, time) is not None]
    others = [time for time in known if seconds_between(known[0], time) is None]
    return [*known[:1], *others[:1]]


class AttemptRow(NamedTuple):
    """One attempt of a student.

    Attributes:
        number: Number of the submission.
        result: What results tell of it.
        pair: Listed pair of this attempt with the highest score; None without one.
        rank: Its position in the list.
        other: The other submission of that pair, and its number.
    """

    number: int
    submission: TokenizedSubmission
    result: AttemptResult
    pair: Pair | None = None
    rank: int = 0
    other: tuple[int, TokenizedSubmission] | None = None


def attempts_of(report: Report) -> dict[int, list[AttemptRow]]:
    """Return, for each submission that is one of several attempts, all of them in order.

    Args:
        report: With or without names.
    """
    of_owner = defaultdict[tuple[str, str], list[int]](list)
    for number, each in enumerate(report.submissions, 1):
        if each.source.hand_in.attempt:
            of_owner[each.role.value, each.source.hand_in.owner].append(number)
    rows: dict[int, list[AttemptRow]] = {}
    best = _best_pairs(report) if of_owner else {}
    for numbers in of_owner.values():
        if len(numbers) > 1:
            numbers.sort(key=lambda n: report.submissions[n - 1].source.hand_in.attempt)
            rows |= dict.fromkeys(numbers, _rows(report, numbers, best))
    return rows


def _best_pairs(report: Report) -> dict[str, tuple[int, Pair]]:
    """Return the listed pair of each submission with the highest score, and its rank."""
    best: dict[str, tuple[int, Pair]] = {}
    for rank, pair in enumerate(report.pairs, 1):
        best.setdefault(pair.left.name, (rank, pair))
        best.setdefault(pair.right.name, (rank, pair))
    return best


def _rows(
    report: Report, numbers: Sequence[int], best: Mapping[str, tuple[int, Pair]]
) -> list[AttemptRow]:
    rows: list[AttemptRow] = []
    number_of, highs = report.numbers, report.highs
    before: Comparable | None = None
    for number in numbers:
        submission = report.submissions[number - 1]
        row, own = AttemptResult(submission=submission.name, jumps=False), submission.comparable
        if before is not None:
            new = round(1 - share_found(own, before), 4)
            row = replace(row, kept_from_before=round(share_found(before, own), 4), new=new)
        if submission.name not in best:
            rows.append(AttemptRow(number, submission, row))
        else:
            rank, pair = best[submission.name]
            other = pair.right if pair.left.name == submission.name else pair.left
            found = share_found(own, other.comparable)
            row = replace(row, most_like=other.name, found_there=round(found, 4))
            if before is not None:
                earlier = share_found(before, other.comparable)
                jumps = highs.hold(pair) and found - earlier >= _JUMP
                row = replace(row, found_there_before=round(earlier, 4), jumps=jumps)
            place = (number_of[other.name], other)
            rows.append(AttemptRow(number, submission, row, pair, rank, place))
        before = own
    return rows
