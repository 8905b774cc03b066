"""Command lines over two copies: what they print, and runs of them in processes of their own."""

import os
import subprocess
import sys

from tests.conftest import Outcome

SUMMARY = """\
2 submissions, one per file given

left  right  score   left  right  tokens  lines  longest
a.py  b.py   1.000  100 %  100 %      89     12       89

Too few submissions to suggest a threshold: start at the top of the list (groups contain pairs \
with a score of 0.50 or higher).
2 submissions compared, 0 skipped, 1 pair shares code; similarity is evidence, not a verdict
"""
BOTH = ("a.py", "b.py", "--no-html")

# Unbuffered streams have less to go wrong with, and some machines set them for all of Python.
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def refusal(message: str) -> Outcome:
    return Outcome(2, "", f"mosslite: {message}\n")


def subprocess_run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "mosslite", *arguments]
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        command, check=False, text=True, encoding="utf-8", timeout=60, env=BUFFERED, **options
    )
