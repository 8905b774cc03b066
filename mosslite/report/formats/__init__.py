"""The formats of results that are one file each.

A new format is a row here, its first bytes among the signatures, and a function.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from mosslite.records import Detail, Report
from mosslite.report.baseline import Gate
from mosslite.report.formats.csv_files import to_csv, to_grades
from mosslite.report.formats.junit import to_junit
from mosslite.report.formats.markdown import to_markdown
from mosslite.report.formats.sarif import to_sarif
from mosslite.report.html import ReportMetadata
from mosslite.report.recording import json_of
from mosslite.signatures import Signature


@dataclass(frozen=True, slots=True)
class Found:
    """A report as it is displayed, with the settings of its outputs.

    Attributes:
        report: With or without names.
        key: The key of an anonymous report.
        gate: The condition for failing a job.
        metadata: Time of the run, version, and language of pages and of the terminal.
    """

    report: Report
    key: str
    gate: Gate
    metadata: ReportMetadata


Content = str | Iterable[bytes]
"""The content of a file as text, or as pieces of UTF-8."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format, and the option that writes it.

    Attributes:
        option: As in ``--json``.
        signature: First bytes of such a file: no other file is overwritten.
        write: Returns the content.
        help: What the option writes.
        detail: What it shows of every pair.
        metavar: Name of the file in the help.
    """

    option: str
    signature: Signature
    write: Callable[[Found], Content]
    help: str
    detail: Detail = Detail.SCORE
    metavar: str = "FILE"

    @property
    def name(self) -> str:
        """Name of the parameter."""
        return self.option.removeprefix("--")


def _in_one_file(found: Found) -> str:
    from mosslite.report.html.document import to_one_file  # noqa: PLC0415 - rarely needed

    return to_one_file(found.report, found.metadata)


FORMATS: Final = (
    Format(
        "--json",
        Signature.JSON,
        lambda found: json_of(
            found.report, created=found.metadata.created, version=found.metadata.version
        ),
        "Write JSON; '-' is standard output.",
        Detail.MATCHES,
    ),
    Format(
        "--csv",
        Signature.CSV,
        lambda found: to_csv(found.report),
        "Write CSV; '-' is standard output.",
        Detail.COVERAGE,
    ),
    Format(
        "--grades",
        Signature.GRADES,
        lambda found: to_grades(found.report),
        "Write CSV with a row for each student: Student and ID, as Canvas calls them, highest "
        "score, partner, group, whether it reaches the threshold, and review mark; '-' is "
        "standard output.",
    ),
    Format(
        "--sarif",
        Signature.SARIF,
        lambda found: to_sarif(found.report, found.gate, version=found.metadata.version),
        "Write SARIF 2.1.0 for code scanning; '-' is standard output.",
    ),
    Format(
        "--junit",
        Signature.JUNIT,
        lambda found: to_junit(found.report, found.gate),
        "Write JUnit XML, in which submissions of pairs at or above --fail-above fail; '-' is "
        "standard output.",
    ),
    Format(
        "--markdown",
        Signature.MARKDOWN,
        lambda found: to_markdown(found.report, found.gate),
        "Write a summary in Markdown; '-' is standard output. If GITHUB_STEP_SUMMARY is set, it "
        "is also appended to that file.",
    ),
)
"""Those of which each option names a file."""

KEY: Final = Format(
    "--anonymize",
    Signature.KEY,
    lambda found: found.key,
    "Replace names by numbers in all output, and write the key to KEY.csv. The text of the "
    "sources is not changed: names in comments stay.",
    metavar="KEY.csv",
)
SINGLE_FILE: Final = Format(
    "--single-file",
    Signature.DOCUMENT_HTML,
    _in_one_file,
    "Write the report as one HTML file, named by -o, instead of a folder.  "
    "[default: mosslite-report.html]",
    Detail.MATCHES,
)
BY_OPTION: Final = {each.option: each for each in (SINGLE_FILE, *FORMATS, KEY)}
