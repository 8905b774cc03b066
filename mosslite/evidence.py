"""Three views of a work, each blind to one kind of disguise, that pairs are scored on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.columns import TokenKind
from mosslite.winnow import kgram_hashes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.columns import Comparable

__all__ = ["grammar", "skeleton", "wording"]


def skeleton(comparable: Comparable) -> NDArray[np.uint64]:
    """Hash the k-grams of symbols without brackets, separators and modifiers.

    Returns:
        ``(m,) uint64``, file by file; this is blind to braces, brackets and ``public final``.
    """
    is_seen = comparable.kinds != TokenKind.FRAME
    return _hashes(comparable, comparable.codes, is_seen, share=1.0)


def grammar(comparable: Comparable) -> NDArray[np.uint64]:
    """Hash the k-grams of symbols without names: keywords, operators, literals and signs.

    Returns:
        ``(m,) uint64``, file by file; this is blind to a call or a variable put in between.
    """
    is_seen = comparable.kinds != TokenKind.NAME
    return _hashes(comparable, comparable.codes, is_seen, share=0.75)


def wording(comparable: Comparable) -> NDArray[np.uint64]:
    """Hash the k-grams of tokens as they are written: names, numbers and strings tell apart.

    Returns:
        ``(m,) uint64``, file by file; this is blind to nothing but comments and layout.
    """
    is_seen = np.ones(len(comparable), np.bool_)
    return _hashes(comparable, comparable.wordings, is_seen, share=0.5)


def _hashes(
    comparable: Comparable,
    codes: NDArray[np.uint64],
    is_seen: NDArray[np.bool_],
    *,
    share: float,
) -> NDArray[np.uint64]:
    """Hash k-grams of the tokens seen, k being this share of the detail length."""
    hashes = [np.empty(0, np.uint64)]
    for stretch in comparable.stretches:
        of_file = slice(stretch.start, stretch.stop)
        seen = codes[of_file][is_seen[of_file]]
        k = max(round(share * stretch.thresholds.detail), 1)
        # A file that has less to see is seen as one k-gram.
        hashes.append(kgram_hashes(seen, max(min(k, len(seen)), 1)))
    return np.concatenate(hashes)
