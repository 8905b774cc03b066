"""From tiles of tokens to matches that a reader can find in the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.model import Match, Pair, Place
from mosslite.spans import covered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.columns import Tile
    from mosslite.model import Work

__all__ = ["pair_of"]


def pair_of(left: Work, right: Work, score: float, tiles: Sequence[Tile]) -> Pair:
    """Describe a pair whose matches are ``tiles``."""
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
        matches=tuple(
            Match(
                _place(left, tile.left_start, tile.length),
                _place(right, tile.right_start, tile.length),
                tile.length,
            )
            for tile in tiles
        ),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _place(work: Work, start: int, length: int) -> Place:
    index, first, last = _ends(work, start, length)
    stream = work.documents[index].stream
    return Place(
        document=index,
        start_char=int(stream.starts[first]),
        stop_char=int(stream.stops[last]),
        first_line=int(stream.lines[first]),
        last_line=int(stream.last_lines[last]),
    )


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


def _ends(work: Work, start: int, length: int) -> tuple[int, int, int]:
    """Give the document that holds a range of comparable tokens, and its first and last token."""
    tokens = work.comparable.tokens
    return (
        int(work.comparable.documents[start]),
        int(tokens[start]),
        int(tokens[start + length - 1]),
    )
