"""A course over time: who stands out again and again, and how surprising that is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.forests import DisjointSets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mosslite.report.students import Assignment, Joined, Outcome

__all__ = ["Course", "Part", "Partner", "Series", "Student", "roll_up", "tail"]


_Pair = tuple[str, str]


class Part(NamedTuple):
    """What is found of a student in one assignment.

    Attributes:
        submissions: Names of what the student handed in.
        high: Keys of whom the student stood out with, and their scores, the highest first.
        best: The highest score with anybody, that is listed; None where none is.
    """

    title: str
    submissions: tuple[str, ...]
    high: tuple[tuple[str, float | None], ...]
    best: float | None


class Partner(NamedTuple):
    """Another student, and in how many assignments the two stood out."""

    key: str
    times: int


@dataclass(frozen=True, slots=True)
class Student:
    """A student over the course.

    Attributes:
        parts: The assignments the student took part in, in order.
        partners: Whom the student stood out with, the most frequent first.
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
    def firsts(self) -> list[tuple[str, int]]:
        """How often each was first to hand in where the pair stood out, if at all."""
        counts = Counter(outcome.first for _, outcome in self.outcomes if outcome.stands_out)
        return [(key, counts[key]) for key in (self.left, self.right) if counts[key]]

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
    warnings: tuple[str, ...]

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
    Poisson binomial distribution), of which the upper tail is taken. How many such pairs are to be
    expected in a course is the sum over all pairs of students of how likely theirs is as small:
    pairs that took part together in other assignments have other tails, and in few none so small.

    *Cost:* for each pair that stood out, the square of the number of assignments; for one that did
    more than once, times the number of different sets of assignments that pairs have.
    """
    high = _high_pairs(joined.assignments)
    trials = [_trial(each, high) for each in joined.assignments if each.expected is not None]
    by_student = _once_by_student(high)
    usual = _expected_by_student(trials)
    turnout = _Turnout(trials, len(joined.names))
    series = [
        _series(pair, joined.assignments, turnout, _odds(pair, high, by_student, usual))
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
    """An assignment, and how likely a pair of independent work stands out there."""

    assignment: Assignment
    chance: float

    def raised(self, odds: float) -> float:
        """Return the chance for a pair that is likelier to stand out than others."""
        return min(self.chance * odds, 1.0)


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
    """Return by how much a pair is likelier to stand out than others, at least 1."""
    odds, own = 1.0, high[pair] == 1
    for student in pair:
        odds *= max((1 + by_student[student] - own) / (1 + usual[student]), 1.0)
    return odds


# Of more assignments, which of them pairs took part in is not told apart.
_MOST_TRIALS: Final = 12


class _Turnout:
    """Which assignments pairs of students took part in together, and how surprising they are."""

    def __init__(self, trials: Sequence[_Trial], students: int) -> None:
        self.trials, self._all_pairs = trials, students * (students - 1) / 2
        self._pairs = _pairs_by_trials(trials) if len(trials) <= _MOST_TRIALS else {}

    def expected(self, chance: float, times: int, odds: float) -> float:
        """Return how many pairs are to be expected whose chance is as small as this one's."""
        if times < 2 or not self._pairs:
            return chance * self._all_pairs
        return sum(
            count * _largest_tail(self._raised(chosen, odds), chance)
            for chosen, count in self._pairs.items()
        )

    def _raised(self, chosen: int, odds: float) -> list[float]:
        """Return the chances of a set of trials, as bits, for a pair of such odds."""
        of_set = (each for at, each in enumerate(self.trials) if chosen >> at & 1)
        return [each.raised(odds) for each in of_set]


def _pairs_by_trials(trials: Sequence[_Trial]) -> dict[int, int]:
    """Count the pairs of students by the set of trials, as bits, that they have together."""
    took = Counter[str]()
    for at, each in enumerate(trials):
        for student in each.assignment.submissions_of:
            took[student] += 1 << at
    students = Counter(took.values())
    sets = range(1 << len(trials))
    # Who took part in these and maybe others; and then the pairs that did, without the others.
    counts = [students[chosen] for chosen in sets]
    for at in range(len(trials)):
        for chosen in sets:
            if not chosen >> at & 1:
                counts[chosen] += counts[chosen | 1 << at]
    pairs = [count * (count - 1) // 2 for count in counts]
    for at in range(len(trials)):
        for chosen in sets:
            if not chosen >> at & 1:
                pairs[chosen] -= pairs[chosen | 1 << at]
    return {chosen: count for chosen, count in enumerate(pairs) if count}


def _largest_tail(chances: Sequence[float], most: float) -> float:
    """Return how likely the least number of trials succeeds that is no likelier than ``most``."""
    tails = (tail(chances, least) for least in range(len(chances) + 1))
    return next((each for each in tails if each <= most * (1 + _ROUNDING)), 0.0)


_ROUNDING: Final = 1e-9


def _series(
    pair: _Pair, assignments: Sequence[Assignment], turnout: _Turnout, odds: float
) -> Series:
    both = [each for each in turnout.trials if each.assignment.has_both(pair)]
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
        expected=_rounded(turnout.expected(chance, times, odds)),
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


def _parts(assignments: Iterable[Assignment]) -> dict[str, list[Part]]:
    """Return what is found of each student, assignment by assignment."""
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
