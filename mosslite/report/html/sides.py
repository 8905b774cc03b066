"""What the template of a pair page is given: both sides, ordered for reading."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.display import counted
from mosslite.languages import find_language
from mosslite.report.disguises import counted_disguises
from mosslite.report.whereabouts import whereabouts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mosslite.records import Disguise, Document, Match, Pair, Place, SourceFile, Work
    from mosslite.report.html.listing import Canvas

__all__ = [
    "MOST_LINES",
    "FileHead",
    "Side",
    "facts_of",
    "has_blocks",
    "origins_of",
    "remark_of",
    "sides_of",
]

# How many line numbers of one piece of evidence are printed; a name can stand in every line.
MOST_LINES: Final = 8


@dataclass(frozen=True, slots=True)
class FileHead:
    """What stands above the lines of a file.

    Attributes:
        is_named: Its name is that of the submission, as the user gave the file itself.
        facts: Its language, its size, and how it was read, in words.
        remark: Where it has characters in disguise; empty where it has none.
        matched: Tokens of it that are in a match.
        share: The part of its comparable tokens that is matched; None where none is comparable.
    """

    source: SourceFile
    is_named: bool
    has_text: bool
    facts: str
    remark: str
    matched: int
    share: float | None
    disguises: tuple[Disguise, ...]

    @property
    def name(self) -> str:
        """The file's name in its submission."""
        return self.source.name


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a pair: ``left`` or ``right``, and the number of its submission."""

    name: str
    number: int
    work: Work
    similarity: float
    files: tuple[FileHead, ...]

    @property
    def is_in_part(self) -> bool:
        """Not all of its text is compared."""
        return any(file.source.code is not None for file in self.files)


def has_blocks(pair: Pair) -> bool:
    """Return whether any matches belong together."""
    return len({match.block for match in pair.matches}) < len(pair.matches)


def origins_of(pair: Pair) -> list[str]:
    """Tell where the boilerplate of either side comes from, if it has any."""
    documents = (*pair.left.documents, *pair.right.documents)
    greyed = [document for document in documents if document.is_boilerplate.any()]
    return list(dict.fromkeys(origin for each in greyed for origin in each.origins or ("",)))


def facts_of(document: Document, lines: int, *, is_comparable: bool) -> str:
    """Describe a file of so many lines in words, whichever pair it is in."""
    facts = [find_language(document.language).title, counted(lines, "line")]
    if document.is_degraded:
        facts.append("read by a plain tokenizer, as its lexer failed or took too long")
    if not document.has_text:
        facts.append("text not kept in the archive")
    if not is_comparable:
        facts.append("nothing to compare")
    return ", ".join(facts)


def remark_of(document: Document) -> str:
    """Describe where a file has characters in disguise; empty where it has none."""
    if not document.disguises:
        return ""
    found = [
        f"{counted_disguises([each])} ({_numbered(document.file, each.lines)})"
        for each in document.disguises
    ]
    return f"{'; '.join(found)}. This says nothing about copying."


def _numbered(file: SourceFile, lines: Sequence[int]) -> str:
    shown = ", ".join(whereabouts(file, line, line) for line in lines[:MOST_LINES])
    more = f" and {len(lines) - MOST_LINES} more" if len(lines) > MOST_LINES else ""
    return f"{'line' if len(lines) == 1 else 'lines'} {shown}{more}"


def sides_of(
    pair: Pair, left: int, right: int, canvas_of: Callable[[Document], Canvas]
) -> tuple[Side, Side]:
    """Describe both sides of a pair; ``left`` and ``right`` number their submissions."""
    matched_left = _matched(pair.matches, [match.left for match in pair.matches])
    matched_right = _matched(pair.matches, [match.right for match in pair.matches])
    return (
        Side(
            "left",
            left,
            pair.left,
            pair.left_similarity,
            _heads(pair.left, matched_left, canvas_of),
        ),
        Side(
            "right",
            right,
            pair.right,
            pair.right_similarity,
            _heads(pair.right, matched_right, canvas_of),
        ),
    )


def _matched(matches: Sequence[Match], places: Sequence[Place]) -> Counter[int]:
    """Count the matched tokens of each document."""
    tokens: Counter[int] = Counter()
    for match, place in zip(matches, places, strict=True):
        tokens[place.document] += match.tokens
    return tokens


def _heads(
    work: Work, matched: Counter[int], canvas_of: Callable[[Document], Canvas]
) -> tuple[FileHead, ...]:
    comparable = np.bincount(work.comparable.documents, minlength=len(work.documents))
    return tuple(
        FileHead(
            source=document.file,
            is_named=document.file.is_given,
            has_text=document.has_text,
            facts=facts_of(document, len(canvas_of(document).lines), is_comparable=count > 0),
            remark=remark_of(document),
            matched=matched[number],
            share=min(matched[number] / count, 1) if count else None,
            disguises=document.disguises,
        )
        for number, (document, count) in enumerate(
            zip(work.documents, comparable.tolist(), strict=True)
        )
    )
