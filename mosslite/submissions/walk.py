"""Walks a path: every file below it becomes an entry, and archives the entries in them."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from mosslite.errors import InputError, reason_of
from mosslite.languages import is_data, language_of
from mosslite.options import Intake, Limits
from mosslite.output_signatures import is_own_result
from mosslite.submissions.archives import (
    Owners,
    archive_entries,
    batch_entries,
    budget_of,
    head_of,
    is_archive,
    may_hold_program,
)
from mosslite.submissions.disk import NotReadError, OnDisk, children_of, located, opened
from mosslite.submissions.entries import NO_FILES, Entry, Names, empty_folders
from mosslite.submissions.ignoring import NO_TEXT, Rule, looks_like_text, rule_of, with_program
from mosslite.submissions.paths import fixed_part, is_folder, shown_name
from mosslite.submissions.repositories import GIT
from mosslite.texts import M_

OWN_REPORT: Final = M_("is a mosslite report")
OWN_RESULT: Final = M_("is a mosslite result")


def entries_at(place: OnDisk, intake: Intake, *, of_batch: bool = False) -> list[Entry]:
    """Return the file at a place, or all files below a folder, sorted by name.

    Archives are not opened yet. An ignored folder is reported once, for the outermost. Of a batch,
    reports and results directly in it are not submissions; further below, they are a student's.

    Raises:
        InputError: The folder itself cannot be read.
    """
    if not is_folder(place):
        return [_given_file(place)]
    root, names, folders = shown_name(place.path).rstrip("/"), Names(), list[str]()
    found = list(_below(place, rule_of(intake), folders, of_batch=of_batch))
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


def require_few(paths: Iterable[str], intake: Intake, most: int) -> None:
    """Check that some paths lead to few files together, before any of these is read.

    Raises:
        InputError: There are more than ``most``, or a folder cannot be read.
    """
    count = 0
    for path in paths:
        place = located(fixed_part(path))
        below = _below(place, rule_of(intake), [], of_batch=False) if place.is_folder else [place]
        count += sum(1 for _ in islice(below, most + 1))
        if count > most:
            msg = f"the paths lead to more than {most:,} files"
            raise InputError(msg)


def is_batch(place: OnDisk) -> bool:
    """Return whether a place contains submissions; a single archive counts as a folder."""
    return is_folder(place) or holds_archive(_given_file(place))


def holds_archive(entry: Entry) -> bool:
    """Return whether an entry is an archive; a file with the name of source code is not."""
    if entry.obstacle or language_of(entry.name) is not None:
        return False
    return is_archive(entry.name, entry.content)


def _given_file(place: OnDisk) -> Entry:
    """Return the entry of a place that is not a folder of submissions."""
    shown = shown_name(place.path)
    return Entry(shown, shown, place, is_given=True, obstacle=_obstacle(place))


class _Below(NamedTuple):
    """A file below a folder, with fields as in ``Entry``; the name is relative to the folder."""

    name: str
    content: bytes | OnDisk = b""
    obstacle: str = ""
    is_ignored: bool = False


def _order(found: _Below) -> tuple[str, str]:
    return found.name, found.content.path if isinstance(found.content, OnDisk) else ""


def _below(folder: OnDisk, rule: Rule, folders: list[str], *, of_batch: bool) -> Iterator[_Below]:
    """Return the files below a folder, and append the folders read to ``folders``.

    Iterative, as folders can be nested a thousand deep.
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
        names = Names()  # two folders that are displayed alike are two submissions
        for own_name, child in children:
            name = prefix + names.distinct(shown_name(own_name))
            is_own = of_batch and not prefix  # one of mosslite's reports or results may be here
            is_inner = is_folder(child) if is_own else child.is_folder
            ignored = rule(f"{name}/" if is_inner else name)
            if ignored is not None and not (ignored[1] == NO_TEXT and _is_readable(child)):
                content = child if own_name == GIT else b""  # its history may be read later
                reason = _reason(ignored[1], child)
                yield _Below(ignored[0], content, obstacle=reason, is_ignored=True)
            elif is_inner:
                waiting.append((child, f"{name}/"))
            else:
                yield _Below(name, child, _obstacle(child) if is_own else child.obstacle)


def _is_readable(file: OnDisk) -> bool:
    """Return whether a file with an unknown name is text or an archive nevertheless."""
    head = b"" if file.obstacle else head_of(file)
    return looks_like_text(head) or is_archive(file.path, head)


def _reason(reason: str, place: OnDisk) -> str:
    """Return the reason why a place is ignored, and add whether it contains a program."""
    telling = with_program(reason)
    return telling if telling != reason and _has_program(place) else reason


def _has_program(place: OnDisk) -> bool:
    """Return whether an ignored place is or contains an archive, or a file named like a program."""
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
    """Return why a place, given or in a batch, is not read as a file; else empty.

    A program or prose can begin like anything, so only a file named like data can be a result.
    """
    if place.is_folder:
        return OWN_REPORT
    name = os.path.basename(place.path)
    language = None if place.obstacle else language_of(name)
    if place.obstacle or "." not in name or (language is not None and not is_data(language)):
        return place.obstacle
    return OWN_RESULT if is_own_result(head_of(place)) else ""


def contents_of(
    entries: Sequence[Entry], intake: Intake, *, is_archive: bool, owners: Owners | None = None
) -> list[Entry]:
    """Return the entries of a path, named relative to it, with archives unpacked.

    Args:
        entries: Everything in a folder, or the one file or archive at the path.
        intake: The limits, and whether anything is ignored.
        is_archive: The only entry is an archive, and names are relative to the inside of it.
        owners: Maps names to owners; None makes everything one submission.
    """
    inside = len(entries[0].name) + 1 if is_archive else 0
    rule = _rule_behind(inside, rule_of(intake))
    if owners is None:
        found = _unpacked(entries, intake.limits, rule)
    else:
        whose = owners
        found = _unpacked_batch(
            entries, lambda names: whose([name[inside:] for name in names]), intake.limits, rule
        )
    if not is_archive:
        return found
    own_name = entries[0].name.rpartition("/")[2]
    return [_inside(each, each.name[inside:] or own_name) for each in found]


def _rule_behind(start: int, rule: Rule) -> Rule:
    """Return a rule that sees of each path only what follows the archive as the user spelled it."""

    def of_rest(name: str) -> tuple[str, str] | None:
        ignored = rule(name[start:])
        return None if ignored is None else (name[:start] + ignored[0], ignored[1])

    return of_rest if start else rule


def _inside(entry: Entry, name: str) -> Entry:
    """Name an entry relative to the archive; an empty folder at the top can be a submission."""
    is_top = entry.obstacle == NO_FILES and "/" not in name
    return replace(entry, name=name, is_given=False, is_ignored=entry.is_ignored and not is_top)


def _unpacked(entries: Sequence[Entry], limits: Limits, rule: Rule) -> list[Entry]:
    """Replace every archive of one submission by its content, within one shared budget."""
    archives = [each for each in entries if holds_archive(each)]
    budget = budget_of(limits, sum(map(_size_of, archives)))
    names = {each.name for each in archives}
    found: list[Entry] = []
    for entry in entries:
        if entry.name in names:
            found += archive_entries(entry, limits, rule, budget)
        else:
            found.append(entry)
    return found


def _unpacked_batch(
    entries: Sequence[Entry], owners: Owners, limits: Limits, rule: Rule
) -> list[Entry]:
    """Replace every archive of a batch by its content; a single one contains the submissions."""
    wanted = [each for each in entries if not each.is_ignored]
    if len(wanted) != 1 or not holds_archive(wanted[0]):
        return _of_each(entries, owners, limits, rule)
    ignored = [each for each in entries if each.is_ignored]
    return [*ignored, *batch_entries(wanted[0], limits, rule, owners)]


def _of_each(entries: Sequence[Entry], owners: Owners, limits: Limits, rule: Rule) -> list[Entry]:
    """Replace archives by their content; archives of one owner share a budget."""
    if not any(map(holds_archive, entries)):
        return list(entries)
    of_owner: defaultdict[str, list[Entry]] = defaultdict(list)
    for owner, entry in zip(owners([each.name for each in entries]), entries, strict=True):
        of_owner[owner].append(entry)
    found = [each for own in of_owner.values() for each in _unpacked(own, limits, rule)]
    return sorted(found, key=lambda each: each.name)


def _size_of(archive: Entry) -> int:
    if isinstance(archive.content, bytes):
        return len(archive.content)
    with suppress(NotReadError, OSError), opened(archive.content) as file:
        return file.seek(0, os.SEEK_END)
    return 0  # a file that vanished is reported when it is opened
