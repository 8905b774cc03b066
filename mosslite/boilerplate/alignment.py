"""Alignment of a submission with base code: what a diff of the two would call unchanged.

Passages of k tokens are anchors, as in SIGMOD 2003, section 5.2. Anchors that follow each other on
both sides, not too far apart, form chains; shorter pieces join a chain between two of its anchors
or at its ends. A piece joins if it says more, in bits, than its distance from the chain leaves to
chance, and a chain counts if it says more than two unrelated texts of these lengths would. This is
local alignment by log-odds, as in sequence analysis, with runs of equal tokens for its letters:

    base         int main ( ) {  int x = 0 ;  // TODO        return 0 ; }
    submission   int main ( ) {  int x = 0 ;  x = read ( ) ; return 0 ; }
                 [------- anchor ----------]                 [- piece -]

All scores are whole numbers, 256 to the bit, so that no machine's logarithm decides.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.boilerplate.index import BIT, Run, index_grams, kgram_pairs
from mosslite.boilerplate.pieces import Free, Growing, bits_of_length, bits_of_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.boilerplate.index import BaseIndex, Grams, Text

__all__ = ["aligned_runs"]

# What a piece must say beyond chance while it is open whether a chain is base code, and once it is
# known. What a chain must say beyond chance; one that says this much less is not worth growing.
_OPEN: Final = 3 * BIT
_KNOWN: Final = 2 * BIT
_SIGNIFICANT: Final = 16 * BIT
_HOPELESS: Final = 16 * BIT

# An anchor's predecessor is looked for among so many. So many chains may come to nothing in a row
# before the rest, which say less, is left.
_PREDECESSORS: Final = 32
_MOST_FAILURES: Final = 64

# A submission is made from base code if the alignment has this share of the base, or of the
# submission; less is chance.
_LEAST_OF_BASE: Final = 0.35
_LEAST_OF_OWN: Final = 0.6

# In a base of so many tokens, holes can leave no passage of k tokens whole: then shorter ones are
# anchors, if the alignment has most of the base.
_SMALL: Final = 256
_SHORT: Final = 6
_LEAST_OF_SMALL: Final = 0.6

# A k-gram that the base has in more places is compared with one of them, its n-th with the n-th.
_MOST_PLACES: Final = 16


def aligned_runs(own: Text, base: BaseIndex) -> list[Run]:
    """Align a submission with a file of base code.

    Args:
        own: The submission's files end to end, parted by a code that the base does not have.
        base: The file of base code.

    Returns:
        Runs of any length, none overlapping another on either side, in order of their place in
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
    """Align by anchors that are at least as long as these k-grams."""
    free = Free(np.ones(len(own.codes), np.bool_), np.ones(len(base.text.codes), np.bool_))
    growing = Growing(own, base, free)
    chance = bits_of_places(len(own.codes)) + bits_of_places(len(base.text.codes))
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
    """Return maximal runs of at least k equal tokens, in order of their place in the submission."""
    owns, bases = kgram_pairs(codes, base, grams, most=_MOST_PLACES)
    order = np.lexsort((owns, bases - owns))
    owns, bases = owns[order], bases[order]
    goes_on = (owns[1:] == owns[:-1] + 1) & (bases[1:] == bases[:-1] + 1)
    firsts = np.flatnonzero(np.append(True, ~goes_on)[: len(owns)])
    lengths = np.diff(np.append(firsts, len(owns))) + grams.k - 1
    return sorted(map(Run, owns[firsts].tolist(), bases[firsts].tolist(), lengths.tolist()))


def _chains(anchors: Sequence[Run], base: BaseIndex) -> Iterator[list[Run]]:
    """Chain anchors that follow each other on both sides; the chain that says most comes first."""
    scores: list[int] = []
    previous: list[int] = []
    for number, anchor in enumerate(anchors):
        bits = _bits(anchor, base)
        # An anchor begins a chain of its own unless it is worth its distance from another.
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
    """Return what a run of equal tokens says: little where the base repeats itself."""
    bits = bits_of_length(run.length)
    return bits * int(base.rarity[run.base : run.base_stop].sum()) // (run.length * BIT)


def _chance(before: Run, after: Run) -> int:
    """Return what tells the place of a run among those it could have behind another."""
    return bits_of_places(after.own - before.own_stop + 1) + bits_of_places(
        after.base - before.base_stop + 1
    )


def _score(chain: Sequence[Run], base: BaseIndex) -> int:
    """Return what a chain says, less what the distances in it leave to chance."""
    distances = sum(_chance(before, after) for before, after in pairwise(chain))
    return sum(_bits(run, base) for run in chain) - distances
