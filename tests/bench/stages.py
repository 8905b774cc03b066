"""Measures what each step of each stage takes: the weights of the progress bar.

Usage: python -m tests.bench.stages FOLDER [-j N]
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from mosslite.options import Options
from mosslite.pipeline import compare
from mosslite.records import Inputs
from mosslite.report import ReportMetadata, write_html

__all__ = ["main"]


class Clock:
    """Books the time between two tellings to the stage of the later one."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.steps: dict[str, int] = {}
        self._latest = time.perf_counter()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Be told of progress."""
        now = time.perf_counter()
        self.seconds[stage] += now - self._latest
        self.steps[stage] = total
        self._latest = now


def main() -> None:
    """Print milliseconds for each file and for each pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("-j", "--jobs", type=int)
    arguments = parser.parse_args()
    clock = Clock()
    with TemporaryDirectory() as folder:
        report = compare(Inputs((arguments.folder,)), Options(jobs=arguments.jobs), progress=clock)
        write_html(report, Path(folder, "report"), ReportMetadata("", ""), progress=clock)
    files, pairs = clock.steps["tokenizing"], clock.steps["matching"]
    print(f"{files:,} files, {pairs:,} pairs")
    for stage, seconds in clock.seconds.items():
        of_files = stage in {"reading", "tokenizing", "comparing"}
        count, unit = (files, "file") if of_files else (pairs, "pair")
        print(f"{stage:12} {seconds:7.2f} s  {1000 * seconds / count:6.2f} ms for each {unit}")


if __name__ == "__main__":
    main()
