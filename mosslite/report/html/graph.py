"""Draws graphs of shared code: nodes, edges, and a frame per group."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from itertools import permutations
from math import dist
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.display import spelled_out
from mosslite.forests import DisjointSets
from mosslite.report.html.graph_layout import (
    INNER_WIDTH,
    MOST_WIDTH,
    Frame,
    clusters_of,
    place_cluster,
    place_groups,
    place_waiting,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from mosslite.records import TokenizedSubmission
    from mosslite.report.html.graph_layout import Box, Cluster, Link, Point

__all__ = [
    "Graph",
    "Node",
    "Wanted",
    "draw_graphs",
    "shortened",
]


# Pixels per character: for letters of most scripts, and for full-width characters.
_NARROW, _WIDE = 7.0, 13.0
_MOST_WIDTH: Final = 132.0


def shortened(name: str) -> str:
    """Cut the middle out of a name that is too wide for a label, hidden characters spelled out."""
    name = " ".join(spelled_out(name).split()) or "-"
    if _width_of(name) <= _MOST_WIDTH:
        return name
    half = (_MOST_WIDTH - _WIDE) / 2
    return f"{_begin(name, half)}\u2026{_begin(name[::-1], half)[::-1]}"


def _width_of(text: str) -> float:
    """Estimate the width of a text in pixels; Chinese and emoji are about two letters wide."""
    return sum(_WIDE if unicodedata.east_asian_width(each) in "WF" else _NARROW for each in text)


def _begin(name: str, width: float) -> str:
    count = 0
    while _width_of(name[: count + 1]) <= width:
        count += 1
    return name[:count]


_NODE_HEIGHT, _LEAST_NODE_WIDTH, _ROLE_HEIGHT = 54.0, 56.0, 13.0

# More edges per node than this would hide each other; the strongest are drawn.
_LINES_PER_NODE: Final = 2
# Maximum number of submissions without a pair above the threshold, shown in case it is lowered.
_MOST_WAITING: Final = 42
_THINNEST, _THICKEST = 1.5, 8.0
# In larger groups and on shorter edges, scores would hide names and each other.
_MOST_NUMBERED, _LEAST_NUMBERED_LENGTH = 9, 80.0


class Wanted(NamedTuple):
    """What to draw.

    Attributes:
        links: By descending score.
        groups: The members of each.
        dense: Groups whose members are arranged in rows, without edges: these would hide each
            other, and a selection of them would suggest that one submission is the source of all.
        numbers: Numbers of the groups, if not 1, 2 and so on.
    """

    links: Sequence[Link]
    groups: Sequence[Sequence[int]]
    dense: Container[Sequence[int]] = ()
    numbers: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A placed submission.

    Attributes:
        is_waiting: No pair of it reaches the threshold.
        is_named_above: All its lines lead down, where they would cross a name below.
    """

    number: int
    submission: TokenizedSubmission
    label: str
    x: float
    y: float
    is_waiting: bool
    is_named_above: bool


@dataclass(frozen=True, slots=True)
class _Edge:
    """An edge for a pair; ``(x, y)`` is its middle.

    Attributes:
        has_number: There is room for the score next to it.
    """

    link: Link
    start: tuple[float, float]
    stop: tuple[float, float]
    width: float
    is_waiting: bool
    has_number: bool

    @property
    def x(self) -> float:
        """Horizontal position of the middle."""
        return round((self.start[0] + self.stop[0]) / 2, 1)

    @property
    def y(self) -> float:
        """Vertical position of the middle."""
        return round((self.start[1] + self.stop[1]) / 2, 1)


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph of ``width`` x ``height``; waiting nodes are placed at the bottom.

    Attributes:
        left_out: Number of links above the threshold that are not drawn, for legibility.
        dense: Numbers of the groups whose members are arranged in rows, without edges.
    """

    nodes: tuple[Node, ...]
    edges: tuple[_Edge, ...]
    frames: tuple[Frame, ...]
    width: float
    height: float
    left_out: int
    dense: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Sketch:
    """The edges, labels and groups of a graph before layout.

    Attributes:
        links: Links that can be drawn.
    """

    links: Sequence[Link]
    lines: tuple[Link, ...]
    labels: Mapping[int, str]
    boxes: Mapping[int, Box]
    clusters: tuple[Cluster, ...]


def draw_graphs(
    submissions: Sequence[TokenizedSubmission], wanted: Sequence[Wanted]
) -> tuple[Graph, ...]:
    """Draw graphs of groups side by side, with waiting submissions below them.

    A group looks the same in each graph that draws the same edges.

    Args:
        submissions: All submissions; their numbers count from 1.
        wanted: What to draw.
    """
    sketches = [_sketch(submissions, each) for each in wanted]
    clusters = [cluster for sketch in sketches for cluster in sketch.clusters]
    insides = {
        each: place_cluster(each, most_width=INNER_WIDTH) for each in dict.fromkeys(clusters)
    }
    return tuple(
        _picture(submissions, each, sketch, [insides[one] for one in sketch.clusters])
        for each, sketch in zip(wanted, sketches, strict=True)
    )


def _sketch(submissions: Sequence[TokenizedSubmission], wanted: Wanted) -> _Sketch:
    in_rows = {n for group in wanted.groups if group in wanted.dense for n in group}
    links = [each for each in wanted.links if not {each.left, each.right} <= in_rows]
    lines = _drawn(links, wanted.groups)
    ends = [number for link in lines for number in (link.left, link.right)]
    # A member whose pairs are all unlisted has no edge either.
    members = [number for group in wanted.groups for number in group]
    labels = {n: shortened(submissions[n - 1].name) for n in dict.fromkeys((*ends, *members))}
    boxes = {n: _box(submissions[n - 1], label) for n, label in labels.items()}
    return _Sketch(
        links, tuple(lines), labels, boxes, tuple(clusters_of(wanted.groups, lines, boxes))
    )


def _picture(
    submissions: Sequence[TokenizedSubmission],
    wanted: Wanted,
    sketch: _Sketch,
    insides: Sequence[Sequence[Point]],
) -> Graph:
    labels = sketch.labels
    places, frames = place_groups(wanted.groups, insides, sketch.boxes)
    numbers = wanted.numbers or range(1, len(frames) + 1)
    frames = tuple(replace(each, number=n) for each, n in zip(frames, numbers, strict=True))
    height = max((frame.y + frame.height for frame in frames), default=0.0)
    width = max((frame.x + frame.width for frame in frames), default=MOST_WIDTH)
    waiting = [number for number in labels if number not in places]
    places |= place_waiting(waiting, sketch.boxes, height)
    numbered = {n for group in wanted.groups if len(group) <= _MOST_NUMBERED for n in group}
    above = _named_above(sketch.lines, places)
    return Graph(
        nodes=tuple(
            Node(n, submissions[n - 1], labels[n], *places[n], n in waiting, n in above)
            for n in sorted(labels)
        ),
        edges=tuple(_edge(link, places, waiting, numbered) for link in reversed(sketch.lines)),
        frames=frames,
        width=width if not waiting else MOST_WIDTH,
        height=height,
        left_out=_high_count(sketch.links, wanted) - _high_count(sketch.lines, wanted),
        dense=frozenset(
            n for n, group in zip(numbers, wanted.groups, strict=True) if group in wanted.dense
        ),
    )


def _named_above(lines: Iterable[Link], places: Mapping[int, Point]) -> set[int]:
    """Return the nodes whose lines all lead down."""
    ends = [two for each in lines for two in permutations((each.left, each.right))]
    others = {one for one, other in ends if places[other][1] <= places[one][1]}
    return {one for one, _ in ends} - others


def _high_count(links: Iterable[Link], wanted: Wanted) -> int:
    """Count the links above the threshold in the groups drawn."""
    inside = {number for group in wanted.groups for number in group}
    return sum(link.is_high and link.left in inside for link in links)


def _box(submission: TokenizedSubmission, label: str) -> Box:
    roles = 0.0 if submission.role.value == "current" else _ROLE_HEIGHT
    return (max(_width_of(label), _LEAST_NODE_WIDTH) + 12, _NODE_HEIGHT + roles)


def _drawn(links: Sequence[Link], groups: Sequence[Sequence[int]]) -> list[Link]:
    """Choose the edges to draw: a spanning tree, and the strongest.

    A group too small to be drawn is added with the links of a lower threshold.
    """
    inside = {number for group in groups for number in group}
    others = _by_end(link for link in links if link.is_high and link.left not in inside)
    room = _LINES_PER_NODE * len(inside)
    known = set(inside)
    sets = DisjointSets()
    chosen = []
    for link in links:
        if link.left in others and link.is_high:
            continue
        joins = sets.join(link.left, link.right)  # Kruskal's algorithm
        room -= link.is_high
        brought = [others[end] for end in (link.left, link.right) if end in others.keys() - known]
        newcomers = {end for each in (link, *brought) for end in (each.left, each.right)} - known
        is_too_many = len(known | newcomers) > len(inside) + _MOST_WAITING
        if (joins or (room >= 0 and link.is_high)) and not is_too_many:
            known |= newcomers
            chosen += [link, *brought]
    return sorted(chosen, key=lambda link: link.rank)


def _by_end(links: Iterable[Link]) -> dict[int, Link]:
    return {end: link for link in links for end in (link.left, link.right)}


def _edge(
    link: Link,
    places: Mapping[int, tuple[float, float]],
    waiting: Container[int],
    numbered: Container[int],
) -> _Edge:
    start, stop = places[link.left], places[link.right]
    is_waiting = not link.is_high or link.left in waiting
    return _Edge(
        link=link,
        start=start,
        stop=stop,
        width=round(_THINNEST + (_THICKEST - _THINNEST) * link.score**3, 1),
        is_waiting=is_waiting,
        has_number=not is_waiting
        and link.left in numbered
        and dist(start, stop) >= _LEAST_NUMBERED_LENGTH,
    )
