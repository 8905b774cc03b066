"""Writes the pages of a report again, as in another language."""

import sys
from pathlib import Path
from typing import Final

import click

import mosslite
from mosslite.cli.terminal import Course, ProgressBar, link_to, noticed, run_texts, writing_to
from mosslite.errors import InputError
from mosslite.intake.listing import require_few
from mosslite.output_signatures import REPORT_MARKER, REPORT_RESULTS
from mosslite.pipeline import compare
from mosslite.records import Detail
from mosslite.report import ReportMetadata, to_json, write_html
from mosslite.report.results import read_results
from mosslite.report.review import with_earlier_marks
from mosslite.report.sources import harmless

MOST_LISTED: Final = 10_000
"""Files below the paths that results name, beyond which none is read."""


def write_again(folder: Path, locale: str, *, is_quiet: bool) -> None:
    """Write the pages of a report again, of the results in its folder.

    Raises:
        MossliteError: It is not a report, or comparing again does not give its results.
    """
    if not (folder / REPORT_MARKER).is_file():
        raise InputError(
            "%(folder)r is a folder without a report: give results, or a report's folder", folder
        )
    results, _ = read_results(folder / REPORT_RESULTS)
    inputs = results.paths
    if inputs is None:
        raise InputError(
            "the results in %(folder)r name no path of the sources, so nothing can be compared "
            "again: run 'mosslite check'",
            folder,
        )
    options, created = harmless(results.comparison), results.created or ""
    given = (*inputs.current, *inputs.base, *inputs.prior, *inputs.reference)
    require_few(given, options.intake, MOST_LISTED)
    course = Course(pairs=options.room, has_pages=True)
    with noticed(is_quiet=is_quiet), ProgressBar(course, is_shown=not is_quiet) as progress:
        found = compare(inputs, options, detail=Detail.MATCHES, progress=progress)
        found = with_earlier_marks(found, folder)
        text = to_json(found, created=created, version=mosslite.__version__)
        if text != (folder / REPORT_RESULTS).read_text(encoding="utf-8"):
            raise InputError(
                "comparing again does not give the results in %(folder)r: the submissions, an "
                "option or mosslite changed; run 'mosslite check'",
                folder,
            )
        metadata = ReportMetadata(created, mosslite.__version__, locale)
        page = write_html(found, folder, metadata, progress=progress)
    if not is_quiet:
        texts = run_texts()
        with writing_to(sys.stdout):
            click.echo(texts.gettext("report: %(page)s", page=link_to(page, sys.stdout)))
