"""Measures an archive: what each further term takes to add, and what it takes to ask all of them.

Terms are made of the programs in a folder, by ``tests.bench.batches``. All times are those of whole
commands, their start included, and without a cache.

Usage: python -m tests.bench.earlier_terms FOLDER [--terms 4] [--count 5000] [--batch 50]
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.batches import programs_in, write_batch
from tests.bench.spent import spent

OURS = (sys.executable, "-m", "mosslite")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--terms", type=int, default=4)
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--batch", type=int, default=50)
    given = parser.parse_args(arguments)
    print("command                  seconds  CPU seconds  MB held  MB of archive")
    with TemporaryDirectory() as folder:
        _measure(Path(folder), programs_in(given.folder, 20_000), given)


def _measure(folder: Path, programs: Sequence[Path], given: argparse.Namespace) -> None:
    batch, archive = folder / "batch", folder / "terms.mosslite"
    write_batch(programs, given.terms * given.count, folder / "all")
    submissions = sorted((folder / "all").iterdir())
    for term in range(given.terms):
        (folder / f"{term}").mkdir()
        for submission in submissions[term :: given.terms]:
            submission.rename(folder / f"{term}" / submission.name)
        adding = ("--term", f"{term}", "--no-cache", "-q", f"{folder / str(term)}")
        _tell(archive, f"add {given.count:,}", "archive", "add", str(archive), *adding)
    write_batch(programs, given.batch, batch)
    suspect = next(iter(sorted(batch.iterdir())))
    _tell(archive, "query", "query", str(archive), str(suspect))
    checking = ("--no-cache", "-q", "-o", str(folder / "report"), str(batch))
    _tell(archive, f"check {given.batch:,}", "check", "--archive", str(archive), *checking)
    _tell(archive, "verify", "archive", "verify", str(archive))


def _tell(archive: Path, what: str, *command: str) -> None:
    took = spent([*OURS, *command])
    size = archive.stat().st_size / 1e6
    print(
        f"{what:24}{took.seconds:8.2f}{took.cpu:13.2f}{took.megabytes:9.0f}{size:15.1f}", flush=True
    )


if __name__ == "__main__":
    main()
