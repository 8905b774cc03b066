"""Puts in place of archives what is in them, each submission at its own cost."""

from __future__ import annotations

import os
from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING

from mosslite.intake.archives import archive_entries, batch_entries, budget_of
from mosslite.intake.disk import NotReadError, opened
from mosslite.intake.ignoring import rule_of
from mosslite.intake.walk import holds_archive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.intake.archives import Owners
    from mosslite.intake.entries import Entry
    from mosslite.options import Intake

__all__ = ["unpacked", "unpacked_batch"]


def unpacked(entries: Sequence[Entry], intake: Intake) -> list[Entry]:
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


def unpacked_batch(entries: Sequence[Entry], owners: Owners, intake: Intake) -> list[Entry]:
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
    found = [each for own in of_owner.values() for each in unpacked(own, intake)]
    return sorted(found, key=lambda each: each.name)


def _size_of(archive: Entry) -> int:
    if isinstance(archive.content, bytes):
        return len(archive.content)
    with suppress(NotReadError, OSError), opened(archive.content) as file:
        return file.seek(0, os.SEEK_END)
    return 0  # what is gone by now says so when it is opened
