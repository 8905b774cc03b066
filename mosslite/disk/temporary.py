"""Temporary folders, of which each run removes those that killed runs left."""

from __future__ import annotations

import os
import re
import shutil
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Final

from mosslite.disk.locking import let_go, try_lock

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["temporary_folder"]

_PREFIX: Final = ".mosslite-tmp-"
# The prefix, and what the standard library puts behind it.
_NAME: Final = re.compile(r"\.mosslite-tmp-[a-z0-9_]{8}")

# What tells such a folder from somebody's own; its run holds a lock on it.
_MARKER: Final = ".mosslite-temporary"
_MARKER_TEXT: Final = b"A run of mosslite made this folder for itself. The next one removes it.\n"

# A marker may be a link or a pipe that somebody put there.
_OPENING: Final = os.O_RDWR | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")
)
_TRIES: Final = 100


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Make a folder, closed to others, for as long as the block runs.

    Folders that killed runs left in ``parent`` are removed first: those of our name that hold our
    marker and that no process has locked. Nothing else is removed, and no link is followed.

    Raises:
        OSError: No folder can be made there.
    """
    _remove_abandoned(parent)
    folder, marker = _made(parent)
    try:
        yield folder
    finally:
        with suppress(OSError):  # the next run tries again
            _remove(folder, marker)


def _made(parent: Path) -> tuple[Path, int]:
    """Make a folder with a locked marker in it; another run may take it for an abandoned one."""
    for _ in range(_TRIES):
        folder = Path(mkdtemp(prefix=_PREFIX, dir=parent))
        with suppress(FileNotFoundError):
            marker = os.open(folder / _MARKER, _OPENING | os.O_CREAT | os.O_EXCL, 0o600)
            if _is_kept(folder, marker):
                return folder, marker
            os.close(marker)
    msg = "temporary folders are removed as soon as they are made"
    raise OSError(0, msg)


def _is_kept(folder: Path, marker: int) -> bool:
    """Lock and write a new marker, and tell whether no other run has removed it meanwhile."""
    with suppress(OSError):  # where nothing can be locked, other runs leave the folder alone
        if not try_lock(marker):
            return False
    os.write(marker, _MARKER_TEXT)
    return (folder / _MARKER).exists()


def _remove_abandoned(parent: Path) -> None:
    with suppress(OSError):
        for path in parent.iterdir():
            if _NAME.fullmatch(path.name):
                # What somebody else put there may be too deep, or not ours to remove.
                with suppress(OSError, RecursionError):
                    _remove_if_abandoned(path)


def _remove_if_abandoned(folder: Path) -> None:
    if not stat.S_ISDIR(folder.lstat().st_mode):
        return
    try:
        marker = os.open(folder / _MARKER, _OPENING)
    except FileNotFoundError:
        folder.rmdir()  # a run was killed before it made a marker; not where anything is in it
        return
    is_abandoned = False
    try:
        is_abandoned = try_lock(marker) and _is_ours(marker)
    finally:
        if not is_abandoned:
            os.close(marker)
    if is_abandoned:
        _remove(folder, marker)


def _is_ours(marker: int) -> bool:
    """Return whether a marker is one of ours, maybe of a run that was killed as it wrote it."""
    if not stat.S_ISREG(os.fstat(marker).st_mode):
        return False
    content = os.read(marker, len(_MARKER_TEXT) + 1)
    return _MARKER_TEXT.startswith(content)


def _remove(folder: Path, marker: int) -> None:
    """Remove a folder, its marker last, as without one nothing tells that it is ours."""
    try:
        for path in folder.iterdir():
            if path.name != _MARKER:
                _remove_tree(path)
    except BaseException:
        os.close(marker)
        raise
    let_go(folder / _MARKER, marker)
    folder.rmdir()


def _remove_tree(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
