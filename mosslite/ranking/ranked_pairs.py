"""From tokenized submissions to the pairs that are shown: index, candidates, scores, order."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.forests import spanning_forest
from mosslite.parallel import do_all, processes_for
from mosslite.ranking.candidates import build_feature_index, build_index, candidate_pairs
from mosslite.ranking.score import (
    WEIGHTS,
    Evidence,
    combined,
    core,
    grammar,
    pair_weights,
    skeleton,
    traces,
    wording,
)
from mosslite.ranking.threshold import languages_of, limits_of, sample_of
from mosslite.records import TraceKind, UnlistedPair, no_progress
from mosslite.winnowing.boilerplate import common_passages
from mosslite.winnowing.fingerprints import noise_hashes, winnowed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from numpy.typing import NDArray

    from mosslite.options import Options
    from mosslite.ranking.threshold import Limits
    from mosslite.records import (
        CommonPassage,
        FeatureSet,
        PairWeights,
        Progress,
        TokenizedSubmission,
    )

__all__ = [
    "Ranked",
    "Shortlist",
    "compared",
    "evidence_on",
    "ranked",
    "shortlist",
]


# Without a number given, all that stands out is listed within these bounds.
_LEAST_LISTED, _MOST_LISTED = 250, 2_000

# In this order pairs are chosen; the rest comes last.
_OF_GROUP, _OF_SUBMISSION, _OF_FOREST, _HIGH, _REST = range(5)


class Shortlist(NamedTuple):
    """What comes of the pairs of a batch.

    Attributes:
        listed: Places of the pairs that are listed, in the order of the ranking.
        unlisted: Those of pairs that stand out and are not listed, likewise.
        submissions: How many submissions are in pairs that stand out.
        groups: How many groups these pairs connect.
    """

    listed: NDArray[np.int64]
    unlisted: NDArray[np.int64]
    submissions: int
    groups: int


def shortlist(
    ranking: NDArray[np.int64],
    is_high: NDArray[np.bool_],
    show: int | None,
    known: int = 0,
) -> Shortlist:
    """Choose the pairs to list.

    First the best pair of each group of submissions that pairs which stand out connect, then the
    best pair of each submission in them, then what else holds the groups together, then all that
    stands out, then the others; at each step by rank. *Cost:* m log n.

    Args:
        ranking: ``(m, 2)`` submissions of each pair, the pair that ranks first in the first row.
        is_high: ``(m,) bool``, those that stand out.
        show: How many to list; 0 for all, None for all that stand out within bounds.
        known: How many a baseline knows: there is room for as many more, and as many and one more
            of the first are listed whatever the others are, so that a new one is among them.
    """
    steps, trees = _steps(ranking, is_high)
    steps[: known + 1] = -1
    if show is None:
        show = int(np.clip(is_high.sum(), _LEAST_LISTED, _MOST_LISTED))
    room = show + known if show else len(ranking)
    is_listed = np.zeros(len(ranking), np.bool_)
    is_listed[np.argsort(steps, kind="stable")[:room]] = True
    inside = np.unique(ranking[is_high])
    return Shortlist(
        listed=np.flatnonzero(is_listed),
        unlisted=np.flatnonzero(is_high & ~is_listed),
        submissions=len(inside),
        groups=len(np.unique(trees[inside])),
    )


def _steps(
    ranking: NDArray[np.int64], is_high: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the step at which each pair is chosen, and the group of each submission by number."""
    high = np.flatnonzero(is_high)
    is_of_forest, trees = spanning_forest(ranking[high], int(ranking.max(initial=-1)) + 1)
    steps = np.where(is_high, _HIGH, _REST)
    steps[high[is_of_forest]] = _OF_FOREST
    ends = ranking[high]
    # Of equal values, the first place is that of the highest rank.
    _, firsts = np.unique(ends.ravel(), return_index=True)
    steps[high[firsts // 2]] = _OF_SUBMISSION
    _, firsts = np.unique(trees[ends[:, 0]], return_index=True)
    steps[high[firsts]] = _OF_GROUP
    return steps, trees


# How many pairs are scored in depth: for each that is shown, at the least, for each submission.
_EXAMINED_PER_SHOWN, _LEAST_EXAMINED, _EXAMINED_OF_EACH = 40, 20_000, 8

# Steps of the histogram of scores.
_STEPS = 50

# Traces that count in the score beside the wording of tokens, which names are in.
_TRACES = (TraceKind.COMMENT, TraceKind.STRING, TraceKind.NUMBER, TraceKind.WORD)
_LAYOUT = (TraceKind.LAYOUT,)

# Of fewer tokens a look takes no longer than a copy of this process, and of more as much memory as
# a third of all submissions, so that one process takes them all.
_LEAST_SHARED, _MOST_SHARED = 100_000, 4_000_000

# To find the pairs, six looks at them, and to prepare their matches.
_COMPARING_STEPS = 8


class Ranked(NamedTuple):
    """A pair that is to be shown: its score, and the numbers of its submissions."""

    score: float
    left: int
    right: int


class Ranking(NamedTuple):
    """What comes of comparing a batch; ``Report`` says what its parts are."""

    pairs: tuple[Ranked, ...]
    unlisted: tuple[UnlistedPair, ...]
    limits: Limits
    histogram: tuple[int, ...]
    common: tuple[CommonPassage, ...]


class Compared(NamedTuple):
    """The pairs of a batch that share most, the one that ranks first in the first row.

    Attributes:
        pairs: ``(m, 2)`` submission numbers.
        scores: ``(m,)``, descending.
        is_high: ``(m,) bool``, those that stand out.
        limits: From which score on they do.
        common: Passages that most of the batch has.
    """

    pairs: NDArray[np.int64]
    scores: NDArray[np.float64]
    is_high: NDArray[np.bool_]
    limits: Limits
    common: tuple[CommonPassage, ...]

    def ranked(self, places: NDArray[np.int64]) -> list[Ranked]:
        """Return the pairs at these places."""
        chosen = zip(self.scores[places].tolist(), self.pairs[places].tolist(), strict=True)
        return [Ranked(score, left, right) for score, (left, right) in chosen]


def ranked(
    submissions: Sequence[TokenizedSubmission],
    options: Options,
    progress: Progress,
    chosen: Collection[str] = (),
) -> Ranking:
    """Find the pairs with the highest scores, and the threshold above which pairs stand out.

    Args:
        submissions: In order of role and name.
        options: How many pairs to list, and how many processes may look at them.
        progress: Called with the comparing that is done.
        chosen: Submissions that are here for being like others; the threshold is of the rest.

    Returns:
        Pairs by descending score, then by names, and what is to be said of the batch as a whole.
    """
    found = compared(submissions, options, progress, chosen)
    listed = shortlist(found.pairs, found.is_high, options.show, options.known)
    progress("comparing", _COMPARING_STEPS, _COMPARING_STEPS)
    return Ranking(
        pairs=tuple(found.ranked(listed.listed)),
        unlisted=tuple(
            UnlistedPair(submissions[left], submissions[right], score)
            for score, left, right in found.ranked(listed.unlisted)
        ),
        limits=_counted(found, listed),
        histogram=tuple(np.histogram(found.scores, _STEPS, (0.0, 1.0))[0].tolist()),
        common=found.common,
    )


def compared(
    submissions: Sequence[TokenizedSubmission],
    options: Options,
    progress: Progress,
    chosen: Collection[str] = (),
) -> Compared:
    """Score the pairs that share most, and tell which of them stand out."""
    comparables = [submission.comparable for submission in submissions]
    grams = noise_hashes(comparables)
    common, index = common_passages(submissions, grams), build_index(winnowed(comparables, grams))
    del grams  # as many as there are tokens
    owners, languages = _owners(submissions), languages_of(submissions)
    roles = [submission.role for submission in submissions]
    candidates = candidate_pairs(index, roles, owners, _most_examined(options), _EXAMINED_OF_EACH)
    sample = sample_of(submissions, languages, owners, chosen)
    progress("comparing", 1, _COMPARING_STEPS)
    both = np.concatenate([candidates, sample.pairs])
    scores = _scores(submissions, both, languages.populations, progress, processes_for(options))
    found, by_chance = scores[: len(candidates)], scores[len(candidates) :]
    limits = limits_of(sample, by_chance, languages, candidates, found)
    order = _order(candidates, found, submissions)
    pairs, found = candidates[order], found[order]
    return Compared(pairs, found, limits.reached(pairs, found, languages), limits, common)


def _most_examined(options: Options) -> int | None:
    if options.show == 0:
        return None
    return max(_EXAMINED_PER_SHOWN * (options.room or 0), _LEAST_EXAMINED)


def _counted(found: Compared, listed: Shortlist) -> Limits:
    """Count the pairs that stand out, and what they connect."""
    threshold = found.limits.threshold
    if threshold is None:
        return found.limits
    counted = replace(
        threshold,
        found=int(found.is_high.sum()),
        submissions=listed.submissions,
        groups=listed.groups,
    )
    return found.limits._replace(threshold=counted)


def _scores(
    submissions: Sequence[TokenizedSubmission],
    pairs: NDArray[np.int64],
    populations: NDArray[np.int64],
    progress: Progress,
    processes: int,
) -> NDArray[np.float64]:
    """Score pairs, some of which may be there twice."""
    numbers, places = np.unique(pairs @ (len(submissions), 1), return_inverse=True)
    distinct = np.stack(np.divmod(numbers, len(submissions)), axis=1)
    evidence = evidence_on(submissions, distinct, populations, progress, processes=processes)
    return combined(evidence, WEIGHTS)[places]


def _order(
    pairs: NDArray[np.int64],
    scores: NDArray[np.float64],
    submissions: Sequence[TokenizedSubmission],
) -> NDArray[np.int64]:
    """Order pairs by descending score, then by names."""
    # Submissions are in order of role and name, so their numbers do not stand for the names.
    names = sorted(range(len(submissions)), key=lambda number: submissions[number].name)
    left, right = np.argsort(names)[pairs.T]
    return np.lexsort((right, left, -scores))


def _owners(submissions: Sequence[TokenizedSubmission]) -> NDArray[np.int64]:
    """Number who handed in each submission: equal for attempts of one student in one role."""
    numbers: dict[tuple[str, str], int] = {}
    owners = []
    for number, submission in enumerate(submissions):
        owner = submission.source.hand_in.owner
        owners.append(
            numbers.setdefault((submission.role.value, owner), number) if owner else number
        )
    return np.array(owners, np.int64)


def evidence_on(
    submissions: Sequence[TokenizedSubmission],
    pairs: NDArray[np.int64],
    populations: NDArray[np.int64] | None = None,
    progress: Progress = no_progress,
    *,
    processes: int = 1,
) -> Evidence:
    """Collect the evidence on pairs of submission numbers, ``(m, 2)`` in ascending order.

    Args:
        submissions: All of the batch, as what is rare depends on all.
        pairs: ``(m, 2)`` submission numbers, in ascending order.
        populations: Among which submissions each is rare or not, as for ``build_feature_index``.
        progress: Called with how much is collected.
        processes: How many may look at pairs, this one among them.
    """
    numbers: dict[bytes, int] = {}
    alike = np.array(
        [numbers.setdefault(_digest(submission), len(numbers)) for submission in submissions],
        np.int64,
    )
    is_silent = np.array([not len(submission.comparable) for submission in submissions], np.bool_)
    tokens = [submission.comparable for submission in submissions]
    documents = [submission.documents for submission in submissions]

    def weights_of(extract: Callable[[], FeatureSet], *, with_repeats: bool) -> PairWeights:
        return pair_weights(
            pairs, build_feature_index(extract(), populations, with_repeats=with_repeats)
        )

    is_worth_it = _LEAST_SHARED <= sum(map(len, tokens)) <= _MOST_SHARED
    # The longest look first: it is to end when the others do.
    written = [partial(traces, documents, kinds) for kinds in (_TRACES, _LAYOUT)]
    structure = [partial(extract, tokens) for extract in (skeleton, grammar, core)]
    found = do_all(
        [
            partial(weights_of, partial(wording, tokens), with_repeats=False),
            *(partial(weights_of, extract, with_repeats=True) for extract in structure),
            *(partial(weights_of, extract, with_repeats=False) for extract in written),
        ],
        processes=processes if is_worth_it else 1,
        on_progress=lambda done: progress("comparing", 1 + done, _COMPARING_STEPS),
    )
    return Evidence(
        wording=found[0],
        structure=tuple(found[1:4]),
        traces=found[4],
        layout=found[5],
        is_same=(alike[pairs[:, 0]] == alike[pairs[:, 1]]) & ~is_silent[pairs].any(axis=1),
    )


def _digest(submission: TokenizedSubmission) -> bytes:
    return blake2b(submission.comparable.lexemes.tobytes(), digest_size=16).digest()
