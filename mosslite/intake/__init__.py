"""Intake: reads the paths given by the user into submissions of decoded files."""

from mosslite.intake.plan import folder_inside
from mosslite.intake.reading import collect

__all__ = ["collect", "folder_inside"]
