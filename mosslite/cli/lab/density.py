"""``mosslite lab density``, ``select``, ``frequency``, ``hashes``: experiments of the paper."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Unpack

import click

from mosslite.cli.lab.outputs import corpus_options, run_experiment, source_of
from mosslite.lab.comparison import compare_algorithms
from mosslite.lab.density import measure_density
from mosslite.lab.frequency import measure_frequency
from mosslite.lab.hashes import measure_hashes
from mosslite.lab.sheets.density import (
    sheet_of_comparison,
    sheet_of_density,
    sheet_of_frequency,
    sheet_of_hashes,
)

if TYPE_CHECKING:
    from mosslite.cli.lab.outputs import CorpusArguments

__all__ = [
    "density",
    "frequency",
    "hashes",
    "select",
]


@click.command()
@click.option("-p", type=int, help="For 0 mod p.  [default: the density of winnowing]")
@click.option("-w", type=int, default=100, show_default=True, help="Window, in k-grams.")
@click.option("-k", type=int, default=50, show_default=True, help="Noise threshold, in symbols.")
@corpus_options
def density(k: int, w: int, p: int | None, **given: Unpack[CorpusArguments]) -> int:
    """How many k-grams are selected: the winnowing paper's Figure 3 on any corpus.

    Winnowing, robust winnowing and 0 mod p on all k-grams of the files' letters and digits, or
    of a language's tokens, laid end to end.

    \b
    Examples:
      mosslite lab density essays/
      mosslite lab density --random 8000000 -k 50 -w 100 --json density.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    source = source_of(given)
    return run_experiment(
        given,
        lambda progress: measure_density(source, k, w, p=p, progress=progress),
        sheet_of_density,
        skipped=source.skipped,
    )


@click.command()
@click.option(
    "-n", type=int, default=100, show_default=True, help="For the n smallest of each document."
)
@click.option("-w", type=int, default=100, show_default=True, help="Window, in k-grams.")
@click.option("-k", type=int, default=50, show_default=True, help="Noise threshold, in symbols.")
@corpus_options
def select(k: int, w: int, n: int, **given: Unpack[CorpusArguments]) -> int:
    """The selection algorithms side by side: what they cost, and what they miss.

    \b
    Example:
      mosslite lab select essays/ -k 50 -w 100
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    source = source_of(given)
    return run_experiment(
        given,
        lambda progress: compare_algorithms(source, k, w, n=n, progress=progress),
        sheet_of_comparison,
        skipped=source.skipped,
    )


@click.command()
@click.option(
    "-n", "most", type=int, default=10, show_default=True, help="Most common strings to show."
)
@click.option("-w", type=int, default=100, show_default=True, help="Window, in k-grams.")
@click.option("-k", type=int, default=50, show_default=True, help="Noise threshold, in symbols.")
@corpus_options
def frequency(k: int, w: int, most: int, **given: Unpack[CorpusArguments]) -> int:
    """How often k-grams occur, by rank: the winnowing paper's Figure 4 on any corpus.

    All k-grams and those that robust winnowing selects, the line through the end points of
    plateaus, and the most common strings.

    \b
    Example:
      mosslite lab frequency essays/ --html frequency.html
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    source = source_of(given)
    return run_experiment(
        given,
        lambda progress: measure_frequency(source, k, w, most=most, progress=progress),
        sheet_of_frequency,
        skipped=source.skipped,
    )


@click.command()
@click.option("--speed", is_flag=True, help="Measure nanoseconds too, which no two runs share.")
@click.option(
    "--sample", type=int, default=200_000, show_default=True, help="Symbols of the corpus to hash."
)
@click.option("-w", type=int, default=100, show_default=True, help="Window, in k-grams.")
@click.option("-k", type=int, default=50, show_default=True, help="Length of k-grams, in symbols.")
@corpus_options
def hashes(k: int, w: int, sample: int, speed: bool, **given: Unpack[CorpusArguments]) -> int:
    """Hash functions of k-grams side by side: collisions, evenness, speed.

    Karp and Rabin's H and the winnowing paper's improved H', each with a small and a large base,
    the one that mosslite uses, and BLAKE2b for what a good one looks like.

    \b
    Example:
      mosslite lab hashes --random 200000 --speed
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    source = source_of(given)
    clock = time.perf_counter if speed else None
    return run_experiment(
        given,
        lambda _: measure_hashes(source, k, w, sample=sample, clock=clock),
        sheet_of_hashes,
        skipped=source.skipped,
    )
