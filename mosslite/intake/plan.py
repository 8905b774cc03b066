"""Decides which files make up which submission, before any is read."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from mosslite.errors import InputError
from mosslite.intake.archives import has_archive_name
from mosslite.intake.attempts import Planned, distinct, submissions_of
from mosslite.intake.disk import BEHIND_LINK, MISSING, OnDisk
from mosslite.intake.empties import NO_FILES
from mosslite.intake.entries import Entry
from mosslite.intake.equal_names import Names
from mosslite.intake.layouts import keys_of, recognize
from mosslite.intake.places import is_folder, places_among, places_at, shown_name
from mosslite.intake.unpacking import unpacked, unpacked_batch
from mosslite.intake.walk import entries_at, holds_archive, is_batch
from mosslite.model import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mosslite.intake.archives import Owners
    from mosslite.model import Inputs
    from mosslite.options import Intake

__all__ = ["GIVEN_TWICE", "Plan", "plan"]

# The reason why a path is left out that has been given already, in the same role.
GIVEN_TWICE = "is given twice"


class Plan(NamedTuple):
    """What is to be read.

    Attributes:
        submissions: Base code first, then current, prior and reference ones.
        description: What one submission is, such as ``one per folder in submissions/``.
        remarks: What a reader must know of how whose work each file is was found out.
    """

    submissions: Sequence[Planned]
    description: str
    remarks: tuple[str, ...]


def plan(inputs: Inputs, intake: Intake, *, directories: bool) -> Plan:
    """Lay out all submissions.

    Raises:
        InputError: A pattern matches nothing, a base, prior or reference path is missing, a
            batch's folder cannot be read, or a batch is not in the layout asked for.
    """
    planner = _Planner(intake)
    base = [_required(planner.one(each, Role.BASE)) for each in _existing(inputs.base, Role.BASE)]
    current, how = planner.current(_handed_in(inputs.current), directories=directories)
    others = [
        planned
        for role, given in ((Role.PRIOR, inputs.prior), (Role.REFERENCE, inputs.reference))
        for place in _existing(given, role)
        for planned in planner.batch_or_one(place, role)
    ]
    return Plan([*base, *distinct([*current, *others])], how, tuple(planner.remarks))


def _required(base: Planned) -> Planned:
    """Require something of base code to be read, unless all of it has been given already."""
    is_repeated = {each.obstacle for each, _ in base.entries} == {GIVEN_TWICE}
    return replace(base, is_required=not is_repeated)


class _Planner:
    """Lays out one path after the other, and takes no file twice."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._seen: dict[str, Role] = {}
        self._real: dict[str, str] = {}
        self.remarks: list[str] = []

    def current(self, places: Sequence[OnDisk], *, directories: bool) -> tuple[list[Planned], str]:
        if len(places) == 1 and is_batch(places[0]):
            plans, title = self.batch(places[0], Role.CURRENT)
            return plans, _how(plans, shown_name(places[0].path), title)
        if directories:
            return list(self._grouped(places)), "one per folder of the files given"
        if self._intake.name_pattern or self._intake.layout not in {"auto", "plain"}:
            return self._laid_out(places)
        plans = [self.one(place, Role.CURRENT) for place in places]
        kinds = {_kind_of(place) for place in places if not place.obstacle}
        return plans, f"one per {_words(kinds)} given"

    def batch_or_one(self, place: OnDisk, role: Role) -> list[Planned]:
        return self.batch(place, role)[0] if is_batch(place) else [self.one(place, role)]

    def batch(self, place: OnDisk, role: Role) -> tuple[list[Planned], str]:
        """Give the submissions in a folder or an archive, and the platform it comes from."""
        path, is_archive = place.path, not is_folder(place)
        root = shown_name(path)
        # Some layouts are told by the folder's own name.
        named = root if os.path.basename(path.rstrip("/.")) else shown_name(os.path.realpath(path))
        owners = partial(keys_of, root=named, intake=self._intake, is_archive=is_archive)
        entries = [
            replace(entry, is_given=False) if entry.is_given else entry
            for entry in self._entries(place, role, owners)
        ]
        found = recognize(entries, named, self._intake, is_archive=is_archive)
        self.remarks += [found.remark] * bool(found.remark)
        placed = list(zip(entries, found.places, strict=True))
        return submissions_of(placed, role, root, self._intake), found.title

    def one(self, place: OnDisk, role: Role) -> Planned:
        name = shown_name(place.path)
        entries = tuple((entry, entry.name) for entry in self._entries(place, role))
        return Planned(name.rstrip("/") or name, role, name, entries)

    def _entries(self, place: OnDisk, role: Role, owners: Owners | None = None) -> list[Entry]:
        """Return what is at a place, with names from there on, and archives unpacked.

        ``owners`` tells whose each name is where not all is one submission.
        """
        entries = [self._once(entry, role) for entry in entries_at(place, self._intake)]
        is_inside = not is_folder(place) and holds_archive(entries[0])
        inside = len(entries[0].name) + 1 if is_inside else 0
        if owners is None:
            found = unpacked(entries, self._intake)
        else:
            found = unpacked_batch(
                entries, lambda names: owners([name[inside:] for name in names]), self._intake
            )
        if not is_inside:
            return found
        own_name = os.path.basename(entries[0].name)
        return [_inside(each, each.name[inside:] or own_name) for each in found]

    def _once(self, entry: Entry, role: Role) -> Entry:
        """Refuse a file that an earlier path brought already, however it is spelled."""
        if entry.obstacle or not isinstance(entry.content, OnDisk):
            return entry
        identity = self._identity(entry.content.path, is_given=entry.is_given)
        if identity not in self._seen:
            self._seen[identity] = role
            return entry
        first = self._seen[identity]
        reason = GIVEN_TWICE if first is role else f"is {first.value} code already"
        return replace(entry, obstacle=reason)

    def _identity(self, path: str, *, is_given: bool) -> str:
        """Give where a file really is; one that was found in a folder is no link."""
        if is_given:
            return os.path.realpath(path)
        folder, name = os.path.split(path)
        if folder not in self._real:
            self._real[folder] = os.path.realpath(folder)
        return os.path.join(self._real[folder], name)

    def _grouped(self, places: Sequence[OnDisk]) -> Iterator[Planned]:
        """Make one submission of the files of each folder (``-d``), however it is spelled."""
        groups = defaultdict(list)
        for place in places:
            folder = _folder_of(place)
            is_real = place.obstacle != BEHIND_LINK  # else it would name what the link leads to
            groups[os.path.realpath(folder) if is_real else folder].append(place)
        for members in groups.values():
            folder = shown_name(min(map(_folder_of, members), key=_plainness))
            entries = [
                (entry, entry.name if is_batch(place) else os.path.basename(entry.name))
                for place in members
                for entry in self._entries(place, Role.CURRENT)
            ]
            entries.sort(key=lambda each: each[1])
            named = _distinct_files(entries)
            yield Planned(folder.rstrip("/") or folder, Role.CURRENT, folder, named)

    def _laid_out(self, places: Sequence[OnDisk]) -> tuple[list[Planned], str]:
        """Read paths as all that is in a folder, in the layout that the user says."""
        paths = [place.path for place in places]
        common = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in paths])
        root = shown_name(common)
        entries = []
        for place in places:
            shown = shown_name(place.path)
            name = shown_name(os.path.relpath(place.path, common))
            empty = [Entry(shown, shown, obstacle=NO_FILES)]
            owners = self._owners_below(name, root)
            for entry in self._entries(place, Role.CURRENT, owners) or empty:
                is_file = entry.name == shown
                entries.append(replace(entry, name=name if is_file else f"{name}/{entry.name}"))
        found = recognize(entries, root, self._intake, is_archive=False)
        placed = list(zip(entries, found.places, strict=True))
        plans = submissions_of(placed, Role.CURRENT, root, self._intake)
        return plans, f"one per student given ({found.title})"

    def _owners_below(self, path: str, root: str) -> Owners:
        """Return what tells whose each file below a path is."""
        return lambda names: keys_of(
            [f"{path}/{name}" for name in names], root=root, intake=self._intake
        )


def _distinct_files(entries: Sequence[tuple[Entry, str]]) -> tuple[tuple[Entry, str], ...]:
    """Tell apart what is read; what is not takes no name from it."""
    names = Names()
    return tuple(
        (entry, name if entry.obstacle else names.distinct(name)) for entry, name in entries
    )


def _inside(entry: Entry, name: str) -> Entry:
    """Name an entry from the archive on; an empty folder at the top can be a submission."""
    is_top = entry.obstacle == NO_FILES and "/" not in name
    return replace(entry, name=name, is_given=False, is_ignored=entry.is_ignored and not is_top)


def _how(plans: Sequence[Planned], root: str, title: str) -> str:
    """Say what one submission of a batch is."""
    place = root if os.path.isfile(root) else f"{root.rstrip('/')}/"
    if title:
        return f"one per student in {place} ({title})"
    kinds = {
        "file"
        if name == planned.name
        else "archive"
        if has_archive_name(planned.name)
        else "folder"
        for planned in plans
        for name in [planned.entries[0][1]]
    }
    return f"one per {_words(kinds)} in {place}"


def _words(kinds: set[str]) -> str:
    return " or ".join(sorted(kinds)) or "file"


def _kind_of(place: OnDisk) -> str:
    if is_folder(place):
        return "folder"
    return "archive" if has_archive_name(place.path) else "file"


def _folder_of(place: OnDisk) -> str:
    return place.path if is_batch(place) else os.path.dirname(place.path) or "."


def _handed_in(arguments: Sequence[str]) -> list[OnDisk]:
    """Find what is to be compared; a link to it all is the user's own."""
    if len(arguments) == 1:
        found = places_at(arguments[0])
        if len(found) == 1 and is_batch(found[0]):
            return found
    return _plainest_first(places_among(arguments))


def _existing(arguments: Sequence[str], role: Role) -> list[OnDisk]:
    places = _plainest_first(each for argument in arguments for each in places_at(argument))
    for each in places:
        if each.obstacle == MISSING:
            msg = f"{role.value} code {each.path!r} does not exist"
            raise InputError(msg)
    return places


def _plainest_first(places: Iterable[OnDisk]) -> list[OnDisk]:
    """Put, of two ways to the same file, the plainest first, whatever their order was."""
    return sorted(places, key=lambda each: _plainness(each.path))


def _plainness(path: str) -> tuple[int, str]:
    return len(path), path
