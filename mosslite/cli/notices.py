"""What the rest of the program logs, as lines beside its results."""

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

__all__ = ["noticed"]


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
