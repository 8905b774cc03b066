"""What is compared of one work: its tokens end to end, and k-grams of them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mosslite.options import Thresholds

__all__ = ["Comparable", "KGrams", "Stretch", "Tile"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """The comparable tokens ``[start, stop)`` of one document, and its k and t."""

    start: int
    stop: int
    thresholds: Thresholds


@dataclass(frozen=True, slots=True, eq=False)
class Comparable:
    """The comparable tokens of one submission: its files end to end, boilerplate left out.

    A file with fewer own tokens than its noise threshold is left out too: it cannot match.

    Attributes:
        codes: ``(n,) uint64`` symbol codes.
        wordings: ``(n,) uint64``, equal for tokens that are also written the same.
        kinds: ``(n,) uint8``, the ``TokenKind`` of each.
        is_reached: ``(n,) bool``, False in functions that nothing calls.
        documents: ``(n,) int32``, the submission's document each token comes from.
        tokens: ``(n,) int32``, its index in that document's stream.
        stretches: ``[start, stop)`` and the thresholds of each document that is compared.
    """

    codes: NDArray[np.uint64]
    wordings: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    is_reached: NDArray[np.bool_]
    documents: NDArray[np.int32]
    tokens: NDArray[np.int32]
    stretches: tuple[Stretch, ...]

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.codes)

    def stretch_of(self, token: int) -> Stretch:
        """Return the stretch that a token is in."""
        index = bisect_right(self.stretches, token, key=lambda stretch: stretch.stop)
        return self.stretches[index]


@dataclass(frozen=True, slots=True, eq=False)
class KGrams:
    """K-grams of one submission's comparable tokens, all or some, by hash and then by place.

    Attributes:
        hashes: ``(m,) uint64`` ascending.
        starts: ``(m,) int64``, the first comparable token of each.
    """

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tile:
    """Equal runs of tokens in two submissions: ``length`` of them from each start."""

    left_start: int
    right_start: int
    length: int
