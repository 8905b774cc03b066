"""Greedy tiling: the longest verified run first, and no token in two matches."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.columns import Tile
from mosslite.matches.runs import maximal_runs
from mosslite.spans import ranges_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.columns import Comparable, KGrams

__all__ = ["find_tiles", "tile_columns"]

# Bytes of a symbol code.
_SIZE: Final = 8


def find_tiles(
    left: Comparable, left_grams: KGrams, right: Comparable, right_grams: KGrams
) -> tuple[Tile, ...]:
    """Find the matches of a pair.

    Args:
        left: Comparable tokens of one side.
        left_grams: All its k-grams of noise threshold length.
        right: Comparable tokens of the other.
        right_grams: Likewise.

    Returns:
        Tiles of at least k equal tokens, none overlapping another on either side, in order of
        their place on the left.
    """
    columns = tile_columns(left, left_grams, right, right_grams)
    return tuple(Tile(*row) for row in columns.tolist())


def tile_columns(
    left: Comparable, left_grams: KGrams, right: Comparable, right_grams: KGrams
) -> NDArray[np.int64]:
    """Find tiles as ``find_tiles`` does, ``(m, 3) int64``: left start, right start and length."""
    runs = maximal_runs(left, left_grams, right, right_grams)
    queue = [(-length, i, j) for i, j, length in runs.tolist()]
    heapq.heapify(queue)
    sides = _Free(left), _Free(right)
    shortest = b"\1" * min((each.thresholds.noise for each in left.stretches), default=1)
    tiles = []
    while queue:
        negative, i, j = heapq.heappop(queue)
        length = -negative
        # Most runs are inside longer ones, and nothing is as cheap as to search bytes.
        if (
            sides[0].marks.find(shortest, i, i + length) < 0
            or sides[1].marks.find(shortest, j, j + length) < 0
        ):
            continue
        if _is_tile(sides, i, j, length):
            tiles.append((i, j, length))
            continue
        noise = left.stretch_of(i).thresholds.noise
        for start, stop in _parts(sides, i, j, length):
            if stop - start >= noise:
                heapq.heappush(queue, (start - stop, i + start, j + start))
    columns = np.array(tiles, np.int64).reshape(-1, 3)
    return columns[np.argsort(columns[:, 0])]


class _Free:
    """The codes of a side's tokens as bytes, and a mark on each token that is in no tile yet."""

    __slots__ = ("codes", "marks")

    def __init__(self, comparable: Comparable) -> None:
        self.codes = comparable.codes.tobytes()
        self.marks = bytearray(b"\1" * len(comparable))


def _is_tile(sides: tuple[_Free, _Free], i: int, j: int, length: int) -> bool:
    """Take a run for a tile if all of its tokens are free, and equal: equal hashes are no proof."""
    left, right = sides
    is_tile = (
        left.marks.find(0, i, i + length) < 0
        and right.marks.find(0, j, j + length) < 0
        and left.codes[i * _SIZE : (i + length) * _SIZE]
        == right.codes[j * _SIZE : (j + length) * _SIZE]
    )
    if is_tile:
        left.marks[i : i + length] = right.marks[j : j + length] = bytes(length)
    return is_tile


def _parts(sides: tuple[_Free, _Free], i: int, j: int, length: int) -> list[list[int]]:
    """Give the parts of a run whose tokens are free and equal, as ranges within it."""
    places = zip(sides, (i, j), strict=True)
    codes, marks = zip(
        *(
            (
                np.frombuffer(side.codes, np.uint64, length, at * _SIZE),
                np.frombuffer(bytes(side.marks[at : at + length]), np.bool_),
            )
            for side, at in places
        ),
        strict=True,
    )
    parts: list[list[int]] = ranges_of((codes[0] == codes[1]) & marks[0] & marks[1]).tolist()
    return parts
