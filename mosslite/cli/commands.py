"""The commands, imported one by one, and what becomes of their errors."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Final, cast

import click

import mosslite
from mosslite.cli.terminal import ExitCode, prepare_streams, writing_to
from mosslite.errors import InputError, MossliteError, OptionError, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "END_OF_OPTIONS",
    "LazyCommands",
    "refuse_files_as_options",
    "run",
]


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


END_OF_OPTIONS: Final = "--"


def refuse_files_as_options(arguments: Sequence[str]) -> None:
    """Refuse a command line of which nobody can tell whether a student wrote a part of it.

    What stands before ``--`` was written by the user, unless that is the name of a file itself.

    Raises:
        OptionError: An option has the name of a file.
    """
    ends = END_OF_OPTIONS in arguments
    doubtful = [END_OF_OPTIONS] if ends else [each for each in arguments if _is_option(each)]
    for each in doubtful:
        if os.path.lexists(each):
            before = "" if ends else f"put {END_OF_OPTIONS!r} between options and paths, or "
            msg = (
                f"{each!r} is an option and the name of a file here: {before}write paths with "
                f"their folder, as in {f'./{each}'!r}"
            )
            raise OptionError(msg)


def _is_option(argument: str) -> bool:
    return len(argument) > 1 and argument.startswith("-")


# Each command's module, which is imported when the command is given, and what it does in short.
_COMMANDS = {
    "check": ("mosslite.cli.check", "Compare submissions with each other and write a report."),
    "archive": ("mosslite.cli.archive", "Keep submissions of earlier terms in one file."),
    "query": ("mosslite.cli.query", "Tell which submissions of an archive a file comes from."),
    "serve": ("mosslite.cli.serve", "Compare submissions on a page in your browser."),
    "cache": ("mosslite.cli.cache", "Show or clear what is kept from one run to the next."),
    "baseline": ("mosslite.cli.baseline", "Keep a list of known pairs for check --baseline."),
    "report": ("mosslite.cli.report", "Write a case file on a pair, from results as JSON."),
    "import-moss": ("mosslite.cli.imports", "Turn a downloaded result of MOSS into JSON."),
    "import-jplag": ("mosslite.cli.imports", "Turn a result of JPlag into JSON."),
    "import-dolos": ("mosslite.cli.imports", "Turn a result of Dolos into JSON."),
    "lab": ("mosslite.cli.lab", "Measure: the papers' experiments on any corpus, and k and t."),
    "languages": ("mosslite.cli.languages", "List the languages by their MOSS names."),
}


class CommandsOrCheck(LazyCommands):
    """Commands, of which ``check`` may be left out: its arguments alone mean it."""

    table = _COMMANDS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``check`` in front of arguments that begin with no command and no own option."""
        if not args:
            click.echo(ctx.get_help())
            ctx.exit(ExitCode.WRONG_USE)
        refuse_files_as_options(args)
        own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if args[0] not in _COMMANDS and args[0] not in own:
            args = ["check", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=CommandsOrCheck,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(mosslite.__version__, message="%(prog)s %(version)s")
def commands() -> None:
    """Find copied work in a batch of submissions.

    Paths alone mean `mosslite check`. Similarity is evidence, never a verdict.
    """
    try:
        os.getcwd()  # noqa: PTH109 - Path asks for it too, and says less
    except OSError as error:
        msg = f"the current folder cannot be found: {reason_of(error)}: change to another"
        raise InputError(msg) from error


def run() -> int:
    """Run the command that the process was started with, and give its exit code."""
    prepare_streams()
    try:
        with _printing():
            code = commands.main(prog_name="mosslite", standalone_mode=False)
    except MossliteError as error:
        return _complain(str(error))
    except click.ClickException as error:
        return _complain(f"{_lower_first(error.format_message())}; see {_asked(error)} --help")
    except SystemExit:  # click's way out when nobody reads its help
        return ExitCode.DONE
    return int(code or ExitCode.DONE)


@contextmanager
def _printing() -> Iterator[None]:
    """Explain why click cannot print its help; whoever else prints has explained it already."""
    try:
        yield
    except OSError as error:
        from traceback import walk_tb  # noqa: PLC0415 - most runs have no such error

        frames = [frame for frame, _ in walk_tb(error.__traceback__)]
        if frames[-1].f_globals.get("__name__") != click.echo.__module__:
            raise
        with writing_to(sys.stdout):
            raise


def _asked(error: click.ClickException) -> str:
    """Return the command that was used in a wrong way."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    return "mosslite check" if context is None else context.command_path


def _complain(message: str) -> int:
    from mosslite.cli.terminal import printable  # noqa: PLC0415 - most runs have no complaint

    with suppress(MossliteError), writing_to(sys.stderr):
        click.echo(f"mosslite: {printable(message)}", err=True)
    return ExitCode.WRONG_USE


def _lower_first(message: str) -> str:
    return message[:1].lower() + message[1:].rstrip(".")
