"""Options of the commands that fill archives: those of ``mosslite check`` that shape a reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from mosslite.cli.parameters.comparison import COMPARISON
from mosslite.cli.parameters.inputs import SUBMISSIONS
from mosslite.cli.parameters.patterns import given_patterns
from mosslite.cli.parameters.reading import FILES, LIMITS, intake_of
from mosslite.cli.parameters.running import RUNNING
from mosslite.options import Options

if TYPE_CHECKING:
    from mosslite.cli.parameters.sections import Section

__all__ = ["ADDING", "READING", "AddCommand", "reading_options"]


def _named(section: Section, *names: str) -> tuple[click.Option, ...]:
    return tuple(each for each in section.options if each.name in names)


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
    *_named(SUBMISSIONS, "base"),
)

READING: Final = (
    *_named(SUBMISSIONS, "directories", "layout", "name_pattern", "attempts"),
    *FILES.options,
    *_named(COMPARISON, "noise", "guarantee"),
    *LIMITS.options,
    *_named(RUNNING, "jobs", "no_cache", "quiet"),
)


class AddCommand(click.Command):
    """A command with the options of ``READING``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and keep ``--exclude`` and ``--include`` in their order as ``patterns``."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        rest = super().parse_args(ctx, args)
        ctx.params["patterns"] = given_patterns(ctx.params, order)
        return rest


def reading_options(context: click.Context) -> Options:
    """Give how to read, and k and t.

    Raises:
        OptionError: A value means nothing.
    """
    given = context.params
    return Options(
        language=given["language"],
        directories=given["directories"],
        noise=given["noise"],
        guarantee=given["guarantee"],
        jobs=given["jobs"],
        uses_cache=not given["no_cache"],
        seconds=given["time_limit"],
        intake=intake_of(context),
    )
