"""``mosslite check``: options in, a report out in every form asked for."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mosslite.cli.exit_code import ExitCode
from mosslite.cli.outputs import Outputs
from mosslite.cli.progress import ProgressBar
from mosslite.model import Inputs
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Options
from mosslite.pipeline import check as run
from mosslite.report.anonymous import anonymous
from mosslite.report.review import read_marks

if TYPE_CHECKING:
    from mosslite.model import Report

__all__ = ["check"]

_K, _T = (
    f"in tokens  [default: {code} for code, {prose} for prose]"
    for code, prose in (
        (CODE_DEFAULTS.noise, PROSE_DEFAULTS.noise),
        (CODE_DEFAULTS.guarantee, PROSE_DEFAULTS.guarantee),
    )
)


def _refuse_nan(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        msg = "nan is no number of percent."
        raise click.BadParameter(msg)
    return value


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "-l",
    "--language",
    metavar="NAME",
    help="MOSS name or Pygments alias of the language.  [default: by file name]",
)
@click.option(
    "-b",
    "--base",
    multiple=True,
    metavar="PATH",
    help="Boilerplate file or folder, left out of all numbers; repeatable.",
)
@click.option(
    "-d", "--directories", is_flag=True, help="The files of one folder are one submission."
)
@click.option(
    "-m",
    "--max-sharing",
    type=int,
    metavar="N",
    help="Leave out code in more than N submissions.  [default: it weighs less]",
)
@click.option(
    "-n",
    "--show",
    type=int,
    default=Options().show,
    show_default=True,
    metavar="N",
    help="Pairs in the report; 0 is every pair that shares a fingerprint.",
)
@click.option("-c", "--comment", default="", metavar="TEXT", help="Title of the report.")
@click.option("-x", "_experimental", is_flag=True, help="Accepted for MOSS scripts, no effect.")
@click.option("-k", "--noise", type=int, metavar="N", help=f"Noise threshold {_K}")
@click.option("-t", "--guarantee", type=int, metavar="N", help=f"Guarantee threshold {_T}")
@click.option(
    "-o",
    "--output",
    default="mosslite-report",
    show_default=True,
    metavar="DIR",
    help="Folder of the HTML report.",
)
@click.option("--no-html", is_flag=True, help="Write no HTML report.")
@click.option("--json", "json_file", metavar="FILE", help="Write JSON; '-' is standard output.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write CSV; '-' is standard output.")
@click.option(
    "--review",
    metavar="FILE",
    help="Carry the marks of an earlier report, saved from it to FILE, into this one.",
)
@click.option(
    "--anonymize",
    "key_file",
    metavar="KEY.csv",
    help="Replace names by numbers in everything written, and write which is which to KEY.csv. "
    "The text of the sources is not changed: names in comments stay.",
)
@click.option(
    "--prior",
    multiple=True,
    metavar="PATH",
    help="Work of earlier terms, not compared with itself; repeatable.",
)
@click.option(
    "--reference",
    multiple=True,
    metavar="PATH",
    help="Staff or web solutions, not compared with themselves; repeatable.",
)
@click.option(
    "--fail-above",
    type=click.FloatRange(0, 100),
    callback=_refuse_nan,
    metavar="PERCENT",
    help="Exit with 1 when a pair's score is at or above this.",
)
@click.option(
    "-j", "--jobs", type=int, metavar="N", help="Worker processes.  [default: all processors]"
)
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
def check(
    paths: tuple[str, ...],
    language: str | None,
    base: tuple[str, ...],
    directories: bool,
    max_sharing: int | None,
    show: int,
    comment: str,
    _experimental: bool,
    noise: int | None,
    guarantee: int | None,
    output: str,
    no_html: bool,
    json_file: str | None,
    csv_file: str | None,
    review: str | None,
    key_file: str | None,
    prior: tuple[str, ...],
    reference: tuple[str, ...],
    fail_above: float | None,
    jobs: int | None,
    quiet: bool,
) -> int:
    """Compare submissions with each other and write a report.

    A file is a submission. One folder is a batch: each file or folder in it is a submission.
    Several folders are a submission each.

    \b
    Examples:
      mosslite check submissions/ -b template.py
      mosslite check *.java -o report --json report.json
      mosslite check autumn/ --prior spring/ --fail-above 80
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    options = Options(
        language=language,
        directories=directories,
        max_sharing=max_sharing,
        show=show,
        comment=os.fsencode(comment).decode("utf-8", "backslashreplace"),
        noise=noise,
        guarantee=guarantee,
        jobs=jobs,
        review=() if review is None else read_marks(Path(review)),
    )
    html = None if no_html else Path(output)
    outputs = Outputs(html, json_file, csv_file, key_file, is_quiet=quiet)
    outputs.require_possible()
    with ProgressBar(is_shown=not quiet) as progress:
        named = run(Inputs(paths, base, prior, reference), options, progress=progress)
        report, key = (named, "") if key_file is None else anonymous(named)
        page = outputs.write(report, key, progress)
    outputs.summarize(report, page)
    return ExitCode.FOUND if _is_above(report, fail_above) else ExitCode.DONE


def _is_above(report: Report, percent: float | None) -> bool:
    """Tell whether a score is at or above; 0.29 * 100 is a hair below 29 in binary, so nearly."""
    if percent is None:
        return False
    scores = [pair.score * 100 for pair in report.pairs]
    return any(score >= percent or math.isclose(score, percent) for score in scores)
