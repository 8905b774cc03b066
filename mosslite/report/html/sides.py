"""What the template of a pair page is given: both sides, ordered for reading."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mosslite.languages import find_language

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mosslite.model import Disguise, Document, Match, Pair, Place, SourceFile, Work
    from mosslite.report.html.listing import Canvas

__all__ = ["FileHead", "Side", "has_blocks", "origins_of", "sides_of"]


@dataclass(frozen=True, slots=True)
class FileHead:
    """What stands above the lines of a file.

    Attributes:
        is_named: Its name is that of the submission, as the user gave the file itself.
        lines: How many there are.
        matched: Tokens of it that are in a match.
        share: The part of its comparable tokens that is matched; None where none is comparable.
    """

    source: SourceFile
    is_named: bool
    language: str
    is_degraded: bool
    has_text: bool
    lines: int
    matched: int
    share: float | None
    origins: tuple[str, ...]
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
    """Tell whether any matches belong together."""
    return len({match.block for match in pair.matches}) < len(pair.matches)


def origins_of(pair: Pair) -> list[str]:
    """Tell where the boilerplate of either side comes from, if it has any."""
    documents = (*pair.left.documents, *pair.right.documents)
    greyed = [document for document in documents if document.is_boilerplate.any()]
    return list(dict.fromkeys(origin for each in greyed for origin in each.origins or ("",)))


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
            language=find_language(document.language).title,
            is_degraded=document.is_degraded,
            has_text=document.has_text,
            lines=len(canvas_of(document).lines),
            matched=matched[number],
            share=matched[number] / count if count else None,
            origins=document.origins if document.is_boilerplate.any() else (),
            disguises=document.disguises,
        )
        for number, (document, count) in enumerate(
            zip(work.documents, comparable.tolist(), strict=True)
        )
    )
