"""From tiles of tokens to matches that a reader can find in the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.model import Match, Pair, Place
from mosslite.spans import line_starts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.model import Tile, Work

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
    comparable = work.comparable
    index = int(comparable.documents[start])
    document = work.documents[index]
    first, last = (int(comparable.tokens[token]) for token in (start, start + length - 1))
    start_char, last_char = int(document.stream.starts[last]), int(document.stream.stops[last])
    last_token = document.file.text[start_char:last_char]
    return Place(
        document=index,
        start_char=int(document.stream.starts[first]),
        stop_char=last_char,
        first_line=int(document.stream.lines[first]),
        last_line=int(document.stream.lines[last]) + len(line_starts(last_token)) - 1,
    )


def _line_count(work: Work, ranges: Sequence[tuple[int, int]]) -> int:
    """Count the lines that hold a token of the ranges ``(start, length)``."""
    lines: set[tuple[int, int]] = set()
    for start, length in ranges:
        documents = work.comparable.documents[start : start + length]
        tokens = work.comparable.tokens[start : start + length]
        index = int(documents[0])
        lines.update(
            (index, line) for line in np.unique(work.documents[index].stream.lines[tokens]).tolist()
        )
    return len(lines)
