"""``mosslite lab``: the experiments, none of which is loaded before it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

__all__ = ["lab"]

# Where each command is.
_MODULES: Final = {
    "density": "mosslite.cli.lab_density",
    "distributions": "mosslite.cli.lab_distributions",
    "frequency": "mosslite.cli.lab_frequency",
    "hashes": "mosslite.cli.lab_hashes",
    "select": "mosslite.cli.lab_density",
    "tune": "mosslite.cli.lab_tune",
}


class LazyCommands(click.Group):
    """Commands that are imported one by one, as ``check`` needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names in the order of the help."""
        return sorted(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in _MODULES:
            return None
        command: click.Command = getattr(import_module(_MODULES[cmd_name]), cmd_name)
        return command


@click.group(cls=LazyCommands, no_args_is_help=False)
def lab() -> None:
    """Measure: the papers' experiments on any corpus, and k and t on your own.

    \b
    Examples:
      mosslite lab density essays/
      mosslite lab select --random 1000000
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
