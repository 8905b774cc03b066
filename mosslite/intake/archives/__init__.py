"""Archives: their members as entries, read in memory and within limits."""

from mosslite.intake.archives.budgets import budget_of
from mosslite.intake.archives.expand import (
    Owners,
    archive_entries,
    batch_entries,
    listed_in,
)
from mosslite.intake.archives.formats import (
    head_of,
    is_archive,
    may_hold_program,
)
from mosslite.intake.archives.members import placed

__all__ = [
    "Owners",
    "archive_entries",
    "batch_entries",
    "budget_of",
    "head_of",
    "is_archive",
    "listed_in",
    "may_hold_program",
    "placed",
]
