"""The table of commands, imported on demand, and the handling of errors."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from typing import ClassVar, Final, cast

import click
from click.shell_completion import CompletionItem

import mosslite
from mosslite.cli.terminal import ExitCode, prepare_streams, saying_that_it_starts, writing_to
from mosslite.errors import InputError, MossliteError, OptionError
from mosslite.messages import M_, said_by
from mosslite.texts import ENGLISH, texts_in


class Commands(click.Group):
    """A group that suggests a command for a mistyped one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command.

        Raises:
            OptionError: There is no such command.
        """
        name = args[0]
        if name.startswith("-") or self.get_command(ctx, name) is not None:
            return super().resolve_command(ctx, args)
        near = get_close_matches(name, self.list_commands(ctx), n=1)
        hint = M_("did you mean %(near)r? ", near[0]) if near else ""
        raise OptionError(
            "unknown command %(name)r: %(hint)ssee %(command_path)s --help",
            name,
            hint,
            ctx.command_path,
        )


def require_installed(packages: Iterable[str], otherwise: str) -> None:
    """Check that the packages of an extra are installed.

    Raises:
        InputError: One is not; tells how to install it.
    """
    if any(find_spec(name) is None for name in packages):
        raise InputError(otherwise)


END_OF_OPTIONS: Final = "--"


def refuse_files_as_options(arguments: Sequence[str]) -> None:
    """Refuse a command line in which an option may be the name of a student's file.

    Anything before ``--`` was written by the user, unless it is the name of an existing file.

    Raises:
        OptionError: An option has the name of a file.
    """
    ends = END_OF_OPTIONS in arguments
    options = [each for each in arguments if len(each) > 1 and each.startswith("-")]
    doubtful = [END_OF_OPTIONS] if ends else options
    for each in doubtful:
        if os.path.lexists(each):
            before = (
                ""
                if ends
                else M_("put %(end_of_options)r between options and paths, or ", END_OF_OPTIONS)
            )
            raise OptionError(
                "%(each)r is both an option and the name of a file here: "
                "%(before)swrite paths with their folder, as in %(each2)r",
                each,
                before,
                f"./{each}",
            )


# Module and short description of each command, imported on use.
_COMMANDS = {
    "check": ("mosslite.cli.check", "Compare submissions and write a report."),
    "archive": ("mosslite.cli.archive", "Keep submissions of earlier terms in one file."),
    "corpus": ("mosslite.cli.corpus", "Pack many submissions into Parquet files."),
    "query": ("mosslite.cli.archive", "Find archived submissions similar to a file."),
    "serve": ("mosslite.cli.serve", "Compare submissions on a page in your browser."),
    "cache": ("mosslite.cli.facts", "Show or clear the cache."),
    "baseline": ("mosslite.cli.check", "Record known pairs, so that only new ones fail a job."),
    "report": ("mosslite.cli.report", "Write a case file for a pair or group."),
    "course": ("mosslite.cli.course", "Combine the results of several assignments."),
    "import-moss": ("mosslite.cli.imports", "Convert downloaded MOSS results to JSON."),
    "import-jplag": ("mosslite.cli.imports", "Convert JPlag results to JSON."),
    "import-dolos": ("mosslite.cli.imports", "Convert Dolos results to JSON."),
    "lab": ("mosslite.cli.lab", "Repeat the papers' experiments; find the best k and t."),
    "languages": ("mosslite.cli.facts", "List the supported languages."),
    "tokens": ("mosslite.cli.facts", "Print the symbols of a file, by which it is compared."),
    "schema": ("mosslite.cli.facts", "Print the JSON Schema of results and other files."),
}


# Minimum similarity of a mistyped command, by ``difflib``; words with these characters are paths.
_ALIKE: Final = 0.7
_PATH_SIGNS: Final = frozenset("/\\.*?[")


class CommandsOrCheck(Commands):
    """Commands, imported when they are used, of which ``check`` is the default."""

    table: ClassVar[Mapping[str, tuple[str, str]]] = _COMMANDS

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the help."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, and show that in a terminal."""
        if cmd_name not in self.table:
            return None
        name = self.table[cmd_name][0]
        with saying_that_it_starts(is_quiet=ctx.resilient_parsing or name in sys.modules):
            command = getattr(import_module(name), cmd_name.replace("-", "_"))
        return cast("click.Command", command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, brief) for name, (_, brief) in self.table.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert ``check`` if the arguments start with neither a command nor an own option."""
        if not args and ctx.resilient_parsing:  # a shell asks for completions
            return super().parse_args(ctx, args)
        if not args:
            click.echo(ctx.get_help())
            ctx.exit(ExitCode.WRONG_USE)
        refuse_files_as_options(args)
        args = _with_options_behind(self, ctx, args)
        own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if args[0] not in _COMMANDS and args[0] not in own:
            _refuse_mistyped_word(ctx, *args[:2])
            args = ["check", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands with this prefix, and let the shell add paths."""
        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]


def _with_options_behind(group: click.Group, ctx: click.Context, args: list[str]) -> list[str]:
    """Move options before a command behind it; without ``--locale`` if it has none."""
    at = next((at for at, word in enumerate(args) if word in _COMMANDS), 0)
    if not at or os.path.lexists(args[at]):
        return args
    check = cast("click.Command", group.get_command(ctx, "check"))
    try:
        found, _, _ = check.make_parser(ctx).parse_args(args[: at + 1])
    except click.UsageError:
        return args
    if found.pop("current") != (args[at],):  # the word is the value of an option, or a path
        return args
    command, behind = group.get_command(ctx, args[at]), at + 1
    while isinstance(command, click.Group) and behind < len(args):
        command, behind = command.get_command(ctx, args[behind]), behind + 1
    if command is None:
        return args
    is_dropped = {*found} == {"locale"} and all(each.name != "locale" for each in command.params)
    return [*args[at:behind], *([] if is_dropped else args[:at]), *args[behind:]]


def _refuse_mistyped_word(context: click.Context, word: str, following: str = "") -> None:
    """Refuse a first word that is similar to a command or to --version, and not a path.

    Raises:
        OptionError: Names the command.
        click.NoSuchOption: Names the option.
    """
    if os.path.lexists(word) or _PATH_SIGNS & {*word}:
        return
    if word.startswith("-"):
        if get_close_matches(word, ["--version"], cutoff=_ALIKE):
            raise click.NoSuchOption(word, possibilities=["--version"], ctx=context)
        return
    near = get_close_matches(word, _COMMANDS, n=1, cutoff=_ALIKE)
    if word == "help":
        near = [f"{following} --help" if following in _COMMANDS else "--help"]
    if near:
        raise OptionError(
            "%(word)r is neither a command nor a file: did you mean 'mosslite %(near)s'?",
            word,
            near[0],
        )


@click.group(cls=CommandsOrCheck, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(mosslite.__version__, message="%(prog)s %(version)s")
def commands() -> None:
    """Find copied work in a batch of submissions.

    'mosslite PATH...' is short for 'mosslite check PATH...'. Similarity is evidence, never a
    verdict.

    \b
    Examples:
      mosslite check submissions/ -b template.py --open
      mosslite check export.zip --list
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    try:
        os.getcwd()  # noqa: PTH109 - Path calls it too, with a worse message
    except OSError as error:
        raise InputError(
            "cannot access the current folder: %(reason)s: change to another folder", error
        ) from error


def run() -> int:
    """Run the command line of this process and return its exit code."""
    prepare_streams()
    chosen: dict[str, str | None] = {}
    try:
        with _printing():
            code = commands.main(prog_name="mosslite", standalone_mode=False, obj=chosen)
    except MossliteError as error:
        return _complain(said_by(error), chosen.get("locale"))
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        command = "mosslite check" if context is None else context.command_path
        message = _message_of(error)
        return _complain(
            M_("%(message)s see %(command)s --help", message, command), chosen.get("locale")
        )
    except SystemExit:  # raised by click if the reader of the help has closed the pipe
        return ExitCode.DONE
    return int(code or ExitCode.DONE)


@contextmanager
def _printing() -> Iterator[None]:
    """Explain why click cannot print its help; mosslite's own output is handled elsewhere."""
    try:
        yield
    except OSError as error:
        from traceback import walk_tb  # noqa: PLC0415 - rarely needed

        frames = [frame for frame, _ in walk_tb(error.__traceback__)]
        if frames[-1].f_globals.get("__name__") != click.echo.__module__:
            raise
        with writing_to(sys.stdout):
            raise


def _complain(message: str, locale: str | None) -> int:
    from mosslite.cli.terminal import asked_locale, print_lines, printable  # noqa: PLC0415 - few complaints

    try:
        texts = texts_in(locale or asked_locale(sys.argv[1:])).for_terminal()
    except OptionError:  # which is what it complains of
        texts = ENGLISH
    with suppress(MossliteError):
        print_lines([f"mosslite: {printable(texts.translated(message))}"], sys.stderr)
    return ExitCode.WRONG_USE


def _message_of(error: click.ClickException) -> str:
    """Return what is wrong, without the final full stop."""
    match error:
        case click.NoSuchOption(option_name=name):
            near = get_close_matches(name, error.possibilities or (), n=1)
            known = (
                M_("unknown option %(name)r: did you mean %(near)r?", name, *near) if near else ""
            )
            return known or M_("unknown option %(name)r;", name)
        case click.BadParameter(param=click.Parameter() as parameter):
            return _about(parameter, error)
        case click.BadOptionUsage(option_name=name):
            if any(each.startswith(f"{name}=") for each in sys.argv):
                return M_("option %(option)r does not take a value;", name)
            return M_("option %(option)r requires an argument;", name)
        case click.UsageError(ctx=click.Context() as context):
            return _on_arguments(context)
    return f"{error.message};"


def _about(parameter: click.Parameter, error: click.BadParameter) -> str:
    hint = parameter.get_error_hint(error.ctx)
    if not isinstance(error, click.MissingParameter):
        # The name of an argument with choices would only repeat them.
        lists = isinstance(parameter, click.Argument) and isinstance(parameter.type, click.Choice)
        why = error.message
        return (
            M_("%(why)s;", why)
            if lists
            else M_("invalid value for %(option)s: %(why)s;", hint, why)
        )
    if isinstance(parameter, click.Option):
        return M_("missing option %(option)s;", hint)
    return M_("missing argument %(argument)s;", hint)


def _on_arguments(context: click.Context) -> str:
    """Say which arguments there are too few or too many, which click says in a sentence only."""
    if isinstance(context.command, click.Group):
        return M_("missing command;")
    given = sys.argv[len(context.command_path.split()) :]
    _, extra, _ = context.command.make_parser(context).parse_args(given)
    names = " ".join(extra)
    if len(extra) == 1:
        return M_("got unexpected extra argument (%(names)s);", names)
    return M_("got unexpected extra arguments (%(names)s);", names)
