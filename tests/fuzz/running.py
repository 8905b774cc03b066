"""Runs a target under the fuzzer, in a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import NoReturn, Protocol

from tests.posix import ITIMER_PROF, SIGPROF, setitimer

TARGETS = ("archives", "batches", "frontends", "layouts", "lexers", "reading")

# No input of up to so many bytes may need more seconds of computing, slow as instrumented code is.
_LONGEST = 1 << 16
_MOST_SECONDS = 5.0


class LongInputError(BaseException):
    """An input takes too long; no code under test catches this."""


class Target(Protocol):
    """A module with code to be fuzzed."""

    def seeds(self) -> Iterator[bytes]:
        """Yield inputs to begin with."""

    def TestOneInput(self, data: bytes) -> None:  # noqa: N802 - as libFuzzer calls it
        """Run the code with an input; whatever is raised is a finding."""


def target_of(name: str) -> Target:
    """Return a target by its name."""
    module: Target = import_module(f"tests.fuzz.{name}")
    return module


def fuzz(name: str, arguments: Sequence[str]) -> int:
    """Fuzz a target and give the exit code.

    Args:
        name: One of ``TARGETS``.
        arguments: Options of libFuzzer, such as ``-runs=1000``, and folders of inputs; what is
            found to be new is written to the first.
    """
    with TemporaryDirectory() as place:
        seeds, temporary = Path(place, "seeds"), Path(place, "temporary")
        seeds.mkdir()
        temporary.mkdir()
        for seed in target_of(name).seeds():
            (seeds / sha256(seed).hexdigest()).write_bytes(seed)
        options = [f"-max_len={_LONGEST}", *arguments]
        return subprocess.run(
            [sys.executable, "-m", "tests.fuzz", name, *options, str(seeds)],
            check=False,
            env={**os.environ, "PYTHONHASHSEED": "0", "TMPDIR": str(temporary)},
        ).returncode


@contextmanager
def time_limit() -> Iterator[None]:
    """Interrupt what computes for too long.

    Raises:
        LongInputError: In the middle of what takes the time.
    """
    before = signal.signal(SIGPROF, _stop)
    setitimer(ITIMER_PROF, _MOST_SECONDS)
    try:
        yield
    finally:
        setitimer(ITIMER_PROF, 0)
        signal.signal(SIGPROF, before)


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    msg = f"more than {_MOST_SECONDS:g} seconds for one input"
    raise LongInputError(msg)
