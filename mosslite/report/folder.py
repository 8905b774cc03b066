"""Writes a report folder as a whole or not at all, and never over somebody's own files."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from mosslite.errors import OutputError, reason_of
from mosslite.own_results import REPORT_MARKER

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["refuse_foreign_folder", "replacement", "resolved", "swap"]

_MARKER_TEXT: Final = """\
This folder is a mosslite report. The next one takes the place of these files; all others stay.
"""


def refuse_foreign_folder(directory: Path, option: str = "-o") -> None:
    """Make sure that a report may be written as ``directory``, which ``option`` named.

    Raises:
        OutputError: It is a file, holds files and is not a report of ours, or cannot be read.
    """
    shown = str(directory)
    with _os_errors_as_ours(directory):
        obstacle = _why_not_replaceable(resolved(directory))
        if obstacle:
            msg = f"cannot write the report to {shown!r}: {obstacle}"
            raise OutputError(msg)
        if not directory.exists():
            return
        if not directory.is_dir():
            msg = f"{shown!r} is a file: give a folder with {option}"
            raise OutputError(msg)
        if (directory / REPORT_MARKER).is_file() or not any(directory.iterdir()):
            return
    msg = f"{shown!r} holds files that are not a mosslite report: give another folder with {option}"
    raise OutputError(msg)


@contextmanager
def replacement(directory: Path, option: str = "-o") -> Iterator[Path]:
    """Give an empty folder that takes the place of ``directory`` when the block succeeds.

    Files in ``directory`` that no report has written are kept, and so are its permissions. When the
    block fails the old folder stays as it was. The work is done in a temporary folder beside it, as
    only within one file system can a folder be moved in one step.

    Raises:
        OutputError: As ``refuse_foreign_folder``, or the operating system refuses.
    """
    refuse_foreign_folder(directory, option)
    with _os_errors_as_ours(directory):
        target = resolved(directory)
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{target.name}.tmp-", dir=target.parent) as workshop:
            # A folder inside, as the temporary folder itself is closed to other users.
            fresh = Path(workshop, "new")
            fresh.mkdir()
            yield fresh
            marker = _MARKER_TEXT + "".join(f"{name}\n" for name in _files_in(fresh))
            _keep_others(target, fresh)
            (fresh / REPORT_MARKER).write_text(marker, encoding="utf-8", newline="\n")
            if target.exists():
                shutil.copymode(target, fresh)
            swap(fresh, target, aside=Path(workshop, "old"))


def resolved(path: Path | str) -> Path:
    """Follow all links; where they form a circle, ``Path.resolve`` can raise a ``RuntimeError``."""
    return Path(os.path.realpath(path))


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


def _why_not_replaceable(target: Path) -> str:
    """Say why a folder cannot be moved aside for another, before there is anything to move."""
    if target.is_symlink():
        return "it is a link that leads back to itself"
    if target == Path.cwd() or target in Path.cwd().parents:
        return "a folder in use as the current one cannot be replaced: give another with a name"
    if os.path.ismount(target):  # the path's own method is not there on Windows, before Python 3.12
        return "a mount point cannot be replaced: give a folder inside it"
    if target.parent.is_dir() and not os.access(target.parent, os.W_OK | os.X_OK):
        return f"{str(target.parent)!r} cannot be written to"
    return ""


def _keep_others(old: Path, fresh: Path) -> None:
    """Give the new report the files of the old folder that are not of the old report."""
    try:
        marker = (old / REPORT_MARKER).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return
    made = {REPORT_MARKER, *marker[1:]}
    folders = [PurePosixPath(each) for each in {name.rpartition("/")[0] for name in made}]
    made |= {str(each) for folder in folders for each in (folder, *folder.parents)}
    for name in _files_in(old) if marker[1:] else ():
        if name not in made:
            _keep(old / name, fresh / name)


def _keep(path: Path, target: Path) -> None:
    if os.path.lexists(target) or any(each.is_file() for each in target.parents):
        msg = f"{str(path)!r} is not of the report, and where the next one has another: move it"
        raise OutputError(msg)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(path, target, follow_symlinks=False)
    except OSError:  # not every file system has links
        shutil.copy2(path, target, follow_symlinks=False)


def _files_in(folder: Path) -> list[str]:
    """List all there is but folders, by their paths from here, in order; links are not followed.

    Raises:
        OSError: A folder cannot be listed: what is in it would be lost unseen.
    """
    found, left = list[str](), [""]
    while left:
        below = left.pop()
        with os.scandir(folder / below) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    left.append(f"{below}{entry.name}/")
                else:
                    found.append(below + entry.name)
    return sorted(found)


@contextmanager
def _os_errors_as_ours(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        msg = f"cannot write the report to {str(directory)!r}: {reason_of(error)}"
        raise OutputError(msg) from error
