"""From which score on pairs stand out, which each language of a batch tells by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.model import LanguageLimit, NoThreshold, Threshold
from mosslite.threshold import LEAST_SAMPLED, ChancePairs, suggested_threshold

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from mosslite.model import Work

__all__ = ["Languages", "Limits", "Sample", "languages_of", "limits_of", "sample_of"]

# Languages of so many works have a rarity of their own, the largest ones; the others share one.
_LEAST_WORKS, _MOST_POPULATIONS = 5, 8

# Stand for all languages that have too few pairs, and for pairs of two languages.
_TAKEN_TOGETHER: Final = -1
_MIXED: Final = -2


@dataclass(frozen=True, slots=True, eq=False)
class Languages:
    """The languages of a batch.

    Attributes:
        names: In order.
        of: ``(n,) int64``, the language of each work, by its place in ``names``.
    """

    names: tuple[str, ...]
    of: NDArray[np.int64]

    @property
    def populations(self) -> NDArray[np.int64]:
        """The works among which each is rare or not: those in its language, or in small ones."""
        sizes = np.bincount(self.of, minlength=len(self.names))
        largest = np.argsort(-sizes, kind="stable")[:_MOST_POPULATIONS]
        own = largest[sizes[largest] >= _LEAST_WORKS]
        numbers = np.full(len(self.names), len(own))
        numbers[own] = np.arange(len(own))
        populations: NDArray[np.int64] = np.unique(numbers[self.of], return_inverse=True)[1]
        return populations


class Sample(NamedTuple):
    """Pairs of one language each, chosen without regard to their scores.

    Attributes:
        pairs: ``(m, 2)`` work numbers.
        languages: ``(m,)``, the language of each.
        counts: How many pairs there are in each language, chosen or not.
    """

    pairs: NDArray[np.int64]
    languages: NDArray[np.int64]
    counts: NDArray[np.int64]


class Limits(NamedTuple):
    """What a batch tells.

    Attributes:
        threshold: None where no language tells one.
        no_threshold: Why none does.
        by_language: From which score on a pair of each language stands out.
    """

    threshold: Threshold | None
    no_threshold: NoThreshold
    by_language: NDArray[np.float64]

    def reached(
        self, pairs: NDArray[np.int64], scores: NDArray[np.float64], languages: Languages
    ) -> NDArray[np.bool_]:
        """Mark the pairs that stand out; of two languages the higher limit holds."""
        limits: NDArray[np.float64] = self.by_language[languages.of[pairs]].max(axis=1)
        return scores >= limits


def languages_of(works: Sequence[Work]) -> Languages:
    """Return the language of each work."""
    names = [work.language for work in works]
    distinct = tuple(sorted(set(names)))
    numbers = {name: number for number, name in enumerate(distinct)}
    return Languages(distinct, np.array([numbers[name] for name in names], np.int64))


def sample_of(
    works: Sequence[Work],
    languages: Languages,
    owners: NDArray[np.int64],
    chosen: Collection[str],
) -> Sample:
    """Choose pairs to guess from.

    Args:
        works: All of the batch.
        languages: Theirs.
        owners: Equal for works that are never a pair.
        chosen: Names of works that are here for being like others, and tell nothing.
    """
    roles = [work.role for work in works]
    sizes = np.array([0 if work.name in chosen else len(work.comparable) for work in works])
    chances = [
        ChancePairs(roles, np.where(languages.of == number, sizes, 0).tolist())
        for number in range(len(languages.names))
    ]
    pairs = np.concatenate([np.empty((0, 2), np.int64), *(each.sample() for each in chances)])
    pairs = pairs[owners[pairs[:, 0]] != owners[pairs[:, 1]]]
    counts = np.array([each.count for each in chances], np.int64)
    return Sample(pairs, languages.of[pairs[:, 0]], counts)


def limits_of(
    sample: Sample,
    by_chance: NDArray[np.float64],
    languages: Languages,
    pairs: NDArray[np.int64],
    scores: NDArray[np.float64],
) -> Limits:
    """Tell for each language from which score on its pairs stand out.

    Languages of too few pairs to tell are taken together.

    Args:
        sample: Pairs chosen without regard to their scores.
        by_chance: Their scores.
        languages: Of all works.
        pairs: Those that may stand out.
        scores: Theirs.
    """
    strata = np.where(
        sample.counts >= LEAST_SAMPLED, np.arange(len(languages.names)), _TAKEN_TOGETHER
    )
    inside = np.where(_are_of_one(pairs, languages), strata[languages.of[pairs[:, 0]]], _MIXED)
    told = {
        stratum: suggested_threshold(
            by_chance[strata[sample.languages] == stratum],
            scores[inside == stratum],
            int(sample.counts.sum()),
            ends=pairs[inside == stratum],
        )
        for stratum in np.unique(strata).tolist()
    }
    order = sorted(told, key=lambda stratum: -sample.counts[strata == stratum].sum())
    main = next((each for stratum in order if isinstance(each := told[stratum], Threshold)), None)
    if main is None:
        why = next(each for each in map(told.get, order) if isinstance(each, NoThreshold))
        return Limits(None, why, np.full(len(strata), why.limit))
    own = [told[stratum] for stratum in strata.tolist()]
    limits = [_limit(one, main) for one in own]
    others = tuple(
        LanguageLimit(name, limit, isinstance(one, Threshold))
        for name, limit, one in zip(languages.names, limits, own, strict=True)
        if one is not main
    )
    return Limits(replace(main, languages=others), NoThreshold.TOO_FEW, np.array(limits))


def _are_of_one(pairs: NDArray[np.int64], languages: Languages) -> NDArray[np.bool_]:
    """Mark the pairs of one language."""
    ends = languages.of[pairs]
    is_one: NDArray[np.bool_] = ends[:, 0] == ends[:, 1]
    return is_one


def _limit(told: Threshold | NoThreshold, main: Threshold) -> float:
    """Return the limit of a language; one that tells none has no lower one than the others."""
    return told.score if isinstance(told, Threshold) else max(told.limit, main.score)
