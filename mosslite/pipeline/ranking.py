"""From works to the pairs that are shown: index, candidates, scores, then order."""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.columns import TraceKind
from mosslite.common import common_passages
from mosslite.evidence import core, grammar, skeleton, traces, wording
from mosslite.fingerprint import noise_hashes, winnowed
from mosslite.index import build_index, build_view
from mosslite.model import untold
from mosslite.pairs import candidate_pairs
from mosslite.pipeline.matching import Ranked
from mosslite.processes import do_all
from mosslite.scores import Evidence, Weights, combined, masses
from mosslite.threshold import ChancePairs, suggested_threshold

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from numpy.typing import NDArray

    from mosslite.columns import Masses, Seen
    from mosslite.model import CommonPassage, Progress, Threshold, Work

__all__ = ["evidence_on", "ranked"]

# How many pairs are scored in depth for each one that is shown, and at the least.
_EXAMINED_PER_SHOWN, _LEAST_EXAMINED = 40, 10_000

# Steps of the histogram of scores.
_STEPS = 50

# Traces that count in the score beside the wording of tokens, which names are in.
_TRACES = (TraceKind.COMMENT, TraceKind.STRING, TraceKind.NUMBER, TraceKind.WORD)
_LAYOUT = (TraceKind.LAYOUT,)

# Of fewer tokens a look takes no longer than a copy of this process, and of more as much memory as
# a third of all works, so that one process takes them all.
_LEAST_SHARED, _MOST_SHARED = 100_000, 4_000_000

# To find the pairs, six looks at them, and to prepare their matches.
_COMPARING_STEPS = 8


class Ranking(NamedTuple):
    """What comes of comparing a batch; ``Report`` says what its parts are."""

    pairs: tuple[Ranked, ...]
    threshold: Threshold | None
    histogram: tuple[int, ...]
    common: tuple[CommonPassage, ...]


def ranked(
    works: Sequence[Work],
    show: int,
    progress: Progress,
    chosen: Collection[str] = (),
    *,
    processes: int = 1,
) -> Ranking:
    """Find the pairs that need a look most, and where to begin looking.

    Args:
        works: In order of role and name.
        show: How many; 0 gives every pair that shares a fingerprint.
        progress: Is told of comparing.
        chosen: Names of works that are here for being like others; the threshold is of the rest.
        processes: How many may look at pairs, this one among them.

    Returns:
        Pairs by descending score, then by names, and what is to be said of the batch as a whole.
    """
    most = max(_EXAMINED_PER_SHOWN * show, _LEAST_EXAMINED) if show else None
    roles = [work.role for work in works]
    comparables = [work.comparable for work in works]
    grams = noise_hashes(comparables)
    common, index = common_passages(works, grams), build_index(winnowed(comparables, grams))
    del grams  # as many as there are tokens
    owners = _owners(works)
    candidates = candidate_pairs(index, roles, owners, most)
    sizes = [0 if work.name in chosen else len(work.comparable) for work in works]
    chance = ChancePairs(roles, sizes)
    sample = chance.sample()
    sample = sample[owners[sample[:, 0]] != owners[sample[:, 1]]]
    progress("comparing", 1, _COMPARING_STEPS)
    scores = _scores(works, np.concatenate([candidates, sample]), progress, processes)
    found, by_chance = scores[: len(candidates)], scores[len(candidates) :]
    ranking = _strongest(candidates, found, works, show)
    progress("comparing", _COMPARING_STEPS, _COMPARING_STEPS)
    return Ranking(
        pairs=tuple(ranking),
        threshold=suggested_threshold(by_chance, found, chance.count),
        histogram=tuple(np.histogram(found, _STEPS, (0.0, 1.0))[0].tolist()),
        common=common,
    )


def _scores(
    works: Sequence[Work], pairs: NDArray[np.int64], progress: Progress, processes: int
) -> NDArray[np.float64]:
    """Score pairs, some of which may be there twice."""
    numbers, places = np.unique(pairs @ (len(works), 1), return_inverse=True)
    distinct = np.stack(np.divmod(numbers, len(works)), axis=1)
    return combined(evidence_on(works, distinct, progress, processes), Weights())[places]


def _strongest(
    pairs: NDArray[np.int64], scores: NDArray[np.float64], works: Sequence[Work], show: int
) -> list[Ranked]:
    """Give pairs by descending score, then by names: so many, or with 0 all."""
    # Works are in order of role and name, so their numbers do not stand for the names.
    names = sorted(range(len(works)), key=lambda number: works[number].name)
    left, right = np.argsort(names)[pairs.T]
    order = np.lexsort((right, left, -scores))[: show or None]
    chosen = zip(scores[order].tolist(), pairs[order].tolist(), strict=True)
    return [Ranked(score, left, right) for score, (left, right) in chosen]


def _owners(works: Sequence[Work]) -> NDArray[np.int64]:
    """Number who handed each work in: equal for attempts of one student in one role."""
    numbers: dict[tuple[str, str], int] = {}
    owners = []
    for number, work in enumerate(works):
        owner = work.submission.hand_in.owner
        owners.append(numbers.setdefault((work.role.value, owner), number) if owner else number)
    return np.array(owners, np.int64)


def evidence_on(
    works: Sequence[Work],
    pairs: NDArray[np.int64],
    progress: Progress = untold,
    processes: int = 1,
) -> Evidence:
    """Collect all there is on pairs of work numbers, ``(m, 2)`` in ascending order."""
    numbers: dict[bytes, int] = {}
    alike = np.array([numbers.setdefault(_digest(work), len(numbers)) for work in works], np.int64)
    is_silent = np.array([not len(work.comparable) for work in works], np.bool_)
    tokens = [work.comparable for work in works]
    documents = [work.documents for work in works]

    def seen(look: Callable[[], Seen], *, with_repeats: bool) -> Masses:
        return masses(pairs, build_view(look(), with_repeats=with_repeats))

    is_worth_it = _LEAST_SHARED <= sum(map(len, tokens)) <= _MOST_SHARED
    # The longest look first: it is to end when the others do.
    written = [partial(traces, documents, kinds) for kinds in (_TRACES, _LAYOUT)]
    structure = [partial(look, tokens) for look in (skeleton, grammar, core)]
    found = do_all(
        [
            partial(seen, partial(wording, tokens), with_repeats=False),
            *(partial(seen, look, with_repeats=True) for look in structure),
            *(partial(seen, look, with_repeats=False) for look in written),
        ],
        processes=processes if is_worth_it else 1,
        told=lambda done: progress("comparing", 1 + done, _COMPARING_STEPS),
    )
    return Evidence(
        wording=found[0],
        structure=tuple(found[1:4]),
        traces=found[4],
        layout=found[5],
        is_same=(alike[pairs[:, 0]] == alike[pairs[:, 1]]) & ~is_silent[pairs].any(axis=1),
    )


def _digest(work: Work) -> bytes:
    return blake2b(work.comparable.wordings.tobytes(), digest_size=16).digest()
