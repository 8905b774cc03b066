"""Commands that are imported one by one, as none of them needs another."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, cast

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LazyCommands"]


class LazyCommands(click.Group):
    """A group whose commands are imported when they are given, and not to list them.

    Attributes:
        table: For each command, in the order of the help, its module and what it does in short.
    """

    table: ClassVar[Mapping[str, tuple[str, str]]]

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the help."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.table:
            return None
        command = getattr(import_module(self.table[cmd_name][0]), cmd_name.replace("-", "_"))
        return cast("click.Command", command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, brief) for name, (_, brief) in self.table.items()])
