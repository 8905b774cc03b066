"""Writes the files of a report into its folder and leaves all other files unchanged.

A new report is created in a temporary folder and moved file by file, each atomically. Until the
last, ``index.html``, a notice takes its place: if a run is killed in between, the notice remains,
and the next run moves everything again. Until then the marker lists the files of both reports, so
that no other file is ever replaced or removed.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from mosslite.disk import alone_with, temporary_folder
from mosslite.errors import OutputError
from mosslite.messages import M_, Message, of_text, to_text
from mosslite.parallel import interrupts_held
from mosslite.signatures import REPORT_MARKER

# The first line of a marker identifies it and the batch of the report; the files follow.
_MARKER_TEXT: Final = (
    "This folder is a mosslite report. The next one replaces these files; all other files are kept."
)
_BATCH: Final = " Batch: "
_LONGEST_LINE: Final = 1 << 16
_INDEX: Final = "index.html"
_PAGES: Final = (".html", ".htm")
_NOTICE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Incomplete report</title>
<p>This report is being written. If this page stays, the run was stopped: run mosslite again.
"""
# Flags for reading a marker without following links or blocking on a pipe.
_READING: Final = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")
)


class _Contents(NamedTuple):
    """Paths of files and folders below a folder, relative to it, in order."""

    files: list[str]
    folders: list[str]

    def without(self, names: Collection[str]) -> _Contents:
        """Return the contents without some names."""
        return _Contents(*([name for name in part if name not in names] for part in self))


def refuse_standard_output(directory: Path, option: str) -> None:
    """Raise an OutputError for '-', which elsewhere names standard output."""
    if str(directory) == "-":
        raise OutputError(
            "%(option)s is '-', but a folder cannot go to standard output: give a folder", option
        )


def refuse_folder_of_others(directory: Path, option: str = "-o") -> None:
    """Raise an OutputError unless a report may be written as ``directory``, which ``option`` named.

    Raises:
        OutputError: It is '-', a file, named like one, or cannot be read, or contains other files
            but no report.
    """
    shown = str(directory)
    refuse_standard_output(directory, option)
    with _os_errors_as_ours(directory):
        obstacle = _why_not_replaceable(resolved(directory))
        if obstacle:
            raise OutputError("cannot write the report to %(shown)r: %(obstacle)s", shown, obstacle)
        if not directory.exists() and directory.suffix.lower() not in _PAGES:
            return
        if not directory.exists():
            raise OutputError(
                "%(shown)r is the name of a page, but the report is a folder: choose one with "
                "%(option)s, or one file with 'mosslite check --single-file'",
                shown,
                option,
            )
        if not directory.is_dir():
            raise OutputError("%(shown)r is a file: choose a folder with %(option)s", shown, option)
        if (directory / REPORT_MARKER).is_file() or not any(directory.iterdir()):
            return
    raise OutputError(
        "%(shown)r contains files that are not a mosslite report: choose "
        "another folder with %(option)s",
        shown,
        option,
    )


@contextmanager
def replacement(directory: Path, option: str = "-o", *, about: str = "") -> Iterator[Path]:
    """Create an empty folder for a report's files; move them into place if the block succeeds.

    They replace the files of earlier reports in ``directory``; other files and the permissions are
    kept. If the block fails, nothing is changed. Runs that write to the same folder wait for each
    other. ``about`` is the description that ``batch_of`` returns later.

    Raises:
        OutputError: As ``refuse_folder_of_others``, or the operating system refuses.
    """
    refuse_folder_of_others(directory, option)
    with _os_errors_as_ours(directory):
        target = resolved(directory)
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary_folder(target.parent) as workshop:
            # A nested folder, as the temporary folder itself is not accessible to other users.
            fresh = workshop / "new"
            fresh.mkdir()
            yield fresh
            with alone_with(str(target), is_needed=False), interrupts_held():
                _publish(fresh, target, about)


def resolved(path: Path | str) -> Path:
    """Resolve all links; on a cycle, ``Path.resolve`` can raise a ``RuntimeError``."""
    return Path(os.path.realpath(path))


def _why_not_replaceable(target: Path) -> str:
    """Return why a folder cannot be replaced, before anything is moved."""
    if target.is_symlink():
        return M_("it is a link to itself")
    if target == Path.cwd() or target in Path.cwd().parents:
        return M_("the current folder cannot be replaced: give another folder")
    if os.path.ismount(target):  # Path.is_mount needs Python 3.12 on Windows
        return M_("a mount point cannot be replaced: give a folder inside it")
    if target.parent.is_dir() and not os.access(target.parent, os.W_OK | os.X_OK):
        return M_("%(parent)r cannot be written to", target.parent)
    return ""


def _publish(fresh: Path, target: Path, about: str) -> None:
    """Move a report into place; safe if killed between any two steps."""
    names = {*_contents_of(fresh).files, REPORT_MARKER}
    write_text(fresh / REPORT_MARKER, _marker_of(names, about))
    if not target.exists():
        fresh.rename(target)
        return
    found, earlier = _contents_of(target), _listed_in(target)
    own = earlier | _folders_of(earlier)
    _require_room(fresh, target, found.without(own))
    _require_writable(target, {*found.folders} & (own | _folders_of(names)))
    both, notice = fresh.parent / "both", fresh.parent / "notice"
    write_text(both, _marker_of(earlier | names))
    write_text(notice, _NOTICE)
    both.replace(target / REPORT_MARKER)
    notice.replace(target / _INDEX)
    _remove_stale(target, found, own - names)
    for folder in sorted(_folders_of(names)):
        (target / folder).mkdir(exist_ok=True)
    for name in sorted(names, key=lambda name: (name == _INDEX, name == REPORT_MARKER, name)):
        (fresh / name).replace(target / name)


def _require_room(fresh: Path, target: Path, foreign: _Contents) -> None:
    """Raise an OutputError for a page whose path is taken by a foreign file or folder."""
    wanted = [name for name in foreign.files if (fresh / name).is_dir()]
    for name in (*foreign.files, *foreign.folders):
        place = fresh / name
        wanted += [name for each in (place, *place.parents) if each.is_file()]
    for name in wanted:
        raise OutputError(
            "%(name)r is not part of the report and would be overwritten: move it",
            str(target / name),
        )


def _require_writable(target: Path, folders: Iterable[str]) -> None:
    """Raise a PermissionError before anything is moved if a later step would fail."""
    for folder in (target, *(target / each for each in sorted(folders))):
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(EACCES, os.strerror(EACCES), str(folder))


def _remove_stale(target: Path, found: _Contents, stale: Collection[str]) -> None:
    """Remove files that only an earlier report has, and folders left empty."""
    for name in found.files:
        if name in stale:
            (target / name).unlink()
    for folder in reversed(found.folders):
        if folder in stale:
            with suppress(OSError):
                (target / folder).rmdir()


def _listed_in(target: Path) -> set[str]:
    """Return the files listed in the marker; empty without a marker."""
    try:
        with os.fdopen(os.open(target / REPORT_MARKER, _READING), encoding="utf-8") as marker:
            return {REPORT_MARKER, *marker.read().splitlines()[1:]}
    except (OSError, UnicodeDecodeError):
        return set()


def batch_of(directory: Path) -> Message | None:
    """Return the description of a report's batch; None without a marker that has one."""
    try:
        with os.fdopen(os.open(directory / REPORT_MARKER, _READING), encoding="utf-8") as marker:
            said = of_text(marker.readline(_LONGEST_LINE).partition(_BATCH)[2].rstrip("\n"))
    except (OSError, UnicodeDecodeError):
        return None
    return said if isinstance(said, Message) else None


def _marker_of(names: Iterable[str], about: str = "") -> str:
    batch = f"{_BATCH}{to_text(about)}" if isinstance(about, Message) else ""
    listed = "".join(f"{name}\n" for name in sorted(names) if name != REPORT_MARKER)
    return f"{_MARKER_TEXT}{batch}\n{listed}"


def write_text(path: Path, text: str) -> None:
    """Write a file that is the same on all systems."""
    path.write_text(text, encoding="utf-8", newline="\n")


def _folders_of(names: Iterable[str]) -> set[str]:
    """Return the folders of files, and their parents."""
    direct = {PurePosixPath(name.rpartition("/")[0]) for name in names}
    return {str(each) for folder in direct for each in (folder, *folder.parents)} - {"."}


def _contents_of(folder: Path) -> _Contents:
    """List a folder recursively, without following links.

    Raises:
        OSError: A folder cannot be listed, so its contents could be lost unnoticed.
    """
    found, left = _Contents([], []), [""]
    while left:
        below = left.pop()
        with os.scandir(folder / below) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    left.append(f"{below}{entry.name}/")
                    found.folders.append(below + entry.name)
                else:
                    found.files.append(below + entry.name)
    return _Contents(sorted(found.files), sorted(found.folders))


@contextmanager
def _os_errors_as_ours(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            "cannot write the report to %(directory)r: %(reason)s", directory, error
        ) from error
