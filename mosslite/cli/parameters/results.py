"""Options that say how submissions are compared, how the program runs, and what is written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from mosslite.cli.outputs import Outputs
from mosslite.cli.parameters.inputs import intake_of
from mosslite.cli.parameters.types import OUTPUT, PATH, Section, percent
from mosslite.errors import OptionError
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Options
from mosslite.report.ci.baseline import read_baseline
from mosslite.report.review import read_marks
from mosslite.submissions.paths import shown_name

if TYPE_CHECKING:
    from mosslite.report.ci.baseline import Baseline

__all__ = [
    "COMPARISON",
    "RESULTS",
    "RUNNING",
    "baseline_at",
    "given_results",
    "options_of",
    "outputs_of",
]


_K, _T = (
    f"in tokens.  [default: {code} for code, {prose} for prose]"
    for code, prose in (
        (CODE_DEFAULTS.noise, PROSE_DEFAULTS.noise),
        (CODE_DEFAULTS.guarantee, PROSE_DEFAULTS.guarantee),
    )
)

COMPARISON: Final = Section(
    "Comparison",
    (
        click.Option(
            ["-m", "--max-sharing"],
            type=int,
            metavar="N",
            help="Leave out code in more than N submissions.  [default: it weighs less]",
        ),
        click.Option(
            ["-k", "--noise"], type=int, metavar="N", help=f"Noise threshold: shortest match {_K}"
        ),
        click.Option(
            ["-t", "--guarantee"],
            type=int,
            metavar="N",
            help=f"Guarantee threshold: every shared passage of this length is found, {_T}",
        ),
    ),
)


def options_of(context: click.Context) -> Options:
    """Return how to read, to compare and to report.

    Raises:
        OptionError: A value means nothing.
        InputError: The file of ``--review`` cannot be read, or is not a review.
    """
    given = context.params
    review = given["review"]
    return Options(
        language=given["language"],
        directories=given["directories"],
        max_sharing=given["max_sharing"],
        show=given["show"],
        comment=os.fsencode(given["comment"]).decode("utf-8", "backslashreplace"),
        noise=given["noise"],
        guarantee=given["guarantee"],
        jobs=given["jobs"],
        uses_cache=not given["no_cache"],
        seconds=given["time_limit"],
        intake=intake_of(context),
        review=() if review is None else read_marks(Path(review)),
        config="" if given["config"] is None else shown_name(given["config"]),
    )


RUNNING: Final = Section(
    "Running",
    (
        click.Option(
            ["--list"], is_flag=True, help="List what would be read; compare and write nothing."
        ),
        click.Option(
            ["--config"],
            type=PATH,
            metavar="FILE",
            help="Read options from FILE, a mosslite.toml or pyproject.toml.  "
            "[default: one beside the batch]",
        ),
        click.Option(["--no-config"], is_flag=True, help="Read options from no file."),
        click.Option(
            ["-j", "--jobs"],
            type=int,
            metavar="N",
            help="Worker processes.  [default: all processors]",
        ),
        click.Option(
            ["--no-cache"],
            is_flag=True,
            help="Neither use nor keep what is known of equal files from earlier runs.",
        ),
        click.Option(["-q", "--quiet"], is_flag=True, help="Print errors only."),
        click.Option(["-x", "experimental"], is_flag=True, help="No effect; for MOSS scripts."),
    ),
)


# Results that are one file each, by their options.
_FILES: Final = ("json", "csv", "sarif", "junit", "markdown", "anonymize")

# What says nothing where nothing is compared.
_OF_RESULTS: Final = frozenset(
    {*_FILES, "output", "single_file", "moss_html", "review", "fail_above", "baseline"}
)

RESULTS: Final = Section(
    "Results",
    (
        click.Option(
            ["-o", "--output"],
            type=PATH,
            default="mosslite-report",
            show_default=True,
            metavar="DIR",
            help="Folder of the HTML report; what else is in it stays.",
        ),
        click.Option(
            ["--single-file"],
            is_flag=True,
            help="Write the report as one HTML file to send, in place of a folder: -o names it.  "
            "[default: mosslite-report.html]",
        ),
        click.Option(["--no-html"], is_flag=True, help="Write no HTML report."),
        click.Option(
            ["--json"], type=OUTPUT, metavar="FILE", help="Write JSON; '-' is standard output."
        ),
        click.Option(
            ["--csv"], type=OUTPUT, metavar="FILE", help="Write CSV; '-' is standard output."
        ),
        click.Option(
            ["--sarif"],
            type=OUTPUT,
            metavar="FILE",
            help="Write SARIF 2.1.0 for code scanning; '-' is standard output.",
        ),
        click.Option(
            ["--junit"],
            type=OUTPUT,
            metavar="FILE",
            help="Write JUnit XML, where a submission fails as --fail-above says; '-' is standard "
            "output.",
        ),
        click.Option(
            ["--markdown"],
            type=OUTPUT,
            metavar="FILE",
            help="Write a summary in Markdown; '-' is standard output. It is added to the summary "
            "of the job as well where the CI service names one in GITHUB_STEP_SUMMARY.",
        ),
        click.Option(
            ["--moss-html"],
            type=PATH,
            metavar="DIR",
            help="Folder of result pages in the layout of MOSS, for scripts that read those.",
        ),
        click.Option(
            ["-n", "--show"],
            type=int,
            metavar="N",
            help="Pairs in the report, besides known ones: first the best one of each group and "
            "submission that stands out; 0 is every pair that shares a fingerprint.  "
            "[default: all that stand out, from 250 to 2,000]",
        ),
        click.Option(
            ["-c", "--comment"],
            default=Options().comment,
            metavar="TEXT",
            help="Title of the report.",
        ),
        click.Option(
            ["--review"],
            type=PATH,
            metavar="FILE",
            help="Carry the marks of an earlier report, saved from it to FILE, into this one.",
        ),
        click.Option(
            ["--anonymize"],
            type=OUTPUT,
            metavar="KEY.csv",
            help="Replace names by numbers in everything written, and write which is which to "
            "KEY.csv. The text of the sources is not changed: names in comments stay.",
        ),
        click.Option(
            ["--fail-above"],
            type=percent,
            metavar="PERCENT",
            help="Exit with 1 when a pair's score is at or above this (80 means score 0.80), or "
            "when a limit, such as --max-ratio, has left out a part of a submission.",
        ),
        click.Option(
            ["--baseline"],
            type=PATH,
            metavar="FILE",
            help="Pairs that are known, as mosslite baseline update writes them: they do not count "
            "for --fail-above.",
        ),
    ),
)


def outputs_of(context: click.Context) -> Outputs:
    """Return where results go."""
    given = context.params
    files = {f"--{name}": given[name] for name in _FILES if given[name] is not None}
    if given["single_file"]:
        files = {"--single-file": _single_file(context)} | files
    return Outputs(
        html=None if given["no_html"] or given["single_file"] else Path(given["output"]),
        moss_html=None if given["moss_html"] is None else Path(given["moss_html"]),
        files=files,
        is_quiet=given["quiet"],
        follows_link=context.get_parameter_source("output") is not ParameterSource.DEFAULT,
    )


def _single_file(context: click.Context) -> str:
    """Return where the report in one file goes.

    Raises:
        OptionError: No HTML is wanted.
    """
    if context.params["no_html"]:
        msg = "--single-file and --no-html are both given: give one of them"
        raise OptionError(msg)
    is_default = context.get_parameter_source("output") is ParameterSource.DEFAULT
    output: str = context.params["output"]
    return f"{output}.html" if is_default else output


def given_results(context: click.Context) -> list[str]:
    """Return the options of the command line that ask for results, or set what fails a job."""
    return [
        each.opts[-1]
        for each in RESULTS.options
        if each.name in _OF_RESULTS
        and context.get_parameter_source(each.name) is ParameterSource.COMMANDLINE
    ]


def baseline_at(context: click.Context) -> Baseline | None:
    """Read the baseline, if one is given.

    Raises:
        InputError: The file cannot be read, or is not a baseline.
    """
    given = context.params["baseline"]
    return None if given is None else read_baseline(Path(given))
