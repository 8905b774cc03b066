"""Candidate pairs: which works share fingerprints, and how much.

As in SIGMOD 2003, section 5.2: each work's fingerprints are looked up in the index, the list is
sorted by work, and only then are there pairs, of which those below a threshold are never formed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.model import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.columns import Index

__all__ = ["candidate_pairs"]

# A fingerprint is looked up once for each current work that holds it, and yields all its holders.
# The most frequent are left out, of the look-up and not of the score, beyond this many in all.
_MOST_LOOKUPS = 200_000_000


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
    rows, waiting = np.empty((0, 3)), []
    for found in _partners(index, roles, owners, is_looked_up):
        waiting.append(found)
        if most is not None and sum(map(len, waiting)) > most:
            rows, waiting = _strongest(np.concatenate([rows, *waiting]), most), []
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
    """Give for each current work ``(m, 3)``: itself, a partner, and how strong their tie is."""
    weights = index.rarities
    sizes = [weights[index.fingerprints_of(work)].sum() for work in range(len(roles))]
    size = np.maximum(np.array(sizes), np.finfo(np.float64).tiny)
    is_current = np.array([role is Role.CURRENT for role in roles], np.bool_)
    numbers = np.arange(len(roles))
    for work in np.flatnonzero(is_current).tolist():
        fingerprints = index.fingerprints_of(work)
        fingerprints = fingerprints[is_looked_up[fingerprints]]
        holders, nth = index.holders(fingerprints)
        shared = np.bincount(holders, weights[fingerprints][nth], len(roles))
        is_pair = (shared > 0) & ((numbers > work) | ~is_current) & (owners != owners[work])
        others = np.flatnonzero(is_pair)
        # Rounded, as sums may differ in their last digit from machine to machine.
        strength = (shared[others] / np.sqrt(size[work] * size[others])).round(9)
        yield np.column_stack([np.full(len(others), work), others, strength])


def _strongest(rows: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Keep the strongest ties; equal ones by their works, so that the order of work is moot."""
    return rows[np.lexsort((rows[:, 1], rows[:, 0], -rows[:, 2]))[:most]]
