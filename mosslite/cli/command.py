"""Commands with options from a config file, and help with section headings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click

from mosslite.cli.commands import END_OF_OPTIONS, refuse_files_as_options
from mosslite.cli.config import config_files, may_hold_options, read_table, values_of
from mosslite.cli.parameters import SECTIONS, given_patterns
from mosslite.errors import OptionError
from mosslite.messages import M_
from mosslite.records import Inputs
from mosslite.report.wording import options_from

_ROLES = ("paths", "base", "prior", "reference", "archives")


@dataclass(frozen=True, slots=True)
class _Found:
    """The config file, if there is one, with its content, and the files that are not used."""

    file: Path | None
    table: Mapping[str, object]
    unused: tuple[Path, ...] = ()


_NOTHING: Final = _Found(None, {})


class ConfiguredCommand(click.Command):
    """A command that shares options, and their config file, with ``mosslite check``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, with the options of a config file as defaults.

        Sets ``config`` to the config file, if any, ``config_notes`` to remarks on it, and
        ``patterns`` to those of ``--exclude`` and ``--include`` in order.
        """
        self._refuse_files_before_the_end_of_options(ctx, args)
        given, _, order = self.make_parser(ctx).parse_args(args=list(args))
        help_option = self.get_help_option(ctx)
        asks_for_help = help_option is not None and help_option.name in given
        patterns: tuple[str, ...] = ()
        found = _NOTHING if asks_for_help else _found(given)
        if found.file is not None:
            values = values_of(found.table, found.file, click.Context(_all_options()))
            own = {parameter.name for parameter in self.params}
            shared = {name: value for name, value in values.by_name.items() if name in own}
            ctx.default_map = {**shared, "config": str(found.file)}
            patterns = values.patterns
        rest = super().parse_args(ctx, args)
        ctx.params["patterns"] = given_patterns(ctx.params, order) or patterns
        ctx.params["config_notes"] = tuple(_notes(found))
        if isinstance(ctx.obj, dict):  # what says errors later
            ctx.obj["locale"] = ctx.params.get("locale")
        return rest

    def _refuse_files_before_the_end_of_options(self, ctx: click.Context, args: list[str]) -> None:
        """Refuse options that a shell pattern may have produced from file names."""
        before = args[: args.index(END_OF_OPTIONS)] if END_OF_OPTIONS in args else []
        parser = self.make_parser(ctx)
        parser.ignore_unknown_options = True
        paths = parser.parse_args(args=list(before))[0].get("paths")
        if isinstance(paths, tuple) and paths:  # without paths, click reports an error
            refuse_files_as_options(before)


class CheckCommand(ConfiguredCommand):
    """``mosslite check``, with the options of its help in sections."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in sections, with columns of equal width."""
        records = [[each.get_help_record(ctx) for each in part.options] for part in SECTIONS]
        help_option = self.get_help_option(ctx)
        if help_option is not None:
            records[-1].append(help_option.get_help_record(ctx))
        shown = [[record for record in rows if record is not None] for rows in records]
        width = max(len(names) for rows in shown for names, _ in rows)
        for section, rows in zip(SECTIONS, shown, strict=True):
            with formatter.section(section.title):
                formatter.write_dl([(names.ljust(width), text) for names, text in rows])


def _all_options() -> click.Command:
    """Return a command with every option that a config file may set, for any command."""
    return click.Command("check", params=[each for part in SECTIONS for each in part.options])


def _found(given: Mapping[str, object]) -> _Found:
    """Find and read the config file of a command line.

    Args:
        given: Values on the command line, unconverted.
    """
    named = given.get("config")
    if named is None:
        return _NOTHING if given.get("no_config") else _beside_the_batch(given)
    if given.get("no_config"):
        raise OptionError("--config and --no-config cannot be used together: remove one of them")
    table = read_table(Path(str(named)))
    if table is None:
        raise OptionError("%(named)r has no table [tool.mosslite]: put the options there", named)
    return _Found(Path(str(named)), table)


def _beside_the_batch(given: Mapping[str, object]) -> _Found:
    paths = [_texts(given.get(role)) for role in _ROLES]
    files = config_files(Inputs(*paths), directories=bool(given.get("directories")))
    unused = tuple(file for file in files.untrusted if may_hold_options(file))
    for file in files.trusted:
        table = read_table(file)
        if table is not None:
            return _Found(file, table, unused)
    return replace(_NOTHING, unused=unused)


def _texts(values: object) -> tuple[str, ...]:
    return tuple(map(str, values)) if isinstance(values, list | tuple) else ()


def _notes(found: _Found) -> Iterator[str]:
    """Yield remarks on the config file that was used, and on those that were not."""
    yield from options_from(str(found.file or ""))
    for file in found.unused:
        yield M_(
            "options in %(file)r are ignored, as the file is among the "
            "submissions: if it is yours, pass it with --config",
            file,
        )
