"""Equal elements of long columns: where they begin, their sums, and which works hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mosslite.records import Hashes

__all__ = ["Postings", "changes", "postings", "postings_in_parts", "sums_of", "totals_of"]

# So many hashes, about, are sorted at a time, which bounds the memory that takes.
_AT_A_TIME = 1_000_000


def changes(column: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Mark the first of each run of equal elements, ``(n,) bool``."""
    is_new = np.ones(len(column), np.bool_)
    np.not_equal(column[1:], column[:-1], out=is_new[1:])
    return is_new


def sums_of(
    values: NDArray[np.float64], groups: NDArray[np.integer], count: int
) -> NDArray[np.float64]:
    """Sum up the values of each group, ``(count,) float64``, in the order they come."""
    return np.bincount(groups, values, count).astype(np.float64, copy=False)


def totals_of(values: NDArray[np.generic], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum up flags or counts in each of the ranges of these sizes laid end to end."""
    sums = np.append(0, np.cumsum(values, dtype=np.int64))
    totals: NDArray[np.int64] = np.diff(sums[np.append(0, np.cumsum(sizes))])
    return totals


class Postings(NamedTuple):
    """Distinct hashes and the works that hold each.

    Attributes:
        values: ``(u,) uint64`` ascending.
        counts: ``(u,) int64``, how many works hold each.
        works: ``(p,) int32``, the works that hold the first, ascending, then those of the next.
        times: ``(p,) int32``, in how many places a work has a hash.
        marked: ``(p,) int32``, in how many marked ones.
        firsts: ``(u,) int64``, the first place of each hash among all.
    """

    values: NDArray[np.uint64]
    counts: NDArray[np.int64]
    works: NDArray[np.int32]
    times: NDArray[np.int32]
    marked: NDArray[np.int32]
    firsts: NDArray[np.int64]

    def repeated(self) -> Postings:
        """Return what works hold more than once, as though they held it once less."""
        again = np.flatnonzero(self.times > 1)
        numbers = np.searchsorted(np.cumsum(self.counts), again, side="right")
        begins = np.flatnonzero(changes(numbers))
        held = numbers[begins]
        return Postings(
            values=self.values[held],
            counts=np.diff(np.append(begins, len(again))),
            works=self.works[again],
            times=self.times[again] - 1,
            marked=np.maximum(self.marked[again] - 1, 0),
            firsts=self.firsts[held],
        )


def postings(hashes: Hashes, is_marked: NDArray[np.bool_]) -> Postings:
    """Sort hashes by value and work, each once for a work.

    Args:
        hashes: Of all works.
        is_marked: ``(m,) bool``, a mark on each place.
    """
    parts = list(postings_in_parts(hashes, is_marked))
    return Postings(*map(np.concatenate, zip(*parts, strict=True)))


def postings_in_parts(hashes: Hashes, is_marked: NDArray[np.bool_]) -> Iterator[Postings]:
    """Do so for one range of values after the other; n log n."""
    owners = hashes.owners
    bits = (len(owners) // _AT_A_TIME).bit_length()
    if not bits:
        yield _sorted(hashes.values, owners, is_marked)
        return
    for part in range(1 << bits):
        first, last = (part << 64 - bits), (part + 1 << 64 - bits) - 1
        places = np.flatnonzero((hashes.values >= first) & (hashes.values <= last))
        found = _sorted(hashes.values[places], owners[places], is_marked[places])
        yield found._replace(firsts=places[found.firsts])


def _sorted(
    values: NDArray[np.uint64], owners: NDArray[np.int32], is_marked: NDArray[np.bool_]
) -> Postings:
    order, values = _by_value(values)
    owners = owners[order]
    is_new = changes(values)
    # Equal values are in order of place, and so of work.
    is_first = is_new | changes(owners)
    firsts, works = np.flatnonzero(is_new), np.flatnonzero(is_first)
    sizes = np.diff(np.append(works, len(values)))
    times = sizes.astype(np.int32)
    return Postings(
        values=values[firsts],
        counts=np.diff(np.append(np.flatnonzero(is_new[works]), len(works))),
        works=owners[works],
        times=times,
        # Mostly all are, and then there is nothing to count.
        marked=times if is_marked.all() else totals_of(is_marked[order], sizes).astype(np.int32),
        firsts=order[firsts],
    )


def _by_value(values: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return places by value, equal values by place, and the values in this order.

    Numbers are sorted several times as fast as places are by a number, so the lowest bits of each
    value make way for its place: only values that differ in no other bits can be out of order.
    """
    mask = np.uint64((1 << len(values).bit_length()) - 1)
    keys = values & ~mask
    keys |= np.arange(len(values), dtype=np.uint64)
    keys.sort()
    keys &= mask
    order = keys.view(np.int64)
    ranked = values[order]
    if (ranked[1:] < ranked[:-1]).any():
        order = np.argsort(values, kind="stable")
        ranked = values[order]
    return order, ranked
