"""Input and output of layouts, and the naming schemes of the platforms."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from mosslite.archive_names import has_archive_name, without_suffix
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


# A platform's list of a thousand students is smaller; larger files are not read as one.
_MOST_METADATA: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class ExportEntry:
    """An entry in an export, and its student; key, name and file are never empty.

    Attributes:
        key: Equal for all files of one student or team, in all attempts.
        name: Display name of the submission.
        file: Path inside the submission.
        attempt: Equal for all files of one attempt; ascends with time within a key.
        submitted: Submission time, in ISO 8601 if it can be parsed, else as written.
        members: Names in a team of several.
        label: A group, or another mark set by the instructor.
        role: A role other than that of the batch.
        ignored: Why the entry is not part of a submission, as in ``is Moodle's list``; or empty.
        is_beside: It is outside of the submissions; nobody submitted it.
        mark: Distinguishes submissions of equal name for a reader; if empty, the key does.
        ids: The platform's ids of the members or the one student; empty if it has none.
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
    """A batch's layout, and an export entry for each of its entries, in order.

    Attributes:
        title: The platform's name; empty for a plain batch.
        remark: What the reader must know about the recognition; may be empty.
    """

    title: str
    places: tuple[ExportEntry, ...]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A batch as seen from one of its folders, which may contain the submissions.

    Attributes:
        folder: Name of that folder.
        entries: All of the batch.
        names: Path of each entry relative to the folder; empty for entries outside of it.
        tops: The entries below each first path component, in order of appearance.
        all_attempts: Earlier attempts are included.
        is_outermost: The folder is the one given by the user, so it cannot be a submission.
        is_asked: The user named the layout; otherwise it fits only if everything is plausible.
    """

    folder: str
    entries: tuple[Entry, ...]
    names: tuple[str, ...]
    tops: Mapping[str, tuple[int, ...]]
    all_attempts: bool
    is_outermost: bool = True
    is_asked: bool = False


# A layout's result for the entries of a listing: None for an entry it does not recognize; empty if
# it recognizes none.
Places = list[ExportEntry | None]

Layout = Callable[[Listing], Places]
"""How a platform names what was handed in."""


def listing_of(
    entries: Sequence[Entry], names: Sequence[str], folder: str, *, all_attempts: bool
) -> Listing:
    """Return the view of a batch from a folder, relative to which its entries have these names."""
    tops: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        if name:
            tops.setdefault(parted(name)[0], []).append(index)
    frozen = {top: tuple(indices) for top, indices in tops.items()}
    return Listing(folder, tuple(entries), tuple(names), frozen, all_attempts)


def file_at(listing: Listing, name: str) -> int | None:
    """Return the number of the file of this name beside the submissions; None without one."""
    places = listing.tops.get(name, ())
    return next((place for place in places if listing.names[place] == name), None)


def is_folder(listing: Listing, top: str) -> bool:
    """Return whether a first component is a folder, not a submitted file or archive."""
    is_file = any(listing.names[place] == top for place in listing.tops[top])
    return not is_file and not has_archive_name(top)


def submissions_in(listing: Listing) -> list[str]:
    """Return the first components that no rule excludes, without lists of grades and the like."""
    places = set(wanted(listing.entries))
    return [
        top
        for top, indices in listing.tops.items()
        if top not in EXTRAS and not places.isdisjoint(indices)
    ]


def wanted(entries: Sequence[Entry]) -> list[int]:
    """Return the entries that no rule excludes, or all if there are none."""
    found = [place for place, entry in enumerate(entries) if not entry.is_ignored]
    return found or list(range(len(entries)))


def parted(name: str) -> tuple[str, str]:
    """Return the first component of a path and the rest, which can be empty."""
    top, _, rest = name.strip("/").partition("/")
    return top or "unnamed", rest.strip("/")


def plain_place(name: str) -> ExportEntry:
    """Place an entry in the submission of its first path component."""
    top, rest = parted(name)
    # What is in an archive was read, so the archive stands for a folder.
    own = without_suffix(top) if rest else top
    return ExportEntry(key=top, name=own, file=rest or top, mark=top)


def beside(name: str, reason: str) -> ExportEntry:
    """Place files that the platform or the instructor puts beside the submissions."""
    return replace(plain_place(name), file=name, ignored=reason, is_beside=True)


def places_of_tops(listing: Listing, by_top: Mapping[str, ExportEntry]) -> Places:
    """Place entries by their first component.

    In ``by_top``, ``file`` is the name of a submitted file, and empty for a
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
    """Return a time in ISO 8601 to the second, or unchanged if it cannot be parsed."""
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
    """Convert a time such as ``January 15, 2024 1159 PM`` to ISO 8601, or return it unchanged."""
    match = _BRIGHTSPACE_DATE.fullmatch(text)
    if match is None or match["month"].lower() not in _MONTHS:
        return text
    month = _MONTHS.index(match["month"].lower()) + 1
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] in "Pp" else 0)
    try:
        # The platform does not state a time zone, so none is added.
        when = datetime(int(match["year"]), month, int(match["day"]), hour, int(match["minute"]))  # noqa: DTZ001
    except ValueError:
        return text
    return when.isoformat()


def ascending(text: str) -> str:
    """Return a string that ascends with the ISO 8601 time ``text``, in any zone."""
    try:
        when = datetime.fromisoformat(text)
        return (when.astimezone(UTC) if when.tzinfo else when).strftime("%Y-%m-%dT%H:%M:%S")
    except (ValueError, OverflowError):
        return text


# smithbob_LATE_340934_208490284_hw.py, or smithbob_340934_text.html for text typed by the student.
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
# hw-1.py: hw.py, uploaded again.
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
# Text typed by the student; without any, the platform writes a fixed sentence.
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

# Files that an export or the instructor adds beside the submissions.
EXTRAS: Final = frozenset(
    {"index.html", "grades.csv", "gradebook.csv", "roster.csv", "submissions.csv"}
)
