"""The layout of MOSS' own result pages, to write it and to read it."""

from __future__ import annotations

from mosslite.report.moss.importing import moss_to_json
from mosslite.report.moss.pages import write_moss_html

__all__ = ["moss_to_json", "write_moss_html"]
