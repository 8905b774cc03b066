"""Maps files to students by the names that learning platforms use."""

from mosslite.submissions.platforms.recognition import keys_of, recognize
from mosslite.submissions.platforms.records import ExportEntry, Recognized

__all__ = [
    "ExportEntry",
    "Recognized",
    "keys_of",
    "recognize",
]
