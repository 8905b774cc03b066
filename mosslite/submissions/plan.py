"""Decides which files form which submission, before any is read."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from mosslite.archive_names import has_archive_name
from mosslite.display import counted, names_joined
from mosslite.errors import InputError
from mosslite.options import Intake
from mosslite.records import Inputs, Role
from mosslite.submissions.archives import Owners
from mosslite.submissions.corpus import entries_in, is_corpus, planned_in
from mosslite.submissions.disk import BEHIND_LINK, MISSING, OnDisk, real_path
from mosslite.submissions.entries import NO_FILES, Entry, Names
from mosslite.submissions.hints import named_like_base
from mosslite.submissions.paths import (
    did_you_mean,
    is_folder,
    named_path,
    places_among,
    places_at,
    shown_name,
)
from mosslite.submissions.platforms import keys_of, recognize
from mosslite.submissions.platforms.records import plain_place
from mosslite.submissions.sections import (
    Planned,
    Section,
    distinct,
    distinct_names,
    exports_among,
    keys_in_sections,
    merged,
    sections_among,
    sections_in,
    submissions_of,
    undated_attempts,
    whole,
)
from mosslite.submissions.walk import contents_of, entries_at, holds_archive, is_batch
from mosslite.texts import M_

# What a submission can be.
_FILE, _FOLDER, _ARCHIVE = M_("file"), M_("folder"), M_("archive")
_ALTERNATIVES: Final = (
    *(M_("archive or file"), M_("archive or folder"), M_("file or folder")),
    M_("archive or file or folder"),
)

# With more sections than this, only their number is shown.
_MOST_NAMED: Final = 3


def _of_batch(plans: Sequence[Planned], root: str, title: str) -> str:
    """Describe what counts as one submission of a batch."""
    place = root if os.path.isfile(root) else f"{root.rstrip('/')}/"
    if title:
        return M_(f"one per student in {place} ({title})")
    kinds = _kinds_of(plans)
    return M_(f"one per {kinds} in {place}")


def _kinds_of(plans: Sequence[Planned]) -> str:
    """Name the kind of the submissions in plain batches."""
    return _words(
        {
            _FILE if name == own else _ARCHIVE if has_archive_name(own) else _FOLDER
            for planned in plans
            for own, name in [(os.path.basename(planned.path), planned.entries[0][1])]
        }
    )


def _of_sections(paths: Sequence[str], titles: Sequence[str], one: str) -> str:
    """Describe one submission, as in ``one per student in a.zip and b.zip (Moodle)``."""
    if not paths:
        return M_(f"one per {one}")
    titles = sorted({title or "plain" for title in titles})
    if len(paths) > _MOST_NAMED:
        sections = counted(len(paths), "section")
        words = M_(f"one per {one} in {sections}")
    elif len(paths) > 1:
        places = names_joined(paths)
        words = M_(f"one per {one} in {places}")
    else:
        place = paths[0]
        words = M_(f"one per {one} in {place}")
    platforms = ", ".join(titles)
    return words if titles == ["plain"] else M_(f"{words} ({platforms})")


def _of_places(places: Sequence[OnDisk]) -> str:
    """Describe one submission where each place given is one, as in ``one per folder given``."""
    kinds = {_kind_of(place) for place in places if not place.obstacle}
    one = _words(kinds)
    return M_(f"one per {one} given")


def _words(kinds: set[str]) -> str:
    return " or ".join(sorted(kinds)) or _FILE


def _kind_of(place: OnDisk) -> str:
    if is_folder(place):
        return _FOLDER
    return _ARCHIVE if has_archive_name(place.path) else _FILE


# The reason for leaving out a path that was given before in the same role.
GIVEN_TWICE = M_("is given twice")

# The role of the earlier path to which a file belongs, in words.
_PART_OF: Final = {
    Role.BASE: M_("part of the base code"),
    Role.CURRENT: M_("part of this batch"),
    Role.PRIOR: M_("part of the prior submissions"),
    Role.REFERENCE: M_("part of the references"),
}
_IN_TWO_ROLES: Final = {first: M_(M_(f"is already {_PART_OF[first]}")) for first in _PART_OF}
REPEATED: Final = frozenset({GIVEN_TWICE, *_IN_TWO_ROLES.values()})
"""The reasons for leaving out what is compared under another path."""

_OPTIONS: Final = {
    Role.BASE: M_("base code"),
    Role.PRIOR: M_("prior submissions"),
    Role.REFERENCE: M_("reference"),
}


class _Plan(NamedTuple):
    """The submissions to read.

    Attributes:
        submissions: Base code first, then current, prior and reference ones.
        description: What one submission is, such as ``one per folder in submissions/``.
        remarks: What the reader must know about how students were recognized.
    """

    submissions: Sequence[Planned]
    description: str
    remarks: tuple[str, ...]


def plan(inputs: Inputs, intake: Intake, *, directories: bool) -> _Plan:
    """Plan which files make up each submission.

    Raises:
        InputError: A pattern matches nothing, a base, prior or reference path is missing, a
            batch's folder cannot be read, or a batch is not in the layout asked for.
    """
    planner = _Planner(intake)
    base = [_required(planner.one(each, Role.BASE)) for each in _existing(inputs.base, Role.BASE)]
    places = _submitted_entries(inputs.current)
    current, how = planner.current(places, directories=directories)
    if (_finds_out(intake) or intake.each) and not directories:
        planner.remarks += sections_among(current, intake)
    planner.remarks += named_like_base(current)
    others = [
        planned
        for role, given in ((Role.PRIOR, inputs.prior), (Role.REFERENCE, inputs.reference))
        for place in _existing(given, role)
        for planned in planner.batch_or_one(place, role)
    ]
    planner.remarks += undated_attempts([*current, *others])
    return _Plan([*base, *distinct([*current, *others])], how, tuple(planner.remarks))


def _required(base: Planned) -> Planned:
    """Raise an InputError for base code without a readable file."""
    is_repeated = {each.obstacle for each, _ in base.entries} == {GIVEN_TWICE}
    return replace(base, is_required=not is_repeated)


class _Planner:
    """Plans one path after another; no file is used twice."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._seen: dict[str, Role] = {}
        self._real: dict[str, str] = {}
        self.remarks: list[str] = []

    def current(self, places: Sequence[OnDisk], *, directories: bool) -> tuple[list[Planned], str]:
        if self._intake.each:
            return self._each(places)
        if len(places) == 1 and is_batch(places[0]):
            return self.batch(places[0], Role.CURRENT)
        if directories:
            return list(self._grouped(places)), M_("one per folder of the files given")
        given = [(place, self._entries(place, Role.CURRENT)) for place in places]
        files = [place.path for place in places if not is_batch(place)]
        if exports := exports_among(self._sections(given), files, self._intake):
            plans, how = self._merged(exports, [], Role.CURRENT)
            paths = {section.path for section in exports}
            beside = [each for each in given if named_path(each[0].path) not in paths]
            return [*plans, *(self._one(*each, Role.CURRENT) for each in beside)], how
        if self._intake.name_pattern or self._intake.layout not in {"auto", "plain"}:
            return self._in_layout(given)
        return [self._one(*each, Role.CURRENT) for each in given], _of_places(places)

    def _packed(self, place: OnDisk, role: Role) -> tuple[list[Planned], str]:
        """Return the submissions of a packed corpus as they were packed."""
        shown = shown_name(place.path)
        plans = planned_in(place.path, role)
        if self._is_seen(place, role):
            given_twice = Entry(shown, shown, obstacle=GIVEN_TWICE)
            plans = [Planned(shown, role, shown, ((given_twice, shown),))]
        return plans, M_(f"one per submission packed in {shown.rstrip('/')}/")

    def _is_seen(self, place: OnDisk, role: Role) -> bool:
        """Return whether a corpus was given before in the same role, and record it."""
        key = f"{role.value} {real_path(place.path)}"
        is_seen = key in self._seen
        self._seen[key] = role
        return is_seen

    def batch_or_one(self, place: OnDisk, role: Role) -> list[Planned]:
        return self.batch(place, role)[0] if is_batch(place) else [self.one(place, role)]

    def batch(self, place: OnDisk, role: Role) -> tuple[list[Planned], str]:
        """Return the submissions in a folder or archive, and a description of one."""
        if is_corpus(place.path):
            return self._packed(place, role)
        path, is_archive = place.path, not is_folder(place)
        root = shown_name(path)
        named = named_path(path)  # some layouts are recognized by the name of the folder
        closed = self._entries(place, role, of_batch=True)
        entries = self._in_batch(closed, named, is_archive=is_archive)
        found = recognize(entries, named, self._intake, is_archive=is_archive)
        if not found.title:
            inside = entries if is_archive else closed
            sections, others = sections_in(inside, root, is_archive=is_archive)
            files = [entry.name for entry in others if not entry.is_ignored]
            if exports := exports_among(sections, files, self._intake):
                plans, how = self._merged(exports, others, role)
                paths = {section.path for section in exports}
                beside = [each for each in sections if each.path not in paths]
                return [*plans, *(whole(each, role, self._intake) for each in beside)], how
        self.remarks += [found.remark] * bool(found.remark)
        placed = list(zip(entries, found.places, strict=True))
        plans = submissions_of(placed, role, root, self._intake)
        return plans, _of_batch(plans, root, found.title)

    def one(self, place: OnDisk, role: Role) -> Planned:
        """Return the submission at a place, such as base code, which can be a packed corpus."""
        is_packed = is_corpus(place.path)
        entries = entries_in(place.path) if is_packed else self._entries(place, role)
        return self._one(place, entries, role)

    def _one(self, place: OnDisk, closed: Sequence[Entry], role: Role) -> Planned:
        """Return everything at a place as one submission."""
        name = shown_name(place.path)
        entries = tuple((entry, entry.name) for entry in self._opened(closed))
        return Planned(name.rstrip("/") or name, role, name, entries)

    def _each(self, places: Sequence[OnDisk]) -> tuple[list[Planned], str]:
        """Return a submission for each folder and archive given, or for each in the only one."""
        is_only = len(places) == 1
        given = [(each, self._entries(each, Role.CURRENT, of_batch=is_only)) for each in places]
        if is_only and is_batch(places[0]):
            root, is_archive = shown_name(places[0].path), not is_folder(places[0])
            inside = given[0][1]
            if is_archive:
                inside = self._in_batch(inside, root, is_archive=True)
            sections, others = sections_in(inside, root, is_archive=is_archive)
        else:
            sections, others = self._sections(given), []
        opened = [section.opened(self._intake) for section in sections]
        plans, how = self._merged(opened, others, Role.CURRENT)
        files = [each for each in given if not is_batch(each[0])]
        plans += [self._one(*each, Role.CURRENT) for each in files]
        return plans, how if sections else _of_places(places)

    def _merged(
        self, sections: Sequence[Section], others: Sequence[Entry], role: Role
    ) -> tuple[list[Planned], str]:
        """Return the submissions of opened sections, and of the files outside of them."""
        plans, titles, remarks = merged(sections, role, self._intake)
        self.remarks += remarks
        places = [section.path for section in sections]
        how = _of_sections(places, titles, "student" if all(titles) else _kinds_of(plans))
        beside = [(entry, plain_place(entry.name)) for entry in others]
        root = others[0].path.rstrip("/").rpartition("/")[0] if others else ""
        return [*plans, *submissions_of(beside, role, root, self._intake)], how

    def _sections(self, given: Iterable[tuple[OnDisk, Sequence[Entry]]]) -> list[Section]:
        """Return the folders and archives among places as unopened sections."""
        batches = [each for each in given if is_batch(each[0])]
        batches.sort(key=lambda each: each[0].path)
        paths = [named_path(place.path) for place, _ in batches]
        return [
            Section(
                name=name,
                path=path,
                entries=tuple(replace(entry, is_given=False) for entry in entries),
                is_archive=not is_folder(place),
            )
            for name, path, (place, entries) in zip(
                distinct_names(paths), paths, batches, strict=True
            )
        ]

    def _entries(self, place: OnDisk, role: Role, *, of_batch: bool = False) -> list[Entry]:
        """Return the entries at a place, named relative to it; archives are not opened yet."""
        found = entries_at(place, self._intake, of_batch=of_batch)
        return [self._once(entry, role) for entry in found]

    def _opened(self, closed: Sequence[Entry], owners: Owners | None = None) -> list[Entry]:
        """Replace archives by their content; names inside a single archive are relative to it.

        ``owners`` maps names to students unless everything is one submission.
        """
        is_archive = any(entry.is_given and holds_archive(entry) for entry in closed)
        return contents_of(closed, self._intake, is_archive=is_archive, owners=owners)

    def _in_batch(self, closed: Sequence[Entry], root: str, *, is_archive: bool) -> list[Entry]:
        """Return everything in a folder or archive; none of it counts as named by the user."""
        owners = partial(keys_in_sections, root=root, intake=self._intake, is_archive=is_archive)
        found = self._opened(closed, owners)
        return [replace(each, is_given=False) if each.is_given else each for each in found]

    def _once(self, entry: Entry, role: Role) -> Entry:
        """Mark files that an earlier path contained already, however their path is spelled."""
        if entry.obstacle or not isinstance(entry.content, OnDisk):
            return entry
        identity = self._identity(entry.content.path, is_given=entry.is_given)
        if identity not in self._seen:
            self._seen[identity] = role
            return entry
        first = self._seen[identity]
        reason = GIVEN_TWICE if first is role else _IN_TWO_ROLES[first]
        return replace(entry, obstacle=reason)

    def _identity(self, path: str, *, is_given: bool) -> str:
        """Return the real path of a file; one that was found in a folder is not a link."""
        if is_given:
            return real_path(path)
        folder, name = os.path.split(path)
        if folder not in self._real:
            self._real[folder] = real_path(folder)
        return os.path.join(self._real[folder], name)

    def _grouped(self, places: Sequence[OnDisk]) -> Iterator[Planned]:
        """Return a submission for each folder of the files (``-d``), however it is spelled."""
        groups = defaultdict(list)
        for place in places:
            folder = _folder_of(place)
            is_real = place.obstacle != BEHIND_LINK  # else the target of the link would be named
            groups[real_path(folder) if is_real else folder].append(place)
        for members in groups.values():
            folder = shown_name(min(map(_folder_of, members), key=_plainness))
            entries = [
                (entry, entry.name if is_batch(place) else os.path.basename(entry.name))
                for place in members
                for entry in self._opened(self._entries(place, Role.CURRENT))
            ]
            entries.sort(key=lambda each: each[1])
            named = _distinct_files(entries)
            yield Planned(folder.rstrip("/") or folder, Role.CURRENT, folder, named)

    def _in_layout(
        self, given: Sequence[tuple[OnDisk, Sequence[Entry]]]
    ) -> tuple[list[Planned], str]:
        """Return the submissions of paths taken as one folder, in the layout given by the user."""
        paths = [place.path for place, _ in given]
        common = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in paths])
        root = shown_name(common)
        entries = []
        for place, closed in given:
            shown = shown_name(place.path)
            name = shown_name(os.path.relpath(place.path, common))
            empty = [Entry(shown, shown, obstacle=NO_FILES)]
            for entry in self._opened(closed, self._owners_below(name, root)) or empty:
                is_file = entry.name == shown
                entries.append(replace(entry, name=name if is_file else f"{name}/{entry.name}"))
        found = recognize(entries, root, self._intake, is_archive=False)
        placed = list(zip(entries, found.places, strict=True))
        plans = submissions_of(placed, Role.CURRENT, root, self._intake)
        return plans, M_(f"one per student given ({found.title})")

    def _owners_below(self, path: str, root: str) -> Owners:
        """Return a function that maps names below a path to owners."""
        return lambda names: keys_of(
            [f"{path}/{name}" for name in names], root=root, intake=self._intake
        )


def _finds_out(intake: Intake) -> bool:
    """Return whether the layout is to be recognized."""
    return intake.layout == "auto" and intake.name_pattern is None and not intake.each


def _distinct_files(entries: Sequence[tuple[Entry, str]]) -> tuple[tuple[Entry, str], ...]:
    """Return files with distinct names; files that are not read reserve no name."""
    names = Names()
    return tuple(
        (entry, name if entry.obstacle else names.distinct(name)) for entry, name in entries
    )


def _folder_of(place: OnDisk) -> str:
    return place.path if is_batch(place) else os.path.dirname(place.path) or "."


def _submitted_entries(arguments: Sequence[str]) -> list[OnDisk]:
    """Find the paths to compare; a link as the only path is the user's own and is followed."""
    if len(arguments) == 1:
        found = places_at(arguments[0])
        if len(found) == 1 and is_batch(found[0]):
            return found
    found = _plainest_first(places_among(arguments))
    missing = [place.path for place in found if place.obstacle == MISSING]
    if missing and len(missing) == len(found):
        raise InputError(_none_exists(missing))
    return found


def _none_exists(paths: Sequence[str]) -> str:
    first, *others = paths
    if others:
        return M_(f"{first!r} and {counted(len(others), 'other path')} do not exist")
    guess = did_you_mean(first)
    return M_(f"{first!r} does not exist{guess}")


def _existing(arguments: Sequence[str], role: Role) -> list[OnDisk]:
    places = _plainest_first(each for argument in arguments for each in places_at(argument))
    for each in places:
        if each.obstacle == MISSING:
            what, guess = _OPTIONS[role], did_you_mean(each.path)
            msg = f"{what} {each.path!r} does not exist{guess}"
            raise InputError(msg)
    return places


def _plainest_first(places: Iterable[OnDisk]) -> list[OnDisk]:
    """Sort places so that of two paths to the same file the simplest comes first."""
    return sorted(places, key=lambda each: _plainness(each.path))


def _plainness(path: str) -> tuple[int, str]:
    return len(path), path
