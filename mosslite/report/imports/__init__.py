"""Results of other programs, as JSON results."""

from __future__ import annotations

from mosslite.report.imports.dolos import dolos_to_json
from mosslite.report.imports.jplag import jplag_to_json

__all__ = ["dolos_to_json", "jplag_to_json"]
