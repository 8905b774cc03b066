"""The way in: it can be interrupted from its first moment, and imports the rest after that."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module

from mosslite.cli.interrupts import Interruption, ignore_interrupts, listening, tell

TYPE_CHECKING = False  # the module that has it takes its time
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main"]

# New objects after which to look for garbage, of which a run makes little.
_OBJECTS = 200_000


def main() -> NoReturn:
    """Run the command line and leave the process with its exit code."""
    gc.set_threshold(_OBJECTS)
    # NumPy would start threads for products of large matrices, of which there are none.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # New processes of Python would look for modules in the current folder, among students' files.
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        with listening():
            code = int(import_module("mosslite.cli.commands").run())
    except Interruption as interruption:
        ignore_interrupts()
        tell()
        code = interruption.code
    ignore_interrupts()  # what is left is to leave
    gc.freeze()  # and what is held goes with the process, unsearched
    sys.exit(code)
