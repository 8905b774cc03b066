"""What a value must be in TOML, so that the option it is for can take it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.errors import OptionError

if TYPE_CHECKING:
    from pathlib import Path

    import click

__all__ = ["Setting", "require_type"]

# A message shows this much of a value.
_MOST_SHOWN: Final = 60


class Setting(NamedTuple):
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


def require_type(setting: Setting, option: click.Option) -> None:
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


def _complaint(setting: Setting, advice: str) -> str:
    value = json.dumps(setting.value, ensure_ascii=False, default=str)
    shown = value if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]}..."
    return f"{setting.key} is {shown} in {str(setting.file)!r}: {advice}"
