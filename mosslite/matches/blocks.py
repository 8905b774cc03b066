"""Which matches belong together: those with little between them on both sides."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.columns import Comparable, Tile

__all__ = ["block_numbers"]


def block_numbers(
    left: Comparable, right: Comparable, tiles: Sequence[Tile], gap: int
) -> tuple[int, ...]:
    """Number the blocks that tiles merge to, one number for each tile.

    As in SIGMOD 2003, section 5.2, matches that follow each other on both sides become one; here
    with up to ``gap`` other tokens between them on either side, which is what a statement that
    was put in or changed leaves behind.

    Args:
        left: Comparable tokens of one side.
        right: Comparable tokens of the other.
        tiles: In order of their place on the left.
        gap: In tokens.
    """
    begins = [1] * len(tiles[:1])
    for before, tile in pairwise(tiles):
        left_gap = tile.left_start - before.left_start - before.length
        right_gap = tile.right_start - before.right_start - before.length
        goes_on = (
            left_gap <= gap
            and 0 <= right_gap <= gap
            and left.documents[tile.left_start] == left.documents[before.left_start]
            and right.documents[tile.right_start] == right.documents[before.right_start]
        )
        begins.append(not goes_on)
    return tuple(accumulate(begins))
