"""What a layout is given of a batch and returns, and how the platforms name things."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from mosslite.submissions.archives import has_archive_name
from mosslite.submissions.entries import NotReadError, content_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mosslite.records import Role
    from mosslite.submissions.entries import Entry

__all__ = [
    "BLACKBOARD",
    "BLACKBOARD_NAME",
    "BLACKBOARD_TEXT",
    "BRIGHTSPACE",
    "CANVAS",
    "CANVAS_ANONYMOUS",
    "CANVAS_UPLOAD",
    "EXTRAS",
    "GITHUB_FOLDER",
    "GRADESCOPE_FOLDER",
    "GRADESCOPE_TOP",
    "MOODLE",
    "ExportEntry",
    "Layout",
    "Listing",
    "Places",
    "Recognized",
    "american",
    "ascending",
    "beside",
    "file_at",
    "is_folder",
    "iso",
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
class ExportEntry:
    """The student an entry belongs to; key, name and file are never empty.

    Attributes:
        key: Equal for all files of one student or team, in all attempts.
        name: What to call the submission, for a reader.
        file: Path inside the submission.
        attempt: Equal for all files of one attempt; those of a key ascend with time.
        submitted: When, in ISO 8601 where it can be told, else as written.
        members: Of a team of several.
        label: A group, or another mark of the instructor.
        role: Other than that of the batch.
        ignored: Why it is not a part of one, as in ``is Brightspace's list``; empty if it is.
        is_beside: It lies beside what was handed in, and nobody handed it in.
        mark: What tells a reader this from others of its name; a platform's key does if empty.
        ids: The platform's own, of each member or of the one student; empty where it tells none.
        emails: Their addresses, likewise.
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
    ids: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recognized:
    """A batch's layout and a place for each of its entries, in their order.

    Attributes:
        title: The platform's name; empty for a plain batch.
        remark: What a reader must know of how it was recognized; empty for nothing.
    """

    title: str
    places: tuple[ExportEntry, ...]
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
Places = list[ExportEntry | None]

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


def plain_place(name: str) -> ExportEntry:
    """Place an entry in the submission that its path's first component stands for."""
    top, rest = parted(name)
    return ExportEntry(key=top, name=top, file=rest or top, mark=top)


def beside(name: str, reason: str) -> ExportEntry:
    """Place files that the platform or the instructor puts beside the submissions."""
    return replace(plain_place(name), file=name, ignored=reason, is_beside=True)


def places_of_tops(listing: Listing, by_top: Mapping[str, ExportEntry]) -> Places:
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


_MONTHS: Final = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)


def iso(text: str) -> str:
    """Return a time in ISO 8601 to the second, or as it is if it cannot be told."""
    text = text.strip()
    match = _CLOCK.fullmatch(text)
    if match is None:
        return text
    zone = (match["zone"] or "").replace("UTC", "Z")
    try:
        return datetime.fromisoformat(f"{match['date']}T{match['time']}{zone}").isoformat()
    except ValueError:
        return text


def american(text: str) -> str:
    """Return a time such as ``January 15, 2024 1159 PM`` in ISO 8601, or as it is."""
    match = _BRIGHTSPACE_DATE.fullmatch(text)
    if match is None or match["month"].lower() not in _MONTHS:
        return text
    month = _MONTHS.index(match["month"].lower()) + 1
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] in "Pp" else 0)
    try:
        # The platform does not say which zone; nothing is made up here.
        when = datetime(int(match["year"]), month, int(match["day"]), hour, int(match["minute"]))  # noqa: DTZ001
    except ValueError:
        return text
    return when.isoformat()


def ascending(text: str) -> str:
    """Return a string that ascends with the time that ``text`` is in ISO 8601, in any zone."""
    try:
        when = datetime.fromisoformat(text)
        return (when.astimezone(UTC) if when.tzinfo else when).strftime("%Y-%m-%dT%H:%M:%S")
    except (ValueError, OverflowError):
        return text


# smithbob_LATE_340934_208490284_hw.py, or smithbob_340934_text.html for what was typed in.
CANVAS: Final = re.compile(
    r"(?P<who>.*?)(?P<late>_LATE)?_(?P<id>[0-9]+)_"
    r"(?:(?P<attachment>[0-9]+)_(?P<file>.+)|(?P<typed>(?:text|link)\.html))",
    re.DOTALL,
)
# LATE_anon_aB3dE_208490284_hw.py
CANVAS_ANONYMOUS: Final = re.compile(
    r"(?P<late>LATE_)?anon_(?P<id>[0-9A-Za-z]+)_"
    r"(?:(?P<attachment>[0-9]+)_(?P<file>.+)|(?P<typed>(?:text|link)\.html))",
    re.DOTALL,
)
# hw-1.py: hw.py, uploaded again
CANVAS_UPLOAD: Final = re.compile(
    r"(?P<stem>.+)-(?P<number>[0-9]{1,2})(?P<suffix>\.[^.]*)?", re.DOTALL
)

# Ann Smith_123_assignsubmission_file (a folder; older sites add an underscore), or
# Ann Smith_123_assignsubmission_file_Main.java
MOODLE: Final = re.compile(
    r"(?P<who>.+?)_(?P<id>[0-9]+)_assignsubmission_(?P<kind>[a-z]+)(?P<rest>(?:[_.].*)?)",
    re.DOTALL,
)

# submission_123 (a folder) or, of an assignment on paper, 123.pdf; in assignment_7_export/
GRADESCOPE_TOP: Final = re.compile(r"submission_[0-9]+|[0-9]+\.pdf")
GRADESCOPE_FOLDER: Final = re.compile(r"assignment_[0-9]+_export")

# Homework 1_ann_attempt_2024-01-15-23-59-00_Main.java, and a note that ends after the time
BLACKBOARD: Final = re.compile(
    r"(?P<who>.+?)_attempt_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})(?:_(?P<file>.+)|(?P<note>\.txt))?",
    re.DOTALL,
)
BLACKBOARD_NAME: Final = re.compile(
    r"^Name:(?P<name>[^\r\n]*)\((?P<user>[^()\r\n]*)\)[ \t]*\r?$", re.MULTILINE
)
# What was typed in; without any the platform says so in a sentence.
BLACKBOARD_TEXT: Final = re.compile(
    r"^Submission Field:\s*(?!There is no student submission text data)(?!Comments:)\S",
    re.MULTILINE,
)

# 101-7 - Ann Smith - January 15, 2024 1159 PM (a folder, or before the file's name)
BRIGHTSPACE: Final = re.compile(
    r"(?P<first>[0-9]+)-(?P<second>[0-9]+) - (?P<who>.+?) - "
    r"(?P<time>(?:[^\W\d_]+\.? [0-9]{1,2}|[0-9]{1,2}\.? [^\W\d_]+\.?),? [0-9]{4}"
    r"(?:,? [0-9]{1,2}[:._]?[0-9]{2}(?:\s?[AaPp]\.?[Mm]\.?)?)?)"
    r"(?: - (?P<file>.+))?",
    re.DOTALL,
)
_BRIGHTSPACE_DATE: Final = re.compile(
    r"(?P<month>[A-Za-z]{3})[a-z]*\.? (?P<day>[0-9]{1,2}),? (?P<year>[0-9]{4}),? "
    r"(?P<hour>[0-9]{1,2})[:._]?(?P<minute>[0-9]{2})(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?"
)

# hw1-submissions/, which holds hw1-ann/
GITHUB_FOLDER: Final = re.compile(r"(?P<slug>.+)-submissions", re.DOTALL)

# 2019-07-23 17:12:33.123456789 +0200
_CLOCK: Final = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?P<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)"
    r"(?:[.,][0-9]+)?\s*(?P<zone>Z|UTC|[+-][0-9]{2}:?[0-9]{2})?"
)

# What an export, or the instructor, puts beside the submissions.
EXTRAS: Final = frozenset(
    {"index.html", "grades.csv", "gradebook.csv", "roster.csv", "submissions.csv"}
)
