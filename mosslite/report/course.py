"""A course over time: pairs above the threshold repeatedly, and how unlikely that is by chance."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mosslite.forests import DisjointSets
from mosslite.report.students import Assignment, Joined, Outcome

_Pair = tuple[str, str]


class Part(NamedTuple):
    """The results of a student in one assignment.

    Attributes:
        submissions: Names of the student's submissions.
        high: Keys of the partners in pairs above the threshold, with scores, highest first.
        best: Highest score of a listed pair; None without one.
    """

    title: str
    submissions: tuple[str, ...]
    high: tuple[tuple[str, float | None], ...]
    best: float | None


class Partner(NamedTuple):
    """Another student, and the number of assignments with a pair of both above the threshold."""

    key: str
    times: int


@dataclass(frozen=True, slots=True)
class Student:
    """A student over the course.

    Attributes:
        parts: The student's assignments, in order.
        partners: Students in pairs above the threshold with this one, the most frequent first.
    """

    key: str
    name: str
    parts: tuple[Part, ...]
    partners: tuple[Partner, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """Two students over the course.

    Attributes:
        left: Key of a student.
        right: Key of the other; the greater one.
        outcomes: By title, of the assignments in which the pair is listed.
        times: Number of assignments in which the pair is above the threshold.
        together: Number of assignments with a threshold to which both contributed separately.
        chance: Probability that a pair of independent students is above the threshold as often.
        expected: Expected number of such pairs in a course of this size, if all work independently.
    """

    left: str
    right: str
    outcomes: tuple[tuple[str, Outcome], ...]
    times: int
    together: int
    chance: float
    expected: float

    @property
    def firsts(self) -> list[tuple[str, int]]:
        """Number of times that each of both submitted first in a pair above the threshold."""
        counts = Counter(outcome.first for _, outcome in self.outcomes if outcome.stands_out)
        return [(key, counts[key]) for key in (self.left, self.right) if counts[key]]

    @property
    def by_title(self) -> Mapping[str, Outcome]:
        """The outcomes by the title of their assignment."""
        return dict(self.outcomes)


@dataclass(frozen=True, slots=True)
class Course:
    """All assignments together; series are in order of priority for review."""

    assignments: tuple[Assignment, ...]
    students: tuple[Student, ...]
    series: tuple[Series, ...]
    groups: tuple[tuple[str, ...], ...]
    apart: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def names(self) -> dict[str, str]:
        """Display name of each student, by key."""
        return {each.key: each.name for each in self.students}


def roll_up(joined: Joined) -> Course:
    """Count how often each pair was above the threshold, and how unlikely that is by chance.

    In one assignment, two students who work independently are above the threshold with a
    probability that follows from it: the expected number of honest pairs, divided by all pairs; or
    a higher one, if more pairs are above the threshold there and nowhere else, as all of these can
    be honest. Some students resemble many others, as they write like the textbook. So each one's
    probability is multiplied by the number of times that the student was above the threshold once
    with *other* students, relative to the expectation; both are smoothed by adding one. Repeated
    pairs with the same few students do not count for this, and the factor is at least 1. Over the
    assignments in which both took part, the count is then a sum of independent trials with
    different probabilities (a Poisson binomial distribution), of which the upper tail is used. The
    expected number of such pairs in a course is that probability times the pairs of students that
    took part together in at least so many assignments.

    *Cost:* for each pair above a threshold, the square of the number of assignments; the square of
    the number of students.
    """
    high = _high_pairs(joined.assignments)
    trials = [_trial(each, high) for each in joined.assignments if each.expected is not None]
    by_student = _once_by_student(high)
    usual = _expected_by_student(trials)
    together = _pairs_together(trials)
    series = [
        _series(pair, joined.assignments, trials, _odds(pair, high, by_student, usual), together)
        for pair in high
    ]
    series.sort(key=lambda each: (each.chance, -each.times, -_total(each), each.left, each.right))
    partners, parts = _partners(series), _parts(joined.assignments)
    students = tuple(
        Student(
            key,
            name,
            tuple(parts.get(key, ())),
            tuple(partners.get(key, ())),
        )
        for key, name in sorted(joined.names.items())
    )
    return Course(
        assignments=joined.assignments,
        students=students,
        series=tuple(series),
        groups=_groups(series),
        apart=joined.apart,
        warnings=joined.warnings,
    )


class _Trial(NamedTuple):
    """An assignment, and the probability that an independent pair is above its threshold."""

    assignment: Assignment
    chance: float

    def raised(self, odds: float) -> float:
        """Return the probability for a pair with these odds relative to others."""
        return min(self.chance * odds, 1.0)


def _trial(assignment: Assignment, high: Mapping[_Pair, int]) -> _Trial:
    once = sum(
        outcome.stands_out and high[pair] == 1 for pair, outcome in assignment.outcomes.items()
    )
    honest = max(assignment.expected or 1.0, once)
    return _Trial(assignment, min(honest / max(assignment.pairs, 1), 1.0))


def _high_pairs(assignments: Iterable[Assignment]) -> Counter[_Pair]:
    """Count the assignments in which each pair was above the threshold."""
    return Counter(
        pair
        for each in assignments
        for pair, outcome in each.outcomes.items()
        if outcome.stands_out
    )


def _once_by_student(high: Mapping[_Pair, int]) -> Counter[str]:
    """Count the partners with whom each student was above the threshold exactly once."""
    return Counter(student for pair, count in high.items() if count == 1 for student in pair)


def _expected_by_student(trials: Iterable[_Trial]) -> dict[str, float]:
    """Return the expected number of pairs above the threshold of each student, by chance."""
    expected: dict[str, float] = {}
    for assignment, chance in trials:
        for student in assignment.submissions_of:
            more = chance * (assignment.submissions - 1)
            expected[student] = expected.get(student, 0.0) + more
    return expected


def _odds(
    pair: _Pair,
    high: Mapping[_Pair, int],
    by_student: Mapping[str, int],
    usual: Mapping[str, float],
) -> float:
    """Return how much more likely a pair is to exceed the threshold than others, at least 1."""
    odds, own = 1.0, high[pair] == 1
    for student in pair:
        odds *= max((1 + by_student[student] - own) / (1 + usual[student]), 1.0)
    return odds


def _pairs_together(trials: Sequence[_Trial]) -> list[int]:
    """Count the pairs of students that took part together in no, one, two ... trials."""
    students = sorted({student for each in trials for student in each.assignment.submissions_of})
    together = np.zeros((len(students), len(students)), np.int32)
    for each in trials:
        took = np.array([key in each.assignment.submissions_of for key in students])
        together += np.outer(took, took)
    counts: list[int] = np.bincount(together[np.triu_indices(len(students), 1)]).tolist()
    return counts


def _series(
    pair: _Pair,
    assignments: Sequence[Assignment],
    trials: Sequence[_Trial],
    odds: float,
    pairs_together: Sequence[int],
) -> Series:
    both = [each for each in trials if each.assignment.has_both(pair)]
    found = (each.assignment.outcomes.get(pair) for each in both)
    times = sum(outcome is not None and outcome.stands_out for outcome in found)
    chance = tail([each.raised(odds) for each in both], times)
    return Series(
        left=pair[0],
        right=pair[1],
        outcomes=tuple(
            (each.title, each.outcomes[pair]) for each in assignments if pair in each.outcomes
        ),
        times=times,
        together=len(both),
        chance=_rounded(chance),
        expected=_rounded(chance * sum(pairs_together[times:])),
    )


def tail(chances: Sequence[float], least: int) -> float:
    """Return the probability that at least ``least`` of independent trials succeed.

    Args:
        chances: Probability of each trial.
        least: Minimum number of successes; the result for 0 is 1.
    """
    return min(sum(reversed(_by_count(chances)[least:])), 1.0)


def _by_count(chances: Sequence[float]) -> list[float]:
    """Return the probabilities of no, one, two ... successes in independent trials."""
    by_count = [1.0] + [0.0] * len(chances)
    for done, chance in enumerate(chances, 1):
        for count in range(done, 0, -1):
            by_count[count] = by_count[count] * (1 - chance) + by_count[count - 1] * chance
        by_count[0] *= 1 - chance
    return by_count


def _rounded(value: float) -> float:
    """Round to three digits: the model is no more precise, and last digits differ by machine."""
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


def _parts(assignments: Iterable[Assignment]) -> dict[str, list[Part]]:
    """Return the results of each student, assignment by assignment."""
    parts: dict[str, list[Part]] = {}
    for each in assignments:
        found: dict[str, list[tuple[str, Outcome]]] = {}
        for (left, right), outcome in each.outcomes.items():
            found.setdefault(left, []).append((right, outcome))
            found.setdefault(right, []).append((left, outcome))
        for key, submissions in each.submissions_of.items():
            own = sorted(found.get(key, ()), key=lambda pair: (-(pair[1].score or 0.0), pair[0]))
            high = tuple((other, outcome.score) for other, outcome in own if outcome.stands_out)
            best = own[0][1].score if own else None
            parts.setdefault(key, []).append(
                Part(each.title, tuple(sorted(submissions)), high, best)
            )
    return parts


def _groups(series: Iterable[Series]) -> tuple[tuple[str, ...], ...]:
    """Return groups of three or more students connected by pairs above the threshold repeatedly."""
    again = [each for each in series if each.times > 1]
    keys = sorted({student for each in again for student in (each.left, each.right)})
    numbers, sets = {key: number for number, key in enumerate(keys)}, DisjointSets()
    for each in again:
        sets.join(numbers[each.left], numbers[each.right])
    groups: dict[int, list[str]] = {}
    for key in keys:
        groups.setdefault(sets.find(numbers[key]), []).append(key)
    return tuple(tuple(group) for group in groups.values() if len(group) > 2)
