"""A limit on how long a lexer may compute, as lexers know none.

What else a machine is busy with does not count: a result must not depend on it.
"""

from __future__ import annotations

import signal
import threading
from itertools import chain, islice
from time import thread_time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

__all__ = ["TooSlowError", "joined", "listed"]

Item = TypeVar("Item")

# The clock is read once for so many items.
_AT_ONCE = 256
# Seconds to the next alarm: the first may be early by a few thousandths, and an exception that is
# raised while Python collects garbage is lost.
_AGAIN = 0.1


class TooSlowError(Exception):
    """What a lexer does takes longer than it may."""


def listed(items: Iterable[Item], seconds: float | None) -> list[Item]:
    """List all items, as ``joined`` joins parts."""
    left = iter(items)
    return joined(iter(lambda: list(islice(left, _AT_ONCE)), []), seconds)


def joined(parts: Iterable[Iterable[Item]], seconds: float | None) -> list[Item]:
    """Join all parts, if that takes no more than so many seconds of computing; None is no limit.

    The search for a part is interrupted too where the system can do so and nobody else needs
    the alarm clock for it: in the main thread, on Unix.

    Raises:
        TooSlowError: It takes longer.
    """
    if seconds is None:
        return list(chain.from_iterable(parts))
    latest = thread_time() + seconds
    if seconds > 0 and _has_alarm():
        return _until_alarm(lambda: _watched(parts, latest), seconds, latest)
    return _watched(parts, latest)


def _watched(parts: Iterable[Iterable[Item]], latest: float) -> list[Item]:
    found = list[Item]()
    for part in parts:
        found += part
        if thread_time() > latest:
            raise TooSlowError
    return found


def _has_alarm() -> bool:
    """Tell whether there is an alarm clock that the program around us leaves alone."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0
    )


def _until_alarm(action: Callable[[], list[Item]], seconds: float, latest: float) -> list[Item]:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        if thread_time() > latest:  # the alarm clock counts what other threads compute too
            raise TooSlowError

    # The alarm can go off at any place, hence a ``finally`` for each thing to be undone.
    signal.signal(signal.SIGVTALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
        try:
            return action()
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
