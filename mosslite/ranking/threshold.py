"""Estimates, by language, the score above which pairs of independent work are rare."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.forests import spanning_forest
from mosslite.records import LanguageLimit, NoThreshold, Role, Threshold

# Size of the null sample, at most and at least.
_MOST_SAMPLED, _LEAST_SAMPLED = 5_000, 45
_GOLDEN = (5**0.5 - 1) / 2

# On the scale log(s / (1 - s)), scores are about symmetric around their median, and almost all are
# of honest pairs; the quantile of this share is one standard deviation above the median.
_SHARE = NormalDist().cdf(1)
_EDGE = 0.005

# Pairs more similar than ``_COPIED`` are treated as copies, which say nothing about honest pairs.
# No threshold is suggested if these are at least half of all, if half of the rest reach
# ``_MOST_ALIKE``, or if the threshold would be among the copies, which were left out of the
# estimate.
_COPIED, _MOST_ALIKE = 0.9, 0.75

# Groups of the jackknife, and half-width of the range in standard errors.
_GROUPS, _ERRORS = 10, NormalDist().inv_cdf(0.95)

# How many times as far from the others as usual the typical score of a submission may be: three
# and a half standard deviations, estimated by the median deviation.
_MOST_DEVIATIONS = 3.5 / NormalDist().inv_cdf(0.75)

# Number of steps from score 0 to 1.
_STEPS = 100

# Expected number of honest pairs at or above the threshold, by the spread of the middle scores.
_EXPECTED = 1.0

# Upper bound of the ratio of pairs in consecutive standard deviations; and number of pairs that
# nobody reviews: if half of this many are expected to be honest, no threshold is suggested.
_MOST_LASTING, _THOUSANDS = 0.5, 1_000


def null_sample(roles: Sequence[Role], tokens: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Choose pairs of a batch evenly, of any score, and count all that it has.

    All are chosen if they are few, else about 5,000, in steps of the golden ratio, so that no
    difference of submission numbers is preferred.

    Args:
        roles: The role of each submission; a pair has at least one CURRENT side.
        tokens: ``(n,)``, number of comparable tokens of each; a pair has some on both sides.

    Returns:
        ``(m, 2)`` submissions, the smaller first, in ascending order; and the number of all.
    """
    is_current = np.array([role is Role.CURRENT for role in roles], np.bool_)
    current, others = (np.flatnonzero(mask & (tokens > 0)) for mask in (is_current, ~is_current))
    among_current = len(current) * (len(current) - 1) // 2
    count = among_current + len(current) * len(others)
    wanted = np.arange(min(count, _MOST_SAMPLED), dtype=np.int64)
    if count > _MOST_SAMPLED:
        wanted = np.unique((wanted * _GOLDEN % 1 * count).astype(np.int64))
    # Those among current submissions are numbered 01, 02, 12, 03 ...
    inside = wanted[wanted < among_current]
    numbers = np.arange(len(current), dtype=np.int64)
    before = numbers * (numbers - 1) // 2
    second = np.searchsorted(before, inside, side="right") - 1
    first = inside - before[second]
    left, right = np.divmod(wanted[wanted >= among_current] - among_current, max(len(others), 1))
    pairs = np.concatenate(
        [
            np.column_stack([current[first], current[second]]),
            np.column_stack([current[left], others[right]]),
        ]
    )
    pairs.sort(axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))], count


def suggested_threshold(
    sample: NDArray[np.float64],
    ranking: NDArray[np.float64],
    pairs: int,
    *,
    ends: NDArray[np.int64],
    sample_ends: NDArray[np.int64] | None = None,
) -> Threshold | NoThreshold:
    """Suggest the threshold above which one honest pair is expected by chance.

    The expectation follows from the spread of the middle scores, and from the number of pairs just
    below the threshold. The range is a jackknife estimate, leaving out a tenth of the sample at a
    time.

    Args:
        sample: Scores of pairs chosen independently of their score.
        ranking: Scores of all pairs that may exceed the threshold.
        pairs: Total number of pairs compared.
        ends: ``(m, 2)`` submissions of each pair in ``ranking``.
        sample_ends: Those of each pair in ``sample``; None if they are unknown.

    Returns:
        The reason if there is none: the sample is too small or too similar, as for a task of a few
        lines, or nothing separates high scores from the others.
    """
    if len(sample) < _LEAST_SAMPLED:
        return NoThreshold.TOO_FEW
    if sample_ends is not None:
        sample = sample[_are_typical(sample, sample_ends)]
    all_sampled, sample = len(sample), sample[sample < _COPIED]
    if len(sample) < all_sampled / 2:
        return NoThreshold.TOO_ALIKE
    median, above = np.quantile(sample, [0.5, _SHARE])
    if median == above or median > _MOST_ALIKE:
        return NoThreshold.TOO_ALIKE
    groups = np.arange(len(sample)) % _GROUPS
    centre = _logit_threshold(sample, pairs)
    parts = [_logit_threshold(sample[groups != group], pairs) for group in range(_GROUPS)]
    error = np.sqrt((_GROUPS - 1) * np.var(parts)) * _ERRORS
    low = _score(centre - error, np.floor)
    score, high = (_score(centre + step, np.ceil) for step in (0.0, error))
    if score > _COPIED:
        return NoThreshold.TOO_ALIKE
    expected = _expected(sample, ranking, score, ends=ends)
    found = int((ranking >= score).sum())
    if found >= _THOUSANDS and 2 * expected >= found:
        return NoThreshold.NO_GAP
    return Threshold(score, low, high, min(expected, max(found, _EXPECTED)), found)


def _are_typical(sample: NDArray[np.float64], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the pairs of submissions that resemble others about as much as most do.

    One submission is in a large part of the pairs of a small batch. If a student hands in a library
    that contains a bit of everything, or nothing like the task, its pairs say little about the
    others.
    """
    both = np.unique(ends)
    medians = np.array([np.median(_logits(sample[(ends == each).any(axis=1)])) for each in both])
    distances = np.abs(medians - np.median(medians))
    odd = both[distances > _MOST_DEVIATIONS * np.median(distances)]
    is_odd = np.isin(ends, odd)
    return ~(is_odd[:, 0] | is_odd[:, 1])


def _expected(
    sample: NDArray[np.float64],
    ranking: NDArray[np.float64],
    threshold: float,
    *,
    ends: NDArray[np.int64],
) -> float:
    """Estimate the number of honest pairs above the threshold, from how scores thin out below it.

    Scores of some assignments have a longer tail than the middle scores suggest. From one standard
    deviation to the next, the number of pairs below the threshold decreases by a factor; assuming
    the same above it, their number is the sum of a geometric series. Copies just below the
    threshold increase the factor, so it is at most one half. Many of these are two copies of one
    submission, and so within a group above the threshold; so near the threshold only pairs between
    groups are counted, and those within are estimated from their share further below.
    """
    is_low = ranking < threshold
    median, above = np.quantile(_logits(sample), [0.5, _SHARE])
    steps = np.floor((_logits(np.array([threshold])) - _logits(ranking)) / (above - median))
    is_between = _are_between_groups(ends, ~is_low)
    near, far = (is_low & (steps == step) for step in (0, 1))
    share = (far & is_between).sum() / max(far.sum(), 1)
    honest = min(near.sum(), (near & is_between).sum() / share) if share else near.sum()
    factor = min(honest / max(far.sum(), 1), _MOST_LASTING)
    return max(float(round(honest * factor / (1 - factor))), _EXPECTED)


def _are_between_groups(ends: NDArray[np.int64], is_high: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the pairs that are not within a group connected by pairs above the threshold."""
    _, groups = spanning_forest(ends[is_high], int(ends.max(initial=-1)) + 1)
    both = groups[ends]
    are: NDArray[np.bool_] = both[:, 0] != both[:, 1]
    return are


def _logits(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    logits: NDArray[np.float64] = np.log((scores + _EDGE) / (1 - scores + _EDGE))
    return logits


def _logit_threshold(sample: NDArray[np.float64], pairs: int) -> float:
    median, above = np.quantile(_logits(sample), [0.5, _SHARE])
    share = min(_EXPECTED / pairs, 1 - _SHARE)
    return float(median + (above - median) * NormalDist().inv_cdf(1 - share))


def _score(logit: float, whole: Callable[[float], float]) -> float:
    """Return the score of a logit, rounded to hundredths, as it is an estimate.

    Displayed scores are truncated to hundredths too, so they show which pairs reach the threshold.
    """
    odds = np.exp(logit)
    score = np.clip(((1 + _EDGE) * odds - _EDGE) / (1 + odds), 0, 1)
    return float(whole(np.round(score * _STEPS, 6)) / _STEPS)


# The largest languages with this many submissions have frequencies of their own; others share one.
_LEAST_SUBMISSIONS, _MOST_POPULATIONS = 5, 8

# Represents all languages with too few pairs, and pairs of two languages.
_TAKEN_TOGETHER: Final = -1
_MIXED: Final = -2


@dataclass(frozen=True, slots=True, eq=False)
class _Languages:
    """The languages of a batch.

    Attributes:
        names: In alphabetical order.
        of: ``(n,) int64``, language of each submission, as an index in ``names``.
    """

    names: tuple[str, ...]
    of: NDArray[np.int64]

    @property
    def populations(self) -> NDArray[np.int64]:
        """The population of each submission: its language, or all small languages together."""
        sizes = np.bincount(self.of, minlength=len(self.names))
        largest = np.argsort(-sizes, kind="stable")[:_MOST_POPULATIONS]
        own = largest[sizes[largest] >= _LEAST_SUBMISSIONS]
        numbers = np.full(len(self.names), len(own))
        numbers[own] = np.arange(len(own))
        populations: NDArray[np.int64] = np.unique(numbers[self.of], return_inverse=True)[1]
        return populations


class _Sample(NamedTuple):
    """Pairs of one language each, chosen independently of their scores.

    Attributes:
        pairs: ``(m, 2)`` submission numbers.
        languages: ``(m,)``, the language of each.
        counts: Total number of pairs in each language.
    """

    pairs: NDArray[np.int64]
    languages: NDArray[np.int64]
    counts: NDArray[np.int64]


class Limits(NamedTuple):
    """The thresholds of a batch, by language.

    Attributes:
        threshold: None if no language suggests one.
        no_threshold: The reason.
        by_language: Score from which a pair of each language counts as high.
    """

    threshold: Threshold | None
    no_threshold: NoThreshold
    by_language: NDArray[np.float64]

    def reached(
        self, pairs: NDArray[np.int64], scores: NDArray[np.float64], languages: _Languages
    ) -> NDArray[np.bool_]:
        """Mark the pairs above the threshold; of two languages the higher one applies."""
        limits: NDArray[np.float64] = self.by_language[languages.of[pairs]].max(axis=1)
        return scores >= limits


def languages_of(names: Sequence[str]) -> _Languages:
    """Return the languages of a batch, from that of each submission."""
    distinct = tuple(sorted(set(names)))
    numbers = {name: number for number, name in enumerate(distinct)}
    return _Languages(distinct, np.array([numbers[name] for name in names], np.int64))


def sample_of(
    roles: Sequence[Role],
    tokens: NDArray[np.int64],
    languages: _Languages,
    owners: NDArray[np.int64],
) -> _Sample:
    """Choose a sample of pairs to estimate the thresholds from.

    Args:
        roles: Role of each submission of the batch.
        tokens: Number of comparable tokens of each; 0 for submissions selected for their
            similarity, which would bias the sample.
        languages: Languages of the submissions.
        owners: Equal for submissions that never form a pair.
    """
    samples = [
        null_sample(roles, np.where(languages.of == number, tokens, 0))
        for number in range(len(languages.names))
    ]
    pairs = np.concatenate([np.empty((0, 2), np.int64), *(pairs for pairs, _ in samples)])
    pairs = pairs[owners[pairs[:, 0]] != owners[pairs[:, 1]]]
    counts = np.array([count for _, count in samples], np.int64)
    return _Sample(pairs, languages.of[pairs[:, 0]], counts)


def limits_of(
    sample: _Sample,
    by_chance: NDArray[np.float64],
    languages: _Languages,
    pairs: NDArray[np.int64],
    scores: NDArray[np.float64],
) -> Limits:
    """Return the threshold of each language.

    Languages with too few pairs for an estimate are combined.

    Args:
        sample: Pairs chosen independently of their scores.
        by_chance: Scores of the sample.
        languages: Languages of all submissions.
        pairs: Pairs that may exceed the threshold.
        scores: Scores of these pairs.
    """
    strata = np.where(
        sample.counts >= _LEAST_SAMPLED, np.arange(len(languages.names)), _TAKEN_TOGETHER
    )
    left, right = languages.of[pairs].T
    inside = np.where(left == right, strata[left], _MIXED)
    threshold_of = {
        stratum: suggested_threshold(
            by_chance[strata[sample.languages] == stratum],
            scores[inside == stratum],
            int(sample.counts.sum()),
            ends=pairs[inside == stratum],
            sample_ends=sample.pairs[strata[sample.languages] == stratum],
        )
        for stratum in np.unique(strata).tolist()
    }
    order = sorted(threshold_of, key=lambda stratum: -sample.counts[strata == stratum].sum())
    main = next(
        (each for stratum in order if isinstance(each := threshold_of[stratum], Threshold)), None
    )
    if main is None:
        why = next(each for each in map(threshold_of.get, order) if isinstance(each, NoThreshold))
        return Limits(None, why, np.full(len(strata), why.limit))
    own = [threshold_of[stratum] for stratum in strata.tolist()]
    limits = [_limit(one, main) for one in own]
    others = tuple(
        LanguageLimit(name, limit, isinstance(one, Threshold))
        for name, limit, one in zip(languages.names, limits, own, strict=True)
        if one is not main
    )
    return Limits(replace(main, languages=others), NoThreshold.TOO_FEW, np.array(limits))


def _limit(own: Threshold | NoThreshold, main: Threshold) -> float:
    """Return the threshold of a language; without an estimate, at least that of the others."""
    return own.score if isinstance(own, Threshold) else max(own.limit, main.score)
