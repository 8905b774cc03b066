"""Runs in processes of their own, which hear Ctrl-C."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# The line is printed when the interpreter is there and nothing is imported yet. A process in the
# background of a shell is born deaf to SIGINT, and one behind nohup to SIGHUP; this one shall hear.
PROGRAM = """
import signal
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
from mosslite.cli import main
print("begun", flush=True)
main()
"""


@contextmanager
def started(folder: Path, program: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start a run in a session of its own, and go on when it has begun."""
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            assert line_of(process) == "begun\n"
            yield process
        finally:
            process.kill()


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()
