"""The pages of the pairs."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mosslite.report import explanations
from mosslite.report.listing import canvas_of
from mosslite.report.pages import has_blocks, has_boilerplate, sides_of

if TYPE_CHECKING:
    from mosslite.model import Progress, Report
    from mosslite.report.site import Site

__all__ = ["write_pairs"]


def write_pairs(report: Report, site: Site, progress: Progress) -> None:
    """Write one page for each pair; a document is lexed once, however many pairs it is in."""
    cached_canvas_of = cache(canvas_of)
    for rank, pair in enumerate(report.pairs, 1):
        site.write_page(
            f"pairs/{rank}.html",
            "pair.html",
            pair=pair,
            rank=rank,
            pair_count=len(report.pairs),
            sides=sides_of(pair, cached_canvas_of),
            has_boilerplate=has_boilerplate(pair),
            has_blocks=has_blocks(pair),
            explanations=explanations,
        )
        progress("writing", rank, len(report.pairs))
