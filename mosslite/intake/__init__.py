"""Intake: the paths a user gave become submissions of decoded files."""

from __future__ import annotations

from mosslite.intake.collect import collect

__all__ = ["collect"]
