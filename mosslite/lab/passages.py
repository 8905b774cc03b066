"""Finds the text behind hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.winnowing.winnow import kgram_hashes

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from mosslite.lab.stream import Source

__all__ = ["passages_of"]


def passages_of(source: Source, k: int, hashes: Collection[int]) -> dict[int, tuple[int, str]]:
    """Return for each hash the position of the first k-gram that has it, and that k-gram's text."""
    found: dict[int, tuple[int, str]] = {}
    wanted = np.array(sorted(hashes), np.uint64)
    words: Sequence[str] = ()
    codes, first = np.empty(0, np.uint64), 0
    for piece in source.pieces():
        if len(found) == len(wanted):
            break
        codes = np.concatenate([codes, piece.codes])
        words = _added(words, piece.words)
        grams = kgram_hashes(codes, k)
        nearest = wanted[np.searchsorted(wanted[:-1], grams)] if len(wanted) else ~grams
        for place in np.flatnonzero(nearest == grams).tolist():
            hash_ = int(grams[place])
            if hash_ not in found:
                found[hash_] = first + place, _text(words[place : place + k])
        codes, words, first = codes[len(grams) :], words[len(grams) :], first + len(grams)
    return found


def _added(left: Sequence[str], right: Sequence[str]) -> Sequence[str]:
    if isinstance(right, str):
        return "".join(left) + right
    return (*left, *right)


def _text(words: Sequence[str]) -> str:
    """Write letters one after the other, as they are prose, and tokens apart."""
    return words if isinstance(words, str) else " ".join(words)
