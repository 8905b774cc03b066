"""Options that say where submissions are, and what one is."""

from __future__ import annotations

from typing import Final

import click

from mosslite.cli.parameters.sections import Section
from mosslite.cli.parameters.types import PATH
from mosslite.options import LAYOUTS, NAME_GROUPS, Intake
from mosslite.records import Inputs

__all__ = ["PATHS", "SUBMISSIONS", "inputs_of"]

_PLATFORMS: Final = ", ".join(name for name in LAYOUTS if name not in ("auto", "plain"))
_OTHER_GROUPS: Final = ", ".join(sorted(NAME_GROUPS - {"name"}))

PATHS: Final = click.Argument(["paths"], nargs=-1, required=True, metavar="PATH...")

SUBMISSIONS: Final = Section(
    "Submissions",
    (
        click.Option(
            ["-b", "--base"],
            type=PATH,
            multiple=True,
            metavar="PATH",
            help="Boilerplate that you handed out, left out of all numbers; repeatable.",
        ),
        click.Option(
            ["--prior"],
            type=PATH,
            multiple=True,
            metavar="PATH",
            help="Work of earlier terms, not compared with itself; repeatable.",
        ),
        click.Option(
            ["--reference"],
            type=PATH,
            multiple=True,
            metavar="PATH",
            help="Staff or web solutions, not compared with themselves; repeatable.",
        ),
        click.Option(
            ["--archive", "archives"],
            type=PATH,
            multiple=True,
            metavar="FILE",
            help="Earlier terms, as mosslite archive add keeps them; repeatable.",
        ),
        click.Option(
            ["-d", "--directories"],
            is_flag=True,
            help="The files of one folder are one submission.",
        ),
        click.Option(
            ["--each"],
            is_flag=True,
            help="Each folder or archive given is a batch of its own, as for sections of a course; "
            "of a single one, each in it. Names begin with that of the section.",
        ),
        click.Option(
            ["--layout"],
            type=click.Choice(LAYOUTS),
            default=Intake().layout,
            show_default=True,
            metavar="NAME",
            help=f"Platform that the batch was exported from: {_PLATFORMS}; plain is none of "
            "them, auto finds out.",
        ),
        click.Option(
            ["--name-pattern"],
            metavar="REGEX",
            help="Instead of a layout: tells by a path whose it is, by its group (?P<name>...); "
            f"groups for more are {_OTHER_GROUPS}.",
        ),
        click.Option(
            ["--attempts"],
            type=click.Choice(["latest", "all"]),
            default="all" if Intake().all_attempts else "latest",
            show_default=True,
            help="Which attempts of a student are compared; never with each other.",
        ),
    ),
)


def inputs_of(context: click.Context) -> Inputs:
    """Return the paths by the role of what is there."""
    given = context.params
    return Inputs(
        given["paths"], given["base"], given["prior"], given["reference"], given["archives"]
    )
