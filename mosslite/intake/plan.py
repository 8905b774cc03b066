"""Decides which files make up which submission, before any is read."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mosslite.errors import InputError
from mosslite.intake.places import FoundFile, children, expand, files_at, is_folder, shown_name
from mosslite.model import Role, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mosslite.model import Inputs

__all__ = ["Planned", "plan", "without_repeats"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A submission to be read: ``path`` is what stands for it in messages."""

    name: str
    role: Role
    path: str
    files: tuple[FoundFile, ...]


def plan(inputs: Inputs, *, directories: bool) -> tuple[list[Planned], list[Skipped], str]:
    """Lay out all submissions: base code first, then current, prior and reference ones.

    Returns:
        The submissions, the current paths that do not exist, and what one submission is, such
        as ``one per folder in submissions/``.

    Raises:
        InputError: A pattern matches nothing, a base, prior or reference path is missing, or a
            batch's folder cannot be read.
    """
    paths = _expanded(inputs.current)
    missing = [Skipped(shown_name(path), "does not exist") for path in paths if not _exists(path)]
    current, how = _current(paths, directories=directories)
    others = [
        planned
        for role, given in ((Role.PRIOR, inputs.prior), (Role.REFERENCE, inputs.reference))
        for path in _existing(given, role)
        for planned in _batch_at(path, role)
    ]
    base = [_one(path, Role.BASE) for path in _existing(inputs.base, Role.BASE)]
    return [*base, *_distinct([*current, *others])], missing, how


def without_repeats(plans: Iterable[Planned]) -> tuple[list[Planned], list[Skipped]]:
    """Drop files that an earlier submission holds already, by whatever path."""
    seen: dict[str, Role] = {}
    kept, repeats = [], []
    for planned in plans:
        files: list[FoundFile] = []
        for file in planned.files:
            first = seen.get(_identity(file))
            if first is None:
                seen[_identity(file)] = planned.role
                files.append(file)
                continue
            is_same = first is planned.role
            reason = "is given twice" if is_same else f"is {first.value} code already"
            repeats.append(Skipped(shown_name(file.path), reason))
        if files or not planned.files:
            kept.append(replace(planned, files=tuple(files)))
    return kept, repeats


def _identity(file: FoundFile) -> str:
    """Give what is equal for all paths to a file.

    A link that will not be followed stands for itself: it must not hide what it leads to.
    """
    if os.path.islink(file.path) and not file.is_given:
        return os.path.abspath(file.path)
    return os.path.realpath(file.path)


def _current(paths: Sequence[str], *, directories: bool) -> tuple[list[Planned], str]:
    if len(paths) == 1 and is_folder(paths[0]):
        plans = _batch_at(paths[0], Role.CURRENT)
        return plans, f"one per {_kind(plans)} in {shown_name(paths[0]).rstrip('/')}/"
    present = [path for path in paths if _exists(path)]
    if directories:
        return _grouped(present), "one per folder of the files given"
    plans = [_one(path, Role.CURRENT) for path in present]
    return plans, f"one per {_kind(plans)} given"


def _kind(plans: Sequence[Planned]) -> str:
    kinds = {"folder" if is_folder(each.path) else "file" for each in plans}
    return " or ".join(sorted(kinds)) or "file"


def _one(path: str, role: Role) -> Planned:
    name = shown_name(path)
    return Planned(name.rstrip("/") or name, role, name, files_at(path))


def _batch_at(path: str, role: Role) -> list[Planned]:
    """Give a submission for each child of a folder, named by the child, or one for a file."""
    if not is_folder(path):
        return [_one(path, role)]
    return [
        Planned(shown_name(os.path.basename(child)), role, shown_name(child), _inside(child))
        for child in children(path)
    ]


def _inside(child: str) -> tuple[FoundFile, ...]:
    """Give a batch's child's files, none of which the user named."""
    if is_folder(child) and not os.path.islink(child):
        return files_at(child)
    return (FoundFile(child, shown_name(os.path.basename(child)), is_given=False),)


def _grouped(paths: Sequence[str]) -> list[Planned]:
    """Make one submission of the files of each folder (``-d``), however it is spelled."""
    groups = defaultdict(list)
    for path in paths:
        groups[os.path.realpath(_folder_of(path))].append(path)
    return [_group(members) for members in groups.values()]


def _group(paths: Sequence[str]) -> Planned:
    folder = shown_name(min(map(_folder_of, paths), key=_plainness))
    files = [
        file if is_folder(path) else replace(file, name=shown_name(os.path.basename(file.path)))
        for path in paths
        for file in files_at(path)
    ]
    files.sort(key=lambda each: each.name)
    return Planned(folder.rstrip("/") or folder, Role.CURRENT, folder, tuple(files))


def _folder_of(path: str) -> str:
    return path if is_folder(path) else os.path.dirname(path) or "."


def _distinct(plans: Iterable[Planned]) -> list[Planned]:
    """Name by its path what would otherwise share a name with another submission."""
    names: set[str] = set()
    distinct = []
    for each in plans:
        name, count = each.name, 1
        if name in names:
            name = each.path
        while name in names:
            count += 1
            name = f"{each.path} ({count})"
        names.add(name)
        distinct.append(replace(each, name=name))
    return distinct


def _existing(arguments: Sequence[str], role: Role) -> list[str]:
    paths = _expanded(arguments)
    for path in paths:
        if not _exists(path):
            msg = f"{role.value} code {path!r} does not exist"
            raise InputError(msg)
    return paths


def _expanded(arguments: Sequence[str]) -> list[str]:
    """Give all paths, of two to the same file the plainest first, whatever their order was."""
    return sorted((path for argument in arguments for path in expand(argument)), key=_plainness)


def _plainness(path: str) -> tuple[int, str]:
    return len(path), path


def _exists(path: str) -> bool:
    return os.path.lexists(path)
