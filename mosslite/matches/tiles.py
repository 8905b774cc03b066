"""The tiles of pairs, for many pairs at once, whichever side is which and however they repeat.

Tiles are those of greedy string tiling: the longest run of equal tokens that is free, again and
again; of equally long ones the first in the shorter submission, then in the other. All runs are
looked at where these are no more than some for each token. A pair that shares tables or the like
has millions of runs: there the longest are tiled first, length by length from the top, until what
is left free has few, and only lengths at which it never has are tiled by some of the runs.

What is done at one length depends on the free tokens and the length alone, so a smaller k repeats
all that a larger one does, and goes on: it never finds less.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.columns import KGrams, Tile
from mosslite.matches.runs import SharedGrams, all_runs, some_runs
from mosslite.matches.sides import joined_comparables, joined_kgrams
from mosslite.matches.tiling import Tiling, noise_lengths
from mosslite.spans import all_set
from mosslite.winnow import kgram_hashes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.columns import Comparable
    from mosslite.matches.sides import Side

__all__ = ["Tiles", "find_tiles", "tiles_of"]

# All runs of a pair are looked at if its k-grams pair off in so many ways for each of its tokens.
# Of 900 pairs of handed-in programs three had more, and the most was 21.
_WAYS_PER_TOKEN: Final = 16

# What is free is tiled by some of the runs so often, as long as that comes to something.
_ROUNDS: Final = 8

# Every length up to this is one to stop at, then each about a quarter longer than the one before.
_EACH_LENGTH: Final = 64


class Tiles(NamedTuple):
    """The tiles of some pairs, pair by pair, in order of their place on the left: ``(t,) int64``.

    Attributes:
        counts: ``(p,)``, how many each pair has.
        lefts: The first token of each in the left work.
        rights: The same for the right.
        lengths: In tokens.
    """

    counts: NDArray[np.int64]
    lefts: NDArray[np.int64]
    rights: NDArray[np.int64]
    lengths: NDArray[np.int64]


def find_tiles(
    left: Comparable, left_grams: KGrams, right: Comparable, right_grams: KGrams
) -> tuple[Tile, ...]:
    """Find the matches of a pair; of equally long ones, the first on the left go first.

    Args:
        left: Comparable tokens of one side.
        left_grams: All its k-grams of noise threshold length.
        right: Comparable tokens of the other.
        right_grams: Likewise.

    Returns:
        Tiles of at least k equal tokens, none overlapping another on either side, in order of
        their place on the left.
    """
    shared = SharedGrams.of(left_grams, right_grams)
    if shared.ways.sum() > _WAYS_PER_TOKEN * (len(left) + len(right)):
        columns = _tiled_by_length(left, right, _WAYS_PER_TOKEN * (len(left) + len(right)))
    else:
        columns = _tiled(shared, left, right)
    return tuple(Tile(*row) for row in columns.tolist())


def tiles_of(pairs: Sequence[tuple[Side, Side]], distinct: int = 0) -> Tiles:
    """Find the tiles of some pairs: the same ones when left and right are swapped.

    Most pairs share little, and calls cost more than what they do to short arrays: so the works
    of some pairs are laid end to end and tiled as one long pair.

    Args:
        pairs: Their sides.
        distinct: Where there are several: how many numbers stand for the hashes of k-grams.
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
    """Return first token on either side, length and pair of each tile, in any order."""
    lefts, rights = zip(*pairs, strict=True)
    left = joined_comparables([each.work.comparable for each in lefts])
    right = joined_comparables([each.work.comparable for each in rights])
    stops, right_stops = (
        np.cumsum([len(each.work.comparable) for each in sides]) for sides in (lefts, rights)
    )
    shared = SharedGrams.of(joined_kgrams(lefts, distinct), joined_kgrams(rights, distinct))
    of_grams = np.searchsorted(stops, shared.left.starts[shared.firsts], side="right")
    most = _WAYS_PER_TOKEN * np.array([each.size + other.size for each, other in pairs])
    ways = np.bincount(of_grams, shared.ways, minlength=len(pairs))
    repeats = ways > most
    columns = _tiled(shared.only(~repeats[of_grams]) if repeats.any() else shared, left, right)
    owners = np.searchsorted(stops, columns[:, 0], side="right")
    columns[:, 0] -= np.append(0, stops)[owners]
    columns[:, 1] -= np.append(0, right_stops)[owners]
    for number in np.flatnonzero(repeats).tolist():
        sides = [each.work.comparable for each in pairs[number]]
        further = _tiled_by_length(sides[0], sides[1], int(most[number]))
        columns = np.concatenate([columns, further])
        owners = np.append(owners, np.full(len(further), number))
    return columns[:, 0], columns[:, 1], columns[:, 2], owners


def _tiled(shared: SharedGrams, left: Comparable, right: Comparable) -> NDArray[np.int64]:
    """Tile by all runs, ``(m, 3) int64``: left start, right start and length."""
    tiling, lengths = Tiling(left, right), noise_lengths(left)
    tiling.add(all_runs(shared, left, right, lengths), lengths)
    return tiling.columns


# --- pairs that repeat themselves ----------------------------------------------------------------


def _tiled_by_length(left: Comparable, right: Comparable, most: int) -> NDArray[np.int64]:
    """Tile from the longest runs to the shortest, by all of them wherever they are few.

    Args:
        left: Comparable tokens of one side.
        right: Comparable tokens of the other.
        most: So many ways to pair off k-grams are few.
    """
    tiling, noise = Tiling(left, right), noise_lengths(left)
    more = list(_further_tokens(left))  # than the noise threshold, ascending
    stop = len(more)

    def shared_at(number: int) -> SharedGrams:
        sides = zip((left, right), tiling.free, strict=True)
        return SharedGrams.of(*(_free_grams(side, free, more[number]) for side, free in sides))

    def are_few(number: int) -> bool:
        return int(shared_at(number).ways.sum()) <= most

    while stop:
        if are_few(stop - 1):
            stop = bisect_left(range(stop - 1), True, key=are_few)
            lengths = noise + more[stop]
            tiling.add(all_runs(shared_at(stop), left, right, lengths), lengths)
            continue
        stop -= 1
        lengths = noise + more[stop]
        for _ in range(_ROUNDS):
            if not tiling.add(some_runs(shared_at(stop), left, right, lengths), lengths):
                break
    return tiling.columns


def _further_tokens(comparable: Comparable) -> Iterator[int]:
    """Yield by how many tokens runs are longer than k where there is one to stop."""
    stretches = comparable.stretches
    least = length = min(each.thresholds.noise for each in stretches)
    longest = max(each.stop - each.start for each in stretches)
    while length <= longest:
        yield length - least
        length = max(length + 1, _geometric(length))
    yield longest + 1 - least


def _geometric(length: int) -> int:
    """Return the next of a row of lengths that is the same whatever it is begun with."""
    following = 0 if length < _EACH_LENGTH else _EACH_LENGTH
    while 0 < following <= length:
        following += following // 4
    return following


def _free_grams(comparable: Comparable, free: NDArray[np.bool_], more: int) -> KGrams:
    """Return the k-grams without a token in a tile, of so many tokens more than k."""
    hashes, starts = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
    for each in comparable.stretches:
        length = each.thresholds.noise + more
        places = np.flatnonzero(all_set(free[each.start : each.stop], length))
        hashes.append(kgram_hashes(comparable.codes[each.start : each.stop], length)[places])
        starts.append(each.start + places)
    found = np.concatenate(hashes)
    order = np.argsort(found, kind="stable")
    return KGrams(found[order], np.concatenate(starts)[order])
