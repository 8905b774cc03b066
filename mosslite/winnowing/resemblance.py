"""Resemblance of sets of k-gram hashes, whole or by their smallest (SIGMOD 2003, section 3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.winnowing.winnow import kgram_hashes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.records import Work

__all__ = ["SKETCH_DIGITS", "SKETCH_SIZE", "resemblance", "resemblance_of_sketches", "sketch_of"]

# 32 smallest hashes guess a resemblance to within about a tenth (Broder 1997).
SKETCH_SIZE: Final = 32
# Hexadecimal digits of a hash: its upper half, as the lower half of a small one says little more.
SKETCH_DIGITS: Final = 8
# Whatever -k says: sketches of two runs are to be comparable.
_K: Final = 12


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


def sketch_of(work: Work) -> str:
    """Return the smallest k-gram hashes of a submission's own code, as hexadecimal digits.

    They are ascending; of fewer than 12 tokens there are none.
    """
    smallest = np.unique(kgram_hashes(work.comparable.codes, _K))[:SKETCH_SIZE]
    return "".join(f"{int(each) >> 32:0{SKETCH_DIGITS}x}" for each in smallest)


def resemblance_of_sketches(sketch: str, other: str) -> float:
    """Estimate the resemblance of two submissions by their sketches, in [0, 1]; 1 of two empty."""
    if not sketch and not other:
        return 1.0
    return resemblance(_hashes(sketch), _hashes(other), SKETCH_SIZE)


def _hashes(sketch: str) -> NDArray[np.uint64]:
    parts = {sketch[at : at + SKETCH_DIGITS] for at in range(0, len(sketch), SKETCH_DIGITS)}
    return np.array(sorted(int(part, 16) for part in parts), np.uint64)
