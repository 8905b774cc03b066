"""The yardstick of whole runs: Pygments lexes every file of a folder, and nothing else is done.

Usage: python -m tests.bench.bare FOLDER [-j N]
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

from tests.posix import processors


def lexed(path: Path) -> int:
    """Count the tokens of a file; there are none where no lexer is for its name."""
    lexer = lexer_for(path.suffix)
    text = path.read_text(encoding="utf-8", errors="replace")
    return sum(1 for _ in lexer.get_tokens_unprocessed(text)) if lexer else 0


@cache  # to find one takes as long as to lex a short file
def lexer_for(suffix: str) -> Lexer | None:
    """Return a lexer, once for all files of a kind."""
    try:
        lexer: Lexer = get_lexer_for_filename(f"file{suffix}")
    except ClassNotFound:
        return None
    return lexer


def main() -> None:
    """Print how many tokens there are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-j", "--jobs", type=int, default=processors())
    given = parser.parse_args()
    paths = sorted(path for path in given.folder.rglob("*") if path.is_file())
    with ProcessPoolExecutor(given.jobs) as pool:
        print(f"{sum(pool.map(lexed, paths, chunksize=16)):,} tokens")


if __name__ == "__main__":
    main()
