"""``mosslite course``: the results of several assignments in one report."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

import mosslite
from mosslite import output_signatures
from mosslite.cli.files import (
    STANDARD_OUTPUT,
    require_folder_of,
    require_own,
    write_each,
    write_file,
)
from mosslite.cli.outputs import created_now
from mosslite.cli.parameters.types import OUTPUT, PATH, with_locale
from mosslite.cli.terminal import printable, table, writing_to
from mosslite.display import counted
from mosslite.errors import OptionError, OutputError, reason_of
from mosslite.report import ReportMetadata
from mosslite.report.course import roll_up, to_csv, to_json, to_page
from mosslite.report.saved import read_results
from mosslite.report.students import joined, read_identities
from mosslite.report.wording import NO_VERDICT, series_in_words
from mosslite.texts import texts_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mosslite.report.course import Course

__all__ = ["course"]

# More are better read in the report.
_MOST_PAIRS = 10


@click.command()
@click.argument("results", metavar="RESULT.json...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    default="mosslite-course",
    show_default=True,
    type=OUTPUT,
    metavar="DIR",
    help="Folder of the report.",
)
@click.option("--no-html", is_flag=True, help="Write no report.")
@click.option("--json", "json_file", type=OUTPUT, metavar="FILE", help="Results as JSON.")
@click.option("--csv", "csv_file", type=OUTPUT, metavar="FILE", help="Pairs as a table.")
@click.option(
    "--students",
    type=PATH,
    metavar="FILE",
    help="A CSV file with the columns name and student: who is who where names differ.",
)
@click.option("-c", "--comment", default="", metavar="TEXT", help="Title of the course.")
@with_locale
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
@click.pass_context
def course(context: click.Context, /, **_given: object) -> None:
    """Join the results of several assignments: who stands out again and again.

    RESULT.json is what check --json has written, or an import; each is one assignment, and -c of
    check is its title. Students are joined by the names that the platform tells, else by those of
    their submissions.

    \b
    Examples:
      mosslite course hw1.json hw2.json hw3.json
      mosslite course hw*.json --students names.csv --csv course.csv
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    given = context.params
    locale = texts_in(given["locale"]).locale
    page = None if given["no_html"] else Path(given["output"]) / "index.html"
    _require_places(given, page)
    identities = read_identities(Path(given["students"])) if given["students"] else None
    results = [(Path(path), read_results(Path(path))) for path in given["results"]]
    found = roll_up(joined(results, identities))
    write_each(_writers(found, given, page, locale))
    if not given["quiet"]:
        stream = sys.stderr if STANDARD_OUTPUT in _files(given).values() else sys.stdout
        with writing_to(stream):
            for line in _summary(found, page):
                click.echo(line, stream)


def _files(given: dict[str, str]) -> dict[str, str]:
    """Return where results go, by their option."""
    both = {"--json": given["json_file"], "--csv": given["csv_file"]}
    return {option: target for option, target in both.items() if target}


def _require_places(given: dict[str, str], page: Path | None) -> None:
    """Raise a MossliteError where something cannot be written, or replaces what is not ours."""
    files = _files(given)
    if list(files.values()).count(STANDARD_OUTPUT) > 1:
        msg = "--json and --csv both go to standard output: give one of them a file"
        raise OptionError(msg)
    signatures = {
        "--json": output_signatures.COURSE_JSON,
        "--csv": output_signatures.COURSE_CSV,
    }
    for option, target in files.items():
        if target != STANDARD_OUTPUT:
            require_folder_of(target)
            require_own(target, option, signatures[option])
    if page is not None:
        _make(page.parent)
        require_own(str(page), "report", output_signatures.DOCUMENT_HTML)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        msg = f"cannot make the folder {str(folder)!r}: {reason_of(error)}"
        raise OutputError(msg) from error


def _writers(
    found: Course, given: dict[str, str], page: Path | None, locale: str
) -> Iterator[Callable[[], object]]:
    metadata = ReportMetadata(created_now(), mosslite.__version__, locale)
    title = given["comment"] or texts_in(locale).gettext("A course over time")
    files = _files(given)
    if page is not None:
        yield lambda: write_file(str(page), to_page(found, metadata, title))
    if "--json" in files:
        yield partial(write_file, files["--json"], to_json(found, metadata))
    if "--csv" in files:
        yield partial(write_file, files["--csv"], to_csv(found))


def _summary(found: Course, page: Path | None) -> Iterator[str]:
    assignments = counted(len(found.assignments), "assignment")
    yield f"{assignments}, {counted(len(found.students), 'student')}"
    yield ""
    shown, names = found.series[:_MOST_PAIRS], found.names
    if shown:
        headings = ["left", "right", "stood out", "once in so many courses"]
        rows = [
            [
                names[each.left],
                names[each.right],
                f"{each.times} of {each.together}",
                "-" if each.expected >= 1 else f"{float(f'{1 / each.expected:.2g}'):,.0f}",
            ]
            for each in shown
        ]
        yield from table(headings, rows, left=2)
        if shown[0].times > 1:
            yield ""
            yield f"First pair: {series_in_words(shown[0])}."
    else:
        yield "No pair reached the threshold of an assignment."
    yield ""
    for line in found.warnings:
        yield f"warning: {printable(line)}"
    for line in found.apart:
        yield f"not joined: {printable(line)}"
    if page is not None:
        yield f"report: {printable(str(page))}"
    again = sum(each.times > 1 for each in found.series)
    yield f"{counted(again, 'pair')} stood out more than once; {NO_VERDICT}"
