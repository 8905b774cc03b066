"""The archive of earlier terms: submissions and their fingerprints, in one file."""

from __future__ import annotations

from mosslite.archive.archive import Archive
from mosslite.archive.opening import is_there
from mosslite.archive.records import Entry, Holders, Kept, Shape, Stored
from mosslite.archive.sketches import resemblance

__all__ = [
    "Archive",
    "Entry",
    "Holders",
    "Kept",
    "Shape",
    "Stored",
    "is_there",
    "resemblance",
]
