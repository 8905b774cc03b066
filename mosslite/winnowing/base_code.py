"""What a submission has from base code: passages that chance does not explain, and what is between.

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

from mosslite.options import Thresholds
from mosslite.ranges import expand_ranges
from mosslite.records import Comparable, Document, KGrams, TokenKind
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
from mosslite.winnowing.tiles import find_tiles

# Bits beyond chance of a match that is from the base whatever else is, and of one in a file that
# the student has worked on; such a file is found in this share at least.
_SURE, _LIKELY, _USED = 20 * BIT, 5 * BIT, 0.25

# If so much of a file, and so many bits, are found by matches of which other names take half of the
# bits at most, the student has renamed what was handed out: strangers have less in common.
_RENAMED, _MUCH = 0.4, 200 * BIT

# Bits that a name adds to a match wherever it is spelled as in the base, and that each other name
# costs it once.
_ALIKE, _OTHERWISE = BIT, 24 * BIT

# Maximum number of other tokens between two matches of a chain: what a student puts in is long.
_MOST_BETWEEN: Final = 512

# Distance in tokens from a known match up to which pieces are searched, and bits of a piece beyond
# those of its place.
_REACH, _PIECE = 64, 4 * BIT


class _Run(NamedTuple):
    """Equal tokens: ``length`` of them, from ``own`` in the submission and ``base`` in the base."""

    own: int
    base: int
    length: int


@dataclass(frozen=True, slots=True, eq=False)
class BaseIndex:
    """The files of base code with one noise threshold, as one text.

    Attributes:
        thresholds: Those of all its files.
        names: Of its files.
        files: The number of each file by its symbol codes.
        comparable: Their tokens; a document is a file.
        grams: The k-grams of detail length.
    """

    thresholds: Thresholds
    names: tuple[str, ...]
    files: Mapping[bytes, int]
    comparable: Comparable
    grams: KGrams


def index_base(documents: Sequence[Document]) -> BaseIndex:
    """Index files of base code with the same thresholds."""
    comparable = comparable_tokens([_in_detail(each) for each in documents])
    names = tuple(each.file.name for each in documents)
    files = {each.stream.codes.tobytes(): number for number, each in enumerate(documents)}
    grams = noise_kgrams(comparable)
    return BaseIndex(documents[0].thresholds, names, files, comparable, grams)


def _in_detail(document: Document) -> Document:
    detail = document.thresholds.detail
    return replace(
        document,
        thresholds=replace(document.thresholds, noise=detail),
        is_boilerplate=np.broadcast_to(np.False_, len(document.stream)),
    )


def from_base(documents: Sequence[Document], base: BaseIndex) -> list[NDArray[np.int64]]:
    """Return for every token the number of the file of base code it comes from, -1 if of none.

    Each token of the base is found once in a file, unless that is equal to a file of the base.

    Args:
        documents: Files of one submission, with the noise threshold of the base.
        base: The base code.

    Returns:
        ``(n,) int64`` for each file.
    """
    comparable = comparable_tokens([_in_detail(each) for each in documents])
    found = [np.full(len(each.stream), -1, np.int64) for each in documents]
    own, given = (
        _Text(each, np.ones(len(each), np.bool_)) for each in (comparable, base.comparable)
    )
    runs = _runs(own, given, base.grams) if len(comparable) and len(base.comparable) else []
    for run in runs:
        segment = comparable.segment_of(run.own)
        start = run.own - segment.start
        column = found[segment.document]
        column[start : start + run.length] = base.comparable.segment_of(run.base).document
    for document, column in zip(documents, found, strict=True):
        if (number := base.files.get(document.stream.codes.tobytes())) is not None:
            column[:] = number
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """One side: its tokens, and which of them are free: each is used once."""

    comparable: Comparable
    free: NDArray[np.bool_]

    @property
    def bits(self) -> NDArray[np.int16]:
        """Information of each token, in units of 1/256 bit."""
        return self.comparable.bits

    def room_behind(self, place: int) -> slice:
        """Return the free tokens of the same file from a position on, within reach."""
        if not 0 < place < len(self.free):
            return slice(place, place)
        stop = min(self.comparable.segment_of(place - 1).stop, place + _REACH)
        taken = np.flatnonzero(~self.free[place:stop])
        return slice(place, place + int(taken[0]) if len(taken) else stop)

    def room_before(self, place: int) -> slice:
        """Return the free tokens of the same file before a position, within reach."""
        start = max(self.comparable.segment_of(place).start, place - _REACH)
        taken = np.flatnonzero(~self.free[start:place])
        return slice(start + int(taken[-1]) + 1 if len(taken) else start, place)


@dataclass(frozen=True, slots=True, eq=False)
class _Growing:
    """Finds further pieces of base code next to known ones."""

    own: _Text
    base: _Text

    def take(self, run: _Run) -> None:
        """Use the tokens of a run."""
        self.own.free[run.own : run.own + run.length] = False
        self.base.free[run.base : run.base + run.length] = False

    def behind(self, run: _Run) -> Iterator[_Run]:
        """Take the pieces after a run, the nearest first."""
        while True:
            own = self.own.room_behind(run.own + run.length)
            base = self.base.room_behind(run.base + run.length)
            piece = self._best(own, base, step=1)
            if piece is None:
                return
            run = _Run(own.start + piece.own, base.start + piece.base, piece.length)
            self.take(run)
            yield run

    def before(self, run: _Run) -> Iterator[_Run]:
        """Take the pieces before a run, the nearest first."""
        while True:
            own, base = self.own.room_before(run.own), self.base.room_before(run.base)
            piece = self._best(own, base, step=-1)
            if piece is None:
                return
            own_stop, base_stop = own.stop - piece.own, base.stop - piece.base
            run = _Run(own_stop - piece.length, base_stop - piece.length, piece.length)
            self.take(run)
            yield run

    def _best(self, own: slice, base: slice, *, step: int) -> _Run | None:
        """Find the run written alike that has most information beyond that of its distance.

        Args:
            own: The free tokens on one side.
            base: Those on the other.
            step: 1 if distances count from the start, -1 if from the end.

        Returns:
            Its distance on either side, and its length; None if no run exceeds the margin.
        """
        lexemes, others = (
            each.comparable.lexemes[room][::step]
            for each, room in ((self.own, own), (self.base, base))
        )
        is_equal = lexemes[:, None] == others
        if not is_equal.any():
            return None
        bits = np.minimum(self.own.bits[own][::step][:, None], self.base.bits[base][::step])
        rows, columns = is_equal.shape
        sums = np.zeros((rows + 1, columns + 1), np.int64)
        for row in range(rows - 1, -1, -1):
            sums[row, :-1] = (sums[row + 1, 1:] + bits[row]) * is_equal[row]
        gains = sums[:-1, :-1] - BITS_OF_PLACES[:rows, None] - BITS_OF_PLACES[:columns]
        diagonal = np.arange(min(rows, columns))
        gains[diagonal, diagonal] += BITS_OF_PLACES[diagonal]  # one distance for both sides
        gains[1:, 1:][is_equal[:-1, :-1]] = 0  # it begins before
        best = int(gains.argmax())
        own_at, base_at = divmod(best, columns)
        if gains[own_at, base_at] < _PIECE:
            return None
        ahead = is_equal.diagonal(base_at - own_at)[min(own_at, base_at) :]
        length = len(ahead) if ahead.all() else int(ahead.argmin())
        return _Run(own_at, base_at, length)


def _runs(own: _Text, base: _Text, base_grams: KGrams) -> list[_Run]:
    """Return what the submission has from the base; in a file, none overlaps another."""
    table = np.concatenate([np.empty((0, 3), np.int64), *_tiles_by_file(own, base, base_grams)])
    files = base.comparable.documents[table[:, 1]]
    sizes = np.bincount(base.comparable.documents)
    bits = _bits_of_matches(own, base, table)
    spelled = bits + _bits_of_spelling(own.comparable, base.comparable, table)
    renamed = np.maximum(spelled, bits // 2)

    def exceed(margin: int, bits: Bits, most_between: int) -> NDArray[np.bool_]:
        return _bits_beyond_chance(own, base, table, bits, most_between) >= margin

    def are_found(mask: NDArray[np.bool_], share: float) -> NDArray[np.bool_]:
        return np.bincount(files[mask], table[mask, 2], len(sizes)) >= share * sizes

    is_known = exceed(_SURE, spelled, MOST_BETWEEN)
    is_close = exceed(_SURE, renamed, MOST_BETWEEN)
    is_much = np.bincount(files[is_close], bits[is_close], len(sizes)) >= _MUCH
    is_known |= is_close & (are_found(is_close, _RENAMED) & is_much)[files]
    is_used = are_found(is_known, _USED)
    is_known |= is_used[files] & exceed(_LIKELY, renamed, _MOST_BETWEEN)
    known = [_Run(*row) for row in table[is_known].tolist()]
    runs = list[_Run]()
    for _, of_file in groupby(known, lambda run: own.comparable.segment_of(run.own).document):
        growing = _Growing(own, replace(base, free=base.free.copy()))
        found_here = [*of_file]
        for run in found_here:
            growing.take(run)
        runs += found_here
        for run in found_here:
            if is_used[base.comparable.segment_of(run.base).document]:
                runs += [*growing.behind(run), *growing.before(run)]
    return runs


def _tiles_by_file(own: _Text, base: _Text, base_grams: KGrams) -> Iterator[NDArray[np.int64]]:
    """Match each file of a submission with all of the base: every file can begin with a template.

    Yields:
        ``(m, 3)`` first token in the submission, in the base, and length.
    """
    whole = own.comparable
    for segment in whole.segments:
        here = slice(segment.start, segment.stop)
        moved = replace(segment, start=0, stop=segment.stop - segment.start)
        file = Comparable(whole.stream.part(here), (moved,), partial(np.asarray, whole.bits[here]))
        tiles = find_tiles(file, noise_kgrams(file), base.comparable, base_grams)
        yield tiles + np.array([segment.start, 0, 0])


def _bits_of_spelling(own: Comparable, base: Comparable, table: NDArray[np.int64]) -> Bits:
    """Return how far the names of each match are spelled as in the base, ``(m,)``.

    Most students keep the names of code that was handed out, and strangers choose others.
    """
    owns, bases, lengths = table.T
    here, there = (expand_ranges(starts, lengths) for starts in (owns, bases))
    matches = np.repeat(np.arange(len(table), dtype=np.uint64), lengths)
    names = np.stack([matches, own.lexemes[here], base.lexemes[there]], axis=1)
    names = names[own.kinds[here] == TokenKind.NAME]
    is_alike = names[:, 1] == names[:, 2]
    others = np.unique(names[~is_alike], axis=0)
    alike, different = (
        np.bincount(column[:, 0].astype(np.int64), minlength=len(table))
        for column in (names[is_alike], others)
    )
    return alike * _ALIKE - different * _OTHERWISE


def _bits_of_matches(own: _Text, base: _Text, table: NDArray[np.int64]) -> Bits:
    owns, bases, lengths = table.T
    return np.minimum(
        bits_of_runs(own.bits, owns, lengths), bits_of_runs(base.bits, bases, lengths)
    )


def _bits_beyond_chance(
    own: _Text, base: _Text, table: NDArray[np.int64], bits: Bits, most_between: int
) -> Bits:
    """Return how many bits the best chain through each match has beyond those that chance gives."""
    owns, bases, lengths = table.T
    files = own.comparable.documents[owns], base.comparable.documents[bases]
    chained = chain_bits(Runs(owns, bases, lengths, *files), bits, most_between)
    return chained - chance_bits(len(own.comparable), len(base.comparable))
