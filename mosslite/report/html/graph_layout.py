"""Layout of graphs: positions of nodes with room for labels, and groups side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, cos, pi, sin, sqrt
from typing import Final, Protocol

Box = tuple[float, float]
"""Width and height that a node takes with its label."""

Point = tuple[float, float]
"""From left to right, and from top to bottom."""

# On a larger ring, edges are too close to each other to be distinguished.
_MOST_ON_A_RING: Final = 12
# Labels are wider than high, so a picture that is wider than high has more room for them.
_FLATTENED: Final = 0.75
# Minimum radius of a ring, which leaves room for the scores on edges.
_LEAST_RADIUS: Final = 90.0


@dataclass(frozen=True, slots=True)
class Cluster:
    """One group to lay out; equal clusters look the same.

    Attributes:
        boxes: Width and height of each node.
        lines: Edges between nodes, by indices in ``boxes``, the strongest first.
    """

    boxes: tuple[Box, ...]
    lines: tuple[tuple[int, int], ...]


def place_cluster(cluster: Cluster, *, most_width: float) -> list[Point]:
    """Place the nodes of a group without overlapping boxes.

    A few nodes with edges are placed on a ring, others in rows. Connected nodes are placed near
    each other.

    Returns:
        The centre of each box, relative to the top left corner of all boxes.
    """
    order = _depth_first(cluster)
    boxes = [cluster.boxes[node] for node in order]
    if cluster.lines and len(boxes) <= _MOST_ON_A_RING:
        places = _place_on_ring(boxes)
    else:
        places = _place_in_block(boxes, most_width)
    of_node = dict(zip(order, places, strict=True))
    return [of_node[node] for node in range(len(boxes))]


def _depth_first(cluster: Cluster) -> list[int]:
    """Return all nodes in the order of a depth-first search along the edges."""
    neighbours: list[list[int]] = [[] for _ in cluster.boxes]
    for one, other in cluster.lines:
        neighbours[one].append(other)
        neighbours[other].append(one)
    order: dict[int, None] = {}
    for root in range(len(neighbours)):
        stack = [root]
        while stack:
            node = stack.pop()
            if node not in order:
                order[node] = None
                stack.extend(reversed(neighbours[node]))
    return list(order)


def _place_on_ring(boxes: Sequence[Box]) -> list[Point]:
    """Place nodes clockwise on the smallest ellipse with room for all, from the left."""
    # Rounded, as the last digits of a cosine differ between machines.
    turns = [pi + 2 * pi * node / len(boxes) for node in range(len(boxes))]
    ring = [(round(cos(turn), 6), round(sin(turn) * _FLATTENED, 6)) for turn in turns]
    radius = max(
        [_LEAST_RADIUS]
        + [_apart_at(*two) for two in combinations(zip(ring, boxes, strict=True), 2)]
    )
    return _to_the_corner([(x * radius, y * radius) for x, y in ring], boxes)


def _apart_at(one: tuple[Point, Box], other: tuple[Point, Box]) -> float:
    """Return the factor by which to enlarge a ring so that two boxes on it do not overlap."""
    (place, box), (other_place, other_box) = one, other
    enlargements = [
        (box[axis] + other_box[axis]) / 2 / gap
        for axis in (0, 1)
        if (gap := abs(place[axis] - other_place[axis]))
    ]
    return min(enlargements)


def _to_the_corner(places: Sequence[Point], boxes: Sequence[Box]) -> list[Point]:
    """Move all boxes so that the top left corner of their bounding box is at (0, 0)."""
    left = min(x - width / 2 for (x, _), (width, _) in zip(places, boxes, strict=True))
    top = min(y - height / 2 for (_, y), (_, height) in zip(places, boxes, strict=True))
    return [(x - left, y - top) for x, y in places]


def _place_in_block(boxes: Sequence[Box], most_width: float) -> list[Point]:
    """Place nodes in rows that together are about as wide as high."""
    width, height = _largest(boxes)
    columns = ceil(sqrt(len(boxes) * height / width)) + 1
    return _place_in_rows(boxes, most_width=min(columns * width, most_width))


def _place_in_rows(boxes: Sequence[Box], *, most_width: float) -> list[Point]:
    """Place nodes row by row; every second one is slightly lower, so that links are visible."""
    width, height = _largest(boxes)
    columns = max(int(most_width // width), 1)
    cells = [divmod(node, columns) for node in range(len(boxes))]
    return [
        ((column + 0.5) * width, (row * 1.75 + 0.5 + column % 2 * 0.75) * height)
        for row, column in cells
    ]


def _largest(boxes: Sequence[Box]) -> Box:
    return max(width for width, _ in boxes), max(height for _, height in boxes)


def pack(sizes: Sequence[tuple[float, float]], *, gap: float, most_width: float) -> list[Point]:
    """Put rectangles side by side in rows, in their order, and return their top left corners."""
    corners: list[Point] = []
    left = top = height = 0.0
    for width, own_height in sizes:
        if left and left + width > most_width:
            left, top, height = 0.0, top + height + gap, 0.0
        corners.append((left, top))
        left, height = left + width + gap, max(height, own_height)
    return corners


# In pixels.
MOST_WIDTH: Final = 1120.0  # of the page's column
_MARGIN, _GAP, _CAPTION = 14.0, 18.0, 30.0
INNER_WIDTH: Final = MOST_WIDTH - 2 * _MARGIN
_SHAPE_TO_TOP: Final = 17.0


class Link(Protocol):
    """A link between two submissions, with the rank and score of the pair."""

    @property
    def rank(self) -> int: ...  # noqa: D102

    @property
    def left(self) -> int: ...  # noqa: D102

    @property
    def right(self) -> int: ...  # noqa: D102

    @property
    def score(self) -> float: ...  # noqa: D102

    @property
    def limit(self) -> float: ...  # noqa: D102

    @property
    def is_high(self) -> bool: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Frame:
    """The panel behind group ``number``."""

    number: int
    x: float
    y: float
    width: float
    height: float
    members: int


def clusters_of(
    groups: Sequence[Sequence[int]], links: Sequence[Link], boxes: Mapping[int, Box]
) -> list[Cluster]:
    """Return a cluster for each group, with the links inside it."""
    home = {
        number: (group, place)
        for group, members in enumerate(groups)
        for place, number in enumerate(members)
    }
    lines: list[list[tuple[int, int]]] = [[] for _ in groups]
    for link in links:
        left, right = home.get(link.left), home.get(link.right)
        if left and right and left[0] == right[0]:
            lines[left[0]].append((left[1], right[1]))
    return [
        Cluster(tuple(boxes[number] for number in members), tuple(own))
        for members, own in zip(groups, lines, strict=True)
    ]


def place_groups(
    groups: Sequence[Sequence[int]],
    insides: Sequence[Sequence[Point]],
    boxes: Mapping[int, Box],
) -> tuple[dict[int, Point], tuple[Frame, ...]]:
    """Put groups side by side in rows as wide as the page.

    Args:
        groups: The members of each.
        insides: The centres of their members' boxes.
        boxes: Of all members.

    Returns:
        The position of each member, and the frame of each group.
    """
    inside = [
        dict(zip(members, _shapes(centres, [boxes[n] for n in members]), strict=True))
        for members, centres in zip(groups, insides, strict=True)
    ]
    own_sizes = [_frame_size(places, boxes) for places in inside]
    corners, sizes = _filled(own_sizes, pack(own_sizes, gap=_GAP, most_width=MOST_WIDTH))
    frames = tuple(
        Frame(number, *corner, *size, members=len(group))
        for number, (corner, size, group) in enumerate(zip(corners, sizes, groups, strict=True), 1)
    )
    places = {
        number: (
            round(x + frame.x + _MARGIN + (frame.width - width) / 2, 1),
            round(y + frame.y + _CAPTION + (frame.height - height) / 2, 1),
        )
        for frame, group, (width, height) in zip(frames, inside, own_sizes, strict=True)
        for number, (x, y) in group.items()
    }
    return places, frames


def _filled(sizes: Sequence[Box], corners: Sequence[Point]) -> tuple[list[Point], list[Box]]:
    """Widen the frames of each row so that it fills the page, and make them equally high."""
    placed, filled = list[Point](), list[Box]()
    for top in sorted({top for _, top in corners}):
        row = [size for size, corner in zip(sizes, corners, strict=True) if corner[1] == top]
        spare = MOST_WIDTH - sum(width for width, _ in row) - _GAP * (len(row) - 1)
        more = max(spare, 0.0) / len(row)
        left = 0.0
        for width, _ in row:
            placed.append((round(left, 1), top))
            filled.append((round(width + more, 1), max(height for _, height in row)))
            left += width + more + _GAP
    return placed, filled


def place_waiting(waiting: Sequence[int], boxes: Mapping[int, Box], top: float) -> dict[int, Point]:
    """Place nodes outside of groups in rows below ``top``."""
    if not waiting:
        return {}
    sizes = [boxes[number] for number in waiting]
    shapes = _shapes(_place_in_rows(sizes, most_width=MOST_WIDTH), sizes)
    return {
        number: (round(x, 1), round(y + top + _CAPTION, 1))
        for number, (x, y) in zip(waiting, shapes, strict=True)
    }


def _shapes(places: Sequence[Point], boxes: Sequence[Box]) -> Iterator[Point]:
    """Return the centres of the shapes, which stand at the top of their boxes over the labels."""
    for (x, y), (_, height) in zip(places, boxes, strict=True):
        yield x, y - height / 2 + _SHAPE_TO_TOP


def _frame_size(places: Mapping[int, Point], boxes: Mapping[int, Box]) -> Box:
    width = max(x + boxes[number][0] / 2 for number, (x, _) in places.items())
    height = max(y - _SHAPE_TO_TOP + boxes[number][1] for number, (_, y) in places.items())
    return round(width + 2 * _MARGIN, 1), round(height + _CAPTION + _MARGIN / 2, 1)
