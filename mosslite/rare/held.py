"""What a work holds and few others do, and where."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.postings import changes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.model import Work

__all__ = ["Found", "RareTraces", "rare_traces"]

# Rare is what only two works hold, or one in so many of a large batch.
_ONE_IN = 50


class Found(NamedTuple):
    """Where a work holds a trace: the first document that does, and its places there."""

    document: int
    places: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RareTraces:
    """The traces of a work that few others hold.

    Attributes:
        codes: ``(r,) uint64`` ascending.
        counts: ``(r,) int64``, how many works hold each.
        documents: For each, the first of the work's documents that does.
        offsets: The places of trace i among those of this document are
            ``places[offsets[i] : offsets[i + 1]]``.
        places: Ascending for each trace.
    """

    work: Work
    codes: NDArray[np.uint64]
    counts: NDArray[np.int64]
    documents: list[int]
    offsets: list[int]
    places: NDArray[np.int64]

    def found(self, nth: int) -> Found:
        """Tell where a trace is."""
        here = slice(self.offsets[nth], self.offsets[nth + 1])
        return Found(self.documents[nth], self.places[here])


def rare_traces(
    work: Work, works: int, codes: NDArray[np.uint64], counts: NDArray[np.int64]
) -> RareTraces:
    """Find the rare traces of a work.

    Args:
        work: One of the batch.
        works: How many works there are.
        codes: ``(u,)`` ascending, every trace of the batch.
        counts: ``(u,)``, how many works hold each.
    """
    columns = [document.traces.codes for document in work.documents]
    own = np.concatenate([np.empty(0, np.uint64), *columns])
    order = np.argsort(own, kind="stable")
    of_each = counts[np.searchsorted(codes, own[order])]
    is_rare = (of_each > 1) & (of_each <= max(2, works // _ONE_IN)) & (of_each < works)
    order, of_each = order[is_rare], of_each[is_rare]
    edges = np.array([0, *accumulate(map(len, columns))], np.int64)
    documents = np.searchsorted(edges, order, side="right") - 1
    firsts = np.flatnonzero(changes(own[order]))
    sizes = np.diff(np.append(firsts, len(order)))
    is_there = documents == np.repeat(documents[firsts], sizes)
    return RareTraces(
        work=work,
        codes=own[order[firsts]],
        counts=of_each[firsts],
        documents=documents[firsts].tolist(),
        offsets=np.append(0, np.cumsum(is_there))[np.append(firsts, len(order))].tolist(),
        places=(order - edges[documents])[is_there],
    )
