"""From tiles of tokens to matches that a reader can find in the files, for many pairs at once."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.matching.sides import Side, extended
from mosslite.ranges import covered, expand_ranges, segment_sums
from mosslite.records import Comparable, Location, Match, Tile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.matching.tiles import Tiles

__all__ = ["Coverage", "block_numbers", "coverage_of", "matches_of"]


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


_Sides = tuple["Side", "Side"]


class Coverage(NamedTuple):
    """How much of a pair is matched; ``Pair`` says what each number is."""

    left_similarity: float
    right_similarity: float
    similarity: float
    matched_tokens: int
    matched_lines: int
    longest_match: int


def coverage_of(pairs: Sequence[_Sides], tiles: Tiles) -> list[Coverage]:
    """Count what the tiles of each pair cover."""
    owners = np.repeat(np.arange(len(pairs)), tiles.counts)
    longest = np.zeros(len(pairs), np.int64)
    np.maximum.at(longest, owners, tiles.lengths)
    lines = np.minimum(
        _line_counts([left for left, _ in pairs], tiles.lefts, tiles, owners),
        _line_counts([right for _, right in pairs], tiles.rights, tiles, owners),
    )
    tokens = segment_sums(tiles.lengths, tiles.counts)
    numbers = zip(tokens.tolist(), lines.tolist(), longest.tolist(), strict=True)
    return [_coverage(*sides, each) for sides, each in zip(pairs, numbers, strict=True)]


def _coverage(left: Side, right: Side, numbers: tuple[int, int, int]) -> Coverage:
    matched, _, _ = numbers
    sizes = len(left.work.comparable), len(right.work.comparable)
    return Coverage(
        _share(matched, sizes[0]),
        _share(matched, sizes[1]),
        _share(2 * matched, sum(sizes)),
        *numbers,
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _line_counts(
    sides: Sequence[Side], starts: NDArray[np.int64], tiles: Tiles, owners: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count the lines of each side that hold a token of its tiles."""
    places = [each.places for each in sides]
    line_counts = np.array([each.line_count for each in places], np.int64)
    sizes = np.array([len(each.shifts) for each in places], np.int64)
    held = expand_ranges(starts + _shifts(sizes)[owners], tiles.lengths)
    shifts = np.concatenate([each.shifts for each in places])
    shifts += np.repeat(_shifts(line_counts)[:-1], sizes)
    firsts = np.concatenate([each.first_lines for each in places])[held] + shifts[held]
    lasts = np.concatenate([each.last_lines for each in places])[held] + shifts[held]
    return segment_sums(covered(firsts - 1, lasts, int(line_counts.sum())), line_counts)


def _shifts(sizes: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each of several columns begins once they are end to end, and where all end."""
    return np.append(0, np.cumsum(sizes, dtype=np.int64))


def matches_of(pairs: Sequence[_Sides], tiles: Tiles) -> Iterator[tuple[Match, ...]]:
    """Return the matches of each pair, in order of their place on the left."""
    rows = zip(tiles.lefts.tolist(), tiles.rights.tolist(), tiles.lengths.tolist(), strict=True)
    all_tiles = [Tile(*row) for row in rows]
    for sides, (first, stop) in zip(pairs, pairwise(_shifts(tiles.counts).tolist()), strict=True):
        yield tuple(_matches(*sides, all_tiles[first:stop]))


def _matches(left: Side, right: Side, tiles: Sequence[Tile]) -> Iterator[Match]:
    ours = _places(left, [tile.left_start for tile in tiles], tiles)
    theirs = _places(right, [tile.right_start for tile in tiles], tiles)
    comparables = left.work.comparable, right.work.comparable
    gap = min((each.thresholds.noise for each in comparables[0].segments), default=0)
    blocks = block_numbers(*comparables, tiles, gap)
    for tile, block, place, other in zip(tiles, blocks, ours, theirs, strict=True):
        lines = left.free_lines[place.document], right.free_lines[other.document]
        yield Match(*extended(place, other, *lines), tile.length, block)


def _places(side: Side, starts: list[int], tiles: Sequence[Tile]) -> Iterator[Location]:
    """Return where tiles stand on one side."""
    lasts = [start + tile.length - 1 for start, tile in zip(starts, tiles, strict=True)]
    columns = (
        side.work.comparable.documents[starts],
        side.places.starts[starts],
        side.places.stops[lasts],
        side.places.first_lines[starts],
        side.places.last_lines[lasts],
    )
    return map(Location, *(column.tolist() for column in columns))
