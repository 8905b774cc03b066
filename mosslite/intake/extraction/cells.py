"""Tells the languages of a code cell, and the code in it from what only IPython understands."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from mosslite.intake.extraction.names import PROSE, known_language, language_of_file
from mosslite.intake.extraction.passages import Passage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.intake.extraction.notebook import Cell

__all__ = ["cell_passages", "is_prose_cell"]

# Only Python's kernel has magics; where other languages write ``%`` or ``!``, they mean it.
_WITH_MAGICS: Final = "python"

_CELL_MAGIC: Final = re.compile(r"\s*+%%(!|[^\s%]*+)[ \t]*+([^\r\n]*+)(?:\r\n|[\r\n])?")
_OF_A_FILE: Final = frozenset({"file", "writefile"})
_OF_A_SHELL: Final = frozenset({"!", "sh", "sx", "system"})

# Where a statement begins: a magic, a shell line, help before or after a name, and what is
# assigned from a magic or a shell line.
_LINE_MAGIC: Final = re.compile(
    r"""[ \t]*+(?:[%!?] | [\w.*]++\?{1,2}[ \t]*+(?=[\r\n]|\Z)
                   | ([\w.,* \t]++=)[ \t]*+[%!])""",
    re.VERBOSE,
)
_SIGN_OF_MAGIC: Final = re.compile(r"[%!?]")
_LINE: Final = re.compile(r"(?:[^\\\r\n]++|\\(?:\r\n|[\r\n])?)*+(?:\r\n|[\r\n])?")

# Python as far as one must know it to tell where a statement begins.
_PIECE: Final = re.compile(
    r"""
    (?P<text> \"{3}[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:\"{3}|\Z)
            | \'{3}[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+(?:\'{3}|\Z)
            | "(?:[^"\\\r\n]++|\\(?:\r\n|.)?)*+"?
            | '(?:[^'\\\r\n]++|\\(?:\r\n|.)?)*+'?
            | \#[^\r\n]*+
            | \\(?:\r\n|[\r\n])?
            | [^"'#\\\r\n()\[\]{}]++ )
    | (?P<open> [(\[{] ) | (?P<close> [)\]}] ) | (?P<end> \r\n|[\r\n] )
    """,
    re.VERBOSE | re.DOTALL,
)


def is_prose_cell(cell: Cell, language: str) -> bool:
    """Return whether a cell is read by people: by its type or a magic such as ``%%markdown``."""
    return not cell.is_code or _after_magics(cell.source, language)[1] == PROSE


def cell_passages(cell: Cell, language: str) -> list[Passage]:
    """Return what of a cell is compared, by its language.

    A magic that begins the cell tells its language, or leaves it as it is; lines for IPython or
    the shell are left out with what continues them.

    Args:
        cell: Of any type; one that is no code is prose as a whole.
        language: What the notebook's kernel runs.
    """
    source = cell.source
    start, language = _after_magics(source, language) if cell.is_code else (0, PROSE)
    if language == _WITH_MAGICS and _SIGN_OF_MAGIC.search(source, start):
        return list(_without_magics(source, start))
    return [Passage(start, len(source), language)]


def _after_magics(source: str, language: str) -> tuple[int, str]:
    """Return where the cell's own lines start, and their language."""
    start, own = 0, language
    while own == _WITH_MAGICS and (found := _CELL_MAGIC.match(source, start)):
        start = found.end()
        own = _language_of_magic(found[1].lower(), found[2].split(), language)
    return start, own


def _language_of_magic(name: str, arguments: list[str], language: str) -> str:
    if name in _OF_A_SHELL:
        return "bash"
    if name == "script":
        named = (known_language(PurePosixPath(each).name) for each in arguments)
        return next(filter(None, named), language)
    if name in _OF_A_FILE:
        return language_of_file(("", *arguments)[-1]) or language
    # A magic of another name says how the cell is run: how long that takes, or where.
    return known_language(name) or language


def _without_magics(source: str, start: int) -> Iterator[Passage]:
    """Yield what is left of Python without the lines that are IPython's."""
    depth, place, is_statement = 0, start, True
    while piece := _PIECE.match(source, place):
        magic = _LINE_MAGIC.match(source, place) if is_statement and not depth else None
        if magic:
            # Of an assignment the name stays.
            stop = magic.end(1) if magic[1] else place
            if start < stop:
                yield Passage(start, stop, _WITH_MAGICS)
            start = place = _end_of(_LINE, source, place)
            continue
        depth = max(0, depth + (piece.lastgroup == "open") - (piece.lastgroup == "close"))
        is_statement = piece.lastgroup == "end"
        place = piece.end()
    yield Passage(start, place, _WITH_MAGICS)


def _end_of(pattern: re.Pattern[str], source: str, place: int) -> int:
    found = pattern.match(source, place)
    return found.end() if found else place
