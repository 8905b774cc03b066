"""One page that holds all of an experiment: tables, and plots drawn as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.lab.sheets import shown
from mosslite.lab.sheets.plots import draw

if TYPE_CHECKING:
    import jinja2

    from mosslite.lab.sheets import Sheet

__all__ = ["page_of"]


def page_of(sheet: Sheet, pages: jinja2.Environment) -> str:
    """Write a page that needs nothing but a browser.

    Args:
        sheet: What to show; all of it is escaped.
        pages: An environment with autoescape that finds ``lab.html``.
    """
    drawings = [draw(plot) for plot in sheet.plots]
    template = pages.get_template("lab.html")
    return template.render(sheet=sheet, drawings=drawings, shown=shown)
