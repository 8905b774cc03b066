"""Counts the n-grams of public code: the background that matches are judged against.

    python -m tests.bench.background [-o FILE] FOLDER...

Every FOLDER holds real code, such as unpacked source packages; its files are grouped by language,
and each language counts equally. What is written holds no text: codes of symbols, and how often
one to four of them follow each other. The shipped file was made from Python's standard library and
from the source packages that docs/decisions/score.md names.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.intake import collect
from mosslite.options import Options
from mosslite.records import Inputs, no_progress
from mosslite.winnowing.significance import SYMBOLS, Background, ngrams_of
from mosslite.winnowing.tokenized import tokenized_submissions

Codes = NDArray[np.uint64]

# Files of other sizes are data, or say little.
_SIZES: Final = range(300, 200_000)
_SUFFIXES: Final = (
    ".c",
    ".cc",
    ".cpp",
    ".cs",
    ".go",
    ".hs",
    ".java",
    ".js",
    ".kt",
    ".lisp",
    ".lua",
    ".php",
    ".pl",
    ".pm",
    ".py",
    ".r",
    ".rb",
    ".rs",
    ".scala",
    ".scm",
    ".sh",
    ".ts",
)
# Files and tokens of a language, and occurrences of an n-gram, below which it says nothing.
_MOST_FILES, _MOST_TOKENS, _LEAST = 1_500, 300_000, 10
_DEFAULT: Final = Path("mosslite/winnowing/background.npz")


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("-o", "--output", type=Path, default=_DEFAULT)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    by_language = dict(_texts_by_language(asked.folders))
    counted = counts_of([text for texts in by_language.values() for text in texts])
    np.savez_compressed(
        asked.output,
        symbols=counted.symbols,
        grams=counted.grams,
        counts=counted.counts.astype(np.uint32),
        tokens=counted.tokens,
    )
    for language, texts in sorted(by_language.items()):
        print(f"{language}: {sum(map(len, texts)):,} tokens")
    print(f"{len(counted.symbols)} symbols, {len(counted.grams):,} n-grams")


def counts_of(texts: Sequence[Codes]) -> Background:
    """Count the n-grams of texts."""
    codes, counts = np.unique(np.concatenate(texts), return_counts=True)
    most = np.argsort(-counts, kind="stable")[:SYMBOLS]
    symbols = np.sort(codes[most[counts[most] >= _LEAST]])
    by_order = zip(*(ngrams_of(text, symbols) for text in texts), strict=True)
    found = [np.unique(np.concatenate(grams), return_counts=True) for grams in by_order]
    grams, times = (np.concatenate(column) for column in zip(*found, strict=True))
    is_kept = (times >= _LEAST) & (grams > 0)
    order = np.argsort(grams[is_kept])
    tokens = sum(map(len, texts))
    return Background(symbols, grams[is_kept][order], times[is_kept][order], tokens)


def _texts_by_language(folders: Sequence[Path]) -> Iterator[tuple[str, list[Codes]]]:
    files = defaultdict[str, list[str]](list)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in _SUFFIXES and path.is_file() and path.stat().st_size in _SIZES:
                files[path.suffix].append(str(path))
    for suffix, paths in sorted(files.items()):
        random.Random(1).shuffle(paths)  # noqa: S311 - the same files each time
        inputs = Inputs(tuple(paths[:_MOST_FILES]))
        batch = collect(inputs, directories=False)
        read, _ = tokenized_submissions(batch, Options(uses_workers=False), no_progress)
        texts: list[Codes] = []
        tokens = 0
        for submission in read:
            if tokens < _MOST_TOKENS and len(submission.comparable):
                texts.append(submission.comparable.codes)
                tokens += len(submission.comparable)
        yield suffix, texts


if __name__ == "__main__":
    main()
