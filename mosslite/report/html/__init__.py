"""The HTML report: an overview, and a page for each group, submission and pair."""

from mosslite.report.html.pages import ReportMetadata, write_html

__all__ = ["ReportMetadata", "write_html"]
