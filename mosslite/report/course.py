"""A course over time: pairs above the threshold repeatedly, and how unlikely that is by chance.

Written as JSON, CSV and one page.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce
from itertools import accumulate, chain
from typing import Final, Literal, NamedTuple, TypeVar

import numpy as np
from msgspec import UNSET, UnsetType

from mosslite.display import csv_text
from mosslite.forests import grouped
from mosslite.report.html.document import document_pages
from mosslite.report.html.pages import ReportMetadata
from mosslite.report.json_files import Record, written
from mosslite.report.recording import messages_of
from mosslite.report.results import Amount, Count, MessageResult, Positive, Share, SomeTexts, Texts
from mosslite.report.students import Assignment, Joined
from mosslite.texts import ENGLISH, texts_in
from mosslite.texts import Texts as Language

_Pair = tuple[str, str]
_Kind = TypeVar("_Kind")
# Maximum number of elements of a part of the page, and of names in a list; JSON is complete.
_MOST_ELEMENTS: Final = {"again": 2_000, "pairs": 4_000, "groups": 2_000, "students": 8_000}
_MOST_NAMES: Final = 20


class AssignmentResult(Record, frozen=True, kw_only=True):
    """An assignment; without a threshold if its scores suggest none."""

    title: str
    created: str
    submissions: Count
    threshold: Share | None


class PartnerResult(Record, frozen=True, kw_only=True):
    """Another student, and how often the pair stood out."""

    name: str
    stood_out: Positive


class HighResult(Record, frozen=True, kw_only=True):
    """Another student, and the score of the pair."""

    name: str
    score: Share | None


class PartResult(Record, frozen=True, kw_only=True):
    """What is found of a student in one assignment."""

    title: str
    submissions: SomeTexts
    highest_score: Share | None
    stood_out_with: tuple[HighResult, ...]


class StudentResult(Record, frozen=True, kw_only=True):
    """A student in all assignments."""

    name: str
    assignments: SomeTexts
    partners: tuple[PartnerResult, ...]
    parts: tuple[PartResult, ...]


class OutcomeResult(Record, frozen=True, kw_only=True):
    """A pair in one assignment, and who handed in first, where times are known and differ."""

    title: str
    score: Share | None
    stands_out: bool
    handed_in_first: str | UnsetType = UNSET


class SeriesResult(Record, frozen=True, kw_only=True):
    """A pair of students in all assignments.

    ``chance`` is how likely two students who work independently stand out as often.
    """

    left: str
    right: str
    assignments: tuple[OutcomeResult, ...]
    stood_out: Positive
    together: Count
    chance: Share
    expected_in_course: Amount

    @property
    def firsts(self) -> list[tuple[str, int]]:
        """Number of times that each of both submitted first in a pair above the threshold."""
        counts = Counter(each.handed_in_first for each in self.assignments if each.stands_out)
        return [(name, counts[name]) for name in (self.left, self.right) if counts[name]]

    @property
    def by_title(self) -> Mapping[str, OutcomeResult]:
        """The outcomes by the title of their assignment."""
        return {each.title: each for each in self.assignments}


class CourseFile(Record, frozen=True, kw_only=True):
    """A course, as course --json writes it: assignments by time, pairs by priority for review.

    ``warnings`` are what a reader must know of the results, such as that two are of one assignment;
    ``messages`` are what they are made of, null for one that is only a text.
    """

    format: Literal[1]
    assignments: tuple[AssignmentResult, ...]
    students: tuple[StudentResult, ...]
    pairs: tuple[SeriesResult, ...]
    groups: tuple[tuple[str, ...], ...]
    not_joined: Texts
    warnings: Texts
    messages: tuple[MessageResult | None, ...]
    mosslite: str
    created: str

    @property
    def again(self) -> list[SeriesResult]:
        """The pairs that stood out more than once."""
        return [each for each in self.pairs if each.stood_out > 1]


def roll_up(joined: Joined, metadata: ReportMetadata) -> CourseFile:
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
    odds = _Odds(high, trials)
    together = _pairs_together(trials)
    series = {pair: _series(pair, joined, trials, odds.of(pair), together) for pair in high}
    totals = {
        pair: sum(each.score or 0.0 for each in found.assignments if each.stands_out)
        for pair, found in series.items()
    }
    order = sorted(
        high,
        key=lambda pair: (series[pair].chance, -series[pair].stood_out, -totals[pair], *pair),
    )
    again = grouped([pair for pair in order if series[pair].stood_out > 1], lambda pair: pair)
    groups = sorted(sorted({*chain(*pairs)}) for pairs in again)
    return CourseFile(
        format=1,
        assignments=tuple(
            AssignmentResult(
                title=each.title,
                created=each.created,
                submissions=each.submissions,
                threshold=each.threshold,
            )
            for each in joined.assignments
        ),
        students=tuple(_students(joined, {pair: series[pair] for pair in order})),
        pairs=tuple(series[pair] for pair in order),
        # Of three or more students, connected by pairs above the threshold repeatedly.
        groups=tuple(
            tuple(joined.names[key] for key in group) for group in groups if len(group) > 2
        ),
        not_joined=joined.apart,
        warnings=joined.warnings,
        messages=messages_of(joined.warnings),
        mosslite=metadata.version,
        created=metadata.created,
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


class _Odds:
    """How much more likely pairs are to exceed the threshold than others, at least 1."""

    def __init__(self, high: Mapping[_Pair, int], trials: Iterable[_Trial]) -> None:
        self._high = high
        once = (pair for pair, count in high.items() if count == 1)
        self._once = Counter(student for pair in once for student in pair)
        self._usual: dict[str, float] = {}
        for assignment, chance in trials:
            for student in assignment.submissions_of:
                more = chance * (assignment.submissions - 1)
                self._usual[student] = self._usual.get(student, 0.0) + more

    def of(self, pair: _Pair) -> float:
        """Return how much more likely a pair is."""
        odds, own = 1.0, self._high[pair] == 1
        for student in pair:
            odds *= max((1 + self._once[student] - own) / (1 + self._usual[student]), 1.0)
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
    joined: Joined,
    trials: Sequence[_Trial],
    odds: float,
    pairs_together: Sequence[int],
) -> SeriesResult:
    names = joined.names
    both = [each for each in trials if each.assignment.has_both(pair)]
    found = (each.assignment.outcomes.get(pair) for each in both)
    times = sum(outcome is not None and outcome.stands_out for outcome in found)
    chance = tail([each.raised(odds) for each in both], times)
    outcomes = (
        (each.title, each.outcomes[pair]) for each in joined.assignments if pair in each.outcomes
    )
    return SeriesResult(
        left=names[pair[0]],
        right=names[pair[1]],
        assignments=tuple(
            OutcomeResult(
                title=title,
                score=outcome.score,
                stands_out=outcome.stands_out,
                handed_in_first=names[outcome.first] if outcome.first else UNSET,
            )
            for title, outcome in outcomes
        ),
        stood_out=times,
        together=len(both),
        chance=_rounded(chance),
        expected_in_course=_rounded(chance * sum(pairs_together[times:])),
    )


def tail(chances: Sequence[float], least: int) -> float:
    """Return the probability that at least ``least`` of independent trials succeed.

    Args:
        chances: Probability of each trial.
        least: Minimum number of successes; the result for 0 is 1.
    """
    by_count = reduce(np.convolve, ((1 - chance, chance) for chance in chances), np.ones(1))
    return min(float(by_count[least:].sum()), 1.0)


def _rounded(value: float) -> float:
    """Round to three digits: the model is no more precise, and last digits differ by machine."""
    return float(f"{value:.3g}")


def _students(joined: Joined, series: Mapping[_Pair, SeriesResult]) -> list[StudentResult]:
    partners: dict[str, list[tuple[int, str]]] = {}
    for (left, right), each in series.items():
        partners.setdefault(left, []).append((-each.stood_out, right))
        partners.setdefault(right, []).append((-each.stood_out, left))
    names, parts = joined.names, _parts(joined)
    return [
        StudentResult(
            name=name,
            assignments=tuple(part.title for part in parts.get(key, ())),
            partners=tuple(
                PartnerResult(name=names[other], stood_out=-times)
                for times, other in sorted(partners.get(key, ()))
            ),
            parts=tuple(parts.get(key, ())),
        )
        for key, name in sorted(names.items())
    ]


def _parts(joined: Joined) -> dict[str, list[PartResult]]:
    """Return the results of each student, assignment by assignment."""
    parts: dict[str, list[PartResult]] = {}
    for each in joined.assignments:
        found: dict[str, list[tuple[float, str]]] = {}
        for pair, outcome in each.outcomes.items():
            for own, other in (pair, pair[::-1]):
                found.setdefault(own, []).append((-(outcome.score or 0.0), other))
        for key, submissions in each.submissions_of.items():
            others = [other for _, other in sorted(found.get(key, ()))]
            outcomes = [each.outcomes[min(key, other), max(key, other)] for other in others]
            high = tuple(
                HighResult(name=joined.names[other], score=outcome.score)
                for other, outcome in zip(others, outcomes, strict=True)
                if outcome.stands_out
            )
            part = PartResult(
                title=each.title,
                submissions=tuple(sorted(submissions)),
                highest_score=outcomes[0].score if outcomes else None,
                stood_out_with=high,
            )
            parts.setdefault(key, []).append(part)
    return parts


def to_json(course: CourseFile) -> str:
    """Return a course as JSON."""
    return written(course)


_COLUMNS: Final = ("left", "right", "stood_out", "together", "chance", "expected_in_course")


def to_csv(course: CourseFile) -> str:
    """Return CSV with a line for each pair above a threshold, with its score per assignment.

    Names that spreadsheets would interpret as formulas are prefixed with an apostrophe.
    """
    rows: list[list[object]] = [[*_COLUMNS, *(each.title for each in course.assignments)]]
    for pair in course.pairs:
        scores = {each.title: each.score for each in pair.assignments}
        shown = (scores.get(each.title) for each in course.assignments)
        figures = [getattr(pair, column) for column in _COLUMNS[2:]]
        cells = ("" if score is None else f"{score:g}" for score in shown)
        rows.append([pair.left, pair.right, *figures, *cells])
    return csv_text(rows)


def to_page(course: CourseFile, metadata: ReportMetadata, title: str) -> str:
    """Return a course as one HTML page, which loads nothing and contains no script.

    It has the first of many pairs, and the students of these, so that it weighs little.
    """
    texts = texts_in(metadata.locale)
    names = (each.name for each in course.students)
    heading = texts.gettext("Course over time")
    pages = document_pages(metadata, names, title=title, heading=heading)
    by_name = {each.name: each for each in course.students}
    ranked = dict.fromkeys(name for pair in course.pairs for name in (pair.left, pair.right))
    students = [by_name[name] for name in ranked]
    kept = {each.name for each in _first("students", students, _elements_of)}
    columns = 2 * len(course.assignments)
    return pages.get_template("course.html").render(
        course=course,
        again=_first("again", course.again, lambda _: 6),
        pairs=_first("pairs", course.pairs, lambda _: 6 + columns),
        groups=_first("groups", course.groups, lambda group: 1 + min(len(group), _MOST_NAMES)),
        students=[each for each in course.students if each.name in kept],
        found=students,
        most_names=_MOST_NAMES,
        counted={
            each.title for pair in course.pairs for each in pair.assignments if each.stands_out
        },
        in_words=partial(series_in_words, texts=texts),
    )


def _first(part: str, items: Sequence[_Kind], elements: Callable[[_Kind], int]) -> list[_Kind]:
    """Return the first items of a part, as many as it has room for."""
    totals = accumulate(map(elements, items))
    room = _MOST_ELEMENTS[part]
    return [each for each, total in zip(items, totals, strict=True) if total <= room]


def _elements_of(student: StudentResult) -> int:
    """Return how many elements show a student: a line with partners, a row an assignment."""
    rows = (
        6 + len(each.submissions) + min(len(each.stood_out_with), _MOST_NAMES)
        for each in student.parts
    )
    return 15 + min(len(student.partners), _MOST_NAMES) + sum(rows)


def series_in_words(series: SeriesResult, texts: Language = ENGLISH) -> str:
    """Return in words how unlikely a series is by chance, for a board."""
    counts = {"times": series.stood_out, "together": series.together}
    if series.stood_out < 2:
        return texts.gettext(
            "two students who work independently both stand out in %(times)s of %(together)s "
            "assignments about %(number)s times in a course of this size",
            number=_number(series.expected_in_course, texts),
            **counts,
        )
    if series.expected_in_course >= 1:
        return texts.gettext(
            "in a course of this size, about %(number)s pairs of students who work independently "
            "both stand out in %(times)s of %(together)s assignments",
            number=_number(series.expected_in_course, texts),
            **counts,
        )
    return texts.gettext(
        "two students who work independently both stand out in %(times)s of %(together)s "
        "assignments about once in %(number)s courses of this size",
        number=_number(1 / max(series.expected_in_course, LEAST_EXPECTED / 2), texts),
        **counts,
    )


LEAST_EXPECTED: Final = 1e-6
"""A smaller number of pairs is not told exactly; of many assignments, it can be 0."""


def _number(value: float, texts: Language) -> str:
    """Format an estimate with one or two digits."""
    if value > 1 / LEAST_EXPECTED:
        return texts.gettext("more than a million")
    return texts.decimal(f"{value:.2g}") if value < 10 else texts.number(int(float(f"{value:.2g}")))
