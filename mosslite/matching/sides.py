"""Submissions as sides of pairs: tokens, k-grams and lines, one by one or concatenated."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, count, takewhile
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import covered, line_starts
from mosslite.records import (
    Comparable,
    Document,
    KGrams,
    Location,
    Segment,
    TokenizedSubmission,
    TokenStream,
)
from mosslite.winnowing.fingerprints import kgrams_in_order
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


@dataclass(frozen=True, eq=False)  # not slotted, for cached properties
class Side:
    """A submission as one side of pairs.

    Attributes:
        order: ``(m,) int32``, its k-grams of noise threshold length, sorted by hash.
    """

    submission: TokenizedSubmission
    order: NDArray[np.int32]

    @property
    def grams(self) -> KGrams:
        """The k-grams; hashed on each access, which is fast, as they take much memory."""
        hashes, starts = kgrams_in_order(self.comparable)
        return KGrams(hashes[self.order], starts[self.order].astype(np.int32))

    @cached_property
    def comparable(self) -> Comparable:
        """Its comparable tokens."""
        return self.submission.comparable

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
    def free_lines(self) -> Callable[[int], FreeLines]:
        """Return the lines without tokens of a document."""
        return cache(lambda number: free_lines(self.submission.documents[number]))


def segments_of(
    sides: Sequence[Side],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return where each file of concatenated submissions starts and stops, and its submission."""
    starts = accumulate((len(each.comparable) for each in sides), initial=0)
    rows = [
        (start + segment.start, start + segment.stop, number)
        for number, (start, side) in enumerate(zip(starts, sides, strict=False))
        for segment in side.comparable.segments
    ]
    firsts, stops, owners = np.array(rows, np.int64).reshape(-1, 3).T
    return firsts, stops, owners


def _joined(parts: Sequence[Comparable]) -> Comparable:
    """Concatenate the tokens of several submissions as if they were files of one."""
    if len(parts) == 1:
        return parts[0]
    starts = accumulate(map(len, parts), initial=0)
    numbers = count()
    segments = (
        Segment(start + each.start, start + each.stop, each.thresholds, next(numbers))
        for part, start in zip(parts, starts, strict=False)
        for each in part.segments
    )
    return Comparable(
        stream=TokenStream.joined([each.stream for each in parts]),
        segments=tuple(segments),
        information=lambda: np.concatenate([each.bits for each in parts]),
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


def tiles_of(pairs: Sequence[tuple[Side, Side]]) -> Tiles:
    """Find the tiles of some pairs; swapping left and right does not change them.

    Most pairs share little, and for short arrays the overhead of calls dominates: so the
    submissions of some pairs are concatenated and tiled as one long pair.
    """
    is_swapped = np.array([right.precedence < left.precedence for left, right in pairs], np.bool_)
    ordered = [
        (right, left) if swap else (left, right)
        for (left, right), swap in zip(pairs, is_swapped.tolist(), strict=True)
    ]
    firsts, seconds, lengths, owners = _tiles_by_pair(ordered)
    swapped = is_swapped[owners]
    lefts, rights = np.where(swapped, seconds, firsts), np.where(swapped, firsts, seconds)
    order = np.lexsort((lefts, owners))
    counts = np.bincount(owners, minlength=len(pairs))
    return Tiles(counts, lefts[order], rights[order], lengths[order])


def _tiles_by_pair(
    pairs: Sequence[tuple[Side, Side]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return for each tile its first token on either side, length and pair, in any order."""
    both = [(left.comparable, right.comparable) for left, right in pairs]
    lefts, rights = zip(*both, strict=True)
    shared = [SharedGrams.of(left.grams, right.grams) for left, right in pairs]
    most = [WAYS_PER_TOKEN * (left.size + right.size) for left, right in pairs]
    repeats = [int(each.ways.sum()) > limit for each, limit in zip(shared, most, strict=True)]
    few = [
        each.only(np.full(len(each.firsts), not is_much))
        for each, is_much in zip(shared, repeats, strict=True)
    ]
    sizes, right_sizes = [*map(len, lefts)], [*map(len, rights)]
    columns = tiled(SharedGrams.joined(few, sizes, right_sizes), _joined(lefts), _joined(rights))
    stops, right_stops = np.cumsum(sizes), np.cumsum(right_sizes)
    owners = np.searchsorted(stops, columns[:, 0], side="right")
    columns[:, 0] -= np.append(0, stops)[owners]
    columns[:, 1] -= np.append(0, right_stops)[owners]
    for number in np.flatnonzero(repeats).tolist():
        further = tiled_by_length(*both[number], most[number])
        columns = np.concatenate([columns, further])
        owners = np.append(owners, np.full(len(further), number))
    return columns[:, 0], columns[:, 1], columns[:, 2], owners
