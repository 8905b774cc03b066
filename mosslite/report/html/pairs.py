"""The pages of the pairs, and the sources they show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from mosslite.report.html import explanations
from mosslite.report.html.match_marks import marks_of
from mosslite.report.html.overview import language_rows
from mosslite.report.html.sides import has_blocks, origins_of, sides_of
from mosslite.report.html.sources import source_script
from mosslite.report.html.uncompared import canvas_in_part
from mosslite.report.review import pair_code, pair_key
from mosslite.report.scripts import script_json
from mosslite.visible import spelled_out

if TYPE_CHECKING:
    from collections.abc import Callable

    from mosslite.model import Document, Pair, Progress, Report
    from mosslite.report.html.listing import Canvas
    from mosslite.report.html.overview import LanguageRow
    from mosslite.report.html.sides import Side
    from mosslite.report.html.site import Site

__all__ = ["write_pairs"]

# How many line numbers of one piece of evidence are printed; a name can stand in every line.
_MOST_LINES: Final = 8


@dataclass(frozen=True, slots=True)
class _Writer:
    """What is the same for all pairs of a report; a document is lexed once for all of them."""

    report: Report
    site: Site
    canvas_of: Callable[[Document], Canvas]
    numbers: dict[str, int]
    languages: list[LanguageRow]


def write_pairs(report: Report, site: Site, progress: Progress) -> None:
    """Write one page for each pair, and one script for each submission that is in a pair."""
    numbers = {work.name: number for number, work in enumerate(report.works, 1)}
    writer = _Writer(report, site, cache(canvas_in_part), numbers, language_rows(report))
    for rank, pair in enumerate(report.pairs, 1):
        _write_pair(writer, pair, rank)
        progress("writing", rank, len(report.pairs))
    _write_sources(writer)


def _write_pair(writer: _Writer, pair: Pair, rank: int) -> None:
    left, right = writer.numbers[pair.left.name], writer.numbers[pair.right.name]
    sides = sides_of(pair, left, right, writer.canvas_of)
    writer.site.write_page(
        f"pairs/{rank}.html",
        "pair.html",
        report=writer.report,
        pair=pair,
        rank=rank,
        key=pair_key(pair.left.name, pair.right.name),
        code=pair_code(pair),
        sides=sides,
        data=script_json(_data(writer, pair, sides)),
        origins=origins_of(pair),
        has_blocks=has_blocks(pair),
        most_lines=_MOST_LINES,
        languages=writer.languages,
        explanations=explanations,
    )


def _data(writer: _Writer, pair: Pair, sides: tuple[Side, Side]) -> dict[str, object]:
    """Give what ``matches.js`` needs beside the sources."""
    named = {
        side.name: {
            "submission": side.number,
            "name": spelled_out(side.work.name),
            "files": [spelled_out(file.name) for file in side.files],
        }
        for side in sides
    }
    return named | marks_of(pair, writer.canvas_of)


def _write_sources(writer: _Writer) -> None:
    shown = {work.name: work for pair in writer.report.pairs for work in (pair.left, pair.right)}
    for name, work in shown.items():
        number = writer.numbers[name]
        writer.site.write(f"sources/{number}.js", source_script(work, number, writer.canvas_of))
