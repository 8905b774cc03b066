"""Draws graphs of shared code: nodes with room for labels, edges, and groups side by side."""

import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from math import ceil, cos, dist, pi, sin, sqrt
from typing import Final, NamedTuple

from mosslite.display import spelled_out
from mosslite.forests import DisjointSets
from mosslite.records import Pair, TokenizedSubmission, UnlistedPair

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


@dataclass(frozen=True, slots=True)
class Link:
    """A pair, with the numbers of its submissions, from 1.

    Attributes:
        rank: Its position in the list, from 1; 0 if it is not listed.
        limit: The threshold for a pair like this, which can differ between languages.
        others: Number of other submissions in pairs above the threshold with one of the two.
    """

    pair: Pair | UnlistedPair
    rank: int
    left: int
    right: int
    limit: float
    others: int

    @property
    def ends(self) -> tuple[int, int]:
        """The numbers of both submissions."""
        return self.left, self.right

    @property
    def score(self) -> float:
        """The pair's score."""
        return self.pair.score

    @property
    def is_high(self) -> bool:
        """Whether it is above the threshold."""
        return self.score >= self.limit


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


# --- what is drawn ---

# Pixels per character: for letters of most scripts, and for full-width characters.
_NARROW, _WIDE = 7.0, 13.0
_MOST_OF_LABEL: Final = 132.0


def shortened(name: str) -> str:
    """Cut the middle out of a name that is too wide for a label, hidden characters spelled out."""
    name = " ".join(spelled_out(name).split()) or "-"
    if _width_of(name) <= _MOST_OF_LABEL:
        return name
    half = (_MOST_OF_LABEL - _WIDE) / 2
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


def draw_graph(submissions: Sequence[TokenizedSubmission], wanted: Wanted) -> Graph:
    """Draw groups side by side, with waiting submissions below them.

    Args:
        submissions: All submissions; their numbers count from 1.
        wanted: What to draw.
    """
    lines = _drawn(wanted)
    ends = [number for link in lines for number in link.ends]
    # A member whose pairs are all unlisted has no edge either.
    members = [number for group in wanted.groups for number in group]
    labels = {n: shortened(submissions[n - 1].name) for n in dict.fromkeys((*ends, *members))}
    boxes = {n: _box(submissions[n - 1], label) for n, label in labels.items()}
    insides = [
        place_cluster(each, most_width=INNER_WIDTH)
        for each in clusters_of(wanted.groups, lines, boxes)
    ]
    places, frames = place_groups(wanted.groups, insides, boxes)
    numbers = wanted.numbers or range(1, len(frames) + 1)
    frames = tuple(replace(each, number=n) for each, n in zip(frames, numbers, strict=True))
    height = max((frame.y + frame.height for frame in frames), default=0.0)
    width = max((frame.x + frame.width for frame in frames), default=MOST_WIDTH)
    waiting = [number for number in labels if number not in places]
    places |= place_waiting(waiting, boxes, height)
    above, dense = _named_above(lines, places), _dense_members(wanted)
    many = {n for group in wanted.groups if len(group) > _MOST_WITH_THICK for n in group}
    edges = [_edge(link, places, waiting, dense, many) for link in lines]
    numbered = _numbered(edges, wanted.groups, places, boxes)
    return Graph(
        nodes=tuple(
            Node(n, submissions[n - 1], labels[n], *places[n], n in waiting, n in above)
            for n in sorted(labels)
        ),
        edges=tuple(
            replace(edge, has_number=edge.link.ends in numbered) for edge in reversed(edges)
        ),
        frames=frames,
        width=width if not waiting else MOST_WIDTH,
        height=height,
        left_out=_high_count(wanted.links, wanted) - _high_count(lines, wanted),
        dense=frozenset(
            n for n, group in zip(numbers, wanted.groups, strict=True) if group in wanted.dense
        ),
    )


def _named_above(lines: Iterable[Link], places: Mapping[int, Point]) -> set[int]:
    """Return the nodes whose lines all lead down."""
    ends = [two for each in lines for two in permutations(each.ends)]
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
    sets = DisjointSets[int]()
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
        brought = [others[end] for end in link.ends if end in others.keys() - known]
        newcomers = {end for each in (link, *brought) for end in each.ends} - known
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
    return {end: link for link in links for end in link.ends}


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
            numbered.add(edge.link.ends)
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
