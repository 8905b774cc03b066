"""Options of the comparison, of the run, and of outputs."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from mosslite.cli.outputs import Outputs
from mosslite.cli.parameters.inputs import intake_of
from mosslite.cli.parameters.types import (
    OUTPUT,
    PATH,
    Choice,
    Section,
    integer,
    locales_for,
    number,
    percent,
)
from mosslite.errors import OptionError
from mosslite.intake.paths import shown_name
from mosslite.messages import M_
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Options
from mosslite.report.ci.baseline import Baseline, read_baseline
from mosslite.report.formats import BY_OPTION, FORMATS, KEY, SINGLE_FILE, Format
from mosslite.report.review import read_marks

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
            type=integer,
            metavar="N",
            help="Exclude code shared by more than N submissions, as MOSS does.  "
            "[default: such code only weighs less]",
        ),
        click.Option(
            ["-k", "--noise"],
            type=integer,
            metavar="N",
            help=f"Noise threshold: length of the shortest match, {_K}",
        ),
        click.Option(
            ["-t", "--guarantee"],
            type=integer,
            metavar="N",
            help=f"Guarantee threshold: length from which every match is found, {_T}",
        ),
        click.Option(
            ["--chance"],
            type=number,
            default=Options().chance,
            show_default=True,
            metavar="N",
            help="Count a match only if at most N with as much information are expected in an "
            "honest pair of programs of these sizes.",
        ),
    ),
)


def options_of(context: click.Context) -> Options:
    """Return the options of reading, comparison and report.

    Raises:
        OptionError: A value is invalid.
        InputError: The file of ``--review`` cannot be read, or is not a review.
    """
    given = context.params
    return Options(
        language=given["language"],
        directories=given["directories"],
        max_sharing=given["max_sharing"],
        show=given["show"],
        comment=os.fsencode(given["comment"]).decode("utf-8", "backslashreplace"),
        noise=given["noise"],
        guarantee=given["guarantee"],
        chance=given["chance"],
        jobs=given["jobs"],
        uses_cache=not given["no_cache"],
        seconds=given["time_limit"],
        intake=intake_of(context),
        review=tuple(mark for path in given["review"] for mark in read_marks(Path(path))),
        config="" if given["config"] is None else shown_name(given["config"]),
    )


RUNNING: Final = Section(
    "Running",
    (
        click.Option(
            ["--list"],
            is_flag=True,
            help="List what would be compared, and what is skipped and why; write nothing.",
        ),
        click.Option(
            ["--config"],
            type=PATH,
            metavar="FILE",
            help="Read options from FILE, a mosslite.toml or pyproject.toml.  "
            "[default: the one next to the batch]",
        ),
        click.Option(["--no-config"], is_flag=True, help="Do not read options from a file."),
        click.Option(
            ["-j", "--jobs"],
            type=integer,
            metavar="N",
            help="Worker processes.  [default: all processors]",
        ),
        click.Option(
            ["--no-cache"],
            is_flag=True,
            help="Do not read or write the cache.",
        ),
        click.Option(
            ["--engine"],
            type=Choice(["local", "spark"]),
            default="local",
            show_default=True,
            metavar="NAME",
            help="Where to compare: locally, or as a job of Apache Spark, with equal results.",
        ),
        click.Option(
            ["--master"],
            metavar="URL",
            help="Spark master URL, as for spark-submit.  [default: local[*]]",
        ),
        click.Option(
            ["--stages"],
            type=OUTPUT,
            metavar="DIR",
            help="Store the stages of a Spark job in DIR, shared by all machines, so that a "
            "stopped job can be resumed.",
        ),
        click.Option(
            ["--spark-conf"],
            multiple=True,
            metavar="KEY=VALUE",
            help="Spark setting, such as spark.executor.memory=4g; repeatable.",
        ),
        click.Option(["--spark-log"], is_flag=True, help="Print Spark's own log."),
        click.Option(["-q", "--quiet"], is_flag=True, help="Print errors only."),
        click.Option(
            ["-x", "experimental"], is_flag=True, help="Ignored; accepted for MOSS scripts."
        ),
    ),
)


# Options that have no effect if nothing is compared.
_OF_RESULTS: Final = frozenset(
    {each.name for each in BY_OPTION.values()}
    | {"output", "open", "single_file", "moss_html", "review", "fail_above", "baseline"}
)

LOCALE: Final = click.Option(
    ["--locale"],
    default="en",
    metavar="CODE",
    envvar="MOSSLITE_LOCALE",
    shell_complete=locales_for,
    help="Language of the report and of the summary: en, de, es or fr; JSON, CSV and other formats "
    "are English. MOSSLITE_LOCALE sets it too.  [default: en]",
)


def _option(written: Format) -> click.Option:
    return click.Option([written.option], type=OUTPUT, metavar=written.metavar, help=written.help)


RESULTS: Final = Section(
    "Results",
    (
        click.Option(
            ["-o", "--output"],
            type=PATH,
            default="mosslite-report",
            show_default=True,
            metavar="DIR",
            help="Folder of the HTML report; other files in it are kept.",
        ),
        click.Option(["--open"], is_flag=True, help="Open the report in a browser."),
        click.Option([SINGLE_FILE.option], is_flag=True, help=SINGLE_FILE.help),
        click.Option(["--no-html"], is_flag=True, help="Do not write the HTML report."),
        *map(_option, FORMATS),
        click.Option(
            ["--moss-html"],
            type=PATH,
            metavar="DIR",
            help="Folder of result pages in MOSS' layout, for scripts that parse them.",
        ),
        click.Option(
            ["-n", "--show"],
            type=integer,
            metavar="N",
            help="Maximum number of pairs in the report, known pairs not counted; 0 = all that "
            "share code. The best pair of each group and submission comes first.  "
            "[default: all above the threshold, from 250 to 2,000]",
        ),
        click.Option(
            ["-c", "--comment"],
            default=Options().comment,
            metavar="TEXT",
            help="Title of the report.",
        ),
        LOCALE,
        click.Option(
            ["--review"],
            type=PATH,
            metavar="FILE",
            multiple=True,
            help="Import review marks saved from an earlier report; several files are merged.",
        ),
        _option(KEY),
        click.Option(
            ["--fail-above"],
            type=percent,
            metavar="PERCENT",
            help="Exit with 1 if a pair scores PERCENT or higher (80 means score 0.80), or if a "
            "limit such as --max-ratio kept part of a submission from being compared.",
        ),
        click.Option(
            ["--baseline"],
            type=PATH,
            metavar="FILE",
            help="Known pairs, written by 'mosslite baseline update'; they do not count for "
            "--fail-above.",
        ),
    ),
)


def outputs_of(context: click.Context) -> Outputs:
    """Return the outputs."""
    given = context.params
    files = {
        each.option: given[each.name] for each in (*FORMATS, KEY) if given[each.name] is not None
    }
    if given["single_file"]:
        files = {SINGLE_FILE.option: _single_file(context)} | files
    return Outputs(
        html=None if given["no_html"] or given["single_file"] else Path(given["output"]),
        moss_html=None if given["moss_html"] is None else Path(given["moss_html"]),
        files=files,
        is_quiet=given["quiet"],
        follows_link=context.get_parameter_source("output") is not ParameterSource.DEFAULT,
        is_opened=given["open"],
    )


def _single_file(context: click.Context) -> str:
    """Return the path of the single-file report.

    Raises:
        OptionError: HTML is disabled.
    """
    if context.params["no_html"]:
        raise OptionError("--single-file and --no-html are both given: give one of them")
    is_default = context.get_parameter_source("output") is ParameterSource.DEFAULT
    output: str = context.params["output"]
    return f"{output}.html" if is_default else output


def given_results(context: click.Context) -> list[str]:
    """Return the options on the command line that request results or can fail a job."""
    return [
        each.opts[-1]
        for each in RESULTS.options
        if each.name in _OF_RESULTS
        and context.get_parameter_source(each.name) is ParameterSource.COMMANDLINE
    ]


def without_effect(context: click.Context) -> Iterator[str]:
    """Return one line for each option given that has no effect, with the reason."""
    given = context.params
    named = {
        name
        for name in ("output", "open", "directories")
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    for name, option in (("output", "-o"), ("open", "--open")):
        if name in named and given["no_html"]:
            yield M_("%(option)s has no effect with --no-html", option)
    if "directories" in named and all(map(os.path.isdir, given["paths"])):
        yield M_("-d has no effect on folders: it groups files that are given one by one")


def baseline_at(context: click.Context) -> Baseline | None:
    """Read the baseline, if one is given.

    Raises:
        InputError: The file cannot be read, or is not a baseline.
    """
    given = context.params["baseline"]
    return None if given is None else read_baseline(Path(given))
