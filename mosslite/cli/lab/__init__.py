"""``mosslite lab``: the experiments, none of which is loaded before it is asked for."""

from __future__ import annotations

from typing import ClassVar, Final

import click

from mosslite.cli.commands import LazyCommands

__all__ = ["lab"]

# Each experiment's module here, and what it does in short.
_EXPERIMENTS: Final = {
    "density": ("density", "How many k-grams are selected: Figure 3 on any corpus."),
    "select": ("density", "The selection algorithms side by side."),
    "frequency": ("density", "How often k-grams occur, by rank: Figure 4 on any corpus."),
    "hashes": ("density", "Hash functions of k-grams side by side."),
    "distributions": ("tune", "Density without uniform hashes."),
    "tune": ("tune", "What k and t find on your own programs."),
}


class Experiments(LazyCommands):
    """The experiments, some of which share a module."""

    table: ClassVar = {n: (f"{__name__}.{home}", does) for n, (home, does) in _EXPERIMENTS.items()}


@click.group(cls=Experiments, no_args_is_help=False)
def lab() -> None:
    """Measure: the papers' experiments on any corpus, and k and t on your own.

    \b
    Examples:
      mosslite lab density essays/
      mosslite lab select --random 1000000
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
