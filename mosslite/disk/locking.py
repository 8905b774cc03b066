"""Keeps other processes from a file while it is read and written anew."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mosslite.errors import OutputError, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["alone_with", "let_go", "try_lock"]

# One for all files of a folder, whose own names may be as long as a name can be.
_NAME: Final = ".mosslite.lock"

# Seconds to wait for another process, and between two tries.
_PATIENCE: Final = 60.0
_PAUSE: Final = 0.01

# What lies there may be a link or a pipe that somebody put there.
_OPENING: Final = (
    os.O_RDWR | os.O_CREAT | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK"))
)


@contextmanager
def alone_with(path: str, *, is_needed: bool = True) -> Iterator[None]:
    """Let no other process into such a block for the same file.

    A file without a byte beside it is locked, and removed in the end. A process that is killed
    leaves it there, but not its lock.

    Args:
        path: Of the file.
        is_needed: Otherwise the block is entered all the same where nothing can be locked.

    Raises:
        OutputError: Another process does not come to an end with it, or nothing can be locked.
    """
    lock = Path(os.path.realpath(path)).with_name(_NAME)
    held = _locked(lock, path, is_needed=is_needed)
    try:
        yield
    finally:
        if held is not None:
            let_go(lock, held)


def _locked(lock: Path, path: str, *, is_needed: bool) -> int | None:
    """Open the file and lock it; None where nothing can be locked and need not be."""
    end = time.monotonic() + _PATIENCE
    try:
        while (held := _tried(lock)) is None and time.monotonic() <= end:
            time.sleep(_PAUSE)
    except OSError as error:
        if not is_needed:
            return None
        msg = f"cannot write {path!r}: {reason_of(error)}"
        raise OutputError(msg) from error
    if held is None:
        msg = f"cannot write {path!r}: another process has locked {str(lock)!r}: try again"
        raise OutputError(msg)
    return held


def _tried(lock: Path) -> int | None:
    held = os.open(lock, _OPENING, 0o666)
    try:
        if try_lock(held) and _is_there(lock, held):
            return held
    except OSError:
        let_go(lock, held)
        raise
    os.close(held)
    return None


def let_go(lock: Path, held: int) -> None:
    """Remove and close a file that was locked, in the order that lets nobody else lock it."""
    if sys.platform == "win32":
        # No open file is removed there: it stays for another process that has it open by then.
        os.close(held)
        with suppress(OSError):
            lock.unlink()
        return
    with suppress(OSError):
        lock.unlink()
    os.close(held)


def try_lock(file: int) -> bool:
    """Lock an open file until it is closed or the process ends, unless another process has it.

    Returns:
        Whether it is locked now.

    Raises:
        OSError: Nothing can be locked there.
    """
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - each is of one system

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # any other says that nothing can be locked there
        return False
    return True


def _is_there(lock: Path, file: int) -> bool:
    """Return whether a file is still that of its name: the one who had the lock has removed it."""
    if sys.platform == "win32":
        return True
    try:
        return os.path.samestat(lock.stat(), os.fstat(file))
    except FileNotFoundError:
        return False
