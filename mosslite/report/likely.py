"""Likely boilerplate that nobody declared, in words, with what leaves it out of the next run."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from mosslite.display import with_names
from mosslite.report.whereabouts import whereabouts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mosslite.records import CommonPassage, Report

__all__ = ["LIKELY_BOILERPLATE", "SHORT_PASSAGES", "base_option", "likely_boilerplate"]

# Folders of a report.
LIKELY_BOILERPLATE: Final = "likely-boilerplate"
SHORT_PASSAGES: Final = "shared-passages"


def base_option(directory: Path, passages: str = LIKELY_BOILERPLATE) -> str:
    """Return the option that leaves passages out of the next run, ready for a shell."""
    return f"-b {shlex.quote(str(directory / passages))}"


def likely_boilerplate(report: Report, directory: Path | None = None) -> Iterator[str]:
    """Warn of passages that most submissions share.

    Args:
        report: Where they were found.
        directory: Of the HTML report, which has them as files.
    """
    option = "-b" if directory is None else base_option(directory)
    long, short = (
        [_place_of(each) for each in report.common if each.is_long is is_long]
        for is_long in (True, False)
    )
    yield from with_names(
        "most submissions share these passages; if you handed them out, exclude them with "
        f"{option}",
        long,
    )
    yield from with_names(
        "most submissions share these short passages; the HTML report has each as a file for -b, "
        "if you handed it out",
        short,
    )


def _place_of(passage: CommonPassage) -> str:
    work, place = passage.work, passage.place
    file = work.documents[place.document].file
    where = whereabouts(file, place.first_line, place.last_line)
    name = work.name if file.name == work.name else f"{work.name}/{file.name}"
    lines = "line" if place.first_line == place.last_line else "lines"
    return f"{name} ({where if file.parts else f'{lines} {where}'})"
