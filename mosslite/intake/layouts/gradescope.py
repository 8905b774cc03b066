"""Gradescope: folders ``submission_123/`` and a ``submission_metadata.yml`` of who that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.intake.layouts.patterns import GRADESCOPE_FOLDER, GRADESCOPE_TOP
from mosslite.intake.layouts.records import HandedIn, beside, file_at, places_of_tops, text_of
from mosslite.intake.layouts.times import iso

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.intake.layouts.records import Listing, Places

__all__ = ["gradescope"]

_METADATA: Final = "submission_metadata.yml"


def gradescope(listing: Listing) -> Places:
    """Place what is in a submission's folder, by the metadata if it can be read."""
    at = file_at(listing, _METADATA)
    is_export = at is not None or GRADESCOPE_FOLDER.fullmatch(listing.folder) is not None
    if not is_export and not listing.is_asked:
        return []
    told = {} if at is None else _told(text_of(listing.entries[at]) or "")
    by_top = {
        top: _place(top, told.get(top))
        for top in listing.tops
        # What has another name could be a file that was handed in, beside metadata that were too.
        if GRADESCOPE_TOP.fullmatch(top) or (listing.is_asked and top in told)
    }
    if at is not None:
        by_top[_METADATA] = beside(_METADATA, "is the export's metadata")
    return places_of_tops(listing, by_top)


def _place(top: str, told: object) -> HandedIn:
    """Place a submission by what is told of it, which may be anything."""
    if not isinstance(told, dict):
        return HandedIn(top, top, "")
    members = tuple(_names(told.get(":submitters")))
    submitted = told.get(":created_at")
    return HandedIn(
        key=top,
        name=", ".join(members) or top,
        file="",
        submitted=iso(submitted) if isinstance(submitted, str) else "",
        members=members if len(members) > 1 else (),
    )


def _names(submitters: object) -> Iterator[str]:
    for each in submitters if isinstance(submitters, list) else ():
        name = each.get(":name") or each.get(":email") if isinstance(each, dict) else None
        if isinstance(name, str) and name.strip():
            yield name.strip()


def _told(text: str) -> dict[object, object]:
    from mosslite.intake.layouts.metadata import told_in  # noqa: PLC0415 - its parser takes its time

    return told_in(text)
