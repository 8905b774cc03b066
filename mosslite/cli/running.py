"""What ``mosslite check`` does with its options."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import click

from mosslite.cli.exit_code import ExitCode
from mosslite.cli.listing import listing_lines
from mosslite.cli.notices import noticed
from mosslite.cli.parameters import inputs_of, options_of, outputs_of
from mosslite.cli.progress import Course, ProgressBar
from mosslite.cli.streams import writing_to
from mosslite.cli.summary import summary_lines
from mosslite.cli.terminal import printable
from mosslite.pipeline import check, gather
from mosslite.report.anonymous import anonymous

if TYPE_CHECKING:
    from mosslite.model import Report

__all__ = ["run"]


def run(context: click.Context) -> int:
    """Compare what is given and write every result, or only list what would be read.

    Raises:
        MossliteError: An option, a path or a place to write to is wrong.
    """
    outputs = outputs_of(context)
    config = context.params["config"]
    if config is not None:
        outputs.tell([f"options from {printable(config)}"])
    if context.params["list"]:
        return _list(context)
    options = options_of(context)
    outputs.require_possible()
    course = Course(pairs=options.show, has_pages=outputs.html is not None)
    is_quiet = outputs.is_quiet
    with noticed(is_quiet=is_quiet), ProgressBar(course, is_shown=not is_quiet) as progress:
        named = check(inputs_of(context), options, progress=progress)
        report, key = (named, "") if outputs.key is None else anonymous(named)
        page = outputs.write(report, key, progress)
    outputs.tell(summary_lines(report, page))
    is_found = _is_above(report, context.params["fail_above"])
    return ExitCode.FOUND if is_found else ExitCode.DONE


def _list(context: click.Context) -> int:
    """Print what would be read; that is the result, so also where all else is quiet."""
    options = options_of(context)
    batch = gather(inputs_of(context), options)
    with writing_to(sys.stdout):
        for line in listing_lines(batch, options):
            click.echo(line)
    return ExitCode.DONE


def _is_above(report: Report, percent: float | None) -> bool:
    """Tell whether a score is at or above; 0.29 * 100 is a hair below 29 in binary, so nearly."""
    if percent is None:
        return False
    scores = [pair.score * 100 for pair in report.pairs]
    return any(score >= percent or math.isclose(score, percent) for score in scores)
