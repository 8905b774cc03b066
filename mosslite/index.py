"""The inverted index: which works hold a fingerprint (SIGMOD 2003, section 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mosslite.model import KGrams

__all__ = ["Index", "build_index"]


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


def build_index(kgrams: Sequence[KGrams]) -> Index:
    """Index the k-grams of every work by their hash; sorting makes it n log n."""
    distinct = [np.unique(grams.hashes) for grams in kgrams]
    sizes = np.array([len(hashes) for hashes in distinct], np.int64)
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
