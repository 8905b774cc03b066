"""Intake: the paths a user gave become submissions of decoded files."""

from __future__ import annotations

from mosslite.intake.attempts import EARLIER
from mosslite.intake.collect import collect
from mosslite.intake.ignoring import BUILT, WITH_PROGRAMS
from mosslite.intake.machine_made import REASONS as MACHINE_MADE
from mosslite.intake.plan import GIVEN_TWICE

__all__ = ["BUILT", "EARLIER", "GIVEN_TWICE", "MACHINE_MADE", "WITH_PROGRAMS", "collect"]
