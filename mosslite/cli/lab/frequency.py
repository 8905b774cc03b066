"""``mosslite lab frequency``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import click

from mosslite.cli.lab.options import corpus_options, source_of
from mosslite.cli.lab.outputs import run_experiment
from mosslite.lab.frequency import measure_frequency
from mosslite.lab.sheets.frequency import sheet_of_frequency

if TYPE_CHECKING:
    from mosslite.cli.lab.options import CorpusArguments

__all__ = ["frequency"]


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
