"""Intake: reads the paths given by the user into submissions of decoded files."""

from mosslite.intake.grouping import EARLIER
from mosslite.intake.hints import folder_inside
from mosslite.intake.ignoring import BUILT, WITH_PROGRAMS
from mosslite.intake.ignoring import REASONS as MACHINE_MADE
from mosslite.intake.plan import GIVEN_TWICE
from mosslite.intake.reading import collect
from mosslite.intake.unnamed import LOOKS_LIKE_CODE, OLDER_COPY

__all__ = [
    "BUILT",
    "EARLIER",
    "GIVEN_TWICE",
    "LOOKS_LIKE_CODE",
    "MACHINE_MADE",
    "OLDER_COPY",
    "WITH_PROGRAMS",
    "collect",
    "folder_inside",
]
