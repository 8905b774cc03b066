"""Recognizes files written by mosslite, mostly by their first bytes: they are not submissions.

Other files are never overwritten.
"""

from codecs import BOM_UTF8
from typing import Final

JSON: Final = b'{\n "format": 1,\n "mosslite": '
CSV: Final = b"left,right,score,similarity,left_similarity,"
GRADES: Final = b"Student,ID,Highest score,Partner,Group,"
SARIF: Final = b'{\n "$schema": "https://json.schemastore.org/sarif-2.1.0.json",'
JUNIT: Final = b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="mosslite"'
MARKDOWN: Final = b"<!-- mosslite -->\n\n## "
# The key of an anonymous report.
KEY: Final = b"alias,name\n"
# A review file, as saved by a report.
_REVIEW: Final = b'{\n  "format": 1,\n  "marks": ['
BASELINE: Final = b'{\n "kind": "mosslite baseline"'
ARCHIVE_EXPORT: Final = b'{\n "kind": "mosslite archive"'
LAB_JSON: Final = b'{\n "format": 1,\n "experiment": '
LAB_CSV: Final = b"mosslite lab "
LAB_HTML: Final = b'<!doctype html>\n<html lang="en" class="lab">'

COURSE_JSON: Final = b'{\n "format": 1,\n "assignments": ['
COURSE_CSV: Final = b"left,right,stood_out,together,chance,"

# A case file, a report in one file, or the page of a course.
DOCUMENT_HTML: Final = b'<!doctype html>\n<html lang="en" class="mosslite-document">'

# A file that marks a folder as a report, and one with its results.
REPORT_MARKER: Final = ".mosslite-report"
REPORT_RESULTS: Final = "results.json"

# Application id of archives, "MsLt", stored at a fixed offset of an SQLite
# file's header.
APPLICATION_ID: Final = 0x4D734C74
_MARK: Final = slice(68, 72)

_ALL: Final = (
    *(JSON, CSV, GRADES, SARIF, JUNIT, MARKDOWN, KEY, _REVIEW, BASELINE, ARCHIVE_EXPORT),
    *(LAB_JSON, LAB_CSV, LAB_HTML, DOCUMENT_HTML, COURSE_JSON, COURSE_CSV),
)


def is_own_result(content: bytes) -> bool:
    """Return whether the content of a file starts like one of mosslite's results."""
    return begins_with(content, *_ALL)


def begins_with(content: bytes, *beginnings: bytes) -> bool:
    """Return whether content starts with one of the signatures, even after editing.

    Spreadsheets add a byte order mark and change line ends.
    """
    head = content[: len(BOM_UTF8) + 2 * max(map(len, beginnings))]
    return head.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n").startswith(beginnings)


def is_own_archive(content: bytes) -> bool:
    """Return whether an SQLite file, of which at least the header is given, is an archive."""
    return content[_MARK] == APPLICATION_ID.to_bytes(4, "big")
