"""The archive of earlier terms: submissions and their fingerprints, in one file."""

from mosslite.terms.archive import Archive, is_there
from mosslite.terms.tables import ArchivedFile, ArchivedSubmission, Entry, IndexParameters

__all__ = [
    "Archive",
    "ArchivedFile",
    "ArchivedSubmission",
    "Entry",
    "IndexParameters",
    "is_there",
]
