"""A layout of the user's own: a regular expression with named groups."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from mosslite.errors import InputError
from mosslite.intake.layouts.records import HandedIn, Recognized, plain_place
from mosslite.intake.layouts.times import ascending, iso

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.intake.entries import Entry

__all__ = ["named"]

# Attempts are ordered as text, so that numbers need as many digits.
_DIGITS = 12


def named(entries: Sequence[Entry], root: str, pattern: str) -> Recognized:
    """Place entries whose names begin with what the pattern describes; the others are plain.

    Raises:
        InputError: It describes none of them.
    """
    expression = re.compile(pattern)
    places = [_place(entry.name, expression) for entry in entries]
    if entries and not any(places):
        names = [entry.name for entry in entries if not entry.is_ignored] or [entries[0].name]
        msg = f"name pattern {pattern!r} matches nothing in {root!r}, such as {names[0]!r}"
        raise InputError(msg)
    paired = zip(entries, _by_label(places), strict=True)
    return Recognized(
        "name pattern", tuple(place or plain_place(entry.name) for entry, place in paired)
    )


def _place(name: str, expression: re.Pattern[str]) -> HandedIn | None:
    match = expression.match(name)
    groups = {} if match is None else {k: v.strip() for k, v in match.groupdict("").items()}
    if match is None or not groups["name"].strip("/"):
        return None
    submitted = iso(groups.get("time", ""))
    attempt = groups.get("attempt", "")
    return HandedIn(
        # A first component holds no slash, so that no plain submission has such a key.
        key=f"named/{(groups['name'], groups.get('id', ''))}",
        name=groups["name"],
        mark=groups.get("id", ""),
        file=groups.get("file", "").strip("/") or _following(name, match.end()),
        attempt=(attempt.zfill(_DIGITS) if attempt.isdecimal() else attempt)
        or ascending(submitted),
        submitted=submitted,
        label=groups.get("label", ""),
    )


def _by_label(places: Sequence[HandedIn | None]) -> list[HandedIn | None]:
    """Put a student's files of one name, such as those of two groups, in folders by their label."""
    files = Counter((each.key, each.attempt, each.file) for each in places if each)
    return [
        replace(each, file=f"{each.label}/{each.file}")
        if each and each.label and files[each.key, each.attempt, each.file] > 1
        else each
        for each in places
    ]


def _following(name: str, stop: int) -> str:
    """Return what follows the match, or the last component if nothing does."""
    return name[stop:].strip("/") or name.strip("/").rpartition("/")[2]
