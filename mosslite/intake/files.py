"""Reads the files of a submission: bytes to text, text to what is compared of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mosslite.intake.entries import NotReadError
from mosslite.intake.machine_made import made_by_machine
from mosslite.intake.reading import read_entry
from mosslite.model import Skipped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.intake.attempts import Planned
    from mosslite.intake.entries import Entry
    from mosslite.intake.ignoring import Patterns
    from mosslite.model import SourceFile
    from mosslite.options import Intake

__all__ = ["Found", "files_of"]


class Found(NamedTuple):
    """What is read of a submission, and what is not."""

    files: tuple[SourceFile, ...]
    skipped: list[Skipped]
    ignored: list[Skipped]


def files_of(planned: Planned, patterns: Patterns, intake: Intake, language: str | None) -> Found:
    """Read a submission; every entry of it is in a file or has a reason."""
    found = Found((), [], [])
    files: list[tuple[Entry, SourceFile]] = []
    for entry, name in planned.entries:
        reason = entry.obstacle or ("" if entry.is_given else patterns.reason(name))
        if reason:
            is_ignored = entry.is_ignored or not entry.obstacle
            (found.ignored if is_ignored else found.skipped).append(Skipped(entry.path, reason))
            continue
        try:
            named = entry if entry.name == name else replace(entry, name=name)
            files += [(entry, each) for each in read_entry(named, intake, language)]
        except NotReadError as error:
            found.skipped.append(Skipped(entry.path, str(error)))
    own = files if intake.reads_ignored else _written(files, found.ignored)
    if not own and not found.skipped and not _is_aside(planned):
        but = " but ignored ones" if found.ignored else ""
        found.skipped.append(Skipped(planned.path, f"holds no files{but}"))
    return found._replace(files=tuple(file for _, file in own))


def _written(
    files: Sequence[tuple[Entry, SourceFile]], ignored: list[Skipped]
) -> list[tuple[Entry, SourceFile]]:
    """Leave out what a machine wrote, unless it is all there is."""
    reasons = ["" if file.is_given else made_by_machine(file.name, file.text) for _, file in files]
    if all(reasons):
        return list(files)
    made = (entry.path for (entry, _), reason in zip(files, reasons, strict=True) if reason)
    ignored += map(Skipped, made, filter(None, reasons))
    return [each for each, reason in zip(files, reasons, strict=True) if not reason]


def _is_aside(planned: Planned) -> bool:
    """Tell whether there is only a file or folder of its own name: its own line says all."""
    return bool(planned.entries) and all(
        entry.name.rstrip("/") == planned.name for entry, _ in planned.entries
    )
