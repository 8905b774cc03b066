"""Small reports for the tests of pages: works of words, and pairs with a score."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mosslite.model import Match, Pair, Report, Role, Threshold
from mosslite.options import Options
from tests.builders import work_of_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mosslite.model import Work

__all__ = ["named", "pair_of", "report_of", "scored_report"]

TEXT = "one two three\nfour five six\nseven eight nine\nten eleven twelve\n"


def named(name: str, *, role: Role = Role.CURRENT, texts: Sequence[str] = (TEXT,)) -> Work:
    """Give a work of this name."""
    work = work_of_texts(*texts)
    return replace(work, submission=replace(work.submission, name=name, role=role))


def pair_of(
    left: Work, right: Work, score: float, *ranges: tuple[int, int], matched_lines: int = 4
) -> Pair:
    """Give a pair whose matches are ranges of comparable tokens, the same on both sides."""
    matches = tuple(
        Match(left.place_of(start, stop - start), right.place_of(start, stop - start), stop, number)
        for number, (start, stop) in enumerate(ranges, 1)
    )
    return Pair(left, right, score, 0.9, 0.4, 0.6, 12, matched_lines, 7, matches)


def report_of(
    works: Sequence[Work], pairs: Iterable[Pair], *, threshold: float | None = 0.5
) -> Report:
    """Give a report of these pairs, the highest score first."""
    ordered = tuple(sorted(pairs, key=lambda pair: -pair.score))
    found = threshold and Threshold(threshold, threshold - 0.1, threshold + 0.1, 1.0, len(ordered))
    return Report(
        options=Options(),
        description="3 submissions, one per folder in submissions/",
        works=tuple(works),
        base=(),
        pairs=ordered,
        skipped=(),
        warnings=(),
        threshold=found or None,
    )


def scored_report(
    scores: Iterable[tuple[int, int, float]],
    count: int,
    *,
    threshold: float | None = 0.5,
) -> Report:
    """Give a report of ``count`` works and a pair for each left, right (from 1) and score."""
    works = [named(f"work {number}") for number in range(1, count + 1)]
    pairs = [pair_of(works[left - 1], works[right - 1], score) for left, right, score in scores]
    return report_of(works, pairs, threshold=threshold)
