"""From ranked pairs to what both sides of each share, a few pairs at a time."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from mosslite.fingerprint import noise_kgrams
from mosslite.matches import find_tiles, pair_of
from mosslite.model import Pair
from mosslite.processes import blocks, do_all
from mosslite.rare import census_of, rare_evidence, rare_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mosslite.columns import KGrams
    from mosslite.model import Progress, Work
    from mosslite.rare import Census
    from mosslite.rare.held import RareTraces

__all__ = ["Ranked", "matched"]

# So many pairs are matched in one task.
_TOGETHER = 8

# What a process tells another of a pair whose works both have.
_BESIDE_WORKS = [each.name for each in fields(Pair) if each.name not in {"left", "right"}]
_Told = dict[str, Any]


class Ranked(NamedTuple):
    """A pair that is to be shown: its score, and the numbers of its works."""

    score: float
    left: int
    right: int


def matched(
    works: Sequence[Work], ranking: Sequence[Ranked], progress: Progress, processes: int
) -> tuple[Pair, ...]:
    """Find the matches and the rare evidence of pairs, in their order.

    Args:
        works: All of the batch, as what is rare depends on all.
        ranking: The pairs.
        progress: Is told how many pairs are matched.
        processes: How many may look at pairs, this one among them.
    """
    matcher = _matcher_of(works, ranking)
    tasks = [
        partial(matcher.told, ranking[block.start - 1 : block.stop - 1])
        for block in blocks(len(ranking), _TOGETHER)
    ]
    found = do_all(
        tasks,
        processes=processes,
        told=lambda done: progress("matching", len(ranking) * done // len(tasks), len(ranking)),
    )
    return tuple(
        Pair(works[each.left], works[each.right], **told)
        for each, told in zip(ranking, chain.from_iterable(found), strict=True)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Matcher:
    """All works, and by their numbers what is needed of those that are shown."""

    works: Sequence[Work]
    census: Census
    grams: Mapping[int, KGrams]
    rare: Mapping[int, RareTraces]

    def told(self, some: Sequence[Ranked]) -> list[_Told]:
        """Match pairs, and give of each all but its works."""
        pairs = (self._pair(*each) for each in some)
        return [{name: getattr(pair, name) for name in _BESIDE_WORKS} for pair in pairs]

    def _pair(self, score: float, left: int, right: int) -> Pair:
        ours, theirs = self.works[left], self.works[right]
        tiles = find_tiles(ours.comparable, self.grams[left], theirs.comparable, self.grams[right])
        evidence = rare_evidence(self.rare[left], self.rare[right], self.census)
        return pair_of(ours, theirs, score, tiles, evidence)


def _matcher_of(works: Sequence[Work], ranking: Sequence[Ranked]) -> _Matcher:
    census = census_of(works)
    shown = sorted({side for each in ranking for side in (each.left, each.right)})
    return _Matcher(
        works=works,
        census=census,
        grams={side: noise_kgrams(works[side].comparable) for side in shown},
        rare={side: rare_of(works[side], census) for side in shown},
    )
