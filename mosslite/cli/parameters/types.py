"""Types of option values beyond click's own, and sections of the help."""

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import click

from mosslite.cli.files import STANDARD_OUTPUT, stream_of
from mosslite.messages import M_
from mosslite.texts import LOCALES


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the help, with the options below it."""

    title: str
    options: tuple[click.Option, ...]


# Paths are checked when they are used; this type only distinguishes them from other text.
PATH: Final = click.Path(readable=False)


class _Output(click.Path):
    """A path to write to; every name of standard output becomes ``-``."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the path, or ``-``."""
        given = os.fsdecode(super().convert(value, param, ctx))
        return STANDARD_OUTPUT if stream_of(given) == 1 else given


OUTPUT: Final = _Output(readable=False, allow_dash=True)


class Choice(click.Choice[str]):
    """One of several words."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word."""
        if value not in self.choices:
            names = ", ".join(map(repr, self.choices))
            self.fail(M_("%(value)r is not one of %(names)s", value, names), param, ctx)
        return value


def integer(value: str | int) -> int:
    """Parse a whole number.

    Raises:
        click.BadParameter: It is not one.
    """
    try:
        return int(value)
    except ValueError as error:
        raise click.BadParameter(M_("%(value)r is not a valid integer", value)) from error


def number(value: str | float) -> float:
    """Parse a number.

    Raises:
        click.BadParameter: It is not one.
    """
    try:
        return float(value)
    except ValueError as error:
        raise click.BadParameter(M_("%(value)r is not a valid float", value)) from error


def port(value: str | int) -> int:
    """Parse the number of a port; 0 is any.

    Raises:
        click.BadParameter: It is not one.
    """
    found = integer(value)
    if not 0 <= found <= _MOST_PORT:
        msg = M_("%(value)s is not in the range %(range)s", value, f"0<=x<={_MOST_PORT}")
        raise click.BadParameter(msg)
    return found


_MOST_PORT: Final = 65_535

# Larger numbers are typing errors.
_SIZE: Final = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?)([kmg]?)(?:i?b)?", re.IGNORECASE)
_UNITS: Final = {"": 0, "k": 10, "m": 20, "g": 30}


def size(value: str | int) -> int:
    """Parse a number of bytes, or of binary units: ``500000``, ``500K``, ``4M``, ``1G``.

    Raises:
        click.BadParameter: It is not one.
    """
    if isinstance(value, int):
        return value
    found = _SIZE.fullmatch(value)
    if found is None:
        msg = M_("%(value)r is not a size: give one such as 500000, 500K, 4M or 1G", value)
        raise click.BadParameter(msg)
    return int(float(found[1]) * (1 << _UNITS[found[2].lower()]))


def size_text(count: int) -> str:
    """Format a size in the largest unit that divides it, as accepted by ``size``."""
    for unit in ("g", "m", "k"):
        units, rest = divmod(count, 1 << _UNITS[unit])
        if units and not rest:
            return f"{units}{unit.upper()}"
    return str(count)


def percent(value: str | float) -> float:
    """Parse a number from 0 to 100.

    Values above 0 and up to 1 are refused: nobody means less than one percent, but many would give
    a score like this.

    Raises:
        click.BadParameter: It is not one.
    """
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 100:
        msg = M_("%(value)r is not a percentage: give a number from 0 to 100", value)
        raise click.BadParameter(msg)
    if 0 < number <= 1:
        asked = round(100 * number, 6)  # 0.29 * 100 is slightly below 29 in binary
        advice = M_("give 0, or more than 1")
        if asked > 1:
            advice = M_("write %(asked)s for score %(number)s", f"{asked:g}", f"{number:g}")
        msg = M_("%(value)r is not a percentage but a fraction: %(advice)s", value, advice)
        raise click.BadParameter(msg)
    return number


def pattern(value: str) -> str:
    """Parse a pattern in the form of a ``.gitignore`` line.

    Raises:
        click.BadParameter: It is blank.
    """
    if not value.strip():
        msg = M_("%(value)r matches nothing: give a pattern such as '*.txt'", value)
        raise click.BadParameter(msg)
    return value


# Options that contain patterns, and the key in a config file for lines of a .gitignore.
PATTERN_KEYS: Final = frozenset({"exclude", "include", "patterns"})


def gitignore_line(key: str, pattern: str) -> str:
    """Return an option's pattern as an equivalent line of a ``.gitignore``."""
    if key == "include":
        return f"!{pattern}"
    is_comment = key == "exclude" and pattern.startswith("#")
    return f"\\{pattern}" if is_comment else pattern


def given_patterns(
    values: Mapping[str, Sequence[str]], order: Iterable[click.Parameter]
) -> tuple[str, ...]:
    """Return the ``.gitignore`` lines equivalent to the command line.

    Args:
        values: Patterns by option name, in order.
        order: The parameters of the command line in order, repeated options included.
    """
    waiting = {name: iter(values[name]) for name in ("exclude", "include")}
    names = [parameter.name for parameter in order if parameter.name in waiting]
    return tuple(gitignore_line(name, next(waiting[name])) for name in names)


def joined_languages(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> str | None:
    """Return the last language given by name, behind those given for patterns; None for none."""
    from mosslite.languages import find_language  # noqa: PLC0415 - only where it is given

    for name in given:
        if not name.strip():
            find_language(name)  # says that there is none of this name
    patterns = [each for each in given if "=" in each]
    return ",".join([*patterns, *[each for each in given if "=" not in each][-1:]]) or None


def languages_for(_context: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Complete the MOSS name of a language."""
    from mosslite.languages import MOSS_LANGUAGES  # noqa: PLC0415 - only a shell asks

    return [name for name in sorted(MOSS_LANGUAGES) if name.startswith(incomplete)]


def locales_for(_context: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Complete a language of the texts."""
    return [code for code in LOCALES if code.startswith(incomplete)]


with_locale: Final = click.option(
    "--locale",
    default="en",
    metavar="CODE",
    envvar="MOSSLITE_LOCALE",
    shell_complete=locales_for,
    help="Language of the page: en, de, es or fr.  [default: en]",
)
