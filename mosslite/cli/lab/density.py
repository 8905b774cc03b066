"""``mosslite lab density`` and ``mosslite lab select``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import click

from mosslite.cli.lab.options import corpus_options, source_of
from mosslite.cli.lab.outputs import run_experiment
from mosslite.lab.comparison import compare_algorithms
from mosslite.lab.density import measure_density
from mosslite.lab.sheets.density import sheet_of_comparison, sheet_of_density

if TYPE_CHECKING:
    from mosslite.cli.lab.options import CorpusArguments

__all__ = ["density", "select"]


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
