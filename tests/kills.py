"""Copies of this process that are killed between two changes of the file system."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from itertools import count
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["done_or_killed_before", "needs_kills"]

needs_kills = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

# What Python calls a change before it is made; a file can also be made by opening it.
_CHANGES: Final = frozenset(
    {"os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate"}
)


def done_or_killed_before(step: int, do: Callable[[], object]) -> bool:
    """Do something in a copy of this process, and tell whether it came to its end.

    Args:
        step: The change, counted from 0, before which it is killed without any warning to itself.
        do: Whatever it raises is an error of the test.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it has no threads that matter
        copy = os.fork()
    if not copy:
        try:
            _kill_before(step)
            do()
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    assert status in {0, -signal.SIGKILL}
    return status == 0


def _kill_before(step: int) -> None:
    steps = count()

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        is_change = event in _CHANGES or (event == "open" and _makes(arguments))
        if is_change and next(steps) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def _makes(arguments: tuple[object, ...]) -> bool:
    *_, flags = arguments
    return isinstance(flags, int) and bool(flags & os.O_CREAT)
