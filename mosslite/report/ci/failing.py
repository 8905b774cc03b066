"""Which pairs fail a job, and how loudly each is to be reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.report.high_pairs import reaches

if TYPE_CHECKING:
    from mosslite.model import Pair, Report
    from mosslite.report.ci.baseline import States

__all__ = ["failing_first", "failing_pairs", "is_failing", "is_known"]


def failing_pairs(
    report: Report, fail_above: float | None, states: States | None = None
) -> tuple[Pair, ...]:
    """Give the pairs that fail a job, in the order of the report.

    Args:
        report: With names or without.
        fail_above: From which score on, in percent; without it nothing fails.
        states: Which pairs are known from a baseline; without it all are new.
    """
    return tuple(pair for pair in report.pairs if is_failing(pair, fail_above, states))


def failing_first(
    report: Report, fail_above: float | None, states: States | None = None
) -> list[Pair]:
    """Give all pairs, known ones after those that fail: who shows only some shows what matters."""
    return sorted(report.pairs, key=lambda pair: not is_failing(pair, fail_above, states))


def is_failing(pair: Pair, fail_above: float | None, states: States | None = None) -> bool:
    """Tell whether a pair is new and its score is at or above the percentage."""
    is_new = not is_known(pair, states)
    return fail_above is not None and is_new and reaches(pair.score, fail_above)


def is_known(pair: Pair, states: States | None) -> bool:
    """Tell whether a baseline knows a pair."""
    return states is not None and states.is_known(pair)
