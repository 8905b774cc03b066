"""Which pairs fail a job, and how loudly each is to be reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mosslite.report.high_pairs import reaches

if TYPE_CHECKING:
    from mosslite.records import Pair, Report, Skipped
    from mosslite.report.ci.baseline import States

__all__ = ["Gate"]


@dataclass(frozen=True, slots=True)
class Gate:
    """What a job lets pass: a pair fails it that is new and reaches a score.

    So does what a limit has kept from being compared, as such a pair could be there.

    Attributes:
        fail_above: The score, in percent; without it nothing fails.
        states: Which pairs are known from a baseline; without it all are new.
    """

    fail_above: float | None = None
    states: States | None = None

    def is_failing(self, report: Report) -> bool:
        """Return whether the job fails."""
        return bool(self.failing(report)) or any(map(self.misses, report.skipped))

    def misses(self, skipped: Skipped) -> bool:
        """Return whether something that was not compared fails the job."""
        return self.fail_above is not None and bool(skipped.limit)

    def failing(self, report: Report) -> tuple[Pair, ...]:
        """Return the pairs that fail, in the order of the report."""
        return tuple(filter(self.fails, report.pairs))

    def failing_first(self, report: Report) -> list[Pair]:
        """Return all pairs, known ones after those that fail: who shows only some shows these."""
        return sorted(report.pairs, key=lambda pair: not self.fails(pair))

    def fails(self, pair: Pair) -> bool:
        """Return whether a pair is new and its score is at or above the percentage."""
        return self.reaches(pair) and not self.knows(pair)

    def reaches(self, pair: Pair) -> bool:
        """Return whether a pair's score is at or above the percentage, be it known or new."""
        return self.fail_above is not None and reaches(pair.score, self.fail_above)

    def knows(self, pair: Pair) -> bool:
        """Return whether a baseline knows a pair."""
        return self.states is not None and self.states.is_known(pair)

    @property
    def known(self) -> int:
        """How many pairs a baseline knows."""
        return 0 if self.states is None else self.states.known
