"""Turns a table of options into what the command line would have given."""

from __future__ import annotations

import glob
import json
import os
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from mosslite.cli.parameters.types import PATTERN_KEYS, gitignore_line, pattern
from mosslite.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "Values",
    "values_of",
]


# A message shows this much of a value.
_MOST_SHOWN: Final = 60


class _Setting(NamedTuple):
    """A key and its value, and the file they stand in."""

    file: Path
    key: str
    value: object


class Requirement(NamedTuple):
    """The types a value may have, and how to say so."""

    types: tuple[type, ...]
    words: str


_TEXT: Final = Requirement((str,), "a text in quotes")
_LIST: Final = Requirement((list,), 'a list of texts, such as ["one", "two"]')
_BY_TYPE: Final = {
    "boolean": Requirement((bool,), "true or false"),
    "integer": Requirement((int,), "a whole number"),
    "float": Requirement((int, float), "a number"),
    "percent": Requirement((int, float), "a number from 0 to 100"),
    "size": Requirement((int, str), 'a number of bytes, or a text such as "4M"'),
}


def _require_type(setting: _Setting, option: click.Option) -> None:
    """Refuse a value of another type than the option's: click would bend it into one.

    Raises:
        OptionError: Naming the file, the key, the value and what would be right.
    """
    value = setting.value
    texts = value if isinstance(value, list) else [value]
    needed = _LIST if option.multiple else _BY_TYPE.get(option.type.name, _TEXT)
    # The exact type, as True is a number to Python.
    is_right = type(value) in needed.types
    if option.multiple:
        is_right = is_right and all(isinstance(each, str) for each in texts)
    if not is_right:
        raise OptionError(_complaint(setting, f"it must be {needed.words}"))
    if any(isinstance(each, str) and "\0" in each for each in texts):
        raise OptionError(_complaint(setting, "it must not hold a NUL character"))


def _complaint(setting: _Setting, advice: str) -> str:
    value = json.dumps(setting.value, ensure_ascii=False, default=str)
    shown = value if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]}..."
    return f"{setting.key} is {shown} in {str(setting.file)!r}: {advice}"


# What says which file is read cannot stand in it.
_NOT_IN_A_FILE: Final = frozenset({"config", "no-config"})

# In a file, --exclude and --include can also be given as the lines of a .gitignore.
_PATTERNS: Final = click.Option(["--patterns"], type=pattern, multiple=True)


@dataclass(frozen=True, slots=True)
class Values:
    """What a file sets.

    Attributes:
        by_name: Values by the names of their parameters.
        patterns: As in ``Intake``, in the order of the file.
    """

    by_name: Mapping[str, object]
    patterns: tuple[str, ...]


def values_of(table: Mapping[str, object], file: Path, context: click.Context) -> Values:
    """Check every key and value, and convert them as if they came from the command line.

    Args:
        table: As it stands in the file.
        file: Its path; paths in the table are relative to its folder.
        context: Of the command that the options are for.

    Raises:
        OptionError: A key is unknown or set twice, or a value is wrong.
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
    return Values(by_name, tuple(patterns))


def _known_options(command: click.Command) -> dict[str, click.Option]:
    """Return all options by their long names."""
    options = [each for each in command.params if isinstance(each, click.Option)]
    named = {name: each for each in [*options, _PATTERNS] for name in each.opts}
    keys = {name.removeprefix("--"): each for name, each in named.items() if name[:2] == "--"}
    return {key: option for key, option in keys.items() if key not in _NOT_IN_A_FILE}


def _settings(
    table: Mapping[str, object], file: Path, known: Mapping[str, click.Option]
) -> Iterator[_Setting]:
    """Return what is set, with keys written as options are."""
    seen = set()
    for written, value in table.items():
        key = written.replace("_", "-")
        if key not in known:
            near = _near(key, known)
            hint = f"did you mean {near!r}? " if near else ""
            msg = f"unknown option {written!r} in {str(file)!r}: {hint}mosslite check --help "
            raise OptionError(f"{msg}lists them")
        if key in seen:
            msg = f"{key} is set twice in {str(file)!r}: once with '-' and once with '_'"
            raise OptionError(msg)
        seen.add(key)
        yield _Setting(file, key, value)


def _near(key: str, known: Mapping[str, click.Option]) -> str:
    """Return the option of the help that may be meant: that of the letter, or one written alike."""
    by_letter = [name for name, option in known.items() if f"-{key}" in option.opts]
    listed = [name for name, option in known.items() if option is not _PATTERNS]
    return next(iter([*by_letter, *get_close_matches(key.lower(), listed, n=1)]), "")


def _converted(setting: _Setting, option: click.Option, context: click.Context) -> object:
    """Return a value as the command line would have given it."""
    value = setting.value
    if isinstance(option.type, click.Path) and not (option.type.allow_dash and value == "-"):
        value = _placed(value, setting.file.parent)
    try:
        converted: object = option.type_cast_value(context, value)
    except click.BadParameter as error:
        message = error.message[:1].lower() + error.message[1:].rstrip(".")
        msg = f"{setting.key} in {str(setting.file)!r}: {message}"
        raise OptionError(msg) from error
    return converted


def _placed(value: object, folder: Path) -> object:
    """Take a path, or each of a list of paths, as relative to the folder of the file."""
    if isinstance(value, list):
        return [_below(folder, path) for path in value]
    return str(folder / str(value))


def _below(folder: Path, path: str) -> str:
    """Join a path that may be a pattern, unlike the folder's name."""
    literal = folder / path
    return str(literal if os.path.lexists(literal) else Path(glob.escape(str(folder)), path))
