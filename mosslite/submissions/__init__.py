"""Intake: reads the paths given by the user into submissions of decoded files."""

from mosslite.submissions.grouping import EARLIER
from mosslite.submissions.hints import folder_inside
from mosslite.submissions.ignoring import BUILT, WITH_PROGRAMS
from mosslite.submissions.ignoring import REASONS as MACHINE_MADE
from mosslite.submissions.plan import GIVEN_TWICE
from mosslite.submissions.reading import collect
from mosslite.submissions.unnamed import LOOKS_LIKE_CODE, OLDER_COPY

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
