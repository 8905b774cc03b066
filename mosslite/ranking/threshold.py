"""Where the scores of a batch begin that honest work hardly reaches, by language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.forests import spanning_forest
from mosslite.records import LanguageLimit, NoThreshold, Role, Threshold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = [
    "Limits",
    "NullSample",
    "languages_of",
    "limits_of",
    "sample_of",
    "suggested_threshold",
]


# Pairs that the distribution is guessed from, at the most and at the least.
_MOST_SAMPLED, _LEAST_SAMPLED = 5_000, 45
_GOLDEN = (5**0.5 - 1) / 2

# Scores are spread about evenly around their median on the scale of log(s / (1 - s)), nearly all
# of them honest; one standard deviation above the median is the quantile of this share.
_SHARE = NormalDist().cdf(1)
_EDGE = 0.005

# Pairs that are more alike are taken for copies, which tell nothing of honest work. If half of all
# are, or half of the rest are as much alike as the second says, there is nothing to tell it from;
# nor if honest work were to be expected among the copies, as it was not looked for there.
_COPIED, _MOST_ALIKE = 0.9, 0.75

# Groups of the jackknife, and how many standard errors a range reaches to either side.
_GROUPS, _ERRORS = 10, NormalDist().inv_cdf(0.95)

# Steps from score 0 to 1.
_STEPS = 100

# Honest pairs to be expected at the threshold or above, by how the middle of the scores is spread.
_EXPECTED = 1.0

# How much of the pairs in one standard deviation is in the next one, at the most; and from how many
# on nobody looks at all that stand out: if half of them are honest, no threshold is suggested.
_MOST_LASTING, _THOUSANDS = 0.5, 1_000


class NullSample:
    """All pairs that are compared and have something to compare, of whatever score."""

    def __init__(self, roles: Sequence[Role], tokens: Sequence[int]) -> None:
        """Count them; a pair has at least one CURRENT side.

        Args:
            roles: The role of each submission.
            tokens: How many comparable tokens it has.
        """
        numbers = [number for number, count in enumerate(tokens) if count]
        current = [number for number in numbers if roles[number] is Role.CURRENT]
        self._current = np.array(current, np.int64)
        self._others = np.array(sorted({*numbers} - {*current}), np.int64)
        self._among_current = len(current) * (len(current) - 1) // 2
        self.count = self._among_current + len(current) * len(self._others)

    def sample(self) -> NDArray[np.int64]:
        """Choose pairs evenly: ``(m, 2)`` submissions, the smaller first, in ascending order.

        All are chosen where they are few, else about 5,000, by steps of the golden ratio, so that
        no distance between two submissions is preferred.
        """
        wanted = np.arange(min(self.count, _MOST_SAMPLED), dtype=np.int64)
        if self.count > _MOST_SAMPLED:
            wanted = np.unique((wanted * _GOLDEN % 1 * self.count).astype(np.int64))
        pairs = np.concatenate(
            [
                self._of_current(wanted[wanted < self._among_current]),
                self._with_others(wanted[wanted >= self._among_current] - self._among_current),
            ]
        )
        pairs.sort(axis=1)
        return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]

    def _of_current(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the pairs of these numbers among current submissions: 01, 02, 12, 03 ..."""
        second = ((1 + np.sqrt(1 + 8 * numbers)) / 2).astype(np.int64)
        second -= second * (second - 1) // 2 > numbers  # the root may be off by its last digit
        first = numbers - second * (second - 1) // 2
        return np.column_stack([self._current[first], self._current[second]])

    def _with_others(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        first, second = np.divmod(numbers, max(len(self._others), 1))
        return np.column_stack([self._current[first], self._others[second]])


def suggested_threshold(
    sample: NDArray[np.float64],
    ranking: NDArray[np.float64],
    pairs: int,
    *,
    ends: NDArray[np.int64],
) -> Threshold | NoThreshold:
    """Suggest where to begin looking: where one honest pair is to be expected by chance.

    That is so if scores are spread as their middle tells; how many are to be expected is told by
    those just below, too. The range comes from leaving out a tenth of the sample at a time (a
    jackknife).

    Args:
        sample: Scores of pairs chosen without regard to their score.
        ranking: Scores of all pairs that may stand out.
        pairs: How many pairs are compared in all.
        ends: ``(m, 2)`` submissions of each pair in ``ranking``.

    Returns:
        Why there is none where the sample is too small, or too much alike, as that of a task of a
        few lines, or where nothing divides high scores from the others.
    """
    all_sampled, sample = len(sample), sample[sample < _COPIED]
    if all_sampled < _LEAST_SAMPLED:
        return NoThreshold.TOO_FEW
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


def _expected(
    sample: NDArray[np.float64],
    ranking: NDArray[np.float64],
    threshold: float,
    *,
    ends: NDArray[np.int64],
) -> float:
    """Estimate how many honest pairs reach the threshold, from how scores thin out below it.

    Scores of some assignments have a longer tail than their middle tells. From one standard
    deviation to the next the pairs below the threshold become fewer by a factor, and so they will
    above it: their sum is that of a geometric series. Copies just below the threshold make the
    factor larger, so it counts for one half at the most. Many of them are two copies of one
    submission, which lie within a group that stands out; so near the threshold the pairs between
    groups are counted, and for those within as large a part is added as they have further below.
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
    """Mark the pairs that are not within a group that pairs which stand out connect."""
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
    """Return the score of a logarithm, in steps of a hundredth, as it is an estimate.

    Scores are shown in hundredths too, cut: so what is shown tells which reach the threshold.
    """
    odds = np.exp(logit)
    score = np.clip(((1 + _EDGE) * odds - _EDGE) / (1 + odds), 0, 1)
    return float(whole(np.round(score * _STEPS, 6)) / _STEPS)


# The largest languages of so many submissions have a rarity of their own; the others share one.
_LEAST_SUBMISSIONS, _MOST_POPULATIONS = 5, 8

# Stand for all languages that have too few pairs, and for pairs of two languages.
_TAKEN_TOGETHER: Final = -1
_MIXED: Final = -2


@dataclass(frozen=True, slots=True, eq=False)
class _Languages:
    """The languages of a batch.

    Attributes:
        names: In order.
        of: ``(n,) int64``, the language of each submission, by its place in ``names``.
    """

    names: tuple[str, ...]
    of: NDArray[np.int64]

    @property
    def populations(self) -> NDArray[np.int64]:
        """The submissions that each is weighed among: those in its language, or in small ones."""
        sizes = np.bincount(self.of, minlength=len(self.names))
        largest = np.argsort(-sizes, kind="stable")[:_MOST_POPULATIONS]
        own = largest[sizes[largest] >= _LEAST_SUBMISSIONS]
        numbers = np.full(len(self.names), len(own))
        numbers[own] = np.arange(len(own))
        populations: NDArray[np.int64] = np.unique(numbers[self.of], return_inverse=True)[1]
        return populations


class _Sample(NamedTuple):
    """Pairs of one language each, chosen without regard to their scores.

    Attributes:
        pairs: ``(m, 2)`` submission numbers.
        languages: ``(m,)``, the language of each.
        counts: How many pairs there are in each language, chosen or not.
    """

    pairs: NDArray[np.int64]
    languages: NDArray[np.int64]
    counts: NDArray[np.int64]


class Limits(NamedTuple):
    """The limits of a batch: from which score on pairs of each language stand out.

    Attributes:
        threshold: None where no language tells one.
        no_threshold: Why none does.
        by_language: From which score on a pair of each language stands out.
    """

    threshold: Threshold | None
    no_threshold: NoThreshold
    by_language: NDArray[np.float64]

    def reached(
        self, pairs: NDArray[np.int64], scores: NDArray[np.float64], languages: _Languages
    ) -> NDArray[np.bool_]:
        """Mark the pairs that stand out; of two languages the higher limit holds."""
        limits: NDArray[np.float64] = self.by_language[languages.of[pairs]].max(axis=1)
        return scores >= limits


def languages_of(names: Sequence[str]) -> _Languages:
    """Return the languages of a batch, given that of each submission."""
    distinct = tuple(sorted(set(names)))
    numbers = {name: number for number, name in enumerate(distinct)}
    return _Languages(distinct, np.array([numbers[name] for name in names], np.int64))


def sample_of(
    roles: Sequence[Role],
    tokens: NDArray[np.int64],
    languages: _Languages,
    owners: NDArray[np.int64],
) -> _Sample:
    """Choose a sample of pairs to estimate the limits from.

    Args:
        roles: Of all submissions of the batch.
        tokens: How many comparable tokens each has; 0 for those that are here for being like
            others, and tell nothing.
        languages: Theirs.
        owners: Equal for submissions that are never a pair.
    """
    chances = [
        NullSample(roles, np.where(languages.of == number, tokens, 0).tolist())
        for number in range(len(languages.names))
    ]
    pairs = np.concatenate([np.empty((0, 2), np.int64), *(each.sample() for each in chances)])
    pairs = pairs[owners[pairs[:, 0]] != owners[pairs[:, 1]]]
    counts = np.array([each.count for each in chances], np.int64)
    return _Sample(pairs, languages.of[pairs[:, 0]], counts)


def limits_of(
    sample: _Sample,
    by_chance: NDArray[np.float64],
    languages: _Languages,
    pairs: NDArray[np.int64],
    scores: NDArray[np.float64],
) -> Limits:
    """Return for each language from which score on its pairs stand out.

    Languages of too few pairs to tell are taken together.

    Args:
        sample: Pairs chosen without regard to their scores.
        by_chance: Their scores.
        languages: Of all submissions.
        pairs: Those that may stand out.
        scores: Theirs.
    """
    strata = np.where(
        sample.counts >= _LEAST_SAMPLED, np.arange(len(languages.names)), _TAKEN_TOGETHER
    )
    inside = np.where(_are_of_one(pairs, languages), strata[languages.of[pairs[:, 0]]], _MIXED)
    threshold_of = {
        stratum: suggested_threshold(
            by_chance[strata[sample.languages] == stratum],
            scores[inside == stratum],
            int(sample.counts.sum()),
            ends=pairs[inside == stratum],
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


def _are_of_one(pairs: NDArray[np.int64], languages: _Languages) -> NDArray[np.bool_]:
    """Mark the pairs of one language."""
    ends = languages.of[pairs]
    is_one: NDArray[np.bool_] = ends[:, 0] == ends[:, 1]
    return is_one


def _limit(own: Threshold | NoThreshold, main: Threshold) -> float:
    """Return the limit of a language; one that suggests none has at least that of the others."""
    return own.score if isinstance(own, Threshold) else max(own.limit, main.score)
