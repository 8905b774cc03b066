"""Walks a path: every file below it is an entry, and archives become the entries in them."""

from __future__ import annotations

import os
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mosslite.errors import InputError, reason_of
from mosslite.languages import language_of
from mosslite.submissions.archives import (
    archive_entries,
    batch_entries,
    budget_of,
    head_of,
    is_archive,
    may_hold_program,
)
from mosslite.submissions.disk import NotReadError, OnDisk, children_of, opened
from mosslite.submissions.entries import NO_FILES, Entry, Names, empty_folders
from mosslite.submissions.ignoring import NO_TEXT, looks_like_text, rule_of, with_program
from mosslite.submissions.paths import is_folder, shown_name
from mosslite.submissions.repositories import GIT
from mosslite.texts import M_

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.options import Intake
    from mosslite.submissions.archives import Owners
    from mosslite.submissions.ignoring import Rule

__all__ = [
    "contents_of",
    "entries_at",
    "holds_archive",
    "is_batch",
]


def entries_at(place: OnDisk, intake: Intake) -> list[Entry]:
    """Return the file at a place, or all that is below a folder, in order of their names there.

    Archives are files still. What is ignored is told by its outermost folder.

    Raises:
        InputError: The folder itself cannot be read.
    """
    if not is_folder(place):
        return [_given_file(place)]
    root, names, folders = shown_name(place.path).rstrip("/"), Names(), list[str]()
    found = list(_below(place, rule_of(intake), folders))
    found += [
        _Below(folder, obstacle=NO_FILES, is_ignored="/" in folder)
        for folder in empty_folders(folders, [each.name for each in found])
    ]
    found.sort(key=_order)
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


def is_batch(place: OnDisk) -> bool:
    """Return whether a place holds submissions; given alone, an archive stands for a folder."""
    return is_folder(place) or holds_archive(_given_file(place))


def holds_archive(entry: Entry) -> bool:
    """Return whether an entry is an archive; a file named as source code is not."""
    if entry.obstacle or language_of(entry.name) is not None:
        return False
    return is_archive(entry.name, entry.content)


def _given_file(place: OnDisk) -> Entry:
    """Return what is at a place that is not a folder of work."""
    shown = shown_name(place.path)
    return Entry(shown, shown, place, is_given=True, obstacle=_obstacle(place))


class _Below(NamedTuple):
    """What is below a folder, as an ``Entry`` says it; the name is from there on."""

    name: str
    content: bytes | OnDisk = b""
    obstacle: str = ""
    is_ignored: bool = False


def _order(found: _Below) -> tuple[str, str]:
    return found.name, found.content.path if isinstance(found.content, OnDisk) else ""


def _below(folder: OnDisk, rule: Rule, folders: list[str]) -> Iterator[_Below]:
    """Return what is below a folder, and add the folders read to ``folders``.

    There is no recursion, as folders can be nested a thousand deep.
    """
    waiting = [(folder, "")]
    while waiting:
        here, prefix = waiting.pop()
        try:
            children = children_of(here)
        except OSError as error:
            if not prefix:
                msg = f"folder {shown_name(folder.path)!r} cannot be read: {reason_of(error)}"
                raise InputError(msg) from error
            yield _Below(prefix[:-1], obstacle=M_("is a folder that cannot be read"))
            continue
        if prefix:
            folders.append(prefix[:-1])
        names = Names()  # of two folders that are shown alike each is a submission
        for own_name, child in children:
            name = prefix + names.distinct(shown_name(own_name))
            is_inner = is_folder(child)
            ignored = rule(f"{name}/" if is_inner else name)
            if ignored is not None and not (ignored[1] == NO_TEXT and _is_readable(child)):
                content = child if own_name == GIT else b""  # its history may be asked for
                reason = _reason(ignored[1], child)
                yield _Below(ignored[0], content, obstacle=reason, is_ignored=True)
            elif is_inner:
                waiting.append((child, f"{name}/"))
            else:
                yield _Below(name, child, _obstacle(child))


def _is_readable(file: OnDisk) -> bool:
    """Return whether a file without a known name is text or an archive all the same."""
    head = b"" if file.obstacle else head_of(file)
    return looks_like_text(head) or is_archive(file.path, head)


def _reason(reason: str, place: OnDisk) -> str:
    """Return the reason why a place is ignored, and whether there is a program in it."""
    telling = with_program(reason)
    return telling if telling != reason and _has_program(place) else reason


def _has_program(place: OnDisk) -> bool:
    """Return whether what is ignored, or something in it, is called as programs are, or packed."""
    waiting = [place]
    while waiting:
        here = waiting.pop()
        if here.is_folder:
            with suppress(OSError):
                waiting += [child for _, child in children_of(here)]
        elif not here.obstacle and may_hold_program(shown_name(here.path), head_of(here)):
            return True
    return False


def _obstacle(place: OnDisk) -> str:
    """Say why a place is not a file to read, where that can be told without reading it."""
    return M_("is a mosslite report") if place.is_folder else place.obstacle


def contents_of(
    entries: Sequence[Entry], intake: Intake, *, is_archive: bool, owners: Owners | None = None
) -> list[Entry]:
    """Return what is at a path, with names from there on, and archives unpacked.

    Args:
        entries: All that is in a folder, or the file or archive that is at the path.
        intake: The limits, and whether anything is ignored.
        is_archive: The only entry is an archive, and the path is that of what is in it.
        owners: Tells whose each file is by its name from there on; without it all is one
            submission.
    """
    inside = len(entries[0].name) + 1 if is_archive else 0
    if owners is None:
        found = _unpacked(entries, intake)
    else:
        whose = owners
        found = _unpacked_batch(
            entries, lambda names: whose([name[inside:] for name in names]), intake
        )
    if not is_archive:
        return found
    own_name = entries[0].name.rpartition("/")[2]
    return [_inside(each, each.name[inside:] or own_name) for each in found]


def _inside(entry: Entry, name: str) -> Entry:
    """Name an entry from the archive on; an empty folder at the top can be a submission."""
    is_top = entry.obstacle == NO_FILES and "/" not in name
    return replace(entry, name=name, is_given=False, is_ignored=entry.is_ignored and not is_top)


def _unpacked(entries: Sequence[Entry], intake: Intake) -> list[Entry]:
    """Put in place of every archive of one submission what is in it; they have one budget."""
    archives = [each for each in entries if holds_archive(each)]
    budget = budget_of(intake.limits, sum(map(_size_of, archives)))
    names = {each.name for each in archives}
    found: list[Entry] = []
    for entry in entries:
        if entry.name in names:
            found += archive_entries(entry, intake.limits, rule_of(intake), budget)
        else:
            found.append(entry)
    return found


def _unpacked_batch(entries: Sequence[Entry], owners: Owners, intake: Intake) -> list[Entry]:
    """Put in place of every archive of a batch what is in it.

    Args:
        entries: All of the batch; an archive that is all of it holds the submissions.
        owners: Tells whose each file is by its name.
        intake: The limits, and whether anything is ignored.
    """
    wanted = [each for each in entries if not each.is_ignored]
    if len(wanted) != 1 or not holds_archive(wanted[0]):
        return _of_each(entries, owners, intake)
    ignored = [each for each in entries if each.is_ignored]
    return [*ignored, *batch_entries(wanted[0], intake.limits, rule_of(intake), owners)]


def _of_each(entries: Sequence[Entry], owners: Owners, intake: Intake) -> list[Entry]:
    """Put in place of archives what is in them; those of one owner have one budget."""
    if not any(map(holds_archive, entries)):
        return list(entries)
    of_owner: defaultdict[str, list[Entry]] = defaultdict(list)
    for owner, entry in zip(owners([each.name for each in entries]), entries, strict=True):
        of_owner[owner].append(entry)
    found = [each for own in of_owner.values() for each in _unpacked(own, intake)]
    return sorted(found, key=lambda each: each.name)


def _size_of(archive: Entry) -> int:
    if isinstance(archive.content, bytes):
        return len(archive.content)
    with suppress(NotReadError, OSError), opened(archive.content) as file:
        return file.seek(0, os.SEEK_END)
    return 0  # what is gone by now says so when it is opened
