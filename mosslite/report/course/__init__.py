"""Results of several assignments in one: who stands out again and again."""

from __future__ import annotations

from mosslite.report.course.joining import Assignment, Identities, joined, read_identities
from mosslite.report.course.outputs import to_csv, to_json, to_page
from mosslite.report.course.roll_up import Course, roll_up

__all__ = [
    "Assignment",
    "Course",
    "Identities",
    "joined",
    "read_identities",
    "roll_up",
    "to_csv",
    "to_json",
    "to_page",
]
