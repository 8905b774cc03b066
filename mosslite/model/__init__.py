"""The records that stages hand to each other, and the report they add up to."""

from __future__ import annotations

from mosslite.model.results import (
    CommonPassage,
    Detail,
    Lines,
    Match,
    Pair,
    RareEvidence,
    Report,
    Threshold,
)
from mosslite.model.sources import (
    Batch,
    HandIn,
    Inputs,
    Part,
    Progress,
    Role,
    Skipped,
    SourceFile,
    Submission,
    over_limits,
    untold,
)
from mosslite.model.works import (
    SYNTAX_CLASSES,
    Colours,
    Disguise,
    Document,
    LeftOut,
    Place,
    Work,
)

__all__ = [
    "SYNTAX_CLASSES",
    "Batch",
    "Colours",
    "CommonPassage",
    "Detail",
    "Disguise",
    "Document",
    "HandIn",
    "Inputs",
    "LeftOut",
    "Lines",
    "Match",
    "Pair",
    "Part",
    "Place",
    "Progress",
    "RareEvidence",
    "Report",
    "Role",
    "Skipped",
    "SourceFile",
    "Submission",
    "Threshold",
    "Work",
    "over_limits",
    "untold",
]
