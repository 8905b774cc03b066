"""Decides which files make up which submission, before any is read."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mosslite.errors import InputError
from mosslite.intake.places import FoundFile, children, expand, files_at, shown_name
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
        InputError: A pattern matches nothing, or a base, prior or reference path is missing.
    """
    paths = [path for argument in inputs.current for path in expand(argument)]
    missing = [Skipped(shown_name(path), "does not exist") for path in paths if not _exists(path)]
    current, how = _current([path for path in paths if _exists(path)], directories=directories)
    others = [
        planned
        for role, given in ((Role.PRIOR, inputs.prior), (Role.REFERENCE, inputs.reference))
        for path in _existing(given, role)
        for planned in _batch_at(path, role)
    ]
    base = [_one(path, Role.BASE) for path in _existing(inputs.base, Role.BASE)]
    return [*base, *current, *_distinct(others, {each.name for each in current})], missing, how


def without_repeats(plans: Iterable[Planned]) -> tuple[list[Planned], list[Skipped]]:
    """Drop files that an earlier submission holds already, by whatever path."""
    seen: dict[str, Planned] = {}
    kept, repeats = [], []
    for planned in plans:
        files: list[FoundFile] = []
        for file in planned.files:
            first = seen.setdefault(os.path.realpath(file.path), planned)
            if first is planned and file.path not in [each.path for each in files]:
                files.append(file)
            else:
                reason = (
                    "is given twice"
                    if first.role is planned.role
                    else f"is {first.role.value} code already"
                )
                repeats.append(Skipped(shown_name(str(file.path)), reason))
        if files or not planned.files:
            kept.append(replace(planned, files=tuple(files)))
    return kept, repeats


def _current(paths: Sequence[str], *, directories: bool) -> tuple[list[Planned], str]:
    if len(paths) == 1 and Path(paths[0]).is_dir():
        plans = _batch_at(paths[0], Role.CURRENT)
        return plans, f"one per {_kind(plans)} in {shown_name(paths[0]).rstrip('/')}/"
    if directories:
        return _grouped(paths), "one per folder of the files given"
    plans = [_one(path, Role.CURRENT) for path in paths]
    return plans, f"one per {_kind(plans)} given"


def _kind(plans: Sequence[Planned]) -> str:
    kinds = {"folder" if Path(each.path).is_dir() else "file" for each in plans}
    return " or ".join(sorted(kinds)) or "file"


def _one(path: str, role: Role) -> Planned:
    name = shown_name(path)
    return Planned(name.rstrip("/") or name, role, name, files_at(Path(path)))


def _batch_at(path: str, role: Role) -> list[Planned]:
    """Give a submission for each child of a folder, named by the child, or one for a file."""
    if not Path(path).is_dir():
        return [_one(path, role)]
    return [
        replace(_one(str(child), role), name=shown_name(child.name), files=_inside(child))
        for child in children(Path(path))
    ]


def _inside(child: Path) -> tuple[FoundFile, ...]:
    """Give a batch's child's files, none of which the user named."""
    if child.is_dir() and not child.is_symlink():
        return files_at(child)
    return (FoundFile(child, shown_name(child.name), is_given=False),)


def _grouped(paths: Sequence[str]) -> list[Planned]:
    """Make one submission of the files of each folder (``-d``)."""
    groups = defaultdict(list)
    for path in paths:
        groups[path if Path(path).is_dir() else os.path.dirname(path) or "."].append(path)
    return [
        Planned(
            shown_name(folder).rstrip("/"),
            Role.CURRENT,
            shown_name(folder),
            tuple(
                replace(file, name=shown_name(os.path.relpath(file.path, folder)))
                for path in members
                for file in files_at(Path(path))
            ),
        )
        for folder, members in groups.items()
    ]


def _distinct(plans: Iterable[Planned], taken: set[str]) -> list[Planned]:
    """Name by its path what would otherwise share a name with another submission."""
    names, distinct = set(taken), []
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
    paths = [path for argument in arguments for path in expand(argument)]
    for path in paths:
        if not _exists(path):
            msg = f"{role.value} code {path!r} does not exist"
            raise InputError(msg)
    return paths


def _exists(path: str) -> bool:
    return os.path.lexists(path)
