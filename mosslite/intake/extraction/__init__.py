"""Extraction: what of a file is compared, where that is not all of it."""

from __future__ import annotations

from mosslite.intake.extraction.extract import extracted

__all__ = ["extracted"]
