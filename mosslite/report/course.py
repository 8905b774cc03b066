"""A course over time: pairs above the threshold repeatedly, and how unlikely that is by chance."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

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
    expected number of such pairs in a course is the sum, over all pairs of students, of the
    probability that theirs is as small: it depends on the assignments they have in common, and few
    assignments cannot yield a small one.

    *Cost:* for each pair above a threshold, the square of the number of assignments; for repeated
    ones, times the number of sets of assignments that pairs have in common, at most 64.
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


# With more assignments, the sets in which pairs took part are not distinguished.
_MOST_TRIALS: Final = 12
# Number of such sets that are distinguished, those with most pairs.
_MOST_SETS: Final = 64


class _Turnout:
    """The assignments in which pairs of students took part together, and their probabilities."""

    def __init__(self, trials: Sequence[_Trial], students: int) -> None:
        self.trials, self._all_pairs = trials, students * (students - 1) / 2
        pairs = _pairs_by_trials(trials) if len(trials) <= _MOST_TRIALS else {}
        usual = sorted(pairs, key=lambda chosen: (-pairs[chosen], chosen))
        self._pairs = {chosen: pairs[chosen] for chosen in usual[:_MOST_SETS]}
        # Pairs with other sets: their share with so small a probability is at most the probability.
        self._others = sum(pairs[chosen] for chosen in usual[_MOST_SETS:])

    def expected(self, chance: float, times: int, odds: float) -> float:
        """Return the expected number of pairs with a probability as small as this one's."""
        if times < 2 or not self._pairs:
            return chance * self._all_pairs
        return self._others * chance + sum(
            count * _largest_tail(self._raised(chosen, odds), chance)
            for chosen, count in self._pairs.items()
        )

    def _raised(self, chosen: int, odds: float) -> list[float]:
        """Return the probabilities of a set of trials, as bits, for a pair with these odds."""
        of_set = (each for at, each in enumerate(self.trials) if chosen >> at & 1)
        return [each.raised(odds) for each in of_set]


def _pairs_by_trials(trials: Sequence[_Trial]) -> dict[int, int]:
    """Count the pairs of students by their common set of trials, as bits."""
    took = Counter[str]()
    for at, each in enumerate(trials):
        for student in each.assignment.submissions_of:
            took[student] += 1 << at
    students = Counter(took.values())
    sets = range(1 << len(trials))
    # First counts of students in at least these, then pairs in exactly these.
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
    """Return the largest tail probability that does not exceed ``most``."""
    sums = 0.0
    for each in reversed(_by_count(chances)):
        if sums + each > most * (1 + _ROUNDING):
            break
        sums += each
    return min(sums, 1.0)


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
