"""Groups of submissions connected by pairs: their pages, and graphs of them side by side."""

import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations, permutations
from math import ceil, cos, dist, pi, sin, sqrt
from typing import Final, NamedTuple

from mosslite.display import spelled_out
from mosslite.forests import DisjointSets, grouped
from mosslite.records import Pair, Report, Role, TokenizedSubmission, UnlistedPair
from mosslite.report.html.site import Site
from mosslite.report.timelines import timeline_of
from mosslite.report.wording import not_listed

Box = tuple[float, float]
"""Width and height that a node takes with its label, in pixels."""

Point = tuple[float, float]
"""From left to right, and from top to bottom."""

# On a larger ring, edges are too close to each other to be distinguished.
_MOST_ON_A_RING: Final = 12
# Labels are wider than high, so a picture that is wider than high has more room for them.
_FLATTENED: Final = 0.75
# Minimum radius of a ring, which leaves room for the scores on edges.
_LEAST_RADIUS: Final = 90.0

_MOST_WIDTH: Final = 1120.0  # of the page's column
_MARGIN, _GAP, _CAPTION = 14.0, 18.0, 30.0
_SHAPE_TO_TOP: Final = 17.0

# Per character: for letters of most scripts, and for full-width characters.
_NARROW, _WIDE = 7.0, 13.0
_MOST_OF_LABEL: Final = 132.0
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
_SCORE: Final[Box] = (34.0, 18.0)
_BELOW_SHAPE: Final = 8.0  # the middle of a shape and its name


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


class Frame(NamedTuple):
    """The panel behind group ``number``."""

    number: int
    x: float
    y: float
    width: float
    height: float
    members: int


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
    start: Point
    stop: Point
    x: float
    y: float
    width: float
    is_waiting: bool
    has_number: bool
    is_of_dense: bool


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


def draw_graph(
    submissions: Sequence[TokenizedSubmission],
    links: Sequence[Link],
    groups: Sequence[tuple[int, ...]],
    dense: Container[Sequence[int]] = (),
    numbers: Sequence[int] = (),
) -> Graph:
    """Draw groups side by side, with waiting submissions below them.

    Args:
        submissions: All submissions; their numbers count from 1.
        links: By descending score.
        groups: The members of each.
        dense: Groups in which most share code with most.
        numbers: Numbers of the groups, if not 1, 2 and so on.
    """
    home = {number: at for at, group in enumerate(groups) for number in group}
    at_dense = {number: at for number, at in home.items() if groups[at] in dense}
    numbers = numbers or range(1, len(groups) + 1)
    lines = _drawn(links, home, at_dense)
    # A member whose pairs are all unlisted has no edge either.
    drawn = dict.fromkeys((*(number for link in lines for number in link.ends), *home))
    labels = {number: shortened(submissions[number - 1].name) for number in drawn}
    boxes = {number: _box(submissions[number - 1], label) for number, label in labels.items()}
    inside = _lines_inside(lines, home)
    insides = [
        place_group({n: boxes[n] for n in group}, inside.get(at, ()))
        for at, group in enumerate(groups)
    ]
    places, frames = _framed(insides, boxes, numbers)
    height = max((frame.y + frame.height for frame in frames), default=0.0)
    width = max((frame.x + frame.width for frame in frames), default=_MOST_WIDTH)
    waiting = {number: boxes[number] for number in labels if number not in places}
    places |= {
        number: (round(x, 1), round(y + height + _CAPTION, 1))
        for number, (x, y) in _in_rows(waiting, _MOST_WIDTH).items()
    }
    above = _named_above(lines, places)
    edges = _edges(lines, groups, at_dense, places, boxes)
    high = sum(link.is_high and link.left in home for link in links)
    return Graph(
        nodes=tuple(
            Node(n, submissions[n - 1], labels[n], *places[n], n in waiting, n in above)
            for n in sorted(labels)
        ),
        edges=tuple(reversed(edges)),
        frames=frames,
        width=width if not waiting else _MOST_WIDTH,
        height=height,
        left_out=high - sum(link.is_high and link.left in home for link in lines),
        dense=frozenset(numbers[at] for at in at_dense.values()),
    )


# --- what is drawn -------------------------------------------------------------------------------


def _drawn(links: Sequence[Link], home: Collection[int], dense: Mapping[int, int]) -> list[Link]:
    """Choose the edges to draw: a spanning tree, the strongest, and those of dense groups.

    A group too small to be drawn is added with the links of a lower threshold.
    """
    small = [link for link in links if link.is_high and link.left not in home]
    others = {end: link for link in small for end in link.ends}
    room, room_of_dense = _LINES_PER_NODE * len(home), _MOST_OF_DENSE
    known, chosen, sets = set(home), list[Link](), DisjointSets[int]()
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
        is_too_many = len(known | newcomers) > len(home) + _MOST_WAITING
        if (joins or (has_room and link.is_high)) and not is_too_many:
            known |= newcomers
            chosen += [link, *brought]
    return sorted(chosen, key=lambda link: (-link.score, link.rank))


def _is_of_dense(link: Link, dense: Mapping[int, int]) -> bool:
    group = dense.get(link.left)
    return link.is_high and group is not None and group == dense.get(link.right)


def _lines_inside(
    lines: Iterable[Link], home: Mapping[int, int]
) -> dict[int, list[tuple[int, int]]]:
    """Return the ends of the lines inside each group, by its place."""
    inside: dict[int, list[tuple[int, int]]] = {}
    for link in lines:
        if link.left in home and home[link.left] == home.get(link.right):
            inside.setdefault(home[link.left], []).append(link.ends)
    return inside


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


def _box(submission: TokenizedSubmission, label: str) -> Box:
    roles = 0.0 if submission.role.value == "current" else _ROLE_HEIGHT
    return (max(_width_of(label), _LEAST_NODE_WIDTH) + 12, _NODE_HEIGHT + roles)


# --- where it is: shapes stand at the top of their boxes, over the labels ------------------------


def place_group(boxes: Mapping[int, Box], lines: Sequence[tuple[int, int]]) -> dict[int, Point]:
    """Place the members of a group without overlapping boxes, connected ones near each other.

    A few nodes with edges are placed on a ring, others in rows.

    Args:
        boxes: Width and height of each node.
        lines: Edges between nodes, the strongest first.

    Returns:
        The centre of each shape, relative to the top left corner of all boxes.
    """
    ordered = {node: boxes[node] for node in _depth_first(boxes, lines)}
    if lines and len(boxes) <= _MOST_ON_A_RING:
        return _on_ring(ordered)
    width, height = _largest(boxes)
    columns = ceil(sqrt(len(boxes) * height / width)) + 1  # about as wide as high
    return _in_rows(ordered, min(columns * width, _MOST_WIDTH - 2 * _MARGIN))


def _depth_first(nodes: Iterable[int], lines: Iterable[tuple[int, int]]) -> list[int]:
    """Return all nodes in the order of a depth-first search along the edges."""
    neighbours: dict[int, list[int]] = {node: [] for node in nodes}
    for one, other in lines:
        neighbours[one].append(other)
        neighbours[other].append(one)
    order: dict[int, None] = {}
    for root in neighbours:
        stack = [root]
        while stack:
            node = stack.pop()
            if node not in order:
                order[node] = None
                stack.extend(reversed(neighbours[node]))
    return list(order)


def _on_ring(boxes: Mapping[int, Box]) -> dict[int, Point]:
    """Place nodes clockwise on the smallest ellipse with room for all, from the left."""
    # Rounded, as the last digits of a cosine differ between machines.
    turns = [pi + 2 * pi * node / len(boxes) for node in range(len(boxes))]
    ring = [(round(cos(turn), 6), round(sin(turn) * _FLATTENED, 6)) for turn in turns]
    nodes = [*zip(ring, boxes.values(), strict=True)]
    radius = max([_LEAST_RADIUS] + [_apart_at(*two) for two in combinations(nodes, 2)])
    left = min(x * radius - width / 2 for (x, _), (width, _) in nodes)
    top = min(y * radius - height / 2 for (_, y), (_, height) in nodes)
    centres = [(x * radius - left, y * radius - top) for x, y in ring]
    return _shapes(boxes, centres)


def _apart_at(one: tuple[Point, Box], other: tuple[Point, Box]) -> float:
    """Return the factor by which to enlarge a ring so that two boxes on it do not overlap."""
    (place, box), (other_place, other_box) = one, other
    return min(
        (box[axis] + other_box[axis]) / 2 / gap
        for axis in (0, 1)
        if (gap := abs(place[axis] - other_place[axis]))
    )


def _in_rows(boxes: Mapping[int, Box], most_width: float) -> dict[int, Point]:
    """Place nodes row by row; every second one is slightly lower, so that links are visible."""
    if not boxes:
        return {}
    width, height = _largest(boxes)
    columns = max(int(most_width // width), 1)
    cells = [divmod(node, columns) for node in range(len(boxes))]
    centres = [
        ((column + 0.5) * width, (row * 1.75 + 0.5 + column % 2 * 0.75) * height)
        for row, column in cells
    ]
    return _shapes(boxes, centres)


def _largest(boxes: Mapping[int, Box]) -> Box:
    return max(width for width, _ in boxes.values()), max(height for _, height in boxes.values())


def _shapes(boxes: Mapping[int, Box], centres: Iterable[Point]) -> dict[int, Point]:
    """Return the centres of shapes from those of their boxes."""
    return {
        node: (x, y - height / 2 + _SHAPE_TO_TOP)
        for (node, (_, height)), (x, y) in zip(boxes.items(), centres, strict=True)
    }


def _framed(
    insides: Sequence[Mapping[int, Point]], boxes: Mapping[int, Box], numbers: Sequence[int]
) -> tuple[dict[int, Point], tuple[Frame, ...]]:
    """Put groups side by side in rows as wide as the page, each in the middle of its frame.

    A group alone has no more room than it needs, so that small screens show it.
    """
    sizes = list[Box]()
    for inside in insides:
        width = max(x + boxes[number][0] / 2 for number, (x, _) in inside.items())
        height = max(y - _SHAPE_TO_TOP + boxes[number][1] for number, (_, y) in inside.items())
        sizes.append((round(width + 2 * _MARGIN, 1), round(height + _CAPTION + _MARGIN / 2, 1)))
    corners = pack(sizes, gap=_GAP, most_width=_MOST_WIDTH if len(sizes) > 1 else 0)
    places, frames = dict[int, Point](), list[Frame]()
    for at, (left, top, width, height) in enumerate(corners):
        own_width, own_height = sizes[at]
        frames.append(Frame(numbers[at], left, top, width, height, len(insides[at])))
        for number, (x, y) in insides[at].items():
            places[number] = (
                round(x + left + _MARGIN + (width - own_width) / 2, 1),
                round(y + top + _CAPTION + (height - own_height) / 2, 1),
            )
    return places, tuple(frames)


def pack(
    sizes: Iterable[Box], *, gap: float, most_width: float
) -> list[tuple[float, float, float, float]]:
    """Put rectangles side by side in rows that they fill, in their order, equally high in each.

    Returns:
        Left, top, width and height of each.
    """
    rows: list[list[Box]] = []
    for size in sizes:
        if not rows or sum(width + gap for width, _ in rows[-1]) + size[0] > most_width:
            rows.append([])
        rows[-1].append(size)
    placed, top = list[tuple[float, float, float, float]](), 0.0
    for row in rows:
        height = max(height for _, height in row)
        spare = most_width - sum(width for width, _ in row) - gap * (len(row) - 1)
        left, more = 0.0, max(spare, 0.0) / len(row)
        for width, _ in row:
            placed.append((round(left, 1), top, round(width + more, 1), height))
            left += width + more + gap
        top += height + gap
    return placed


def _named_above(lines: Iterable[Link], places: Mapping[int, Point]) -> set[int]:
    """Return the nodes whose lines all lead down."""
    ends = [two for each in lines for two in permutations(each.ends)]
    others = {one for one, other in ends if places[other][1] <= places[one][1]}
    return {one for one, _ in ends} - others


# --- edges ---------------------------------------------------------------------------------------


def _edges(
    lines: Iterable[Link],
    groups: Sequence[tuple[int, ...]],
    dense: Mapping[int, int],
    places: Mapping[int, Point],
    boxes: Mapping[int, Box],
) -> list[_Edge]:
    """Return the edges of lines, the strongest first; a score hides no name and no higher score."""
    group_of = {number: group for group in groups for number in group}
    taken = {
        group: [((places[n][0], places[n][1] + _BELOW_SHAPE), boxes[n]) for n in group]
        for group in groups
        if len(group) <= _MOST_NUMBERED
    }
    edges = []
    for link in lines:
        start, stop = places[link.left], places[link.right]
        x, y = round((start[0] + stop[0]) / 2, 1), round((start[1] + stop[1]) / 2, 1)
        group = group_of.get(link.left, ())
        is_waiting = not link.is_high or not group
        is_of_dense, areas = _is_of_dense(link, dense), taken.get(group, [])
        has_number = (
            not is_waiting
            and group in taken
            and dist(start, stop) >= _LEAST_NUMBERED_LENGTH
            and not any(_overlap(((x, y), _SCORE), other) for other in areas)
        )
        if has_number:
            areas.append(((x, y), _SCORE))
        thickest = _THICKEST_OF_MANY if len(group) > _MOST_WITH_THICK else _THICKEST
        width = _THINNEST + (thickest - _THINNEST) * link.score**3
        width = _OF_DENSE if is_of_dense else round(width, 1)
        edges.append(_Edge(link, start, stop, x, y, width, is_waiting, has_number, is_of_dense))
    return edges


def _overlap(one: tuple[Point, Box], other: tuple[Point, Box]) -> bool:
    (place, size), (other_place, other_size) = one, other
    return all(
        abs(place[axis] - other_place[axis]) < (size[axis] + other_size[axis]) / 2
        for axis in (0, 1)
    )


# --- groups and their pages ----------------------------------------------------------------------

# A graph of two submissions shows no more than the row of the pair.
_LEAST_DRAWN: Final = 3

# The graph of all shows the first groups with so many members; a larger group is not drawn.
_MOST_NODES: Final = 200

# In the graph of a larger group few scores have room.
_MOST_IN_GRAPH: Final = 9
# Larger matrices are wider than any screen; the list of members is shown instead.
_MOST_MEMBERS: Final = 60

# Shades from the lowest score to 1.
_SHADES: Final = 5


# A group with more pairs per member than are drawn, and with this share of all possible pairs, is
# dense: it is shown as a matrix, not as a graph.
_DENSE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Group:
    """Submissions connected by pairs above the threshold, by number, and these pairs by score."""

    number: int
    members: tuple[int, ...]
    links: tuple[Link, ...]

    @property
    def entries(self) -> list[Link]:
        """The listed pairs."""
        return [each for each in self.links if each.rank]

    @property
    def score(self) -> float:
        """The highest score of its pairs."""
        return self.links[0].score

    @property
    def is_drawable(self) -> bool:
        """Whether a browser draws it, and a reader sees anything in it."""
        return len(self.members) <= _MOST_NODES

    @property
    def is_dense(self) -> bool:
        """Whether most members are paired with most others, so that edges would hide each other."""
        most = len(self.members) * (len(self.members) - 1) // 2
        return len(self.links) > max(_LINES_PER_NODE * len(self.members), most * _DENSE)


def _matrix_of(group: Group) -> dict[tuple[int, int], tuple[Link, int]]:
    """Return the pairs of a group, and a shade for each, by the numbers of both submissions.

    Empty for a group whose graph has room for its scores, and for one that is too large.
    """
    is_small = len(group.members) <= _MOST_IN_GRAPH and not group.is_dense
    if is_small or len(group.members) > _MOST_MEMBERS:
        return {}
    lowest, cells = min(each.score for each in group.links), {}
    for each in group.links:
        share = (each.score - lowest) / (1 - lowest) if lowest < 1 else 1.0
        shade = min(int(share * _SHADES) + 1, _SHADES)
        cells[each.left, each.right] = cells[each.right, each.left] = each, shade
    return cells


@dataclass(frozen=True)  # not slotted, for cached properties
class Cases:
    """All pairs, the listed ones first, and the groups connected by those above the threshold."""

    links: tuple[Link, ...]
    groups: tuple[Group, ...]

    @property
    def entries(self) -> list[Link]:
        """The listed pairs, by rank."""
        return [each for each in self.links if each.rank]

    @cached_property
    def entries_of(self) -> Mapping[int, Sequence[Link]]:
        """The listed pairs of each submission in one, by its number and by rank."""
        found = defaultdict[int, list[Link]](list)
        for entry in self.entries:
            for end in entry.ends:
                found[end].append(entry)
        return dict(found)

    @cached_property
    def group_of(self) -> Mapping[int, Group]:
        """The group of each submission in one, by its number."""
        return {member: group for group in self.groups for member in group.members}


def cases_of(report: Report) -> Cases:
    """Find the groups of a report."""
    links = links_of(report)
    return Cases(links, groups_of(links))


def pictures_of(report: Report, cases: Cases) -> tuple[Graph, list[Graph | None]]:
    """Draw the larger groups in one graph, with waiting submissions, and each in one of its own."""
    dense = {group.members for group in cases.groups if group.is_dense}
    large = [group for group in drawn_groups(cases.groups) if group.is_drawable]
    nodes = [*accumulate(len(group.members) for group in large)]
    large = large[: bisect_right(nodes, _MOST_NODES)]
    members, numbers = [group.members for group in large], [group.number for group in large]
    links = sorted(cases.links, key=lambda link: -link.score)
    of_all = draw_graph(report.submissions, links, members, dense, numbers)
    return of_all, [
        draw_graph(report.submissions, group.links, [group.members], dense)
        if group.is_drawable
        else None
        for group in cases.groups
    ]


def drawn_groups(groups: Iterable[Group]) -> list[Group]:
    """Return the groups of which there is a graph."""
    return [group for group in groups if len(group.members) >= _LEAST_DRAWN]


def links_of(report: Report) -> tuple[Link, ...]:
    """Return the listed pairs, then those above the threshold that are not listed."""
    numbers, highs = report.numbers, report.highs
    pairs: list[Pair | UnlistedPair] = [*report.pairs, *report.unlisted]
    ends = [(numbers[pair.left.name], numbers[pair.right.name]) for pair in pairs]
    near = _neighbours(end for pair, end in zip(pairs, ends, strict=True) if highs.hold(pair))
    return tuple(
        Link(
            pair,
            rank if rank <= len(report.pairs) else 0,
            left,
            right,
            limit=highs.limit_of(pair),
            others=len((near[left] | near[right]) - {left, right}),
        )
        for rank, (pair, (left, right)) in enumerate(zip(pairs, ends, strict=True), 1)
    )


def groups_of(links: Iterable[Link]) -> tuple[Group, ...]:
    """Return the groups of the pairs above the threshold, by descending score."""
    high = sorted((link for link in links if link.is_high), key=lambda link: -link.score)
    return tuple(
        Group(number, tuple(sorted({end for link in own for end in link.ends})), tuple(own))
        for number, own in enumerate(grouped(high, lambda link: link.ends), 1)
    )


def write_groups(report: Report, site: Site, cases: Cases, graphs: Iterable[Graph | None]) -> None:
    """Write a page for each group, with its graph if it has one."""
    for group, graph in zip(cases.groups, graphs, strict=True):
        near = _neighbours(link.ends for link in group.links)
        site.write_page(
            f"groups/{group.number}.html",
            "group.html",
            group=group,
            group_count=len(cases.groups),
            threshold=min((each.limit for each in group.entries), default=report.highs.usual),
            graph=graph,
            hand_ins=timeline_of(group.members, report.submissions),
            links={member: len(near[member]) for member in group.members},
            matrix=_matrix_of(group),
            not_listed=not_listed(report, site.texts),
            roles=other_roles(report.submissions[number - 1] for number in group.members),
        )


def other_roles(submissions: Iterable[TokenizedSubmission]) -> list[Role]:
    """Return the roles besides CURRENT that occur among submissions."""
    present = {submission.role for submission in submissions}
    return [role for role in (Role.PRIOR, Role.REFERENCE) if role in present]


def _neighbours(ends: Iterable[tuple[int, int]]) -> Mapping[int, set[int]]:
    near = defaultdict[int, set[int]](set)
    for left, right in ends:
        near[left].add(right)
        near[right].add(left)
    return near
