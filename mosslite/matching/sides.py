"""Submissions as sides of pairs: tokens, k-grams and lines, one by one or concatenated."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import accumulate, takewhile
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import covered, line_starts
from mosslite.records import Comparable, Document, KGrams, Location, Segment, TokenizedSubmission
from mosslite.winnowing.runs import SharedGrams
from mosslite.winnowing.tiles import WAYS_PER_TOKEN, tiled, tiled_by_length

# Maximum number of lines on one side alone between two lines on both sides.
_MOST_BETWEEN: Final = 5

# Text of each line without tokens; empty if it has nothing of the author's own, None
# for lines with tokens.
FreeLines = list[str | None]


def free_lines(document: Document) -> FreeLines:
    """Return the text of every line without tokens, such as comments and imports."""
    text, stream = document.file.text, document.stream
    starts = [*line_starts(text).tolist(), len(text)]
    has_token = covered(stream.lines - 1, stream.last_lines, len(starts) - 1)
    own = np.zeros(len(starts), np.bool_)
    own[document.traces.lines - 1] = True
    return [
        None if has_token[line] else text[starts[line] : starts[line + 1]].strip() * bool(own[line])
        for line in range(len(starts) - 1)
    ]


def extended(
    left: Location, right: Location, left_lines: FreeLines, right_lines: FreeLines
) -> tuple[Location, Location]:
    """Extend both locations of a match over equal lines without tokens.

    Lines on one side alone are skipped, like comments inside a match. Only the lines of the match
    are extended, not its characters.
    """
    above = _reaches(left_lines, left.first_line - 2, right_lines, right.first_line - 2, step=-1)
    below = _reaches(left_lines, left.last_line, right_lines, right.last_line, step=1)
    return _grown(left, above[0], below[0]), _grown(right, above[1], below[1])


def _grown(place: Location, above: int, below: int) -> Location:
    if not (above or below):
        return place
    return place._replace(first_line=place.first_line - above, last_line=place.last_line + below)


def _from(lines: FreeLines, start: int, step: int) -> list[str]:
    """Return the consecutive free lines from ``start`` on."""
    texts = (lines[at] for at in range(start, len(lines) if step > 0 else -1, step))
    return [text or "" for text in takewhile(lambda text: text is not None, texts)]


def _is_free(lines: FreeLines, at: int) -> bool:
    return 0 <= at < len(lines) and lines[at] is not None


def _reaches(
    left_lines: FreeLines, left_start: int, right_lines: FreeLines, right_start: int, *, step: int
) -> tuple[int, int]:
    """Count on each side the lines up to the last one in common, unless it is too far away."""
    if not (_is_free(left_lines, left_start) and _is_free(right_lines, right_start)):
        return 0, 0  # the usual case
    left, right = _from(left_lines, left_start, step), _from(right_lines, right_start, step)
    common = {*left} & {*right} - {""}
    return _last_of(common, left), _last_of(common, right)


def _last_of(wanted: set[str], lines: list[str]) -> int:
    """Return the number of the last wanted line, as long as the gaps between them are short."""
    last = others = 0
    for number, line in enumerate(lines, 1):
        if line in wanted:
            last, others = number, 0
        elif line:
            others += 1
        if others > _MOST_BETWEEN:
            break
    return last


@dataclass(frozen=True, slots=True, eq=False)
class TokenPlaces:
    """Positions of a submission's comparable tokens, ``(n,)`` each, in lines of all documents.

    Attributes:
        starts: First character of each token in its document.
        stops: One past its last character.
        first_lines: Line of its first character in its document.
        last_lines: Line of its last character.
        shifts: Number of lines in the documents before its own.
        line_count: Number of lines in total.
    """

    starts: NDArray[np.int32]
    stops: NDArray[np.int32]
    first_lines: NDArray[np.int32]
    last_lines: NDArray[np.int32]
    shifts: NDArray[np.int64]
    line_count: int


@dataclass(frozen=True, eq=False)  # not slotted, for cached properties
class Side:
    """A submission as one side of pairs.

    Attributes:
        grams: All its k-grams of noise threshold length. Hashes may be replaced by numbers that are
            equal if they are, and in the same order.
        bits: ``(n,) int64``, information of each comparable token, in units of 1/256 bit.
    """

    submission: TokenizedSubmission
    grams: KGrams
    bits: NDArray[np.int64]

    def numbered(self, numbers: NDArray[np.uint64]) -> Side:
        """Return the same side with numbers in place of the k-grams' hashes."""
        return Side(self.submission, KGrams(numbers, self.grams.starts), self.bits)

    @cached_property
    def size(self) -> int:
        """Number of tokens in its documents, independent of k."""
        return sum(len(each.stream) for each in self.submission.documents)

    @cached_property
    def precedence(self) -> tuple[int, bytes]:
        """Sort key that decides which side is tiled first, independent of names: size, content."""
        content = hashlib.blake2b(digest_size=16)
        for each in self.submission.documents:
            content.update(each.stream.codes.tobytes())
            content.update(np.packbits(each.is_boilerplate).tobytes() + b"\n")
        return self.size, content.digest()

    @cached_property
    def places(self) -> TokenPlaces:
        """Positions of its comparable tokens."""
        return _token_places(self.submission)

    @cached_property
    def next_texts(self) -> NDArray[np.int64]:
        """``(n,)``, the first comparable token from each one on that has text; ends have none."""
        places = self.places
        numbers = np.arange(len(places.starts))
        numbers[places.starts == places.stops] = len(numbers)
        return np.minimum.accumulate(numbers[::-1])[::-1]

    @cached_property
    def free_lines(self) -> dict[int, FreeLines]:
        """Lines without tokens of the documents compared, by document."""
        numbers = sorted({*_documents_of(self.submission.comparable)})
        return {number: free_lines(self.submission.documents[number]) for number in numbers}


def _documents_of(comparable: Comparable) -> list[int]:
    """Return the document number of each segment."""
    starts = [each.start for each in comparable.segments]
    numbers: list[int] = comparable.documents[starts].tolist() if starts else []
    return numbers


def _token_places(submission: TokenizedSubmission) -> TokenPlaces:
    comparable = submission.comparable
    documents = [submission.documents[number] for number in _documents_of(comparable)]
    sizes = [each.stop - each.start for each in comparable.segments]
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
        for document, each in zip(documents, comparable.segments, strict=True)
    ]


def joined_comparables(parts: Sequence[Comparable]) -> Comparable:
    """Concatenate the tokens of several submissions as if they were files of one."""
    if len(parts) == 1:
        return parts[0]
    shifts = [0, *accumulate(map(len, parts))]
    firsts = [0, *accumulate(int(each.documents.max(initial=-1)) + 1 for each in parts)]
    columns = {
        field.name: np.concatenate([getattr(each, field.name) for each in parts])
        for field in fields(Comparable)
        if field.name not in {"documents", "segments"}
    }
    documents = [each.documents + first for each, first in zip(parts, firsts, strict=False)]
    return Comparable(
        **columns,
        documents=np.concatenate(documents).astype(np.int32),
        segments=tuple(
            Segment(each.start + shift, each.stop + shift, each.thresholds)
            for part, shift in zip(parts, shifts, strict=False)
            for each in part.segments
        ),
    )


def joined_kgrams(sides: Sequence[Side], distinct: int) -> KGrams:
    """Return the k-grams of concatenated submissions; those of different submissions differ.

    Args:
        sides: The submissions; their k-grams have numbers below ``distinct`` in place of hashes.
        distinct: Upper bound of these numbers.
    """
    if len(sides) == 1:
        return sides[0].grams
    sizes = [len(each.grams.hashes) for each in sides]
    shifts = [0, *accumulate(len(each.submission.comparable) for each in sides)][:-1]
    steps = np.arange(len(sides), dtype=np.uint64) * np.uint64(distinct)
    return KGrams(
        np.concatenate([each.grams.hashes for each in sides]) + np.repeat(steps, sizes),
        np.concatenate([each.grams.starts for each in sides]) + np.repeat(shifts, sizes),
    )


class Tiles(NamedTuple):
    """The tiles of some pairs, pair by pair, in order of position on the left: ``(t,) int64``.

    Attributes:
        counts: ``(p,)``, number of tiles in each pair.
        lefts: First token of each in the left submission.
        rights: First token of each in the right submission.
        lengths: Length in tokens.
    """

    counts: NDArray[np.int64]
    lefts: NDArray[np.int64]
    rights: NDArray[np.int64]
    lengths: NDArray[np.int64]


def tiles_of(pairs: Sequence[tuple[Side, Side]], distinct: int = 0) -> Tiles:
    """Find the tiles of some pairs; swapping left and right does not change them.

    Most pairs share little, and for short arrays the overhead of calls dominates: so the
    submissions of some pairs are concatenated and tiled as one long pair.

    Args:
        pairs: The sides of each pair.
        distinct: With several pairs, the number of distinct k-grams.
    """
    is_swapped = np.array([right.precedence < left.precedence for left, right in pairs], np.bool_)
    ordered = [
        (right, left) if swap else (left, right)
        for (left, right), swap in zip(pairs, is_swapped.tolist(), strict=True)
    ]
    firsts, seconds, lengths, owners = _tiles_by_pair(ordered, distinct)
    swapped = is_swapped[owners]
    lefts, rights = np.where(swapped, seconds, firsts), np.where(swapped, firsts, seconds)
    order = np.lexsort((lefts, owners))
    counts = np.bincount(owners, minlength=len(pairs))
    return Tiles(counts, lefts[order], rights[order], lengths[order])


def _tiles_by_pair(
    pairs: Sequence[tuple[Side, Side]], distinct: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return for each tile its first token on either side, length and pair, in any order."""
    lefts, rights = zip(*pairs, strict=True)
    left = joined_comparables([each.submission.comparable for each in lefts])
    right = joined_comparables([each.submission.comparable for each in rights])
    stops, right_stops = (
        np.cumsum([len(each.submission.comparable) for each in sides]) for sides in (lefts, rights)
    )
    shared = SharedGrams.of(joined_kgrams(lefts, distinct), joined_kgrams(rights, distinct))
    of_grams = np.searchsorted(stops, shared.left.starts[shared.firsts], side="right")
    most = WAYS_PER_TOKEN * np.array([each.size + other.size for each, other in pairs])
    ways = np.bincount(of_grams, shared.ways, minlength=len(pairs))
    repeats = ways > most
    columns = tiled(shared.only(~repeats[of_grams]) if repeats.any() else shared, left, right)
    owners = np.searchsorted(stops, columns[:, 0], side="right")
    columns[:, 0] -= np.append(0, stops)[owners]
    columns[:, 1] -= np.append(0, right_stops)[owners]
    for number in np.flatnonzero(repeats).tolist():
        sides = [each.submission.comparable for each in pairs[number]]
        further = tiled_by_length(sides[0], sides[1], int(most[number]))
        columns = np.concatenate([columns, further])
        owners = np.append(owners, np.full(len(further), number))
    return columns[:, 0], columns[:, 1], columns[:, 2], owners
