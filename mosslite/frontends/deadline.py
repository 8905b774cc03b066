"""Time limits for front-ends, as lexers have none.

CPU time of this thread counts, not wall time, so that the load of the machine has no influence.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterable
from itertools import chain, islice
from time import thread_time
from types import FrameType
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

# The clock is read once per this many items.
_AT_ONCE = 256
# Seconds until the alarm is repeated: the first may be a few milliseconds early or during a
# destructor, and an exception raised in other callbacks of the garbage collector is lost.
_AGAIN = 0.1


class TooSlowError(Exception):
    """Reading a text takes longer than allowed."""


class TimeLeft:
    """The rest of a budget of computing time; None means no limit."""

    def __init__(self, seconds: float | None) -> None:
        self._latest = None if seconds is None else thread_time() + seconds

    def __call__(self) -> float | None:
        """Return the seconds left.

        Raises:
            TooSlowError: None are left.
        """
        if self._latest is None:
            return None
        left = self._latest - thread_time()
        if left <= 0:
            raise TooSlowError
        return left


def timed(action: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result of an action, and the CPU seconds of this thread spent on it."""
    begun = thread_time()
    result = action()
    return result, thread_time() - begun


def listed(items: Iterable[Item], seconds: float | None) -> list[Item]:
    """Return all items as a list, within a time limit as in ``joined``."""
    left = iter(items)
    return joined(iter(lambda: list(islice(left, _AT_ONCE)), []), seconds)


def joined(parts: Iterable[Iterable[Item]], seconds: float | None) -> list[Item]:
    """Concatenate all parts within a limit of CPU seconds; None means no limit.

    A part that takes long is interrupted too where the system supports it and nothing else uses
    the alarm timer: in the main thread, on Unix.

    Raises:
        TooSlowError: It takes longer.
    """
    if seconds is None:
        return list(chain.from_iterable(parts))
    latest = thread_time() + seconds
    return within(lambda: _watched(parts, latest), seconds)


def within(action: Callable[[], Result], seconds: float | None) -> Result:
    """Return the result of an action, interrupted if it takes too long, as in ``joined``.

    Raises:
        TooSlowError: It takes longer.
    """
    if seconds is not None and seconds > 0 and _has_alarm():
        return _until_alarm(action, seconds, thread_time() + seconds)
    return action()


def _watched(parts: Iterable[Iterable[Item]], latest: float) -> list[Item]:
    found = list[Item]()
    for part in parts:
        found += part
        if thread_time() > latest:
            raise TooSlowError
    return found


def _has_alarm() -> bool:
    """Return whether the system's alarm signal is available and unused."""
    return (
        sys.platform != "win32"
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0
    )


def _is_in_destructor(frame: FrameType | None) -> bool:
    """Return whether a destructor is running, from which Python raises no exception."""
    while frame is not None and frame.f_code.co_name != "__del__":
        frame = frame.f_back
    return frame is not None


def _until_alarm(action: Callable[[], Result], seconds: float, latest: float) -> Result:
    def stop(_signal: int, frame: FrameType | None) -> None:
        # The timer also counts CPU time of other threads. It goes off again after a destructor.
        if thread_time() > latest and not _is_in_destructor(frame):
            raise TooSlowError

    if sys.platform == "win32":  # no such timer, as ``_has_alarm`` says
        result = action()
    else:
        # The alarm can go off anywhere, hence a ``finally`` for each action to be undone.
        signal.signal(signal.SIGVTALRM, stop)
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
            try:
                result = action()
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        finally:
            signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    return result
