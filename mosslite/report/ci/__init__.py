"""Reports for CI servers and code hosts, and the condition for failing a job."""

from mosslite.report.ci.junit import to_junit
from mosslite.report.ci.markdown import to_markdown
from mosslite.report.ci.sarif import to_sarif

__all__ = ["to_junit", "to_markdown", "to_sarif"]
