"""Reads the JSON of a Jupyter notebook: its cells and its language."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.intake.entries import NotReadError
from mosslite.intake.extraction.names import program_language

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Cell", "Notebook", "read_notebook"]

_DEFAULT_LANGUAGE: Final = "python"

# Where the metadata name the language, the surest first.
_LANGUAGE_PLACES: Final = (
    ("kernelspec", "language"),
    ("language_info", "name"),
    ("language_info", "pygments_lexer"),
    ("kernelspec", "name"),
)

# Bytes that Python takes at the most for what begins with each of these signs of JSON, and in all:
# a list, an object, half of a string, a place in a list. Numbers are not kept.
_ROOM: Final = {"[": 88, "{": 232, '"': 32, ",": 8}
_MOST_ROOM: Final = 256 << 20

# What JSON can say and no text file holds: halves of characters, and NUL.
_NO_CHARACTER: Final = re.compile("[\0\ud800-\udfff]")


class Cell(NamedTuple):
    """A cell by its number, as a reader counts from 1, and its source."""

    number: int
    source: str
    is_code: bool


class Notebook(NamedTuple):
    """The cells of a notebook, and the canonical name of what its kernel runs."""

    cells: tuple[Cell, ...]
    language: str


def read_notebook(text: str) -> Notebook:
    """Read a notebook of any version from 2 on.

    Raises:
        NotReadError: It is no JSON, or its cells are not where and what they must be.
    """
    root = _parsed(text)
    cells = tuple(
        Cell(number, _source(cell, number), cell.get("cell_type") == "code")
        for number, cell in enumerate(_cells(root), 1)
    )
    return Notebook(cells, _language(root))


def _parsed(text: str) -> dict[str, object]:
    if sum(size * text.count(sign) for sign, size in _ROOM.items()) > _MOST_ROOM:
        msg = "is a notebook of too many values to read: clear its outputs"
        raise NotReadError(msg)
    try:
        root: object = json.loads(text, parse_int=_number, parse_float=_number)
    except json.JSONDecodeError as error:
        raise _invalid(f"{error.msg.lower()} at line {error.lineno}") from error
    except RecursionError as error:
        raise _invalid("it is nested too deeply") from error
    return _object(root, "it")


def _number(_digits: str) -> float:
    """Return a number, no matter which: no part of a notebook that is compared is one."""
    return 0.0


def _cells(root: dict[str, object]) -> Iterator[dict[str, object]]:
    """Yield the cells, which notebooks before version 4 keep on worksheets."""
    if "cells" not in root and "worksheets" not in root:
        reason = "it has no cells"
        raise _invalid(reason)
    sheets = [root] if "cells" in root else _list(root["worksheets"], "worksheets")
    number = 0
    for sheet in sheets:
        for cell in _list(_object(sheet, "a worksheet").get("cells", []), "cells"):
            number += 1
            yield _object(cell, f"cell {number}")


def _source(cell: dict[str, object], number: int) -> str:
    source = cell.get("source", cell.get("input", ""))
    lines = source if isinstance(source, list) else [source]
    texts = [line for line in lines if isinstance(line, str)]
    if len(texts) < len(lines):
        raise _invalid(f"the source of cell {number} is not text")
    return _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", "".join(texts))


def _language(root: dict[str, object]) -> str:
    """Return the first language that the metadata name and that programs are written in."""
    names = (_at(root, "metadata", *path) for path in _LANGUAGE_PLACES)
    languages = (program_language(name) for name in names if isinstance(name, str))
    return next(filter(None, languages), _DEFAULT_LANGUAGE)


def _at(value: object, *path: str) -> object:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _object(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _invalid(f"{what} is not an object")
    return value


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise _invalid(f"its {what} are no list")
    return value


def _invalid(reason: str) -> NotReadError:
    return NotReadError(f"is not a valid notebook: {reason}")
