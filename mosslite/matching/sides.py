"""Submissions as sides of pairs: their k-grams, files and lines."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import takewhile
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import covered, expand_ranges
from mosslite.records import Comparable, Document, KGrams, Location, TokenizedSubmission
from mosslite.winnowing.fingerprints import noise_kgrams
from mosslite.winnowing.significance import Runs
from mosslite.winnowing.tiles import find_tiles, most_ways

# Maximum number of lines on one side alone between two lines on both sides.
_MOST_BETWEEN: Final = 5

# Text of each line without tokens; empty if it has nothing of the author's own, None
# for lines with tokens.
FreeLines = list[str | None]


def free_lines(document: Document) -> FreeLines:
    """Return the text of every line without tokens, such as comments and imports."""
    text, stream = document.file.text, document.stream
    starts = [*document.line_starts.tolist(), len(text)]
    firsts, lasts = document.lines_of(stream.starts, stream.stops)
    has_token = covered(firsts - 1, lasts, len(starts) - 1)
    own = np.zeros(len(starts), np.bool_)
    own[document.lines_at(document.traces.starts) - 1] = True
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
    """A submission as one side of pairs; what it derives is computed once, on first access."""

    submission: TokenizedSubmission

    @cached_property
    def grams(self) -> KGrams:
        """Its k-grams of noise threshold length."""
        return noise_kgrams(self.comparable)

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

    @cached_property
    def _edges(self) -> NDArray[np.int64]:
        """Where its files start, and the end of the last."""
        return np.array([0, *(each.stop for each in self.comparable.segments)], np.int64)

    def are_all_files(
        self, starts: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Mark the tiles that are whole files, if every file is one; else none."""
        stops = self._edges[np.searchsorted(self._edges, starts, side="right")]
        are_whole: NDArray[np.bool_] = np.isin(starts, self._edges) & (starts + lengths == stops)
        are_whole &= lengths[are_whole].sum() == len(self.comparable)
        return are_whole

    @cached_property
    def _row(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where each compared file and each line starts if the texts are in a row, and the end."""
        documents = [self.submission.documents[each.document] for each in self.comparable.segments]
        files = np.cumsum([0, *(len(each.file.text) + 1 for each in documents)])
        lines = [
            start + each.line_starts for start, each in zip(files[:-1], documents, strict=True)
        ]
        return files, np.concatenate([*lines, files[-1:]])

    def count_lines(self, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> int:
        """Count the lines that contain a token of some tiles."""
        files, lines = self._row
        of_tiles = np.searchsorted(self._edges, starts, side="right") - 1
        texts, held = np.repeat(files[of_tiles], lengths), expand_ranges(starts, lengths)
        stream = self.comparable.stream
        lasts = np.maximum(stream.stops[held] - 1, 0)
        firsts = np.searchsorted(lines, texts + stream.starts[held], side="right") - 1
        stops = np.searchsorted(lines, texts + lasts, side="right")
        return int(covered(firsts, stops, len(lines)).sum())


def tiles_of(left: Side, right: Side) -> Runs:
    """Find the tiles of a pair; swapping left and right does not change them."""
    if right.precedence < left.precedence:
        return tiles_of(right, left).swapped()
    most = most_ways(left.size + right.size)
    return find_tiles(left.comparable, left.grams, right.comparable, right.grams, most)
