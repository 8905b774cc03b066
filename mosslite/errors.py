"""What can go wrong by a user's doing.

    MossliteError           anything a user can cause; one line, ready to print
    |-- OptionError         a wrong option, or options that contradict each other
    |-- InputError          something given to be read that is missing or of no use
    |-- ArchiveError        an archive of earlier terms that is in use or of another kind
    |   `-- DamageError     one that is not as it was written
    |-- OutputError         a result that cannot be written where it should go
    `-- WorkerError         worker processes that cannot be started

Anything else that is raised is a bug.
"""

from __future__ import annotations

__all__ = [
    "ArchiveError",
    "DamageError",
    "InputError",
    "MossliteError",
    "OptionError",
    "OutputError",
    "WorkerError",
    "reason_of",
]


class MossliteError(Exception):
    """Something a user did or gave that mosslite cannot work with."""


class OptionError(MossliteError):
    """An option has an invalid value or contradicts another option."""


class InputError(MossliteError):
    """An input is missing, unreadable, or leaves nothing to compare."""


class ArchiveError(MossliteError):
    """An archive of earlier terms cannot be used, or not for what was asked."""


class DamageError(ArchiveError):
    """An archive is not as it was written."""


class OutputError(MossliteError):
    """A result cannot be written to the place asked for."""


class WorkerError(MossliteError):
    """Worker processes cannot be started, or die before they are given anything."""


def reason_of(error: Exception) -> str:
    """Return the system's reason for a line of our own, such as ``permission denied``."""
    reason: str = getattr(error, "strerror", None) or "unknown error"
    return reason.lower()
