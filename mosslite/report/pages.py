"""What the page templates are given: the report's records, ordered for reading."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mosslite.languages import find_language
from mosslite.model import Role
from mosslite.report.listing import lines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mosslite.model import Document, Pair, Place, Report, Work
    from mosslite.options import Thresholds
    from mosslite.report.listing import Canvas, Line

__all__ = [
    "FileListing",
    "LanguageRow",
    "Side",
    "has_blocks",
    "has_boilerplate",
    "language_rows",
    "sides_of",
    "summary",
]


@dataclass(frozen=True, slots=True)
class FileListing:
    """One file of one side, ready to be shown."""

    name: str
    language: str
    is_degraded: bool
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a pair; ``name`` and ``other`` are ``left`` and ``right`` or the reverse."""

    name: str
    other: str
    work: Work
    similarity: float
    files: tuple[FileListing, ...]


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """How many files were read as a language, and with which thresholds."""

    title: str
    thresholds: Thresholds
    files: int


def summary(report: Report) -> str:
    """Say in a sentence what was compared and what came of it."""
    roles = Counter(work.role for work in report.works)
    others = [
        _counted(roles[role], what)
        for role, what in ((Role.PRIOR, "prior submission"), (Role.REFERENCE, "reference"))
        if roles[role]
    ]
    compared = f"{_counted(roles[Role.CURRENT], 'submission')} compared"
    against = f" with each other and with {' and '.join(others)}" if others else ""
    skipped = f", {len(report.skipped)} skipped" if report.skipped else ""
    return f"{compared}{against}{skipped}; {_found(report)}."


def _found(report: Report) -> str:
    count = len(report.pairs)
    if not count:
        return "no pair shares code"
    if count == report.options.show:
        return f"the first {count} of the pairs that share code are listed"
    return f"{_counted(count, 'pair')} {'share' if count > 1 else 'shares'} code"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def language_rows(report: Report) -> list[LanguageRow]:
    """Count the files of each language, by title."""
    counts = Counter(
        (find_language(document.language).title, document.thresholds)
        for work in report.works
        for document in work.documents
    )
    rows = [LanguageRow(title, thresholds, files) for (title, thresholds), files in counts.items()]
    return sorted(rows, key=lambda row: (row.title, row.thresholds.noise))


def has_blocks(pair: Pair) -> bool:
    """Tell whether any matches belong together."""
    return len({match.block for match in pair.matches}) < len(pair.matches)


def has_boilerplate(pair: Pair) -> bool:
    """Tell whether any file of the pair has boilerplate in it."""
    documents = (*pair.left.documents, *pair.right.documents)
    return any(document.is_boilerplate.any() for document in documents)


def sides_of(pair: Pair, canvas_of: Callable[[Document], Canvas]) -> tuple[Side, Side]:
    """Lay out both sides of a pair; a match's number is its place in ``pair.matches``."""
    lefts = {number: match.left for number, match in enumerate(pair.matches, 1)}
    rights = {number: match.right for number, match in enumerate(pair.matches, 1)}
    return (
        Side("left", "right", pair.left, pair.left_similarity, _files(pair.left, lefts, canvas_of)),
        Side(
            "right",
            "left",
            pair.right,
            pair.right_similarity,
            _files(pair.right, rights, canvas_of),
        ),
    )


def _files(
    work: Work, places: Mapping[int, Place], canvas_of: Callable[[Document], Canvas]
) -> tuple[FileListing, ...]:
    by_document: list[dict[int, Place]] = [{} for _ in work.documents]
    for number, place in places.items():
        by_document[place.document][number] = place
    return tuple(
        FileListing(
            name=document.file.name,
            language=find_language(document.language).title,
            is_degraded=document.is_degraded,
            lines=tuple(lines_of(canvas_of(document), here)),
        )
        for document, here in zip(work.documents, by_document, strict=True)
    )
