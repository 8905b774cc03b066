"""Recognizes the layout of a batch, or applies the one asked for."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from mosslite.archive_names import without_suffix
from mosslite.errors import InputError
from mosslite.options import Intake
from mosslite.submissions.entries import Entry
from mosslite.submissions.platforms.classrooms import (
    METADATA,
    dolos,
    github,
    gradescope,
    nbgrader,
    submit50,
)
from mosslite.submissions.platforms.learning import blackboard, brightspace, canvas, moodle, vpl
from mosslite.submissions.platforms.records import (
    EXTRAS,
    ExportEntry,
    Layout,
    Listing,
    Places,
    Recognized,
    ascending,
    beside,
    file_at,
    iso,
    listing_of,
    parted,
    plain_place,
    wanted,
)
from mosslite.texts import M_, NL_

# Attempts are ordered as text, so numbers are padded to this many digits.
_DIGITS = 12


def _named(entries: Sequence[Entry], root: str, pattern: str) -> Recognized:
    """Place entries whose names start with a match of the pattern; the others are plain.

    Raises:
        InputError: It matches none of them.
    """
    expression = re.compile(pattern)
    places = [_place(entry.name, expression) for entry in entries]
    if entries and not any(places):
        names = [entry.name for entry in entries if not entry.is_ignored] or [entries[0].name]
        msg = f"name pattern {pattern!r} does not match any name in {root!r}, such as {names[0]!r}"
        raise InputError(msg)
    paired = zip(entries, _by_label(places), strict=True)
    return Recognized(
        "name pattern", tuple(place or plain_place(entry.name) for entry, place in paired)
    )


def _place(name: str, expression: re.Pattern[str]) -> ExportEntry | None:
    match = expression.match(name)
    groups = {} if match is None else {k: v.strip() for k, v in match.groupdict("").items()}
    if match is None or not groups["name"].strip("/"):
        return None
    submitted = iso(groups.get("time", ""))
    attempt = groups.get("attempt", "")
    return ExportEntry(
        # A first component contains no slash, so no plain submission has such a key.
        key=f"named/{(groups['name'], groups.get('id', ''))}",
        name=groups["name"],
        mark=groups.get("id", ""),
        file=groups.get("file", "").strip("/") or _following(name, match.end()),
        attempt=(attempt.zfill(_DIGITS) if attempt.isdecimal() else attempt)
        or ascending(submitted),
        submitted=submitted,
        label=groups.get("label", ""),
        ids=(groups["id"],) if groups.get("id") else (),
    )


def _by_label(places: Sequence[ExportEntry | None]) -> list[ExportEntry | None]:
    """Put a student's files of equal name, such as those of two groups, into folders by label."""
    files = Counter((each.key, each.attempt, each.file) for each in places if each)
    return [
        replace(each, file=f"{each.label}/{each.file}")
        if each and each.label and files[each.key, each.attempt, each.file] > 1
        else each
        for each in places
    ]


def _following(name: str, stop: int) -> str:
    """Return the text after the match, or the last component if that is empty."""
    return name[stop:].strip("/") or name.strip("/").rpartition("/")[2]


# Share of a batch that must fit a layout: an instructor may have added a file.
_SHARE: Final = 0.8
# Remark on files that look like Dolos' metadata, but could have been submitted.
_NOT_BELIEVED: Final = NL_(
    "not used, as a student could have submitted it (--layout dolos uses it)"
)

# Levels of folders around the submissions: that of an export in an archive in the folder given.
_DEEPEST: Final = 3


@dataclass(frozen=True, slots=True)
class _Platform:
    """A layout by its name, with what the user can check in a batch."""

    name: str
    title: str
    example: str
    layout: Layout


# More specific layouts come first: they fit where a general one would fit too.
_PLATFORMS: Final = (
    _Platform("gradescope", "Gradescope", "submission_123/hw.py", gradescope),
    _Platform("dolos", "Dolos", "info.csv with a column 'filename'", dolos),
    _Platform("moodle", "Moodle", "Ann Smith_123_assignsubmission_file/hw.py", moodle),
    _Platform("vpl", "Moodle VPL", "Smith Ann 123 ann7/2024-05-15-10-30-00/hw.py", vpl),
    _Platform("blackboard", "Blackboard", "Hw_ann_attempt_2024-01-15-23-59-00_hw.py", blackboard),
    _Platform("brightspace", "Brightspace", "1-2 - Ann - May 1, 2024 930 AM/hw.py", brightspace),
    _Platform("canvas", "Canvas", "smithbob_340934_208490284_hw.py", canvas),
    _Platform("nbgrader", "nbgrader", "submitted/ann/ps1/problem.ipynb", nbgrader),
    _Platform("github", "GitHub Classroom", "hw1-submissions/hw1-ann/hw.py", github),
    _Platform("submit50", "submit50", "me50/ann/hw.py", submit50),
)


def recognize(
    entries: Sequence[Entry], root: str, intake: Intake, *, is_archive: bool = False
) -> Recognized:
    """Return the student of each entry in a batch.

    Args:
        entries: All of one folder or archive, named relative to it.
        root: Name of the folder or archive in messages.
        intake: The layout or name pattern asked for, and whether all attempts are wanted.
        is_archive: A single folder with all of a plain batch is the archive's, not a student's.

    Raises:
        InputError: The layout or name pattern asked for fits no entry.
    """
    if intake.name_pattern is not None:
        return _named(entries, root, intake.name_pattern)
    if intake.layout == "plain" or not entries:
        return _plain(entries, is_archive=is_archive)
    listings = list(_listings(entries, root, all_attempts=intake.all_attempts))
    listings = [
        replace(each, is_outermost=depth <= is_archive) for depth, each in enumerate(listings)
    ]
    if intake.layout != "auto":
        return _asked(listings, root, intake.layout)
    found = _found(listings) or _plain(entries, is_archive=is_archive)
    return found if found.title else replace(found, remark=_remark(listings))


def _remark(listings: Sequence[Listing]) -> str:
    """Name a metadata file that is not trusted."""
    for listing in listings:
        place = file_at(listing, METADATA)
        if place is not None and dolos(replace(listing, is_asked=True)):
            path = listing.entries[place].path
            return f"{_NOT_BELIEVED}: {path}"
    return ""


def keys_of(
    names: Sequence[str], *, root: str, intake: Intake, is_archive: bool = False
) -> list[str]:
    """Return a key for each name that is equal for all files of one student.

    Only names are examined, before anything is read: a layout's own metadata is not used, nor are
    members of archives. Where a layout depends on these, the first path component in the innermost
    folder that contains the batch represents a student.
    """
    entries = [Entry(name, name) for name in names]
    try:
        found = recognize(entries, root, intake, is_archive=is_archive)
    except InputError:
        *_, innermost = _listings(entries, root, all_attempts=intake.all_attempts)
        return [parted(name)[0] for name in innermost.names]
    return [place.key for place in found.places]


def _plain(entries: Sequence[Entry], *, is_archive: bool) -> Recognized:
    names = [entry.name for entry in entries]
    if is_archive:
        names = _without(_common_folder(entries, names), names)
    paired = zip(entries, names, strict=True)
    return Recognized("", tuple(plain_place(name or entry.name) for entry, name in paired))


def _listings(entries: Sequence[Entry], root: str, *, all_attempts: bool) -> Iterator[Listing]:
    """Yield the views of a batch from its root and from folders that contain all of it."""
    folder = PurePosixPath(root).name
    names = [entry.name.strip("/") for entry in entries]
    for _ in range(_DEEPEST + 1):
        yield listing_of(entries, names, without_suffix(folder), all_attempts=all_attempts)
        folder = _common_folder(entries, names)
        if not folder:
            return
        names = _without(folder, names)


def _common_folder(entries: Sequence[Entry], names: Sequence[str]) -> str:
    """Return the one folder that contains everything, if there is one."""
    tops = set()
    for index in wanted(entries):
        top, rest = parted(names[index])
        if not rest:
            return ""
        tops.add(top)
    return tops.pop() if len(tops) == 1 else ""


def _without(folder: str, names: Sequence[str]) -> list[str]:
    """Name entries relative to a folder; entries outside of it get an empty name."""
    if not folder:
        return list(names)
    paths = (parted(name) for name in names)
    return [rest if top == folder else "" for top, rest in paths]


def _judged(entries: Sequence[Entry]) -> list[int]:
    """Return the entries by which a layout is recognized: the readable ones, if any are."""
    places = wanted(entries)
    return [place for place in places if not entries[place].obstacle] or places


def _found(listings: Sequence[Listing]) -> Recognized | None:
    """Return the first layout that fits, from the innermost folder: a batch has several parts."""
    for listing in reversed(listings):
        for platform in _PLATFORMS:
            places = platform.layout(listing)
            if places and _fits(listing, places):
                return _recognized(platform, listing, places)
    return None


def _asked(listings: Sequence[Listing], root: str, name: str) -> Recognized:
    """Apply a layout from the folder in which it fits best."""
    platform = next(each for each in _PLATFORMS if each.name == name)
    for is_asked in (False, True):
        views = (replace(listing, is_asked=is_asked) for listing in listings)
        tried = [(listing, platform.layout(listing)) for listing in views]
        listing, places = max(tried, key=lambda each: _count_recognized(*each)[0])
        if _count_recognized(listing, places)[0]:
            return _recognized(platform, listing, places)
    msg = (
        f"{root!r} does not look like an export of {platform.title}: "
        f"expected names such as {platform.example}"
    )
    raise InputError(msg)


def _fits(listing: Listing, places: Places) -> bool:
    fitting, others = _count_recognized(listing, places)
    return others == 0 < fitting or (fitting > 1 and fitting >= _SHARE * (fitting + others))


def _count_recognized(listing: Listing, places: Places) -> tuple[int, int]:
    """Count the first components that a layout recognizes as submissions, and the others."""
    judged = set(_judged(listing.entries))
    fitting = others = 0
    for top, indices in listing.tops.items() if places else ():
        known_places = [places[index] for index in indices if index in judged]
        if top in EXTRAS or all(place is not None and place.ignored for place in known_places):
            continue
        fitting += None not in known_places
        others += None in known_places
    return fitting, others


def _recognized(platform: _Platform, listing: Listing, places: Places) -> Recognized:
    each = zip(listing.entries, listing.names, places, strict=True)
    return Recognized(platform.title, tuple(_whole(platform, *one) for one in each))


def _whole(platform: _Platform, entry: Entry, name: str, place: ExportEntry | None) -> ExportEntry:
    """Complete an export entry; an unrecognized one becomes a submission of its own."""
    if place is None:
        if name in EXTRAS:
            return beside(name, M_("is metadata of the export"))
        return plain_place(name or entry.name)
    # A first component contains no slash, so no plain submission has such a key.
    return replace(
        place,
        key=f"{platform.name}/{place.key}",
        name=place.name.strip() or place.key,
        mark=place.mark or place.key,
    )
