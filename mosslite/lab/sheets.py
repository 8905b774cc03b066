"""Results of an experiment as tables and plots: for the terminal, as CSV, JSON, PNG and SVG."""

import io
import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

import msgspec

from mosslite.display import csv_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Cell = str | int | float | bool | None
Values = dict[str, Any]
"""Results by name, in the order of JSON: of an experiment, or of a row of its tables."""

_FORMAT = 1
DECIMALS = 6  # densities are compared with those that theory predicts


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
    decimals: int = DECIMALS


@dataclass(frozen=True, slots=True)
class Series:
    """Points ``(x, y)`` of one colour.

    Attributes:
        points: A text is a place of its own on its axis.
        style: Of matplotlib: ``-`` connects the points, ``.`` and ``o`` show them.
    """

    name: str
    points: tuple[tuple[float, float | str], ...]
    style: str = ".-"


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


def table_of(
    title: str,
    rows: Iterable[Values] | Mapping[str, Values],
    columns: str,
    note: str = "",
    decimals: int = DECIMALS,
) -> Table:
    """Return a table of some rows, with their names in front if they have any.

    Args:
        title: Title of the table.
        rows: The rows, or rows by name.
        columns: Names of their values, separated by blanks; ``a.b`` is a value of a value, empty if
            that is None. Headings are the last names, or as in ``slope:line.incline``.
        note: Explanation for the reader.
        decimals: Number of decimals of values up to 1.
    """
    pairs = [column.rpartition(":") for column in columns.split()]
    names = [name for _, _, name in pairs]
    headings = tuple((head or name.split(".")[-1]).replace("_", " ") for head, _, name in pairs)
    if isinstance(rows, Mapping):
        cells = [(name, *_values(row, names)) for name, row in rows.items()]
        headings = ("", *headings)
    else:
        cells = [_values(row, names) for row in rows]
    words = max([1, *(sum(isinstance(each, str) for each in row) for row in cells[:1])])
    return Table(title, headings, tuple(cells), note, words, decimals)


def _values(row: Values, names: Iterable[str]) -> tuple[Any, ...]:
    return tuple(
        reduce(lambda value, part: value and value[part], name.split("."), row) for name in names
    )


def pivoted(
    rows: Iterable[Values], row: str, column: str, value: str
) -> tuple[tuple[Any, ...], tuple[tuple[Any, ...], ...]]:
    """Arrange a value of rows by two others; return columns, and rows with their names."""
    found = {(each[row], each[column]): each[value] for each in rows}
    names, columns = (tuple(dict.fromkeys(key[side] for key in found)) for side in (0, 1))
    return columns, tuple((name, *(found[name, each] for each in columns)) for name in names)


def series_by(
    rows: Iterable[Values], name: str, x: str, y: str, label: str = "{}"
) -> tuple[Series, ...]:
    """Return a series of the values x and y for each value of another name."""
    points: dict[object, list[tuple[float, float | str]]] = {}
    for row in rows:
        key, *point = _values(row, (name, x, y))
        points.setdefault(key, []).append((point[0], point[1]))
    return tuple(Series(label.format(each), tuple(some)) for each, some in points.items())


def shown(cell: Cell, decimals: int = DECIMALS) -> str:
    """Format a value for display; values up to 1 with these decimals."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, str):
        return cell
    size = abs(cell)
    if not cell or 1e-3 <= size <= 1:
        return f"{cell:.{decimals}f}"
    return f"{cell:,.2f}" if 1 <= size < 1e6 else f"{cell:.3g}"


def to_json(name: str, result: Values) -> str:
    """Return a result as JSON; NaN and infinity become null."""
    content = {"format": _FORMAT, "experiment": name, **result}
    return msgspec.json.format(msgspec.json.encode(content), indent=1).decode() + "\n"


def to_csv(sheet: Sheet) -> str:
    """Return tables as CSV in full precision; each table's title is a row of its own."""
    rows: list[Sequence[Cell]] = [[f"mosslite lab {sheet.name}"]]
    for table in sheet.tables:
        rows += [[], [table.title], table.headings, *table.rows]
    return csv_text(rows)


# Pictures

_WIDTH, _HEIGHT = 7.5, 4.8  # inches of each plot
_COLUMNS: Final = 2
# What tells the time or the version.
_UNTOLD: Final = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}


def picture_of(sheet: Sheet, kind: str) -> bytes:
    """Draw all plots of an experiment, at least one, as ``png`` or ``svg``: each time the same."""
    import matplotlib as mpl  # noqa: PLC0415 - an optional extra
    from matplotlib.figure import Figure  # noqa: PLC0415 - likewise

    columns = min(len(sheet.plots), _COLUMNS)
    rows = math.ceil(len(sheet.plots) / columns)
    content = io.BytesIO()
    # Ids in SVG are made from the salt instead of by chance.
    with mpl.rc_context({"svg.hashsalt": "mosslite"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # a letter that no font has
        figure = Figure((_WIDTH * columns, _HEIGHT * rows), layout="constrained")
        title = _plain(f"mosslite lab {sheet.name}: {sheet.title}")
        figure.suptitle(title, wrap=True, parse_math=False)
        for number, plot in enumerate(sheet.plots, 1):
            _draw(plot, figure.add_subplot(rows, columns, number))
        figure.savefig(content, format=kind, metadata=_UNTOLD[kind])
    return content.getvalue()


def _draw(plot: Plot, axes: "Axes") -> None:
    axes.set_title(_plain(plot.title), parse_math=False)
    axes.set_xlabel(plot.x_label)
    axes.set_ylabel(plot.y_label)
    if plot.is_x_log:
        axes.set_xscale("log", nonpositive="mask")
    if plot.is_y_log:
        axes.set_yscale("log", nonpositive="mask")
    for series in plot.series:
        # With a blank in front, names that begin with a line are shown, too.
        label = f" {_plain(series.name)}"
        axes.plot(*zip(*series.points, strict=True), series.style, label=label)
    axes.grid(alpha=0.4)
    if plot.series:
        for text in axes.legend(fontsize="small").get_texts():
            text.set_parse_math(False)  # a name of a file is no formula


def _plain(text: str) -> str:
    """Replace what is not printable, as it could stand in the name of a file."""
    return "".join(each if each.isprintable() else "?" for each in text)
