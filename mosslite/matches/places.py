"""From tiles of tokens to matches that a reader can find in the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.matches.blocks import block_numbers
from mosslite.matches.lines import extended, free_lines
from mosslite.model import Match, Pair
from mosslite.spans import covered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.columns import Tile
    from mosslite.model import RareEvidence, Work

__all__ = ["pair_of"]


def pair_of(
    left: Work,
    right: Work,
    score: float,
    tiles: Sequence[Tile],
    rare_evidence: tuple[RareEvidence, ...] = (),
) -> Pair:
    """Describe a pair whose matches are ``tiles``, in order of their place on the left."""
    matched = sum(tile.length for tile in tiles)
    sizes = len(left.comparable), len(right.comparable)
    left_lines = _line_count(left, [(tile.left_start, tile.length) for tile in tiles])
    right_lines = _line_count(right, [(tile.right_start, tile.length) for tile in tiles])
    return Pair(
        left=left,
        right=right,
        score=score,
        left_similarity=_share(matched, sizes[0]),
        right_similarity=_share(matched, sizes[1]),
        similarity=_share(2 * matched, sum(sizes)),
        matched_tokens=matched,
        matched_lines=min(left_lines, right_lines),
        longest_match=max((tile.length for tile in tiles), default=0),
        matches=tuple(_matches(left, right, tiles)),
        rare_evidence=rare_evidence,
    )


def _matches(left: Work, right: Work, tiles: Sequence[Tile]) -> Iterator[Match]:
    lines = [[free_lines(document) for document in work.documents] for work in (left, right)]
    gap = min((each.thresholds.noise for each in left.comparable.stretches), default=0)
    blocks = block_numbers(left.comparable, right.comparable, tiles, gap)
    for tile, block in zip(tiles, blocks, strict=True):
        ours = left.place_of(tile.left_start, tile.length)
        theirs = right.place_of(tile.right_start, tile.length)
        places = extended(ours, theirs, lines[0][ours.document], lines[1][theirs.document])
        yield Match(*places, tile.length, block)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _line_count(work: Work, ranges: Sequence[tuple[int, int]]) -> int:
    """Count the lines that hold a token of the ranges ``(start, length)``."""
    lines: set[tuple[int, int]] = set()
    for start, length in ranges:
        index = int(work.comparable.documents[start])
        stream = work.documents[index].stream
        tokens = work.comparable.tokens[start : start + length]
        is_held = covered(
            stream.lines[tokens], stream.last_lines[tokens] + 1, int(stream.last_lines[-1]) + 1
        )
        lines.update((index, line) for line in np.flatnonzero(is_held).tolist())
    return len(lines)
