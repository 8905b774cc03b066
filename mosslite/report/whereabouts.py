"""Where lines of a file stand: in the file, or in the part of it that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mosslite.records import SourceFile

__all__ = ["place_in_part", "whereabouts"]


def whereabouts(file: SourceFile, first_line: int, last_line: int) -> str:
    """Write lines as ``12-15``, and in a file of parts as ``cell 3, lines 2-5``."""
    if not file.parts:
        return _joined(str(first_line), str(last_line), "-")
    first, last = place_in_part(file, first_line), place_in_part(file, last_line)
    (part, _, start), (last_part, _, stop) = first.rpartition(" "), last.rpartition(" ")
    if part == last_part and start != stop:
        return f"{part}s {start}-{stop}"
    return _joined(first, last, " to ")


def place_in_part(file: SourceFile, line: int) -> str:
    """Write a line as ``cell 3, line 2``, and one above all parts as ``line 2``."""
    return file.where(line) or f"line {line}"


def _joined(first: str, last: str, sign: str) -> str:
    return first if first == last else f"{first}{sign}{last}"
