"""What is said beside results: where options come from, and what the program logs."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from logging import Handler, LogRecord, NullHandler, getLogger
from typing import TYPE_CHECKING

import click

from mosslite.cli.streams import writing_to
from mosslite.cli.terminal import printable
from mosslite.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["noticed", "print_notes"]


def print_notes(context: click.Context, *, is_beside_results: bool = False) -> None:
    """Print which file options come from: in a quiet run too, as it can be what made it quiet."""
    is_quiet = context.params["quiet"]
    stream = sys.stderr if is_quiet or is_beside_results else sys.stdout
    with writing_to(stream):
        for note in context.params["config_notes"]:
            click.echo(printable(note), stream)


@contextmanager
def noticed(*, is_quiet: bool) -> Iterator[None]:
    """Print what is logged meanwhile on standard error, unless all shall be quiet."""
    logger, handler = getLogger("mosslite"), NullHandler() if is_quiet else _Lines()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class _Lines(Handler):
    def emit(self, record: LogRecord) -> None:
        with suppress(OutputError), writing_to(sys.stderr):
            click.echo(f"mosslite: {printable(record.getMessage())}", err=True)
