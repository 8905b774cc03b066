"""Recognizes files written by mosslite, mostly by their first bytes: they are not submissions.

Other files are never overwritten.
"""

from codecs import BOM_UTF8
from enum import Enum
from typing import Final


class Signature(bytes, Enum):
    """First bytes of each kind of result."""

    JSON = b'{\n "format": 1,\n "mosslite": '
    CSV = b"left,right,score,similarity,left_similarity,"
    GRADES = b"Student,ID,Highest score,Partner,Group,"
    SARIF = b'{\n "$schema": "https://json.schemastore.org/sarif-2.1.0.json",'
    JUNIT = b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="mosslite"'
    MARKDOWN = b"<!-- mosslite -->\n\n## "
    # The key of an anonymous report.
    KEY = b"alias,name\n"
    # A review file, as saved by a report.
    REVIEW = b'{\n  "format": 1,\n  "marks": ['
    BASELINE = b'{\n "kind": "mosslite baseline"'
    ARCHIVE_EXPORT = b'{\n "kind": "mosslite archive"'
    LAB_JSON = b'{\n "format": 1,\n "experiment": '
    LAB_CSV = b"mosslite lab "
    COURSE_JSON = b'{\n "format": 1,\n "assignments": ['
    COURSE_CSV = b"left,right,stood_out,together,chance,"
    QUERY_JSON = b'{\n "kind": "mosslite query"'
    QUERY_CSV = b"term,name,containment,resemblance,"
    # A case file, a report in one file, or the page of a course.
    DOCUMENT_HTML = b'<!doctype html>\n<html lang="en" class="mosslite-document">'


# A file that marks a folder as a report, and one with its results.
REPORT_MARKER: Final = ".mosslite-report"
REPORT_RESULTS: Final = "results.json"

# Application id of archives, "MsLt", stored at a fixed offset of an SQLite
# file's header.
APPLICATION_ID: Final = 0x4D734C74
_MARK: Final = slice(68, 72)


def is_own_result(content: bytes) -> bool:
    """Return whether the content of a file starts like one of mosslite's results."""
    return begins_with(content, *Signature)


def begins_with(content: bytes, *beginnings: bytes) -> bool:
    """Return whether content starts with one of the signatures, even after editing.

    Spreadsheets add a byte order mark and change line ends.
    """
    head = content[: len(BOM_UTF8) + 2 * max(map(len, beginnings))]
    return head.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n").startswith(beginnings)


def is_own_archive(content: bytes) -> bool:
    """Return whether an SQLite file, of which at least the header is given, is an archive."""
    return content[_MARK] == APPLICATION_ID.to_bytes(4, "big")
