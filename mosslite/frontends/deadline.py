"""A limit on how long a lexer may take, as lexers know none."""

from __future__ import annotations

import signal
import threading
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

__all__ = ["TooSlowError", "listed"]

Item = TypeVar("Item")

# The clock is read once for so many items.
_AT_ONCE = 256
# Seconds to the next alarm: an exception that is raised while Python collects garbage is lost.
_AGAIN = 1.0


class TooSlowError(Exception):
    """What a lexer does takes longer than it may."""


def listed(items: Iterable[Item], seconds: float | None) -> list[Item]:
    """List all items, if that takes no more than so many seconds; None is no limit.

    The search for an item is interrupted too where the system can do so and nobody else needs
    the alarm clock for it: in the main thread, on Unix.

    Raises:
        TooSlowError: It takes longer.
    """
    if seconds is None:
        return list(items)
    if seconds > 0 and _has_alarm():
        return _until_alarm(lambda: _watched(items, seconds), seconds)
    return _watched(items, seconds)


def _watched(items: Iterable[Item], seconds: float) -> list[Item]:
    latest, left, found = monotonic() + seconds, iter(items), list[Item]()
    while some := list(islice(left, _AT_ONCE)):
        found += some
        if monotonic() > latest:
            raise TooSlowError
    return found


def _has_alarm() -> bool:
    """Tell whether there is an alarm clock that the program around us leaves alone."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0
    )


def _until_alarm(action: Callable[[], list[Item]], seconds: float) -> list[Item]:
    # The alarm can go off at any place, hence a ``finally`` for each thing to be undone.
    signal.signal(signal.SIGALRM, _stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        try:
            return action()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise TooSlowError
