"""Hidden, look-alike and escaped characters of the submissions, for people and for programs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mosslite.display import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mosslite.records import Disguise, Report, SourceFile, Work

__all__ = [
    "DisguiseRow",
    "DisguisedRow",
    "counted_disguises",
    "disguise_rows",
    "disguised_rows",
    "disguises_for_programs",
]

_NAMES: Final = {
    "zero-width": "zero-width character",
    "bidirectional": "bidirectional control",
    "homoglyph": "look-alike character",
    "full-width": "full-width character",
    "escape": "escaped character",
}


@dataclass(frozen=True, slots=True)
class DisguiseRow:
    """The characters of one kind in one file; ``what`` counts them in words."""

    file: SourceFile
    what: str
    characters: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DisguisedRow:
    """A submission that has any, by number: how many of each kind, and in how many files."""

    number: int
    work: Work
    what: str
    files: int


def counted_disguises(disguises: Iterable[Disguise]) -> str:
    """Count the characters of each kind, as in ``3 zero-width characters``; empty without any."""
    counts: Counter[str] = Counter()
    for each in disguises:
        counts[each.kind] += each.count
    return ", ".join(counted(counts[kind], name) for kind, name in _NAMES.items() if counts[kind])


def disguise_rows(work: Work) -> list[DisguiseRow]:
    """Return what a submission has, by file and kind."""
    return [
        DisguiseRow(document.file, counted_disguises([each]), each.characters, each.lines)
        for document in work.documents
        for each in document.disguises
    ]


def disguised_rows(report: Report) -> list[DisguisedRow]:
    """Return the submissions that have any, in the order of the report."""
    rows = []
    for number, work in enumerate(report.works, 1):
        found = [each for document in work.documents for each in document.disguises]
        files = sum(bool(document.disguises) for document in work.documents)
        if found:
            rows.append(DisguisedRow(number, work, counted_disguises(found), files))
    return rows


def disguises_for_programs(work: Work) -> list[dict[str, object]]:
    """Return what the JSON results say of a submission's characters."""
    return [
        {
            "file": document.file.name,
            "kind": each.kind,
            "characters": [f"U+{ord(character):04X}" for character in each.characters],
            "lines": each.lines,
            "count": each.count,
        }
        for document in work.documents
        for each in document.disguises
    ]
