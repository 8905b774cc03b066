"""Moodle: ``Ann Smith_123_assignsubmission_file/``, or that before each file's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.intake.layouts.patterns import MOODLE
from mosslite.intake.layouts.records import HandedIn, places_of_tops

if TYPE_CHECKING:
    import re

    from mosslite.intake.layouts.records import Listing, Places

__all__ = ["moodle"]


def moodle(listing: Listing) -> Places:
    """Place files by the number of the participant or team; nothing else has such names."""
    matches = {top: match for top in listing.tops if (match := MOODLE.fullmatch(top))}
    numbers = {match["id"] for match in matches.values()}
    names = {match["who"] for match in matches.values()}
    # Marked blindly, all have the same name, in the language of the site.
    is_blind = (len(names) == 1 < len(numbers)) or names == {"Participant"}
    return places_of_tops(
        listing, {top: _place(match, is_blind=is_blind) for top, match in matches.items()}
    )


def _place(match: re.Match[str], *, is_blind: bool) -> HandedIn:
    name = f"{match['who']} {match['id']}" if is_blind else match["who"]
    # A team and a student may have the same number.
    key = f"{match['id']} {match['who']}"
    return HandedIn(key, name, _file(match["kind"], match["rest"]), mark=match["id"])


def _file(kind: str, rest: str) -> str:
    """Return the name a file had when it was handed in, empty if this is a folder of files."""
    return kind + rest if rest.startswith(".") else rest.removeprefix("_")
