"""Who stands out again and again, and how surprising that is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mosslite.forests import DisjointSets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mosslite.report.course.joining import Assignment, Joined, Outcome

__all__ = ["Course", "Series", "Student", "roll_up"]

_Pair = tuple[str, str]


class Partner(NamedTuple):
    """Another student, and in how many assignments the two stood out."""

    key: str
    times: int


@dataclass(frozen=True, slots=True)
class Student:
    """A student over the course.

    Attributes:
        took: Titles of the assignments the student took part in.
        partners: Whom the student stood out with, the most frequent first.
    """

    key: str
    name: str
    took: tuple[str, ...]
    partners: tuple[Partner, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """Two students over the course.

    Attributes:
        left: Key of a student.
        right: Key of the other; the greater one.
        outcomes: By title, of the assignments in which the pair is listed.
        times: In how many the pair stood out.
        together: How many with a threshold both took part in, apart from each other.
        chance: How likely two students who work independently stand out as often or more often.
        expected: How many such pairs a course of this size has, if all work independently.
    """

    left: str
    right: str
    outcomes: tuple[tuple[str, Outcome], ...]
    times: int
    together: int
    chance: float
    expected: float

    @property
    def by_title(self) -> Mapping[str, Outcome]:
        """The outcomes by the title of their assignment."""
        return dict(self.outcomes)


@dataclass(frozen=True, slots=True)
class Course:
    """All assignments together; series are in order of how much they need a look."""

    assignments: tuple[Assignment, ...]
    students: tuple[Student, ...]
    series: tuple[Series, ...]
    groups: tuple[tuple[str, ...], ...]
    apart: tuple[str, ...]

    @property
    def names(self) -> dict[str, str]:
        """How each student is called, by key."""
        return {each.key: each.name for each in self.students}


def roll_up(joined: Joined) -> Course:
    """Say for each pair that stood out how often it did, and how surprising that is.

    In one assignment a pair of students who work independently stands out with the probability
    that its threshold tells: the honest pairs that are to be expected there, of all pairs; or more
    than that, if more pairs stand out there and nowhere else, as all of these can be honest. Some
    students are alike to many, as they write as the textbook does; so the probability is raised
    for both by how many times more often than that each stood out with *others* once, where one
    more of either says that little proves little: who stands out again and again with the same few
    is not alike to many. It is never lowered. Over the assignments that both
    took part in, the number of times is then a sum of independent trials of different chances (a
    Poisson binomial distribution), of which the upper tail is taken; and times all pairs of
    students it is how many such pairs are to be expected in a course.

    *Cost:* for each pair that stood out, the square of the number of assignments.
    """
    high = _high_pairs(joined.assignments)
    trials = [_trial(each, high) for each in joined.assignments if each.expected is not None]
    by_student = _once_by_student(high)
    usual = _expected_by_student(trials)
    count = len(joined.names)
    series = [
        _series(pair, joined.assignments, trials, count, _odds(pair, high, by_student, usual))
        for pair in high
    ]
    series.sort(key=lambda each: (each.chance, -each.times, -_total(each), each.left, each.right))
    partners = _partners(series)
    students = tuple(
        Student(
            key,
            name,
            tuple(each.title for each in joined.assignments if key in each.submission_of),
            tuple(partners.get(key, ())),
        )
        for key, name in sorted(joined.names.items())
    )
    return Course(joined.assignments, students, tuple(series), _groups(series), joined.apart)


class _Trial(NamedTuple):
    """An assignment, and how likely a pair of independent work stands out there."""

    assignment: Assignment
    chance: float


def _trial(assignment: Assignment, high: Mapping[_Pair, int]) -> _Trial:
    once = sum(
        outcome.stands_out and high[pair] == 1 for pair, outcome in assignment.outcomes.items()
    )
    honest = max(assignment.expected or 1.0, once)
    return _Trial(assignment, min(honest / max(assignment.pairs, 1), 1.0))


def _high_pairs(assignments: Iterable[Assignment]) -> Counter[_Pair]:
    """Count in how many assignments each pair stood out."""
    return Counter(
        pair
        for each in assignments
        for pair, outcome in each.outcomes.items()
        if outcome.stands_out
    )


def _once_by_student(high: Mapping[_Pair, int]) -> Counter[str]:
    """Count with how many others each student stood out once, and no more."""
    return Counter(student for pair, count in high.items() if count == 1 for student in pair)


def _expected_by_student(trials: Iterable[_Trial]) -> dict[str, float]:
    """Return how many times each student stands out if all work independently."""
    expected: dict[str, float] = {}
    for assignment, chance in trials:
        for student in assignment.submission_of:
            more = chance * (assignment.submissions - 1)
            expected[student] = expected.get(student, 0.0) + more
    return expected


def _odds(
    pair: _Pair,
    high: Mapping[_Pair, int],
    by_student: Mapping[str, int],
    usual: Mapping[str, float],
) -> float:
    """Return by how much a pair is likelier to stand out than others, at least 1."""
    odds, own = 1.0, high[pair] == 1
    for student in pair:
        odds *= max((1 + by_student[student] - own) / (1 + usual[student]), 1.0)
    return odds


def _series(
    pair: _Pair,
    assignments: Sequence[Assignment],
    trials: Sequence[_Trial],
    students: int,
    odds: float,
) -> Series:
    both = [each for each in trials if each.assignment.has_both(pair)]
    found = (each.assignment.outcomes.get(pair) for each in both)
    times = sum(outcome is not None and outcome.stands_out for outcome in found)
    chance = tail([min(each.chance * odds, 1.0) for each in both], times)
    return Series(
        left=pair[0],
        right=pair[1],
        outcomes=tuple(
            (each.title, each.outcomes[pair]) for each in assignments if pair in each.outcomes
        ),
        times=times,
        together=len(both),
        chance=_rounded(chance),
        expected=_rounded(chance * (students * (students - 1) / 2)),
    )


def tail(chances: Sequence[float], least: int) -> float:
    """Return how likely at least so many of independent trials succeed.

    Args:
        chances: How likely each does.
        least: From how many on; 0 is certain.
    """
    by_count = [1.0] + [0.0] * len(chances)
    for done, chance in enumerate(chances, 1):
        for count in range(done, 0, -1):
            by_count[count] = by_count[count] * (1 - chance) + by_count[count - 1] * chance
        by_count[0] *= 1 - chance
    return min(sum(reversed(by_count[least:])), 1.0)


def _rounded(value: float) -> float:
    """Round to three digits: no more are known, and the last ones differ between machines."""
    return float(f"{value:.3g}")


def _total(series: Series) -> float:
    return sum(outcome.score or 0.0 for _, outcome in series.outcomes if outcome.stands_out)


def _partners(series: Iterable[Series]) -> dict[str, list[Partner]]:
    partners: dict[str, list[Partner]] = {}
    for each in series:
        partners.setdefault(each.left, []).append(Partner(each.right, each.times))
        partners.setdefault(each.right, []).append(Partner(each.left, each.times))
    for own in partners.values():
        own.sort(key=lambda partner: (-partner.times, partner.key))
    return partners


def _groups(series: Iterable[Series]) -> tuple[tuple[str, ...], ...]:
    """Return the students that pairs connect which stood out more than once, three or more."""
    again = [each for each in series if each.times > 1]
    keys = sorted({student for each in again for student in (each.left, each.right)})
    numbers, sets = {key: number for number, key in enumerate(keys)}, DisjointSets()
    for each in again:
        sets.join(numbers[each.left], numbers[each.right])
    groups: dict[int, list[str]] = {}
    for key in keys:
        groups.setdefault(sets.find(numbers[key]), []).append(key)
    return tuple(tuple(group) for group in groups.values() if len(group) > 2)
