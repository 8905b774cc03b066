"""Options from a config file next to the batch: ``mosslite.toml`` or ``pyproject.toml``."""

import glob
import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NamedTuple

import click

from mosslite.cli.parameters.types import PATTERN_KEYS, gitignore_line, pattern
from mosslite.errors import InputError, OptionError
from mosslite.intake.disk import OnDisk, located
from mosslite.intake.listing import is_batch
from mosslite.intake.paths import places_at
from mosslite.messages import M_
from mosslite.options import CONFIG_NAMES
from mosslite.records import Inputs

# Maximum length of a value in messages.
_MOST_SHOWN: Final = 60


class _Setting(NamedTuple):
    """A key with its value and its file."""

    file: Path
    key: str
    value: object


class Requirement(NamedTuple):
    """The types that a value may have, and their description."""

    types: tuple[type, ...]
    words: str


_TEXT: Final = Requirement((str,), M_("a string in quotes"))
_LIST: Final = Requirement((list,), M_('a list of strings, such as ["one", "two"]'))
_BY_TYPE: Final = {
    "boolean": Requirement((bool,), M_("true or false")),
    "integer": Requirement((int,), M_("a whole number")),
    "number": Requirement((int, float), M_("a number")),
    "percent": Requirement((int, float), M_("a number from 0 to 100")),
    "size": Requirement((int, str), M_('a number of bytes, or a string such as "4M"')),
}


def _require_type(setting: _Setting, option: click.Option) -> None:
    """Check that a value has the option's type, as click would convert others.

    Raises:
        OptionError: Names the file, the key, the value and what would be right.
    """
    value = setting.value
    texts = value if isinstance(value, list) else [value]
    needed = _LIST if option.multiple else _BY_TYPE.get(option.type.name, _TEXT)
    # The exact type, as True is an int in Python.
    is_right = type(value) in needed.types
    if option.multiple:
        is_right = is_right and all(isinstance(each, str) for each in texts)
    if not is_right:
        raise _complaint(setting, M_("it must be %(words)s", needed.words))
    if any(isinstance(each, str) and "\0" in each for each in texts):
        raise _complaint(setting, M_("it must not contain a NUL character"))


def _complaint(setting: _Setting, advice: str) -> OptionError:
    value = json.dumps(setting.value, ensure_ascii=False, default=str)
    shown = value if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]}..."
    return OptionError(
        "%(key)s is %(shown)s in %(file)r: %(advice)s", setting.key, shown, setting.file, advice
    )


# Options that select the config file cannot be in it.
_NOT_IN_A_FILE: Final = frozenset({"config", "no-config"})

# In a config file, --exclude and --include can also be given as lines of a .gitignore.
_PATTERNS: Final = click.Option(["--patterns"], type=pattern, multiple=True)


@dataclass(frozen=True, slots=True)
class _Values:
    """The values in a config file.

    Attributes:
        by_name: Values by parameter name.
        patterns: As in ``Intake``, in file order.
    """

    by_name: Mapping[str, object]
    patterns: tuple[str, ...]


def values_of(table: Mapping[str, object], file: Path, context: click.Context) -> _Values:
    """Check every key and value, and convert them as if they came from the command line.

    Args:
        table: The parsed file.
        file: Its path; paths in the table are relative to its folder.
        context: Context of the command.

    Raises:
        OptionError: A key is unknown or set twice, or a value is invalid.
    """
    known = _known_options(context.command)
    by_name: dict[str, object] = {}
    patterns: list[str] = []
    for setting in _settings(table, file, known):
        option = known[setting.key]
        _require_type(setting, option)
        value = _converted(setting, option, context)
        if setting.key in PATTERN_KEYS and isinstance(value, tuple):
            patterns += [gitignore_line(setting.key, each) for each in value]
        else:
            by_name[str(option.name)] = value
    return _Values(by_name, tuple(patterns))


def _known_options(command: click.Command) -> dict[str, click.Option]:
    """Return all options by their long names."""
    options = [each for each in command.params if isinstance(each, click.Option)]
    named = {name: each for each in [*options, _PATTERNS] for name in each.opts}
    keys = {name.removeprefix("--"): each for name, each in named.items() if name[:2] == "--"}
    return {key: option for key, option in keys.items() if key not in _NOT_IN_A_FILE}


def _settings(
    table: Mapping[str, object], file: Path, known: Mapping[str, click.Option]
) -> Iterator[_Setting]:
    """Yield the settings, with keys normalized to option names."""
    seen = set()
    for written, value in table.items():
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
        is_one = key == "language" and isinstance(value, str)
        yield _Setting(file, key, [value] if is_one else value)


def _near(key: str, known: Mapping[str, click.Option]) -> str:
    """Return the probable option: that of a single letter, or one with a similar name."""
    by_letter = [name for name, option in known.items() if f"-{key}" in option.opts]
    listed = [name for name, option in known.items() if option is not _PATTERNS]
    return next(iter([*by_letter, *get_close_matches(key.lower(), listed, n=1)]), "")


def _converted(setting: _Setting, option: click.Option, context: click.Context) -> object:
    """Return a value converted as on the command line."""
    value = setting.value
    if isinstance(option.type, click.Path) and not (option.type.allow_dash and value == "-"):
        value = _placed(value, setting.file.parent)
    try:
        converted: object = option.type_cast_value(context, value)
    except click.BadParameter as error:
        raise OptionError(
            "%(key)s in %(file)r: %(message)s", setting.key, setting.file, error.message
        ) from error
    return converted


# As for ``--stages``; a scheme has at least two letters, a drive of Windows one.
_URL: Final = re.compile(r"[A-Za-z][\w+.-]+:/")


def _placed(value: object, folder: Path) -> object:
    """Resolve a path, or each of a list of paths, relative to the config file's folder."""
    if isinstance(value, list):
        return [_below(folder, path) for path in value]
    return str(value) if _URL.match(str(value)) else str(folder / str(value))


def _below(folder: Path, path: str) -> str:
    """Join a path that may be a pattern to a folder whose name is literal."""
    literal = folder / path
    return str(literal if os.path.lexists(literal) else Path(glob.escape(str(folder)), path))


@dataclass(frozen=True, slots=True)
class _ConfigFiles:
    """Candidates for the config file, the first choice first.

    Attributes:
        trusted: Files that may be read.
        untrusted: Files inside the batch, possibly written by students.
    """

    trusted: tuple[Path, ...]
    untrusted: tuple[Path, ...]


def config_files(inputs: Inputs, *, directories: bool) -> _ConfigFiles:
    """Find config files next to the one folder or archive checked, else in the current folder.

    Their paths are relative if they are below the current folder.
    """
    current = _expanded(inputs.current)
    folder = _beside(current)
    found = [folder / name for name in CONFIG_NAMES if os.path.lexists(folder / name)]
    places = list(_submission_paths(inputs, current, directories=directories)) if found else []
    untrusted = [path for path in found if _lies_in(path, places)]
    return _ConfigFiles(tuple(path for path in found if path not in untrusted), tuple(untrusted))


def _submission_paths(
    inputs: Inputs, current: Sequence[OnDisk], *, directories: bool
) -> Iterator[str]:
    """Yield the folders and files whose contents are not trusted, with links resolved."""
    yield from _holding(current, directories=directories)
    for argument in inputs.prior:
        yield from _holding(_matches(argument), directories=False)
    for place in _expanded([*inputs.base, *inputs.reference]):
        yield os.path.realpath(place.path)


def _holding(places: Sequence[OnDisk], *, directories: bool) -> Iterator[str]:
    """Yield the batch itself, or the deepest folder that contains all submissions.

    For a link, both its folder and that of its target count.
    """
    if len(places) == 1 and is_batch(places[0]):
        yield os.path.realpath(places[0].path)
        return
    paths = [each.path for each in places]
    given = {_folder_of(path) if directories and _is_file(path) else path for path in paths}
    yield from _common(map(os.path.realpath, {_folder_of(path) for path in given}))
    yield from _common(
        os.path.dirname(os.path.realpath(path)) for path in given if _leads_elsewhere(path)
    )


def _folder_of(path: str) -> str:
    return os.path.dirname(_without_slashes(path)) or "."


def _leads_elsewhere(path: str) -> bool:
    """Return whether a path leads outside of the folder given before its last component."""
    bare = _without_slashes(path)
    return os.path.islink(bare) or os.path.basename(bare) in ("", ".", "..")


def _without_slashes(path: str) -> str:
    return path.rstrip("/" + os.sep)


def _common(folders: Iterable[str]) -> Iterable[str]:
    distinct = set(folders)
    try:
        return [os.path.commonpath(distinct)] if distinct else []
    except ValueError:  # on different drives
        return distinct


def _expanded(arguments: Iterable[str]) -> list[OnDisk]:
    return [place for argument in arguments for place in _matches(argument)]


def _matches(argument: str) -> Sequence[OnDisk]:
    try:
        return places_at(argument)
    except InputError:  # reported when it is read
        return [located(argument)]


def _beside(places: Sequence[OnDisk]) -> Path:
    here = Path.cwd()
    if len(places) != 1 or not is_batch(places[0]):
        return Path()
    folder = Path(os.path.realpath(places[0].path)).parent
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def _is_file(path: str) -> bool:
    # ``Path.is_file`` may raise an error, which is reported when the path is read.
    return os.path.isfile(path)


def _lies_in(config: Path, places: Sequence[str]) -> bool:
    """Return whether a file, or a link to it, is one of these paths or below one."""
    ends = Path(os.path.realpath(config.parent), config.name), Path(os.path.realpath(config))
    around = {folder for end in ends for folder in (end, *end.parents)}
    return any(_is_same(each, place) for place in places for each in around)


def _is_same(path: Path, place: str) -> bool:
    """Return whether two paths refer to the same file, however they are spelled."""
    try:
        return os.path.samefile(path, place)
    except OSError:
        return str(path) == place


# Larger config files are rejected.
_MOST_BYTES: Final = 1 << 20


def read_table(path: Path) -> Mapping[str, object] | None:
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


def may_hold_options(path: Path) -> bool:
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
        reason = (
            M_("nested too deeply") if isinstance(error, RecursionError) else _one_line(str(error))
        )
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


def _one_line(reason: str) -> str:
    return reason[:1].lower() + " ".join(reason[1:].split())
