"""Presentation of experiments: tables and plots, as text, CSV, JSON and HTML."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final

import jinja2

from mosslite.display import cell

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Cell = str | int | float | bool | None

_FORMAT = 1
_DECIMALS = 6  # densities are compared with those that theory predicts


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings.

    Attributes:
        note: Explanation for the reader.
        words: Number of leading columns with text; the others contain numbers.
        decimals: Number of decimals of values up to 1; larger ones have two.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    words: int = 1
    decimals: int = _DECIMALS


@dataclass(frozen=True, slots=True)
class Series:
    """Points ``(x, y)`` of one colour.

    Attributes:
        is_line: Connect the points.
        has_dots: Show the points.
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
    """One experiment: its name on the command line, its input, and its results.

    Attributes:
        advice: Conclusions, one line each.
    """

    name: str
    title: str
    tables: tuple[Table, ...]
    plots: tuple[Plot, ...] = ()
    advice: tuple[str, ...] = ()


def shown(cell: Cell, decimals: int = _DECIMALS) -> str:
    """Format a value for display; values up to 1 with these decimals."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return _shown_float(cell, decimals)
    return cell


def to_json(name: str, result: DataclassInstance) -> str:
    """Return a result as JSON; NaN and infinity become null."""
    head = {"format": _FORMAT, "experiment": name}
    content = {key: _json(value) for key, value in (head | asdict(result)).items()}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def to_csv(sheet: Sheet) -> str:
    """Return tables as CSV in full precision; each table's title is a row of its own."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([f"mosslite lab {sheet.name}"])
    for table in sheet.tables:
        writer.writerow([])
        writer.writerow([cell(table.title)])
        writer.writerow(table.headings)
        writer.writerows(map(_safe, row) for row in table.rows)
    return text.getvalue()


def _shown_float(value: float, decimals: int) -> str:
    size = abs(value)
    if not value or 1e-3 <= size <= 1:
        return f"{value:.{decimals}f}"
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


_WIDTH, _HEIGHT = 720.0, 420.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 84.0, 16.0, 16.0, 52.0
_COLOURS: Final = 9
_FEWEST_TICKS, _MOST_TICKS = 3, 7


@dataclass(frozen=True, slots=True)
class _Tick:
    """A mark on an axis, in pixels from the left or the top."""

    place: float
    label: str


@dataclass(frozen=True, slots=True)
class _Curve:
    """A series in pixels; ``path`` is the value of SVG's ``points``, empty without a line."""

    name: str
    colour: int
    path: str
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A plot in pixels; ``left``, ``right``, ``top`` and ``bottom`` are its frame."""

    title: str
    x_label: str
    y_label: str
    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[_Tick, ...]
    y_ticks: tuple[_Tick, ...]
    curves: tuple[_Curve, ...]


@dataclass(frozen=True, slots=True)
class _Axis:
    low: float
    high: float
    begin: float
    end: float
    is_log: bool

    def place(self, value: float) -> float:
        """Return the position of a value in pixels."""
        value = log10(value) if self.is_log else value
        share = (value - self.low) / (self.high - self.low)
        return round(self.begin + share * (self.end - self.begin), 2)

    @property
    def ticks(self) -> tuple[_Tick, ...]:
        """Return ticks at round numbers or powers of ten, with intermediate ones if few."""
        if self.is_log:
            powers = range(ceil(self.low), floor(self.high) + 1)
            if len(powers) < _FEWEST_TICKS:
                return self._ticks_between()
            step = max(ceil(len(powers) / _MOST_TICKS), 1)
            return tuple(_Tick(self.place(10.0**each), _power(each)) for each in powers[::step])
        step_size = _round_step(self.high - self.low)
        first, last = ceil(self.low / step_size - 1e-9), floor(self.high / step_size + 1e-9)
        values = [each * step_size for each in range(first, last + 1)]
        return tuple(_Tick(self.place(each), f"{each:,.6g}") for each in values)

    def _ticks_between(self) -> tuple[_Tick, ...]:
        powers = range(floor(self.low), floor(self.high) + 1)
        values = [times * 10.0**each for each in powers for times in (1, 2, 5)]
        visible = [each for each in values if self.low <= log10(each) <= self.high]
        return tuple(_Tick(self.place(each), f"{each:,.6g}") for each in visible)


def draw(plot: Plot) -> _Drawing:
    """Lay out a plot; points that a logarithmic axis cannot show are omitted."""
    visible = [(each, _visible(each, plot)) for each in plot.series]
    points = [point for _, some in visible for point in some] or [(1.0, 1.0)]
    x_axis = _axis([x for x, _ in points], _LEFT, _WIDTH - _RIGHT, is_log=plot.is_x_log)
    y_axis = _axis([y for _, y in points], _HEIGHT - _BOTTOM, _TOP, is_log=plot.is_y_log)
    curves = tuple(
        _curve(series, number, [(x_axis.place(x), y_axis.place(y)) for x, y in some])
        for number, (series, some) in enumerate(visible)
    )
    return _Drawing(
        title=plot.title,
        x_label=plot.x_label,
        y_label=plot.y_label,
        width=_WIDTH,
        height=_HEIGHT,
        left=_LEFT,
        right=_WIDTH - _RIGHT,
        top=_TOP,
        bottom=_HEIGHT - _BOTTOM,
        x_ticks=x_axis.ticks,
        y_ticks=y_axis.ticks,
        curves=curves,
    )


def _visible(series: Series, plot: Plot) -> list[tuple[float, float]]:
    return [
        (x, y)
        for x, y in series.points
        if (x > 0 or not plot.is_x_log) and (y > 0 or not plot.is_y_log)
    ]


def _axis(values: Sequence[float], begin: float, end: float, *, is_log: bool) -> _Axis:
    shown = [log10(value) for value in values] if is_log else list(values)
    low, high = min(shown), max(shown)
    margin = 0.04 * (high - low) or abs(high) * 0.1 or 1.0
    return _Axis(low - margin, high + margin, begin, end, is_log)


def _curve(series: Series, number: int, points: Sequence[tuple[float, float]]) -> _Curve:
    path = " ".join(f"{x},{y}" for x, y in points) if series.is_line else ""
    dots = tuple(dict.fromkeys(points)) if series.has_dots else ()
    return _Curve(series.name, number % _COLOURS, path, dots)


def _power(exponent: int) -> str:
    return f"{10**exponent:,}" if 0 <= exponent <= 6 else f"1e{exponent}"


def _round_step(span: float) -> float:
    """Return a step of 1, 2 or 5 times a power of ten that yields few ticks."""
    power: float = 10.0 ** floor(log10(span / _MOST_TICKS))
    return next(power * each for each in (1, 2, 5, 10) if span / (power * each) <= _MOST_TICKS)


def page_of(sheet: Sheet, pages: jinja2.Environment) -> str:
    """Return a self-contained HTML page.

    Args:
        sheet: What to show; all of it is escaped.
        pages: An environment with autoescape that finds ``lab.html``.
    """
    drawings = [draw(plot) for plot in sheet.plots]
    template = pages.get_template("lab.html")
    return template.render(sheet=sheet, drawings=drawings, shown=shown)
