"""Exports of learning platforms: the views of a batch, and the entries of its students."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mosslite.archive_formats import without_suffix
from mosslite.intake.disk import NotReadError
from mosslite.intake.entries import Entry, content_of
from mosslite.options import MOST_METADATA
from mosslite.reasons import Reason
from mosslite.records import Role

# Files that an export or the instructor adds beside the submissions.
EXTRAS: Final = frozenset(
    {"index.html", "grades.csv", "gradebook.csv", "roster.csv", "submissions.csv"}
)


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
        ignored: Why the entry is not part of a submission, or None.
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
    ignored: Reason | None = None
    is_beside: bool = False
    mark: str = ""
    ids: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """A batch as seen from one of its folders, which may contain the submissions.

    Attributes:
        folder: Name of that folder.
        prefix: Path of that folder in the batch, with a slash behind it; empty for the batch.
        entries: The entries in the folder by their paths in it.
        tops: The paths below each first path component, in order of appearance.
        is_outermost: The folder is the one given by the user, so it cannot be a submission.
        is_asked: The user named the layout; otherwise it fits only if everything is plausible.
    """

    folder: str
    prefix: str
    entries: Mapping[str, Entry]
    tops: Mapping[str, tuple[str, ...]]
    is_outermost: bool = True
    is_asked: bool = False

    @property
    def wanted(self) -> Sequence[str]:
        """The paths that no rule excludes, or all if there are none."""
        found = [name for name, entry in self.entries.items() if not entry.is_ignored]
        return found or list(self.entries)

    def matching(self, pattern: re.Pattern[str]) -> dict[str, re.Match[str]]:
        """Return the first components that match a pattern as a whole."""
        return {top: match for top in self.tops if (match := pattern.fullmatch(top))}

    def is_archive(self, top: str) -> bool:
        """Return whether a first component is an archive that is not opened yet."""
        return top in self.entries and self.entries[top].is_archive

    def has_file(self, name: str) -> bool:
        """Return whether there is a file of this name beside the submissions."""
        return name in self.entries and name in self.tops

    def text(self, name: str) -> str:
        """Return the text of a platform's own file; empty if it cannot be read."""
        try:
            return content_of(self.entries[name], MOST_METADATA).decode("utf-8-sig", "replace")
        except NotReadError:
            return ""


PlaceOf = Callable[[str], ExportEntry | None]
"""Returns the student of a path in the folder of a view; None for a path that does not fit."""

Layout = Callable[[View], PlaceOf | None]
"""How a platform names what was handed in; None for a view of something else."""


def view_of(entries: Iterable[tuple[str, Entry]], folder: str, prefix: str) -> View:
    """Return the view of a batch from a folder, relative to which its entries have these names."""
    inside = dict(entries)
    tops: dict[str, list[str]] = {}
    for name in inside:
        tops.setdefault(parted(name)[0], []).append(name)
    frozen = {top: tuple(names) for top, names in tops.items()}
    return View(folder, prefix, inside, frozen)


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


def beside(name: str, reason: Reason) -> ExportEntry:
    """Place files that the platform or the instructor puts beside the submissions."""
    return replace(plain_place(name), file=name, ignored=reason, is_beside=True)


def by_tops(places: Mapping[str, ExportEntry]) -> PlaceOf | None:
    """Place entries by their first component.

    In ``places``, ``file`` is the name of a submitted file, and empty for a folder.
    """

    def place_of(name: str) -> ExportEntry | None:
        top, rest = parted(name)
        place = places.get(top)
        if place is None:
            return None
        return replace(place, file="/".join(filter(None, (place.file, rest))) or top)

    return place_of if places else None
