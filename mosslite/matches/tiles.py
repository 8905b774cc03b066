"""Greedy tiling: the longest verified run first, and no token in two matches."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from mosslite.columns import Tile
from mosslite.matches.runs import maximal_runs
from mosslite.spans import ranges_of

if TYPE_CHECKING:
    from mosslite.columns import Comparable, KGrams

__all__ = ["find_tiles"]


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
    runs = maximal_runs(left, left_grams, right, right_grams)
    queue = [(-length, i, j) for i, j, length in runs.tolist()]
    heapq.heapify(queue)
    free = [bytearray(b"\1" * len(side)) for side in (left, right)]
    is_free = [np.frombuffer(side, np.bool_) for side in free]
    shortest = b"\1" * min((each.thresholds.noise for each in left.stretches), default=1)
    tiles = []
    while queue:
        negative, i, j = heapq.heappop(queue)
        length = -negative
        # Most runs are inside longer ones, and nothing is as cheap as to search bytes.
        if any(
            side.find(shortest, at, at + length) < 0 for side, at in zip(free, (i, j), strict=True)
        ):
            continue
        left_run, right_run = slice(i, i + length), slice(j, j + length)
        # Equal hashes alone are no match: the tokens must be equal.
        is_match = left.codes[left_run] == right.codes[right_run]
        is_match &= is_free[0][left_run] & is_free[1][right_run]
        count = np.count_nonzero(is_match)
        if count == length:
            tiles.append(Tile(i, j, length))
            is_free[0][left_run] = is_free[1][right_run] = False
            continue
        noise = left.stretch_of(i).thresholds.noise
        for start, stop in ranges_of(is_match).tolist() if count >= noise else ():
            if stop - start >= noise:
                heapq.heappush(queue, (start - stop, i + start, j + start))
    return tuple(sorted(tiles, key=lambda tile: tile.left_start))
