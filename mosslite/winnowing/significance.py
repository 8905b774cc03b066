"""How much of an agreement between two programs chance explains.

A match of two token streams is judged as bioinformatics judges a local alignment (Karlin and
Altschul 1990): if the tokens of a match carry b bits of information under a model of unrelated
code, streams of m and n tokens are expected to contain m n 2^-b such matches by chance.

The information of a token is its code length under the better of two n-gram models: public code of
many languages (``background.npz``, made by ``tests/bench/background.py``), and the rest of the
submission itself, without this one occurrence. Idioms of a language are short under the first;
what a program repeats, such as accessors, under the second, where long passages that are copied
within a submission count once. Neither depends on other submissions:
a match of two programs is as significant in a batch of two as in one of a thousand.

Matches of edited copies are short, but many are in the same order: such a chain is judged as a
whole, less the bits that choose the place of each after the one before (Karlin and Altschul 1993).

Honest programs agree more often than symbols drawn from such a model: they solve the same tasks in
the same idioms. How often matches of honest pairs exceed m n 2^-b was measured on programs of five
courses and contests; ``expected_matches`` returns what was found, not what the model promises.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import (
    chunks,
    covered,
    expand_ranges,
    run_starts,
    segment_sums,
    window_counts,
    windows_within,
)
from mosslite.records import TokenStream
from mosslite.winnowing.winnow import kgram_hashes

Bits = NDArray[np.int64]
TokenBits = NDArray[np.int16]

# Information is counted in units of 1/256 bit, so that sums do not depend on their order.
BIT: Final = 256

# A symbol is a byte in an n-gram of up to eight; 0 is none, and 255 all that are rarer than these.
SYMBOLS: Final = 254
_OTHER: Final = SYMBOLS + 1
_BYTE: Final = 8

# Number of symbols in the longest n-gram of a program and of the public code, and the weight of a
# shorter context against occurrences of a longer one.
_OWN_ORDER, _OWN_PRIOR = 6, 2.0
_PUBLIC_ORDER, _PUBLIC_PRIOR = 4, 5.0

# A submission that has so many tokens again, as far away or farther, has a copy of them, such as an
# older version of a file; what repeats at shorter distances is a habit.
_COPY: Final = 32

# Probability of a symbol that has not been seen, and bits of a token at most and at least: a symbol
# that public code lacks proves nothing, and no token is certain, so that long passages count even
# if they repeat themselves.
_UNSEEN: Final = 1 / 64
_MOST_BITS: Final = 10 * BIT
_LEAST_BITS: Final = BIT // 8

# Tokens whose n-grams are counted together, and submissions: their number is part of the n-grams.
_TOGETHER: Final = 100_000
_MOST_OWNERS: Final = 1 << 64 - _BYTE * _OWN_ORDER

# An honest pair has so many matches that exceed chance, and half as many for each further 9 bits.
_HONEST, _HALVING = 1.5, 9 * BIT

# Maximum number of other tokens between two matches of a chain, on either side.
MOST_BETWEEN: Final = 32

# An odd number with mixed bits, so that equal passages of different submissions hash differently.
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)

# Logarithms by the leading bits of a number: integers, so they are equal on every machine.
_STEPS: Final = 4096


class Background(NamedTuple):
    """Counts of n-grams in public code.

    Attributes:
        symbols: ``(s,) uint64`` ascending codes of symbols; the number of one is its index + 1.
        grams: ``(g,) uint32`` ascending n-grams: one byte a symbol, the last one lowest.
        counts: ``(g,) int64``, occurrences of each.
        tokens: Number of tokens in total.
    """

    symbols: NDArray[np.uint64]
    grams: NDArray[np.uint32]
    counts: NDArray[np.int64]
    tokens: int


@cache
def background() -> Background:
    """Return the counts of public code that are shipped."""
    with (
        (files("mosslite.winnowing") / "background.npz").open("rb") as file,
        np.load(file, allow_pickle=False) as table,
    ):
        counts = table["counts"].astype(np.int64)
        return Background(table["symbols"], table["grams"], counts, int(table["tokens"]))


def ngrams_of(
    codes: NDArray[np.uint64], symbols: NDArray[np.uint64]
) -> Iterator[NDArray[np.uint32]]:
    """Yield the n-gram that ends at each token, ``(n,) uint32`` for each order.

    0 stands for n-grams that contain a symbol not among ``symbols``, or begin before the text.
    """
    places = np.minimum(np.searchsorted(symbols, codes), len(symbols) - 1)
    numbers = np.where(symbols[places] == codes, places + 1, 0).astype(np.uint32)
    grams = np.zeros(len(codes), np.uint32)
    is_known = np.ones(len(codes), np.bool_)
    for order in range(_PUBLIC_ORDER):
        earlier = np.zeros_like(numbers)
        earlier[order:] = numbers[: len(numbers) - order]
        grams = grams | earlier << np.uint32(_BYTE * order)
        is_known &= earlier > 0
        yield np.where(is_known, grams, 0).astype(np.uint32)


def token_bits(submissions: Sequence[TokenStream]) -> Iterator[TokenBits]:
    """Measure the information of every token of some submissions.

    Returns:
        ``(n,) int16`` for each submission, in units of 1/256 bit; n log n.
    """
    least = _TOGETHER // _MOST_OWNERS + 1  # so that empty ones are not too many
    sizes = np.array([max(len(each), least) for each in submissions], np.int64)
    for block in chunks(sizes, _TOGETHER):
        yield from _bits_together([each.codes for each in submissions[block]])


def _bits_together(submissions: Sequence[NDArray[np.uint64]]) -> list[TokenBits]:
    codes = np.concatenate([np.empty(0, np.uint64), *submissions])
    sizes = np.array([len(each) for each in submissions], np.int64)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    positions = (np.arange(len(codes)) - starts).astype(np.int32)
    public = _in_public_code(codes, positions)
    likely = np.maximum(public, _in_rest_of_itself(codes, sizes, positions))
    bits = np.clip(_negative_logarithms(likely), _LEAST_BITS, _MOST_BITS)
    return np.split(bits.astype(np.int16), np.cumsum(sizes)[:-1])


def _in_public_code(codes: NDArray[np.uint64], positions: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the probability of each token after the ones before it, in public code."""
    public = background()
    hits = (_occurrences(public, grams) for grams in ngrams_of(codes, public.symbols))
    tokens = np.full(len(codes), public.tokens, np.int32)
    return _interpolated(hits, tokens, positions, _PUBLIC_PRIOR)


def _occurrences(public: Background, grams: NDArray[np.uint32]) -> NDArray[np.int32]:
    places = np.minimum(np.searchsorted(public.grams, grams), len(public.grams) - 1)
    return np.where(public.grams[places] == grams, public.counts[places], 0).astype(np.int32)


def _in_rest_of_itself(
    codes: NDArray[np.uint64], sizes: NDArray[np.int64], positions: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Return the probability of each token in its submission, this occurrence left out."""
    counted = ~_are_copies(codes, sizes)
    hits = _other_occurrences(*_sorted_ngrams(codes, sizes, positions), counted)
    others = np.maximum(segment_sums(counted, sizes) - 1, 0)
    return _interpolated(hits, np.repeat(others, sizes).astype(np.int32), positions, _OWN_PRIOR)


def _sorted_ngrams(
    codes: NDArray[np.uint64], sizes: NDArray[np.int64], positions: NDArray[np.int32]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Sort the longest n-grams: the shorter ones are their beginnings, and so sorted too.

    Returns:
        The n-grams, and the position where each begins.
    """
    owners = np.repeat(np.arange(len(sizes)), sizes)
    numbers = _by_frequency(codes, owners)
    left = np.repeat(sizes, sizes) - positions
    grams = owners.astype(np.uint64)
    places = np.arange(len(codes))
    for order in range(_OWN_ORDER):
        later = np.minimum(places + order, len(codes) - 1)
        grams = grams << np.uint64(_BYTE) | np.where(order < left, numbers[later], 0)
    sorting = np.argsort(grams, kind="stable")
    return grams[sorting], sorting


def _other_occurrences(
    ordered: NDArray[np.uint64], sorting: NDArray[np.int64], counted: NDArray[np.bool_]
) -> Iterator[NDArray[np.int32]]:
    """Yield for each order how often the n-gram that ends at a token occurs elsewhere."""
    times = counted[sorting]
    for order in range(1, _OWN_ORDER + 1):
        is_new = run_starts(ordered >> np.uint64(_BYTE * (_OWN_ORDER - order)))
        lengths = np.diff(np.append(np.flatnonzero(is_new), len(ordered)))
        counts = np.repeat(segment_sums(times, lengths), lengths)
        beginning = np.empty(len(ordered), np.int32)
        beginning[sorting] = np.maximum(counts - 1, 0)
        # Of the n-gram that ends at a token, not of the one that begins there.
        yield beginning[np.maximum(np.arange(len(ordered)) - order + 1, 0)]


def _are_copies(codes: NDArray[np.uint64], sizes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the tokens of passages that the submission has at a distance before, ``(n,) bool``."""
    widths = np.full(len(sizes), _COPY)
    counts = window_counts(sizes, widths)
    starts = expand_ranges(np.cumsum(sizes) - sizes, counts)
    owners = np.repeat(np.arange(len(sizes), dtype=np.uint64), counts)
    hashes = windows_within(codes, sizes, widths, kgram_hashes) + owners * _ODD
    order = np.argsort(hashes, kind="stable")
    is_again = ~run_starts(hashes[order])
    is_again[1:] &= np.diff(starts[order]) >= _COPY
    copies = starts[order][is_again]
    return covered(copies, copies + _COPY, len(codes))


def _by_frequency(codes: NDArray[np.uint64], owners: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Number the symbols of each submission, its most frequent ones differently, from 1 to 255."""
    order = np.lexsort((codes, owners))
    is_new = run_starts(codes[order]) | run_starts(owners[order])
    firsts = np.flatnonzero(is_new)
    counts = np.diff(np.append(firsts, len(codes)))
    of_symbols = owners[order][firsts]
    by_count = np.lexsort((codes[order][firsts], -counts, of_symbols))
    ranks = np.empty(len(firsts), np.int64)
    ranks[by_count] = np.arange(len(firsts))
    ranks -= np.searchsorted(of_symbols, of_symbols)
    numbers = np.empty(len(codes), np.uint64)
    numbers[order] = np.repeat(np.minimum(ranks + 1, _OTHER), counts)
    return numbers


def _interpolated(
    hits: Iterable[NDArray[np.int32]],
    tokens: NDArray[np.int32],
    positions: NDArray[np.int32],
    prior: float,
) -> NDArray[np.float64]:
    """Return the probability of each token: that in each context, weighed with shorter ones.

    Args:
        hits: For each order, how often the n-gram that ends at a token has occurred.
        tokens: How many tokens have been seen.
        positions: Position of each token in its submission.
        prior: Number of occurrences of a context that weigh as much as the shorter context.
    """
    likely = np.full(len(tokens), _UNSEEN)
    contexts = tokens
    for shorter, counts in enumerate(hits):
        found = np.where(positions >= shorter, counts, 0)  # none begins before its submission
        contexts = np.maximum(contexts, found)
        trust = contexts / (contexts + prior)
        likely = (1 - trust) * likely + trust * found / np.maximum(contexts, 1)
        contexts = np.append(np.int32(0), found[:-1])[: len(found)] * (positions > 0)
    return likely


@cache
def _logarithms() -> Bits:
    """Return the logarithms of 1/2 to 1 in these steps, in units of 1/256 bit."""
    steps = range(_STEPS // 2, _STEPS + 1)
    return np.array([round(BIT * math.log2(step / _STEPS)) for step in steps], np.int64)


def _negative_logarithms(values: NDArray[np.float64]) -> Bits:
    """Return -log2 of probabilities, in units of 1/256 bit."""
    mantissas, exponents = np.frexp(values)
    steps = (mantissas * _STEPS).astype(np.int64) - _STEPS // 2
    bits: Bits = -(exponents.astype(np.int64) * BIT + _logarithms()[steps])
    return np.maximum(bits, 0)


def chance_bits(left: int, right: int) -> int:
    """Return the bits that a match needs for one to be expected by chance, in units of 1/256 bit.

    Args:
        left: Number of tokens on one side.
        right: Number of tokens on the other.
    """
    return round(BIT * math.log2(max(left, 1) * max(right, 1)))


def least_bits(most: float, left: int, right: int) -> int:
    """Return the bits from which at most so many matches are expected, in units of 1/256 bit.

    Args:
        most: Expected number of matches, above 0.
        left: Number of tokens on one side.
        right: Number of tokens on the other.
    """
    return chance_bits(left, right) + math.ceil(_HALVING * math.log2(_HONEST / most))


def expected_matches(bits: int, left: int, right: int) -> float:
    """Return how many matches with at least so many bits an honest pair of these sizes has."""
    return float(_HONEST * 2.0 ** ((chance_bits(left, right) - bits) / _HALVING))


# --- chains of matches ---------------------------------------------------------------------------

# Bits in the choice of one of 1, 2, ... places.
BITS_OF_PLACES: Final = np.array(
    [round(BIT * math.log2(places)) for places in range(1, 1 << 10)], np.int64
)


class Runs(NamedTuple):
    """Equal tokens of two texts; ``(r,) int64`` each, in order of position on the left.

    None overlaps another on either side.

    Attributes:
        lefts: First token of each on the left.
        rights: First token on the right.
        lengths: Length in tokens.
        left_files: Number of the file on the left.
        right_files: Number of the file on the right.
    """

    lefts: NDArray[np.int64]
    rights: NDArray[np.int64]
    lengths: NDArray[np.int64]
    left_files: NDArray[np.int64]
    right_files: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_]) -> Self:
        """Return the runs that are marked."""
        return type(self)(*(column[chosen] for column in self))

    def swapped(self) -> Self:
        """Return the same runs with left and right swapped."""
        lefts, rights, lengths, left_files, right_files = self
        columns = rights, lefts, lengths, right_files, left_files
        order = np.argsort(rights)
        return type(self)(*(column[order] for column in columns))


def bits_of_runs(runs: Runs, left: TokenBits, right: TokenBits) -> Bits:
    """Sum up the bits of the tokens of each run, on the side that has less: ``(r,) int64``."""
    sums, right_sums = (np.append(0, np.cumsum(bits)) for bits in (left, right))
    found: Bits = np.minimum(
        sums[runs.lefts + runs.lengths] - sums[runs.lefts],
        right_sums[runs.rights + runs.lengths] - right_sums[runs.rights],
    )
    return found


def chain_bits(runs: Runs, bits: Bits, most_between: int = MOST_BETWEEN) -> Bits:
    """Return the bits of the best chain through each run, ``(r,) int64``.

    A chain is in the same order on both sides, in one file of each; it may leave out runs that
    are not in this order.

    Args:
        runs: The runs.
        bits: ``(r,) int64``, of each run alone.
        most_between: Maximum number of other tokens between two runs of a chain, below 1,023.
    """
    links = _links(runs, most_between)
    own, ends, begins = bits.tolist(), bits.tolist(), bits.tolist()
    for before, after, cost in links[np.lexsort(links.T[:2])].tolist():
        ends[after] = max(ends[after], ends[before] + own[after] - cost)
    for before, after, cost in links[np.lexsort(links.T[:2])[::-1]].tolist():
        begins[before] = max(begins[before], begins[after] + own[before] - cost)
    chained: Bits = np.array(ends, np.int64) + np.array(begins, np.int64) - bits
    return chained


def _links(runs: Runs, most_between: int) -> NDArray[np.int64]:
    """Return which run can follow which, ``(m, 3)``: both, and the bits of the place."""
    links = [np.empty((0, 3), np.int64)]
    for step in range(1, len(runs.lefts)):
        left_gaps, right_gaps = (
            starts[step:] - starts[:-step] - runs.lengths[:-step]
            for starts in (runs.lefts, runs.rights)
        )
        are_near = left_gaps <= most_between
        if not are_near.any():
            break
        are_near &= (right_gaps >= 0) & (right_gaps <= most_between)
        for numbers in (runs.left_files, runs.right_files):
            are_near &= numbers[step:] == numbers[:-step]
        befores = np.flatnonzero(are_near)
        costs = BITS_OF_PLACES[left_gaps[befores]] + BITS_OF_PLACES[right_gaps[befores]]
        links.append(np.column_stack([befores, befores + step, costs]))
    return np.concatenate(links)
