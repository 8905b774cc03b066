"""The records that stages hand to each other, and the report they add up to."""

from __future__ import annotations

from mosslite.model.results import (
    CommonPassage,
    LanguageLimit,
    Lines,
    Match,
    NoThreshold,
    Pair,
    RareEvidence,
    Report,
    Threshold,
    UnlistedPair,
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
    untold,
)
from mosslite.model.works import SYNTAX_CLASSES, Colours, Disguise, Document, Place, Work

__all__ = [
    "SYNTAX_CLASSES",
    "Batch",
    "Colours",
    "CommonPassage",
    "Disguise",
    "Document",
    "HandIn",
    "Inputs",
    "LanguageLimit",
    "Lines",
    "Match",
    "NoThreshold",
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
    "UnlistedPair",
    "Work",
    "untold",
]
