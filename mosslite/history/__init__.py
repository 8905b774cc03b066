"""The archive of earlier terms: submissions and their fingerprints, in one file."""

from mosslite.history.archive import Archive
from mosslite.history.file import is_there
from mosslite.history.records import (
    ArchivedFile,
    ArchivedSubmission,
    Entry,
    IndexParameters,
    SharedPostings,
)

__all__ = [
    "Archive",
    "ArchivedFile",
    "ArchivedSubmission",
    "Entry",
    "IndexParameters",
    "SharedPostings",
    "is_there",
]
