"""Measures what each part of normalization is worth: what is lost without it.

    python -m tests.bench.ablation FAMILY=SET[,SET...]...

Each part is left out in turn, and a line says what that changes for labelled sets, as in
``tests.bench.rankings``: the mean over families of average precision within tasks.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends import normalization
from mosslite.frontends.program import Program
from mosslite.options import Options
from mosslite.ranking.score import Weights, combined
from tests.bench.rankings import (
    average_precision,
    family,
    measured,
    recall_at,
    tasks_of,
    within_tasks,
)

Item = TypeVar("Item")

# In this process and again each time, as parts are left out in this process only.
OPTIONS: Final = Options(uses_workers=False, uses_cache=False)


class Part(NamedTuple):
    """The replacement of a part that is left out: a name in a module."""

    module: ModuleType
    name: str
    instead: object


def _no_imports(program: Program, *_: object) -> NDArray[np.bool_]:
    return np.zeros(len(program.words), np.bool_)


def _none(words: NDArray[np.int64], *_: object) -> NDArray[np.bool_]:
    return np.zeros(len(words), np.bool_)


PARTS: Final[Mapping[str, Part]] = {
    "imports": Part(normalization, "imports_in", _no_imports),
    "annotations": Part(normalization, "annotations_in", _none),
    "lone strings": Part(normalization, "lone_strings_in", _none),
}


@contextmanager
def without(name: str) -> Iterator[None]:
    """Leave a part out for as long as the block runs; with no name, none."""
    if not name:
        yield
        return
    part = PARTS[name]
    before = getattr(part.module, part.name)
    setattr(part.module, part.name, part.instead)
    try:
        yield
    finally:
        setattr(part.module, part.name, before)


# --- labelled sets -------------------------------------------------------------------------------


def family_figures(families: Mapping[str, Sequence[Path]]) -> list[float]:
    """Return means of sets: average precision within tasks of each family, and of all families.

    Behind them are average precision over all pairs of a set, and recall of each kind of copies
    at a hundredth of false alarms, each the mean over families.
    """
    of_families = [[_of_set(folder) for folder in folders] for folders in families.values()]
    means = [[fmean(column) for column in zip(*sets, strict=True)] for sets in of_families]
    overall = [fmean(column) for column in zip(*means, strict=True)]
    return [*(each[0] for each in means), *overall]


def _of_set(folder: Path) -> tuple[float, float, float]:
    found = [measured(task) for task in tasks_of(folder, OPTIONS)]
    scored = [(combined(each.evidence, Weights()).values, each.labels) for each in found]
    scores, labels = (np.concatenate(column) for column in zip(*scored, strict=True))
    kinds = np.array([kind for each in found for kind in each.kinds])
    recalls = [recall_at(scores, labels, kinds == kind) for kind in {*kinds[labels].tolist()}]
    return within_tasks(scored), average_precision(scores, labels), fmean(recalls)


# --- the table -----------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for all of normalization, and one without each part."""
    summary, _, _ = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(prog="tests.bench.ablation", description=summary)
    parser.add_argument("sets", nargs="+", type=family, metavar="FAMILY=SET[,SET...]")
    families = dict(parser.parse_args(arguments).sets)
    print(_row("without", [*families, "mean", "pooled", "at 1 %"]), flush=True)
    for name in ("", *PARTS):
        with without(name):
            print(_row(name or "(nothing)", family_figures(families)), flush=True)


def _row(label: str, cells: Sequence[str | float]) -> str:
    shown = (f"{cell:.3f}" if isinstance(cell, float) else cell for cell in cells)
    return f"{label:24s} " + " ".join(f"{cell:>10s}" for cell in shown)


if __name__ == "__main__":
    main()
