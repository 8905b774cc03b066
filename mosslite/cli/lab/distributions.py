"""``mosslite lab distributions``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import click

from mosslite.cli.lab.options import corpus_options, source_of
from mosslite.cli.lab.outputs import run_experiment
from mosslite.lab.distributions import Plan, measure_distributions
from mosslite.lab.realtext import measure_real_text
from mosslite.lab.sheets.distributions import analysis_of, sheet_of_analysis

if TYPE_CHECKING:
    from mosslite.cli.lab.options import CorpusArguments
    from mosslite.lab.sheets.distributions import Analysis
    from mosslite.records import Progress

__all__ = ["distributions"]


@click.command()
@click.option(
    "-w",
    "windows",
    type=int,
    multiple=True,
    default=(10, 20, 50, 100, 200),
    show_default=True,
    help="Window, in k-grams; repeatable.",
)
@click.option(
    "-k",
    "ks",
    type=int,
    multiple=True,
    default=(16, 32, 48, 64),
    show_default=True,
    help="Length of the corpus' k-grams; repeatable.",
)
@click.option(
    "--runs", type=int, default=10, show_default=True, help="Of each distribution; the paper's 100."
)
@click.option(
    "--hashes",
    type=int,
    default=10_000_000,
    show_default=True,
    help="In each run; the paper's 100000000.",
)
@corpus_options
def distributions(
    hashes: int,
    runs: int,
    ks: tuple[int, ...],
    windows: tuple[int, ...],
    **given: Unpack[CorpusArguments],
) -> int:
    """Density without uniform hashes: the density analysis' tables and figures.

    Uniform, normal and exponential hashes, compared by t-tests; and, where a corpus is given, the
    density, the frequencies and the ties of its k-grams.

    \b
    Examples:
      mosslite lab distributions
      mosslite lab distributions essays/ --hashes 100000000 --runs 100
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    plan = Plan(hashes, runs, windows, given["seed"])
    has_corpus = given["paths"] or given["random_size"] is not None
    source = source_of(given) if has_corpus else None

    def experiment(progress: Progress) -> Analysis:
        text = measure_real_text(source, ks, windows, progress=progress) if source else None
        return analysis_of(measure_distributions(plan, progress=progress), text)

    skipped = source.skipped if source else ()
    return run_experiment(given, experiment, sheet_of_analysis, skipped=skipped)
