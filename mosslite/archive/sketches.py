"""Resemblance of sets of fingerprints (SIGMOD 2003, section 3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["resemblance"]


def resemblance(
    left: NDArray[np.uint64], right: NDArray[np.uint64], smallest: int | None = None
) -> float:
    """Return the share of all fingerprints of two sets that both have.

    Args:
        left: Ascending, each once.
        right: Likewise.
        smallest: Look at so many of all fingerprints only, from the smallest on, as Broder and
            Heintze do; that is an estimate without bias. None looks at all.
    """
    together = np.sort(np.concatenate((left[:smallest], right[:smallest])))
    is_first = np.ones(len(together), np.bool_)
    is_first[1:] = together[1:] != together[:-1]
    if smallest is not None:
        is_first = is_first[np.cumsum(is_first) <= smallest]
    distinct = int(is_first.sum())
    return (len(is_first) - distinct) / max(distinct, 1)
