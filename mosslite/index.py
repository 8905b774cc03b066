"""The inverted index: which works hold a fingerprint (SIGMOD 2003, section 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.columns import Index, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mosslite.columns import Seen

__all__ = ["build_index", "build_view"]


def build_index(hashes: Sequence[NDArray[np.uint64]]) -> Index:
    """Index the k-grams of every work by their hash; sorting makes it n log n."""
    distinct = [np.unique(of_work) for of_work in hashes]
    sizes = np.array([len(of_work) for of_work in distinct], np.int64)
    owners = np.repeat(np.arange(len(distinct), dtype=np.int32), sizes)
    _, numbers, counts = np.unique(
        np.concatenate([np.empty(0, np.uint64), *distinct]),
        return_inverse=True,
        return_counts=True,
    )
    return Index(
        offsets=np.concatenate([[0], np.cumsum(counts)]),
        works=owners[np.argsort(numbers, kind="stable")],
        work_offsets=np.concatenate([[0], np.cumsum(sizes)]),
        fingerprints=numbers.astype(np.int32),
    )


def build_view(seen: Sequence[Seen]) -> View:
    """Index what is seen of every work; an item weighs the log of its rarity."""
    index = build_index([of_work.hashes for of_work in seen])
    is_reached = [
        np.isin(np.unique(of_work.hashes), of_work.hashes[of_work.is_reached]) for of_work in seen
    ]
    return View(
        index=index,
        is_reached=np.concatenate([np.empty(0, np.bool_), *is_reached]),
        weights=index.rarities,
    )
