"""Measures how many matches of honest pairs exceed chance by some bits, and how many are expected.

    python -m tests.bench.chance [SET...]

Each SET is a folder as for ``tests.bench.rankings``; its pairs that are no copies are honest.
Without any, modules of the standard library that have nothing to do with each other are compared.
Matches of one block count once.
"""

import sys
import sysconfig
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np

from mosslite.intake import collect
from mosslite.matching.matched_pairs import Finder, block_numbers, judged
from mosslite.matching.rare_evidence import document_frequencies
from mosslite.options import Options
from mosslite.records import Inputs, no_progress
from mosslite.winnowing.significance import BIT, chance_bits, expected_matches
from mosslite.winnowing.tokenized import tokenized_submissions
from tests.bench.rankings import Task, tasks_of

LEVELS = (0, 5, 10, 15, 20)
MOST_PAIRS = 1_500
MODULES = 60


def beyond_chance(task: Task, pairs: list[tuple[int, int]]) -> Iterator[float]:
    """Yield the bits beyond chance of the best chain in each block of each pair."""
    finder = Finder(task.submissions, partial(document_frequencies, task.submissions), 1.0)
    for left, right in pairs:
        sides = finder.side(left), finder.side(right)
        found = judged(*sides, 1.0)
        chance = chance_bits(*(side.size for side in sides))
        best: dict[int, int] = {}
        blocks = block_numbers(found.runs)
        for block, bits in zip(blocks, found.chained.tolist(), strict=True):
            best[block] = max(best.get(block, 0), bits)
        yield from ((bits - chance) / BIT for bits in best.values())


def honest_pairs(task: Task) -> list[tuple[int, int]]:
    has_tokens = [bool(submission.tokens) for submission in task.submissions]
    rows = task.pairs[~task.labels].tolist()
    Random(1).shuffle(rows)  # noqa: S311 - a sample, not a secret
    return [(left, right) for left, right in rows if has_tokens[left] and has_tokens[right]]


def library() -> Task:
    """Return modules of the standard library, all pairs of them honest."""
    paths = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[:MODULES]
    batch = collect(Inputs(tuple(map(str, paths))), directories=False)
    submissions, _ = tokenized_submissions(batch, Options(uses_workers=False), no_progress)
    pairs = np.array([*combinations(range(len(submissions)), 2)], np.int64)
    return Task("library", submissions, pairs, np.zeros(len(pairs), np.bool_), [""] * len(pairs))


def row(name: str, tasks: list[Task]) -> None:
    counts, total = np.zeros(len(LEVELS)), 0
    for task in tasks:
        pairs = honest_pairs(task)[: MOST_PAIRS // len(tasks) + 1]
        bits = np.array([*beyond_chance(task, pairs)])
        counts += [(bits >= level).sum() for level in LEVELS]
        total += len(pairs)
    print(
        f"{name:24} {total:6}", *(f"{count / max(total, 1):6.3f}" for count in counts), flush=True
    )


def main() -> None:
    print(f"{'bits beyond chance':24} {'pairs':>6}", *(f"{level:6}" for level in LEVELS))
    print(f"{'expected':31}", *(f"{expected_matches(level * BIT, 1, 1):6.3f}" for level in LEVELS))
    for folder in map(Path, sys.argv[1:]):
        row(folder.name, [*tasks_of(folder)])
    if not sys.argv[1:]:
        row("standard library", [library()])


if __name__ == "__main__":
    main()
