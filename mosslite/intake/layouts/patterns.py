"""How the platforms name things: one table.

The lazy groups end at the first place that fits, as students choose what comes last (the file's
name) and could otherwise write another student's number there.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = [
    "BLACKBOARD",
    "BLACKBOARD_NAME",
    "BLACKBOARD_TEXT",
    "BRIGHTSPACE",
    "BRIGHTSPACE_DATE",
    "CANVAS",
    "CANVAS_ANONYMOUS",
    "CANVAS_UPLOAD",
    "CLOCK",
    "EXTRAS",
    "GITHUB_FOLDER",
    "GRADESCOPE_FOLDER",
    "GRADESCOPE_TOP",
    "MOODLE",
]

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
BRIGHTSPACE_DATE: Final = re.compile(
    r"(?P<month>[A-Za-z]{3})[a-z]*\.? (?P<day>[0-9]{1,2}),? (?P<year>[0-9]{4}),? "
    r"(?P<hour>[0-9]{1,2})[:._]?(?P<minute>[0-9]{2})(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?"
)

# hw1-submissions/, which holds hw1-ann/
GITHUB_FOLDER: Final = re.compile(r"(?P<slug>.+)-submissions", re.DOTALL)

# 2019-07-23 17:12:33.123456789 +0200
CLOCK: Final = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?P<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)"
    r"(?:[.,][0-9]+)?\s*(?P<zone>Z|UTC|[+-][0-9]{2}:?[0-9]{2})?"
)

# What an export, or the instructor, puts beside the submissions.
EXTRAS: Final = frozenset(
    {"index.html", "grades.csv", "gradebook.csv", "roster.csv", "submissions.csv"}
)
