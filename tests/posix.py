"""What tests use of POSIX systems; elsewhere a test that comes to it is skipped."""

import os
import signal
import sys
from typing import Any

import pytest

if sys.platform == "win32":
    AF_UNIX = O_NONBLOCK = 0
    SIGHUP = SIGKILL = SIGXFSZ = signal.SIGTERM
    SIGALRM = SIGPROF = SIGVTALRM = signal.SIGTERM
    ITIMER_PROF = ITIMER_REAL = ITIMER_VIRTUAL = 0

    def fork() -> int:
        pytest.skip("Windows does not fork")

    def killpg(_group: int, _signal: int) -> None:
        pytest.skip("Windows has no process groups that signals are sent to")

    def mkfifo(_path: os.PathLike[str] | str) -> None:
        pytest.skip("Windows has no pipes among files")

    def getitimer(_which: int) -> tuple[float, float]:
        pytest.skip("Windows has no timers that send signals")

    def setitimer(_which: int, _seconds: float, _again: float = 0) -> tuple[float, float]:
        pytest.skip("Windows has no timers that send signals")

    def pthread_kill(_thread: int, _signal: int) -> None:
        pytest.skip("Windows has no signals for single threads")

    def blocked_signals() -> set[int]:
        pytest.skip("Windows has no masks of signals")

    def wait4(_process: int, _options: int) -> tuple[int, int, Any]:
        pytest.skip("Windows does not say what a process has used")

    def openpty() -> tuple[int, int]:
        pytest.skip("Windows has no pseudo-terminals of this kind")
else:
    import socket

    AF_UNIX, O_NONBLOCK = socket.AF_UNIX, os.O_NONBLOCK
    SIGHUP, SIGKILL, SIGXFSZ = signal.SIGHUP, signal.SIGKILL, signal.SIGXFSZ
    SIGALRM, SIGPROF, SIGVTALRM = signal.SIGALRM, signal.SIGPROF, signal.SIGVTALRM
    ITIMER_PROF, ITIMER_REAL = signal.ITIMER_PROF, signal.ITIMER_REAL
    ITIMER_VIRTUAL = signal.ITIMER_VIRTUAL
    getitimer, setitimer, pthread_kill = signal.getitimer, signal.setitimer, signal.pthread_kill
    wait4 = os.wait4
    fork, killpg, mkfifo, openpty = os.fork, os.killpg, os.mkfifo, os.openpty

    def blocked_signals() -> set[int]:
        """Return the signals that wait in this thread."""
        return set(signal.pthread_sigmask(signal.SIG_BLOCK, ()))


def processors() -> int:
    """Return how many processors this process may use."""
    if sys.platform == "linux":
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    return count


needs_alarm = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarm clock here")
