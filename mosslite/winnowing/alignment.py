"""Alignment of a submission with base code: the parts that a diff would call unchanged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import ranges_of
from mosslite.winnowing.base_index import (
    BIT,
    FEW_TOKENS,
    BaseIndex,
    Grams,
    Run,
    Text,
    index_grams,
    kgram_pairs,
)

# Information, in bits, of 0 to 4 equal tokens; each further one adds a bit. Measured on unrelated
# programs in twelve languages: two positions agree in this many tokens with about that probability.
_FIRST_BITS: Final = (0.0, 3.0, 5.5, 7.0, 8.5)

# Extra bits for whole lines of both sides: chance matches do not start and end at lines.
_WHOLE_LINES: Final = 6 * BIT

# Distance in tokens from a known run up to which pieces are searched.
_REACH: Final = 64


def _bits_of_places(count: int) -> int:
    """Return the bits of information in the choice of one of n positions."""
    return round(BIT * math.log2(max(count, 1)))


def _bits_of_length(length: int) -> int:
    """Return the bits of a run of equal tokens where the base does not repeat itself."""
    known = min(length, FEW_TOKENS)
    return round(BIT * _FIRST_BITS[known]) + (length - known) * BIT


_BITS_BY_LENGTH: Final = np.array([*map(_bits_of_length, range(_REACH + 1))], np.int64)
_BITS_BY_PLACE: Final = np.array([*map(_bits_of_places, range(1, _REACH + 1))], np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Free:
    """The tokens on both sides that no run uses yet: each is used once."""

    own: NDArray[np.bool_]
    base: NDArray[np.bool_]

    def take(self, runs: Sequence[Run]) -> None:
        """Mark the tokens of runs as used."""
        for run in runs:
            self.own[run.own : run.own_stop] = False
            self.base[run.base : run.base_stop] = False

    def parts(self, run: Run, least: int) -> Iterator[Run]:
        """Yield the free parts of a run on both sides that have at least this length."""
        is_free = self.own[run.own : run.own_stop] & self.base[run.base : run.base_stop]
        for start, stop in ranges_of(is_free).tolist():
            if stop - start >= least:
                yield Run(run.own + start, run.base + start, stop - start)

    def room_behind(self, run: Run) -> tuple[int, int]:
        """Count the free tokens after a run on each side, within reach of a piece."""
        own = self.own[run.own_stop : run.own_stop + _REACH]
        return _leading(own), _leading(self.base[run.base_stop : run.base_stop + _REACH])

    def room_before(self, run: Run) -> tuple[int, int]:
        """Count the free tokens before a run on each side, within reach of a piece."""
        own = self.own[max(run.own - _REACH, 0) : run.own]
        base = self.base[max(run.base - _REACH, 0) : run.base]
        return _leading(own[::-1]), _leading(base[::-1])


def _leading(flags: NDArray[np.bool_]) -> int:
    """Count the set flags before the first that is not set."""
    return len(flags) if flags.all() else int(flags.argmin())


@dataclass(frozen=True, slots=True, eq=False)
class _Growing:
    """Extends chains in a submission and base code by further free tokens."""

    own: Text
    base: BaseIndex
    free: _Free

    def grown(self, chain: Sequence[Run], margin: int) -> list[Run]:
        """Add pieces between the runs of a chain and at its ends; each exceeds chance by this."""
        if not chain:
            return []
        runs = [*self._before(chain[0], margin)][::-1]
        for run, following in pairwise((*chain, None)):
            if run is not None:
                runs += [run, *self._behind(run, following, margin)]
        return runs

    def _behind(self, run: Run, following: Run | None, margin: int) -> Iterator[Run]:
        """Yield the pieces after a run, up to the next one of its chain."""
        while True:
            own_room, base_room = self.free.room_behind(run)
            if following is not None:
                own_room = min(own_room, following.own - run.own_stop)
                base_room = min(base_room, following.base - run.base_stop)
            window = self._window(run.own_stop, own_room, run.base_stop, base_room)
            piece = _best_piece(window, margin)
            if piece is None:
                return
            run = Run(run.own_stop + piece.own, run.base_stop + piece.base, piece.length)
            yield run

    def _before(self, run: Run, margin: int) -> Iterator[Run]:
        """Yield the pieces before a run, the nearest first."""
        while True:
            own_room, base_room = self.free.room_before(run)
            window = self._window(run.own - own_room, own_room, run.base - base_room, base_room)
            piece = _best_piece(window.reversed(), margin)
            if piece is None:
                return
            own_stop, base_stop = run.own - piece.own, run.base - piece.base
            run = Run(own_stop - piece.length, base_stop - piece.length, piece.length)
            yield run

    def _window(self, own: int, own_room: int, base: int, base_room: int) -> _Window:
        return _Window(
            own=self.own.part(own, own + own_room),
            base=self.base.text.part(base, base + base_room),
            rarity=self.base.rarity[base : base + base_room],
            line_rarity=self.base.line_rarity[base : base + base_room],
        )


class _Window(NamedTuple):
    """Free tokens of both sides next to a known run, the nearest first."""

    own: Text
    base: Text
    rarity: NDArray[np.int64]
    line_rarity: NDArray[np.int64]

    def reversed(self) -> _Window:
        """Return the tokens from last to first."""
        own, base = self.own.reversed(), self.base.reversed()
        return _Window(own, base, self.rarity[::-1], self.line_rarity[::-1])


def _best_piece(window: _Window, margin: int) -> Run | None:
    """Find the run of equal tokens with most information beyond that of its distance.

    It is either a maximal run or the whole lines in one. One at distance 0 is skipped: it is
    the tail of a run whose whole lines are known already.

    Returns:
        Its distance on either side, and its length; None if no run exceeds the margin.
    """
    is_equal = window.own.codes[:, None] == window.base.codes
    is_break = window.own.is_break[:, None] & window.base.is_break
    if not is_equal.any():
        return None
    is_begin = is_equal.copy()
    is_begin[1:, 1:] &= ~is_equal[:-1, :-1]
    lengths, whole_lines = _run_lengths(is_equal, is_break)
    pieces = (
        *_best_of(lengths * is_begin, window.rarity, 0),
        *_best_of(whole_lines * is_break[:-1, :-1], window.line_rarity, _WHOLE_LINES),
    )
    gain, piece = max(pieces, default=(margin - 1, None))
    return piece if gain >= margin else None


def _best_of(
    lengths: NDArray[np.int64], rarity: NDArray[np.int64], more: int
) -> Iterator[tuple[int, Run]]:
    """Yield the best of the runs of these lengths, by start position, with its information."""
    lengths[0, 0] = 0
    owns, bases = np.nonzero(lengths)
    if not len(owns):
        return
    found = lengths[owns, bases]
    sums = np.append(0, np.cumsum(rarity))
    bits = (_BITS_BY_LENGTH[found] + more) * (sums[bases + found] - sums[bases]) // (found * BIT)
    gains = bits - _BITS_BY_PLACE[owns] - _BITS_BY_PLACE[bases]
    best = int(gains.argmax())
    yield int(gains[best]), Run(int(owns[best]), int(bases[best]), int(found[best]))


def _run_lengths(
    is_equal: NDArray[np.bool_], is_break: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how far tokens are equal from each pair of positions, and how far to a line's end."""
    rows, columns = is_equal.shape
    lengths = np.zeros((rows + 1, columns + 1), np.int64)
    whole_lines = np.zeros_like(lengths)
    for row in range(rows - 1, -1, -1):
        lengths[row, :-1] = (lengths[row + 1, 1:] + 1) * is_equal[row]
        goes_on = is_equal[row] & ((whole_lines[row + 1, 1:] > 0) | is_break[row + 1, 1:])
        whole_lines[row, :-1] = (whole_lines[row + 1, 1:] + 1) * goes_on
    return lengths[:-1, :-1], whole_lines[:-1, :-1]


# Bits beyond chance that a piece needs before and after its chain is accepted as base code; bits
# beyond chance that a chain needs, and how much below that it may be to be extended.
_OPEN: Final = 3 * BIT
_KNOWN: Final = 2 * BIT
_SIGNIFICANT: Final = 16 * BIT
_HOPELESS: Final = 16 * BIT

# Number of anchors searched for a predecessor, and number of consecutive chains that may fail
# before the rest, which have less information, is skipped.
_PREDECESSORS: Final = 32
_MOST_FAILURES: Final = 64

# Minimum share of the base, or of the submission, in the alignment; less is
# chance.
_LEAST_OF_BASE: Final = 0.25
_LEAST_OF_OWN: Final = 0.5

# In a base of at most this many tokens, gaps may leave no passage of k tokens intact: then shorter
# anchors are used, if the alignment contains most of the base.
_SMALL: Final = 256
_SHORT: Final = 6
_LEAST_OF_SMALL: Final = 0.6

# If a k-gram occurs more often in the base, its n-th occurrence is compared with the n-th only.
_MOST_PLACES: Final = 16


def aligned_runs(own: Text, base: BaseIndex) -> list[Run]:
    """Align a submission with a file of base code.

    Args:
        own: The submission's files, concatenated with a separator code that the base does not
            contain.
        base: The file of base code.

    Returns:
        Runs of any length, none overlapping another on either side, in order of position in
        the submission.
    """
    size = len(base.text.codes)
    found = _aligned(own, base, base.grams)
    if _total(found) >= min(_LEAST_OF_BASE * size, _LEAST_OF_OWN * len(own.codes)):
        return sorted(found)
    if size > _SMALL:
        return []
    found = _aligned(own, base, index_grams(base.text.codes, min(_SHORT, base.grams.k)))
    return sorted(found) if _total(found) >= _LEAST_OF_SMALL * size else []


def _total(runs: Sequence[Run]) -> int:
    return sum(run.length for run in runs)


def _aligned(own: Text, base: BaseIndex, grams: Grams) -> list[Run]:
    """Align by anchors at least as long as these k-grams."""
    free = _Free(np.ones(len(own.codes), np.bool_), np.ones(len(base.text.codes), np.bool_))
    growing = _Growing(own, base, free)
    chance = _bits_of_places(len(own.codes)) + _bits_of_places(len(base.text.codes))
    found: list[Run] = []
    failures = 0
    for chain in _chains(_anchors(own.codes, base.text.codes, grams), base):
        anchors = [part for anchor in chain for part in free.parts(anchor, grams.k)]
        if failures > _MOST_FAILURES or _score(anchors, base) < chance - _HOPELESS:
            continue
        grown = growing.grown(anchors, _OPEN)
        failures += 1
        if _score(grown, base) > chance + _SIGNIFICANT:
            failures = 0
            free.take(grown)
            further = growing.grown(grown, _KNOWN)
            free.take(further)
            found += further
    return found


# --- chains of anchors ---------------------------------------------------------------------------


def _anchors(codes: NDArray[np.uint64], base: NDArray[np.uint64], grams: Grams) -> list[Run]:
    """Return maximal runs of at least k equal tokens, in order of position in the submission."""
    owns, bases = kgram_pairs(codes, base, grams, most=_MOST_PLACES)
    order = np.lexsort((owns, bases - owns))
    owns, bases = owns[order], bases[order]
    goes_on = (owns[1:] == owns[:-1] + 1) & (bases[1:] == bases[:-1] + 1)
    firsts = np.flatnonzero(np.append(True, ~goes_on)[: len(owns)])
    lengths = np.diff(np.append(firsts, len(owns))) + grams.k - 1
    return sorted(map(Run, owns[firsts].tolist(), bases[firsts].tolist(), lengths.tolist()))


def _chains(anchors: Sequence[Run], base: BaseIndex) -> Iterator[list[Run]]:
    """Chain anchors in the same order on both sides; yield chains with most information first."""
    scores: list[int] = []
    previous: list[int] = []
    for number, anchor in enumerate(anchors):
        bits = _bits(anchor, base)
        # An anchor starts a chain of its own unless it is worth its distance from another.
        score, before = bits, -1
        for candidate in range(max(number - _PREDECESSORS, 0), number):
            if _follows(anchors[candidate], anchor):
                linked = scores[candidate] + bits - _chance(anchors[candidate], anchor)
                if linked > score:
                    score, before = linked, candidate
        scores.append(score)
        previous.append(before)
    is_left = [True] * len(anchors)
    for last in sorted(range(len(anchors)), key=lambda each: (-scores[each], each)):
        chain, number = [], last
        while number >= 0 and is_left[number]:
            is_left[number] = False
            chain.append(anchors[number])
            number = previous[number]
        if chain:
            yield chain[::-1]


def _follows(before: Run, after: Run) -> bool:
    return before.own_stop <= after.own and before.base_stop <= after.base


def _bits(run: Run, base: BaseIndex) -> int:
    """Return the bits of a run of equal tokens: few where the base repeats itself."""
    bits = _bits_of_length(run.length)
    return bits * int(base.rarity[run.base : run.base_stop].sum()) // (run.length * BIT)


def _chance(before: Run, after: Run) -> int:
    """Return the bits that select the position of a run among the possible ones after another."""
    return _bits_of_places(after.own - before.own_stop + 1) + _bits_of_places(
        after.base - before.base_stop + 1
    )


def _score(chain: Sequence[Run], base: BaseIndex) -> int:
    """Return the bits of a chain, minus those of the distances in it."""
    distances = sum(_chance(before, after) for before, after in pairwise(chain))
    return sum(_bits(run, base) for run in chain) - distances
