"""Counts the words of public code: what many of its files contain is spelled as it should be.

    python -m tests.bench.known_words [-o FILE] FOLDER...

Writes the words of at least five letters, in names, comments and strings, that this many files
contain. The shipped list was made from Python's standard library and packages installed beside it,
the headers of C libraries, and Perl's library. Misspellings such as "seperate" are in fewer files.
"""

import argparse
import re
from collections import Counter
from pathlib import Path
from typing import Final

_LEAST_FILES: Final = 8
_SUFFIXES: Final = (".py", ".h", ".hpp", ".pl", ".pm", ".pod")
_WORD: Final = re.compile(r"[A-Za-z]{5,30}")
_BETWEEN: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|\\.")


def known_words(folders: list[Path]) -> list[str]:
    """Return the words that many files below these folders contain, sorted."""
    counts = Counter[str]()
    for folder in folders:
        for path in folder.rglob("*"):
            if path.suffix in _SUFFIXES and path.is_file() and not path.is_symlink():
                text = _BETWEEN.sub(" ", path.read_text(encoding="utf-8", errors="replace"))
                counts.update({word.lower() for word in _WORD.findall(text)})
    return sorted(word for word, files in counts.items() if files >= _LEAST_FILES)


def main() -> None:
    """Write the words, one a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=Path, default=Path("mosslite/matching/known-words.txt"))
    parser.add_argument("folders", nargs="+", type=Path)
    given = parser.parse_args()
    given.o.write_text("".join(f"{word}\n" for word in known_words(given.folders)), "ascii")


if __name__ == "__main__":
    main()
