"""What a command takes, by the operating system's own accounting."""

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from typing import NamedTuple

from tests.posix import wait4


class Spent(NamedTuple):
    """What a command took.

    Attributes:
        seconds: From its start to its end.
        cpu: Seconds that it and its children computed.
        megabytes: The most that one of these processes held, or this one when it started them.
    """

    seconds: float
    cpu: float
    megabytes: float


def spent(
    command: Sequence[str], *, folder: Path | None = None, expected: frozenset[int] = frozenset({0})
) -> Spent:
    """Run a command, whose output nobody sees.

    Raises:
        RuntimeError: It did not exit as expected.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in expected:
        msg = f"{shorten(' '.join(command), 200)} exited with {process.returncode}"
        raise RuntimeError(msg)
    return Spent(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
