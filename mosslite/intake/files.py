"""Reads the files of a submission: bytes to text, text to what is compared of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mosslite.intake.empties import NO_FILES
from mosslite.intake.entries import NotReadError
from mosslite.intake.ignoring import EXCLUDED
from mosslite.intake.machine_made import made_by_machine
from mosslite.intake.reading import Effort, read_entry
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
    effort = Effort(planned.role)
    for entry, name in planned.entries:
        judged = _judged(entry, "" if entry.is_given else patterns.reason(name))
        if judged.obstacle:
            skipped = _skipped(entry, judged.obstacle, judged.limit, planned)
            (found.ignored if judged.is_ignored else found.skipped).append(skipped)
            continue
        try:
            named = entry if entry.name == name else replace(entry, name=name)
            files += [(entry, each) for each in read_entry(named, intake, language, effort)]
        except NotReadError as error:
            found.skipped.append(_skipped(entry, str(error), error.limit, planned))
    own = files if intake.reads_ignored else _written(files, found.ignored)
    found = found._replace(files=tuple(file for _, file in own))
    return found if own or found.skipped or _is_aside(planned) else _without_files(planned, found)


def _judged(entry: Entry, unwanted: str) -> Entry:
    """Return an entry with the obstacle that counts: what is excluded no limit leaves out."""
    is_left_out = entry.obstacle and not (entry.limit and unwanted == EXCLUDED)
    if is_left_out or not unwanted:
        return entry
    return replace(entry, obstacle=unwanted, is_ignored=True, limit="")


def _skipped(entry: Entry, reason: str, limit: str, planned: Planned) -> Skipped:
    return Skipped(entry.path, reason, limit, planned.name if limit else "")


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


def _without_files(planned: Planned, found: Found) -> Found:
    """Tell that somebody handed in nothing that is read, in one line if that says all."""
    if found.ignored and all(each.reason == NO_FILES for each in found.ignored):
        return found._replace(skipped=found.ignored, ignored=[])
    but = " but ignored ones" if found.ignored else ""
    return found._replace(skipped=[Skipped(planned.path, f"{NO_FILES}{but}")])


def _is_aside(planned: Planned) -> bool:
    """Return whether nobody handed it in, or only what has its own name: its own line says all."""
    names = {entry.name.rstrip("/") for entry, _ in planned.entries}
    return planned.is_beside or names == {planned.name}
