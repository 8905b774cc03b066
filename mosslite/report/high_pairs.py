"""From which score on pairs need a look, and whether all of them are listed."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mosslite.forests import DisjointSets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mosslite.records import Pair, Report, TokenizedSubmission, UnlistedPair

__all__ = [
    "HighScores",
    "high_scores",
    "is_cut",
    "reaches",
    "threshold_of",
    "worst_pairs",
]


# Of a group, so many of its pairs tell enough to look at its page.
_MOST_OF_GROUP: Final = 2
_NO_GROUP: Final = -1


@dataclass(frozen=True, slots=True)
class HighScores:
    """From which score on pairs need a look, which can be another one in each language.

    Attributes:
        usual: That of all languages that are not named.
        by_language: Those of the others.
    """

    usual: float
    by_language: Mapping[str, float]

    def limit_of(self, pair: Pair | UnlistedPair) -> float:
        """Return the score from which on a pair like this needs a look: of two, the higher one."""
        if not self.by_language:
            return self.usual
        return max(self._limit(pair.left), self._limit(pair.right))

    def hold(self, pair: Pair | UnlistedPair) -> bool:
        """Return whether a pair needs a look."""
        return pair.score >= self.limit_of(pair)

    def _limit(self, submission: TokenizedSubmission) -> float:
        return self.by_language.get(submission.language, self.usual)


def high_scores(report: Report) -> HighScores:
    """Return the scores from which on pairs of a report need a look."""
    languages = report.threshold.languages if report.threshold else ()
    return HighScores(threshold_of(report), {each.language: each.score for each in languages})


def threshold_of(report: Report) -> float:
    """Return the score from which on most pairs need a look."""
    return report.threshold.score if report.threshold else report.no_threshold.limit


def is_cut(report: Report, percent: float | None) -> bool:
    """Return whether more pairs than those in the report may be at or above the percentage."""
    if percent is None:
        return False
    if any(reaches(each.score, percent) for each in report.unlisted):
        return True
    if report.options.show is None and percent >= 100 * threshold_of(report):
        return False  # what stands out is listed
    is_full = 0 < report.options.room <= len(report.pairs)
    return is_full and reaches(report.pairs[-1].score, percent)


def reaches(score: float, percent: float) -> bool:
    """Return whether a score in [0, 1] is at or above a percentage.

    0.29 * 100 is a hair below 29 in binary, so nearly is enough.
    """
    return score * 100 >= percent or math.isclose(score * 100, percent)


def worst_pairs(report: Report, pairs: Sequence[Pair], most: int) -> list[Pair]:
    """Choose the first pairs, at most two of a group, as a large group would fill the list.

    Args:
        report: Whose pairs that need a look connect submissions to groups.
        pairs: Of the report, in the order in which they are to be shown.
        most: How many to choose.
    """
    highs, sets = high_scores(report), DisjointSets()
    numbers = {submission.name: number for number, submission in enumerate(report.submissions)}
    linked: list[Pair | UnlistedPair] = [*filter(highs.hold, report.pairs), *report.unlisted]
    for each in linked:
        sets.join(numbers[each.left.name], numbers[each.right.name])
    taken: Counter[int] = Counter()
    chosen: list[Pair] = []
    for pair in pairs:
        group = sets.find(numbers[pair.left.name]) if highs.hold(pair) else _NO_GROUP
        taken[group] += 1
        if group == _NO_GROUP or taken[group] <= _MOST_OF_GROUP:
            chosen.append(pair)
        if len(chosen) == most:
            break
    return chosen
