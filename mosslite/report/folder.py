"""Writes a report folder as a whole or not at all, and never over somebody's own files."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from mosslite.errors import OutputError, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MARKER", "refuse_foreign_folder", "replacement", "swap"]

MARKER: Final = ".mosslite-report"
_MARKER_TEXT: Final = "This folder is a mosslite report. mosslite may replace it as a whole.\n"


def refuse_foreign_folder(directory: Path, option: str = "-o") -> None:
    """Make sure that a report may be written as ``directory``, which ``option`` named.

    Raises:
        OutputError: It is a file, holds files and is not a report of ours, or cannot be read.
    """
    shown = str(directory)
    with _os_errors_as_ours(directory):
        if not directory.exists():
            return
        if not directory.is_dir():
            msg = f"{shown!r} is a file: give a folder with {option}"
            raise OutputError(msg)
        if (directory / MARKER).is_file() or not any(directory.iterdir()):
            return
    msg = f"{shown!r} holds files that are not a mosslite report: give another folder with {option}"
    raise OutputError(msg)


@contextmanager
def replacement(directory: Path, option: str = "-o") -> Iterator[Path]:
    """Give an empty folder that takes the place of ``directory`` when the block succeeds.

    When it fails the old folder stays as it was. The work is done in a temporary folder beside
    it, as only within one file system can a folder be moved in one step.

    Raises:
        OutputError: As ``refuse_foreign_folder``, or the operating system refuses.
    """
    refuse_foreign_folder(directory, option)
    with _os_errors_as_ours(directory):
        target = directory.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{target.name}.tmp-", dir=target.parent) as workshop:
            # A folder inside, as the temporary folder itself is closed to other users.
            fresh = Path(workshop, "new")
            fresh.mkdir()
            yield fresh
            (fresh / MARKER).write_text(_MARKER_TEXT, encoding="utf-8", newline="\n")
            swap(fresh, target, aside=Path(workshop, "old"))


def swap(fresh: Path, target: Path, *, aside: Path) -> None:
    """Move ``target`` aside and ``fresh`` in its place; put it back when that fails.

    An interrupt can come between any two steps: what is to be done is told by what is there.
    """
    try:
        if target.exists():
            target.rename(aside)
        fresh.rename(target)
    except BaseException:
        if aside.exists() and not target.exists():
            aside.rename(target)
        raise


@contextmanager
def _os_errors_as_ours(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        msg = f"cannot write the report to {str(directory)!r}: {reason_of(error)}"
        raise OutputError(msg) from error
