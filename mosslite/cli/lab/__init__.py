"""``mosslite lab``: the experiments, none of which is loaded before it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

import click

__all__ = ["lab"]

# Each experiment's module, and what it does in short.
_EXPERIMENTS: Final = {
    "density": ("density", "How many k-grams are selected: Figure 3 on any corpus."),
    "select": ("density", "The selection algorithms side by side."),
    "frequency": ("frequency", "How often k-grams occur, by rank: Figure 4 on any corpus."),
    "hashes": ("hashes", "Hash functions of k-grams side by side."),
    "distributions": ("distributions", "Density without uniform hashes."),
    "tune": ("tune", "What k and t find on your own programs."),
}


class LazyCommands(click.Group):
    """Commands that are imported one by one, as ``check`` needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the experiments in the order of the help."""
        return list(_EXPERIMENTS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import an experiment."""
        if cmd_name not in _EXPERIMENTS:
            return None
        module = import_module(f"mosslite.cli.lab.{_EXPERIMENTS[cmd_name][0]}")
        return cast("click.Command", getattr(module, cmd_name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the experiments without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, brief) for name, (_, brief) in _EXPERIMENTS.items()])


@click.group(cls=LazyCommands, no_args_is_help=False)
def lab() -> None:
    """Measure: the papers' experiments on any corpus, and k and t on your own.

    \b
    Examples:
      mosslite lab density essays/
      mosslite lab select --random 1000000
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
