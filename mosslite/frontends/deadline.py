"""Time limits for front-ends, as lexers have none.

CPU time of this thread counts, not wall time, so that the load of the machine has no influence.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from math import inf
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


def deadline_in(seconds: float | None) -> float:
    """Return the CPU time of this thread in some seconds; None means never."""
    return inf if seconds is None else thread_time() + seconds


def watched(items: Iterable[Item], deadline: float) -> Iterator[Item]:
    """Yield items until the CPU time of this thread reaches a deadline.

    Raises:
        TooSlowError: There are more.
    """
    for number, item in enumerate(items):
        yield item
        if not number % _AT_ONCE and thread_time() > deadline:
            raise TooSlowError


def within(action: Callable[[], Result], seconds: float | None) -> Result:
    """Return the result of an action that is interrupted after this many CPU seconds.

    It is interrupted only where the system supports it and nothing else uses the alarm timer: in
    the main thread, on Unix.

    Raises:
        TooSlowError: It takes longer.
    """
    if seconds is not None and seconds > 0 and _has_alarm():
        return _until_alarm(action, seconds, thread_time() + seconds)
    return action()


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
