"""Text on a terminal: safe characters, columns that line up, and what is said beside results."""

from __future__ import annotations

import re
import sys
import unicodedata
from contextlib import contextmanager, suppress
from logging import Handler, LogRecord, NullHandler, getLogger
from typing import TYPE_CHECKING, Final

import click

from mosslite.cli.streams import writing_to
from mosslite.display import spelled_out
from mosslite.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "noticed",
    "print_notes",
    "printable",
    "table",
]


# GitHub obeys what begins with ``::`` in a line and, as Azure and TeamCity, ``##word[`` anywhere.
_COMMAND: Final = re.compile(r"(?<![^ ]):(?=:)|#(?=#\w*\[)")


def printable(text: str) -> str:
    r"""Show control, zero-width and bidirectional characters as escapes such as ``\x1b``.

    Names of files are a stranger's text: none may move the cursor or hide another, or be a command
    to what runs a job and reads its log, as ``::error::...`` is to GitHub.
    """
    shown = "".join(map(_shown, text))
    return _COMMAND.sub(lambda found: f"\\x{ord(found.group()):02x}", shown)


def _shown(character: str) -> str:
    if _is_visible(character):
        return character
    return character.encode("unicode_escape").decode("ascii")


def _is_visible(character: str) -> bool:
    return character.isprintable() and spelled_out(character) == character


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, left: int) -> list[str]:
    """Lay out rows in columns, the first ``left`` of them to the left, numbers to the right."""
    cells = [[printable(cell) for cell in row] for row in [headings, *rows]]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - _width(cell)) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def _width(text: str) -> int:
    """Count the cells a terminal needs: two for wide characters, none for combining ones."""
    return sum(
        2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
        if unicodedata.category(character) not in ("Mn", "Me")
    )


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
