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


class MossliteError(Exception):
    """Something the user did or gave prevents mosslite from working."""


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


def reason_of(error: Exception) -> str:
    """Return the operating system's reason in lower case, such as ``permission denied``."""
    reason: str = getattr(error, "strerror", None) or "unknown error"
    return reason.lower()
