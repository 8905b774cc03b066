"""Measures the score on labelled sets, and how much it depends on its constants.

    python -m tests.bench.rankings SET...

A SET is a folder with ``files/`` and ``pairs.csv``, whose columns are task, a, b and label: two
paths inside ``files/``, and 1 for a copy or 0. Printed are tables of average precision: for each
set and each language with the defaults; with other k and t; with one constant changed at a time;
and with the constants chosen for each set on all others, which tells whether they hold on a set
unseen.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mosslite.languages import language_of
from mosslite.options import CODE_DEFAULTS, Options, Thresholds
from mosslite.ranking.ranked_pairs import evidence_on
from mosslite.ranking.score import Evidence, Weights, combined
from mosslite.records import Inputs, no_progress
from mosslite.submissions import collect
from mosslite.winnowing.fingerprints import fingerprints
from mosslite.winnowing.tokenized import tokenized_submissions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mosslite.records import TokenizedSubmission

GRID: dict[str, tuple[float, ...]] = {
    "structure": (0.7, 0.8, 0.9, 1.0),
    "wording": (0.4, 0.5, 0.6, 0.7),
    "trace": (0.0, 2.0, 4.0, 8.0, 16.0),
    "layout": (0.0, 1.0, 2.0, 4.0),
    "doubt": (0.0, 1.0, 2.0, 5.0, 10.0),
}
CROSSED = ("structure", "wording", "trace", "doubt")
DETAILS = (4, 6, 8, 10, 12)
# Noise and guarantee thresholds.
THRESHOLDS = ((8, 16), (10, 18), (12, 16), (12, 20), (12, 28), (16, 24), (20, 35), (25, 35))


@dataclass(frozen=True)
class Task:
    """Works of one assignment, and the labelled pairs among them in ascending order."""

    submissions: Sequence[TokenizedSubmission]
    pairs: NDArray[np.int64]
    labels: NDArray[np.bool_]
    language: str


@dataclass(frozen=True)
class Measured:
    """All there is on the labelled pairs of one task."""

    evidence: Evidence
    labels: NDArray[np.bool_]
    language: str


def tasks_of(folder: Path) -> Iterator[Task]:
    """Read a labelled set."""
    rows = defaultdict(list)
    with (folder / "pairs.csv").open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            rows[row["task"]].append((row["a"], row["b"], row["label"] == "1"))
    for _, labelled in sorted(rows.items()):
        yield _task(folder / "files", labelled)


def _task(root: Path, labelled: Sequence[tuple[str, str, bool]]) -> Task:
    names = sorted({name for left, right, _ in labelled for name in (left, right)})
    batch = collect(Inputs(tuple(str(root / name) for name in names)), directories=False)
    submissions, _ = tokenized_submissions(batch, Options(), no_progress)
    numbers = {submission.name: number for number, submission in enumerate(submissions)}
    known = [
        (*sorted(numbers[str(root / name)] for name in (left, right)), label)
        for left, right, label in labelled
        if {str(root / left), str(root / right)} <= numbers.keys()
    ]
    table = np.array(sorted(known), np.int64).reshape(-1, 3)
    language = language_of(names[0])
    return Task(submissions, table[:, :2], table[:, 2] > 0, language.name if language else "text")


def average_precision(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """Return the mean over the copies of the precision down to each; ties count against them."""
    hits = labels[np.lexsort((labels, -scores))]
    precision = np.cumsum(hits)[hits] / (np.flatnonzero(hits) + 1)
    return float(precision.mean()) if len(precision) else float("nan")


def pooled(tasks: Iterable[Measured], weights: Weights) -> float:
    """Rank the pairs of all tasks in one list: a score must mean the same in each."""
    scored = [(combined(task.evidence, weights), task.labels) for task in tasks]
    scores, labels = (np.concatenate(columns) for columns in zip(*scored, strict=True))
    return average_precision(scores, labels)


def measured(task: Task, thresholds: Thresholds = CODE_DEFAULTS) -> Measured:
    """Collect the evidence, with k-grams of the detail length."""
    submissions = [_with(submission, thresholds) for submission in task.submissions]
    return Measured(evidence_on(submissions, task.pairs), task.labels, task.language)


def _with(submission: TokenizedSubmission, thresholds: Thresholds) -> TokenizedSubmission:
    segments = tuple(
        replace(each, thresholds=thresholds) for each in submission.comparable.segments
    )
    return replace(submission, comparable=replace(submission.comparable, segments=segments))


def found(task: Task, thresholds: Thresholds) -> NDArray[np.bool_]:
    """Mark the pairs that share a fingerprint, without which they are never scored."""
    chosen = [
        frozenset(fingerprints(_with(submission, thresholds).comparable).hashes.tolist())
        for submission in task.submissions
    ]
    pairs = task.pairs.tolist()
    return np.array([not chosen[left].isdisjoint(chosen[right]) for left, right in pairs])


Sets = dict[str, list[Measured]]


def variants() -> Iterator[Weights]:
    """Return every combination of the constants that are chosen together."""
    for values in product(*(GRID[name] for name in CROSSED)):
        yield replace(Weights(), **dict(zip(CROSSED, values, strict=True)))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET")
    folders = parser.parse_args().sets
    tasks = {folder.name: list(tasks_of(folder)) for folder in folders}
    sets = {name: [measured(task) for task in of_set] for name, of_set in tasks.items()}
    print(_row("average precision", [*sets, "mean"]))
    print(_row("defaults", _figures(sets, Weights())))
    _print_languages(sets)
    _print_thresholds(tasks, sets)
    _print_details(tasks)
    _print_one_at_a_time(sets)
    _print_cross_validated(sets)


def _figures(sets: Sets, weights: Weights) -> list[float]:
    figures = [pooled(tasks, weights) for tasks in sets.values()]
    return [*figures, float(np.mean(figures))]


def _print_languages(sets: Sets) -> None:
    by_language: Sets = defaultdict(list)
    for tasks in sets.values():
        for task in tasks:
            by_language[task.language].append(task)
    print()
    for language, tasks in sorted(by_language.items()):
        print(_row(f"{language}, {len(tasks)} tasks", [pooled(tasks, Weights())]))


def _print_thresholds(tasks: Mapping[str, Sequence[Task]], sets: Sets) -> None:
    print()
    for noise, guarantee in THRESHOLDS:
        thresholds = Thresholds(noise, guarantee, CODE_DEFAULTS.detail)
        figures = [_found_alone(tasks[name], of_set, thresholds) for name, of_set in sets.items()]
        print(_row(f"k {noise}, t {guarantee}", [*figures, float(np.mean(figures))]))


def _found_alone(
    tasks: Sequence[Task], of_set: Sequence[Measured], thresholds: Thresholds
) -> float:
    """Rank the pairs that share a fingerprint; the others score 0."""
    scores = [
        combined(each.evidence, Weights()) * found(task, thresholds)
        for task, each in zip(tasks, of_set, strict=True)
    ]
    labels = [task.labels for task in tasks]
    return average_precision(np.concatenate(scores), np.concatenate(labels))


def _print_details(tasks: Mapping[str, Sequence[Task]]) -> None:
    print()
    for detail in DETAILS:
        chosen = replace(CODE_DEFAULTS, detail=detail)
        sets = {name: [measured(each, chosen) for each in of] for name, of in tasks.items()}
        print(_row(f"detail {detail}", _figures(sets, Weights())))


def _print_one_at_a_time(sets: Sets) -> None:
    for name, values in GRID.items():
        print()
        for value in values:
            print(_row(f"{name} {value}", _figures(sets, replace(Weights(), **{name: value}))))


def _print_cross_validated(sets: Sets) -> None:
    """Choose the constants for each set on the mean of all others."""
    if len(sets) < 2:
        return
    tried = list(variants())
    table = np.array([_figures(sets, weights)[:-1] for weights in tried])
    chosen = [
        int(np.delete(table, column, axis=1).mean(axis=1).argmax()) for column in range(len(sets))
    ]
    figures = [float(table[row, column]) for column, row in enumerate(chosen)]
    print()
    print(_row("chosen without it", [*figures, float(np.mean(figures))]))
    for name, row in zip(sets, chosen, strict=True):
        print(f"  {name}: {tried[row]}")


def _row(label: str, cells: Sequence[str | float]) -> str:
    shown = (f"{cell:.3f}" if isinstance(cell, float) else cell for cell in cells)
    return f"{label:20s} " + " ".join(f"{cell:>13s}" for cell in shown)


if __name__ == "__main__":
    main()
