"""The records of long columns that stages hand to each other: tokens, k-grams and their index."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.options import Thresholds

__all__ = ["Comparable", "Index", "KGrams", "Stretch", "Tile", "TokenKind", "TokenStream"]


class TokenKind(IntEnum):
    """What a token is to a copier."""

    CONTENT = 0
    """What the work says: a keyword, an operator, a literal, a letter."""
    NAME = 1
    """A name of the writer's choice."""
    FRAME = 2
    """A bracket, separator or modifier that could as well be there or not."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenStream:
    """The tokens of one file that can tell works apart, in order of their place in the text.

    Attributes:
        codes: ``(n,) uint64``, equal for tokens that count as equal, the same on every machine.
        wordings: ``(n,) uint64``, equal for tokens that are also written the same.
        kinds: ``(n,) uint8``, the ``TokenKind`` of each.
        starts: ``(n,) int32``, first character of each token, 0-based.
        stops: ``(n,) int32``, one past its last character.
        lines: ``(n,) int32``, 1-based line of its first character.
        last_lines: ``(n,) int32``, line of its last character.
    """

    codes: NDArray[np.uint64]
    wordings: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    starts: NDArray[np.int32]
    stops: NDArray[np.int32]
    lines: NDArray[np.int32]
    last_lines: NDArray[np.int32]

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.codes)


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
        documents: ``(n,) int32``, the submission's document each token comes from.
        tokens: ``(n,) int32``, its index in that document's stream.
        stretches: ``[start, stop)`` and the thresholds of each document that is compared.
    """

    codes: NDArray[np.uint64]
    wordings: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    documents: NDArray[np.int32]
    tokens: NDArray[np.int32]
    stretches: tuple[Stretch, ...]

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.codes)


@dataclass(frozen=True, slots=True, eq=False)
class KGrams:
    """K-grams of one submission's comparable tokens, all or some, by hash and then by place.

    Attributes:
        hashes: ``(m,) uint64`` ascending.
        starts: ``(m,) int64``, the first comparable token of each.
    """

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """Fingerprints with the works that hold them, and works with their fingerprints.

    Attributes:
        offsets: ``(u + 1,) int64``: the works that hold fingerprint f are
            ``works[offsets[f] : offsets[f + 1]]``.
        works: ``(p,) int32``, increasing for each fingerprint.
        work_offsets: ``(n + 1,) int64``: the fingerprints of work i are
            ``fingerprints[work_offsets[i] : work_offsets[i + 1]]``.
        fingerprints: ``(p,) int32`` in ``[0, u)``, increasing for each work.
    """

    offsets: NDArray[np.int64]
    works: NDArray[np.int32]
    work_offsets: NDArray[np.int64]
    fingerprints: NDArray[np.int32]

    @property
    def frequencies(self) -> NDArray[np.int64]:
        """In how many works each fingerprint occurs, ``(u,) int64``."""
        return np.diff(self.offsets)

    @property
    def rarities(self) -> NDArray[np.float64]:
        """The weight of each fingerprint, ``(u,) float64``: log((n + 1) / m) if m of n hold it."""
        works = len(self.work_offsets) - 1
        return np.log((works + 1) / np.maximum(self.frequencies, 1))

    def fingerprints_of(self, work: int) -> NDArray[np.int32]:
        """Give the distinct fingerprints of one work."""
        return self.fingerprints[self.work_offsets[work] : self.work_offsets[work + 1]]

    def holders(
        self, fingerprints: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Look up fingerprints: the works that hold them, and which of the given each is for."""
        firsts = self.offsets[fingerprints]
        counts = self.offsets[fingerprints + 1] - firsts
        nth = np.repeat(np.arange(len(fingerprints)), counts)
        within = np.arange(len(nth)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.works[firsts[nth] + within], nth


@dataclass(frozen=True, slots=True)
class Tile:
    """Equal runs of tokens in two submissions: ``length`` of them from each start."""

    left_start: int
    right_start: int
    length: int
