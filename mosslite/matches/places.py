"""From tiles of tokens to matches that a reader can find in the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.matches.blocks import block_numbers
from mosslite.matches.lines import extended, free_lines
from mosslite.model import Match, Pair
from mosslite.spans import covered, positions_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.columns import Tile, TokenStream
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
    columns = [(tile.left_start, tile.right_start, tile.length) for tile in tiles]
    lefts, rights, lengths = np.array(columns, np.int64).reshape(-1, 3).T
    matched = int(lengths.sum())
    sizes = len(left.comparable), len(right.comparable)
    return Pair(
        left=left,
        right=right,
        score=score,
        left_similarity=_share(matched, sizes[0]),
        right_similarity=_share(matched, sizes[1]),
        similarity=_share(2 * matched, sum(sizes)),
        matched_tokens=matched,
        matched_lines=min(_line_count(left, lefts, lengths), _line_count(right, rights, lengths)),
        longest_match=int(lengths.max(initial=0)),
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


def _line_count(work: Work, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> int:
    """Count the lines that hold a token of any of the ranges."""
    held = positions_in(starts, lengths)
    numbers, tokens = work.comparable.documents[held], work.comparable.tokens[held]
    return sum(
        _lines_held(work.documents[number].stream, tokens[numbers == number])
        for number in sorted({*numbers.tolist()})
    )


def _lines_held(stream: TokenStream, tokens: NDArray[np.int32]) -> int:
    firsts, behind = stream.lines[tokens], stream.last_lines[tokens] + 1
    return int(np.count_nonzero(covered(firsts, behind, int(behind.max()))))
