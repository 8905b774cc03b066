"""Draws graphs of shared code: nodes, edges, and a frame per group."""

import unicodedata
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import dist
from typing import Final, NamedTuple

from mosslite.display import spelled_out
from mosslite.forests import DisjointSets
from mosslite.records import TokenizedSubmission
from mosslite.report.html.graph_layout import (
    INNER_WIDTH,
    MOST_WIDTH,
    Box,
    Cluster,
    Frame,
    Link,
    Point,
    clusters_of,
    place_cluster,
    place_groups,
    place_waiting,
)

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

# More edges per node than this would hide each other; the strongest are drawn. In a dense group
# thin ones show that most share code with most: a selection would suggest a source of all.
_LINES_PER_NODE: Final = 2
_MOST_OF_DENSE: Final = 600
# Maximum number of submissions without a pair above the threshold, shown in case it is lowered.
_MOST_WAITING: Final = 42
_THINNEST, _THICKEST, _OF_DENSE = 1.5, 8.0, 1.0
# In larger groups thick edges would hide each other.
_MOST_WITH_THICK, _THICKEST_OF_MANY = 9, 4.0
# In still larger groups, on shorter edges, and where a name or another score is, there is no room
# for a score.
_MOST_NUMBERED, _LEAST_NUMBERED_LENGTH = 40, 80.0
_SCORE_WIDTH, _SCORE_HEIGHT = 34.0, 18.0
_BELOW_SHAPE: Final = 8.0  # the middle of a shape and its name


class Wanted(NamedTuple):
    """What to draw.

    Attributes:
        links: By descending score.
        groups: The members of each.
        dense: Groups in which most share code with most.
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
        is_of_dense: It is inside a dense group.
    """

    link: Link
    start: tuple[float, float]
    stop: tuple[float, float]
    width: float
    is_waiting: bool
    has_number: bool
    is_of_dense: bool

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
        dense: Numbers of the dense groups, whose edges are thin.
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
    links, lines = wanted.links, _drawn(wanted)
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
    above = _named_above(sketch.lines, places)
    dense = _dense_members(wanted)
    many = {n for group in wanted.groups if len(group) > _MOST_WITH_THICK for n in group}
    edges = [_edge(link, places, waiting, dense, many) for link in sketch.lines]
    numbered = _numbered(edges, wanted.groups, places, sketch.boxes)
    return Graph(
        nodes=tuple(
            Node(n, submissions[n - 1], labels[n], *places[n], n in waiting, n in above)
            for n in sorted(labels)
        ),
        edges=tuple(
            replace(edge, has_number=(edge.link.left, edge.link.right) in numbered)
            for edge in reversed(edges)
        ),
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


def _drawn(wanted: Wanted) -> list[Link]:
    """Choose the edges to draw: a spanning tree, the strongest, and those of dense groups.

    A group too small to be drawn is added with the links of a lower threshold.
    """
    links = wanted.links
    inside = {number for group in wanted.groups for number in group}
    dense, room_of_dense = _dense_members(wanted), _MOST_OF_DENSE
    others = _by_end(link for link in links if link.is_high and link.left not in inside)
    room = _LINES_PER_NODE * len(inside)
    known = set(inside)
    sets = DisjointSets()
    chosen = []
    for link in links:
        if link.left in others and link.is_high:
            continue
        joins = sets.join(link.left, link.right)  # Kruskal's algorithm
        if _is_of_dense(link, dense):
            room_of_dense -= 1
            has_room = room_of_dense >= 0
        else:
            room -= link.is_high
            has_room = room >= 0
        brought = [others[end] for end in (link.left, link.right) if end in others.keys() - known]
        newcomers = {end for each in (link, *brought) for end in (each.left, each.right)} - known
        is_too_many = len(known | newcomers) > len(inside) + _MOST_WAITING
        if (joins or (has_room and link.is_high)) and not is_too_many:
            known |= newcomers
            chosen += [link, *brought]
    return sorted(chosen, key=lambda link: (-link.score, link.rank))


def _dense_members(wanted: Wanted) -> dict[int, int]:
    """Return the dense group of each of its members."""
    groups = enumerate(wanted.groups)
    return {number: at for at, group in groups if group in wanted.dense for number in group}


def _is_of_dense(link: Link, dense: Mapping[int, int]) -> bool:
    group = dense.get(link.left)
    return link.is_high and group is not None and group == dense.get(link.right)


def _by_end(links: Iterable[Link]) -> dict[int, Link]:
    return {end: link for link in links for end in (link.left, link.right)}


def _numbered(
    edges: Iterable[_Edge],
    groups: Iterable[Sequence[int]],
    places: Mapping[int, Point],
    boxes: Mapping[int, Box],
) -> set[tuple[int, int]]:
    """Return the ends of the edges with room for a score that hides no name and no higher score."""
    home: dict[int, list[tuple[Point, Box]]] = {}
    for group in groups:
        if len(group) <= _MOST_NUMBERED:
            centres = [(places[n][0], places[n][1] + _BELOW_SHAPE) for n in group]
            sizes = [(boxes[n][0], boxes[n][1]) for n in group]
            taken = [*zip(centres, sizes, strict=True)]
            for number in group:
                home[number] = taken  # one list, which the scores of its edges are added to
    numbered = set()
    for edge in edges:
        areas = home.get(edge.link.left)
        own = ((edge.x, edge.y), (_SCORE_WIDTH, _SCORE_HEIGHT))
        is_long = dist(edge.start, edge.stop) >= _LEAST_NUMBERED_LENGTH
        if areas is None or edge.is_waiting or not is_long:
            continue
        if not any(_overlap(own, other) for other in areas):
            areas.append(own)
            numbered.add((edge.link.left, edge.link.right))
    return numbered


def _overlap(one: tuple[Point, Box], other: tuple[Point, Box]) -> bool:
    (place, size), (other_place, other_size) = one, other
    return all(
        abs(place[axis] - other_place[axis]) < (size[axis] + other_size[axis]) / 2
        for axis in (0, 1)
    )


def _edge(
    link: Link,
    places: Mapping[int, tuple[float, float]],
    waiting: Container[int],
    dense: Mapping[int, int],
    many: Container[int],
) -> _Edge:
    start, stop = places[link.left], places[link.right]
    is_of_dense = _is_of_dense(link, dense)
    thickest = _THICKEST_OF_MANY if link.left in many else _THICKEST
    width = _THINNEST + (thickest - _THINNEST) * link.score**3
    return _Edge(
        link=link,
        start=start,
        stop=stop,
        width=_OF_DENSE if is_of_dense else round(width, 1),
        is_waiting=not link.is_high or link.left in waiting,
        has_number=False,
        is_of_dense=is_of_dense,
    )
