"""Files that another program has written, in a folder or an archive: those that are wanted."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

from mosslite.errors import InputError, reason_of
from mosslite.options import Limits
from mosslite.submissions.archives import archive_entries, is_archive
from mosslite.submissions.entries import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["exported_files"]

# A list of 100,000 pairs has less; all files together may have four times as much.
_MOST_FILE: Final = 1 << 28
_LIMITS: Final = Limits(file=_MOST_FILE, unpacked=1 << 30, members=1_000_000, ratio=1000, depth=1)
_DEPTH: Final = 2
_NOT_NEEDED: Final = "is not needed"
_READING: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_OWN: Final = _READING | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def exported_files(path: Path, is_wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """Read the wanted files of a folder, down to its folders, or of an archive.

    No link in a folder is followed, and nothing else of an archive is unpacked.

    Args:
        path: The folder or the archive.
        is_wanted: Tells it for a file's name, which begins with the folders that it is in.

    Returns:
        The content of each by its name; a folder that all are in does not count.

    Raises:
        InputError: It is neither, cannot be read, or exceeds a limit.
    """
    try:
        if path.is_dir():
            return _without_top(dict(_in_folder(path, is_wanted)))
        content = _content(path)
    except OSError as error:
        msg = f"cannot read {str(path)!r}: {reason_of(error)}"
        raise InputError(msg) from error
    if not is_archive(path.name, content):
        msg = f"{str(path)!r} is neither a folder nor an archive"
        raise InputError(msg)
    return _without_top(dict(_in_archive(path, content, is_wanted)))


def _in_folder(
    folder: Path, is_wanted: Callable[[str], bool], above: str = ""
) -> Iterator[tuple[str, bytes]]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        name = f"{above}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if name.count("/") < _DEPTH:
                yield from _in_folder(folder / entry.name, is_wanted, f"{name}/")
        elif entry.is_file(follow_symlinks=False) and is_wanted(name):
            yield name, _file(folder / entry.name)


def _file(path: Path) -> bytes:
    """Read a file that is still a file, and not a link by now."""
    with os.fdopen(os.open(path, _OWN), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return b""
        return _at_most(path, file.read(_MOST_FILE + 1), _MOST_FILE)


def _content(path: Path) -> bytes:
    with os.fdopen(os.open(path, _READING), "rb") as file:
        return _at_most(path, file.read(_LIMITS.unpacked + 1), _LIMITS.unpacked)


def _at_most(path: Path, content: bytes, most: int) -> bytes:
    if len(content) > most:
        msg = f"{str(path)!r} is larger than {most:,} bytes"
        raise InputError(msg)
    return content


def _in_archive(
    path: Path, content: bytes, is_wanted: Callable[[str], bool]
) -> Iterator[tuple[str, bytes]]:
    name = path.name

    def rule(member: str) -> tuple[str, str] | None:
        is_needed = member.endswith("/") or is_wanted(member.removeprefix(f"{name}/"))
        return None if is_needed else (member, _NOT_NEEDED)

    for entry in archive_entries(Entry(name, name, content), _LIMITS, rule):
        if entry.obstacle and not entry.is_ignored:
            reason = entry.obstacle.removesuffix(f" ({entry.limit})")  # of no option here
            inside = entry.name.removeprefix(name).lstrip("/")
            msg = f"{str(path)!r} cannot be read: {f'{inside!r} ' if inside else 'it '}{reason}"
            raise InputError(msg)
        if not entry.obstacle and isinstance(entry.content, bytes):
            yield entry.name.removeprefix(f"{name}/"), entry.content


def _without_top(files: dict[str, bytes]) -> dict[str, bytes]:
    tops = {name.partition("/")[0] for name in files}
    if len(tops) != 1 or not all("/" in name for name in files):
        return files
    return {name.partition("/")[2]: content for name, content in files.items()}
