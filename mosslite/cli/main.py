"""The entry point, where Ctrl-C stops a run at any time, with one message and a clean-up."""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Event, Lock, Thread, Timer, get_ident

TYPE_CHECKING = False  # slow to import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from sys import UnraisableHookArgs
    from types import FrameType
    from typing import NoReturn

# Ctrl-C, and other signals that request an end: from a service, a time limit, a closed terminal.
_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)

# Seconds that Python has to handle a signal, and then to clean up.
_TO_HEAR = 0.7
_TO_CLEAN_UP = 20.0

# Seconds after which an interrupt that was dropped is raised again.
_SOON = 0.01

# Exit codes for signals start here.
_FIRST_CODE = 128


class Interruption(BaseException):
    """The user interrupted the run; click handles ``KeyboardInterrupt`` in its own way.

    Attributes:
        code: Exit code that shells report for a process ended by the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = _FIRST_CODE + number


@contextmanager
def listening() -> Iterator[None]:
    """Raise ``Interruption`` on the first signal; the clean-up is not interrupted again.

    Python handles signals between its own steps, which may take long for large arrays. A thread is
    notified of Ctrl-C immediately, and ends the process if necessary. Signals ignored by the
    parent process, as with nohup, stay ignored.
    """
    # Not an event: a second signal would block forever while the first one sets it.
    heard, is_left, listener = Lock(), Event(), os.getpid()
    heard.acquire()

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if os.getpid() != listener:  # in a forked process that has not finished starting
            os._exit(_FIRST_CODE + number)
        with suppress(RuntimeError):  # already released by an earlier signal
            heard.release()
        if not _is_cleaning_up():
            raise Interruption(number)

    usual = {signal.SIG_DFL, signal.default_int_handler}
    for number in [each for each in _SIGNALS if signal.getsignal(each) in usual]:
        signal.signal(number, interrupt)
    with _raised_again(), _watched(heard, is_left):
        yield


def ignore_interrupts() -> None:
    """Ignore Ctrl-C from now on, as nothing is left to be stopped or cleaned up."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def tell() -> None:
    """Print that the run was interrupted, on a line after the terminal's ^C."""
    with suppress(OSError):
        os.write(2, b"\nmosslite: interrupted, nothing more is written\n")


def _is_cleaning_up() -> bool:
    """Return whether the running code is cleaning up after an interrupt."""
    error = sys.exception()
    while error is not None and not isinstance(error, Interruption):
        error = error.__context__
    return error is not None


@contextmanager
def _raised_again() -> Iterator[None]:
    """Raise an interrupt again if Python drops it, as callbacks cannot propagate exceptions."""
    usual = sys.unraisablehook

    def hook(dropped: UnraisableHookArgs) -> None:
        if not isinstance(dropped.exc_value, Interruption):
            usual(dropped)
            return
        again = Timer(_SOON, _send_to, (get_ident(), *dropped.exc_value.args))
        again.daemon = True
        again.start()

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = usual


def _send_to(thread: int, number: int) -> None:
    """Send a signal to a thread, which interrupts its system call."""
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        signal.pthread_kill(thread, number)


@contextmanager
def _watched(heard: Lock, is_left: Event) -> Iterator[None]:
    if sys.platform == "win32":  # where signals only wake up sockets
        yield
    else:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        Thread(target=_watch, args=(reader, heard, is_left), daemon=True).start()
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            is_left.set()
            os.close(writer)


def _watch(reader: int, heard: Lock, is_left: Event) -> None:
    """Wait for an interrupt or the end; after an interrupt, end the process if it hangs."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # reserved for the main thread
    received = os.read(reader, 1)
    while received and received[0] != signal.SIGINT:
        received = os.read(reader, 1)
    if received and not (heard.acquire(timeout=_TO_HEAR) and is_left.wait(_TO_CLEAN_UP)):
        _leave_at_once()
    os.close(reader)


def _leave_at_once() -> None:
    multiprocessing = sys.modules.get("multiprocessing")
    for worker in multiprocessing.active_children() if multiprocessing else ():
        worker.kill()
    tell()
    os._exit(_FIRST_CODE + signal.SIGINT)


# Garbage collection threshold, as a run creates few cycles.
_OBJECTS = 200_000


def main() -> NoReturn:
    """Run the command line and exit with its exit code."""
    gc.set_threshold(_OBJECTS)
    # NumPy would start threads for products of large matrices, which do not occur.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # New Python processes would search the current folder, among students' files, for modules.
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        with listening():
            code = int(import_module("mosslite.cli.commands").run())
    except Interruption as interruption:
        ignore_interrupts()
        tell()
        code = interruption.code
    ignore_interrupts()  # only the exit is left
    gc.freeze()  # skip garbage collection at exit
    sys.exit(code)
