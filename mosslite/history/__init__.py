"""The archive of earlier terms: submissions and their fingerprints, in one file."""

from __future__ import annotations

from mosslite.history.archive import Archive
from mosslite.history.file import is_there
from mosslite.history.records import Entry, Holders, Kept, Shape, Stored

__all__ = [
    "Archive",
    "Entry",
    "Holders",
    "Kept",
    "Shape",
    "Stored",
    "is_there",
]
