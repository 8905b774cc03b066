"""Intake: reads the paths given by the user into submissions of decoded files."""

from __future__ import annotations

from mosslite.submissions.hints import folder_inside
from mosslite.submissions.ignoring import BUILT, WITH_PROGRAMS
from mosslite.submissions.ignoring import REASONS as MACHINE_MADE
from mosslite.submissions.plan import GIVEN_TWICE
from mosslite.submissions.reading import collect
from mosslite.submissions.sections import EARLIER

__all__ = [
    "BUILT",
    "EARLIER",
    "GIVEN_TWICE",
    "MACHINE_MADE",
    "WITH_PROGRAMS",
    "collect",
    "folder_inside",
]
