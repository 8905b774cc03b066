"""From ranked pairs to what both sides of each share, some pairs at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from mosslite.matching import Side, coverage_of, matches_of, tiles_of
from mosslite.matching.rare_evidence import document_frequencies, rare_evidence, rare_of
from mosslite.parallel import blocks, do_all
from mosslite.ranges import chunks
from mosslite.records import Detail, Pair
from mosslite.winnowing.fingerprints import noise_kgrams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mosslite.matching.rare_evidence import DocumentFrequencies, RareTraces
    from mosslite.ranking import Ranked
    from mosslite.records import Progress, TokenizedSubmission

__all__ = ["matched"]

# So many pairs are matched in one task, and pairs of so many tokens at once.
_TOGETHER = 8
_TOKENS_AT_ONCE = 200_000

_Found = dict[str, object]
"""Attributes of a pair by name: all that a process tells another of one whose works both have."""


def matched(
    works: Sequence[TokenizedSubmission],
    ranking: Sequence[Ranked],
    progress: Progress,
    *,
    detail: Detail = Detail.MATCHES,
    processes: int = 1,
) -> tuple[Pair, ...]:
    """Find the matches and the rare evidence of pairs, in their order.

    Args:
        works: All of the batch, as what is rare depends on all.
        ranking: The pairs.
        progress: Is told how many pairs are matched.
        detail: What is found at once.
        processes: How many may look at pairs, this one among them.
    """
    finder = _Finder(works)
    known: Sequence[_Found] = [{}] * len(ranking)
    if detail > Detail.SCORE and ranking:
        known = _found_at_once(finder, ranking, progress, detail=detail, processes=processes)
    return tuple(
        Pair.deferred(
            works[each.left],
            works[each.right],
            each.score,
            partial(finder.find, each.left, each.right),
            found,
        )
        for each, found in zip(ranking, known, strict=True)
    )


class _Finder:
    """Finds what two of the works share; what is needed of a work is prepared once."""

    def __init__(self, works: Sequence[TokenizedSubmission]) -> None:
        self._works = works
        self.side = cache(self._side)
        self.rare = cache(self._rare)

    @cached_property
    def frequencies(self) -> DocumentFrequencies:
        """What the works hold in all."""
        return document_frequencies(self._works)

    def find(self, left: int, right: int, name: str) -> _Found:
        """Return an attribute of a pair, and what is found with it."""
        if name == "rare_evidence":
            return {name: self.evidence(left, right)}
        detail = Detail.MATCHES if name == "matches" else Detail.COVERAGE
        return next(_shared([(self.side(left), self.side(right))], 0, detail))

    def evidence(self, left: int, right: int) -> object:
        """Return what only these two share besides structure."""
        return rare_evidence(self.rare(left), self.rare(right), self.frequencies)

    def _side(self, number: int) -> Side:
        work = self._works[number]
        return Side(work, noise_kgrams(work.comparable))

    def _rare(self, number: int) -> RareTraces:
        return rare_of(self._works[number], self.frequencies)


def _shared(pairs: Sequence[tuple[Side, Side]], distinct: int, detail: Detail) -> Iterator[_Found]:
    """Find what is matched of some pairs; ``distinct`` is as in ``tiles_of``."""
    tiles = tiles_of(pairs, distinct)
    coverage = [each._asdict() for each in coverage_of(pairs, tiles)]
    if detail < Detail.MATCHES:
        yield from coverage
        return
    for numbers, matches in zip(coverage, matches_of(pairs, tiles), strict=True):
        yield numbers | {"matches": matches}


def _found_at_once(
    finder: _Finder,
    ranking: Sequence[Ranked],
    progress: Progress,
    *,
    detail: Detail,
    processes: int,
) -> list[_Found]:
    matcher = _matcher_of(finder, ranking, detail)
    tasks = [
        partial(matcher.found, ranking[block.start - 1 : block.stop - 1])
        for block in blocks(len(ranking), _TOGETHER)
    ]
    found = do_all(
        tasks,
        processes=processes,
        on_progress=lambda done: progress(
            "matching", len(ranking) * done // len(tasks), len(ranking)
        ),
    )
    return list(chain.from_iterable(found))


@dataclass(frozen=True, slots=True, eq=False)
class _Matcher:
    """What is needed of the works that are shown, prepared before other processes need it.

    Attributes:
        sides: By number of the work; k-grams are numbered alike in all of them.
        distinct: How many different k-grams there are.
        evidence: Returns the rare evidence of two works.
    """

    sides: Mapping[int, Side]
    distinct: int
    detail: Detail
    evidence: Callable[[int, int], object]

    def found(self, some: Sequence[Ranked]) -> list[_Found]:
        """Find what pairs share."""
        sides = [(self.sides[each.left], self.sides[each.right]) for each in some]
        costs = [sum(len(side.work.comparable) for side in both) for both in sides]
        found = [
            each
            for block in chunks(np.array(costs, np.int64), _TOKENS_AT_ONCE)
            for each in _shared(sides[block], self.distinct, self.detail)
        ]
        if self.detail is Detail.MATCHES:
            for each, pair in zip(found, some, strict=True):
                each["rare_evidence"] = self.evidence(pair.left, pair.right)
        return found


def _matcher_of(finder: _Finder, ranking: Sequence[Ranked], detail: Detail) -> _Matcher:
    shown = sorted({side for each in ranking for side in (each.left, each.right)})
    sides = [finder.side(number) for number in shown]
    hashes = np.concatenate([side.grams.hashes for side in sides])
    values, numbers = np.unique(hashes, return_inverse=True)
    stops = np.cumsum([len(side.grams.hashes) for side in sides])[:-1]
    columns = np.split(numbers.astype(np.uint64), stops)
    if detail is Detail.MATCHES:
        for number in shown:
            finder.rare(number)
    return _Matcher(
        sides={
            number: side.numbered(column)
            for number, side, column in zip(shown, sides, columns, strict=True)
        },
        distinct=len(values),
        detail=detail,
        evidence=finder.evidence,
    )
