"""Gradescope: folders ``submission_123/`` and a ``submission_metadata.yml`` of who that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import yaml

from mosslite.intake.layouts.patterns import GRADESCOPE_FOLDER, GRADESCOPE_TOP
from mosslite.intake.layouts.records import HandedIn, places_of_tops, text_of
from mosslite.intake.layouts.times import iso

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.intake.layouts.records import Listing, Places

__all__ = ["gradescope"]

_METADATA: Final = "submission_metadata.yml"
# Of what is told of a submission, all that is read; earlier attempts and test results can take
# a hundred times as much.
_WANTED: Final = (":submitters:", ":created_at:")
# With this much of that there would be ten thousand students.
_MOST_TEXT: Final = 2 << 20
_DEEPEST: Final = 20
# Constructs nothing but strings, lists and dictionaries, whatever tags there are.
_LOADER: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def gradescope(listing: Listing, *, is_asked: bool) -> Places:
    """Place what is in a submission's folder, by the metadata if it can be read."""
    at = listing.tops.get(_METADATA, ())
    is_export = bool(at) or GRADESCOPE_FOLDER.fullmatch(listing.folder) is not None
    if not is_export and not is_asked:
        return []
    told = _told(text_of(listing.entries[at[0]]) or "") if at else {}
    by_top = {
        top: _place(top, told.get(top))
        for top in listing.tops
        if top in told or GRADESCOPE_TOP.fullmatch(top)
    }
    if at:
        by_top[_METADATA] = HandedIn(_METADATA, _METADATA, "", ignored="is the export's metadata")
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
    """Give what the metadata tells by submission; nothing where they are not readable."""
    text = _essence(text)
    if len(text) > _MOST_TEXT:
        return {}
    try:
        if _depth(text) > _DEEPEST:
            return {}
        told = yaml.load(text, Loader=_LOADER)  # noqa: S506 - this loader constructs no objects
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _essence(text: str) -> str:
    """Leave out what is told of submissions and not wanted, by its indentation.

    The file is written by a program, with two blanks before each thing that is told; where it
    is not, this leaves it as it is.
    """
    kept, is_wanted = [], True
    for line in text.replace("\r\n", "\n").split("\n"):
        if line[:1] not in ("", " "):
            is_wanted = True
        elif line.startswith("  :"):
            is_wanted = line[2:].startswith(_WANTED)
        if is_wanted:
            kept.append(line)
    return "\n".join(kept)


def _depth(text: str) -> int:
    """Give how deep collections lie in each other, or the first depth that is too deep."""
    depth = deepest = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        deepest = max(deepest, depth)
        if deepest > _DEEPEST:
            break
    return deepest
