"""Measures how often ``mosslite query`` would say that submissions have little in common.

    python -m tests.bench.queries SET...

A SET is as for ``tests.bench.rankings``. Each program of a labelled pair is looked up among all
others of its task. Printed are, for limits of the containment and for multiples of the median of
all others, the share of copies that are marked although they are related, and the share of honest
pairs with a common fingerprint that are.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mosslite.winnowing.fingerprints import fingerprints
from tests.bench.rankings import tasks_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from tests.bench.rankings import Task

    Rule = Callable[[NDArray[np.float64]], float]


def _times_the_median(times: float) -> Rule:
    return lambda others: times * float(np.median(others)) if len(others) else 0.0


def _always(limit: float) -> Rule:
    return lambda _: limit


RULES: dict[str, Rule] = {
    **{f"below {limit}": _always(limit) for limit in (0.05, 0.1, 0.15, 0.2)},
    **{f"{times} medians": _times_the_median(times) for times in (1.0, 1.5, 2.0, 3.0)},
}


def marks_of(task: Task) -> Iterator[tuple[bool, list[bool]]]:
    """Yield for each pair and direction whether it is a copy, and which rules mark it."""
    chosen = [np.unique(fingerprints(each.comparable).hashes) for each in task.submissions]
    holders = defaultdict(list)
    for number, hashes in enumerate(chosen):
        for each in hashes.tolist():
            holders[each].append(number)
    limits: dict[int, tuple[NDArray[np.float64], list[float]]] = {}
    for (left, right), is_copy in zip(task.pairs.tolist(), task.labels.tolist(), strict=True):
        for asked, other in ((left, right), (right, left)):
            if asked not in limits:
                counts = np.zeros(len(chosen))
                for each in chosen[asked].tolist():
                    counts[holders[each]] += 1
                counts[asked] = 0
                shares = counts / max(1, len(chosen[asked]))
                limits[asked] = shares, [rule(shares[shares > 0]) for rule in RULES.values()]
            shares, of_rules = limits[asked]
            if shares[other]:
                yield is_copy, [bool(shares[other] < limit) for limit in of_rules]


def main() -> None:
    """Print a row for each set and rule."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET")
    print(f"{'set':<20}{'':>16}" + "".join(f"{name:>14}" for name in RULES))
    for folder in parser.parse_args().sets:
        rows = [row for task in tasks_of(folder) for row in marks_of(task)]
        for kind, is_copy in (("copies", True), ("honest", False)):
            marks = np.array([each for label, each in rows if label is is_copy])
            if len(marks):
                cells = "".join(f"{share:>14.3f}" for share in marks.mean(axis=0))
                print(f"{folder.name:<20}{kind:>8}{len(marks):>8,}{cells}")


if __name__ == "__main__":
    main()
