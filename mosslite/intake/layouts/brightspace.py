"""Brightspace: ``101-7 - Ann Smith - January 15, 2024 1159 PM/`` beside an ``index.html``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.intake.layouts.patterns import BRIGHTSPACE
from mosslite.intake.layouts.records import HandedIn, beside, file_at, places_of_tops
from mosslite.intake.layouts.times import american

if TYPE_CHECKING:
    import re
    from collections.abc import Collection

    from mosslite.intake.layouts.records import Listing, Places

__all__ = ["brightspace"]

_LIST: Final = "index.html"


def brightspace(listing: Listing) -> Places:
    """Place files by the student's number and name; each time is an attempt."""
    matches = {top: match for top in listing.tops if (match := BRIGHTSPACE.fullmatch(top))}
    number = _number_of_student(matches.values())
    by_top = {top: _place(match, number) for top, match in matches.items()}
    if file_at(listing, _LIST) is not None:
        by_top[_LIST] = beside(_LIST, "is Brightspace's list")
    return places_of_tops(listing, by_top)


def _number_of_student(matches: Collection[re.Match[str]]) -> str:
    """Tell which of the two numbers is the student's: not the one that all have in common.

    Without such a one, students are told apart by name alone.
    """
    different = [
        group for group in ("first", "second") if len({match[group] for match in matches}) > 1
    ]
    return different[0] if len(different) == 1 else ""


def _place(match: re.Match[str], number: str) -> HandedIn:
    submitted = american(match["time"])
    return HandedIn(
        key=f"{match['who']} {match[number]}" if number else match["who"],
        name=match["who"],
        mark=match[number] if number else "",
        file=match["file"] or "",
        attempt=submitted,
        submitted=submitted,
    )
