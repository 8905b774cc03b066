"""``mosslite lab``: the experiments, each loaded when it is asked for."""

from __future__ import annotations

from typing import ClassVar, Final

import click

from mosslite.cli.commands import LazyCommands

__all__ = ["lab"]

_MODULE: Final = f"{__name__}.experiments"
_EXPERIMENTS: Final = {
    "density": "How many k-grams are selected: Figure 3 on any corpus.",
    "select": "The selection algorithms side by side.",
    "frequency": "How often k-grams occur, by rank: Figure 4 on any corpus.",
    "hashes": "Hash functions of k-grams side by side.",
    "distributions": "Density without uniform hashes.",
    "tune": "What k and t find on your own programs.",
    "rank": "The literature's ways to compare, on labelled pairs.",
}


class Experiments(LazyCommands):
    """The experiments, in the order of the help."""

    table: ClassVar = {name: (_MODULE, brief) for name, brief in _EXPERIMENTS.items()}


@click.group(cls=Experiments, no_args_is_help=False)
def lab() -> None:
    """Measure: the papers' experiments on any corpus, and k and t on your own.

    \b
    Examples:
      mosslite lab density essays/
      mosslite lab select --random 1000000
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
