"""How the platforms name things and write times: one table."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

__all__ = [
    "BLACKBOARD",
    "BLACKBOARD_NAME",
    "BLACKBOARD_TEXT",
    "BRIGHTSPACE",
    "CANVAS",
    "CANVAS_ANONYMOUS",
    "CANVAS_UPLOAD",
    "EXTRAS",
    "GITHUB_FOLDER",
    "GRADESCOPE_FOLDER",
    "GRADESCOPE_TOP",
    "MOODLE",
    "american",
    "ascending",
    "iso",
]


_MONTHS: Final = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)


def iso(text: str) -> str:
    """Return a time in ISO 8601 to the second, or as it is if it cannot be told."""
    text = text.strip()
    match = _CLOCK.fullmatch(text)
    if match is None:
        return text
    zone = (match["zone"] or "").replace("UTC", "Z")
    try:
        return datetime.fromisoformat(f"{match['date']}T{match['time']}{zone}").isoformat()
    except ValueError:
        return text


def american(text: str) -> str:
    """Return a time such as ``January 15, 2024 1159 PM`` in ISO 8601, or as it is."""
    match = _BRIGHTSPACE_DATE.fullmatch(text)
    if match is None or match["month"].lower() not in _MONTHS:
        return text
    month = _MONTHS.index(match["month"].lower()) + 1
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] in "Pp" else 0)
    try:
        # The platform does not say which zone; nothing is made up here.
        when = datetime(int(match["year"]), month, int(match["day"]), hour, int(match["minute"]))  # noqa: DTZ001
    except ValueError:
        return text
    return when.isoformat()


def ascending(text: str) -> str:
    """Return a string that ascends with the time that ``text`` is in ISO 8601, in any zone."""
    try:
        when = datetime.fromisoformat(text)
        return (when.astimezone(UTC) if when.tzinfo else when).strftime("%Y-%m-%dT%H:%M:%S")
    except (ValueError, OverflowError):
        return text


# smithbob_LATE_340934_208490284_hw.py, or smithbob_340934_text.html for what was typed in.
CANVAS: Final = re.compile(
    r"(?P<who>.*?)(?P<late>_LATE)?_(?P<id>[0-9]+)_"
    r"(?:(?P<attachment>[0-9]+)_(?P<file>.+)|(?P<typed>(?:text|link)\.html))",
    re.DOTALL,
)
# LATE_anon_aB3dE_208490284_hw.py
CANVAS_ANONYMOUS: Final = re.compile(
    r"(?P<late>LATE_)?anon_(?P<id>[0-9A-Za-z]+)_"
    r"(?:(?P<attachment>[0-9]+)_(?P<file>.+)|(?P<typed>(?:text|link)\.html))",
    re.DOTALL,
)
# hw-1.py: hw.py, uploaded again
CANVAS_UPLOAD: Final = re.compile(
    r"(?P<stem>.+)-(?P<number>[0-9]{1,2})(?P<suffix>\.[^.]*)?", re.DOTALL
)

# Ann Smith_123_assignsubmission_file (a folder; older sites add an underscore), or
# Ann Smith_123_assignsubmission_file_Main.java
MOODLE: Final = re.compile(
    r"(?P<who>.+?)_(?P<id>[0-9]+)_assignsubmission_(?P<kind>[a-z]+)(?P<rest>(?:[_.].*)?)",
    re.DOTALL,
)

# submission_123 (a folder) or, of an assignment on paper, 123.pdf; in assignment_7_export/
GRADESCOPE_TOP: Final = re.compile(r"submission_[0-9]+|[0-9]+\.pdf")
GRADESCOPE_FOLDER: Final = re.compile(r"assignment_[0-9]+_export")

# Homework 1_ann_attempt_2024-01-15-23-59-00_Main.java, and a note that ends after the time
BLACKBOARD: Final = re.compile(
    r"(?P<who>.+?)_attempt_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})(?:_(?P<file>.+)|(?P<note>\.txt))?",
    re.DOTALL,
)
BLACKBOARD_NAME: Final = re.compile(
    r"^Name:(?P<name>[^\r\n]*)\((?P<user>[^()\r\n]*)\)[ \t]*\r?$", re.MULTILINE
)
# What was typed in; without any the platform says so in a sentence.
BLACKBOARD_TEXT: Final = re.compile(
    r"^Submission Field:\s*(?!There is no student submission text data)(?!Comments:)\S",
    re.MULTILINE,
)

# 101-7 - Ann Smith - January 15, 2024 1159 PM (a folder, or before the file's name)
BRIGHTSPACE: Final = re.compile(
    r"(?P<first>[0-9]+)-(?P<second>[0-9]+) - (?P<who>.+?) - "
    r"(?P<time>(?:[^\W\d_]+\.? [0-9]{1,2}|[0-9]{1,2}\.? [^\W\d_]+\.?),? [0-9]{4}"
    r"(?:,? [0-9]{1,2}[:._]?[0-9]{2}(?:\s?[AaPp]\.?[Mm]\.?)?)?)"
    r"(?: - (?P<file>.+))?",
    re.DOTALL,
)
_BRIGHTSPACE_DATE: Final = re.compile(
    r"(?P<month>[A-Za-z]{3})[a-z]*\.? (?P<day>[0-9]{1,2}),? (?P<year>[0-9]{4}),? "
    r"(?P<hour>[0-9]{1,2})[:._]?(?P<minute>[0-9]{2})(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?"
)

# hw1-submissions/, which holds hw1-ann/
GITHUB_FOLDER: Final = re.compile(r"(?P<slug>.+)-submissions", re.DOTALL)

# 2019-07-23 17:12:33.123456789 +0200
_CLOCK: Final = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?P<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)"
    r"(?:[.,][0-9]+)?\s*(?P<zone>Z|UTC|[+-][0-9]{2}:?[0-9]{2})?"
)

# What an export, or the instructor, puts beside the submissions.
EXTRAS: Final = frozenset(
    {"index.html", "grades.csv", "gradebook.csv", "roster.csv", "submissions.csv"}
)
