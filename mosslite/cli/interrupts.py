"""Ctrl-C: whatever this process is doing, it stops soon, cleans up first and says so once."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress
from threading import Event, Thread

from mosslite.cli.exit_code import ExitCode

TYPE_CHECKING = False  # the module that has it takes its time
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

__all__ = ["Interruption", "ignore_interrupts", "listening", "tell"]

# Seconds in which Python has to come back from whatever it computes, and then to clean up.
_TO_HEAR = 0.7
_TO_CLEAN_UP = 20.0


class Interruption(BaseException):
    """The user wants no more of it; click has a mind of its own about ``KeyboardInterrupt``."""


@contextmanager
def listening() -> Iterator[None]:
    """Let an interrupt raise ``Interruption``, once; what cleans up after it is left alone.

    Python hears of a signal between two of its own steps, which may be long when arrays are
    large. The system's handler tells a thread at once, and this ends the process if need be.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # whoever started this process wants it to be deaf
        return
    is_heard, is_left = Event(), Event()

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        is_heard.set()
        if not _is_cleaning_up():
            raise Interruption

    signal.signal(signal.SIGINT, interrupt)
    with _watched(is_heard, is_left):
        yield


def ignore_interrupts() -> None:
    """Be deaf from now on, for there is nothing left to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def tell() -> None:
    """Say that the run was interrupted, behind what a terminal shows for Ctrl-C."""
    with suppress(OSError):
        os.write(2, b"\nmosslite: interrupted, nothing more is written\n")


def _is_cleaning_up() -> bool:
    """Tell whether what runs now does so because of an interrupt."""
    error = sys.exception()
    while error is not None and not isinstance(error, Interruption):
        error = error.__context__
    return error is not None


@contextmanager
def _watched(is_heard: Event, is_left: Event) -> Iterator[None]:
    if sys.platform == "win32":  # where only sockets can be told
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    Thread(target=_watch, args=(reader, is_heard, is_left), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        is_left.set()
        os.close(writer)


def _watch(reader: int, is_heard: Event, is_left: Event) -> None:
    """Wait for an interrupt or the end, and see to it that the one leads to the other."""
    told = os.read(reader, 1)
    while told and told[0] != signal.SIGINT:
        told = os.read(reader, 1)
    if told and not (is_heard.wait(_TO_HEAR) and is_left.wait(_TO_CLEAN_UP)):
        _leave_at_once()
    os.close(reader)


def _leave_at_once() -> None:
    multiprocessing = sys.modules.get("multiprocessing")
    for worker in multiprocessing.active_children() if multiprocessing else ():
        worker.kill()
    tell()
    os._exit(ExitCode.INTERRUPTED)
