"""Where the nodes of a graph stand: room for every label, and groups side by side."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

__all__ = [
    "INNER_WIDTH",
    "MOST_WIDTH",
    "Box",
    "Cluster",
    "Frame",
    "Link",
    "clusters_of",
    "pack",
    "place_connected",
    "place_groups",
    "place_waiting",
]


_LINK_LENGTH: Final = 150.0
_STEPS, _STEPS_OF_MANY, _MANY = 250, 60, 150
# Cosine and sine of the golden angle, 137.5 degrees.
_GOLDEN_TURN: Final = (-0.7373688780783197, 0.6754902942615238)
# Labels are wider than high, so a picture that is wider than high has more room for them.
_FLATTENED: Final = 0.75
_MOST_PUSHES: Final = 300
# Groups of one size go through the forces side by side, so many numbers at a time.
_MOST_NUMBERS: Final = 1 << 15


@dataclass(frozen=True, slots=True)
class Cluster:
    """One group to lay out; equal ones look the same.

    Attributes:
        boxes: Width and height that each node takes with its label.
        lines: Two nodes that pull each other, and how hard, in [0, 1].
    """

    boxes: tuple[tuple[float, float], ...]
    lines: tuple[tuple[int, int, float], ...]


def place_connected(
    clusters: Iterable[Cluster], *, most_width: float
) -> dict[Cluster, NDArray[np.float64]]:
    """Place the nodes of groups by forces (Fruchterman and Reingold), no two boxes on another.

    Those of a group without lines stand in rows, about as wide as high.

    Returns:
        ``(n, 2)`` centres of the boxes of each; the top left corner of all is at 0, 0.
    """
    clusters = list(clusters)
    linked = [cluster for cluster in clusters if cluster.lines]
    return {cluster: _in_a_block(cluster, most_width) for cluster in clusters} | {
        cluster: _settled(places, np.array(cluster.boxes), most_width)
        for batch in _batches(linked)
        for cluster, places in zip(batch, _by_forces(batch), strict=True)
    }


def _in_a_block(cluster: Cluster, most_width: float) -> NDArray[np.float64]:
    boxes = np.array(cluster.boxes)
    width, height = boxes.max(axis=0)
    columns = np.ceil(np.sqrt(len(boxes) * height / width)) + 1
    return _place_in_rows(boxes, most_width=min(columns * width, most_width))


def _batches(clusters: Iterable[Cluster]) -> Iterator[list[Cluster]]:
    """Return groups of one size together, each once."""
    of_size: dict[int, list[Cluster]] = {}
    for cluster in dict.fromkeys(clusters):
        of_size.setdefault(len(cluster.boxes), []).append(cluster)
    for size, alike in of_size.items():
        room = max(_MOST_NUMBERS // size**2, 1)
        yield from (alike[first : first + room] for first in range(0, len(alike), room))


def _settled(
    places: NDArray[np.float64], boxes: NDArray[np.float64], most_width: float
) -> NDArray[np.float64]:
    places = _lying(places) * (1.0, _FLATTENED)
    places = _apart(places, boxes)
    width = _size(places, boxes)[0]
    if width > most_width:
        shrunk = (most_width - boxes[:, 0].max()) / (width - boxes[:, 0].max())
        places = _apart(places * (shrunk, 1.0), boxes, is_upright=True)
    moved: NDArray[np.float64] = places - (places - boxes / 2).min(axis=0)
    return moved


def _place_in_rows(boxes: NDArray[np.float64], *, most_width: float) -> NDArray[np.float64]:
    """Place nodes row by row; every second one is a little lower, so that links can be seen."""
    cell = boxes.max(axis=0)
    columns = max(int(most_width // cell[0]), 1)
    row, column = np.divmod(np.arange(len(boxes)), columns)
    return np.column_stack(
        [(column + 0.5) * cell[0], (row * 1.75 + 0.5 + (column % 2) * 0.75) * cell[1]]
    )


def pack(
    sizes: Sequence[tuple[float, float]], *, gap: float, most_width: float
) -> list[tuple[float, float]]:
    """Put rectangles side by side in rows, in their order, and give their top left corners."""
    corners: list[tuple[float, float]] = []
    left = top = height = 0.0
    for width, own_height in sizes:
        if left and left + width > most_width:
            left, top, height = 0.0, top + height + gap, 0.0
        corners.append((left, top))
        left, height = left + width + gap, max(height, own_height)
    return corners


def _by_forces(batch: Sequence[Cluster]) -> NDArray[np.float64]:
    """Let ``g`` groups of ``n`` nodes find their places: ``(g, n, 2)``.

    Within, the groups are the last axis, so that each step is a few long loops. Sums over nodes
    are made in their order, so that a group looks the same whatever goes beside it.
    """
    count = len(batch[0].boxes)
    places = np.repeat(_spiral(count).T[..., None], len(batch), axis=2)
    pull = _pull(batch)
    steps = _STEPS if count < _MANY else _STEPS_OF_MANY
    for step in range(steps):
        gaps = places[:, None] - places[:, :, None]
        distance = np.maximum(_length(gaps), 1.0)
        strength = (_LINK_LENGTH / distance) ** 2 - pull * distance / _LINK_LENGTH
        # A weak pull to the middle, so that what is hardly linked does not drift away.
        middle = places.cumsum(axis=1)[:, -1:] / count
        force = (gaps * strength).sum(axis=1) - 0.05 * (places - middle)
        length = np.maximum(_length(force), 1e-9)
        reach = np.minimum(length, _LINK_LENGTH * (1 - step / steps))
        places = places + force * (reach / length)
    return np.ascontiguousarray(places.transpose(2, 1, 0))


def _pull(batch: Sequence[Cluster]) -> NDArray[np.float64]:
    """Return how hard any two nodes of each group pull each other: ``(n, n, g)``."""
    count = len(batch[0].boxes)
    pull = np.zeros((count, count, len(batch)))
    for group, cluster in enumerate(batch):
        for one, other, weight in cluster.lines:
            pull[one, other, group] = pull[other, one, group] = 0.4 + weight
    return pull


def _length(ways: NDArray[np.float64]) -> NDArray[np.float64]:
    """Measure ways along x and y, which the first axis tells apart."""
    length: NDArray[np.float64] = np.sqrt((ways * ways).sum(axis=0))
    return length


def _spiral(count: int) -> NDArray[np.float64]:
    """Spread points evenly over a disc, where no two forces balance by symmetry."""
    ways = accumulate(range(count - 1), _turned_on, initial=(1.0, 0.0))
    return np.array(list(ways)) * (_LINK_LENGTH / 2 * np.sqrt(np.arange(count)))[:, None]


def _turned_on(way: tuple[float, float], _step: int) -> tuple[float, float]:
    (x, y), (cosine, sine) = way, _GOLDEN_TURN
    return x * cosine - y * sine, x * sine + y * cosine


def _lying(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn the picture so that it is widest from left to right."""
    x, y = (places - places.mean(axis=0)).T
    # Cosine and sine of twice the angle that the longest way has to the horizon, times the length.
    level, steep = (x * x - y * y).cumsum()[-1], (2 * x * y).cumsum()[-1]
    length = np.sqrt(level * level + steep * steep) or 1.0
    cosine = np.sqrt(max(0.5 + level / length / 2, 0.0))
    sine = np.copysign(np.sqrt(max(0.5 - level / length / 2, 0.0)), steep)
    turned = np.column_stack([x * cosine + y * sine, y * cosine - x * sine])
    # The first node stands on the left, or which way a picture faces would be up to the rounding.
    return turned * (-1.0 if turned[0, 0] > 0 else 1.0, 1.0)


def _apart(
    places: NDArray[np.float64], boxes: NDArray[np.float64], *, is_upright: bool = False
) -> NDArray[np.float64]:
    """Push boxes that lie on each other apart, the shorter way or only upright, until none do."""
    room = (boxes[:, None] + boxes[None]) / 2
    order = np.sign(np.arange(len(boxes))[:, None] - np.arange(len(boxes))[None])
    for _ in range(_MOST_PUSHES):
        gaps = places[:, None] - places[None]
        excess = room - np.abs(gaps)
        on_another = (excess > 0).all(axis=2) & (order != 0)
        if not on_another.any():
            break
        goes_upright = (excess[..., 1] <= excess[..., 0]) | is_upright
        ways = np.stack([on_another & ~goes_upright, on_another & goes_upright], axis=2)
        signs = np.where(gaps == 0, order[..., None], np.sign(gaps))
        places = places + (ways * signs * (excess / 2 + 0.5)).sum(axis=1) * 0.6
    return places


def _size(places: NDArray[np.float64], boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    size: NDArray[np.float64] = (places + boxes / 2).max(axis=0) - (places - boxes / 2).min(axis=0)
    return size


# In pixels, which are the units of the picture.
MOST_WIDTH: Final = 1040.0
_MARGIN, _GAP, _CAPTION = 14.0, 18.0, 30.0
INNER_WIDTH: Final = MOST_WIDTH - 2 * _MARGIN
_SHAPE_TO_TOP: Final = 17.0

Box = tuple[float, float]
"""Width and height that a node takes with its label."""


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
    """Return each group as a layout takes it: its boxes, and the links with both ends in it."""
    home = {
        number: (group, place)
        for group, members in enumerate(groups)
        for place, number in enumerate(members)
    }
    lines: list[list[tuple[int, int, float]]] = [[] for _ in groups]
    for link in links:
        left, right = home.get(link.left), home.get(link.right)
        if left and right and left[0] == right[0]:
            lines[left[0]].append((left[1], right[1], link.score))
    return [
        Cluster(tuple(boxes[number] for number in members), tuple(own))
        for members, own in zip(groups, lines, strict=True)
    ]


def place_groups(
    groups: Sequence[Sequence[int]],
    insides: Sequence[NDArray[np.float64]],
    boxes: Mapping[int, Box],
) -> tuple[dict[int, tuple[float, float]], tuple[Frame, ...]]:
    """Put groups side by side; ``insides`` are the centres of their members' boxes."""
    inside = [
        dict(zip(members, _shapes(centres, [boxes[n] for n in members]), strict=True))
        for members, centres in zip(groups, insides, strict=True)
    ]
    sizes = [_frame_size(places, boxes) for places in inside]
    corners = pack(sizes, gap=_GAP, most_width=MOST_WIDTH)
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


def place_waiting(
    waiting: Sequence[int], boxes: Mapping[int, Box], top: float
) -> dict[int, tuple[float, float]]:
    """Put the nodes that are in no group in rows below ``top``."""
    if not waiting:
        return {}
    sizes = [boxes[number] for number in waiting]
    shapes = _shapes(_place_in_rows(np.array(sizes), most_width=MOST_WIDTH), sizes)
    return {
        number: (round(x, 1), round(y + top + _CAPTION, 1))
        for number, (x, y) in zip(waiting, shapes, strict=True)
    }


def _shapes(places: NDArray[np.float64], boxes: Sequence[Box]) -> Iterator[tuple[float, float]]:
    """Return the centres of the shapes, which stand at the top of their boxes over the labels."""
    for (x, y), (_, height) in zip(places.tolist(), boxes, strict=True):
        yield x, y - height / 2 + _SHAPE_TO_TOP


def _frame_size(
    places: Mapping[int, tuple[float, float]], boxes: Mapping[int, Box]
) -> tuple[float, float]:
    width = max(x + boxes[number][0] / 2 for number, (x, _) in places.items())
    height = max(y - _SHAPE_TO_TOP + boxes[number][1] for number, (_, y) in places.items())
    return round(width + 2 * _MARGIN, 1), round(height + _CAPTION + _MARGIN / 2, 1)
