"""The outcome for people and for programs."""

from __future__ import annotations

from mosslite.report.folder import refuse_foreign_folder
from mosslite.report.html import Imprint, write_html
from mosslite.report.results import to_csv, to_json

__all__ = ["Imprint", "refuse_foreign_folder", "to_csv", "to_json", "write_html"]
