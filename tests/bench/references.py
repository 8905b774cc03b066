"""Measures what rewritten solutions are worth as references: are other rewrites found by them?

    python -m tests.bench.references SET... [--kind KIND] [--references 10] [--tested 10]

A SET is as for ``tests.bench.rankings``; one of a copied pair, of that kind if one is named, is a
rewrite of the other, which is honest. For each task some rewrites are references, and of the others
some at a time are handed in beside the honest programs. A program is found if it scores higher, in
any of its pairs that count, than all but a hundredth of those that nobody rewrote. Printed is the
share of rewrites found by pairs

classmates   with all others of the class, the original among them;
strangers    likewise, as if the original were in no batch;
references   with references alone;
both         with classmates and references: the highest of all.
"""

from __future__ import annotations

import argparse
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.ranking.score import Weights, combined
from mosslite.ranking.views import evidence_on
from tests.bench.rankings import FALSE_ALARMS, Task, tasks_of
from tests.bench.vocabulary import chance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["WAYS", "main", "shares_found"]

WAYS: Final = ("classmates", "strangers", "references", "both")


class Class(NamedTuple):
    """The programs of a task by their numbers.

    Attributes:
        honest: Those in the class that nobody rewrote.
        tested: Rewrites that are handed in.
        references: Rewrites that are not, of programs outside of the class but for those of which
            there is another in it.
        originals: What each rewrite was made from.
    """

    honest: Sequence[int]
    tested: Sequence[int]
    references: Sequence[int]
    originals: Mapping[int, int]


def shares_found(
    task: Task, references: int, tested: int, kind: str | None = None
) -> dict[str, float]:
    """Return which share of rewrites is found in each way.

    Args:
        task: Programs, and which of them are rewrites of which.
        references: How many rewrites are references.
        tested: How many others are in the class at a time, as each makes the others less rare.
        kind: Of the rewrites; None for any.
    """
    found: dict[str, list[bool]] = {way: [] for way in WAYS}
    for each in _classes(task, _copies(task, kind), references, tested):
        for way, flags in _found(task, each).items():
            found[way] += flags
    return {way: float(np.mean(flags)) for way, flags in found.items()}


def _copies(task: Task, kind: str | None) -> list[tuple[int, int]]:
    is_asked = [kind in {None, each} for each in task.kinds]
    pairs = task.pairs[task.labels & np.array(is_asked, np.bool_)].tolist()
    return [(left, right) for left, right in pairs]


def _classes(
    task: Task, copies: Sequence[tuple[int, int]], references: int, tested: int
) -> Iterator[Class]:
    honest = sorted({*task.pairs[~task.labels].ravel().tolist()})
    known = frozenset(honest)
    originals = {
        right if left in known else left: left if left in known else right for left, right in copies
    }
    rewrites = sorted(originals)
    chance("references").shuffle(rewrites)
    given, others = rewrites[:references], rewrites[references:]
    for first in range(0, len(others), tested):
        own = others[first : first + tested]
        involved = {originals[each] for each in (*own, *given)}
        yield Class([each for each in honest if each not in involved], own, given, originals)


def _found(task: Task, of: Class) -> dict[str, list[bool]]:
    sources = sorted({of.originals[each] for each in of.tested})
    members = sorted({*of.honest, *sources, *of.tested, *of.references})
    known = {number: place for place, number in enumerate(members)}
    compared = (
        *combinations([*of.honest, *sources], 2),
        *product(of.tested, [*of.honest, *sources]),
        *product([*of.honest, *of.tested], of.references),
    )
    pairs = sorted(sorted(known[each] for each in pair) for pair in compared)
    evidence = evidence_on(
        [task.submissions[number] for number in members], np.array(pairs, np.int64)
    )
    scores = np.zeros((len(members), len(members)))
    left, right = np.array(pairs).T
    scores[left, right] = scores[right, left] = combined(evidence, Weights()).values
    return _by_way(scores, of, known)


def _by_way(
    scores: NDArray[np.float64], of: Class, known: Mapping[int, int]
) -> dict[str, list[bool]]:
    honest, tested, given = (
        [known[each] for each in some] for some in (of.honest, of.tested, of.references)
    )
    originals = [known[of.originals[each]] for each in of.tested]
    elsewhere = scores.copy()
    elsewhere[tested, originals] = 0
    highest = {
        "classmates": (scores, [*honest, *originals]),
        "strangers": (elsewhere, [*honest, *originals]),
        "references": (scores, given),
        "both": (scores, [*honest, *originals, *given]),
    }
    return {
        way: _above(some[:, among].max(axis=1), honest, tested)
        for way, (some, among) in highest.items()
    }


def _above(highest: NDArray[np.float64], honest: list[int], tested: list[int]) -> list[bool]:
    """Return which score higher than all but a hundredth of the honest ones."""
    limit = np.sort(highest[honest])[-1 - int(FALSE_ALARMS * len(honest))]
    found: list[bool] = (highest[tested] > limit).tolist()
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each task, and the mean of all."""
    summary, _, _ = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(prog="tests.bench.references", description=summary)
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET")
    parser.add_argument("--kind", help="of the rewrites, as the set names it")
    parser.add_argument("--references", type=int, default=10, help="rewrites that are references")
    parser.add_argument("--tested", type=int, default=10, help="rewrites in a class at a time")
    given = parser.parse_args(arguments)
    print(f"{'task':24}" + "".join(f"{way:>12}" for way in WAYS))
    lines = []
    for folder in given.sets:
        for number, task in enumerate(tasks_of(folder), 1):
            shares = shares_found(task, given.references, given.tested, given.kind)
            lines.append([shares[way] for way in WAYS])
            _print_line(f"{folder.name} {number}", lines[-1])
    _print_line("mean", np.mean(lines, axis=0).tolist())


def _print_line(label: str, shares: Sequence[float]) -> None:
    print(f"{label:24}" + "".join(f"{share:12.2f}" for share in shares), flush=True)


if __name__ == "__main__":
    main()
