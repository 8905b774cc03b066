"""Options of the commands that fill archives: those of ``mosslite check`` that shape a reading."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from mosslite.cli.parameters.comparison import COMPARISON
from mosslite.cli.parameters.inputs import SUBMISSIONS
from mosslite.cli.parameters.reading import FILES, LIMITS, intake_of
from mosslite.cli.parameters.running import RUNNING
from mosslite.cli.parameters.types import OUTPUT
from mosslite.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.cli.parameters.sections import Section

__all__ = ["ADDING", "REBUILDING", "adding_options", "rebuilding_options"]

_EVER: Final = ("jobs", "no_cache", "quiet")


def _named(section: Section, *names: str) -> tuple[click.Option, ...]:
    return tuple(each for each in section.options if each.name in names)


def _held(section: Section, *names: str) -> Iterator[click.Option]:
    """Return options whose values are those of the archive where they are not given."""
    for option in _named(section, *names):
        twin = copy(option)
        twin.help = f"{str(option.help).partition('  [default:')[0]}  [default: as in the archive]"
        yield twin


ADDING: Final = (
    click.Option(
        ["--term"],
        required=True,
        metavar="NAME",
        help="What to call these submissions together, such as 2025-autumn.",
    ),
    click.Option(
        ["--no-text"],
        is_flag=True,
        help="Keep digests of tokens and fingerprints, but no text, comments or strings.",
    ),
    click.Option(
        ["--anonymize"],
        type=OUTPUT,
        metavar="KEY.csv",
        help="Keep numbers in place of names, and add which is which to KEY.csv. Texts that are "
        "kept are not changed: names in comments stay.",
    ),
    *_named(SUBMISSIONS, "base", "directories", "each", "layout", "name_pattern", "attempts"),
    *FILES.options,
    *_named(COMPARISON, "noise", "guarantee"),
    *LIMITS.options,
    *_named(RUNNING, "config", "no_config", *_EVER),
)

REBUILDING: Final = (
    *_held(FILES, "language"),
    *_held(COMPARISON, "noise", "guarantee"),
    click.Option(
        ["--keep-tokens"],
        is_flag=True,
        help="Where no text is kept, take the tokens as they are.",
    ),
    *_named(LIMITS, "time_limit"),
    *_named(RUNNING, *_EVER),
)


def adding_options(context: click.Context) -> Options:
    """Return how to read what is added, and k and t.

    Raises:
        OptionError: A value means nothing.
    """
    options = rebuilding_options(context)
    return replace(options, directories=context.params["directories"], intake=intake_of(context))


def rebuilding_options(context: click.Context) -> Options:
    """Return how to read texts that are there already, and k and t.

    Raises:
        OptionError: A value means nothing.
    """
    given = context.params
    return Options(
        language=given["language"],
        noise=given["noise"],
        guarantee=given["guarantee"],
        jobs=given["jobs"],
        uses_cache=not given["no_cache"],
        seconds=given["time_limit"],
    )
