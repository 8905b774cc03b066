"""The entry point, where Ctrl-C stops a run with one message and a clean-up."""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import contextmanager, suppress
from importlib import import_module
from time import monotonic

TYPE_CHECKING = False  # slow to import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import NoReturn

# Ctrl-C, and other signals that request an end: from a service, a time limit, a closed terminal.
_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)

# Seconds after which another signal ends a clean-up.
_TO_CLEAN_UP = 5.0

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
    """Raise ``Interruption`` on a signal; a clean-up is not interrupted for some seconds.

    Signals ignored by the parent process, as with nohup, stay ignored.
    """
    listener, heard = os.getpid(), [0.0]

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if os.getpid() != listener:  # in a forked process that has not finished starting
            os._exit(_FIRST_CODE + number)
        if not _is_cleaning_up():
            heard[0] = monotonic()
            raise Interruption(number)
        if monotonic() - heard[0] > _TO_CLEAN_UP:
            _leave_at_once(number)

    usual = {signal.SIG_DFL, signal.default_int_handler}
    for number in _SIGNALS:
        if signal.getsignal(number) in usual:
            signal.signal(number, interrupt)
    yield


def _is_cleaning_up() -> bool:
    """Return whether the running code is cleaning up after an interrupt."""
    error = sys.exception()
    while error is not None and not isinstance(error, Interruption):
        error = error.__context__
    return error is not None


def _leave_at_once(number: int) -> None:
    multiprocessing = sys.modules.get("multiprocessing")
    for worker in multiprocessing.active_children() if multiprocessing else ():
        worker.kill()
    _say_so()
    os._exit(_FIRST_CODE + number)


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C from now on, as nothing is left to be stopped or cleaned up."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _say_so() -> None:
    """Print that the run was interrupted, on a line after the terminal's ^C."""
    with suppress(OSError):
        os.write(2, b"\nmosslite: interrupted, nothing more is written\n")


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
        _ignore_interrupts()
        _say_so()
        code = interruption.code
    _ignore_interrupts()  # only the exit is left
    gc.freeze()  # skip garbage collection at exit
    sys.exit(code)
