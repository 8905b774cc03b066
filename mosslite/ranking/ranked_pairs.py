"""Ranks pairs of tokenized submissions: index, candidates, scores, order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from mosslite.forests import spanning_forest
from mosslite.options import CODE_DEFAULTS, Options
from mosslite.parallel import processes_for
from mosslite.ranking.candidates import (
    FINGERPRINT_POWER,
    Unused,
    candidate_pairs,
    feature_indexes,
)
from mosslite.ranking.score import WEIGHTS, Scores, combined
from mosslite.ranking.threshold import Limits, languages_of, limits_of, sample_of
from mosslite.ranking.views import COMPARING_STEPS, evidence_on
from mosslite.records import (
    CommonPassage,
    PlacedBy,
    Progress,
    Role,
    TokenizedSubmission,
    UnlistedPair,
    no_progress,
)
from mosslite.winnowing.boilerplate import common_passages
from mosslite.winnowing.fingerprints import noise_hashes, winnowed

# By default, all pairs above the threshold are listed, within these bounds.
_LEAST_LISTED, _MOST_LISTED = 250, 2_000

# Steps in which pairs are chosen, in this order.
_OF_GROUP, _OF_SUBMISSION, _OF_FOREST, _HIGH, _REST = range(5)


class Shortlist(NamedTuple):
    """The selection of pairs to report.

    Attributes:
        listed: Indices of the pairs to list, in ranking order.
        unlisted: Indices of other pairs above the threshold, likewise.
        submissions: Number of submissions in pairs above the threshold.
        groups: Number of groups that these pairs connect.
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

    In this order: the best pair of each group of submissions connected by pairs above the
    threshold, the best pair of each submission in a group, further pairs needed to connect each
    group, other pairs above the threshold, all other pairs; within each step by rank. *Cost:* m log
    n.

    Args:
        ranking: ``(m, 2)`` submissions of each pair, the highest-ranked first.
        is_high: ``(m,) bool``, pairs above the threshold.
        show: Number of pairs to list; 0 for all, None for all above the threshold within bounds.
        known: Number of pairs known from a baseline: as many more are listed, and at least the
            first ``known + 1`` regardless of the steps, so that a new pair is among them.
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
    """Return the step at which each pair is chosen, and the group of each submission."""
    high = np.flatnonzero(is_high)
    is_of_forest, trees = spanning_forest(ranking[high], int(ranking.max(initial=-1)) + 1)
    steps = np.where(is_high, _HIGH, _REST)
    steps[high[is_of_forest]] = _OF_FOREST
    ends = ranking[high]
    # ``np.unique`` returns the first index of each value, here that of the highest rank.
    _, firsts = np.unique(ends.ravel(), return_index=True)
    steps[high[firsts // 2]] = _OF_SUBMISSION
    _, firsts = np.unique(trees[ends[:, 0]], return_index=True)
    steps[high[firsts]] = _OF_GROUP
    return steps, trees


# Number of pairs scored: per pair shown, at least, and per submission.
_EXAMINED_PER_SHOWN, _LEAST_EXAMINED, _EXAMINED_OF_EACH = 40, 20_000, 8

# Number of bins in the histogram of scores.
_STEPS = 50


class Ranked(NamedTuple):
    """A pair to be shown: its score, the numbers of its submissions, and what placed it."""

    score: float
    left: int
    right: int
    placed_by: PlacedBy = PlacedBy.OVERLAP


class Ranking(NamedTuple):
    """The result of comparing a batch; see ``Report`` for the fields."""

    pairs: tuple[Ranked, ...]
    unlisted: tuple[UnlistedPair, ...]
    best: tuple[UnlistedPair, ...] | None
    limits: Limits
    histogram: tuple[int, ...]
    common: tuple[CommonPassage, ...]
    unused: Unused


class Candidates(NamedTuple):
    """The pairs to score, ``(m, 2)`` in ascending order, and by-products of finding them."""

    pairs: NDArray[np.int64]
    common: tuple[CommonPassage, ...]
    unused: Unused


class Search(Protocol):
    """Access to the tokens of all submissions; the rest of the ranking needs no tokens."""

    def candidates(self, most: int | None, each: int) -> Candidates:
        """Find the pairs that share the most fingerprints, like ``candidate_pairs``."""

    def scores(self, pairs: NDArray[np.int64], populations: NDArray[np.int64]) -> Scores:
        """Score distinct pairs, ``(m, 2)`` in ascending order."""


class Compared(NamedTuple):
    """The pairs of a batch that share most, the highest-ranked first.

    Attributes:
        pairs: ``(m, 2)`` submission numbers.
        scores: ``(m,)``, descending.
        placed_by: ``(m,) uint8``, as in ``Scores``.
        is_high: ``(m,) bool``, pairs above the threshold.
        limits: Thresholds by language.
        common: Passages that most of the batch contains.
        unused: Fingerprints that were not used to find candidates.
    """

    pairs: NDArray[np.int64]
    scores: NDArray[np.float64]
    placed_by: NDArray[np.uint8]
    is_high: NDArray[np.bool_]
    limits: Limits
    common: tuple[CommonPassage, ...]
    unused: Unused

    def ranked(self, places: NDArray[np.int64]) -> list[Ranked]:
        """Return the pairs at these indices."""
        columns = (self.scores, self.pairs, self.placed_by)
        chosen = zip(*(column[places].tolist() for column in columns), strict=True)
        kinds = [*PlacedBy]
        return [Ranked(score, left, right, kinds[kind]) for score, (left, right), kind in chosen]


def ranked(
    submissions: Sequence[TokenizedSubmission],
    options: Options,
    progress: Progress,
    chosen: Collection[str] = (),
    *,
    search: Search | None = None,
) -> Ranking:
    """Find the pairs with the highest scores, and the threshold for review.

    Args:
        submissions: In order of role and name.
        options: Number of pairs to list, and maximum number of processes.
        progress: Called with the progress of the comparison.
        chosen: Names of submissions selected for their similarity; the threshold ignores them.
        search: Access to the tokens; None accesses those of ``submissions``.

    Returns:
        Pairs by descending score, then by information, and data about the batch as a whole.
    """
    progress("comparing", 0, COMPARING_STEPS)
    if search is None:
        search = LocalSearch(submissions, progress, processes_for(options))
    found = compared(submissions, search, options, progress, chosen)
    listed = shortlist(found.pairs, found.is_high, options.show, options.known)
    progress("comparing", COMPARING_STEPS, COMPARING_STEPS)

    def unlisted(places: NDArray[np.int64]) -> tuple[UnlistedPair, ...]:
        return tuple(
            UnlistedPair(submissions[left], submissions[right], score)
            for score, left, right, _ in found.ranked(places)
        )

    return Ranking(
        pairs=tuple(found.ranked(listed.listed)),
        unlisted=unlisted(listed.unlisted),
        best=None if found.unused.count else unlisted(_best_of_others(found, listed)),
        limits=_counted(found, listed),
        histogram=tuple(np.histogram(found.scores, _STEPS, (0.0, 1.0))[0].tolist()),
        common=found.common,
        unused=found.unused,
    )


def compared(
    submissions: Sequence[TokenizedSubmission],
    search: Search,
    options: Options,
    progress: Progress,
    chosen: Collection[str] = (),
) -> Compared:
    """Score the pairs that share most, and estimate the threshold."""
    candidates, common, unused = search.candidates(_most_examined(options), _EXAMINED_OF_EACH)
    names, count = [each.name for each in submissions], len(submissions)
    languages = languages_of([each.language for each in submissions])
    own_tokens = np.array([each.tokens for each in submissions], np.int64)
    is_chosen = np.array([name in chosen for name in names], np.bool_)
    is_tiny = own_tokens < options.thresholds(CODE_DEFAULTS).noise
    if options.show != 0:
        candidates = _few_of_each(candidates, is_tiny, _EXAMINED_OF_EACH)
    tokens = np.where(is_chosen | is_tiny, 0, own_tokens)
    roles = [each.role for each in submissions]
    sample = sample_of(roles, tokens, languages, owners_of(submissions))
    progress("comparing", 1, COMPARING_STEPS)
    both = np.concatenate([candidates, sample.pairs])
    numbers, places = np.unique(both @ (count, 1), return_inverse=True)
    distinct = np.stack(np.divmod(numbers, count), axis=1)
    values, placed_by, bits = search.scores(distinct, languages.populations)
    scores = values[places]
    found, by_chance = scores[: len(candidates)], scores[len(candidates) :]
    limits = limits_of(sample, by_chance, languages, candidates, found)
    of_candidates = places[: len(candidates)]
    order = _order(candidates, found, bits[of_candidates], names)
    pairs, found = candidates[order], found[order]
    is_high = limits.reached(pairs, found, languages)
    placed_by = placed_by[of_candidates][order]
    return Compared(pairs, found, placed_by, is_high, limits, common, unused)


def _few_of_each(
    pairs: NDArray[np.int64], is_tiny: NDArray[np.bool_], most: int
) -> NDArray[np.int64]:
    """Keep a few pairs of each tiny submission; those chain all equal ones together.

    Half a class can hand in the same empty frame of a program.

    Args:
        pairs: ``(m, 2)`` in ascending order.
        is_tiny: Marks submissions shorter than the noise threshold.
        most: Number of pairs kept of each, with the submissions next to it.
    """
    tiny = np.flatnonzero(is_tiny[pairs].all(axis=1))
    lefts = pairs[tiny, 0]
    nth = np.arange(len(tiny)) - np.searchsorted(lefts, lefts)
    return np.delete(pairs, tiny[nth >= most], axis=0)


class LocalSearch:
    """Access to the tokens of submissions in memory."""

    def __init__(
        self,
        submissions: Sequence[TokenizedSubmission],
        progress: Progress = no_progress,
        processes: int = 1,
    ) -> None:
        """Store the submissions, in order of role and name."""
        self._submissions, self._progress, self._processes = submissions, progress, processes

    def candidates(self, most: int | None, each: int) -> Candidates:
        """Find the pairs that share the most fingerprints."""
        comparables = [submission.comparable for submission in self._submissions]
        grams = noise_hashes(comparables)
        common = common_passages(self._submissions, grams)
        seen = winnowed(comparables, grams)
        del grams  # large: one entry per token
        [index] = feature_indexes(seen, power=FINGERPRINT_POWER, at_once=True)
        current = sum(one.role is Role.CURRENT for one in self._submissions)
        pairs, unused = candidate_pairs(index, current, owners_of(self._submissions), most, each)
        return Candidates(pairs, common, unused)

    def scores(self, pairs: NDArray[np.int64], populations: NDArray[np.int64]) -> Scores:
        """Score distinct pairs."""
        evidence = evidence_on(
            self._submissions, pairs, populations, self._progress, processes=self._processes
        )
        return combined(evidence, WEIGHTS)


def _best_of_others(found: Compared, listed: Shortlist) -> NDArray[np.int64]:
    """Return the best pair of each submission that is in no other one chosen."""
    known = np.unique(found.pairs[np.concatenate([listed.listed, listed.unlisted])])
    ends, firsts = np.unique(found.pairs.ravel(), return_index=True)
    return np.unique(firsts[~np.isin(ends, known)] // 2)


def _most_examined(options: Options) -> int | None:
    if options.show == 0:
        return None
    return max(_EXAMINED_PER_SHOWN * (options.room or 0), _LEAST_EXAMINED)


def _counted(found: Compared, listed: Shortlist) -> Limits:
    """Count the pairs above the threshold, and the submissions and groups in them."""
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


def _order(
    pairs: NDArray[np.int64],
    scores: NDArray[np.float64],
    bits: NDArray[np.int64],
    names: Sequence[str],
) -> NDArray[np.int64]:
    """Order pairs by descending score; of equal ones, those with more information come first.

    What is long but repeats itself, such as a table, is weaker evidence than what is not likely.
    """
    # Submissions are ordered by role first, so their numbers are not in order of names.
    by_name = sorted(range(len(names)), key=names.__getitem__)
    left, right = np.argsort(by_name)[pairs.T]
    return np.lexsort((right, left, -bits, -scores))


def owners_of(submissions: Sequence[TokenizedSubmission]) -> NDArray[np.int64]:
    """Number the owners of submissions: equal for attempts of one student in one role."""
    numbers: dict[tuple[str, str], int] = {}
    owners = []
    for number, submission in enumerate(submissions):
        owner = submission.source.hand_in.owner
        owners.append(
            numbers.setdefault((submission.role.value, owner), number) if owner else number
        )
    return np.array(owners, np.int64)
