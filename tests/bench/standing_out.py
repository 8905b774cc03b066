"""Measures pairs above the threshold: how many are copied, and how many honest ones were expected.

    python -m tests.bench.standing_out SET...

A SET is a folder with ``files/`` and ``pairs.csv`` as ``rankings`` takes it; each task of it is a
batch. Printed are for each batch the threshold; the pairs, submissions and groups that stand out;
how many of the pairs are labelled copies (those that labels connect through others, too), and how
many copies are labelled; and how many honest pairs were expected beside how many were found.
Labels of many sets are incomplete.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.forests import spanning_forest
from mosslite.options import Options
from mosslite.ranking.ranked_pairs import LocalSearch, compared, shortlist
from mosslite.records import no_progress
from tests.bench.rankings import Task, tasks_of

_OPTIONS = Options(uses_workers=False)
_COLUMNS = ("threshold", "pairs", "submissions", "groups", "copies", "of", "expected", "honest")


class Outcome(NamedTuple):
    """The pairs above a batch's threshold, which is None if none is suggested."""

    threshold: float | None
    pairs: int
    submissions: int
    groups: int
    copies: int
    all_copies: int
    expected: float


def outcome_of(task: Task) -> Outcome:
    """Compare a batch and count the pairs above its threshold."""
    found = compared(task.submissions, LocalSearch(task.submissions), _OPTIONS, no_progress)
    listed = shortlist(found.pairs, found.is_high, 0)
    links = task.pairs[task.labels]
    high = found.pairs[found.is_high]
    threshold = found.limits.threshold
    return Outcome(
        threshold=threshold.score if threshold else None,
        pairs=len(high),
        submissions=listed.submissions,
        groups=listed.groups,
        copies=int(_are_copies(high, links, len(task.submissions)).sum()),
        all_copies=len(links),
        expected=threshold.expected if threshold else 0.0,
    )


def _are_copies(
    pairs: NDArray[np.int64], links: NDArray[np.int64], submissions: int
) -> NDArray[np.bool_]:
    """Mark the pairs whose sides the labelled copies connect."""
    _, trees = spanning_forest(links, submissions)
    ends = trees[pairs]
    are: NDArray[np.bool_] = ends[:, 0] == ends[:, 1]
    return are


def main() -> None:
    """Print a line for each batch."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET")
    print(_row("batch", *_COLUMNS))
    for folder in parser.parse_args().sets:
        for task in tasks_of(folder, _OPTIONS):
            print(_row(f"{folder.name} {task.name}", *_cells(outcome_of(task))), flush=True)


def _cells(one: Outcome) -> tuple[object, ...]:
    is_told = one.threshold is not None
    return (
        f"{one.threshold:.2f}" if is_told else "none",
        *(one.pairs, one.submissions, one.groups, one.copies, one.all_copies),
        round(one.expected) if is_told else "-",
        one.pairs - one.copies,
    )


def _row(name: str, *cells: object) -> str:
    return f"{name[:40]:40s} " + " ".join(f"{cell!s:>11s}" for cell in cells)


if __name__ == "__main__":
    main()
