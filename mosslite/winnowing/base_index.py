"""Index of base code: its k-grams, and the rarity of its tokens and lines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import expand_ranges
from mosslite.winnowing.winnow import kgram_hashes

# Scores are integers, in units of 1/256 bit.
BIT: Final = 256

# Number of consecutive tokens whose rarity is measured.
FEW_TOKENS: Final = 4


class Text(NamedTuple):
    """Tokens of one side.

    Attributes:
        codes: ``(n,) uint64`` symbol codes.
        is_break: ``(n + 1,) bool``, whether a line ends before each token; always True at the
            start and at the end.
    """

    codes: NDArray[np.uint64]
    is_break: NDArray[np.bool_]

    def part(self, start: int, stop: int) -> Text:
        """Return the tokens ``[start, stop)``."""
        return Text(self.codes[start:stop], self.is_break[start : stop + 1])

    def reversed(self) -> Text:
        """Return the tokens from last to first."""
        return Text(self.codes[::-1], self.is_break[::-1])


class Run(NamedTuple):
    """Equal tokens: ``length`` of them, from ``own`` in the submission and ``base`` in the base."""

    own: int
    base: int
    length: int

    @property
    def own_stop(self) -> int:
        """One past the last token in the submission."""
        return self.own + self.length

    @property
    def base_stop(self) -> int:
        """One past the last token in the base."""
        return self.base + self.length


class Grams(NamedTuple):
    """The k-grams of a text: ``(m - k + 1,)`` ascending hashes, and the start of each."""

    k: int
    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class BaseIndex:
    """One indexed file of base code.

    Attributes:
        text: Its tokens.
        grams: Its k-grams, with the noise threshold as k.
        rarity: ``(m,) int64``, of the four tokens from each on: 256 if they occur once in the file,
            0 if everywhere.
        line_rarity: ``(m,) int64``, likewise for the line of each token.
    """

    text: Text
    grams: Grams
    rarity: NDArray[np.int64]
    line_rarity: NDArray[np.int64]


def index_base(text: Text, noise: int) -> BaseIndex:
    """Index a file of base code by all its k-grams."""
    grams = index_grams(text.codes, noise)
    return BaseIndex(text, grams, _gram_rarity(text), _line_rarity(text))


def index_grams(codes: NDArray[np.uint64], k: int) -> Grams:
    """Sort the k-grams of a text by their hashes."""
    hashes = kgram_hashes(codes, k)
    order = np.argsort(hashes, kind="stable")
    return Grams(k, hashes[order], order)


def _gram_rarity(text: Text) -> NDArray[np.int64]:
    grams = kgram_hashes(text.codes, FEW_TOKENS)
    rarity = np.full(len(text.codes), BIT)
    rarity[: len(grams)] = _rarity(grams)
    return rarity


def _line_rarity(text: Text) -> NDArray[np.int64]:
    starts = np.flatnonzero(text.is_break)
    lines = [text.codes[start:stop].tobytes() for start, stop in pairwise(starts.tolist())]
    return np.repeat(_rarity(np.array(lines, object)), np.diff(starts))


def _rarity(values: NDArray[np.generic]) -> NDArray[np.int64]:
    """Return 256 for values that occur once, down to 0 if there is only one value."""
    _, numbers, counts = np.unique(values, return_inverse=True, return_counts=True)
    whole = math.log2(max(len(values), 2))
    by_value = [round(BIT * (1 - math.log2(count) / whole)) for count in counts.tolist()]
    return np.array(by_value, np.int64)[numbers]


def shared_kgrams(codes: NDArray[np.uint64], base: BaseIndex) -> NDArray[np.int64]:
    """Return the ascending starts of k-grams that the base also contains, verified by token."""
    starts, _ = kgram_pairs(codes, base.text.codes, base.grams, most=1)
    return starts


def kgram_pairs(
    codes: NDArray[np.uint64], base: NDArray[np.uint64], grams: Grams, *, most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return starts of equal k-grams in both, with a limit of positions in the base for each."""
    hashes = kgram_hashes(codes, grams.k)
    firsts = np.searchsorted(grams.hashes, hashes, side="left")
    counts = np.searchsorted(grams.hashes, hashes, side="right") - firsts
    owns = np.flatnonzero(counts)
    firsts, counts = firsts[owns], counts[owns]
    is_frequent = counts > most
    firsts[is_frequent] += (_occurrences(hashes[owns]) % counts)[is_frequent]
    counts[is_frequent] = 1
    bases = grams.starts[expand_ranges(firsts, counts)]
    owns = np.repeat(owns, counts)
    is_equal = np.ones(len(owns), np.bool_)
    for step in range(grams.k):
        is_equal &= codes[owns + step] == base[bases + step]
    return owns[is_equal], bases[is_equal]


def _occurrences(values: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Number the occurrences of each value: ``[7, 5, 7]`` yields ``[0, 0, 1]``."""
    order = np.argsort(values, kind="stable")
    is_first = np.append(True, values[order][1:] != values[order][:-1])[: len(values)]
    places = np.arange(len(values))
    numbers = np.empty_like(places)
    numbers[order] = places - np.maximum.accumulate(np.where(is_first, places, 0))
    return numbers
