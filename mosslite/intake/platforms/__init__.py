"""Maps files to students by the names that learning platforms use."""

from mosslite.intake.platforms.exports import ExportEntry, parted, plain_place
from mosslite.intake.platforms.recognition import Recognized, is_metadata, recognize
from mosslite.intake.platforms.times import is_time

__all__ = [
    "ExportEntry",
    "Recognized",
    "is_metadata",
    "is_time",
    "parted",
    "plain_place",
    "recognize",
]
