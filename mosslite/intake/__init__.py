"""Intake: the paths a user gave become submissions of decoded files."""

from __future__ import annotations

from mosslite.intake.attempts import EARLIER
from mosslite.intake.collect import collect
from mosslite.intake.ignoring import BUILT, WITH_PROGRAMS
from mosslite.intake.layouts.records import EARLIER_UPLOAD
from mosslite.intake.machine_made import REASONS as MACHINE_MADE

__all__ = ["BUILT", "EARLIER", "EARLIER_UPLOAD", "MACHINE_MADE", "WITH_PROGRAMS", "collect"]
