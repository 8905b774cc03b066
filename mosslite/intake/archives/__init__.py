"""Archives: their members as entries, read in memory and within limits."""

from __future__ import annotations

from mosslite.intake.archives.batch import Owners, batch_entries
from mosslite.intake.archives.budget import budget_of
from mosslite.intake.archives.expand import archive_entries
from mosslite.intake.archives.kinds import (
    has_archive_name,
    head_of,
    is_archive,
    may_hold_program,
)

__all__ = [
    "Owners",
    "archive_entries",
    "batch_entries",
    "budget_of",
    "has_archive_name",
    "head_of",
    "is_archive",
    "may_hold_program",
]
