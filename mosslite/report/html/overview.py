"""The first page: what was compared, what came of it, and where to begin."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mosslite.languages import find_language
from mosslite.report.disguises import disguised_rows
from mosslite.report.high_pairs import is_cut, worst_pairs
from mosslite.report.html import explanations
from mosslite.report.html.groups import other_roles
from mosslite.report.html.histogram import histogram_of
from mosslite.report.html.undeclared import excerpts_of, short_names
from mosslite.report.likely import base_option
from mosslite.report.words import compared, not_listed, to_review, where_to_begin

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mosslite.options import Thresholds
    from mosslite.records import Report, Work
    from mosslite.report.html.graph import Graph
    from mosslite.report.html.groups import Cases, Entry, Group
    from mosslite.report.html.site import Site

__all__ = ["LanguageRow", "SubmissionRow", "language_rows", "submission_rows", "write_overview"]

_MOST_IN_NEED: Final = 10
# A longer list of what was skipped is folded.
_MOST_OPEN: Final = 10


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """How many files were read as a language, and with which thresholds."""

    title: str
    thresholds: Thresholds
    files: int


@dataclass(frozen=True, slots=True)
class SubmissionRow:
    """A submission by number, its best pair and its group, where it has any."""

    number: int
    work: Work
    best: Entry | None
    group: int | None


def write_overview(report: Report, site: Site, directory: Path, cases: Cases, graph: Graph) -> None:
    """Write ``index.html``; ``directory`` is what the user calls the report's folder."""
    entries, groups = cases.entries, cases.groups
    by_pair = {(each.pair.left.name, each.pair.right.name): each for each in entries}
    worst = worst_pairs(report, report.pairs, _MOST_IN_NEED)
    excerpts = excerpts_of(report.common)
    site.write_page(
        "index.html",
        "index.html",
        report=report,
        compared=compared(report),
        to_review=to_review(*_counts(groups), is_cut=_may_have_more(report, cases)),
        where_to_begin=where_to_begin(report),
        not_listed=not_listed(report),
        is_cut=len(entries) < sum(report.histogram) or is_cut(report, 0),
        passed_over=worst != list(report.pairs[:_MOST_IN_NEED]),
        threshold=cases.threshold,
        entries=entries,
        worst=[by_pair[pair.left.name, pair.right.name] for pair in worst],
        groups=groups,
        graph=graph,
        histogram=histogram_of(report.histogram),
        roles=other_roles(report.works),
        numbers={work.name: number for number, work in enumerate(report.works, 1)},
        submissions=submission_rows(report, entries, groups),
        disguised=disguised_rows(report),
        has_times=any(work.submission.hand_in.submitted for work in report.works),
        most_open=_MOST_OPEN,
        languages=language_rows(report),
        excerpts=excerpts,
        is_offered=any(each.passage.is_long for each in excerpts),
        base_option=base_option(directory),
        base_options=[name and base_option(directory, name) for name in short_names(excerpts)],
        explanations=explanations,
    )


def _counts(groups: Sequence[Group]) -> tuple[int, int, int]:
    """Count the pairs that stand out, the submissions in them and their groups."""
    members = sum(len(group.members) for group in groups)
    return sum(group.pair_count for group in groups), members, len(groups)


def _may_have_more(report: Report, cases: Cases) -> bool:
    """Return whether pairs may stand out that were not found, as only so many are looked for."""
    return not report.unlisted and is_cut(report, 100 * cases.threshold)


def submission_rows(
    report: Report, entries: Sequence[Entry], groups: Sequence[Group]
) -> list[SubmissionRow]:
    """Return every submission that was compared, in the order of the report."""
    best: dict[int, Entry] = {}
    for entry in entries:
        best.setdefault(entry.left, entry)
        best.setdefault(entry.right, entry)
    group_of = {member: group.number for group in groups for member in group.members}
    return [
        SubmissionRow(number, work, best.get(number), group_of.get(number))
        for number, work in enumerate(report.works, 1)
    ]


def language_rows(report: Report) -> list[LanguageRow]:
    """Count the files of each language, by title."""
    counts = Counter(
        (find_language(document.language).title, document.thresholds)
        for work in report.works
        for document in work.documents
    )
    rows = [LanguageRow(title, thresholds, files) for (title, thresholds), files in counts.items()]
    return sorted(rows, key=lambda row: (row.title, row.thresholds.noise))
