"""Measures how the time and the memory of a whole run grow with the batch.

Batches are made of the programs in a folder, by ``tests.bench.batches``. The report on each is
the time, without a cache, beside that of Pygments alone on the same files and processors, and the
most memory that one process held. The last line is the exponent fitted to the times.

Usage: python -m tests.bench.growth FOLDER [--counts 1000 2000 4000 8000 16000] [--most 20000]
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tests.bench.batches import programs_in, write_batch
from tests.bench.spent import spent

COUNTS = (1_000, 2_000, 4_000, 8_000, 16_000)
BARE = [sys.executable, "-m", "tests.bench.bare"]
OURS = [sys.executable, "-m", "mosslite", "check", "-q", "--no-cache"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each batch."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS)
    parser.add_argument("--most", type=int, default=20_000, help="bytes of a program")
    given = parser.parse_args(arguments)
    programs = programs_in(given.folder, given.most)
    print(f"{len(programs):,} programs")
    print("submissions     MB  seconds    bare  ratio  MB held  KB each, 150 MB apart")
    seconds = [_measured(programs, count) for count in given.counts]
    if len(seconds) > 1:
        exponent, _ = np.polyfit(np.log(given.counts), np.log(seconds), 1)
        print(f"time grows with the number of submissions to the power of {exponent:.2f}")


def _measured(programs: Sequence[Path], count: int) -> float:
    with TemporaryDirectory() as folder:
        batch = Path(folder, "batch")
        write_batch(programs, count, batch)
        size = sum(path.stat().st_size for path in batch.iterdir())
        bare = spent([*BARE, str(batch)])
        ours = spent([*OURS, str(batch), "-o", str(Path(folder, "report"))])
    print(
        f"{count:11,}{size / 1e6:7.1f}{ours.seconds:9.1f}{bare.seconds:8.1f}"
        f"{ours.seconds / bare.seconds:7.2f}{ours.megabytes:9.0f}"
        f"{1024 * (ours.megabytes - 150) / count:9.1f}",
        flush=True,
    )
    return ours.seconds


if __name__ == "__main__":
    main()
