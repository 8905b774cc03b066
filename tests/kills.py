"""Copies of this process that are killed between two changes of files, or between two lines."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from itertools import count
from typing import TYPE_CHECKING, Final

import pytest

from tests.posix import SIGKILL, SIGXFSZ, fork

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from _typeshed import TraceFunction


needs_kills = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

# What Python calls a change before it is made; a file can also be made by opening it.
_CHANGES: Final = frozenset(
    {"os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate"}
)


def done_or_killed_before(step: int, do: Callable[[], object]) -> bool:
    """Run an action in a forked process, and return whether it finished.

    Args:
        step: The change, counted from 0, before which it is killed without any warning to itself.
        do: Whatever it raises is an error of the test.
    """
    steps = count()

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        is_change = event in _CHANGES or (event == "open" and _makes(arguments))
        if is_change and next(steps) == step:
            os.kill(os.getpid(), SIGKILL)

    return _is_done(lambda: sys.addaudithook(hook), do)


def done_or_killed_at_line(step: int, folder: str, do: Callable[[], object]) -> bool:
    """Do so where the kill comes before a line, counted from 0, of the modules in a folder."""
    steps = count()

    def trace(frame: FrameType, event: str, _argument: object) -> TraceFunction | None:
        if folder not in frame.f_code.co_filename:
            return None
        if event == "line" and next(steps) == step:
            os.kill(os.getpid(), SIGKILL)
        return trace

    return _is_done(lambda: sys.settrace(trace), do)


def done_or_killed_beyond(size: int, do: Callable[[], object]) -> bool:
    """Do so where the kill comes with the first byte that is written beyond so many of a file."""
    resource = pytest.importorskip("resource")

    def limit() -> None:
        signal.signal(SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return _is_done(limit, do)


def _is_done(prepare: Callable[[], object], do: Callable[[], object]) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it has no threads that matter
        copy = fork()
    if not copy:
        try:
            prepare()
            do()
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    assert status in {0, -SIGKILL, -SIGXFSZ}
    return status == 0


def _makes(arguments: tuple[object, ...]) -> bool:
    *_, flags = arguments
    return isinstance(flags, int) and bool(flags & os.O_CREAT)
