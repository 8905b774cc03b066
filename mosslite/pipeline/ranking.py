"""From works to the pairs that are shown: index, candidates, scores, then matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.evidence import grammar, skeleton, wording
from mosslite.fingerprint import fingerprints, noise_kgrams
from mosslite.index import build_index
from mosslite.matches import find_tiles, pair_of
from mosslite.pairs import candidate_pairs
from mosslite.scores import overlaps, scores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.columns import KGrams
    from mosslite.model import Pair, Progress, Work

__all__ = ["ranked_pairs"]

# How many pairs are scored in depth for each one that is shown, and at the least.
_EXAMINED_PER_SHOWN, _LEAST_EXAMINED = 40, 10_000


def ranked_pairs(works: Sequence[Work], show: int, progress: Progress) -> tuple[Pair, ...]:
    """Find the pairs that need a look most.

    Args:
        works: In order of role and name.
        show: How many; 0 gives every pair that shares a fingerprint.
        progress: Is told how many pairs are matched.

    Returns:
        Pairs by descending score, then by names.
    """
    most = max(_EXAMINED_PER_SHOWN * show, _LEAST_EXAMINED) if show else None
    index = build_index([fingerprints(work.comparable).hashes for work in works])
    candidates = candidate_pairs(index, [work.role for work in works], most)
    views = [
        overlaps(candidates, build_index([view(work.comparable) for work in works]))
        for view in (skeleton, grammar, wording)
    ]
    ranking = [
        (score, left, right)
        for score, (left, right) in zip(scores(*views).tolist(), candidates.tolist(), strict=True)
    ]
    # Works are in order of role and name, so their numbers stand for the names.
    ranking.sort(key=lambda row: (-row[0], row[1], row[2]))
    return tuple(_matched(works, ranking[: show or None], progress))


def _matched(
    works: Sequence[Work],
    ranking: Sequence[tuple[float, int, int]],
    progress: Progress,
) -> Iterator[Pair]:
    grams: dict[int, KGrams] = {}
    for done, (score, *sides) in enumerate(ranking, 1):
        for side in sides:
            if side not in grams:
                grams[side] = noise_kgrams(works[side].comparable)
        left, right = (works[side] for side in sides)
        tiles = find_tiles(left.comparable, grams[sides[0]], right.comparable, grams[sides[1]])
        yield pair_of(left, right, score, tiles)
        progress("matching", done, len(ranking))
