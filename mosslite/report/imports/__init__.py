"""Results of other programs, as JSON results."""

from __future__ import annotations

from mosslite.report.imports.dolos import dolos_to_json, is_of_dolos
from mosslite.report.imports.exports import Export
from mosslite.report.imports.jplag import is_of_jplag, jplag_to_json

__all__ = ["Export", "dolos_to_json", "is_of_dolos", "is_of_jplag", "jplag_to_json"]
