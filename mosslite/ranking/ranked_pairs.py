"""From tokenized submissions to the pairs that are shown: index, candidates, scores, order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from mosslite.forests import spanning_forest
from mosslite.parallel import processes_for
from mosslite.ranking.candidates import (
    affordable,
    build_index,
    candidate_pairs,
)
from mosslite.ranking.score import (
    WEIGHTS,
    combined,
)
from mosslite.ranking.threshold import languages_of, limits_of, sample_of
from mosslite.ranking.views import COMPARING_STEPS, evidence_on
from mosslite.records import Role, UnlistedPair, no_progress
from mosslite.winnowing.boilerplate import common_passages
from mosslite.winnowing.fingerprints import noise_hashes, winnowed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from mosslite.options import Options
    from mosslite.ranking.threshold import Limits
    from mosslite.records import (
        CommonPassage,
        Index,
        Progress,
        TokenizedSubmission,
    )

__all__ = [
    "Candidates",
    "LocalSearch",
    "Outline",
    "Ranked",
    "Ranking",
    "Search",
    "Shortlist",
    "Unused",
    "compared",
    "outline_of",
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
    unused: Unused


@dataclass(frozen=True, slots=True)
class Unused:
    """Fingerprints that are too frequent to find candidate pairs by; scores count them.

    Attributes:
        count: How many there are.
        least: In how many submissions the rarest of them is.
    """

    count: int
    least: int


class Outline(NamedTuple):
    """The data about all submissions that the ranking needs, by submission number.

    Attributes:
        names: Unique.
        roles: A pair has at least one CURRENT side.
        owners: ``(n,)``, equal for attempts of one student in one role, which are never a pair.
        languages: Of most tokens of each.
        tokens: ``(n,)``, how many comparable tokens each has.
    """

    names: tuple[str, ...]
    roles: tuple[Role, ...]
    owners: NDArray[np.int64]
    languages: tuple[str, ...]
    tokens: NDArray[np.int64]


class Candidates(NamedTuple):
    """The pairs worth a score, ``(m, 2)`` in ascending order, and what is found with them."""

    pairs: NDArray[np.int64]
    common: tuple[CommonPassage, ...]
    unused: Unused


class Search(Protocol):
    """What looks at the tokens of all submissions; the rest of the ranking needs no tokens."""

    @property
    def outline(self) -> Outline:
        """What is known of the submissions."""

    def candidates(self, most: int | None, each: int) -> Candidates:
        """Find the pairs that share the most fingerprints, as ``candidate_pairs`` does."""

    def scores(
        self, pairs: NDArray[np.int64], populations: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Score distinct pairs, ``(m, 2)`` in ascending order."""


class Compared(NamedTuple):
    """The pairs of a batch that share most, the one that ranks first in the first row.

    Attributes:
        pairs: ``(m, 2)`` submission numbers.
        scores: ``(m,)``, descending.
        is_high: ``(m,) bool``, those that stand out.
        limits: From which score on they do.
        common: Passages that most of the batch has.
        unused: Fingerprints that no candidates were looked for by.
    """

    pairs: NDArray[np.int64]
    scores: NDArray[np.float64]
    is_high: NDArray[np.bool_]
    limits: Limits
    common: tuple[CommonPassage, ...]
    unused: Unused

    def ranked(self, places: NDArray[np.int64]) -> list[Ranked]:
        """Return the pairs at these places."""
        chosen = zip(self.scores[places].tolist(), self.pairs[places].tolist(), strict=True)
        return [Ranked(score, left, right) for score, (left, right) in chosen]


def ranked(
    submissions: Sequence[TokenizedSubmission],
    options: Options,
    progress: Progress,
    chosen: Collection[str] = (),
    *,
    search: Search | None = None,
) -> Ranking:
    """Find the pairs with the highest scores, and the threshold above which pairs stand out.

    Args:
        submissions: In order of role and name.
        options: How many pairs to list, and how many processes may look at them.
        progress: Called with the comparing that is done.
        chosen: Submissions that are here for being like others; the threshold is of the rest.
        search: What looks at the tokens of these submissions; None looks at them here.

    Returns:
        Pairs by descending score, then by names, and what is to be said of the batch as a whole.
    """
    if search is None:
        search = LocalSearch(submissions, progress, processes_for(options))
    found = compared(search, options, progress, chosen)
    listed = shortlist(found.pairs, found.is_high, options.show, options.known)
    progress("comparing", COMPARING_STEPS, COMPARING_STEPS)
    return Ranking(
        pairs=tuple(found.ranked(listed.listed)),
        unlisted=tuple(
            UnlistedPair(submissions[left], submissions[right], score)
            for score, left, right in found.ranked(listed.unlisted)
        ),
        limits=_counted(found, listed),
        histogram=tuple(np.histogram(found.scores, _STEPS, (0.0, 1.0))[0].tolist()),
        common=found.common,
        unused=found.unused,
    )


def compared(
    search: Search, options: Options, progress: Progress, chosen: Collection[str] = ()
) -> Compared:
    """Score the pairs that share most, and find the threshold."""
    candidates, common, unused = search.candidates(_most_examined(options), _EXAMINED_OF_EACH)
    outline = search.outline
    languages = languages_of(outline.languages)
    is_chosen = np.array([name in chosen for name in outline.names], np.bool_)
    tokens = np.where(is_chosen, 0, outline.tokens)
    sample = sample_of(outline.roles, tokens, languages, outline.owners)
    progress("comparing", 1, COMPARING_STEPS)
    both = np.concatenate([candidates, sample.pairs])
    numbers, places = np.unique(both @ (len(outline.names), 1), return_inverse=True)
    distinct = np.stack(np.divmod(numbers, len(outline.names)), axis=1)
    scores = search.scores(distinct, languages.populations)[places]
    found, by_chance = scores[: len(candidates)], scores[len(candidates) :]
    limits = limits_of(sample, by_chance, languages, candidates, found)
    order = _order(candidates, found, outline.names)
    pairs, found = candidates[order], found[order]
    is_high = limits.reached(pairs, found, languages)
    return Compared(pairs, found, is_high, limits, common, unused)


class LocalSearch:
    """Looks at the tokens of submissions that are all in memory."""

    def __init__(
        self,
        submissions: Sequence[TokenizedSubmission],
        progress: Progress = no_progress,
        processes: int = 1,
    ) -> None:
        """Take the submissions, in order of role and name."""
        self._submissions, self._progress, self._processes = submissions, progress, processes
        self.outline = outline_of(submissions)

    def candidates(self, most: int | None, each: int) -> Candidates:
        """Find the pairs that share the most fingerprints."""
        comparables = [submission.comparable for submission in self._submissions]
        grams = noise_hashes(comparables)
        common = common_passages(self._submissions, grams)
        index = build_index(winnowed(comparables, grams))
        del grams  # as many as there are tokens
        roles, owners = self.outline.roles, self.outline.owners
        pairs = candidate_pairs(index, roles, owners, most, each)
        return Candidates(pairs, common, _unused(index, roles, most))

    def scores(
        self, pairs: NDArray[np.int64], populations: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Score distinct pairs."""
        evidence = evidence_on(
            self._submissions, pairs, populations, self._progress, processes=self._processes
        )
        return combined(evidence, WEIGHTS)


def _unused(index: Index, roles: Sequence[Role], most: int | None) -> Unused:
    if most is None:
        return Unused(0, 0)
    frequencies = index.frequencies[~affordable(index, roles)]
    return Unused(len(frequencies), int(frequencies.min(initial=len(roles))))


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


def _order(
    pairs: NDArray[np.int64], scores: NDArray[np.float64], names: Sequence[str]
) -> NDArray[np.int64]:
    """Order pairs by descending score, then by names."""
    # Submissions are in order of role and name, so their numbers do not stand for the names.
    by_name = sorted(range(len(names)), key=names.__getitem__)
    left, right = np.argsort(by_name)[pairs.T]
    return np.lexsort((right, left, -scores))


def outline_of(submissions: Sequence[TokenizedSubmission]) -> Outline:
    """Return the data about all submissions that the ranking needs."""
    return Outline(
        names=tuple(submission.name for submission in submissions),
        roles=tuple(submission.role for submission in submissions),
        owners=_owners(submissions),
        languages=tuple(submission.language for submission in submissions),
        tokens=np.array([submission.tokens for submission in submissions], np.int64),
    )


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
