"""Sends a report everywhere it was asked for."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

import mosslite
from mosslite.cli.streams import writing_to
from mosslite.errors import OptionError, OutputError
from mosslite.report import refuse_foreign_folder, to_csv, to_json, write_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mosslite.model import Progress, Report

__all__ = ["Outputs"]

_STANDARD_OUTPUT = "-"

# What the first bytes of each result are; only such files are written over.
_BEGINNINGS = {
    "--json": b'{\n "format": ',
    "--csv": b"left,right,score,",
    "--anonymize": b"alias,name\n",
}


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where results go: a path, ``-`` for standard output, or None for nowhere.

    ``key`` is where the names go that an anonymous report leaves out.
    """

    html: Path | None
    json: str | None
    csv: str | None
    key: str | None
    is_quiet: bool

    @property
    def uses_standard_output(self) -> bool:
        """Whether a result, not the summary, is what standard output is for."""
        return _STANDARD_OUTPUT in self.files.values()

    @property
    def files(self) -> dict[str, str]:
        """Where each single-file result goes, by its option."""
        targets = {"--json": self.json, "--csv": self.csv, "--anonymize": self.key}
        return {option: target for option, target in targets.items() if target is not None}

    def require_possible(self) -> None:
        """Refuse, before any work is done, what could not be written after it.

        Raises:
            OptionError: Two results want the same place, or the key one that others see.
            OutputError: The report's folder holds something else, or a file's folder is missing.
        """
        _created()
        self._require_key_apart()
        options: dict[str, str] = {}
        for option, target in self.files.items():
            other = options.setdefault(os.path.realpath(target), option)
            if other != option:
                place = "standard output" if target == _STANDARD_OUTPUT else repr(target)
                msg = f"{other} and {option} both write to {place}: give them different files"
                raise OptionError(msg)
            self._require_folder_of(target)
            _require_own(option, target)
        if self.html is not None:
            refuse_foreign_folder(self.html)

    def write(self, report: Report, key: str, progress: Progress) -> Path | None:
        """Write every result, and give the first page of the HTML report, if there is one.

        Args:
            report: With names or without.
            key: The key to a report without names.
            progress: Is told how many pages are written.

        Raises:
            OutputError: A result cannot be written.
        """
        made = {"created": _created(), "version": mosslite.__version__}
        page = None
        if self.html is not None:
            page = write_html(report, self.html, **made, progress=progress)
        texts = {
            "--json": to_json(report, **made),
            "--csv": to_csv(report),
            "--anonymize": key,
        }
        # Standard output comes last: whoever reads it may stop half-way, and files must be whole.
        for option, target in sorted(self.files.items(), key=lambda each: each[1] == "-"):
            _write(target, texts[option])
        return page

    def tell(self, lines: Iterable[str]) -> None:
        """Print lines where standard output is free, else beside it, unless all shall be quiet."""
        if self.is_quiet:
            return
        stream = sys.stderr if self.uses_standard_output else sys.stdout
        with writing_to(stream):
            for line in lines:
                click.echo(line, stream)

    def _require_key_apart(self) -> None:
        """Refuse a key that would be shown with the results or passed on inside the report."""
        if self.key is None:
            return
        if self.key == _STANDARD_OUTPUT:
            msg = "the key of --anonymize is not for standard output: give a file"
            raise OptionError(msg)
        if self.html is not None and Path(self.key).resolve().is_relative_to(self.html.resolve()):
            msg = (
                f"the key {self.key!r} would be inside the report {str(self.html)!r}: "
                "give --anonymize a file elsewhere"
            )
            raise OptionError(msg)

    def _require_folder_of(self, target: str) -> None:
        """Refuse a file in a folder that is missing, unless it will be there with the report."""
        folder = Path(target).parent
        with _explained(target):
            if not folder.is_dir() and folder != self.html:
                msg = f"cannot write {target!r}: {str(folder)!r} is no folder"
                raise OutputError(msg)


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
    """Write a file as a whole or not at all, where it goes into a file at all."""
    if target == _STANDARD_OUTPUT:
        with writing_to(sys.stdout):
            sys.stdout.buffer.write(text.encode("utf-8"))
        return
    with _explained(target):
        path = Path(target)
        if path.exists() and not path.is_file():
            # A device or a pipe takes text, but nothing may take its place.
            path.write_text(text, encoding="utf-8", newline="\n")
        else:
            _replace(path.resolve(), text)


def _replace(path: Path, text: str) -> None:
    half_written = path.with_name(f".mosslite-{os.getpid()}.tmp")
    try:
        half_written.write_text(text, encoding="utf-8", newline="\n")
        half_written.replace(path)
    finally:
        with suppress(OSError):
            half_written.unlink()


def _require_own(option: str, target: str) -> None:
    """Refuse to write over a file that is no result of ours, such as a forgotten name's next."""
    begin = b""
    with _explained(target):
        if target != _STANDARD_OUTPUT and Path(target).is_dir():
            msg = f"cannot write {target!r}: is a directory"
            raise OutputError(msg)
        if target != _STANDARD_OUTPUT and Path(target).is_file():
            with Path(target).open("rb") as existing:
                begin = existing.read(len(_BEGINNINGS[option]))
    if begin and begin != _BEGINNINGS[option]:
        msg = f"{target!r} holds something else than a result of {option}: give another file"
        raise OutputError(msg)


@contextmanager
def _explained(target: str) -> Iterator[None]:
    """Turn what the operating system says into our words."""
    try:
        yield
    except OSError as error:
        msg = f"cannot write {target!r}: {(error.strerror or 'unknown error').lower()}"
        raise OutputError(msg) from error
