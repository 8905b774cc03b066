"""Finds base code in submissions: passages that chance does not explain, and what is between.

Base code and submission are two texts with matches like those of a pair. A match with much more
information than chance gives comes from the base; names spelled as there add to it, and others take
away much, as strangers who solve the same task choose other names. Where much of a file of the base
is found so, the student has worked on it: then matches in its order count that are just
significant, however much was put in between, and so do pieces next to them, however short, that are
written the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import expand_ranges
from mosslite.records import Comparable, Document, KGrams, LeftOut, TokenKind
from mosslite.winnowing.fingerprints import comparable_tokens, noise_kgrams
from mosslite.winnowing.significance import (
    BIT,
    BITS_OF_PLACES,
    MOST_BETWEEN,
    Bits,
    Runs,
    bits_of_runs,
    chain_bits,
    chance_bits,
)
from mosslite.winnowing.tiles import find_tiles, most_ways

# Bits beyond chance of a match that is from the base whatever else is, and of one in a file that
# the student has worked on; such a file is found in this share at least.
_SURE_BITS, _LIKELY_BITS, _USED_SHARE = 20 * BIT, 5 * BIT, 0.25

# If so much of a file, and so many bits, are found by matches of which other names take half of the
# bits at most, the student has renamed what was handed out: strangers have less in common.
_RENAMED_SHARE, _RENAMED_BITS = 0.4, 200 * BIT

# Bits that a name adds to a match wherever it is spelled as in the base, and that each other name
# costs it once.
_SAME_NAME, _OTHER_NAME = BIT, 24 * BIT

# Maximum number of other tokens between two matches of a chain: what a student puts in is long.
_MOST_BETWEEN: Final = 512

# Distance in tokens from a known match up to which pieces are searched, and bits of a piece beyond
# those of its place.
_NEAR, _PIECE_BITS = 64, 4 * BIT


@dataclass(frozen=True, slots=True, eq=False)
class BaseCode:
    """All base code of a batch, as one text.

    Attributes:
        names: Of its files.
        files: The number of each file by its symbol codes.
        comparable: Their tokens; a document is a file.
        grams: The k-grams of detail length.
        traces: The codes of their stylistic features.
    """

    names: tuple[str, ...]
    files: Mapping[bytes, int]
    comparable: Comparable
    grams: KGrams
    traces: NDArray[np.uint64]


def base_code(documents: Sequence[Document]) -> BaseCode:
    """Index files of base code."""
    comparable = _in_detail(documents)
    traces = [np.empty(0, np.uint64), *(each.traces.codes for each in documents)]
    return BaseCode(
        names=tuple(each.file.name for each in documents),
        files={each.stream.codes.tobytes(): number for number, each in enumerate(documents)},
        comparable=comparable,
        grams=noise_kgrams(comparable),
        traces=np.concatenate(traces),
    )


def without_base_code(documents: Sequence[Document], base: BaseCode) -> list[Document]:
    """Mark base code in the files of a submission, in addition to existing marks.

    Stylistic features that also occur in the base are left out.
    """
    if not base.names:
        return list(documents)
    left = []
    for document, numbers in zip(documents, from_base(documents, base), strict=True):
        own = document.traces.where(~np.isin(document.traces.codes, base.traces))
        found = replace(document, traces=own)
        for number in np.unique(numbers[numbers >= 0]).tolist():
            found = marked(found, numbers == number, base.names[number])
        left.append(found)
    return left


def marked(document: Document, mask: NDArray[np.bool_], origin: str) -> Document:
    """Mark tokens as boilerplate from this origin."""
    tokens = int(mask.sum())
    if not tokens:
        return document
    return replace(
        document,
        is_boilerplate=document.is_boilerplate | mask,
        left_out=(*document.left_out, LeftOut(origin, tokens)),
    )


def _in_detail(documents: Sequence[Document]) -> Comparable:
    """Return all tokens of some files, with the detail length as noise threshold."""
    return comparable_tokens(
        [
            replace(
                each,
                thresholds=replace(each.thresholds, noise=each.thresholds.detail),
                is_boilerplate=np.broadcast_to(np.False_, len(each.stream)),
            )
            for each in documents
        ]
    )


def from_base(documents: Sequence[Document], base: BaseCode) -> list[NDArray[np.int64]]:
    """Return for every token the number of the file of base code it comes from, -1 if of none.

    Each token of the base is found once in a file, unless that is equal to a file of the base.

    Args:
        documents: Files of one submission.
        base: The base code.

    Returns:
        ``(n,) int64`` for each file.
    """
    comparable = _in_detail(documents)
    found = [np.full(len(each.stream), -1, np.int64) for each in documents]
    own, given = (
        _Text(each, np.ones(len(each), np.bool_)) for each in (comparable, base.comparable)
    )
    for run in _runs(own, given, base.grams) if len(comparable) and len(base.comparable) else ():
        segment = comparable.segment_of(run.own)
        here = slice(run.own - segment.start, run.own - segment.start + run.length)
        found[segment.document][here] = base.comparable.segment_of(run.base).document
    for document, column in zip(documents, found, strict=True):
        column[:] = base.files.get(document.stream.codes.tobytes(), column)
    return found


class _Run(NamedTuple):
    """Equal tokens: ``length`` of them, from ``own`` in the submission and ``base`` in the base."""

    own: int
    base: int
    length: int


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """One side: its tokens, and which of them are free: each is used once."""

    comparable: Comparable
    free: NDArray[np.bool_]

    def free_beside(self, start: int, length: int, step: int) -> NDArray[np.int64]:
        """Return the free tokens of a file beside a run, the nearest first.

        Args:
            start: First token of the run.
            length: Its length.
            step: 1 for those behind it, -1 for those before it.
        """
        segment = self.comparable.segment_of(start)
        if step > 0:
            first, stop = start + length, min(segment.stop, start + length + _NEAR)
        else:
            first, stop = start - 1, max(segment.start, start - _NEAR) - 1
        places = np.arange(first, stop, step)
        taken = np.flatnonzero(~self.free[places])
        return places[: taken[0]] if len(taken) else places


def _runs(own: _Text, base: _Text, base_grams: KGrams) -> Iterator[_Run]:
    """Yield what the submission has from the base; in a file, none overlaps another."""
    found = _tiles_by_file(own.comparable, base.comparable, base_grams)
    files, sizes = found.right_files, np.bincount(base.comparable.documents)
    bits = bits_of_runs(found, own.comparable.bits, base.comparable.bits)
    spelled = bits + _bits_of_spelling(own.comparable, base.comparable, found)
    renamed = np.maximum(spelled, bits // 2)
    by_chance = chance_bits(len(own.comparable), len(base.comparable))

    def exceed(margin: int, bits: Bits, most_between: int) -> NDArray[np.bool_]:
        return chain_bits(found, bits, most_between) - by_chance >= margin

    def are_found(mask: NDArray[np.bool_], share: float) -> NDArray[np.bool_]:
        return np.bincount(files[mask], found.lengths[mask], len(sizes)) >= share * sizes

    is_known = exceed(_SURE_BITS, spelled, MOST_BETWEEN)
    is_close = exceed(_SURE_BITS, renamed, MOST_BETWEEN)
    is_much = np.bincount(files[is_close], bits[is_close], len(sizes)) >= _RENAMED_BITS
    is_known |= is_close & (are_found(is_close, _RENAMED_SHARE) & is_much)[files]
    is_used = are_found(is_known, _USED_SHARE)
    is_known |= is_used[files] & exceed(_LIKELY_BITS, renamed, _MOST_BETWEEN)
    rows = np.column_stack(found)[is_known].tolist()
    for _, of_file in groupby(rows, lambda row: row[3]):
        given = replace(base, free=base.free.copy())
        known = [(_Run(*row[:3]), is_used[row[4]]) for row in of_file]
        for run, _ in known:
            _take(own, given, run)
            yield run
        for run, grows in known:
            if grows:
                yield from _pieces(own, given, run, 1)
                yield from _pieces(own, given, run, -1)


def _take(own: _Text, base: _Text, run: _Run) -> None:
    """Use the tokens of a run."""
    own.free[run.own : run.own + run.length] = False
    base.free[run.base : run.base + run.length] = False


def _tiles_by_file(own: Comparable, base: Comparable, base_grams: KGrams) -> Runs:
    """Match each file of a submission with all of the base: each can begin with a template."""
    found = []
    for segment in own.segments:
        here = slice(segment.start, segment.stop)
        moved = replace(segment, start=0, stop=segment.stop - segment.start)
        file = Comparable(own.stream.part(here), (moved,), partial(np.asarray, own.bits[here]))
        most = most_ways(len(file) + len(base))
        tiles = find_tiles(file, noise_kgrams(file), base, base_grams, most)
        found.append(tiles._replace(lefts=tiles.lefts + segment.start))
    return Runs(*map(np.concatenate, zip(*found, strict=True)))


def _bits_of_spelling(own: Comparable, base: Comparable, found: Runs) -> Bits:
    """Return how far the names of each match are spelled as in the base, ``(m,)``.

    Most students keep the names of code that was handed out, and strangers choose others.
    """
    here, there = (expand_ranges(starts, found.lengths) for starts in found[:2])
    count = len(found.lengths)
    matches = np.repeat(np.arange(count, dtype=np.uint64), found.lengths)
    names = np.stack([matches, own.lexemes[here], base.lexemes[there]], axis=1)
    names = names[own.kinds[here] == TokenKind.NAME]
    is_alike = names[:, 1] == names[:, 2]
    others = np.unique(names[~is_alike], axis=0)
    alike, different = (
        np.bincount(column[:, 0].astype(np.int64), minlength=count)
        for column in (names[is_alike], others)
    )
    return alike * _SAME_NAME - different * _OTHER_NAME


def _pieces(own: _Text, base: _Text, run: _Run, step: int) -> Iterator[_Run]:
    """Take the pieces of base code behind a run (step 1) or before it (-1), the nearest first."""
    while True:
        ours = own.free_beside(run.own, run.length, step)
        theirs = base.free_beside(run.base, run.length, step)
        piece = _best(own.comparable, ours, base.comparable, theirs)
        if piece is None:
            return
        last = piece.length - 1 if step < 0 else 0
        run = _Run(int(ours[piece.own + last]), int(theirs[piece.base + last]), piece.length)
        _take(own, base, run)
        yield run


def _best(
    own: Comparable, ours: NDArray[np.int64], base: Comparable, theirs: NDArray[np.int64]
) -> _Run | None:
    """Find the run written alike that has most information beyond that of its distance.

    Args:
        own: One side.
        ours: Its free tokens, the nearest first.
        base: The other side.
        theirs: Those of the other side.

    Returns:
        Its distance on either side, and its length; None if no run exceeds the margin.
    """
    is_equal = own.lexemes[ours][:, None] == base.lexemes[theirs]
    if not is_equal.any():
        return None
    bits = np.minimum(own.bits[ours][:, None], base.bits[theirs])
    rows, columns = is_equal.shape
    sums = np.zeros((rows + 1, columns + 1), np.int64)
    for row in range(rows - 1, -1, -1):
        sums[row, :-1] = (sums[row + 1, 1:] + bits[row]) * is_equal[row]
    gains = sums[:-1, :-1] - BITS_OF_PLACES[:rows, None] - BITS_OF_PLACES[:columns]
    diagonal = np.arange(min(rows, columns))
    gains[diagonal, diagonal] += BITS_OF_PLACES[diagonal]  # one distance for both sides
    gains[1:, 1:][is_equal[:-1, :-1]] = 0  # it begins before
    own_at, base_at = divmod(int(gains.argmax()), columns)
    if gains[own_at, base_at] < _PIECE_BITS:
        return None
    ahead = is_equal.diagonal(base_at - own_at)[min(own_at, base_at) :]
    return _Run(own_at, base_at, len(ahead) if ahead.all() else int(ahead.argmin()))
