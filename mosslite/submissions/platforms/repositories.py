"""Folders of one per student: nbgrader, GitHub Classroom and submit50."""

from __future__ import annotations

from collections import defaultdict
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from mosslite.submissions.platforms.records import (
    GITHUB_FOLDER,
    ExportEntry,
    ascending,
    beside,
    iso,
    parted,
    places_of_tops,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.submissions.platforms.records import Listing, Places

__all__ = [
    "github",
    "nbgrader",
    "submit50",
]


_SUBMITTED: Final = "submitted"
# What else is in the folder of a course.
_COURSE: Final = frozenset(
    {"source", "release", "autograded", "feedback", "gradebook.db", "nbgrader_config.py"}
)
_TIME: Final = "timestamp.txt"
# How many of the students must have one of the files that nbgrader puts there.
_SHARE: Final = 0.8


def nbgrader(listing: Listing) -> Places:
    """Place the files of a course's ``submitted/`` folder, or of one that looks like it."""
    parts = [name.split("/") for name in listing.names]
    is_likely = listing.is_asked or not _COURSE.isdisjoint(listing.tops)
    is_course = is_likely and _SUBMITTED in listing.tops
    below = [each[1:] if each[0] == _SUBMITTED else [] for each in parts] if is_course else parts
    knows = is_course or listing.folder == _SUBMITTED
    if not listing.is_asked and not _is_plausible(below, knows=knows):
        return []
    places = _places(listing, below)
    return _with_course(listing, places) if is_course else places


def _with_course(listing: Listing, places: Places) -> Places:
    """Leave out what is in the course's folder but not in ``submitted/``.

    What no course has there could be a submission beside one that is called ``submitted``.
    """
    whole = list(places)
    for index, name in enumerate(listing.names):
        top = parted(name)[0]
        if name and top != _SUBMITTED and (listing.is_asked or top in _COURSE):
            whole[index] = beside(name, "is not in nbgrader's folder submitted")
    return whole


def _is_plausible(parts: Sequence[Sequence[str]], *, knows: bool) -> bool:
    """Return whether most students have a time, or a notebook, where nbgrader puts them.

    ``knows`` says that the folder is called as it is in nbgrader: then notebooks will do.
    """
    suffixes = (".ipynb", _TIME) if knows else (_TIME,)
    students = {each[0] for each in parts if each and each[0]}
    fitting = {each[0] for each in parts if len(each) == 3 and each[2].endswith(suffixes)}
    return len(fitting) >= _SHARE * len(students) > 0


def _places(listing: Listing, parts: Sequence[Sequence[str]]) -> Places:
    """Place files by their path of student, assignment and file."""
    is_one = len({each[1] for each in parts if len(each) > 2}) == 1
    times = _times(listing, parts)
    students = {each[0] for each in parts if len(each) > 2}
    return [
        _place(each, times, is_one=is_one) if len(each) > 1 and each[0] in students else None
        for each in parts
    ]


def _place(parts: Sequence[str], times: dict[str, str], *, is_one: bool) -> ExportEntry:
    student = parts[0]
    is_time = len(parts) == 3 and parts[2] == _TIME
    return ExportEntry(
        key=student,
        name=student,
        file="/".join(parts[2:] if is_one and len(parts) > 2 else parts[1:]),
        submitted=times.get(student, ""),
        ignored="is nbgrader's note of the time" if is_time else "",
    )


def _times(listing: Listing, parts: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return when each student handed in last."""
    times: defaultdict[str, list[str]] = defaultdict(list)
    for entry, each in zip(listing.entries, parts, strict=True):
        if len(each) == 3 and each[2] == _TIME:
            text = (text_of(entry) or "").strip()
            times[each[0]].extend(iso(line) for line in text.splitlines()[:1])
    return {student: max(each, key=ascending) for student, each in times.items() if each}


_ORGANIZATION: Final = "me50"


def github(listing: Listing) -> Places:
    """Place the files of ``hw1-ann/`` in ``hw1-submissions/``."""
    folder = GITHUB_FOLDER.fullmatch(listing.folder)
    tops = _folders(listing)
    if folder is not None:
        slug = f"{folder['slug']}-"
    elif listing.is_asked and len(tops) > 1:
        slug = _common_slug(tops)
    else:
        return []
    logins = {
        top: top.removeprefix(slug) for top in tops if slug and top.startswith(slug) and top != slug
    }
    return places_of_tops(
        listing, {top: ExportEntry(login, login, "") for top, login in logins.items()}
    )


def submit50(listing: Listing) -> Places:
    """Place the files of ``ann/`` in ``me50/``."""
    if listing.folder != _ORGANIZATION and not listing.is_asked:
        return []
    return places_of_tops(listing, {top: ExportEntry(top, top, "") for top in _folders(listing)})


def _common_slug(tops: list[str]) -> str:
    """Return what all names have in common, up to a hyphen."""
    parts = zip(*(top.split("-") for top in tops), strict=False)
    return "".join(f"{each[0]}-" for each in takewhile(lambda each: len(set(each)) == 1, parts))


def _folders(listing: Listing) -> list[str]:
    return [
        top
        for top, indices in listing.tops.items()
        if any(parted(listing.names[index])[1] for index in indices)
    ]
