"""Options that say how submissions are compared."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

from mosslite.cli.parameters.reading import intake_of
from mosslite.cli.parameters.sections import Section
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Options
from mosslite.report.review import read_marks
from mosslite.submissions.paths import shown_name

__all__ = ["COMPARISON", "options_of"]

_K, _T = (
    f"in tokens.  [default: {code} for code, {prose} for prose]"
    for code, prose in (
        (CODE_DEFAULTS.noise, PROSE_DEFAULTS.noise),
        (CODE_DEFAULTS.guarantee, PROSE_DEFAULTS.guarantee),
    )
)

COMPARISON: Final = Section(
    "Comparison",
    (
        click.Option(
            ["-m", "--max-sharing"],
            type=int,
            metavar="N",
            help="Leave out code in more than N submissions.  [default: it weighs less]",
        ),
        click.Option(
            ["-k", "--noise"], type=int, metavar="N", help=f"Noise threshold: shortest match {_K}"
        ),
        click.Option(
            ["-t", "--guarantee"],
            type=int,
            metavar="N",
            help=f"Guarantee threshold: every shared passage of this length is found, {_T}",
        ),
    ),
)


def options_of(context: click.Context) -> Options:
    """Return how to read, to compare and to report.

    Raises:
        OptionError: A value means nothing.
        InputError: The file of ``--review`` cannot be read, or is not a review.
    """
    given = context.params
    review = given["review"]
    return Options(
        language=given["language"],
        directories=given["directories"],
        max_sharing=given["max_sharing"],
        show=given["show"],
        comment=os.fsencode(given["comment"]).decode("utf-8", "backslashreplace"),
        noise=given["noise"],
        guarantee=given["guarantee"],
        jobs=given["jobs"],
        uses_cache=not given["no_cache"],
        seconds=given["time_limit"],
        intake=intake_of(context),
        review=() if review is None else read_marks(Path(review)),
        config="" if given["config"] is None else shown_name(given["config"]),
    )
