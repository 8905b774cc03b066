"""Groups as they stand in a picture: each in a frame of its own, the frames in rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from mosslite.report.html.graph_layout import Cluster, pack, place_in_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

__all__ = [
    "INNER_WIDTH",
    "MOST_WIDTH",
    "Box",
    "Frame",
    "Link",
    "clusters_of",
    "place_groups",
    "place_waiting",
]

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
    shapes = _shapes(place_in_rows(np.array(sizes), most_width=MOST_WIDTH), sizes)
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
