"""Pairs that somebody looked at: a CSV file of which are copies and which are honest."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.errors import InputError
from mosslite.lab.reading import reading
from mosslite.submissions.paths import shown_name

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Pair", "pairs_in"]

_COLUMNS: Final = ("a", "b", "label")
_MEANINGS: Final = {
    **dict.fromkeys(("1", "yes", "true"), True),
    **dict.fromkeys(("0", "no", "false"), False),
}


class Pair(NamedTuple):
    """Two programs by their paths, and what was found when they were looked at."""

    left: str
    right: str
    is_copy: bool


class _Row(NamedTuple):
    """A line of the file; ``where`` is for messages."""

    where: str
    cells: Mapping[str, str]


def pairs_in(labels: str) -> list[Pair]:
    """Read a CSV file with columns a, b and label; a pair that is there twice is given once.

    Raises:
        InputError: The file cannot be read, lacks a column, holds no pair, or has a line that
            means nothing, pairs a program with itself, or contradicts an earlier line.
    """
    pairs: dict[frozenset[str], Pair] = {}
    for row in _rows(labels):
        pair = _pair(row)
        first = pairs.setdefault(frozenset(pair[:2]), pair)
        if first.is_copy is not pair.is_copy:
            msg = (
                f"{row.where} contradicts an earlier one: "
                f"{pair.left!r} and {pair.right!r} are either a copy or honest"
            )
            raise InputError(msg)
    if not pairs:
        msg = f"{shown_name(labels)!r} holds no pairs: it needs a line for each below a,b,label"
        raise InputError(msg)
    return list(pairs.values())


def _rows(labels: str) -> list[_Row]:
    shown = shown_name(labels)
    try:
        # Spreadsheets put a mark before their UTF-8.
        with reading(labels), Path(labels).open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            header = [cell.strip() for cell in next(reader, [])]
            found = [
                _Row(f"line {reader.line_num} of {shown!r}", dict(zip(header, cells, strict=False)))
                for cells in reader
                if any(cell.strip() for cell in cells)
            ]
    except (UnicodeDecodeError, csv.Error) as error:
        msg = f"{shown!r} cannot be read as CSV"
        raise InputError(msg) from error
    for column in _COLUMNS:
        if column not in header:
            msg = f"{shown!r} has no column {column!r}: it needs a, b and label"
            raise InputError(msg)
    return found


def _pair(row: _Row) -> Pair:
    left, right = _program(row, "a"), _program(row, "b")
    if left == right:
        msg = f"{row.where} pairs {left!r} with itself: a pair is two programs"
        raise InputError(msg)
    label = row.cells.get("label", "").strip()
    if label.lower() not in _MEANINGS:
        msg = (
            f"{row.where} has the label {label!r}: "
            "1, yes or true is a copy, and 0, no or false is honest"
        )
        raise InputError(msg)
    return Pair(left, right, _MEANINGS[label.lower()])


def _program(row: _Row, column: str) -> str:
    path = row.cells.get(column, "").strip()
    if not path:
        msg = f"{row.where} has nothing in column {column!r}: it needs the path of a program"
        raise InputError(msg)
    return os.path.normpath(path)
