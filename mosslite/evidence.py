"""What is seen of each work: four views of its tokens, and its traces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.columns import Hashes, Seen, TokenKind, TraceKind
from mosslite.postings import totals_of
from mosslite.spans import all_set, blocks_of, window_counts, windows_within
from mosslite.winnow import kgram_hashes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.columns import Comparable
    from mosslite.model import Document

    Kinds = NDArray[np.uint8]

__all__ = ["core", "grammar", "skeleton", "traces", "wording"]

# So many tokens, about, are looked at together: their columns are to stay in a cache.
_TOGETHER = 100_000


def skeleton(works: Sequence[Comparable]) -> Seen:
    """See symbols without brackets, separators and modifiers."""
    return _kgrams(works, _codes_of, lambda kinds: kinds != TokenKind.FRAME, share=1.0)


def grammar(works: Sequence[Comparable]) -> Seen:
    """See symbols without names: this is blind to a call or a variable put in between."""
    return _kgrams(works, _codes_of, lambda kinds: kinds != TokenKind.NAME, share=0.75)


def core(works: Sequence[Comparable]) -> Seen:
    """See keywords, operators and literals alone: this is blind to all of the above."""
    return _kgrams(works, _codes_of, lambda kinds: kinds == TokenKind.CONTENT, share=1.0)


def wording(works: Sequence[Comparable]) -> Seen:
    """See tokens as they are written: names, numbers and strings tell apart."""
    return _kgrams(works, _wordings_of, lambda kinds: np.ones(len(kinds), np.bool_), share=0.5)


def traces(works: Sequence[Sequence[Document]], kinds: Sequence[TraceKind]) -> Seen:
    """See traces of these kinds in the documents of each work."""
    is_asked_for = np.zeros(len(TraceKind), np.bool_)
    is_asked_for[list(kinds)] = True
    sizes = np.array([sum(len(each.traces) for each in of_work) for of_work in works], np.int64)
    return _joined(_traces(works, sizes, is_asked_for), int(sizes.sum()))


def _traces(
    works: Sequence[Sequence[Document]], sizes: NDArray[np.int64], is_asked_for: NDArray[np.bool_]
) -> Iterator[_Part]:
    for block in blocks_of(sizes, _TOGETHER):
        columns = [each.traces for of_work in works[block] for each in of_work]
        is_seen = is_asked_for[np.concatenate([each.kinds for each in columns])]
        values = np.concatenate([each.codes for each in columns])[is_seen]
        yield _Part(values, np.ones(len(values), np.bool_), totals_of(is_seen, sizes[block]))


class _Part(NamedTuple):
    """What is seen of some works: hashes, whether each is reached, and how many each work has."""

    values: NDArray[np.uint64]
    is_reached: NDArray[np.bool_]
    counts: NDArray[np.int64]


def _joined(parts: Iterable[_Part], most: int) -> Seen:
    """Put parts end to end, as they come; they have so many items at most."""
    values, is_reached = np.empty(most, np.uint64), np.empty(most, np.bool_)
    counts, stop = [np.zeros(1, np.int64)], 0
    for part in parts:
        start, stop = stop, stop + len(part.values)
        values[start:stop], is_reached[start:stop] = part.values, part.is_reached
        counts.append(part.counts)
    return Seen(Hashes(values[:stop], np.cumsum(np.concatenate(counts))), is_reached[:stop])


def _kgrams(
    works: Sequence[Comparable],
    codes_of: Callable[[Comparable], NDArray[np.uint64]],
    is_seen: Callable[[Kinds], NDArray[np.bool_]],
    *,
    share: float,
) -> Seen:
    """Return k-grams of the tokens seen, k being this share of the detail length."""
    sizes = np.array([len(work) for work in works], np.int64)
    return _joined(_hashed(works, sizes, codes_of, is_seen, share), int(sizes.sum()))


def _hashed(
    works: Sequence[Comparable],
    sizes: NDArray[np.int64],
    codes_of: Callable[[Comparable], NDArray[np.uint64]],
    is_seen: Callable[[Kinds], NDArray[np.bool_]],
    share: float,
) -> Iterator[_Part]:
    for block in blocks_of(sizes, _TOGETHER):
        together = works[block]
        mask = is_seen(np.concatenate([work.kinds for work in together]))
        texts, places = _texts(together, mask, share), np.flatnonzero(mask)
        codes = np.concatenate([codes_of(work) for work in together])[places]
        is_reached = np.concatenate([work.is_reached for work in together])[places]
        hashes, counts = windows_within(codes, *texts, kgram_hashes), window_counts(*texts)
        of_works = np.array([len(work.stretches) for work in works[block]])
        are_reached = windows_within(is_reached, *texts, all_set)
        yield _Part(hashes, are_reached, totals_of(counts, of_works))


def _texts(
    works: Sequence[Comparable], is_seen: NDArray[np.bool_], share: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each file how many tokens are seen, and k."""
    stretches = [stretch for work in works for stretch in work.stretches]
    sizes = np.array([each.stop - each.start for each in stretches], np.int64)
    details = np.array([each.thresholds.detail for each in stretches])
    seen = totals_of(is_seen, sizes)
    # A file that has less to see is seen as one k-gram.
    lengths = np.minimum(np.rint(share * details).astype(np.int64), seen)
    return seen, np.maximum(lengths, 1)


def _codes_of(work: Comparable) -> NDArray[np.uint64]:
    return work.codes


def _wordings_of(work: Comparable) -> NDArray[np.uint64]:
    return work.wordings
