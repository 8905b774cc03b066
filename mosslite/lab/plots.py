"""The plots of an experiment as a picture, PNG or SVG, by matplotlib: the same bytes each time."""

import io
import warnings
from math import ceil
from typing import Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mosslite.lab.sheets import Plot, Sheet

_WIDTH, _HEIGHT = 7.5, 4.8  # inches of each plot
_COLUMNS: Final = 2
# What tells the time or the version.
_UNTOLD: Final = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}


def picture_of(sheet: Sheet, kind: str) -> bytes:
    """Draw all plots of an experiment, of which there is at least one, as ``png`` or ``svg``."""
    columns = min(len(sheet.plots), _COLUMNS)
    rows = ceil(len(sheet.plots) / columns)
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


def _draw(plot: Plot, axes: Axes) -> None:
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
