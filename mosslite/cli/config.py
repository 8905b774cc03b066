"""Options from a config file, ``mosslite.toml`` or ``pyproject.toml``.

It is the one named by ``--config``, or the one in the current folder, unless that could have been
written by a student.
"""

import glob
import json
import os
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import click

from mosslite.cli.commands import END_OF_OPTIONS, refuse_files_as_options
from mosslite.cli.options import (
    EVERY,
    GROUPS,
    PATTERN_KEYS,
    gitignore_line,
    given_patterns,
    inputs_of,
    pattern,
)
from mosslite.errors import InputError, OptionError
from mosslite.intake.entries import OnDisk, located
from mosslite.intake.listing import is_batch, places_at
from mosslite.messages import M_
from mosslite.options import CONFIG_NAMES
from mosslite.records import Inputs
from mosslite.report.wording import options_from

# Maximum length of a value in messages.
_MOST_SHOWN: Final = 60


# Options that select the config file cannot be in it.
_NOT_IN_A_FILE: Final = frozenset({"config", "no-config"})

# In a config file, --exclude and --include can also be given as lines of a .gitignore.
_PATTERNS: Final = click.Option(["--patterns"], type=pattern, multiple=True)


def _values_of(
    table: Mapping[str, object], file: Path, context: click.Context
) -> tuple[Mapping[str, object], tuple[str, ...]]:
    """Check every key and value, and convert them as if they came from the command line.

    Paths in the table are relative to the folder of its file.

    Returns:
        Values by parameter name, and patterns as in ``Intake``, in file order.

    Raises:
        OptionError: A key is unknown or set twice, or a value is invalid.
    """
    known = _known_options(context.command)
    by_name: dict[str, object] = {}
    patterns: list[str] = []
    seen: set[str] = set()
    for written, given in table.items():
        key = written.replace("_", "-")
        if key not in known:
            near = _near(key, known)
            hint = M_("did you mean %(near)r? ", near) if near else ""
            raise OptionError(
                "unknown option %(written)r in %(file)r: %(hint)ssee mosslite check --help",
                written,
                file,
                hint,
            )
        if key in seen:
            raise OptionError(
                "%(key)s is set twice in %(file)r, once with '-' and once with '_'", key, file
            )
        seen.add(key)
        value = _converted(given, key, file, known[key], context)
        if key in PATTERN_KEYS and isinstance(value, tuple):
            patterns += [gitignore_line(key, each) for each in value]
        else:
            by_name[str(known[key].name)] = value
    return by_name, tuple(patterns)


def _known_options(command: click.Command) -> dict[str, click.Option]:
    """Return all options by their long names."""
    options = [each for each in command.params if isinstance(each, click.Option)]
    named = {name: each for each in [*options, _PATTERNS] for name in each.opts}
    keys = {name.removeprefix("--"): each for name, each in named.items() if name[:2] == "--"}
    return {key: option for key, option in keys.items() if key not in _NOT_IN_A_FILE}


def _near(key: str, known: Mapping[str, click.Option]) -> str:
    """Return the probable option: that of a single letter, or one with a similar name."""
    by_letter = [name for name, option in known.items() if f"-{key}" in option.opts]
    listed = [name for name, option in known.items() if option is not _PATTERNS]
    return next(iter([*by_letter, *get_close_matches(key.lower(), listed, n=1)]), "")


def _converted(
    value: object, key: str, file: Path, option: click.Option, context: click.Context
) -> object:
    """Return a value, or each of a list, converted as on the command line."""
    given = value if isinstance(value, list) else [value]
    needed = "" if option.multiple or given is not value else M_("it must be one value")
    if option.is_flag:
        needed = "" if isinstance(value, bool) else M_("it must be true or false")
    elif any(isinstance(each, bool | dict | list) or "\0" in str(each) for each in given):
        needed = M_("it must be text or a number")
    elif isinstance(option.type, click.Path) and "" in given:  # would be the file's folder
        needed = M_("it must be a file or folder")
    if needed:
        text = json.dumps(value, ensure_ascii=False, default=str)
        shown = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
        raise OptionError("%(key)s is %(shown)s in %(file)r: %(advice)s", key, shown, file, needed)
    texts = [*map(str, given)]
    if isinstance(option.type, click.Path):
        folder, is_stream = file.parent, option.type.allow_dash and texts == ["-"]
        placed = [_placed(each, folder, may_be_pattern=option.multiple) for each in texts]
        texts = texts if is_stream else placed
    try:
        converted: object = option.type_cast_value(context, texts if option.multiple else texts[0])
    except click.BadParameter as error:
        raise OptionError("%(key)s in %(file)r: %(message)s", key, file, error.message) from error
    return converted


# As for ``--stages``; a scheme has at least two letters, a drive of Windows one.
_URL: Final = re.compile(r"[A-Za-z][\w+.-]+:/")


def _placed(path: str, folder: Path, *, may_be_pattern: bool) -> str:
    """Resolve a path relative to the config file's folder, whose name is literal in a pattern."""
    if _URL.match(path):
        return path
    is_pattern = may_be_pattern and not os.path.lexists(folder / path)
    return str(Path(glob.escape(str(folder)), path) if is_pattern else folder / path)


def _is_among(file: Path, inputs: Inputs, *, directories: bool) -> bool:
    """Return whether a file, or what a link to it leads to, may be of a student."""
    around = {
        folder
        for end in (Path(os.path.realpath(file.parent), file.name), Path(os.path.realpath(file)))
        for folder in (end, *end.parents)
    }
    places = _submission_places(inputs, directories=directories)
    return any(_is_same(each, place) for place in places for each in around)


def _submission_places(inputs: Inputs, *, directories: bool) -> Iterator[str]:
    """Yield the folders and files whose contents are not trusted, with links resolved."""
    yield from _holding(_expanded(inputs.current), directories=directories)
    for argument in inputs.prior:
        yield from _holding(_expanded([argument]), directories=False)
    for place in _expanded([*inputs.base, *inputs.reference]):
        yield os.path.realpath(place.path)


def _holding(places: Sequence[OnDisk], *, directories: bool) -> Collection[str]:
    """Return the batch itself, or the deepest folder that contains all submissions.

    For a link, both its folder and that of its target count.
    """
    if len(places) == 1 and is_batch(places[0]):
        return [os.path.realpath(places[0].path)]
    given = [each.path.rstrip("/" + os.sep) or os.sep for each in places]
    if directories:
        given = [os.path.dirname(path) or "." if os.path.isfile(path) else path for path in given]
    above = {os.path.realpath(os.path.dirname(path) or ".") for path in given}
    above |= {os.path.dirname(os.path.realpath(path)) for path in given}
    try:
        return [os.path.commonpath(above)] if above else []
    except ValueError:  # on different drives
        return above


def _expanded(arguments: Iterable[str]) -> list[OnDisk]:
    places: list[OnDisk] = []
    for argument in arguments:
        try:
            places += places_at(argument)
        except InputError:  # reported when it is read
            places.append(located(argument))
    return places


def _is_same(path: Path, place: str) -> bool:
    """Return whether two paths refer to the same file, however they are spelled."""
    try:
        return os.path.samefile(path, place)
    except OSError:
        return str(path) == place


# Larger config files are rejected.
_MOST_BYTES: Final = 1 << 20


def _read_table(path: Path) -> Mapping[str, object] | None:
    """Read options by key; of a ``pyproject.toml``, those in ``[tool.mosslite]``.

    Returns:
        The parsed table; None for a ``pyproject.toml`` without that table.

    Raises:
        InputError: The file cannot be read, or is not TOML.
        OptionError: ``tool.mosslite`` is not a table.
    """
    content = _parsed(path)
    if path.name != "pyproject.toml":
        return content
    tools = content.get("tool")
    table = tools.get("mosslite") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise OptionError("tool.mosslite in %(path)r is not a table: write [tool.mosslite]", path)
    return table


def _may_hold_options(path: Path) -> bool:
    """Return whether an untrusted file may contain options, without parsing it as TOML.

    A student's file could be slow to parse, or be a link.
    """
    if path.name != "pyproject.toml" or path.is_symlink():
        return True
    try:
        return b"mosslite" in _content(path)
    except InputError:
        return False


def _parsed(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(_content(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(
            "cannot read options from %(path)r: invalid UTF-8 at byte %(start)s", path, error.start
        ) from error
    except (ValueError, RecursionError) as error:
        text = " ".join(str(error).split())
        reason = f"{text[:1].lower()}{text[1:]}"
        if isinstance(error, RecursionError):
            reason = M_("nested too deeply")
        raise InputError(
            "cannot read options from %(path)r: invalid TOML: %(reason)s", path, reason
        ) from error


def _content(path: Path) -> bytes:
    """Read a regular file, as a device or pipe could be endless."""
    try:
        if path.exists() and not path.is_file():
            raise InputError("cannot read options from %(path)r: it is not a regular file", path)
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise InputError("cannot read options from %(path)r: %(reason)s", path, error) from error
    if len(content) > _MOST_BYTES:
        raise InputError(
            "cannot read options from %(path)r: it is larger than %(most_bytes)d bytes",
            path,
            _MOST_BYTES,
        )
    return content


@dataclass(frozen=True, slots=True)
class _ConfigFile:
    """The config file, if there is one, with its content, and the files that are not used."""

    path: Path | None = None
    table: Mapping[str, object] = field(default_factory=dict)
    unused: tuple[Path, ...] = ()


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
        config = _ConfigFile() if asks_for_help else _config_of(given)
        patterns: tuple[str, ...] = ()
        if config.path is not None:
            every = click.Command("check", params=[*EVERY.options])
            values, patterns = _values_of(config.table, config.path, click.Context(every))
            own = {parameter.name for parameter in self.params}
            shared = {name: value for name, value in values.items() if name in own}
            ctx.default_map = {**shared, "config": str(config.path)}
        rest = super().parse_args(ctx, args)
        ctx.params["patterns"] = given_patterns(ctx.params, order) or patterns
        ctx.params["config_notes"] = tuple(_notes(config))
        if isinstance(ctx.obj, dict):  # what says errors later
            ctx.obj["locale"] = ctx.params.get("locale")
        return rest

    def _refuse_files_before_the_end_of_options(self, ctx: click.Context, args: list[str]) -> None:
        """Refuse options that a shell pattern may have produced from file names."""
        before = args[: args.index(END_OF_OPTIONS)] if END_OF_OPTIONS in args else []
        parser = self.make_parser(ctx)
        parser.ignore_unknown_options = True
        paths = parser.parse_args(args=list(before))[0].get("current")
        if isinstance(paths, tuple) and paths:  # without paths, click reports an error
            refuse_files_as_options(before)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below their headings, in columns of equal width."""
        titles = {option.name: group.title for group in GROUPS for option in group.options}
        sections: dict[str, list[tuple[str, str]]] = {"Options": []}
        sections |= {group.title: [] for group in GROUPS}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx) if isinstance(option, click.Option) else None
            if record:
                is_help = option is self.get_help_option(ctx)
                title = GROUPS[-1].title if is_help else titles.get(option.name, "Options")
                sections[title].append(record)
        width = max(len(names) for rows in sections.values() for names, _ in rows)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl([(names.ljust(width), text) for names, text in rows])


def _config_of(given: Mapping[str, Any]) -> _ConfigFile:
    """Find and read the config file of a command line, given its values, unconverted."""
    named = given.get("config")
    if named is not None:
        if given.get("no_config"):
            raise OptionError(
                "--config and --no-config cannot be used together: remove one of them"
            )
        table = _read_table(Path(named))
        if table is None:
            raise OptionError(
                "%(named)r has no table [tool.mosslite]: put the options there", named
            )
        return _ConfigFile(Path(named), table)
    found = [Path(name) for name in CONFIG_NAMES if os.path.lexists(name)]
    if given.get("no_config") or not found:
        return _ConfigFile()
    paths = {name: tuple(value) for name, value in given.items() if isinstance(value, list | tuple)}
    inputs, directories = inputs_of({"current": (), **paths}), bool(given.get("directories"))
    foreign = [each for each in found if _is_among(each, inputs, directories=directories)]
    unused = tuple(filter(_may_hold_options, foreign))
    for file in found:
        table = None if file in foreign else _read_table(file)
        if table is not None:
            return _ConfigFile(file, table, unused)
    return _ConfigFile(unused=unused)


def _notes(config: _ConfigFile) -> Iterator[str]:
    """Yield remarks on the config file that was used, and on those that were not."""
    yield from options_from(str(config.path or ""))
    for file in config.unused:
        yield M_(
            "options in %(file)r are ignored, as the file is among the "
            "submissions: if it is yours, pass it with --config",
            file,
        )
