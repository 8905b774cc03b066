"""Locks and temporary folders for files that several runs may write concurrently."""

import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from mosslite.errors import OutputError

# One lock file per folder, as a suffix could make the names of files too long.
_LOCK_NAME: Final = ".mosslite.lock"

# Seconds to wait for another process, and between two attempts.
_PATIENCE: Final = 60.0
_PAUSE: Final = 0.01

# The path may be a link or a pipe created by somebody else.
_LOCK_OPENING: Final = (
    os.O_RDWR | os.O_CREAT | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK"))
)


@contextmanager
def alone_with(path: str, *, is_needed: bool = True) -> Iterator[None]:
    """Hold a file's lock while the block runs.

    An empty file next to it is locked, and removed at the end. If the process is killed, the empty
    file remains, but not the lock.

    Args:
        path: Path of the file.
        is_needed: If False, the block runs even if locking is impossible.

    Raises:
        OutputError: Another process holds the lock too long, or locking is impossible.
    """
    lock = Path(os.path.realpath(path)).with_name(_LOCK_NAME)
    held = _locked(lock, path, is_needed=is_needed)
    try:
        yield
    finally:
        if held is not None:
            _let_go(lock, held)


def _locked(lock: Path, path: str, *, is_needed: bool) -> int | None:
    """Open and lock a file; return None if that is impossible and not required."""
    end = time.monotonic() + _PATIENCE
    try:
        while (held := _tried(lock)) is None and time.monotonic() <= end:
            time.sleep(_PAUSE)
    except OSError as error:
        if not is_needed:
            return None
        raise OutputError("cannot write %(path)r: %(reason)s", path, error) from error
    if held is None:
        raise OutputError(
            "cannot write %(path)r: another process has locked %(lock)r: try again", path, lock
        )
    return held


def _tried(lock: Path) -> int | None:
    held = os.open(lock, _LOCK_OPENING, 0o666)
    try:
        if _try_lock(held) and _is_there(lock, held):
            return held
    except OSError:
        _let_go(lock, held)
        raise
    os.close(held)
    return None


def _let_go(lock: Path, held: int) -> None:
    """Remove and close a locked file, in an order that prevents another process from locking it."""
    if sys.platform == "win32":
        # Windows removes no open file: it remains if another process has opened it by then.
        os.close(held)
        with suppress(OSError):
            lock.unlink()
    else:
        with suppress(OSError):
            lock.unlink()
        os.close(held)


def _try_lock(file: int) -> bool:
    """Lock an open file until it is closed or the process ends.

    Returns:
        False if another process holds the lock.

    Raises:
        OSError: Locking is impossible.
    """
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - available on Windows only

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # other errors mean that locking is impossible
        return False
    return True


def _is_there(lock: Path, file: int) -> bool:
    """Return whether the path is still this file, which the previous holder may have removed."""
    try:
        return sys.platform == "win32" or os.path.samestat(lock.stat(), os.fstat(file))
    except FileNotFoundError:
        return False


_PREFIX: Final = ".mosslite-tmp-"
# The prefix, and the random part appended by ``tempfile``.
_NAME: Final = re.compile(r"\.mosslite-tmp-[a-z0-9_]{8}")

# A locked marker file that distinguishes such a folder from a user's own.
_MARKER: Final = ".mosslite-temporary"
_MARKER_TEXT: Final = b"A run of mosslite made this folder for itself. The next one removes it.\n"

# The marker may be a link or a pipe created by somebody else.
_OPENING: Final = os.O_RDWR | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")
)
_TRIES: Final = 100


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Create a folder, accessible to its owner only, that exists while the block runs.

    Folders that killed runs left in ``parent`` are removed first: those with the right name and a
    marker that no process has locked. Nothing else is removed, and no link is followed.

    Raises:
        OSError: The folder cannot be created.
    """
    _remove_abandoned(parent)
    folder, marker = _made(parent)
    try:
        yield folder
    finally:
        with suppress(OSError):  # the next run retries
            _remove(folder, marker)


def _made(parent: Path) -> tuple[Path, int]:
    """Create a folder with a locked marker; another run may mistake it for an abandoned one."""
    for _ in range(_TRIES):
        folder = Path(mkdtemp(prefix=_PREFIX, dir=parent))
        with suppress(FileNotFoundError):
            marker = os.open(folder / _MARKER, _OPENING | os.O_CREAT | os.O_EXCL, 0o600)
            if _is_kept(folder, marker):
                return folder, marker
            os.close(marker)
    msg = "another process keeps removing temporary folders"
    raise OSError(0, msg)


def _is_kept(folder: Path, marker: int) -> bool:
    """Lock and write a new marker; return whether no other run has removed it in between."""
    with suppress(OSError):  # without locks, other runs never remove the folder
        if not _try_lock(marker):
            return False
    os.write(marker, _MARKER_TEXT)
    return (folder / _MARKER).exists()


def _remove_abandoned(parent: Path) -> None:
    with suppress(OSError):
        for path in parent.iterdir():
            if _NAME.fullmatch(path.name):
                # Files added by others may be nested too deeply, or not be removable.
                with suppress(OSError, RecursionError):
                    _remove_if_abandoned(path)


def _remove_if_abandoned(folder: Path) -> None:
    if not stat.S_ISDIR(folder.lstat().st_mode):
        return
    try:
        marker = os.open(folder / _MARKER, _OPENING)
    except FileNotFoundError:
        folder.rmdir()  # killed before the marker was created; fails unless empty
        return
    is_abandoned = False
    try:
        is_abandoned = _try_lock(marker) and _is_ours(marker)
    finally:
        if not is_abandoned:
            os.close(marker)
    if is_abandoned:
        _remove(folder, marker)


def _is_ours(marker: int) -> bool:
    """Return whether a marker is mosslite's, perhaps of a run killed while writing it."""
    if not stat.S_ISREG(os.fstat(marker).st_mode):
        return False
    content = os.read(marker, len(_MARKER_TEXT) + 1)
    return _MARKER_TEXT.startswith(content)


def _remove(folder: Path, marker: int) -> None:
    """Remove a folder, its marker last: without it, a later run would not recognize the rest."""
    try:
        for path in folder.iterdir():
            if path.name != _MARKER:
                _remove_tree(path)
    except BaseException:
        os.close(marker)
        raise
    _let_go(folder / _MARKER, marker)
    folder.rmdir()


def _remove_tree(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
