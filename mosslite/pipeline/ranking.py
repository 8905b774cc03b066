"""From works to the pairs that are shown: index, candidates, scores, then matches."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from mosslite.columns import TraceKind
from mosslite.evidence import core, grammar, skeleton, traces, wording
from mosslite.fingerprint import fingerprints, noise_kgrams
from mosslite.index import build_index, build_view
from mosslite.matches import find_tiles, pair_of
from mosslite.model import Role
from mosslite.pairs import candidate_pairs
from mosslite.rare import census_of, rare_evidence
from mosslite.scores import combined, masses, overlaps
from mosslite.threshold import sampled_pairs, suggested_threshold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.columns import KGrams, Masses
    from mosslite.model import Pair, Progress, Threshold, Work

__all__ = ["ranked_pairs"]

# How many pairs are scored in depth for each one that is shown, and at the least.
_EXAMINED_PER_SHOWN, _LEAST_EXAMINED = 40, 10_000

# Traces that count in the score, and how many k-grams of tokens one of them is worth. Names are
# in the wording of the tokens; a line's layout says little by itself, but there are many lines.
_TRACES = (
    ((TraceKind.COMMENT, TraceKind.STRING, TraceKind.NUMBER, TraceKind.WORD), 8.0),
    ((TraceKind.LAYOUT,), 2.0),
)


def ranked_pairs(
    works: Sequence[Work], show: int, progress: Progress
) -> tuple[tuple[Pair, ...], Threshold | None]:
    """Find the pairs that need a look most, and where to begin looking.

    Args:
        works: In order of role and name.
        show: How many; 0 gives every pair that shares a fingerprint.
        progress: Is told how many pairs are matched.

    Returns:
        Pairs by descending score, then by names, and the threshold that the batch suggests.
    """
    most = max(_EXAMINED_PER_SHOWN * show, _LEAST_EXAMINED) if show else None
    roles = [work.role for work in works]
    index = build_index([fingerprints(work.comparable).hashes for work in works])
    candidates, sample = candidate_pairs(index, roles, most), sampled_pairs(roles)
    pairs, places = np.unique(np.concatenate([candidates, sample]), axis=0, return_inverse=True)
    scores = scores_of(works, pairs)[places.ravel()]
    found, chance = scores[: len(candidates)], scores[len(candidates) :]
    # Works are in order of role and name, so their numbers stand for the names.
    order = np.lexsort((candidates[:, 1], candidates[:, 0], -found))[: show or None]
    ranking = list(zip(found[order].tolist(), candidates[order].tolist(), strict=True))
    threshold = suggested_threshold(chance, found, _pair_count(roles))
    return tuple(_matched(works, ranking, progress)), threshold


def _pair_count(roles: Sequence[Role]) -> int:
    current = sum(role is Role.CURRENT for role in roles)
    return current * (current - 1) // 2 + current * (len(roles) - current)


def scores_of(works: Sequence[Work], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Score pairs of work numbers, ``(m, 2)`` in ascending order, on all there is of them."""
    written = _written(works, pairs)
    structure = [
        overlaps(masses(pairs, build_view([view(work.comparable) for work in works])))
        for view in (skeleton, grammar, core)
    ]
    digests = np.array([_digest(work) for work in works])
    return combined(structure, overlaps(written), digests[pairs[:, 0]] == digests[pairs[:, 1]])


def _written(works: Sequence[Work], pairs: NDArray[np.int64]) -> Masses:
    """Pool the evidence of what was written: the wording of tokens, and traces."""
    pooled = masses(pairs, build_view([wording(work.comparable) for work in works]))
    for kinds, unit in _TRACES:
        seen = [traces(work.documents, kinds) for work in works]
        pooled += masses(pairs, build_view(seen, unit))
    return pooled


def _digest(work: Work) -> str:
    return blake2b(work.comparable.wordings.tobytes(), digest_size=16).hexdigest()


def _matched(
    works: Sequence[Work],
    ranking: Sequence[tuple[float, list[int]]],
    progress: Progress,
) -> Iterator[Pair]:
    grams: dict[int, KGrams] = {}
    census = census_of(works)
    for done, (score, sides) in enumerate(ranking, 1):
        for side in sides:
            if side not in grams:
                grams[side] = noise_kgrams(works[side].comparable)
        left, right = (works[side] for side in sides)
        tiles = find_tiles(left.comparable, grams[sides[0]], right.comparable, grams[sides[1]])
        yield pair_of(left, right, score, tiles, rare_evidence(left, right, census))
        progress("matching", done, len(ranking))
