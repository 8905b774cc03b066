"""The HTML report: a ranking, and for each pair a page with both sources side by side."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from mosslite.model import untold
from mosslite.report import explanations
from mosslite.report.folder import replacement
from mosslite.report.listing import canvas_of
from mosslite.report.pages import has_blocks, has_boilerplate, language_rows, sides_of, summary
from mosslite.report.templates import environment, template_root

if TYPE_CHECKING:
    from pathlib import Path

    from jinja2 import Environment

    from mosslite.model import Progress, Report

__all__ = ["write_html"]

_ASSETS: Final = ("report.css", "report.js")


def write_html(
    report: Report,
    directory: Path,
    *,
    created: str,
    version: str,
    progress: Progress = untold,
) -> Path:
    """Write the report as a folder of plain files that need nothing but a browser.

    An old report in ``directory`` is replaced as a whole, or left alone when this one fails.
    ``created`` and ``version`` are printed as they are; without them the same report gives the
    same bytes.

    Returns:
        The path of ``index.html``.

    Raises:
        OutputError: ``directory`` is somebody else's, or cannot be written.
    """
    pages = environment()
    pages.globals.update(
        created=created, version=version, title=report.options.comment or "mosslite report"
    )
    with replacement(directory) as fresh:
        for name in _ASSETS:
            (fresh / name).write_bytes((template_root() / name).read_bytes())
        _write_index(pages, report, fresh)
        _write_pairs(pages, report, fresh, progress)
    return directory / "index.html"


def _write_index(pages: Environment, report: Report, folder: Path) -> None:
    page = pages.get_template("index.html").render(
        report=report,
        summary=summary(report),
        languages=language_rows(report),
        explanations=explanations,
    )
    _write(folder / "index.html", page)


def _write_pairs(pages: Environment, report: Report, folder: Path, progress: Progress) -> None:
    """Write one page for each pair; a document is lexed once, however many pairs it is in."""
    template = pages.get_template("pair.html")
    cached_canvas_of = cache(canvas_of)
    (folder / "pairs").mkdir()
    for rank, pair in enumerate(report.pairs, 1):
        page = template.render(
            pair=pair,
            rank=rank,
            pair_count=len(report.pairs),
            sides=sides_of(pair, cached_canvas_of),
            has_boilerplate=has_boilerplate(pair),
            has_blocks=has_blocks(pair),
            explanations=explanations,
        )
        _write(folder / "pairs" / f"{rank}.html", page)
        progress("writing", rank, len(report.pairs))


def _write(path: Path, page: str) -> None:
    path.write_text(page, encoding="utf-8", newline="\n")
