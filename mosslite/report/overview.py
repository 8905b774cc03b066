"""The first page: what was compared, what came of it, and where to begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.report import explanations
from mosslite.report.pages import language_rows, summary

if TYPE_CHECKING:
    from mosslite.model import Report
    from mosslite.report.site import Site

__all__ = ["write_overview"]


def write_overview(report: Report, site: Site) -> None:
    """Write ``index.html``."""
    site.write_page(
        "index.html",
        "index.html",
        report=report,
        summary=summary(report),
        languages=language_rows(report),
        explanations=explanations,
    )
