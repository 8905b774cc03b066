"""Reading and writing MOSS' own format of result pages."""

from mosslite.report.moss.importing import moss_to_json
from mosslite.report.moss.pages import write_moss_html

__all__ = ["moss_to_json", "write_moss_html"]
