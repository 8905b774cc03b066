"""Decides which files make up which submission, before any is read."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from mosslite.errors import InputError
from mosslite.intake.attempts import Planned, distinct, submissions_of
from mosslite.intake.descriptions import kinds_of, of_batch, of_paths, of_sections
from mosslite.intake.empties import NO_FILES
from mosslite.intake.entries import Entry
from mosslite.intake.equal_names import Names
from mosslite.intake.layouts import recognize
from mosslite.intake.layouts.records import plain_place
from mosslite.intake.places import expand, is_folder, shown_name
from mosslite.intake.sections import (
    Section,
    are_exports,
    distinct_names,
    merged,
    require_no_sections,
    sections_in,
)
from mosslite.intake.walk import entries_at, given_file, holds_archive, unpacked
from mosslite.model import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.model import Inputs
    from mosslite.options import Intake

__all__ = ["plan"]


def plan(inputs: Inputs, intake: Intake, *, directories: bool) -> tuple[list[Planned], str]:
    """Lay out all submissions: base code first, then current, prior and reference ones.

    Returns:
        The submissions, and what one submission is, such as ``one per folder in submissions/``.

    Raises:
        InputError: A pattern matches nothing, a base, prior or reference path is missing, a
            batch's folder cannot be read, or a batch is not in the layout asked for.
    """
    planner = _Planner(intake)
    base = [
        replace(planner.one(path, Role.BASE), is_required=True)
        for path in _existing(inputs.base, Role.BASE)
    ]
    paths = _expanded(inputs.current)
    current, how = planner.current(paths, directories=directories)
    if _finds_out(intake) and not directories:
        require_no_sections(current, paths, intake)
    others = [
        planned
        for role, given in ((Role.PRIOR, inputs.prior), (Role.REFERENCE, inputs.reference))
        for path in _existing(given, role)
        for planned in planner.batch_or_one(path, role)
    ]
    return [*base, *distinct([*current, *others])], how


class _Planner:
    """Lays out one path after the other, and takes no file twice."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._seen: dict[str, Role] = {}
        self._real: dict[str, str] = {}

    def current(self, paths: Sequence[str], *, directories: bool) -> tuple[list[Planned], str]:
        if self._intake.each:
            return self._each(paths)
        if len(paths) == 1 and _is_batch(paths[0]):
            return self.batch(paths[0], Role.CURRENT)
        if directories:
            return list(self._grouped(paths)), "one per folder of the files given"
        entries = [self._entries(path, Role.CURRENT) for path in paths]
        sections = self._sections(paths, entries)
        if len(sections) == len(paths) and self._are_exports(sections):
            return self._merged(sections, [], Role.CURRENT)
        if self._intake.name_pattern or self._intake.layout not in {"auto", "plain"}:
            return self._laid_out(paths, entries)
        plans = [
            _one(path, of_path, Role.CURRENT) for path, of_path in zip(paths, entries, strict=True)
        ]
        return plans, of_paths(paths)

    def batch_or_one(self, path: str, role: Role) -> list[Planned]:
        return self.batch(path, role)[0] if _is_batch(path) else [self.one(path, role)]

    def batch(self, path: str, role: Role) -> tuple[list[Planned], str]:
        """Give the submissions in a folder or an archive, and what one of them is."""
        entries, root = self._found(path, role), shown_name(path)
        # Some layouts are told by the folder's own name.
        named = root if os.path.basename(path.rstrip("/.")) else shown_name(os.path.realpath(path))
        is_archive = not is_folder(path)
        found = recognize(entries, named, self._intake, is_archive=is_archive)
        if not found.title:
            sections, others = sections_in(entries, root, is_archive=is_archive)
            if self._are_exports(sections):
                return self._merged(sections, others, role)
        placed = list(zip(entries, found.places, strict=True))
        plans = submissions_of(placed, role, root, self._intake)
        return plans, of_batch(plans, root, found.title)

    def one(self, path: str, role: Role) -> Planned:
        return _one(path, self._entries(path, role), role)

    def _each(self, paths: Sequence[str]) -> tuple[list[Planned], str]:
        """Take each folder and archive given for a batch, or each in the only one."""
        if len(paths) == 1 and _is_batch(paths[0]):
            entries, root = self._found(paths[0], Role.CURRENT), shown_name(paths[0])
            sections, others = sections_in(entries, root, is_archive=not is_folder(paths[0]))
            return self._merged(sections, others, Role.CURRENT)
        found = [self._entries(path, Role.CURRENT) for path in paths]
        sections = self._sections(paths, found)
        plans, how = self._merged(sections, [], Role.CURRENT)
        given = zip(paths, found, strict=True)
        plans += [_one(path, of, Role.CURRENT) for path, of in given if not _is_batch(path)]
        return plans, how

    def _merged(
        self, sections: Sequence[Section], others: Sequence[Entry], role: Role
    ) -> tuple[list[Planned], str]:
        """Give the submissions of sections, and of what lies beside them."""
        plans, titles = merged(sections, role, self._intake)
        places = [section.path for section in sections]
        how = of_sections(places, titles, "student" if all(titles) else kinds_of(plans))
        beside = [(entry, plain_place(entry.name)) for entry in others]
        return [*plans, *submissions_of(beside, role, "", self._intake)], how

    def _sections(self, paths: Sequence[str], found: Sequence[Sequence[Entry]]) -> list[Section]:
        """Give the folders and archives among paths as sections."""
        given = [each for each in zip(paths, found, strict=True) if _is_batch(each[0])]
        given.sort(key=lambda each: each[0])
        names = distinct_names([shown_name(path) for path, _ in given])
        return [
            Section(
                name=name,
                path=shown_name(path),
                entries=tuple(replace(entry, is_given=False) for entry in entries),
                is_archive=not is_folder(path),
            )
            for name, (path, entries) in zip(names, given, strict=True)
        ]

    def _are_exports(self, sections: Sequence[Section]) -> bool:
        is_open = self._intake.layout != "plain" and self._intake.name_pattern is None
        return is_open and are_exports(sections, self._intake)

    def _found(self, path: str, role: Role) -> list[Entry]:
        """Give what is in a folder or an archive: none of it is a file that the user named."""
        return [
            replace(entry, is_given=False) if entry.is_given else entry
            for entry in self._entries(path, role)
        ]

    def _entries(self, path: str, role: Role) -> list[Entry]:
        """Give what is at a path, with names from there on, and archives unpacked."""
        entries = [self._once(entry, role) for entry in entries_at(path, self._intake)]
        if is_folder(path) or not holds_archive(entries[0]):
            return unpacked(entries, self._intake)
        (archive,) = entries
        inside = len(archive.name) + 1
        return [
            _inside(each, each.name[inside:] or os.path.basename(archive.name))
            for each in unpacked(entries, self._intake)
        ]

    def _once(self, entry: Entry, role: Role) -> Entry:
        """Refuse a file that an earlier path brought already, however it is spelled."""
        if entry.obstacle or not isinstance(entry.content, str):
            return entry
        identity = self._identity(entry.content, is_given=entry.is_given)
        if identity not in self._seen:
            self._seen[identity] = role
            return entry
        first = self._seen[identity]
        reason = "is given twice" if first is role else f"is {first.value} code already"
        return replace(entry, obstacle=reason)

    def _identity(self, path: str, *, is_given: bool) -> str:
        """Give where a file really is; one that was found in a folder is no link."""
        if is_given:
            return os.path.realpath(path)
        folder, name = os.path.split(path)
        if folder not in self._real:
            self._real[folder] = os.path.realpath(folder)
        return os.path.join(self._real[folder], name)

    def _grouped(self, paths: Sequence[str]) -> Iterator[Planned]:
        """Make one submission of the files of each folder (``-d``), however it is spelled."""
        groups = defaultdict(list)
        for path in paths:
            groups[os.path.realpath(_folder_of(path))].append(path)
        for members in groups.values():
            folder = shown_name(min(map(_folder_of, members), key=_plainness))
            entries = [
                (entry, entry.name if _is_batch(path) else os.path.basename(entry.name))
                for path in members
                for entry in self._entries(path, Role.CURRENT)
            ]
            entries.sort(key=lambda each: each[1])
            named = _distinct_files(entries)
            yield Planned(folder.rstrip("/") or folder, Role.CURRENT, folder, named)

    def _laid_out(
        self, paths: Sequence[str], found: Sequence[Sequence[Entry]]
    ) -> tuple[list[Planned], str]:
        """Read paths as all that is in a folder, in the layout that the user says."""
        common = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in paths])
        entries = []
        for path, of_path in zip(paths, found, strict=True):
            name = shown_name(os.path.relpath(path, common))
            empty = [Entry(shown_name(path), shown_name(path), obstacle=NO_FILES)]
            for entry in of_path or empty:
                is_file = entry.name == shown_name(path)
                entries.append(replace(entry, name=name if is_file else f"{name}/{entry.name}"))
        root = shown_name(common)
        layout = recognize(entries, root, self._intake, is_archive=False)
        placed = list(zip(entries, layout.places, strict=True))
        plans = submissions_of(placed, Role.CURRENT, root, self._intake)
        return plans, f"one per student given ({layout.title})"


def _finds_out(intake: Intake) -> bool:
    """Tell whether nothing was said of what a submission is."""
    return intake.layout == "auto" and intake.name_pattern is None and not intake.each


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


def _one(path: str, entries: Sequence[Entry], role: Role) -> Planned:
    """Take all that is at a path for one submission."""
    name = shown_name(path)
    named = tuple((entry, entry.name) for entry in entries)
    return Planned(name.rstrip("/") or name, role, name, named)


def _is_batch(path: str) -> bool:
    """Tell whether a path holds submissions; given alone, an archive stands for a folder."""
    return is_folder(path) or (os.path.isfile(path) and holds_archive(given_file(path)))


def _folder_of(path: str) -> str:
    return path if _is_batch(path) else os.path.dirname(path) or "."


def _existing(arguments: Sequence[str], role: Role) -> list[str]:
    paths = _expanded(arguments)
    for path in paths:
        if not os.path.lexists(path):
            msg = f"{role.value} code {path!r} does not exist"
            raise InputError(msg)
    return paths


def _expanded(arguments: Sequence[str]) -> list[str]:
    """Give all paths, of two to the same file the plainest first, whatever their order was."""
    return sorted((path for argument in arguments for path in expand(argument)), key=_plainness)


def _plainness(path: str) -> tuple[int, str]:
    return len(path), path
