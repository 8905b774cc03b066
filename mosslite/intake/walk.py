"""Walks a path: every file below it, and what stands where one should be, is an entry."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from mosslite.errors import InputError, reason_of
from mosslite.intake.archives import is_archive
from mosslite.intake.empties import NO_FILES, empty_folders
from mosslite.intake.entries import Entry
from mosslite.intake.equal_names import Names
from mosslite.intake.ignoring import rule_of
from mosslite.intake.places import is_folder, is_report, shown_name
from mosslite.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.intake.ignoring import Rule
    from mosslite.options import Intake

__all__ = ["entries_at", "given_file", "holds_archive"]


def entries_at(path: str, intake: Intake) -> list[Entry]:
    """Give the file at a path, or all that is below a folder, in order of their names there.

    Archives are files still. What is ignored is told by its outermost folder.

    Raises:
        InputError: The folder itself cannot be read.
    """
    if not is_folder(path):
        return [given_file(path)]
    root, names, folders = shown_name(path).rstrip("/"), Names(), list[str]()
    found = list(_below(path, rule_of(intake), folders))
    found += [
        _Below(folder, obstacle=NO_FILES, is_ignored="/" in folder)
        for folder in empty_folders(folders, [each.name for each in found])
    ]
    found.sort(key=lambda each: (each.name, str(each.content)))
    return [
        Entry(
            path=f"{root}/{name}",
            name=names.distinct(name),
            content=content,
            obstacle=obstacle,
            is_ignored=is_ignored,
        )
        for name, content, obstacle, is_ignored in found
    ]


def given_file(path: str) -> Entry:
    """Give what is at a path that is no folder."""
    shown = shown_name(path)
    return Entry(shown, shown, path, is_given=True, obstacle=_obstacle(path))


def holds_archive(entry: Entry) -> bool:
    """Tell whether an entry is an archive; a name that tells a language is taken at its word."""
    if entry.obstacle or language_of(entry.name) is not None:
        return False
    return is_archive(entry.name, entry.content)


class _Below(NamedTuple):
    """What is below a folder, as an ``Entry`` says it; the name is from there on."""

    name: str
    content: bytes | str = b""
    obstacle: str = ""
    is_ignored: bool = False


def _below(folder: str, rule: Rule, folders: list[str]) -> Iterator[_Below]:
    """Give what is below a folder, and add the folders read to ``folders``.

    There is no recursion, as folders can be nested a thousand deep.
    """
    waiting = [(folder, "")]
    while waiting:
        here, prefix = waiting.pop()
        try:
            children = _listed(here)
        except OSError as error:
            if not prefix:
                msg = f"folder {shown_name(folder)!r} cannot be read: {reason_of(error)}"
                raise InputError(msg) from error
            yield _Below(prefix[:-1], obstacle="is a folder that cannot be read")
            continue
        if prefix:
            folders.append(prefix[:-1])
        names = Names()  # of two folders that are shown alike each is a submission
        for child in children:
            name = prefix + names.distinct(shown_name(child.name))
            is_inner = child.is_dir(follow_symlinks=False) and not is_report(child.path)
            ignored = rule(f"{name}/" if is_inner else name)
            if ignored is not None:
                yield _Below(ignored[0], obstacle=ignored[1], is_ignored=True)
            elif is_inner:
                waiting.append((child.path, f"{name}/"))
            else:
                yield _Below(name, child.path, _obstacle_of(child))


def _listed(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as children:
        return sorted(children, key=lambda child: child.name)


def _obstacle_of(child: os.DirEntry[str]) -> str:
    if child.is_symlink():
        # It could lead anywhere.
        return "is a symbolic link, which is not followed"
    return "" if child.is_file() else _obstacle(child.path)


def _obstacle(path: str) -> str:
    """Say why a path is no file to read, where that can be told without reading it."""
    if is_report(path):
        return "is a mosslite report"
    if not os.path.lexists(path):
        return "does not exist"
    # A link that leads nowhere says so when it is read.
    return "is not a regular file" if os.path.exists(path) and not os.path.isfile(path) else ""
