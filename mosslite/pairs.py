"""Candidate pairs: which works share fingerprints, and how much.

As in SIGMOD 2003, section 5.2: each work's fingerprints are looked up in the index, the list is
sorted by work, and only then are there pairs, of which those below a threshold are never formed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.model import Role
from mosslite.postings import sums_of, totals_of
from mosslite.spans import blocks_of, positions_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.columns import Index

__all__ = ["candidate_pairs"]

# A fingerprint is looked up once for each current work that holds it, and yields all its holders.
# The most frequent are left out, of the look-up and not of the score, beyond this many in all.
_MOST_LOOKUPS = 200_000_000

# So many holders, about, are looked up together.
_TOGETHER = 100_000


def candidate_pairs(
    index: Index, roles: Sequence[Role], owners: NDArray[np.int64], most: int | None
) -> NDArray[np.int64]:
    """Find the pairs that share the most fingerprints for their size.

    Args:
        index: Fingerprints of all works.
        roles: The role of each work; a pair has at least one CURRENT side.
        owners: ``(n,)``, equal for works that are never a pair, as one student handed them in.
        most: How many pairs at most; None gives every pair that shares a fingerprint.

    Returns:
        ``(m, 2) int64`` work numbers, the smaller first, in ascending order.
    """
    is_looked_up = np.ones(len(index.frequencies), np.bool_)
    if most is not None:
        is_looked_up = _affordable(index, roles)
    rows, waiting, floor = np.empty((0, 3)), [], 0.0
    for found in _partners(index, roles, owners, is_looked_up):
        waiting.append(found[found[:, 2] >= floor])
        if most is not None and sum(map(len, waiting)) > most:
            rows, waiting = _strongest(np.concatenate([rows, *waiting]), most), []
            floor = rows[:, 2].min()
    rows = np.concatenate([rows, *waiting])
    if most is not None:
        rows = _strongest(rows, most)
    pairs = np.sort(rows[:, :2].astype(np.int64), axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _affordable(index: Index, roles: Sequence[Role]) -> NDArray[np.bool_]:
    """Mark the fingerprints, rarest first, that can be looked up within the budget."""
    is_current = np.array([role is Role.CURRENT for role in roles], np.bool_)
    times = np.add.reduceat(is_current[index.works].astype(np.float64), index.offsets[:-1])
    order = np.argsort(index.frequencies, kind="stable")
    costs = np.cumsum((index.frequencies * times)[order])
    is_affordable = np.zeros(len(order), np.bool_)
    is_affordable[order] = costs <= _MOST_LOOKUPS
    return is_affordable


def _partners(
    index: Index,
    roles: Sequence[Role],
    owners: NDArray[np.int64],
    is_looked_up: NDArray[np.bool_],
) -> Iterator[NDArray[np.float64]]:
    """Give for current works ``(m, 3)``: itself, a partner, and how strong their tie is."""
    count = len(roles)
    works = np.repeat(np.arange(count), np.diff(index.work_offsets))
    sizes = sums_of(index.weights[index.fingerprints], works, count)
    sizes = np.maximum(sizes, np.finfo(np.float64).tiny)
    is_current = np.array([role is Role.CURRENT for role in roles], np.bool_)
    # Where current works come first, a partner is always among the later holders.
    is_sorted = not (is_current[1:] & ~is_current[:-1]).any()
    for work, shared in _shared(index, is_current, is_looked_up, is_sorted=is_sorted):
        rows, others = np.nonzero(shared)
        lefts = rows + work
        is_pair = ((others > lefts) | ~is_current[others]) & (owners[others] != owners[lefts])
        rows, lefts, others = rows[is_pair], lefts[is_pair], others[is_pair]
        # Rounded, as sums may differ in their last digit from machine to machine.
        strength = (shared[rows, others] / np.sqrt(sizes[lefts] * sizes[others])).round(9)
        yield np.column_stack([lefts, others, strength])


def _shared(
    index: Index,
    is_current: NDArray[np.bool_],
    is_looked_up: NDArray[np.bool_],
    *,
    is_sorted: bool,
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Look up the fingerprints of current works, some works at a time.

    Returns:
        The first of these works, and what each of them shares with all works.
    """
    count = len(is_current)
    works = np.repeat(np.arange(count), np.diff(index.work_offsets))
    starts = index.places + 1 if is_sorted else index.offsets[index.fingerprints]
    sizes = index.offsets[index.fingerprints + 1] - starts
    sizes *= is_looked_up[index.fingerprints] & is_current[works]
    costs = totals_of(sizes, np.diff(index.work_offsets)) + count
    for block in blocks_of(costs, _TOGETHER):
        entries = slice(index.work_offsets[block.start], index.work_offsets[block.stop])
        holders = index.works[positions_in(starts[entries], sizes[entries])]
        cells = np.repeat((works[entries] - block.start) * count, sizes[entries]) + holders
        weights = np.repeat(index.weights[index.fingerprints[entries]], sizes[entries])
        rows = block.stop - block.start
        shared = sums_of(weights, cells, rows * count)
        yield block.start, shared.reshape(rows, count)


def _strongest(rows: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Keep the strongest ties; equal ones by their works, so that the order of work is moot."""
    if len(rows) <= most:
        return rows
    weakest = np.partition(rows[:, 2], -most)[-most]
    stronger, equal = rows[rows[:, 2] > weakest], rows[rows[:, 2] == weakest]
    equal = equal[np.lexsort((equal[:, 1], equal[:, 0]))]
    return np.concatenate([stronger, equal[: most - len(stronger)]])
