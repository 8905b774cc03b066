"""Options that say what is written, and where."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from mosslite.cli.outputs import Outputs
from mosslite.cli.parameters.sections import Section
from mosslite.cli.parameters.types import OUTPUT, PATH, percent
from mosslite.options import Options

__all__ = ["RESULTS", "outputs_of"]

RESULTS: Final = Section(
    "Results",
    (
        click.Option(
            ["-o", "--output"],
            type=PATH,
            default="mosslite-report",
            show_default=True,
            metavar="DIR",
            help="Folder of the HTML report.",
        ),
        click.Option(["--no-html"], is_flag=True, help="Write no HTML report."),
        click.Option(
            ["--json"], type=OUTPUT, metavar="FILE", help="Write JSON; '-' is standard output."
        ),
        click.Option(
            ["--csv"], type=OUTPUT, metavar="FILE", help="Write CSV; '-' is standard output."
        ),
        click.Option(
            ["-n", "--show"],
            type=int,
            default=Options().show,
            show_default=True,
            metavar="N",
            help="Pairs in the report; 0 is every pair that shares a fingerprint.",
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
            help="Exit with 1 when a pair's score is at or above this.",
        ),
    ),
)


def outputs_of(context: click.Context) -> Outputs:
    """Give where results go."""
    given = context.params
    html = None if given["no_html"] else Path(given["output"])
    return Outputs(html, given["json"], given["csv"], given["anonymize"], is_quiet=given["quiet"])
