"""Turns the paths a user gave into a batch of submissions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mosslite.errors import InputError
from mosslite.intake.places import obstacle, shown_name
from mosslite.intake.plan import plan, without_repeats
from mosslite.intake.reading import NotReadError, read_text
from mosslite.model import Batch, Role, Skipped, SourceFile, Submission

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mosslite.intake.places import FoundFile
    from mosslite.intake.plan import Planned
    from mosslite.model import Inputs

__all__ = ["collect"]


def collect(inputs: Inputs, *, directories: bool) -> Batch:
    """Read everything the user gave.

    Args:
        inputs: Paths and patterns by role.
        directories: Files of one folder are one submission (``-d``).

    Returns:
        Submissions in order of role and name, and what was left out with its reason.

    Raises:
        InputError: A pattern matches nothing, a base, prior or reference path is missing, base
            code cannot be read, or a batch's folder cannot.
    """
    plans, missing, how = plan(inputs, directories=directories)
    plans, repeats = without_repeats(plans)
    read = [_read(planned) for planned in plans]
    _require_base(read)
    skipped = [*missing, *repeats, *(reason for _, reasons in read for reason in reasons)]
    submissions = [submission for submission, _ in read if submission.files]
    return Batch(
        submissions=tuple(sorted((s for s in submissions if s.role is not Role.BASE), key=_order)),
        base=tuple(file for s in submissions if s.role is Role.BASE for file in s.files),
        skipped=tuple(sorted(skipped, key=lambda each: (each.path, each.reason))),
        description=how,
    )


def _require_base(read: Iterable[tuple[Submission, Sequence[Skipped]]]) -> None:
    """Refuse base code of which nothing can be read: every number would be wrong without it."""
    for submission, skipped in read:
        if submission.role is Role.BASE and not submission.files:
            msg = f"base code '{skipped[0].path}' {skipped[0].reason}"
            raise InputError(msg)


def _order(submission: Submission) -> tuple[int, str]:
    return list(Role).index(submission.role), submission.name


def _read(planned: Planned) -> tuple[Submission, list[Skipped]]:
    files, skipped = [], []
    for found in planned.files:
        try:
            files.append(_file(found))
        except NotReadError as error:
            skipped.append(Skipped(shown_name(found.path), str(error)))
    if not planned.files:
        skipped.append(Skipped(planned.path, "holds no files"))
    return Submission(planned.name, planned.role, tuple(files)), skipped


def _file(found: FoundFile) -> SourceFile:
    reason = obstacle(found)
    if reason is not None:
        raise NotReadError(reason)
    text, encoding = read_text(Path(found.path))
    return SourceFile(found.name, text, encoding, is_given=found.is_given)
