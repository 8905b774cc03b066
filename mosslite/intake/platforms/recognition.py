"""Recognizes the layout of a batch, or applies the one asked for."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Final

from mosslite.errors import InputError
from mosslite.intake.entries import Entry
from mosslite.intake.platforms.exports import (
    EXTRAS,
    ExportEntry,
    PlaceOf,
    View,
    ascending,
    beside,
    iso,
    parted,
    plain_place,
    view_of,
)
from mosslite.intake.platforms.layouts import DOLOS_TABLE, PLATFORMS, dolos
from mosslite.messages import M_
from mosslite.options import Intake
from mosslite.reasons import Reason
from mosslite.signatures import has_archive_name, without_suffix


@dataclass(frozen=True, slots=True)
class Grouping:
    """The students who handed in the files of a batch, and how they were recognized.

    Attributes:
        title: The platform whose export the batch is; empty if it is plain or has sections.
        place: Returns the student of any path in the batch, also of one in an archive that was
            opened since.
        remarks: What the reader must know about the recognition.
        sections: Titles of the sections in it, by their paths for display.
        exports: Names of the sections: archives among them contain many submissions.
    """

    title: str
    place: Callable[[str], ExportEntry]
    remarks: tuple[str, ...] = ()
    sections: Mapping[str, str] = field(default_factory=dict)
    exports: frozenset[str] = frozenset()

    def key(self, name: str) -> str:
        """Return a string that is equal for all files of one student or team."""
        return self.place(name).key


# Share of a batch that must fit a layout: an instructor may have added a file.
_SHARE: Final = 0.8
# Levels of folders around the submissions: that of an export in an archive in the folder given.
_DEEPEST: Final = 3
# Attempts are ordered as text, so numbers are padded to this many digits.
_DIGITS: Final = 12


def recognize(
    entries: Sequence[Entry], root: str, intake: Intake, *, is_archive: bool = False
) -> Grouping:
    """Return the students of one folder or archive, by the names of its entries relative to it.

    Archives in it need not be opened. ``root`` is its own name. A single folder with all of a plain
    batch is that of an archive, not a student's.

    Raises:
        InputError: The layout or name pattern asked for fits no entry.
    """
    if intake.name_pattern is not None:
        return _named(entries, root, intake.name_pattern)
    views = list(_views(entries, root))
    plain = Grouping("", _place_in(views[1] if is_archive and views[1:] else views[0]))
    if intake.layout == "plain" or not entries:
        return plain
    views = [replace(view, is_outermost=depth <= is_archive) for depth, view in enumerate(views)]
    if intake.layout != "auto":
        return _asked(views, root, intake.layout)
    # A batch has several parts, so the innermost folder counts.
    for view in reversed(views):
        for platform in PLATFORMS:
            place_of = platform.layout(view)
            fitting, others = _count_recognized(view, place_of)
            is_most = fitting > 1 and fitting >= _SHARE * (fitting + others)
            if is_most or others == 0 < fitting:
                return Grouping(platform.title, _place_in(view, platform.name, place_of))
    return replace(plain, remarks=tuple(_remarks(views)))


def _remarks(views: Sequence[View]) -> Iterator[str]:
    """Name the outermost metadata file that is not trusted."""
    for view in views:
        if view.has_file(DOLOS_TABLE) and dolos(replace(view, is_asked=True)):
            yield M_(
                "not used, as a student could have submitted it (--layout dolos uses it): "
                "%(names)s",
                [view.entries[DOLOS_TABLE].path],
            )
            return


def _asked(views: Sequence[View], root: str, name: str) -> Grouping:
    """Apply a layout from the folder in which it fits best."""
    platform = next(each for each in PLATFORMS if each.name == name)
    for is_asked in (False, True):
        asked = [replace(view, is_asked=is_asked) for view in views]
        tried = [(view, platform.layout(view)) for view in asked]
        view, place_of = max(tried, key=lambda each: _count_recognized(*each)[0])
        if _count_recognized(view, place_of)[0]:
            return Grouping(platform.title, _place_in(view, name, place_of))
    raise InputError(
        "%(root)r does not look like an export of %(title)s: expected names such as %(example)s",
        root,
        platform.title,
        platform.example,
    )


def _views(entries: Sequence[Entry], root: str) -> Iterator[View]:
    """Yield the views of a batch from its root and from folders that contain all of it."""
    folder, prefix = PurePosixPath(root).name, ""
    inside = [(entry.name.strip("/"), entry) for entry in entries]
    for _ in range(_DEEPEST + 1):
        view = view_of(inside, without_suffix(folder), prefix)
        yield view
        paths = list(map(parted, view.wanted))
        tops = {top for top, _ in paths}
        if len(tops) != 1 or not all(rest for _, rest in paths):
            return
        folder = tops.pop()
        prefix += f"{folder}/"
        below = f"{folder}/"
        inside = [(name[len(below) :], e) for name, e in inside if name.startswith(below)]


def _count_recognized(view: View, place_of: PlaceOf | None) -> tuple[int, int]:
    """Count the first components that a layout recognizes as submissions, and the others.

    Entries that can be read count, if there are any.
    """
    if place_of is None:
        return 0, 0
    of_top: dict[str, list[ExportEntry | None]] = {}
    judged = [name for name in view.wanted if not view.entries[name].obstacle] or view.wanted
    for name in judged:
        of_top.setdefault(parted(name)[0], []).append(place_of(name))
    counts = Counter(
        None not in places
        for top, places in of_top.items()
        if top not in EXTRAS and not all(place is not None and place.ignored for place in places)
    )
    return counts[True], counts[False]


def _place_in(
    view: View, layout: str = "", place_of: PlaceOf | None = None
) -> Callable[[str], ExportEntry]:
    """Return the function that places any entry; an unrecognized one is a submission of its own."""

    def place(name: str) -> ExportEntry:
        path = name.strip("/")
        if not path.startswith(view.prefix):
            return plain_place(name)
        own = path[len(view.prefix) :]
        found = None if place_of is None else place_of(own)
        if found is None:
            is_extra = place_of is not None and own in EXTRAS
            return beside(own, Reason.METADATA) if is_extra else plain_place(own)
        # A first component contains no slash, so no plain submission has such a key.
        return replace(
            found,
            key=f"{layout}/{found.key}",
            name=found.name.strip() or found.key,
            mark=found.mark or found.key,
        )

    return place


def _named(entries: Sequence[Entry], root: str, pattern: str) -> Grouping:
    """Place entries whose names start with a match of the pattern; the others are plain.

    Raises:
        InputError: It matches none of them.
    """
    expression = re.compile(pattern)
    # Paths in an archive that is not opened yet begin with its name and a slash.
    ends = ("", "/") if any(has_archive_name(entry.name) for entry in entries) else ("",)
    found = [_match_place(entry.name + end, expression) for entry in entries for end in ends]
    if entries and not any(found):
        names = [entry.name for entry in entries if not entry.is_ignored] or [entries[0].name]
        raise InputError(
            "name pattern %(pattern)r does not match any name in %(root)r, such as %(names)r",
            pattern,
            root,
            names[0],
        )
    files = Counter((each.key, each.attempt, each.file) for each in found if each)

    def place(name: str) -> ExportEntry:
        match = _match_place(name, expression)
        if match is None:
            return plain_place(name)
        # A student's files of equal name, such as those of two groups, are in folders by label.
        is_repeated = files[match.key, match.attempt, match.file] > 1
        file = f"{match.label}/{match.file}" if match.label and is_repeated else match.file
        return replace(match, file=file)

    return Grouping("name pattern", place)


def _match_place(name: str, expression: re.Pattern[str]) -> ExportEntry | None:
    match = expression.match(name)
    groups = {} if match is None else {k: v.strip() for k, v in match.groupdict("").items()}
    if match is None or not groups["name"].strip("/"):
        return None
    submitted = iso(groups.get("time", ""))
    attempt = groups.get("attempt", "")
    following = name[match.end() :].strip("/") or name.strip("/").rpartition("/")[2]
    return ExportEntry(
        # A first component contains no slash, so no plain submission has such a key.
        key=f"named/{(groups['name'], groups.get('id', ''))}",
        name=groups["name"],
        mark=groups.get("id", ""),
        file=groups.get("file", "").strip("/") or following,
        attempt=(attempt.zfill(_DIGITS) if attempt.isdecimal() else attempt)
        or ascending(submitted),
        submitted=submitted,
        label=groups.get("label", ""),
        ids=(groups["id"],) if groups.get("id") else (),
    )
