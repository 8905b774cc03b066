"""The HTML report: an overview, and a page for each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.model import untold
from mosslite.report.folder import replacement
from mosslite.report.html.groups import cases_of, write_groups
from mosslite.report.html.overview import write_overview
from mosslite.report.html.pairs import write_pairs
from mosslite.report.html.site import Site
from mosslite.report.html.submissions import write_submissions
from mosslite.report.html.templates import environment, template_root
from mosslite.report.html.undeclared import excerpts_of, write_undeclared
from mosslite.report.review import report_id, review_script

if TYPE_CHECKING:
    from pathlib import Path

    from mosslite.model import Progress, Report

__all__ = ["write_html"]

_ASSETS: Final = (".css", ".js")


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
        created=created,
        version=version,
        title=report.options.comment or "mosslite report",
        report_id=report_id(report),
    )
    with replacement(directory) as fresh:
        site = Site(fresh, pages)
        for asset in template_root().iterdir():
            if asset.name.endswith(_ASSETS):
                (fresh / asset.name).write_bytes(asset.read_bytes())
        _write_index(report, site, directory)
        write_pairs(report, site, progress)
        site.write("review-data.js", review_script(report))
    return directory / "index.html"


def _write_index(report: Report, site: Site, directory: Path) -> None:
    """Write the overview and what it leads to, but for the pairs."""
    cases = cases_of(report)
    write_overview(report, site, directory, cases)
    write_groups(report, site, cases)
    write_submissions(report, site, cases)
    write_undeclared(excerpts_of(report.common), site)
