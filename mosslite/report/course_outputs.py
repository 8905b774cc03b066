"""A course as JSON, CSV and one page."""

import csv
import io
import json
from collections.abc import Mapping
from functools import partial
from typing import Final

from mosslite.display import cell
from mosslite.report.course import Course, Part, Series
from mosslite.report.html.document import document_pages
from mosslite.report.html.pages import ReportMetadata
from mosslite.report.results import with_messages
from mosslite.report.similar_names import distinct_names
from mosslite.report.wording import series_in_words
from mosslite.texts import texts_in

FORMAT: Final = 1
_COLUMNS: Final = ("left", "right", "stood_out", "together", "chance", "expected_in_course")
# Maximum number of rows in a table of the page; other outputs are complete.
_MOST_ROWS: Final = 1_000


def to_json(course: Course, metadata: ReportMetadata) -> str:
    """Return a course as JSON: assignments by time, pairs by priority for review."""
    names = course.names
    content = {
        "format": FORMAT,
        "assignments": [
            {
                "title": each.title,
                "created": each.created,
                "submissions": each.submissions,
                "threshold": each.threshold,
            }
            for each in course.assignments
        ],
        "students": [
            {
                "name": each.name,
                "assignments": [part.title for part in each.parts],
                "partners": [
                    {"name": names[partner.key], "stood_out": partner.times}
                    for partner in each.partners
                ],
                "parts": [_part(part, names) for part in each.parts],
            }
            for each in course.students
        ],
        "pairs": [_pair(each, names) for each in course.series],
        "groups": [[names[key] for key in group] for group in course.groups],
        "not_joined": course.apart,
        **with_messages(course.warnings),
        "mosslite": metadata.version,
        "created": metadata.created,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _part(part: Part, names: Mapping[str, str]) -> dict[str, object]:
    return {
        "title": part.title,
        "submissions": part.submissions,
        "highest_score": part.best,
        "stood_out_with": [{"name": names[key], "score": score} for key, score in part.high],
    }


def _pair(series: Series, names: dict[str, str]) -> dict[str, object]:
    return {
        "left": names[series.left],
        "right": names[series.right],
        "assignments": [
            {
                "title": title,
                "score": outcome.score,
                "stands_out": outcome.stands_out,
                **({"handed_in_first": names[outcome.first]} if outcome.first else {}),
            }
            for title, outcome in series.outcomes
        ],
        "stood_out": series.times,
        "together": series.together,
        "chance": series.chance,
        "expected_in_course": series.expected,
    }


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
