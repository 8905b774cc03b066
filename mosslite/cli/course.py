"""``mosslite course``: which pairs stand out in several assignments."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click

import mosslite
from mosslite.cli.files import ResultFiles, require_apart, require_own, write_each, write_file
from mosslite.cli.options import FOLDER, PATH, option, shared
from mosslite.cli.outputs import created_now
from mosslite.cli.terminal import print_lines, printable, run_texts, table
from mosslite.display import counted, names_in_short
from mosslite.errors import OptionError, OutputError
from mosslite.messages import N_, Message, Value
from mosslite.report import ReportMetadata
from mosslite.report.course import (
    LEAST_EXPECTED,
    CourseFile,
    roll_up,
    series_in_words,
    to_csv,
    to_json,
    to_page,
)
from mosslite.report.results import read_results
from mosslite.report.students import Given, joined, read_identities, read_key
from mosslite.report.wording import NO_VERDICT
from mosslite.signatures import Signature
from mosslite.texts import Texts, texts_in

# Maximum number of pairs printed; the report has all.
_MOST_PAIRS: Final = 10


@click.command()
@click.argument("results", metavar="RESULT.json|REPORT...", type=PATH, nargs=-1, required=True)
@option(
    "-o --output", "Folder of the report.", type=FOLDER, default="mosslite-course", metavar="DIR"
)
@shared("no_html", "json", "csv")
@option(
    "--students",
    "CSV file with the columns name and student, for students whose names differ between "
    "assignments.",
    type=PATH,
    metavar="FILE",
)
@option(
    "--key keys",
    "Key file of an anonymous result; once for each, in the same order.",
    type=PATH,
    multiple=True,
    metavar="FILE",
)
@option("-c --comment", "Title of the course.", default="", metavar="TEXT", show_default=False)
@shared("locale", "quiet")
def course(**given: Any) -> None:
    """Combine the results of several assignments: which pairs stand out repeatedly.

    Each RESULT.json is one assignment, written by 'mosslite check --json' or by an import; the
    folder of a REPORT has one. Its title is set by -c there. Students are matched by the ids,
    addresses or names in the export, otherwise by the names of their submissions.

    \b
    Examples:
      mosslite course hw1.json hw2.json hw3.json
      mosslite course hw*.json --students names.csv --csv course.csv
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    page = None if given["no_html"] else Path(given["output"]) / "index.html"
    files = ResultFiles.of(given, _SIGNATURES)
    if page is not None:
        require_apart({**files.targets, "-o": str(page)})
        _make(page.parent)
        require_own(str(page), "report", Signature.DOCUMENT_HTML)
    identities = read_identities(Path(given["students"])) if given["students"] else None
    read = [Given(path, *read_results(path)) for path in map(Path, given["results"])]
    results = _with_keys(read, given["keys"])
    metadata = ReportMetadata(created_now(), mosslite.__version__, given["locale"])
    found = roll_up(joined(results, identities), metadata)
    title = given["comment"] or texts_in(given["locale"]).gettext("A course over time")
    writers: list[Callable[[], object]] = []
    if page is not None:
        writers.append(lambda: write_file(str(page), to_page(found, metadata, title)))
    contents = {"--json": lambda: to_json(found), "--csv": lambda: to_csv(found)}
    write_each([*writers, *files.writers(contents)])
    if not given["quiet"]:
        print_lines(_summary_of_course(found, page, run_texts()), files.stream)


_SIGNATURES: Final = {"--json": Signature.COURSE_JSON, "--csv": Signature.COURSE_CSV}


def _with_keys(results: Sequence[Given], keys: Sequence[str]) -> list[Given]:
    """Combine anonymous results with their keys, in order."""
    anonymous = [each.path for each in results if each.results.anonymous]
    if keys and len(keys) != len(anonymous):
        results_counted = counted(len(anonymous), "anonymous result")
        raise OptionError(
            "--key is given %(times)s, and there are %(results_counted)s: give one of each",
            counted(len(keys), "time"),
            results_counted,
        )
    names = dict(zip(anonymous, (read_key(Path(key)) for key in keys), strict=False))
    return [each._replace(names=names.get(each.path, {})) for each in results]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError("cannot make the folder %(folder)r: %(reason)s", folder, error) from error


_COLUMNS: Final = (N_("left"), N_("right"), N_("stood out"), N_("by chance"))


def _summary_of_course(found: CourseFile, page: Path | None, texts: Texts) -> Iterator[str]:
    assignments, students = len(found.assignments), len(found.students)
    counts = counted(assignments, "assignment"), counted(students, "student")
    yield ", ".join(map(texts.translated, counts))
    yield ""
    shown = found.pairs[:_MOST_PAIRS]
    if shown:
        yield from table([*map(texts.gettext, _COLUMNS)], _series_rows(found, texts), left=2)
        if shown[0].stood_out > 1:
            yield ""
            yield texts.gettext("First pair: %(why)s.", why=series_in_words(shown[0], texts))
    else:
        yield texts.gettext("No pair reached the threshold of an assignment.")
    yield ""
    for line in found.warnings:
        yield texts.gettext("warning: %(text)s", text=printable(texts.translated(line)))
    for line in found.not_joined:
        yield texts.gettext(
            "not joined: %(text)s", text=printable(texts.translated(_begin_of(line)))
        )
    if page is not None:
        yield texts.gettext("report: %(page)s", page=printable(str(page)))
    again = texts.ngettext(
        "%(count)s pair stood out more than once",
        "%(count)s pairs stood out more than once",
        len(found.again),
    )
    yield texts.gettext("%(found)s; %(remark)s", found=again, remark=texts.gettext(NO_VERDICT))


def _series_rows(found: CourseFile, texts: Texts) -> list[list[str]]:
    return [
        [
            each.left,
            each.right,
            texts.gettext(
                "%(times)s of %(together)s", times=each.stood_out, together=each.together
            ),
            _rareness(each.expected_in_course, texts),
        ]
        for each in found.pairs[:_MOST_PAIRS]
    ]


def _rareness(expected: float, texts: Texts) -> str:
    if expected >= 1:
        return "-"
    if expected < LEAST_EXPECTED:
        return texts.gettext("once in over a million courses")
    courses = int(float(f"{1 / expected:.2g}"))
    return texts.ngettext("once in %(count)s course", "once in %(count)s courses", courses)


def _begin_of(line: str) -> str:
    """Cut long lists of names; the page and the results have all of them."""
    if not isinstance(line, Message):
        return line
    shorter = {key: _shortened(value) for key, value in line.params.items()}
    return Message(line.id, shorter, line.plural)


def _shortened(value: Value) -> object:
    if isinstance(value, tuple):
        return names_in_short([*map(str, value)])
    return _begin_of(value) if isinstance(value, str) else value
