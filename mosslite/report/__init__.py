"""Reports of a check, for people and for programs."""

from mosslite.report.folder import refuse_folder_of_others
from mosslite.report.formats.csv_files import to_csv
from mosslite.report.html import ReportMetadata, write_html
from mosslite.report.recording import to_json

__all__ = ["ReportMetadata", "refuse_folder_of_others", "to_csv", "to_json", "write_html"]
