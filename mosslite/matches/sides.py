"""What is needed of a work to find and to place its matches, and of many works end to end."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from mosslite.columns import Comparable, KGrams, Stretch
from mosslite.matches.lines import free_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mosslite.matches.lines import FreeLines
    from mosslite.model import Document, Work

__all__ = ["Side", "TokenPlaces", "joined_comparables", "joined_kgrams"]


@dataclass(frozen=True, slots=True, eq=False)
class TokenPlaces:
    """Where the comparable tokens of a work stand, ``(n,)`` each, in lines of all documents.

    Attributes:
        starts: First character of each token in its document.
        stops: One past its last.
        first_lines: Line of its first character in its document.
        last_lines: Line of its last.
        shifts: How many lines the documents before its own have.
        line_count: How many lines there are in all.
    """

    starts: NDArray[np.int32]
    stops: NDArray[np.int32]
    first_lines: NDArray[np.int32]
    last_lines: NDArray[np.int32]
    shifts: NDArray[np.int64]
    line_count: int


@dataclass(frozen=True, eq=False)  # not slotted: what follows is made when it is asked for
class Side:
    """A work as one side of pairs.

    Attributes:
        grams: All its k-grams of noise threshold length. In place of hashes they may have numbers
            that are equal where these are, and in the same order.
    """

    work: Work
    grams: KGrams

    def numbered(self, numbers: NDArray[np.uint64]) -> Side:
        """Return the same side with a number for each k-gram in place of its hash."""
        return Side(self.work, KGrams(numbers, self.grams.starts))

    @property
    def size(self) -> int:
        """How many tokens its documents have, whatever k is."""
        return sum(len(each.stream) for each in self.work.documents)

    @cached_property
    def precedence(self) -> tuple[int, bytes]:
        """What says which side of a pair is tiled first, whatever it is called: size, content."""
        content = hashlib.blake2b(digest_size=16)
        for each in self.work.documents:
            content.update(each.stream.codes.tobytes())
            content.update(np.packbits(each.is_boilerplate).tobytes() + b"\n")
        return self.size, content.digest()

    @cached_property
    def places(self) -> TokenPlaces:
        """Where its comparable tokens stand."""
        return _token_places(self.work)

    @cached_property
    def free_lines(self) -> dict[int, FreeLines]:
        """The lines without tokens of the documents that are compared, by document."""
        numbers = sorted({*_documents_of(self.work.comparable)})
        return {number: free_lines(self.work.documents[number]) for number in numbers}


def _documents_of(comparable: Comparable) -> list[int]:
    """Number the document of each stretch."""
    starts = [each.start for each in comparable.stretches]
    numbers: list[int] = comparable.documents[starts].tolist() if starts else []
    return numbers


def _token_places(work: Work) -> TokenPlaces:
    comparable = work.comparable
    documents = [work.documents[number] for number in _documents_of(comparable)]
    sizes = [each.stop - each.start for each in comparable.stretches]
    line_counts = [int(each.stream.last_lines.max(initial=0)) for each in documents]
    shifts = [0, *accumulate(line_counts)]

    def gathered(name: str) -> NDArray[np.int32]:
        return np.concatenate([np.empty(0, np.int32), *_gathered(comparable, documents, name)])

    return TokenPlaces(
        starts=gathered("starts"),
        stops=gathered("stops"),
        first_lines=gathered("lines"),
        last_lines=gathered("last_lines"),
        shifts=np.repeat(np.array(shifts[:-1], np.int64), sizes),
        line_count=shifts[-1],
    )


def _gathered(
    comparable: Comparable, documents: Sequence[Document], name: str
) -> list[NDArray[np.int32]]:
    return [
        getattr(document.stream, name)[comparable.tokens[each.start : each.stop]]
        for document, each in zip(documents, comparable.stretches, strict=True)
    ]


def joined_comparables(parts: Sequence[Comparable]) -> Comparable:
    """Lay the tokens of several works end to end, as though they were files of one work."""
    if len(parts) == 1:
        return parts[0]
    shifts = [0, *accumulate(map(len, parts))]
    firsts = [0, *accumulate(int(each.documents.max(initial=-1)) + 1 for each in parts)]
    columns = {
        field.name: np.concatenate([getattr(each, field.name) for each in parts])
        for field in fields(Comparable)
        if field.name not in {"documents", "stretches"}
    }
    documents = [each.documents + first for each, first in zip(parts, firsts, strict=False)]
    return Comparable(
        **columns,
        documents=np.concatenate(documents).astype(np.int32),
        stretches=tuple(
            Stretch(each.start + shift, each.stop + shift, each.thresholds)
            for part, shift in zip(parts, shifts, strict=False)
            for each in part.stretches
        ),
    )


def joined_kgrams(sides: Sequence[Side], distinct: int) -> KGrams:
    """Return the k-grams of works laid end to end; those of different works all differ.

    Args:
        sides: The works, whose k-grams have numbers below ``distinct`` in place of hashes.
        distinct: How many numbers there are.
    """
    if len(sides) == 1:
        return sides[0].grams
    sizes = [len(each.grams.hashes) for each in sides]
    shifts = [0, *accumulate(len(each.work.comparable) for each in sides)][:-1]
    steps = np.arange(len(sides), dtype=np.uint64) * np.uint64(distinct)
    return KGrams(
        np.concatenate([each.grams.hashes for each in sides]) + np.repeat(steps, sizes),
        np.concatenate([each.grams.starts for each in sides]) + np.repeat(shifts, sizes),
    )
