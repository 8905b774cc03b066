"""Whole programs behind a valid literal that a careless lexer reads to the end of the file.

Each program of ``tests/trapped`` is named like a file of its language, and is the cover of none.
What is written before and after it, of which the whole is valid, is in ``tests/tables/traps.txt``.
"""

from pathlib import Path
from typing import Final, NamedTuple

from tests.tables import rows_of, texts_of


class Trap(NamedTuple):
    """What is written before and after a program, of which the whole is valid."""

    file: str
    before: str
    after: str


_FOLDER: Final = Path(__file__).with_name("trapped")
PROGRAMS: Final = {path.stem: path.read_text("utf-8") for path in sorted(_FOLDER.glob("*.txt"))}
PROGRAMS["a.cpp"] = PROGRAMS["a.c"]
PROGRAMS["a.ts"] = PROGRAMS["a.js"]
TRAPS: Final = [Trap(file, *row) for file in texts_of("traps") for row in rows_of("traps", file)]
