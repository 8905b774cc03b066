"""Fuzzes a target in this process; see ``running`` for what to start."""

import signal
import sys
from importlib import import_module
from importlib.util import find_spec

from tests.fuzz.running import target_of, time_limit
from tests.posix import ITIMER_REAL, SIGALRM, setitimer


def main(name: str, *arguments: str) -> None:
    """Fuzz a target, whose modules must not have been imported: they are changed as they are."""
    atheris = import_module("atheris")
    with atheris.instrument_imports(include=["mosslite", "py7zr"]):
        target = target_of(name)
        if find_spec("py7zr"):  # imported when there is something for it to read
            import_module("py7zr")

    def run(data: bytes) -> None:
        # The fuzzer's alarm clock is that of the front-ends, who stop lexers by it.
        setitimer(ITIMER_REAL, 0)
        signal.signal(SIGALRM, signal.SIG_DFL)
        with time_limit():
            target.TestOneInput(data)

    atheris.Setup([name, *arguments], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
