"""The yardstick of whole runs: Pygments lexes every file of a folder, and nothing else is done.

Usage: python -m tests.bench.bare FOLDER [-j N]
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

__all__ = ["main"]


def lexed(path: Path) -> int:
    """Count the tokens of a file; there are none where no lexer is for its name."""
    try:
        lexer = get_lexer_for_filename(path.name)
    except ClassNotFound:
        return 0
    text = path.read_text(encoding="utf-8", errors="replace")
    return sum(1 for _ in lexer.get_tokens_unprocessed(text))


def main() -> None:
    """Print how many tokens there are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)))
    given = parser.parse_args()
    paths = sorted(path for path in given.folder.rglob("*") if path.is_file())
    with ProcessPoolExecutor(given.jobs) as pool:
        print(f"{sum(pool.map(lexed, paths, chunksize=16)):,} tokens")


if __name__ == "__main__":
    main()
