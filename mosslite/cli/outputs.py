"""Sends a report everywhere it was asked for."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

import mosslite
from mosslite.cli.summary import summary_lines
from mosslite.errors import OptionError, OutputError
from mosslite.report import refuse_foreign_folder, to_csv, to_json, write_html

if TYPE_CHECKING:
    from mosslite.model import Report

__all__ = ["Outputs", "deliver"]

_STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where results go: a path, ``-`` for standard output, or None for nowhere."""

    html: Path | None
    json: str | None
    csv: str | None
    is_quiet: bool

    @property
    def uses_standard_output(self) -> bool:
        """Whether a result, not the summary, is what standard output is for."""
        return _STANDARD_OUTPUT in (self.json, self.csv)

    def require_possible(self) -> None:
        """Refuse, before any work is done, what could not be written after it.

        Raises:
            OptionError: Two results want standard output.
            OutputError: The report's folder holds something else.
        """
        if self.json == self.csv == _STANDARD_OUTPUT:
            msg = "--json - and --csv - both want standard output: give one of them a file"
            raise OptionError(msg)
        _created()
        if self.html is not None:
            refuse_foreign_folder(self.html)


def deliver(report: Report, outputs: Outputs) -> None:
    """Write the report's files, then the summary where standard output is free, else beside it.

    Raises:
        OutputError: A file cannot be written.
    """
    created, version = _created(), mosslite.__version__
    page = None
    if outputs.html is not None:
        page = write_html(report, outputs.html, created=created, version=version)
    if outputs.json is not None:
        _write(outputs.json, to_json(report, created=created, version=version))
    if outputs.csv is not None:
        _write(outputs.csv, to_csv(report))
    if not outputs.is_quiet:
        for line in summary_lines(report, page):
            click.echo(line, err=outputs.uses_standard_output)


def _created() -> str:
    """Give the time of the run, or the one set for reproducible results, as ISO 8601 in UTC."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        moment = datetime.fromtimestamp(int(given) if given else int(time.time()), UTC)
    except (ValueError, OverflowError, OSError) as error:
        msg = f"SOURCE_DATE_EPOCH is {given!r}: it must be a number of seconds"
        raise OptionError(msg) from error
    return moment.isoformat()


def _write(target: str, text: str) -> None:
    """Write a file as a whole or not at all."""
    if target == _STANDARD_OUTPUT:
        sys.stdout.buffer.write(text.encode("utf-8"))
        return
    path = Path(target)
    half_written = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        half_written.write_text(text, encoding="utf-8", newline="\n")
        half_written.replace(path)
    except OSError as error:
        half_written.unlink(missing_ok=True)
        msg = f"cannot write {target!r}: {error.strerror or error}"
        raise OutputError(msg) from error
