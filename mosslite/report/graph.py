"""The picture of who shares code with whom: nodes, lines between them, and a frame per group."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from mosslite.report.graph_layout import pack, place_connected, place_in_rows
from mosslite.report.labels import shortened, width_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mosslite.model import Work

__all__ = ["Edge", "Frame", "Graph", "Link", "Node", "draw_graph"]

# In pixels, which are the units of the picture.
_MOST_WIDTH: Final = 1040.0
_MARGIN, _GAP, _CAPTION = 14.0, 18.0, 30.0
_NODE_HEIGHT, _LEAST_NODE_WIDTH, _ROLE_HEIGHT = 54.0, 56.0, 13.0
_SHAPE_TO_TOP = 17.0

# More lines than this for each node hide each other; the strongest are drawn.
_LINES_PER_NODE: Final = 2
# Submissions that have no pair at the threshold but may come in when it is moved.
_MOST_WAITING: Final = 42
_THINNEST, _THICKEST = 1.5, 8.0
# Of a larger group, and on a shorter line, numbers would hide names and each other.
_MOST_NUMBERED, _LEAST_NUMBERED_LENGTH = 9, 80.0


class Link(Protocol):
    """What a line is drawn for: a pair by its rank, submissions by number, and its score."""

    @property
    def rank(self) -> int: ...  # noqa: D102

    @property
    def left(self) -> int: ...  # noqa: D102

    @property
    def right(self) -> int: ...  # noqa: D102

    @property
    def score(self) -> float: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Node:
    """A submission at its place; ``is_waiting`` where no pair of it reaches the threshold."""

    number: int
    work: Work
    label: str
    x: float
    y: float
    is_waiting: bool


@dataclass(frozen=True, slots=True)
class Edge:
    """A line for a pair; ``(x, y)`` is its middle.

    Attributes:
        has_number: There is room for the score beside it.
    """

    link: Link
    start: tuple[float, float]
    stop: tuple[float, float]
    width: float
    is_waiting: bool
    has_number: bool

    @property
    def x(self) -> float:
        """The middle from left to right."""
        return round((self.start[0] + self.stop[0]) / 2, 1)

    @property
    def y(self) -> float:
        """The middle from top to bottom."""
        return round((self.start[1] + self.stop[1]) / 2, 1)


@dataclass(frozen=True, slots=True)
class Frame:
    """The panel behind group ``number``."""

    number: int
    x: float
    y: float
    width: float
    height: float
    members: int


@dataclass(frozen=True, slots=True)
class Graph:
    """A picture of ``width`` x ``height``; the nodes that wait stand below it.

    Attributes:
        left_out: How many links at the threshold have no line, so that the others can be seen.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    frames: tuple[Frame, ...]
    width: float
    height: float
    left_out: int


def draw_graph(
    works: Sequence[Work],
    links: Sequence[Link],
    groups: Sequence[Sequence[int]],
    threshold: float,
) -> Graph:
    """Draw the groups side by side, and below them who waits for a lower threshold.

    Args:
        works: All works; their numbers count from 1.
        links: By descending score.
        groups: The members of each group; numbers of the frames count from 1.
        threshold: From here on a link is one of a group's.
    """
    drawn = _drawn(links, groups, threshold)
    labels = {n: shortened(works[n - 1].name) for link in drawn for n in (link.left, link.right)}
    boxes = {n: _box(works[n - 1], label) for n, label in labels.items()}
    places, frames = _place_groups(groups, drawn, boxes)
    height = max((frame.y + frame.height for frame in frames), default=0.0)
    width = max((frame.x + frame.width for frame in frames), default=_MOST_WIDTH)
    waiting = [number for number in labels if number not in places]
    places |= _place_waiting(waiting, boxes, height)
    numbered = {n for group in groups if len(group) <= _MOST_NUMBERED for n in group}
    return Graph(
        nodes=tuple(
            Node(n, works[n - 1], labels[n], *places[n], is_waiting=n in waiting)
            for n in sorted(labels)
        ),
        edges=tuple(_edge(link, places, threshold, numbered) for link in reversed(drawn)),
        frames=frames,
        width=width if not waiting else _MOST_WIDTH,
        height=height,
        left_out=sum(link.score >= threshold for link in links)
        - sum(link.score >= threshold for link in drawn),
    )


def _box(work: Work, label: str) -> tuple[float, float]:
    roles = 0.0 if work.role.value == "current" else _ROLE_HEIGHT
    return (max(width_of(label), _LEAST_NODE_WIDTH) + 12, _NODE_HEIGHT + roles)


def _drawn(links: Sequence[Link], groups: Sequence[Sequence[int]], threshold: float) -> list[Link]:
    """Choose lines: those that hold everything together at any threshold, and the strongest."""
    inside = {number for group in groups for number in group}
    room = _LINES_PER_NODE * len(inside)
    known = set(inside)
    roots: dict[int, int] = {}
    chosen = []
    for link in links:
        joins = _joins(roots, link)
        room -= link.score >= threshold
        newcomers = {link.left, link.right} - known
        is_too_many = len(known | newcomers) > len(inside) + _MOST_WAITING
        if (joins or (room >= 0 and link.score >= threshold)) and not is_too_many:
            known |= newcomers
            chosen.append(link)
    return chosen


def _joins(roots: dict[int, int], link: Link) -> bool:
    """Join both ends of a link, as Kruskal does, and tell whether they were apart."""
    left, right = (_root(roots, end) for end in (link.left, link.right))
    roots[left] = right
    return left != right


def _root(roots: dict[int, int], end: int) -> int:
    while roots.setdefault(end, end) != end:
        roots[end] = roots[roots[end]]
        end = roots[end]
    return end


def _place_groups(
    groups: Sequence[Sequence[int]],
    links: Sequence[Link],
    boxes: Mapping[int, tuple[float, float]],
) -> tuple[dict[int, tuple[float, float]], tuple[Frame, ...]]:
    inside = [_place_group(group, links, boxes) for group in groups]
    sizes = [_frame_size(places, boxes) for places in inside]
    corners = pack(sizes, gap=_GAP, most_width=_MOST_WIDTH)
    frames = tuple(
        Frame(number, *corner, *size, members=len(group))
        for number, (corner, size, group) in enumerate(zip(corners, sizes, groups, strict=True), 1)
    )
    places = {
        number: (round(x + frame.x + _MARGIN, 1), round(y + frame.y + _CAPTION, 1))
        for frame, group in zip(frames, inside, strict=True)
        for number, (x, y) in group.items()
    }
    return places, frames


def _place_group(
    members: Sequence[int], links: Sequence[Link], boxes: Mapping[int, tuple[float, float]]
) -> dict[int, tuple[float, float]]:
    index = {number: place for place, number in enumerate(members)}
    own = [link for link in links if link.left in index and link.right in index]
    ends = [(index[link.left], index[link.right]) for link in own]
    sizes = np.array([boxes[number] for number in members])
    places = place_connected(
        np.array(ends, np.int64).reshape(-1, 2),
        np.array([link.score for link in own]),
        sizes,
        most_width=_MOST_WIDTH - 2 * _MARGIN,
    )
    return dict(zip(members, _shapes(places, sizes), strict=True))


def _place_waiting(
    waiting: Sequence[int], boxes: Mapping[int, tuple[float, float]], top: float
) -> dict[int, tuple[float, float]]:
    if not waiting:
        return {}
    sizes = np.array([boxes[number] for number in waiting])
    places = place_in_rows(sizes, most_width=_MOST_WIDTH)
    shapes = _shapes(places, sizes)
    return {
        number: (round(x, 1), round(y + top + _CAPTION, 1))
        for number, (x, y) in zip(waiting, shapes, strict=True)
    }


def _shapes(
    places: NDArray[np.float64], boxes: NDArray[np.float64]
) -> Iterator[tuple[float, float]]:
    """Give the centres of the shapes, which stand at the top of their boxes over the labels."""
    for (x, y), (_, height) in zip(places.tolist(), boxes.tolist(), strict=True):
        yield x, y - height / 2 + _SHAPE_TO_TOP


def _frame_size(
    places: Mapping[int, tuple[float, float]], boxes: Mapping[int, tuple[float, float]]
) -> tuple[float, float]:
    width = max(x + boxes[number][0] / 2 for number, (x, _) in places.items())
    height = max(y - _SHAPE_TO_TOP + boxes[number][1] for number, (_, y) in places.items())
    return round(width + 2 * _MARGIN, 1), round(height + _CAPTION + _MARGIN / 2, 1)


def _edge(
    link: Link,
    places: Mapping[int, tuple[float, float]],
    threshold: float,
    numbered: Container[int],
) -> Edge:
    start, stop = places[link.left], places[link.right]
    is_waiting = link.score < threshold
    return Edge(
        link=link,
        start=start,
        stop=stop,
        width=round(_THINNEST + (_THICKEST - _THINNEST) * link.score**3, 1),
        is_waiting=is_waiting,
        has_number=not is_waiting
        and link.left in numbered
        and dist(start, stop) >= _LEAST_NUMBERED_LENGTH,
    )
