"""Pairs that hang together are one case: groups of submissions, and their pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mosslite.model import Role
from mosslite.report.high_pairs import threshold_of
from mosslite.report.html import explanations
from mosslite.report.html.disjoint_sets import DisjointSets
from mosslite.report.html.graph import Wanted, draw_graphs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mosslite.model import Pair, Report, Work
    from mosslite.report.html.graph import Graph
    from mosslite.report.html.site import Site

__all__ = [
    "Cases",
    "Entry",
    "Group",
    "Pictures",
    "cases_of",
    "entries_of",
    "groups_of",
    "other_roles",
    "pictures_of",
    "write_groups",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """A listed pair with its rank and the numbers of its submissions, all from 1.

    Attributes:
        others: How many more submissions share code with one of the two at the threshold.
    """

    pair: Pair
    rank: int
    left: int
    right: int
    others: int

    @property
    def score(self) -> float:
        """The pair's score."""
        return self.pair.score


@dataclass(frozen=True, slots=True)
class Group:
    """Submissions that pairs at the threshold connect, by number, and these pairs by rank."""

    number: int
    members: tuple[int, ...]
    entries: tuple[Entry, ...]

    @property
    def score(self) -> float:
        """The highest score in it."""
        return self.entries[0].score


@dataclass(frozen=True, slots=True)
class Cases:
    """What needs a look: the listed pairs, and the groups of those at the threshold."""

    threshold: float
    entries: tuple[Entry, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Pictures:
    """All groups in one picture, with who waits for a lower threshold, and each by itself."""

    of_all: Graph
    of_each: tuple[Graph, ...]


def cases_of(report: Report) -> Cases:
    """Find the groups of a report."""
    threshold = threshold_of(report)
    entries = entries_of(report)
    return Cases(threshold, entries, groups_of(entries, threshold))


def pictures_of(report: Report, cases: Cases) -> Pictures:
    """Draw the groups of a report."""
    every = Wanted(cases.entries, [group.members for group in cases.groups])
    each = [Wanted(group.entries, [group.members]) for group in cases.groups]
    graph, *graphs = draw_graphs(report.works, [every, *each], cases.threshold)
    return Pictures(graph, tuple(graphs))


def entries_of(report: Report) -> tuple[Entry, ...]:
    """Number the listed pairs and their submissions."""
    numbers = {work.name: number for number, work in enumerate(report.works, 1)}
    ends = [(numbers[pair.left.name], numbers[pair.right.name]) for pair in report.pairs]
    high = [pair.score >= threshold_of(report) for pair in report.pairs]
    near = _neighbours(end for end, is_high in zip(ends, high, strict=True) if is_high)
    return tuple(
        Entry(
            pair,
            rank,
            *end,
            others=len((near.get(end[0], set()) | near.get(end[1], set())) - {*end}),
        )
        for rank, (pair, end) in enumerate(zip(report.pairs, ends, strict=True), 1)
    )


def groups_of(entries: Sequence[Entry], threshold: float) -> tuple[Group, ...]:
    """Connect the pairs that reach the threshold; the group of the first pair comes first."""
    high = [entry for entry in entries if entry.score >= threshold]
    sets = DisjointSets()
    for entry in high:
        sets.join(entry.left, entry.right)
    inside: dict[int, list[Entry]] = {}
    for entry in high:
        inside.setdefault(sets.find(entry.left), []).append(entry)
    return tuple(
        Group(number, _members(entries), tuple(entries))
        for number, entries in enumerate(inside.values(), 1)
    )


def write_groups(report: Report, site: Site, cases: Cases, pictures: Pictures) -> None:
    """Write a page for each group."""
    for group, graph in zip(cases.groups, pictures.of_each, strict=True):
        site.write_page(
            f"groups/{group.number}.html",
            "group.html",
            report=report,
            group=group,
            group_count=len(cases.groups),
            threshold=cases.threshold,
            graph=graph,
            links=_links(group),
            roles=other_roles(report.works[number - 1] for number in group.members),
            explanations=explanations,
        )


def other_roles(works: Iterable[Work]) -> list[Role]:
    """Give the roles besides CURRENT that there are among some works."""
    present = {work.role for work in works}
    return [role for role in (Role.PRIOR, Role.REFERENCE) if role in present]


def _links(group: Group) -> dict[int, int]:
    """Count, for each member, the others of its group that it shares code with."""
    near = _neighbours((entry.left, entry.right) for entry in group.entries)
    return {member: len(near[member]) for member in group.members}


def _neighbours(ends: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    near: dict[int, set[int]] = {}
    for left, right in ends:
        near.setdefault(left, set()).add(right)
        near.setdefault(right, set()).add(left)
    return near


def _members(entries: Sequence[Entry]) -> tuple[int, ...]:
    return tuple(sorted({end for entry in entries for end in (entry.left, entry.right)}))
