"""Measures the score on labelled sets, and how much it depends on its constants.

    python -m tests.bench.rankings FAMILY=SET[,SET...]...

A SET is a folder with ``files/`` and ``pairs.csv``, whose columns are task, a, b, label and kind:
two paths inside ``files/``, 1 for a copy or 0, and in what way it was copied. Sets that were made
alike are a family, such as ``contest=raw,clean homework=autumn``: each family weighs the same, so
that many sets of one sort do not decide alone. Printed are tables:

* of each set: average precision within its tasks and over all of its pairs, and of each kind of
  copies how many score above all but a hundredth of the honest pairs; where pairs that are labelled
  honest are the same token for token, as when one person has two accounts, again without them;
* of each family the mean average precision within tasks: with the defaults; with other k and t;
  with one constant changed at a time; and with the constants chosen for each family on all others,
  which tells whether they hold on a family unseen.
"""

import argparse
import csv
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mosslite.intake import collect
from mosslite.options import CODE_DEFAULTS, Options, Thresholds
from mosslite.ranking.score import Evidence, Weights, combined
from mosslite.ranking.views import evidence_on
from mosslite.records import Inputs, TokenizedSubmission, no_progress
from mosslite.winnowing.fingerprints import fingerprints
from mosslite.winnowing.tokenized import tokenized_submissions

Scores = NDArray[np.float64]

GRID: dict[str, tuple[float, ...]] = {
    "structure": (0.7, 0.8, 0.9, 1.0),
    "wording": (0.6, 0.7, 0.8, 0.9),
    "trace": (0.0, 2.0, 4.0, 8.0),
    "layout": (0.0, 2.0, 8.0, 16.0),
    "doubt": (0.0, 2.0, 5.0, 10.0),
    "part": (0.0, 0.7, 0.8, 0.9),
    "part_doubt": (0.0, 20.0, 50.0, 100.0),
}
CROSSED = ("wording", "layout", "doubt", "part")
DETAILS = (4, 6, 8, 10, 12)
# Noise and guarantee thresholds.
THRESHOLDS = ((8, 16), (10, 18), (12, 16), (12, 20), (12, 28), (16, 24), (20, 35), (25, 35))

# The share of honest pairs that may score above a limit.
FALSE_ALARMS = 0.01


@dataclass(frozen=True)
class Task:
    """Submissions of one assignment, and the labelled pairs among them in ascending order."""

    name: str
    submissions: Sequence[TokenizedSubmission]
    pairs: NDArray[np.int64]
    labels: NDArray[np.bool_]
    kinds: Sequence[str]


@dataclass(frozen=True)
class Measured:
    """All evidence on the labelled pairs of one task."""

    evidence: Evidence
    labels: NDArray[np.bool_]
    kinds: Sequence[str]


Tasks = dict[str, dict[str, list[Task]]]
Sets = dict[str, list[Measured]]
Families = dict[str, Sets]


def tasks_of(folder: Path, options: Options = Options()) -> Iterator[Task]:  # noqa: B008 - frozen
    """Read a labelled set."""
    rows = defaultdict(list)
    with (folder / "pairs.csv").open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            rows[row["task"]].append((row["a"], row["b"], row["label"] == "1", row["kind"]))
    for name, labelled in sorted(rows.items()):
        yield _task(name, folder / "files", labelled, options)


def _task(
    name: str, root: Path, labelled: Sequence[tuple[str, str, bool, str]], options: Options
) -> Task:
    names = sorted({name for left, right, _, _ in labelled for name in (left, right)})
    batch = collect(Inputs(tuple(str(root / name) for name in names)), directories=False)
    submissions, _ = tokenized_submissions(batch, options, no_progress)
    numbers = {submission.name: number for number, submission in enumerate(submissions)}
    known = sorted(
        (min(sides), max(sides), label, kind)
        for left, right, label, kind in labelled
        if {str(root / left), str(root / right)} <= numbers.keys()
        for sides in [(numbers[str(root / left)], numbers[str(root / right)])]
    )
    return Task(
        name,
        submissions,
        np.array([row[:2] for row in known], np.int64).reshape(-1, 2),
        np.array([row[2] for row in known], np.bool_),
        [row[3] for row in known],
    )


def average_precision(scores: Scores, labels: NDArray[np.bool_]) -> float:
    """Return the mean over the copies of the precision down to each; ties count against them."""
    hits = labels[np.lexsort((labels, -scores))]
    precision = np.cumsum(hits)[hits] / (np.flatnonzero(hits) + 1)
    return float(precision.mean()) if len(precision) else float("nan")


def recall_at(scores: Scores, labels: NDArray[np.bool_], is_asked: NDArray[np.bool_]) -> float:
    """Return the share of some copies that score above all but a hundredth of the honest pairs."""
    honest = np.sort(scores[~labels])
    allowed = int(FALSE_ALARMS * len(honest))
    limit = honest[-1 - allowed] if len(honest) else -1.0
    return float((scores[is_asked & labels] > limit).mean())


def within_tasks(scored: Sequence[tuple[Scores, NDArray[np.bool_]]]) -> float:
    """Return the mean average precision of the tasks that have both copies and honest pairs."""
    both = [each for each in scored if each[1].any() and not each[1].all()]
    return float(np.mean([average_precision(*each) for each in both])) if both else float("nan")


def measured(task: Task, thresholds: Thresholds = CODE_DEFAULTS) -> Measured:
    """Collect the evidence, with k-grams of the detail length."""
    submissions = [_with(submission, thresholds) for submission in task.submissions]
    return Measured(evidence_on(submissions, task.pairs), task.labels, task.kinds)


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


def family_figures(families: Families, weights: Weights) -> list[float]:
    """Return the mean average precision within tasks of each family, and the mean of these."""
    return _means(families, lambda each: combined(each.evidence, weights).values)


def _means(families: Families, score: Callable[[Measured], Scores]) -> list[float]:
    figures = [
        float(np.mean([within_tasks([(score(each), each.labels) for each in of]) for of in sets]))
        for sets in (family.values() for family in families.values())
    ]
    return [*figures, float(np.mean(figures))]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("families", nargs="+", type=family, metavar="FAMILY=SET[,SET...]")
    folders = dict(parser.parse_args().families)
    tasks = {name: {each.name: list(tasks_of(each)) for each in of} for name, of in folders.items()}
    families = _measured(tasks, CODE_DEFAULTS)
    _print_sets(families)
    print()
    print(_row("within tasks", [*families, "mean"]))
    print(_row("defaults", family_figures(families, Weights())))
    _print_thresholds(tasks, families)
    _print_details(tasks)
    _print_one_at_a_time(families)
    _print_cross_validated(families)


def family(argument: str) -> tuple[str, list[Path]]:
    """Split the name of a family from its sets."""
    name, _, sets = argument.partition("=")
    return name, [Path(each) for each in sets.split(",")]


def _measured(tasks: Tasks, thresholds: Thresholds) -> Families:
    return {
        family: {name: [measured(each, thresholds) for each in of] for name, of in sets.items()}
        for family, sets in tasks.items()
    }


def _print_sets(families: Families) -> None:
    print(_row("set", ["within tasks", "pooled"]), "  recall at 1 % false alarms")
    for sets in families.values():
        for name, of_set in sets.items():
            _print_set(name, of_set)
            mistaken = [each.evidence.is_same & ~each.labels for each in of_set]
            if count := sum(int(each.sum()) for each in mistaken):
                _print_set(f"- {count} same", of_set, mistaken)


def _print_set(
    name: str, of_set: Sequence[Measured], left_out: Sequence[NDArray[np.bool_]] | None = None
) -> None:
    """Print the figures of a set; some pairs of each of its tasks may be left out."""
    kept = [~each for each in left_out or [np.zeros_like(each.labels) for each in of_set]]
    scored = [
        (combined(each.evidence, Weights()).values[mask], each.labels[mask])
        for each, mask in zip(of_set, kept, strict=True)
    ]
    scores, labels = (np.concatenate(column) for column in zip(*scored, strict=True))
    kinds = np.array([kind for each in of_set for kind in each.kinds])[np.concatenate(kept)]
    recalls = ", ".join(
        f"{kind} {recall_at(scores, labels, kinds == kind):.2f}"
        for kind in sorted({*kinds[labels].tolist()})
    )
    print(_row(name, [within_tasks(scored), average_precision(scores, labels)]), "", recalls)


def _print_thresholds(tasks: Tasks, families: Families) -> None:
    print()
    for noise, guarantee in THRESHOLDS:
        thresholds = Thresholds(noise, guarantee, CODE_DEFAULTS.detail)
        figures = _means(families, _score_of_found(tasks, families, thresholds))
        print(_row(f"k {noise}, t {guarantee}", figures))


def _score_of_found(
    tasks: Tasks, families: Families, thresholds: Thresholds
) -> Callable[[Measured], Scores]:
    """Return a score by which pairs that share no fingerprint score 0."""
    is_found = {
        id(each): found(task, thresholds)
        for family, sets in tasks.items()
        for name, of_set in sets.items()
        for task, each in zip(of_set, families[family][name], strict=True)
    }
    return lambda each: combined(each.evidence, Weights()).values * is_found[id(each)]


def _print_details(tasks: Tasks) -> None:
    print()
    for detail in DETAILS:
        families = _measured(tasks, replace(CODE_DEFAULTS, detail=detail))
        print(_row(f"detail {detail}", family_figures(families, Weights())))


def _print_one_at_a_time(families: Families) -> None:
    for name, values in GRID.items():
        print()
        for value in values:
            weights = replace(Weights(), **{name: value})
            print(_row(f"{name} {value:g}", family_figures(families, weights)))


def variants() -> Iterator[Weights]:
    """Return every combination of the constants that are chosen together."""
    for values in product(*(GRID[name] for name in CROSSED)):
        yield replace(Weights(), **dict(zip(CROSSED, values, strict=True)))


def _print_cross_validated(families: Families) -> None:
    """Choose the constants for each family on the mean of all others."""
    if len(families) < 2:
        return
    tried = list(variants())
    table = np.array([family_figures(families, weights)[:-1] for weights in tried])
    chosen = [
        int(np.delete(table, column, axis=1).mean(axis=1).argmax())
        for column in range(len(families))
    ]
    figures = [float(table[row, column]) for column, row in enumerate(chosen)]
    print()
    print(_row("chosen without it", [*figures, float(np.mean(figures))]))
    for name, row in zip(families, chosen, strict=True):
        print(f"  {name}: {tried[row]}")


def _row(label: str, cells: Sequence[str | float]) -> str:
    shown = (f"{cell:.3f}" if isinstance(cell, float) else cell for cell in cells)
    return f"{label:20s} " + " ".join(f"{cell:>13s}" for cell in shown)


if __name__ == "__main__":
    main()
