"""``mosslite lab hashes``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Unpack

import click

from mosslite.cli.lab.options import corpus_options, source_of
from mosslite.cli.lab.outputs import run_experiment
from mosslite.lab.hashes import measure_hashes
from mosslite.lab.sheets.hashes import sheet_of_hashes

if TYPE_CHECKING:
    from mosslite.cli.lab.options import CorpusArguments

__all__ = ["hashes"]


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
