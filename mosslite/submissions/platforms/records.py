"""What a layout is asked about a batch, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mosslite.submissions.archives import has_archive_name
from mosslite.submissions.entries import NotReadError, content_of
from mosslite.submissions.platforms.naming import EXTRAS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mosslite.records import Role
    from mosslite.submissions.entries import Entry

__all__ = [
    "HandedIn",
    "Layout",
    "Listing",
    "Places",
    "Recognized",
    "beside",
    "file_at",
    "is_folder",
    "listing_of",
    "parted",
    "places_of_tops",
    "plain_place",
    "submissions_in",
    "text_of",
    "wanted",
]


# A platform's list of a thousand students takes less; more is no such list.
_MOST_METADATA: Final = 16 << 20


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
        remark: What a reader must know of how it was recognized; empty for nothing.
    """

    title: str
    places: tuple[HandedIn, ...]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A batch as seen from one of its folders, which may hold the submissions.

    Attributes:
        folder: Name of that folder.
        entries: Of the whole batch.
        names: Path of each entry from the folder; empty where it is not in it.
        tops: The entries of each first component, in order of appearance.
        all_attempts: Earlier attempts are wanted too.
        is_outermost: What it is seen from is what the user gave, not what may be a submission.
        is_asked: The user named the layout; otherwise it fits only where all is plausible.
    """

    folder: str
    entries: tuple[Entry, ...]
    names: tuple[str, ...]
    tops: Mapping[str, tuple[int, ...]]
    all_attempts: bool
    is_outermost: bool = True
    is_asked: bool = False


# What a layout makes of the entries of a listing: None where it does not know one; empty where
# it knows none.
Places = list[HandedIn | None]

Layout = Callable[[Listing], Places]
"""How a platform names what was handed in."""


def listing_of(
    entries: Sequence[Entry], names: Sequence[str], folder: str, *, all_attempts: bool
) -> Listing:
    """Return the view of a batch from a folder, from which its entries have these names."""
    tops: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        if name:
            tops.setdefault(parted(name)[0], []).append(index)
    frozen = {top: tuple(indices) for top, indices in tops.items()}
    return Listing(folder, tuple(entries), tuple(names), frozen, all_attempts)


def file_at(listing: Listing, name: str) -> int | None:
    """Return the entry that is a file of this name beside the submissions; None without one."""
    places = listing.tops.get(name, ())
    return next((place for place in places if listing.names[place] == name), None)


def is_folder(listing: Listing, top: str) -> bool:
    """Return whether a first component is a folder, not a file or an archive that was handed in."""
    is_file = any(listing.names[place] == top for place in listing.tops[top])
    return not is_file and not has_archive_name(top)


def submissions_in(listing: Listing) -> list[str]:
    """Return the first components that no rule leaves out, but for lists of grades and such."""
    places = set(wanted(listing.entries))
    return [
        top
        for top, indices in listing.tops.items()
        if top not in EXTRAS and not places.isdisjoint(indices)
    ]


def wanted(entries: Sequence[Entry]) -> list[int]:
    """Return the entries that no rule leaves out, if there are any."""
    found = [place for place, entry in enumerate(entries) if not entry.is_ignored]
    return found or list(range(len(entries)))


def parted(name: str) -> tuple[str, str]:
    """Return the first component of a path and the rest, which is empty for a lone component."""
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
    """Return the text of a platform's own file; None if it cannot be read."""
    try:
        return content_of(entry, _MOST_METADATA).decode("utf-8-sig", "replace")
    except NotReadError:
        return None
