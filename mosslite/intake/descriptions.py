"""What one submission of a batch is, in words."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from mosslite.counts import counted
from mosslite.intake.archives import has_archive_name
from mosslite.intake.places import is_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.intake.attempts import Planned
    from mosslite.intake.disk import OnDisk

__all__ = ["kinds_of", "of_batch", "of_places", "of_sections"]

# More sections than these are counted, not named.
_MOST_NAMED: Final = 3


def of_batch(plans: Sequence[Planned], root: str, title: str) -> str:
    """Say what one submission of a batch is."""
    place = root if os.path.isfile(root) else f"{root.rstrip('/')}/"
    if title:
        return f"one per student in {place} ({title})"
    return f"one per {kinds_of(plans)} in {place}"


def kinds_of(plans: Sequence[Planned]) -> str:
    """Say what the submissions of plain batches are."""
    return _words(
        {
            "file" if name == own else "archive" if has_archive_name(own) else "folder"
            for planned in plans
            for own, name in [(os.path.basename(planned.name), planned.entries[0][1])]
        }
    )


def of_sections(paths: Sequence[str], titles: Sequence[str], one: str) -> str:
    """Say what one submission is, as in ``one per student in a.zip and b.zip (Moodle)``."""
    titles = sorted({title or "plain" for title in titles})
    platforms = "" if titles == ["plain"] else f" ({', '.join(titles)})"
    if len(paths) > _MOST_NAMED:
        return f"one per {one} in {counted(len(paths), 'section')}{platforms}"
    *others, last = paths
    places = f"{', '.join(others)} and {last}" if others else last
    return f"one per {one} in {places}{platforms}"


def of_places(places: Sequence[OnDisk]) -> str:
    """Say what one submission of places is that are one each, as in ``one per folder given``."""
    kinds = {_kind_of(place) for place in places if not place.obstacle}
    return f"one per {_words(kinds)} given"


def _words(kinds: set[str]) -> str:
    return " or ".join(sorted(kinds)) or "file"


def _kind_of(place: OnDisk) -> str:
    if is_folder(place):
        return "folder"
    return "archive" if has_archive_name(place.path) else "file"
