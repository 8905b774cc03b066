"""Archives: their members as entries, read in memory and within limits."""

from __future__ import annotations

from mosslite.intake.archives.expand import archive_entries
from mosslite.intake.archives.kinds import head_of, is_archive, may_hold_program

__all__ = ["archive_entries", "head_of", "is_archive", "may_hold_program"]
