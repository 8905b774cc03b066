"""Errors that users can cause.

    MossliteError           anything a user can cause; one line, ready to print
    |-- OptionError         a wrong option, or options that contradict each other
    |-- InputError          a missing or unusable input
    |-- ArchiveError        an archive of earlier terms that is in use or unsuitable
    |   `-- DamageError     one with invalid content
    |-- OutputError         a result that cannot be written where it should go
    `-- WorkerError         worker processes that cannot be started

Any other exception is a bug.
"""

from mosslite.messages import said


class MossliteError(Exception):
    """Something the user did or gave prevents mosslite from working."""

    def __init__(self, template: str, /, *values: object) -> None:
        super().__init__(said(template, *values))


class OptionError(MossliteError):
    """An option has an invalid value or contradicts another option."""


class InputError(MossliteError):
    """An input is missing, unreadable, or leaves nothing to compare."""


class ArchiveError(MossliteError):
    """An archive of earlier terms cannot be used, or is not suitable for the request."""


class DamageError(ArchiveError):
    """An archive has invalid content."""


class OutputError(MossliteError):
    """A result cannot be written to the place asked for."""


class WorkerError(MossliteError):
    """Worker processes cannot be started, or die before receiving a task."""
