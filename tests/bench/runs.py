"""Measures whole runs: cold, warm with one changed file, and the start alone.

The yardstick of a run is Pygments lexing the same files on as many processors and doing nothing
else; that of the start is ``python -c pass``. They take turns, and the median of the ratios counts.

Usage: python -m tests.bench.runs FOLDER [--rounds 5] [-j N]
"""

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.bench.spent import Spent, spent
from tests.posix import processors

Run = Callable[[], Spent]


PYTHON = [sys.executable]
OURS = [sys.executable, "-m", "mosslite"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("-j", "--jobs", type=int, default=processors())
    given = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        os.environ["MOSSLITE_CACHE_DIR"] = str(Path(folder, "cache"))
        batch = Path(folder, "batch")
        shutil.copytree(given.folder, batch)
        _measure(batch, Path(folder, "report"), given.rounds, ["-j", str(given.jobs)])


def _measure(batch: Path, report: Path, rounds: int, jobs: Sequence[str]) -> None:
    check = [*OURS, "check", "-q", *jobs, str(batch), "-o", str(report)]
    bare = [*PYTHON, "-m", "tests.bench.bare", str(batch), *jobs]
    cold = [*check, "--no-cache"]
    _compare("a cold run, to bare lexing", rounds, partial(spent, bare), partial(spent, cold))
    spent(check)
    changed = max(path for path in batch.rglob("*") if path.is_file())

    def warm() -> Spent:
        with changed.open("a", encoding="utf-8") as file:
            file.write(" ")
        return spent(check)

    _compare("one file changed, to a cold run", rounds, partial(spent, cold), warm)
    for option in ("--version", "--help"):
        ours, nothing = partial(spent, [*OURS, option]), partial(spent, [*PYTHON, "-c", "pass"])
        _compare(f"{option}, to python -c pass", 4 * rounds, nothing, ours)


def _compare(title: str, rounds: int, yardstick: Run, ours: Run) -> None:
    """Print how the second fares beside the first."""
    turns = [(yardstick(), ours()) for _ in range(rounds)]
    theirs, own = zip(*turns, strict=True)
    print(
        f"{title:32}{median(o.seconds / y.seconds for y, o in turns):6.2f}"
        f"   {median(each.seconds for each in own):7.2f} s to"
        f"{median(each.seconds for each in theirs):7.2f} s"
        f"   {max(each.megabytes for each in own):5.0f} MB",
        flush=True,
    )


if __name__ == "__main__":
    main()
