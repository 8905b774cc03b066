"""The inverted index, and candidate pairs that share fingerprints (SIGMOD 2003, section 5.2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import (
    Postings,
    chunks,
    expand_ranges,
    postings_in_parts,
    run_starts,
    segment_sums,
    sums_of,
)
from mosslite.records import FeatureIndex, Hashes

# Weights are multiples of this, so that their sums are exact and do not depend on the order of
# addition, even across machines: with multiples of 2^-24, a sum needs at most 53 bits.
UNIT: Final = 2.0**-24

# Weights of fingerprints fall with the square of the logarithm: what two of many large programs
# share is found then, though it is little beside the idioms that a tenth of all have.
FINGERPRINT_POWER: Final = 2


def exact(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Truncate weights to multiples of 2^-24."""
    cut: NDArray[np.float64] = np.floor(weights / UNIT) * UNIT
    return cut


def feature_indexes(
    seen: Hashes,
    populations: NDArray[np.int64] | None = None,
    *,
    with_repeats: bool = False,
    power: int = 1,
    at_once: bool = False,
) -> Iterator[FeatureIndex]:
    """Index the features of all submissions, one range of values after the other.

    Features of only one submission occur in no pair: only their total weight is kept.

    Args:
        seen: The features as hashes, with repeats.
        populations: ``(n,) int64`` from 0: the group of submissions within which the frequencies of
            each submission's features are counted, so that a feature common in one language weighs
            little there, however rare it is overall. None means a single group.
        with_repeats: A repeated feature of a submission counts as another feature, shared with
            those that repeat it too.
        power: As for ``inverse_document_frequencies``.
        at_once: Yield one index, which takes more memory. Features with files always are in one, as
            weights are summed up for each pair of files.
    """
    of = np.zeros(seen.count, np.int64) if populations is None else populations
    parts_of = partial(
        feature_parts,
        populations=of,
        sizes=np.bincount(of, minlength=1),
        with_repeats=with_repeats,
        power=power,
        files=seen.files,
    )
    parts = ([*parts_of(found)] for found in postings_in_parts(seen))
    is_one = at_once or seen.files is not None
    for some in [[*chain.from_iterable(parts)]] if is_one else parts:
        yield index_of_parts(some, of)


def index_of_parts(parts: Sequence[FeaturePart], populations: NDArray[np.int64]) -> FeatureIndex:
    """Join ranges of hash values, and order their postings by submission."""
    count = len(populations)
    firsts = np.cumsum([0, *(len(part.weights) for part in parts[:-1])], dtype=np.int32)
    held = [np.bincount(part.submissions, minlength=count) for part in parts]
    offsets = np.append(0, np.cumsum(np.sum(held, axis=0)))
    items, begins = np.empty(offsets[-1], np.int32), offsets[:-1].copy()
    are_by_file = all(part.files is not None for part in parts)
    files = np.empty(offsets[-1] if are_by_file else 0, np.int32)
    for part, first, counts in zip(parts, firsts, held, strict=True):
        # 16-bit numbers are sorted in linear time.
        submissions = part.submissions.astype(np.min_scalar_type(count))
        order, places = np.argsort(submissions, kind="stable"), expand_ranges(begins, counts)
        items[places] = part.items[order] + first
        if are_by_file and part.files is not None:
            files[places] = part.files[order]
        begins += counts
    return FeatureIndex(
        offsets=offsets,
        items=items,
        weights=np.concatenate([part.weights for part in parts]),
        populations=populations,
        totals=np.sum([part.totals for part in parts], axis=0),
        files=files if are_by_file else None,
    )


class FeaturePart(NamedTuple):
    """Inverted index of one range of hash values, ordered by feature, not by submission.

    Attributes:
        items: ``(p,)`` ascending, the feature of each posting.
        submissions: ``(p,)``, the submission of each posting, ascending for each feature.
        weights: ``(u, p) float64``, as in ``FeatureIndex``.
        totals: ``(n,) float64``, likewise.
        files: ``(p,)``, the file of each posting, likewise.
    """

    items: NDArray[np.int32]
    submissions: NDArray[np.int32]
    weights: NDArray[np.float64]
    totals: NDArray[np.float64]
    files: NDArray[np.int32] | None = None


def feature_parts(  # noqa: PLR0913 - three of them say how features are weighed
    found: Postings,
    populations: NDArray[np.int64],
    sizes: NDArray[np.int64],
    *,
    with_repeats: bool,
    power: int = 1,
    files: NDArray[np.int32] | None = None,
) -> Iterator[FeaturePart]:
    """Yield the index of a range of values and, with repeats, that of repeated values.

    Args:
        found: All postings of these values.
        populations: ``(n,)``, population of each submission in the postings.
        sizes: Number of submissions of the batch in each population.
        with_repeats: As for ``feature_indexes``.
        power: As for ``inverse_document_frequencies``.
        files: As in ``Hashes``, of all hashes that the postings are of.
    """
    yield _part(found, populations, sizes, power, files)
    if with_repeats:
        yield _part(found.repeated(), populations, sizes, power, files)


def _part(
    found: Postings,
    populations: NDArray[np.int64],
    sizes: NDArray[np.int64],
    power: int,
    files: NDArray[np.int32] | None,
) -> FeaturePart:
    count = len(populations)
    weights = _inverse_frequencies_within(found, populations, sizes, power)
    items = np.repeat(np.arange(len(found.counts), dtype=np.int32), found.counts)
    own = weights[items, populations[found.submissions]]
    is_shared = found.counts > 1
    counts = found.counts[is_shared]
    kept = np.flatnonzero(np.repeat(is_shared, found.counts))
    return FeaturePart(
        items=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
        submissions=found.submissions[kept],
        weights=weights[is_shared],
        totals=sums_of(own, found.submissions, count),
        files=None if files is None else files[found.places[kept]],
    )


def _inverse_frequencies_within(
    found: Postings, populations: NDArray[np.int64], sizes: NDArray[np.int64], power: int
) -> NDArray[np.float64]:
    """Return inverse document frequencies within each population: ``(u, p) float64``."""
    if len(sizes) == 1:
        return inverse_document_frequencies(found.counts, int(sizes[0]), power)[:, None]
    items = np.repeat(np.arange(len(found.counts)), found.counts)
    cells = items * len(sizes) + populations[found.submissions]
    held = np.bincount(cells, minlength=len(found.counts) * len(sizes))
    by_population = held.reshape(-1, len(sizes)).T
    # At least one submission: where none contains it, the weight is never used.
    weights = [
        inverse_document_frequencies(np.maximum(h, 1), n, power)
        for h, n in zip(by_population, sizes.tolist(), strict=True)
    ]
    return np.stack(weights, axis=1)


def inverse_document_frequencies(
    counts: NDArray[np.int64], submissions: int, power: int = 1
) -> NDArray[np.float64]:
    """Weigh a feature in m of n submissions by log((n + 2) / m), ``(u,) float64``.

    As if the batch had two more submissions without it: so even in a batch of two, shared features
    have some weight.

    Args:
        counts: Number of submissions with each feature, at least 1.
        submissions: Number of submissions.
        power: How fast the weight falls with m; one in two submissions weighs the same for each.
    """
    by_count = np.log((submissions + 2) / np.arange(1, counts.max(initial=1) + 1))
    of_two = math.log(max(submissions, 1) / 2 + 1)
    weights: NDArray[np.float64] = exact(by_count * (by_count / of_two) ** (power - 1))[counts - 1]
    return weights


# A fingerprint is looked up once for each current submission with it, and each look-up visits all
# of its postings. Beyond a total of so many, plus so many for each submission, the most frequent
# fingerprints are not looked up; scores still count them. One of a single submission costs nothing.
_LOOKUPS, _LOOKUPS_EACH = 200_000_000, 1_000

# Approximate number of postings processed together.
_TOGETHER = 100_000

# A table with more cells per look-up than this is summed up by sorting.
_SPARSE: Final = 8


@dataclass(frozen=True, slots=True)
class Unused:
    """Fingerprints too frequent for finding candidate pairs; scores count them.

    Attributes:
        count: Number of such fingerprints.
        least: Number of submissions with the rarest of them.
    """

    count: int
    least: int


def candidate_pairs(
    index: FeatureIndex,
    current: int,
    owners: NDArray[np.int64],
    most: int | None,
    each: int = 0,
) -> tuple[NDArray[np.int64], Unused]:
    """Find the pairs that share the most fingerprints relative to their size.

    Args:
        index: Fingerprints of all submissions.
        current: Number of CURRENT submissions, which come first; a pair has at least one.
        owners: ``(n,)``, equal for submissions of one student, which never form a pair.
        most: Maximum number of pairs; None returns every pair that shares a fingerprint.
        each: Number of each submission's strongest pairs to include in addition, so that a large
            group of copies does not displace all others.

    Returns:
        ``(m, 2) int64`` submission numbers, the smaller first, in ascending order; and which
        fingerprints were not looked up.
    """
    is_looked_up, unused = np.ones(len(index.weights), np.bool_), Unused(0, 0)
    if most is not None:
        is_looked_up = affordable(index, current)
        frequencies = index.frequencies[~is_looked_up]
        unused = Unused(len(frequencies), int(frequencies.min(initial=len(owners))))
    found = partners(index, current, owners, is_looked_up)
    return in_order(strongest_of(found, len(owners), most, each)), unused


def strongest_of(
    found: Iterable[Strengths], submissions: int, most: int | None, each: int
) -> Strengths:
    """Keep the strongest ties, of all and of each submission, as for ``candidate_pairs``.

    Ties are ordered by submission number, so that the chunks in which pairs are found do not change
    the result.
    """
    if most is None:
        return _joined([NO_TIES, *found])
    # Weaker pairs than these cannot be among the strongest, overall or of a submission.
    kept, floors = NO_TIES, np.zeros(submissions)
    new, waiting = list[Strengths](), 0
    for some in found:
        least = np.minimum(floors[some.lefts], floors[some.others])
        new.append(some.part(some.strengths >= least))
        waiting += len(new[-1].lefts)
        if waiting > most + each * submissions:
            kept, floors = _cut(_joined([kept, *new]), submissions, most, each)
            new, waiting = [], 0
    return _cut(_joined([kept, *new]), submissions, most, each)[0]


def _cut(
    strengths: Strengths, submissions: int, most: int, each: int
) -> tuple[Strengths, NDArray[np.float64]]:
    """Keep the strongest pairs; return for each submission how strong one has to be to stay."""
    order = np.lexsort((strengths.others, strengths.lefts, -strengths.strengths))
    strengths = strengths.part(order)
    ends = np.stack([strengths.lefts, strengths.others], axis=1).ravel()
    order = np.argsort(ends, kind="stable")
    counts = np.bincount(ends, minlength=submissions)
    nth = np.arange(len(ends)) - np.repeat(np.cumsum(counts) - counts, counts)
    is_kept = np.zeros(len(strengths.lefts), np.bool_)
    is_kept[order[nth < each] // 2] = True
    is_kept[:most] = True
    floors = np.zeros(submissions)
    last = order[nth == each - 1]
    floors[ends[last]] = strengths.strengths[last // 2]
    floor = strengths.strengths[most - 1] if len(is_kept) >= most > 0 else 0.0
    return strengths.part(is_kept), np.minimum(floors, floor)


def in_order(strengths: Strengths) -> NDArray[np.int64]:
    """Return the pairs, the smaller number first, in ascending order."""
    pairs = np.sort(np.stack([strengths.lefts, strengths.others], axis=1), axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


class Strengths(NamedTuple):
    """Pairs of a submission and a partner, with the similarity of each: ``(m,)``."""

    lefts: NDArray[np.int64]
    others: NDArray[np.int64]
    strengths: NDArray[np.float64]

    def part(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> Strengths:
        """Return the chosen pairs."""
        return Strengths(self.lefts[chosen], self.others[chosen], self.strengths[chosen])


NO_TIES: Final = Strengths(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


def _joined(strengths: Iterable[Strengths]) -> Strengths:
    return Strengths(*map(np.concatenate, zip(*strengths, strict=True)))


def most_lookups(submissions: int) -> int:
    """Return the limit for the look-ups of a batch and what it is compared with."""
    return _LOOKUPS + _LOOKUPS_EACH * submissions


def lookups(frequencies: NDArray[np.int64], times: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cost of looking up fingerprints: ``(u,)``.

    Args:
        frequencies: ``(u,)``, number of submissions with each fingerprint.
        times: ``(u,)``, number of current ones among them.
    """
    return np.where(frequencies > 1, frequencies * times, 0)


def affordable(index: FeatureIndex, current: int) -> NDArray[np.bool_]:
    """Mark the fingerprints, rarest first, that can be looked up within the limit."""
    times = np.bincount(index.items[: index.offsets[current]], minlength=len(index.weights))
    frequencies = index.frequencies
    order = np.argsort(frequencies, kind="stable")
    costs = np.cumsum(lookups(frequencies, times)[order])
    is_affordable = np.zeros(len(order), np.bool_)
    is_affordable[order] = costs <= most_lookups(len(index.totals))
    return is_affordable


def partners(
    index: FeatureIndex,
    current: int,
    owners: NDArray[np.int64],
    is_looked_up: NDArray[np.bool_],
) -> Iterator[Strengths]:
    """Find the partners of the first submissions, in chunks of submissions.

    Args:
        index: Fingerprints of one population.
        current: Number of those whose partners are searched, each among the ones behind it.
        owners: As for ``candidate_pairs``.
        is_looked_up: ``(u,)``, marks fingerprints.
    """
    count = len(owners)
    for submission, cells, shared in _shared(index, current, is_looked_up):
        rows = cells // count
        lefts, others = rows + submission, cells - rows * count
        is_pair = owners[others] != owners[lefts]
        yield strengths_of(lefts[is_pair], others[is_pair], shared[is_pair], index.totals)


def strengths_of(
    lefts: NDArray[np.int64],
    others: NDArray[np.int64],
    shared: NDArray[np.float64],
    sizes: NDArray[np.float64],
) -> Strengths:
    """Normalize shared weights by the sizes of both sides: ``sizes[i]`` is that of submission i."""
    sizes = np.maximum(sizes, np.finfo(np.float64).tiny)
    # Rounded, as the last digit of a root may differ between machines.
    strengths = (shared / np.sqrt(sizes[lefts] * sizes[others])).round(9)
    return Strengths(lefts, others, strengths)


def _shared(
    index: FeatureIndex, current: int, is_looked_up: NDArray[np.bool_]
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.float64]]]:
    """Look up the fingerprints of the first submissions, in chunks of submissions.

    Returns:
        The first submission of a chunk; the cells, of a table with a row for each submission of the
        chunk and a column for every submission, of those that share weight; and the weights.
    """
    submissions, count = index.owners, len(index.totals)
    # The postings of each fingerprint, and the place behind each entry of the index among them.
    order = np.argsort(index.items, kind="stable")
    postings = submissions[order]
    starts = np.empty(len(order), np.int64)
    starts[order] = np.arange(1, len(order) + 1)
    sizes = (np.cumsum(index.frequencies)[index.items] - starts) * is_looked_up[index.items]
    costs = segment_sums(sizes, index.sizes[:current]) + 1
    for block in chunks(costs, _TOGETHER):
        entries = slice(index.offsets[block.start], index.offsets[block.stop])
        holders = postings[expand_ranges(starts[entries], sizes[entries])]
        rows = submissions[entries].astype(np.int64) - block.start
        cells = np.repeat(rows * count, sizes[entries]) + holders
        weights = np.repeat(index.weights[index.items[entries], 0], sizes[entries])
        yield block.start, *_sums_by_cell(weights, cells, (block.stop - block.start) * count)


def _sums_by_cell(
    weights: NDArray[np.float64], cells: NDArray[np.integer], size: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sum weights by cell of a table; return the cells whose sum is not 0, ascending, and the sums.

    A table that would be mostly empty is not built, so that the cost stays linear in the look-ups.
    """
    if size <= _SPARSE * len(cells):
        sums = sums_of(weights, cells, size)
        found = np.flatnonzero(sums != 0)  # faster than on the numbers
        return found, sums[found]
    order = np.argsort(cells, kind="stable")
    starts = np.flatnonzero(run_starts(cells[order]))
    sums = np.add.reduceat(weights[order], starts)
    found = np.flatnonzero(sums != 0)
    return cells[order[starts[found]]].astype(np.int64, copy=False), sums[found]
