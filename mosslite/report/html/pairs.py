"""The pages of the pairs, and the sources they show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from mosslite.display import percent, spelled_out
from mosslite.parallel import blocks
from mosslite.report.high_pairs import high_scores
from mosslite.report.html import explanations
from mosslite.report.html.match_marks import marks_of
from mosslite.report.html.overview import language_rows
from mosslite.report.html.sides import MOST_LINES, has_blocks, origins_of, sides_of
from mosslite.report.html.sources import MOST_FILES, source_script
from mosslite.report.html.uncompared import canvas_in_part
from mosslite.report.scripts import script_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mosslite.parallel import Task
    from mosslite.records import Document, Pair, Report, Work
    from mosslite.report.high_pairs import HighScores
    from mosslite.report.html.listing import Canvas
    from mosslite.report.html.overview import LanguageRow
    from mosslite.report.html.sides import Side
    from mosslite.report.html.site import Site

__all__ = ["pair_tasks"]

# Pages that are one task.
_TOGETHER: Final = 8

# How many matches a page lists itself, without scripts.
_MOST_MATCHES: Final = 200


@dataclass(frozen=True, slots=True)
class _Writer:
    """What is the same for all pairs of a report; a document is prepared once for many of them.

    Attributes:
        sources: The submissions that are shown first in each pair, by the pair's rank.
    """

    report: Report
    site: Site
    canvas_of: Callable[[Document], Canvas]
    numbers: dict[str, int]
    sources: dict[int, list[Work]]
    languages: list[LanguageRow]
    highs: HighScores


def pair_tasks(report: Report, site: Site) -> list[Task[None]]:
    """Prepare to write a page for each pair, and a script for each submission that is in one."""
    writer = _Writer(
        report=report,
        site=site,
        canvas_of=cache(canvas_in_part),
        numbers={work.name: number for number, work in enumerate(report.works, 1)},
        sources=_first_shown(report.pairs),
        languages=language_rows(report),
        highs=high_scores(report),
    )
    return [partial(_write_some, writer, some) for some in blocks(len(report.pairs), _TOGETHER)]


def _first_shown(pairs: Sequence[Pair]) -> dict[int, list[Work]]:
    shown: set[str] = set()
    first = {}
    for rank, pair in enumerate(pairs, 1):
        first[rank] = [work for work in (pair.left, pair.right) if work.name not in shown]
        shown |= {pair.left.name, pair.right.name}
    return first


def _write_some(writer: _Writer, ranks: range) -> None:
    for rank in ranks:
        _write_pair(writer, writer.report.pairs[rank - 1], rank)
        for work in writer.sources[rank]:
            _write_source(writer, work)


def _write_pair(writer: _Writer, pair: Pair, rank: int) -> None:
    left, right = writer.numbers[pair.left.name], writer.numbers[pair.right.name]
    sides = sides_of(pair, left, right, writer.canvas_of)
    writer.site.write_page(
        f"pairs/{rank}.html",
        "pair.html",
        report=writer.report,
        pair=pair,
        rank=rank,
        sides=sides,
        data=script_json(_data(writer, pair, sides)),
        origins=origins_of(pair),
        has_blocks=has_blocks(pair),
        most_files=MOST_FILES,
        most_lines=MOST_LINES,
        most_matches=_MOST_MATCHES,
        languages=writer.languages,
        limit=writer.highs.limit_of(pair),
        explanations=explanations,
    )


def _data(writer: _Writer, pair: Pair, sides: tuple[Side, Side]) -> dict[str, object]:
    """Return what ``matches.js`` needs beside the sources."""
    named = {
        side.name: {
            "submission": side.number,
            "name": spelled_out(side.work.name),
            "shares": _shares(side),
        }
        for side in sides
    }
    return named | marks_of(pair, writer.canvas_of)


def _shares(side: Side) -> dict[int, str]:
    """Return the matched share of the files that have any and that the page does not name."""
    return {
        number: percent(head.share)
        for number, head in enumerate(side.files[MOST_FILES:], MOST_FILES)
        if head.share
    }


def _write_source(writer: _Writer, work: Work) -> None:
    number = writer.numbers[work.name]
    writer.site.write(f"sources/{number}.js", source_script(work, number, writer.canvas_of))
