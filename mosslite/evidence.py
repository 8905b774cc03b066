"""What is seen of each work: four views of its tokens, and its traces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.columns import Seen, TokenKind
from mosslite.winnow import kgram_hashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mosslite.columns import Comparable, TraceKind
    from mosslite.model import Document

__all__ = ["core", "grammar", "skeleton", "traces", "wording"]


def skeleton(comparable: Comparable) -> Seen:
    """See symbols without brackets, separators and modifiers."""
    is_seen = comparable.kinds != TokenKind.FRAME
    return _kgrams(comparable, comparable.codes, is_seen, share=1.0)


def grammar(comparable: Comparable) -> Seen:
    """See symbols without names: this is blind to a call or a variable put in between."""
    is_seen = comparable.kinds != TokenKind.NAME
    return _kgrams(comparable, comparable.codes, is_seen, share=0.75)


def core(comparable: Comparable) -> Seen:
    """See keywords, operators and literals alone: this is blind to all of the above."""
    is_seen = comparable.kinds == TokenKind.CONTENT
    return _kgrams(comparable, comparable.codes, is_seen, share=1.0)


def wording(comparable: Comparable) -> Seen:
    """See tokens as they are written: names, numbers and strings tell apart."""
    is_seen = np.ones(len(comparable), np.bool_)
    return _kgrams(comparable, comparable.wordings, is_seen, share=0.5)


def traces(documents: Sequence[Document], kinds: Sequence[TraceKind]) -> Seen:
    """See traces of these kinds."""
    codes = [
        each.traces.codes[np.isin(each.traces.kinds, np.array(kinds, np.uint8))]
        for each in documents
    ]
    joined = np.concatenate([np.empty(0, np.uint64), *codes])
    return Seen(joined, np.ones(len(joined), np.bool_))


def _kgrams(
    comparable: Comparable,
    codes: NDArray[np.uint64],
    is_seen: NDArray[np.bool_],
    *,
    share: float,
) -> Seen:
    """Give k-grams of the tokens seen, k being this share of the detail length."""
    hashes, is_reached = [np.empty(0, np.uint64)], [np.empty(0, np.bool_)]
    for stretch in comparable.stretches:
        of_file = slice(stretch.start, stretch.stop)
        seen = codes[of_file][is_seen[of_file]]
        # A file that has less to see is seen as one k-gram.
        k = max(min(round(share * stretch.thresholds.detail), len(seen)), 1)
        hashes.append(kgram_hashes(seen, k))
        reached = np.cumsum(np.append(0, comparable.is_reached[of_file][is_seen[of_file]]))
        is_reached.append(reached[k:] - reached[:-k] == k)
    return Seen(np.concatenate(hashes), np.concatenate(is_reached))
