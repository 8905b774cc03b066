"""A few bytes that tell whether a submission is still roughly the same code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.winnowing.winnow import kgram_hashes

if TYPE_CHECKING:
    from mosslite.model import Work

__all__ = ["DIGITS", "SIZE", "resemblance", "sketch_of"]

# 32 smallest hashes guess a resemblance to within about a tenth (Broder 1997).
SIZE: Final = 32
# Hexadecimal digits of a hash: its upper half, as the lower half of a small one says little more.
DIGITS: Final = 8
# Whatever -k says: sketches of two runs are to be comparable.
_K: Final = 12


def sketch_of(work: Work) -> str:
    """Return the smallest k-gram hashes of a work's own code, ascending; empty below 12 tokens."""
    smallest = np.unique(kgram_hashes(work.comparable.codes, _K))[:SIZE]
    return "".join(f"{int(each) >> 32:0{DIGITS}x}" for each in smallest)


def resemblance(sketch: str, other: str) -> float:
    """Guess what share of the k-grams of both codes together is in either of them, in [0, 1]."""
    ours, theirs = _hashes(sketch), _hashes(other)
    sample = sorted(ours | theirs)[:SIZE]
    return sum(each in ours & theirs for each in sample) / len(sample) if sample else 1.0


def _hashes(sketch: str) -> set[str]:
    return {sketch[at : at + DIGITS] for at in range(0, len(sketch), DIGITS)}
