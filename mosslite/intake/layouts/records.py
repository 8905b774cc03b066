"""What a layout is asked about a batch, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mosslite.intake.entries import NotReadError, content_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mosslite.intake.entries import Entry
    from mosslite.model import Role

__all__ = [
    "EARLIER_UPLOAD",
    "HandedIn",
    "Layout",
    "Listing",
    "Places",
    "Recognized",
    "beside",
    "listing_of",
    "parted",
    "places_of_tops",
    "plain_place",
    "text_of",
]

# A platform's list of a thousand students takes less; more is no such list.
_MOST_METADATA: Final = 16 << 20

# Why a file is ignored that a student uploaded anew; the name of the newest follows.
EARLIER_UPLOAD: Final = "is an earlier upload of"


@dataclass(frozen=True, slots=True)
class HandedIn:
    """Whose work an entry is; key, name and file are never empty.

    Attributes:
        key: Equal for all files of one student or team, in all attempts.
        name: What to call the submission, for a reader.
        file: Path inside the submission.
        attempt: Equal for all files of one attempt; those of a key ascend with time.
        submitted: When, in ISO 8601 where it can be told, else as written.
        members: Of a team of several.
        label: A group, or another mark of the instructor.
        role: Other than that of the batch.
        ignored: Why it is no work, as in ``is Brightspace's list``; empty if it is.
        is_beside: It lies beside what was handed in, and nobody handed it in.
        mark: What tells a reader this from others of its name; a platform's key does if empty.
    """

    key: str
    name: str
    file: str
    attempt: str = ""
    submitted: str = ""
    members: tuple[str, ...] = ()
    label: str = ""
    is_late: bool = False
    role: Role | None = None
    ignored: str = ""
    is_beside: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Recognized:
    """A batch's layout and a place for each of its entries, in their order.

    Attributes:
        title: The platform's name; empty for a plain batch.
    """

    title: str
    places: tuple[HandedIn, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A batch as seen from one of its folders, which may hold the submissions.

    Attributes:
        folder: Name of that folder.
        entries: Of the whole batch.
        names: Path of each entry from the folder; empty where it is not in it.
        tops: The entries of each first component, in order of appearance.
        all_attempts: Earlier attempts are wanted too.
        is_asked: The user named the layout; otherwise it fits only where all is plausible.
    """

    folder: str
    entries: tuple[Entry, ...]
    names: tuple[str, ...]
    tops: Mapping[str, tuple[int, ...]]
    all_attempts: bool
    is_asked: bool = False


# What a layout makes of the entries of a listing: None where it does not know one; empty where
# it knows none.
Places = list[HandedIn | None]

Layout = Callable[[Listing], Places]
"""How a platform names what was handed in."""


def listing_of(
    entries: Sequence[Entry], names: Sequence[str], folder: str, *, all_attempts: bool
) -> Listing:
    """Give the view of a batch from a folder, from which its entries have these names."""
    tops: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        if name:
            tops.setdefault(parted(name)[0], []).append(index)
    frozen = {top: tuple(indices) for top, indices in tops.items()}
    return Listing(folder, tuple(entries), tuple(names), frozen, all_attempts)


def parted(name: str) -> tuple[str, str]:
    """Give the first component of a path and the rest, which is empty for a lone component."""
    top, _, rest = name.strip("/").partition("/")
    return top or "unnamed", rest.strip("/")


def plain_place(name: str) -> HandedIn:
    """Place an entry in the submission that its path's first component stands for."""
    top, rest = parted(name)
    return HandedIn(key=top, name=top, file=rest or top, mark=top)


def beside(name: str, reason: str) -> HandedIn:
    """Place what the platform, or the instructor, puts beside the submissions."""
    return replace(plain_place(name), file=name, ignored=reason, is_beside=True)


def places_of_tops(listing: Listing, by_top: Mapping[str, HandedIn]) -> Places:
    """Place entries by their first component.

    In ``by_top``, ``file`` is the name that a file had when it was handed in, and empty for a
    folder.
    """
    if not by_top:
        return []
    places: Places = [None] * len(listing.entries)
    for top, place in by_top.items():
        for index in listing.tops[top]:
            rest = parted(listing.names[index])[1]
            file = "/".join(part for part in (place.file, rest) if part)
            places[index] = replace(place, file=file or top)
    return places


def text_of(entry: Entry) -> str | None:
    """Give the text of a platform's own file; None if it cannot be read."""
    try:
        return content_of(entry, _MOST_METADATA).decode("utf-8-sig", "replace")
    except NotReadError:
        return None
