"""Maps files to students by the names that learning platforms use."""

from mosslite.submissions.platforms.exports import ExportEntry, parted, plain_place
from mosslite.submissions.platforms.recognition import Recognized, is_metadata, recognize
from mosslite.submissions.platforms.times import is_time

__all__ = [
    "ExportEntry",
    "Recognized",
    "is_metadata",
    "is_time",
    "parted",
    "plain_place",
    "recognize",
]
