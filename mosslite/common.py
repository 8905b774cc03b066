"""Passages that most of a class wrote: likely boilerplate that nobody declared.

They are not left out unless the user says so, as a solution that everybody copied looks the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.model import CommonPassage, Role
from mosslite.spans import covered, ranges_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.columns import KGrams
    from mosslite.model import Work

__all__ = ["common_passages"]

# In a smaller class, what most have can be chance; a shorter passage is idiom.
_LEAST_WORKS, _LEAST_TOKENS = 6, 20


def common_passages(works: Sequence[Work], grams: Sequence[KGrams]) -> tuple[CommonPassage, ...]:
    """Find passages that more than half of the current works have.

    Args:
        works: All works.
        grams: The k-grams of noise threshold length of each.

    Returns:
        The passages of the work that has most of them, in order of their place.
    """
    current = [n for n, work in enumerate(works) if work.role is Role.CURRENT]
    if len(current) < _LEAST_WORKS:
        return ()
    hashes, counts = np.unique(
        np.concatenate([np.unique(grams[n].hashes) for n in current]), return_counts=True
    )
    is_common = 2 * counts > len(current)
    common, counts = hashes[is_common], counts[is_common]
    found = [list(_passages(works[n], grams[n], common, counts)) for n in current]
    return tuple(max(found, key=lambda passages: sum(each.tokens for each in passages)))


def _passages(
    work: Work, grams: KGrams, common: NDArray[np.uint64], counts: NDArray[np.int64]
) -> Iterator[CommonPassage]:
    is_common = np.isin(grams.hashes, common)
    starts = grams.starts[is_common]
    held_by = counts[np.searchsorted(common, grams.hashes[is_common])]
    for stretch in work.comparable.stretches:
        k = stretch.thresholds.noise
        here = (starts >= stretch.start) & (starts < stretch.stop)
        begins = starts[here] - stretch.start
        mask = covered(begins, begins + k, stretch.stop - stretch.start)
        for first, stop in ranges_of(mask).tolist():
            if stop - first >= _LEAST_TOKENS:
                inside = (begins >= first) & (begins < stop)
                yield CommonPassage(
                    work=work,
                    place=work.place_of(stretch.start + first, stop - first),
                    tokens=stop - first,
                    works=int(held_by[here][inside].min()),
                )
