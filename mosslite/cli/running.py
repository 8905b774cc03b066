"""What ``mosslite check`` does with its options."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from mosslite.cli.exit_code import ExitCode
from mosslite.cli.found import Found
from mosslite.cli.listing import listing_lines
from mosslite.cli.notices import noticed, print_notes
from mosslite.cli.parameters import (
    baseline_at,
    given_results,
    inputs_of,
    options_of,
    outputs_of,
)
from mosslite.cli.progress import Course, ProgressBar
from mosslite.cli.streams import writing_to
from mosslite.cli.summary import summary_lines
from mosslite.frontends.selection import gather
from mosslite.pipeline import check
from mosslite.report.anonymous import anonymous
from mosslite.report.ci.baseline import states_of
from mosslite.report.ci.gate import Gate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.options import Options

__all__ = ["run"]


def run(context: click.Context) -> int:
    """Compare what is given and write every result, or only list what would be read.

    Raises:
        MossliteError: An option, a path or a place to write to is wrong.
    """
    outputs = outputs_of(context)
    print_notes(context, is_beside_results=outputs.uses_standard_output)
    options, baseline = options_of(context), baseline_at(context)
    if context.params["list"]:
        return _list(context, options, is_quiet=outputs.is_quiet)
    if baseline is not None:
        # There is room for the known pairs, so that they crowd no new one out of the report.
        options = replace(options, known=len(baseline.pairs))
    outputs.require_possible()
    inputs = inputs_of(context)
    course = Course(pairs=options.room, has_pages=outputs.has_pages)
    is_quiet = outputs.is_quiet
    with noticed(is_quiet=is_quiet), ProgressBar(course, is_shown=not is_quiet) as progress:
        named = check(inputs, options, detail=outputs.detail, progress=progress)
        report, key = anonymous(named) if outputs.is_anonymous else (named, "")
        # A baseline knows names; what it says of the pairs holds without them.
        states = None if baseline is None else states_of(named, baseline)
        found = Found(report, key, Gate(context.params["fail_above"], states))
        page = outputs.write(found, progress)
    outputs.tell(summary_lines(found, page))
    return ExitCode.FOUND if found.gate.is_failing(report) else ExitCode.DONE


def _list(context: click.Context, options: Options, *, is_quiet: bool) -> int:
    """Print what would be read; that is the result, so also where all else is quiet."""
    batch = gather(inputs_of(context), options)
    with writing_to(sys.stdout):
        for line in listing_lines(batch, options):
            click.echo(line)
    in_vain = given_results(context)
    if in_vain and not is_quiet:
        with writing_to(sys.stderr):
            click.echo(f"mosslite: nothing is compared, so {_listed(in_vain)}", err=True)
    return ExitCode.DONE


def _listed(options: Sequence[str]) -> str:
    *others, last = options
    return f"{', '.join(others)} and {last} do nothing" if others else f"{last} does nothing"
