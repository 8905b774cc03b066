"""What a reader sees of an experiment: tables and plots, as text, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from mosslite.display import cell

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["Cell", "Plot", "Series", "Sheet", "Table", "shown", "to_csv", "to_json"]

Cell = str | int | float | bool | None

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings.

    Attributes:
        note: What a reader must know to read them.
        words: How many columns hold words, the first ones; the others hold numbers.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    words: int = 1


@dataclass(frozen=True, slots=True)
class Series:
    """Points ``(x, y)`` of one colour.

    Attributes:
        is_line: The points are joined.
        has_dots: The points are shown.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    is_line: bool = True
    has_dots: bool = True


@dataclass(frozen=True, slots=True)
class Plot:
    """Series over the same axes; on a logarithmic one, points at or below 0 are left out."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    is_x_log: bool = False
    is_y_log: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """One experiment: its name on the command line, what it was run on, and what came out."""

    name: str
    title: str
    tables: tuple[Table, ...]
    plots: tuple[Plot, ...] = ()


def shown(cell: Cell) -> str:
    """Write a value for a reader."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return _shown_float(cell)
    return cell


def to_json(name: str, result: DataclassInstance) -> str:
    """Write a result as JSON; what is not a number is null."""
    head = {"format": _FORMAT, "experiment": name}
    content = {key: _json(value) for key, value in (head | asdict(result)).items()}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def to_csv(sheet: Sheet) -> str:
    """Write tables as CSV with all digits; each has its title in a row of its own."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([f"mosslite lab {sheet.name}"])
    for table in sheet.tables:
        writer.writerow([])
        writer.writerow([cell(table.title)])
        writer.writerow(table.headings)
        writer.writerows(map(_safe, row) for row in table.rows)
    return text.getvalue()


def _shown_float(value: float) -> str:
    size = abs(value)
    if not value or 1e-3 <= size < 1:
        return f"{value:.6f}"
    if 1 <= size < 1e6:
        return f"{value:,.2f}"
    return f"{value:.3g}"


def _safe(value: Cell) -> Cell:
    return cell(value) if isinstance(value, str) else value


def _json(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_json(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
