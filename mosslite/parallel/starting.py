"""How processes are started, and how many there is room for."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.context import BaseContext

    from mosslite.options import Options

__all__ = [
    "context",
    "forks",
    "hear_the_end",
    "interrupts_held",
    "processes_for",
    "processors",
    "safe_path",
]

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)

# What tells a new interpreter to leave the current folder off its path.
_SAFE_PATH: Final = "PYTHONSAFEPATH"


def context() -> BaseContext:
    """Return the way to start processes: what the program has chosen, else the quickest safe one.

    Forking takes milliseconds where a new interpreter takes a third of a second. The threads of
    this process then have no locks that another needs: that computes, writes files of its own, and
    ends by a signal. Elsewhere than on Linux the system's own libraries do not bear it.
    """
    chosen = multiprocessing.get_start_method(allow_none=True)
    return multiprocessing.get_context(chosen or ("fork" if sys.platform == "linux" else None))


def forks() -> bool:
    """Return whether this process may make copies of itself."""
    is_allowed = not multiprocessing.current_process().daemon
    return is_allowed and context().get_start_method() == "fork"


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let signals wait for the end of the block; what is started in it sees none.

    What they raise would be lost in what Python calls around a fork. A mask holds them for this
    thread and for what it starts, but the system may give them to another thread of this process:
    so what Python does about them waits as well.
    """
    with _handlers_held():
        if sys.platform == "win32":
            yield
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def safe_path() -> Iterator[None]:
    """Keep processes that are started meanwhile from importing what lies in the current folder.

    ``multiprocessing`` starts a new interpreter by ``python -c``, which looks there first.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_SAFE_PATH, None)
        else:
            os.environ[_SAFE_PATH] = before


def hear_the_end() -> None:
    """Let this process, started while signals were held, be ended by them; but for Ctrl-C."""
    to_hear = set(_SIGNALS) - {signal.SIGINT}
    for number in to_hear:
        if signal.getsignal(number) is not signal.SIG_IGN or number == signal.SIGTERM:
            signal.signal(number, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, to_hear)


@contextmanager
def _handlers_held() -> Iterator[None]:
    """Call handlers of signals only after the block; they run in the main thread alone."""
    if current_thread() is not main_thread():
        yield
        return
    heard: list[int] = []
    held = {number: signal.getsignal(number) for number in _SIGNALS}
    held = {number: handler for number, handler in held.items() if callable(handler)}
    for number in held:
        signal.signal(number, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
        for number in heard:
            signal.raise_signal(number)


def processes_for(options: Options) -> int:
    """Tell how many processes a run may have, this one among them."""
    return (options.jobs or processors()) if options.uses_workers else 1


def processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
