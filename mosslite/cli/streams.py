"""Standard output and error, which may be closed, full, or read by one who leaves early."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING

from mosslite.errors import OutputError, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

__all__ = [
    "ExitCode",
    "prepare_streams",
    "writing_to",
]


class ExitCode(IntEnum):
    """What the process tells its caller.

    Something is found that fails a job too where a limit has kept it from being compared.
    """

    DONE = 0
    FOUND = 1
    WRONG_USE = 2


def prepare_streams() -> None:
    """Make sure that both can be written to, whatever the characters."""
    if sys.__stdout__ is None:
        sys.stdout = _nowhere()
    if sys.__stderr__ is None:
        sys.stderr = _nowhere()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


@contextmanager
def writing_to(stream: TextIO) -> Iterator[None]:
    """Write all of it, unless nobody reads on: that is no error, as in ``mosslite ... | head``.

    Raises:
        OutputError: The operating system refuses for another reason.
    """
    try:
        yield
        stream.flush()
    except BrokenPipeError:
        _leave(stream)
    except OSError as error:
        _leave(stream)
        name = "standard error" if stream is sys.stderr else "standard output"
        msg = f"cannot write to {name}: {reason_of(error)}"
        raise OutputError(msg) from error


def _leave(stream: TextIO) -> None:
    """Let what is still to be written go nowhere; Python would complain about it on leaving."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - it stays open
