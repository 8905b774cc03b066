"""Puts in place of archives what is in them, each submission at its own cost."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mosslite.intake.archives import archive_entries, batch_entries, budget_of
from mosslite.intake.ignoring import rule_of
from mosslite.intake.walk import holds_archive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.intake.archives import Owners
    from mosslite.intake.entries import Entry
    from mosslite.options import Intake

__all__ = ["unpacked", "unpacked_batch"]


def unpacked(entries: Sequence[Entry], intake: Intake) -> list[Entry]:
    """Put in place of every archive of one submission what is in it."""
    return _unpacked(entries, lambda names: [""] * len(names), intake)


def unpacked_batch(entries: Sequence[Entry], owners: Owners, intake: Intake) -> list[Entry]:
    """Put in place of every archive of a batch what is in it.

    Args:
        entries: All of the batch; an archive that is all of it holds the submissions.
        owners: Tells whose each file is by its name.
        intake: The limits, and whether anything is ignored.
    """
    wanted = [each for each in entries if not each.is_ignored]
    if len(wanted) != 1 or not holds_archive(wanted[0]):
        return _unpacked(entries, owners, intake)
    ignored = [each for each in entries if each.is_ignored]
    return [*ignored, *batch_entries(wanted[0], intake.limits, rule_of(intake), owners)]


def _unpacked(entries: Sequence[Entry], owners: Owners, intake: Intake) -> list[Entry]:
    """Put in place of archives what is in them; those of one owner have one budget."""
    sizes = [_size_of(each) if holds_archive(each) else None for each in entries]
    if not any(size is not None for size in sizes):
        return list(entries)
    whose = owners([each.name for each in entries])
    total: Counter[str] = Counter()
    for owner, size in zip(whose, sizes, strict=True):
        total[owner] += size or 0
    budgets = {owner: budget_of(intake.limits, size) for owner, size in total.items()}
    found: list[Entry] = []
    for entry, owner, size in zip(entries, whose, sizes, strict=True):
        if size is None:
            found.append(entry)
        else:
            found += archive_entries(entry, intake.limits, rule_of(intake), budgets[owner])
    return found


def _size_of(archive: Entry) -> int:
    if isinstance(archive.content, bytes):
        return len(archive.content)
    with suppress(OSError):
        return Path(archive.content).stat().st_size
    return 0  # what is gone by now says so when it is opened
