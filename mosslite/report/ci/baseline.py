"""Known pairs: what an instructor has looked at, so that only new suspicions fail a job.

A baseline is JSON that can be read and shortened by hand::

    {
     "kind": "mosslite baseline",
     "format": 1,
     "submissions": [
      {"name": "ada", "code": "6f1ed002ab5595859014ebf0", "sketch": "0004f1c2..."}
     ],
     "pairs": [
      {"left": "ada", "right": "ben", "score": 0.93}    names in either order
     ]
    }

A pair of a report is known while three things hold: the baseline has a pair of these two names;
the code of either is still roughly what it was, so that a baseline of another assignment knows
nothing; and the score is at most 0.05 higher than it was.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from mosslite.report.review import pair_key, work_code
from mosslite.winnowing.fingerprints import resemblance_of_sketches, sketch_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mosslite.records import Comparable, Pair, Report, Work

__all__ = [
    "FORMAT",
    "KIND",
    "Baseline",
    "KnownPair",
    "KnownWork",
    "States",
    "states_of",
    "to_baseline",
]

KIND: Final = "mosslite baseline"
FORMAT: Final = 1
_NEW: Final = "new"

# How far the score of a known pair may rise; some tokens more or less are no news.
_MOST_RISE: Final = 0.05
# Editions of one program resemble each other far more than this, programs for two tasks far less.
_LEAST_RESEMBLANCE: Final = 0.25
# Scores are sums of many terms, so that two runs can differ in the last digits.
_HAIR: Final = 1e-9


@dataclass(frozen=True, slots=True)
class KnownWork:
    """A submission as it was: its code exactly, as a digest, and roughly, as a sketch."""

    name: str
    code: str
    sketch: str


@dataclass(frozen=True, slots=True)
class KnownPair:
    """A pair that was looked at, by the names of both, and the score it had."""

    left: str
    right: str
    score: float


@dataclass(frozen=True, slots=True)
class Baseline:
    """Known pairs, and the submissions they are made of; names are unique."""

    works: tuple[KnownWork, ...]
    pairs: tuple[KnownPair, ...]


@dataclass(frozen=True, slots=True, eq=False)
class States:
    """What each pair of a report is to a baseline: ``new``, ``unchanged`` or ``updated``.

    Pairs are found by what of them is compared, so the states of a report with names hold for
    the same report without them.
    """

    by_sides: Mapping[frozenset[Comparable], str]

    @property
    def known(self) -> int:
        """How many pairs the baseline knows."""
        return sum(state != _NEW for state in self.by_sides.values())

    def is_known(self, pair: Pair) -> bool:
        """Return whether the baseline knows a pair."""
        return self.of(pair) != _NEW

    def of(self, pair: Pair) -> str:
        """Return the state of a pair; ``updated`` is known, and the code of a side has changed."""
        return self.by_sides[_sides(pair)]


def to_baseline(baseline: Baseline) -> str:
    """Write a baseline as JSON, in an order of its own: a change of one pair changes its lines."""
    content = {
        "kind": KIND,
        "format": FORMAT,
        "submissions": [asdict(each) for each in sorted(baseline.works, key=lambda w: w.name)],
        "pairs": [asdict(each) for each in _ordered(baseline.pairs)],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def states_of(report: Report, baseline: Baseline) -> States:
    """Tell new pairs from known ones; the report must be the one with names."""
    works = {each.name: each for each in baseline.works}
    scores = {pair_key(each.left, each.right): each.score for each in baseline.pairs}
    return States({_sides(pair): _state(pair, works, scores) for pair in report.pairs})


def _state(pair: Pair, works: Mapping[str, KnownWork], scores: Mapping[str, float]) -> str:
    score = scores.get(pair_key(pair.left.name, pair.right.name))
    if score is None or pair.score > score + _MOST_RISE + _HAIR:
        return _NEW
    sides = [(work, works[work.name]) for work in (pair.left, pair.right)]
    if all(work_code(work) == known.code for work, known in sides):
        return "unchanged"
    return "updated" if all(_is_edition(*side) for side in sides) else _NEW


def _is_edition(work: Work, known: KnownWork) -> bool:
    """Return whether code is an edition of what it was; of a few tokens any change makes it new."""
    if work_code(work) == known.code:
        return True
    sketch = sketch_of(work)
    return bool(sketch) and resemblance_of_sketches(sketch, known.sketch) >= _LEAST_RESEMBLANCE


def _ordered(pairs: Iterable[KnownPair]) -> list[KnownPair]:
    return sorted(pairs, key=lambda pair: (pair.left, pair.right))


def _sides(pair: Pair) -> frozenset[Comparable]:
    return frozenset((pair.left.comparable, pair.right.comparable))
