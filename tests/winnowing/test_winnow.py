import itertools
from collections import deque
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mosslite.winnowing.winnow import (
    kgram_hashes,
    robust_winnow,
    robust_winnow_each,
    winnow,
)
from tests.builders import LAW, codes_of, tries

Winnowing = Callable[[NDArray[np.uint64], int], NDArray[np.int64]]

BOTH = pytest.mark.parametrize("select", [winnow, robust_winnow])

# The definitions are the core of the engine, and an example costs little.
MANY = tries(500)

# Above every hash, as the paper's INT_MAX is meant to be.
INT_MAX = 2**64

# Small alphabets make ties, which is where the two definitions part.
HASHES = st.sampled_from([0, 1, 2, 5, INT_MAX - 1]).flatmap(
    lambda largest: st.lists(st.integers(0, largest), min_size=1, max_size=50)
)
# Hashes, and a window that is no longer than they are.
WINDOWED = HASHES.flatmap(
    lambda hashes: st.tuples(st.just(hashes), st.integers(1, min(len(hashes), 12)))
)
CODES = st.lists(st.integers(0, 3) | st.integers(0, 2**64 - 1), max_size=40)

# SIGMOD 2003, Figure 2: "A hypothetical sequence of hashes of the 5-grams."
FIGURE_2 = codes_of([77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98])


def figure_5(hashes: Sequence[int], w: int, *, robust: bool) -> list[int]:
    """Transcribe Figure 5 of the paper, and leave out what it records too early.

    The figure starts with a buffer full of INT_MAX, so it also records the minima of w - 1
    windows that begin before the text. Of these only the last counts, where it is still the
    minimum of the first window of the text.
    """
    h = [INT_MAX] * w
    r = minimum = 0
    recorded: list[tuple[int, int]] = []
    for step, next_hash in enumerate(hashes):
        r = (r + 1) % w
        h[r] = next_hash
        if minimum == r:
            i = (r - 1) % w
            while i != r:
                if h[i] < h[minimum]:
                    minimum = i
                i = (i - 1 + w) % w
            recorded.append((step, step - (r - minimum) % w))
        elif h[r] < h[minimum] or (h[r] == h[minimum] and not robust):
            minimum = r
            recorded.append((step, step - (r - minimum) % w))
    before = [position for step, position in recorded if step < w]
    return before[-1:] + [position for step, position in recorded if step >= w]


def definition_1(hashes: Sequence[int], w: int) -> list[int]:
    windows = [range(i, i + w) for i in range(len(hashes) - w + 1)]
    return sorted({min(window, key=lambda i: (hashes[i], -i)) for window in windows})


def definition_3(hashes: Sequence[int], w: int) -> list[int]:
    selected: list[int] = []
    for i in range(len(hashes) - w + 1):
        least = min(hashes[i : i + w])
        if not selected or selected[-1] < i or hashes[selected[-1]] != least:
            selected.append(max(j for j in range(i, i + w) if hashes[j] == least))
    return selected


def quick_definition_3(hashes: Sequence[int], w: int) -> list[int]:
    """Evaluate Definition 3 with a queue of what can still become a minimum."""
    selected: list[int] = []
    queue: deque[int] = deque()
    for i, value in enumerate(hashes):
        while queue and hashes[queue[-1]] > value:
            queue.pop()
        queue.append(i)
        start = i - w + 1
        while queue[0] < start:
            queue.popleft()
        if start < 0 or (
            selected and selected[-1] >= start and hashes[selected[-1]] == hashes[queue[0]]
        ):
            continue
        least = itertools.takewhile(lambda j: hashes[j] == hashes[queue[0]], queue)
        selected.append(max(least))
    return selected


def definition_of_hash(codes: Sequence[int], k: int) -> list[int]:
    """Evaluate c_1 b^k + ... + c_k b for every k-gram, modulo 2^64."""
    base = 0x9E3779B97F4A7C15
    kgrams = [codes[i : i + k] for i in range(len(codes) - k + 1)]
    return [sum(c * base ** (k - i) for i, c in enumerate(kgram)) % 2**64 for kgram in kgrams]


@BOTH
def test_the_papers_example_selects_the_papers_fingerprints(select: Winnowing) -> None:
    selected = select(FIGURE_2, 4)

    assert selected.tolist() == [3, 6, 8, 11, 15]
    assert FIGURE_2[selected].tolist() == [17, 17, 8, 39, 17]


@MANY
@given(WINDOWED)
def test_winnowing_is_definition_1(case: tuple[list[int], int]) -> None:
    hashes, w = case

    assert winnow(codes_of(hashes), w).tolist() == definition_1(hashes, w)


@MANY
@given(WINDOWED)
def test_winnowing_is_figure_5(case: tuple[list[int], int]) -> None:
    hashes, w = case

    assert winnow(codes_of(hashes), w).tolist() == figure_5(hashes, w, robust=False)


# Longer than what is taken at a time: random, with many ties, all tied, rising, falling.
LONG = 100_000
SHAPES = pytest.mark.parametrize(
    "hashes",
    [
        np.random.default_rng(1).integers(0, 2**64, LONG, dtype=np.uint64),
        np.random.default_rng(2).integers(0, 3, LONG, dtype=np.uint64),
        np.zeros(LONG, np.uint64),
        np.arange(LONG, dtype=np.uint64),
        np.arange(LONG, dtype=np.uint64)[::-1],
        np.arange(LONG, dtype=np.uint64) % np.uint64(7),
    ],
    ids=["random", "tied", "equal", "rising", "falling", "periodic"],
)


@pytest.mark.slow
@SHAPES
@pytest.mark.parametrize("w", [1, 16, 100])
def test_long_inputs_are_winnowed_as_the_paper_does(hashes: NDArray[np.uint64], w: int) -> None:
    values = hashes.tolist()

    assert winnow(hashes, w).tolist() == figure_5(values, w, robust=False)
    assert robust_winnow(hashes, w).tolist() == quick_definition_3(values, w)


def test_a_window_longer_than_what_is_taken_at_a_time_has_its_minimum() -> None:
    hashes = np.arange(LONG, dtype=np.uint64)

    assert robust_winnow(hashes, LONG).tolist() == [0]
    assert robust_winnow(hashes[::-1], LONG - 1).tolist() == [LONG - 2, LONG - 1]


def test_long_inputs_are_hashed_like_short_ones() -> None:
    codes = np.random.default_rng(3).integers(0, 5, LONG, dtype=np.uint64)
    hashes = kgram_hashes(codes, 12)

    for start in (0, LONG // 2, LONG - 24):
        part = kgram_hashes(codes[start : start + 24], 12)
        assert hashes[start : start + len(part)].tolist() == part.tolist()


@MANY
@given(WINDOWED)
def test_robust_winnowing_is_definition_3(case: tuple[list[int], int]) -> None:
    hashes, w = case

    assert robust_winnow(codes_of(hashes), w).tolist() == definition_3(hashes, w)


@pytest.mark.slow
@MANY
@given(st.lists(WINDOWED, min_size=1, max_size=6))
def test_texts_laid_end_to_end_are_winnowed_one_by_one(cases: list[tuple[list[int], int]]) -> None:
    w = min(w for _, w in cases)
    texts = [codes_of(hashes) for hashes, _ in cases]
    sizes = np.array([len(text) for text in texts])

    selected = robust_winnow_each(np.concatenate(texts), sizes, w)

    alone = zip(texts, np.cumsum(sizes) - sizes, strict=True)
    expected = [robust_winnow(text, w) + start for text, start in alone]
    assert selected.tolist() == np.concatenate(expected).tolist()


def test_many_texts_are_winnowed_like_one_where_they_are_long() -> None:
    hashes = np.random.default_rng(5).integers(0, 50, LONG, dtype=np.uint64)
    sizes = np.array([LONG // 3, 20, LONG - LONG // 3 - 20])

    selected = robust_winnow_each(hashes, sizes, 16)

    starts = np.cumsum(sizes) - sizes
    expected = [
        robust_winnow(hashes[start : start + size], 16) + start
        for start, size in zip(starts.tolist(), sizes.tolist(), strict=True)
    ]
    assert selected.tolist() == np.concatenate(expected).tolist()


@MANY
@given(HASHES, st.integers(1, 12), st.data())
def test_robust_winnowing_is_figure_5_with_a_strict_comparison(
    rest: list[int], w: int, data: st.DataObject
) -> None:
    # Definition 3 takes the rightmost minimum of the first window; with the strict comparison the
    # figure takes the leftmost, "the same hash as the window one position to the left", as its
    # padding makes windows there. With one minimum in the first window there is no such choice.
    first = data.draw(st.lists(st.integers(1, 2), min_size=w - 1, max_size=w - 1))
    first.insert(data.draw(st.integers(0, w - 1)), 0)
    hashes = first + rest

    assert robust_winnow(codes_of(hashes), w).tolist() == figure_5(hashes, w, robust=True)


@BOTH
@LAW
@given(HASHES, st.integers(1, 100))
def test_fewer_hashes_than_a_window_are_one_window(
    select: Winnowing, hashes: list[int], more: int
) -> None:
    rightmost = max(i for i, each in enumerate(hashes) if each == min(hashes))

    assert select(codes_of(hashes), len(hashes) + more).tolist() == [rightmost]


@BOTH
def test_nothing_is_selected_from_nothing(select: Winnowing) -> None:
    assert select(codes_of([]), 4).tolist() == []


@LAW
@given(CODES, st.integers(1, 12))
def test_a_kgrams_hash_is_the_papers_improved_rolling_hash(codes: list[int], k: int) -> None:
    hashes = kgram_hashes(codes_of(codes), k)

    assert hashes.dtype == np.uint64
    assert hashes.tolist() == definition_of_hash(codes, k)


def test_the_last_symbol_reaches_the_high_bits() -> None:
    # The weakness of H that section 2.2 names: there, the last symbol affects a few low bits.
    kgrams = codes_of(code for last in range(256) for code in (1, 2, last))

    hashes = kgram_hashes(kgrams, 3)[::3]

    assert len(set((hashes >> np.uint64(48)).tolist())) == 256


@pytest.mark.parametrize(
    ("size", "k", "expected"),
    [(0, 1, 0), (0, 5, 0), (4, 5, 0), (5, 5, 1), (9, 5, 5), (9, 1, 9), (9, 2**70, 0)],
)
def test_there_is_a_kgram_for_every_token_but_the_last_k_minus_one(
    size: int, k: int, expected: int
) -> None:
    assert len(kgram_hashes(codes_of([7] * size), k)) == expected


def test_a_kgrams_hash_is_the_same_on_every_machine_and_in_every_run() -> None:
    codes = codes_of([1, 2, 3, 2**64 - 1, 0])

    assert kgram_hashes(codes, 3).tolist() == [
        0xF9792455C84F1FDE,
        0xC029C776474C8170,
        0x419AE9883B548ECE,
    ]
