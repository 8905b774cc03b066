"""Puts in place of archives what is in them, each submission at its own cost."""

from __future__ import annotations

import os
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from mosslite.submissions.archives import archive_entries, batch_entries, budget_of
from mosslite.submissions.disk import NotReadError, opened
from mosslite.submissions.entries import NO_FILES
from mosslite.submissions.ignoring import rule_of
from mosslite.submissions.walk import holds_archive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.options import Intake
    from mosslite.submissions.archives import Owners
    from mosslite.submissions.entries import Entry

__all__ = [
    "contents_of",
]


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
