"""The commands, and what becomes of their errors."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import NoReturn

import click

import mosslite
from mosslite.cli.check import check
from mosslite.cli.exit_code import ExitCode
from mosslite.cli.lab import lab
from mosslite.cli.languages import languages
from mosslite.cli.streams import prepare_streams, writing_to
from mosslite.cli.terminal import printable
from mosslite.errors import MossliteError

__all__ = ["commands", "main"]


class CommandsOrCheck(click.Group):
    """Commands, of which ``check`` may be left out: its arguments alone mean it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``check`` in front of arguments that begin with no command and no own option."""
        if not args:
            click.echo(ctx.get_help())
            ctx.exit(ExitCode.WRONG_USE)
        own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if args[0] not in self.commands and args[0] not in own:
            args = ["check", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=CommandsOrCheck,
    commands=[check, lab, languages],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(mosslite.__version__, message="%(prog)s %(version)s")
def commands() -> None:
    """Find copied work in a batch of submissions.

    Paths alone mean `mosslite check`. Similarity is evidence, never a verdict.
    """


def main() -> NoReturn:
    """Run the command line and leave the process with its exit code."""
    prepare_streams()
    sys.exit(_run())


def _run() -> int:
    try:
        code = commands.main(prog_name="mosslite", standalone_mode=False)
    except MossliteError as error:
        return _complain(str(error))
    except click.ClickException as error:
        return _complain(f"{_lower_first(error.format_message())}; see {_command_of(error)} --help")
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted, nothing more is written")
        return ExitCode.INTERRUPTED
    except SystemExit:  # click's way out when nobody reads its help
        return ExitCode.DONE
    return int(code or ExitCode.DONE)


def _complain(message: str) -> int:
    with suppress(MossliteError), writing_to(sys.stderr):
        click.echo(f"mosslite: {printable(message)}", err=True)
    return ExitCode.WRONG_USE


def _command_of(error: click.ClickException) -> str:
    """Name the command whose help says more; what is of no other is of ``check``."""
    context = getattr(error, "ctx", None)
    path: str = context.command_path if context else ""
    return path if path.startswith("mosslite lab") else "mosslite check"


def _lower_first(message: str) -> str:
    return message[:1].lower() + message[1:].rstrip(".")
