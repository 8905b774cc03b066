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

__all__ = ["alone_with"]

# One for all files of a folder, whose own names may be as long as a name can be.
_NAME: Final = ".mosslite.lock"

# Seconds to wait for another process, and between two tries.
_PATIENCE: Final = 10.0
_PAUSE: Final = 0.01


@contextmanager
def alone_with(path: str) -> Iterator[None]:
    """Let no other process into such a block for the same file.

    A file without a byte beside it is locked, and removed in the end. A process that is killed
    leaves it there, but not its lock.

    Raises:
        OutputError: Another process does not come to an end with it, or no file can be made there.
    """
    lock = Path(os.path.realpath(path)).with_name(_NAME)
    try:
        held = _locked(lock)
    except OSError as error:
        msg = f"cannot write {path!r}: {reason_of(error)}"
        raise OutputError(msg) from error
    if held is None:
        msg = f"cannot write {path!r}: another process has locked {str(lock)!r}: try again"
        raise OutputError(msg)
    try:
        yield
    finally:
        _let_go(lock, held)


def _locked(lock: Path) -> int | None:
    """Give the open file that is locked; None where the wait is too long."""
    end = time.monotonic() + _PATIENCE
    while (held := _tried(lock)) is None and time.monotonic() <= end:
        time.sleep(_PAUSE)
    return held


def _tried(lock: Path) -> int | None:
    held = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if _is_taken(held) and _is_there(lock, held):
            return held
    except OSError:
        _let_go(lock, held)
        raise
    os.close(held)
    return None


def _let_go(lock: Path, held: int) -> None:
    if sys.platform == "win32":
        # No open file is removed there: it stays for another process that has it open by then.
        os.close(held)
        with suppress(OSError):
            lock.unlink()
        return
    with suppress(OSError):
        lock.unlink()
    os.close(held)


def _is_taken(file: int) -> bool:
    """Take the lock, which the system takes back when the file is closed or the process ends."""
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
    """Tell whether a file is still that of its name: the one who had the lock has removed it."""
    if sys.platform == "win32":
        return True
    try:
        return os.path.samestat(lock.stat(), os.fstat(file))
    except FileNotFoundError:
        return False
