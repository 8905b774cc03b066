"""Blackboard: ``Homework 1_ann_attempt_2024-01-15-23-59-00_Main.java`` and a note on each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mosslite.intake.layouts.patterns import BLACKBOARD, BLACKBOARD_NAME, BLACKBOARD_TEXT
from mosslite.intake.layouts.records import HandedIn, places_of_tops, text_of
from mosslite.intake.layouts.times import iso

if TYPE_CHECKING:
    import re

    from mosslite.intake.layouts.records import Listing, Places

__all__ = ["blackboard"]

# The name stands in the first line; what a student typed in may be long, and look like one.
_HEAD: Final = 2000


@dataclass(frozen=True, slots=True)
class _Note:
    """What the platform writes about a hand-in; ``holds_text`` if it was typed in."""

    name: str
    holds_text: bool


def blackboard(listing: Listing) -> Places:
    """Place files by assignment and user name; each time is an attempt."""
    matches = {top: match for top in listing.tops if (match := BLACKBOARD.fullmatch(top))}
    notes = {top: _note(listing, match) for top, match in matches.items() if match["note"]}
    names = _user_names({match["who"] for match in matches.values()})
    names |= {matches[top]["who"]: note.name for top, note in notes.items() if note.name}
    files = Counter((match["who"], match["time"]) for match in matches.values())
    by_top = {}
    for top, match in matches.items():
        is_alone = files[match["who"], match["time"]] == 1
        is_work = top not in notes or (is_alone and notes[top].holds_text)
        by_top[top] = _place(match, names[match["who"]], is_work=is_work)
    return places_of_tops(listing, by_top)


def _place(match: re.Match[str], name: str, *, is_work: bool) -> HandedIn:
    date, time = match["time"][:10], match["time"][11:].replace("-", ":")
    return HandedIn(
        # Where the assignment's name ends is not marked, and two users may end alike.
        key=match["who"],
        name=name,
        file=match["file"] or ("submission.txt" if match["note"] else ""),
        attempt=match["time"],
        submitted=iso(f"{date} {time}"),
        ignored="" if is_work else "is Blackboard's note on a hand-in",
    )


def _note(listing: Listing, top: re.Match[str]) -> _Note:
    text = text_of(listing.entries[listing.tops[top[0]][0]]) or ""
    # Further down is what the student has typed.
    match = BLACKBOARD_NAME.match(text, 0, _HEAD)
    is_own = match is not None and f"_{top['who']}".endswith(f"_{match['user']}")
    name = match["name"].strip() if match is not None and is_own else ""
    return _Note(name, BLACKBOARD_TEXT.search(text) is not None)


def _user_names(prefixes: set[str]) -> dict[str, str]:
    """Tell user names from the assignment's name before them, both of which may hold ``_``."""
    parts = [prefix.split("_") for prefix in sorted(prefixes)]
    common = 0
    while len(parts) > 1 and all(len(each) > common + 1 for each in parts):
        if len({each[common] for each in parts}) > 1:
            break
        common += 1
    return {"_".join(each): "_".join(each[common or -1 :]) for each in parts}
