"""``mosslite lab``: the experiments, each imported on use."""

from typing import ClassVar, Final

import click

from mosslite.cli.commands import LazyCommands

_MODULE: Final = f"{__name__}.experiments"
_EXPERIMENTS: Final = {
    "density": "Measure how many k-grams are selected (Figure 3).",
    "select": "Compare selection algorithms.",
    "frequency": "Measure how often k-grams occur, by rank (Figure 4).",
    "hashes": "Compare hash functions of k-grams.",
    "distributions": "Measure density when hashes are not uniform.",
    "tune": "Find the best k and t for your assignment.",
    "rank": "Compare published similarity measures on labelled pairs.",
}


class Experiments(LazyCommands):
    """The experiments, in the order of the help."""

    table: ClassVar = {name: (_MODULE, brief) for name, brief in _EXPERIMENTS.items()}


@click.group(cls=Experiments, no_args_is_help=False)
def lab() -> None:
    """Repeat the papers' experiments on any corpus; find the best k and t.

    \b
    Examples:
      mosslite lab density essays/
      mosslite lab select --random 1000000
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
