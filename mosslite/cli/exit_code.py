"""The exit codes of the command line."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ExitCode"]


class ExitCode(IntEnum):
    """What the process tells its caller.

    Something is found that fails a job too where a limit has kept it from being compared.
    """

    DONE = 0
    FOUND = 1
    WRONG_USE = 2
