"""Options that say how the program runs, whatever it compares."""

from __future__ import annotations

from typing import Final

import click

from mosslite.cli.parameters.sections import Section
from mosslite.cli.parameters.types import PATH

__all__ = ["RUNNING"]

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
