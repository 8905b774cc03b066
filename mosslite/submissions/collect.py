"""Turns the paths a user gave into a batch of submissions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.errors import InputError
from mosslite.options import Intake
from mosslite.records import Batch, Role, Skipped, Submission
from mosslite.submissions.ignoring import Patterns
from mosslite.submissions.plan import plan
from mosslite.submissions.reading import Found, files_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mosslite.records import Inputs
    from mosslite.submissions.attempts import Planned

__all__ = [
    "BASE_BY_METADATA",
    "collect",
]


BASE_BY_METADATA: Final = "is taken as base code, as the export's metadata say"


def collect(
    inputs: Inputs,
    *,
    intake: Intake = Intake(),
    directories: bool = False,
    language: str | None = None,
) -> Batch:
    """Read everything the user gave.

    Args:
        inputs: Paths and patterns by role.
        intake: What to read, and how.
        directories: Files of one folder are one submission (``-d``).
        language: The language asked for, in which web pages too are read as they are.

    Returns:
        Submissions in order of role and name, and what was left out with its reason.

    Raises:
        InputError: A pattern matches nothing, a base, prior or reference path is missing, base
            code cannot be read, a batch's folder cannot, or is not in the layout asked for.
    """
    planned = plan(inputs, intake, directories=directories)
    patterns = Patterns(intake.patterns)
    read = [(each, files_of(each, patterns, intake, language)) for each in planned.submissions]
    _require_base(read)
    submissions = [
        Submission(each.name, each.role, found.files, each.hand_in)
        for each, found in read
        if found.files
    ]
    own = [each for each in submissions if each.role is not Role.BASE]
    return Batch(
        submissions=tuple(sorted(own, key=lambda each: each.rank)),
        base=tuple(file for s in submissions if s.role is Role.BASE for file in s.files),
        skipped=_sorted(
            [*_taken_out(read), *(each for _, found in read for each in found.skipped)]
        ),
        ignored=_sorted(each for _, found in read for each in found.ignored),
        description=planned.description,
        remarks=planned.remarks,
    )


def _taken_out(read: Iterable[tuple[Planned, Found]]) -> Iterator[Skipped]:
    """Name what is compared no more because the metadata of an export call it base code."""
    for planned, found in read:
        if planned.role is Role.BASE and not planned.is_required:
            for path in dict.fromkeys(file.path for file in found.files):
                yield Skipped(path, BASE_BY_METADATA)


def _sorted(skipped: Iterable[Skipped]) -> tuple[Skipped, ...]:
    return tuple(sorted(skipped, key=lambda each: (each.path, each.reason)))


def _require_base(read: Iterable[tuple[Planned, Found]]) -> None:
    """Refuse base code of which nothing can be read: every number would be wrong without it."""
    for planned, found in read:
        if planned.is_required and not found.files:
            msg = f"base code '{found.skipped[0].path}' {found.skipped[0].reason}"
            raise InputError(msg)
