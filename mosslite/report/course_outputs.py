"""A course as JSON, CSV and one page."""

import csv
import io
from collections.abc import Mapping
from functools import partial
from typing import Final, Literal

from msgspec import UNSET, UnsetType

from mosslite.display import cell
from mosslite.report.course import Course, Series, Student
from mosslite.report.html.document import document_pages
from mosslite.report.html.pages import ReportMetadata
from mosslite.report.json_files import Record, written
from mosslite.report.recording import messages_of
from mosslite.report.results import (
    Amount,
    Count,
    MessageResult,
    Positive,
    Share,
    SomeTexts,
    Texts,
)
from mosslite.report.similar_names import distinct_names
from mosslite.report.wording import series_in_words
from mosslite.texts import texts_in

_COLUMNS: Final = ("left", "right", "stood_out", "together", "chance", "expected_in_course")
# Maximum number of rows in a table of the page; other outputs are complete.
_MOST_ROWS: Final = 1_000


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


def to_json(course: Course, metadata: ReportMetadata) -> str:
    """Return a course as JSON."""
    names = course.names
    return written(
        CourseFile(
            format=1,
            assignments=tuple(
                AssignmentResult(
                    title=each.title,
                    created=each.created,
                    submissions=each.submissions,
                    threshold=each.threshold,
                )
                for each in course.assignments
            ),
            students=tuple(_student(each, names) for each in course.students),
            pairs=tuple(_pair(each, names) for each in course.series),
            groups=tuple(tuple(names[key] for key in group) for group in course.groups),
            not_joined=course.apart,
            warnings=course.warnings,
            messages=messages_of(course.warnings),
            mosslite=metadata.version,
            created=metadata.created,
        )
    )


def _student(student: Student, names: Mapping[str, str]) -> StudentResult:
    return StudentResult(
        name=student.name,
        assignments=tuple(part.title for part in student.parts),
        partners=tuple(
            PartnerResult(name=names[partner.key], stood_out=partner.times)
            for partner in student.partners
        ),
        parts=tuple(
            PartResult(
                title=part.title,
                submissions=tuple(part.submissions),
                highest_score=part.best,
                stood_out_with=tuple(
                    HighResult(name=names[key], score=score) for key, score in part.high
                ),
            )
            for part in student.parts
        ),
    )


def _pair(series: Series, names: Mapping[str, str]) -> SeriesResult:
    return SeriesResult(
        left=names[series.left],
        right=names[series.right],
        assignments=tuple(
            OutcomeResult(
                title=title,
                score=outcome.score,
                stands_out=outcome.stands_out,
                handed_in_first=names[outcome.first] if outcome.first else UNSET,
            )
            for title, outcome in series.outcomes
        ),
        stood_out=series.times,
        together=series.together,
        chance=series.chance,
        expected_in_course=series.expected,
    )


def to_csv(course: Course) -> str:
    """Return CSV with a line for each pair above a threshold, with its score per assignment.

    Names that spreadsheets would interpret as formulas are prefixed with an apostrophe.
    """
    lines, names = io.StringIO(), course.names
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow([*_COLUMNS, *(cell(each.title) for each in course.assignments)])
    for series in course.series:
        scores = {title: outcome.score for title, outcome in series.outcomes}
        writer.writerow(
            [
                cell(names[series.left]),
                cell(names[series.right]),
                series.times,
                series.together,
                series.chance,
                series.expected,
                *(_score(scores.get(each.title)) for each in course.assignments),
            ]
        )
    return lines.getvalue()


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:g}"


def to_page(course: Course, metadata: ReportMetadata, title: str) -> str:
    """Return a course as one HTML page, which loads nothing and contains no script."""
    texts = texts_in(metadata.locale)
    pages = document_pages(metadata, title=title, heading=texts.gettext("Course over time"))
    shown = distinct_names(course.names.values())
    names = {key: shown.shown(name) for key, name in course.names.items()}
    pages.filters["named"] = lambda key: pages.filters["user_text"](names[key])
    return pages.get_template("course.html").render(
        course=course,
        series=course.series[:_MOST_ROWS],
        again=[each for each in course.series if each.times > 1][:_MOST_ROWS],
        students=[each for each in course.students if each.partners][:_MOST_ROWS],
        in_words=partial(series_in_words, texts=texts),
    )
