"""``mosslite check``: options in, a report out in every form asked for."""

from __future__ import annotations

import click

from mosslite.cli.command import CheckCommand
from mosslite.cli.parameters import PATHS, SECTIONS
from mosslite.cli.running import run

__all__ = ["check"]


@click.command(
    cls=CheckCommand,
    params=[PATHS, *(option for section in SECTIONS for option in section.options)],
)
@click.pass_context
def check(context: click.Context, /, **_given: object) -> int:
    """Compare submissions with each other and write a report.

    A file is a submission. One folder or archive is a batch: each file, folder or archive in it
    is a submission, or what the platform that exported it names so. Several folders or archives
    are a submission each; several exports, or with --each any, are one batch of sections.

    \b
    Examples:
      mosslite check submissions/ -b template.py
      mosslite check export.zip --list
      mosslite check --each monday/ tuesday/
      mosslite check -o report --json report.json -- *.java
      mosslite check autumn/ --prior spring/ --fail-above 80
      mosslite check autumn/ --archive cs101.mosslite

    Options can also stand in a mosslite.toml beside the batch, by their long names, or in
    [tool.mosslite] of a pyproject.toml; those of the command line take their place.
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    return run(context)
