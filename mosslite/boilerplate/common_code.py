"""Marks passages that more submissions share than the user allows (MOSS' ``-m``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.spans import covered
from mosslite.winnow import kgram_hashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mosslite.columns import TokenStream

__all__ = ["mark_common_code"]


def mark_common_code(
    streams: Sequence[TokenStream], owners: Sequence[int], noises: Sequence[int], limit: int
) -> list[NDArray[np.bool_]]:
    """Mark, in each stream, the k-grams that occur in more than ``limit`` submissions.

    Args:
        streams: Files of all submissions.
        owners: The submission each belongs to.
        noises: The noise threshold k of each.
        limit: MOSS' ``-m``.

    Returns:
        A ``(n,) bool`` mask for each stream.
    """
    hashes = [kgram_hashes(s.codes, k) for s, k in zip(streams, noises, strict=True)]
    sizes = [len(column) for column in hashes]
    _, numbers = np.unique(np.concatenate([np.empty(0, np.uint64), *hashes]), return_inverse=True)
    owned = np.unique(
        np.column_stack([numbers, np.repeat(np.array(owners, np.int64), sizes)]), axis=0
    )
    is_common = np.bincount(owned[:, 0])[numbers] > limit if len(numbers) else np.empty(0, np.bool_)
    parts = np.split(is_common, np.cumsum(sizes, dtype=np.int64))[:-1]
    return [
        covered(starts, starts + k, len(stream))
        for stream, part, k in zip(streams, parts, noises, strict=True)
        for starts in [np.flatnonzero(part)]
    ]
