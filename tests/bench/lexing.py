"""Measures how much sooner the driver gives the tokens that Pygments gives.

Both read the same texts in turn, as often as asked for; the result is the median of the ratios.
The time to analyze a lexer's expressions, once in each process, is reported separately.

Usage: python -m tests.bench.lexing [--rounds 15] [--most 100000] [FOLDER ...]
"""

import argparse
import gc
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

from pygments.lexer import Lexer

from mosslite.frontends.lexing import fast_tokens, runs_faster
from mosslite.frontends.lexing.rules import Token
from mosslite.frontends.text import source_of
from mosslite.languages import Language, is_data, language_of, lexer_of

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


class Times(NamedTuple):
    """Seconds for one reading of all texts."""

    plain: float
    ours: float


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each language."""
    given = _parser().parse_args(arguments)
    texts = _texts(given.folder or [SAMPLES], given.most)
    print(f"{'language':16}{'tokens':>9}{'ratio':>8}{'plain':>9}{'ours':>9}   {'to know':>8}")
    for language in sorted(texts, key=lambda each: each.name):
        print(_line(language, texts[language], given.rounds))


def _parser() -> argparse.ArgumentParser:
    summary, _, _ = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(prog="tests.bench.lexing", description=summary)
    parser.add_argument("folder", nargs="*", type=Path, help="files in any languages")
    parser.add_argument("--rounds", type=int, default=15, help="readings by each side")
    parser.add_argument("--most", type=int, default=100_000, help="characters of a language")
    return parser


def _texts(folders: Iterable[Path], most: int) -> dict[Language, list[str]]:
    """Return the texts in each language, in order of their paths, up to a sum of characters."""
    texts: dict[Language, list[str]] = defaultdict(list)
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        language = language_of(path.name)
        if not language or language.is_prose or is_data(language):
            continue
        if sum(map(len, texts[language])) < most:
            source = source_of(path.read_text(encoding="utf-8", errors="replace"))
            texts[language].append(source.text + "\n")
    return texts


def _line(language: Language, texts: Sequence[str], rounds: int) -> str:
    lexer = lexer_of(language)
    tokens = sum(1 for text in texts for _ in lexer.get_tokens_unprocessed(text))
    first = _seconds(fast_tokens, lexer, texts)
    times = [_both(lexer, texts) for _ in range(rounds)]
    ratio = median(each.plain / each.ours for each in times)
    plain, ours = (1e6 * median(column) / tokens for column in zip(*times, strict=True))
    to_know = 1e3 * (first - min(each.ours for each in times))
    note = "" if runs_faster(lexer) else "   (left to Pygments)"
    return (
        f"{language.name:16}{tokens:9}{ratio:7.2f}x{plain:6.2f} us{ours:6.2f} us"
        f"   {to_know:5.0f} ms{note}"
    )


def _both(lexer: Lexer, texts: Sequence[str]) -> Times:
    plain = _seconds(lambda lexer, text: lexer.get_tokens_unprocessed(text), lexer, texts)
    return Times(plain, _seconds(fast_tokens, lexer, texts))


def _seconds(
    read: Callable[[Lexer, str], Iterable[Token]], lexer: Lexer, texts: Sequence[str]
) -> float:
    gc.collect()
    start = process_time()
    for text in texts:
        list(read(lexer, text))
    return process_time() - start


if __name__ == "__main__":
    main()
