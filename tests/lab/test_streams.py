from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.lab.streams import (
    HashPiece,
    SafeZeroMod,
    Selector,
    Smallest,
    Tally,
    Winnowing,
    anchored,
    anchors_in,
    every_nth,
    hash_pieces,
    zero_mod,
)
from mosslite.winnowing.winnow import kgram_hashes, robust_winnow, winnow
from tests.lab_literal import (
    bad_or_good,
    hash_pieces_of,
    laid,
    smallest_of,
)

GREATEST = 2**64 - 1

# Few values make ties, which is where the definitions differ; the greatest is what pads a window.
HASHES = st.one_of(st.integers(0, 3), st.sampled_from([GREATEST - 1, GREATEST]))
PARTS = st.lists(st.lists(HASHES, max_size=12), max_size=8)
WINDOWS = st.integers(1, 9)


def selected(selector: Selector, parts: Sequence[Sequence[int]]) -> list[int]:
    return [place for piece in hash_pieces_of(parts) for place in selector(piece).tolist()]


def joined(parts: Sequence[Sequence[int]]) -> list[int]:
    return [each for part in parts for each in part]


@given(PARTS, WINDOWS, st.booleans())
def test_winnowing_a_stream_selects_what_it_selects_in_the_whole_and_knows_the_hashes(
    parts: list[list[int]], w: int, is_robust: bool
) -> None:
    selector, hashes = Winnowing(w, is_robust=is_robust), np.array(joined(parts), np.uint64)
    places = list[int]()
    for piece in hash_pieces_of(parts):
        found = selector(piece)
        assert selector.chosen.tolist() == hashes[found].tolist()
        places += found.tolist()

    assert places == (robust_winnow if is_robust else winnow)(hashes, w).tolist()


@given(PARTS, st.integers(1, 4))
def test_0_mod_p_selects_the_multiples_of_p(parts: list[list[int]], p: int) -> None:
    hashes = joined(parts)
    assert selected(zero_mod(p), parts) == [i for i, each in enumerate(hashes) if each % p == 0]


@given(PARTS, st.integers(1, 4), WINDOWS)
def test_safe_0_mod_p_selects_the_good_and_the_bad(parts: list[list[int]], p: int, w: int) -> None:
    assert selected(SafeZeroMod(p, w), parts) == bad_or_good(joined(parts), p, w)


@given(PARTS, st.integers(1, 5))
def test_the_n_smallest_are_those_of_each_document(parts: list[list[int]], n: int) -> None:
    hashes, begin = joined(parts), 0
    places = selected(Smallest(n), parts)
    for part in parts:
        own = [place for place in places if begin <= place < begin + len(part)]
        assert {hashes[place] for place in own} == smallest_of(part, n)
        assert len(own) == len(smallest_of(part, n))
        begin += len(part)


@given(PARTS, st.integers(1, 5))
def test_every_ith_hash_is_counted_from_the_first(parts: list[list[int]], i: int) -> None:
    assert selected(every_nth(i), parts) == list(range(0, len(joined(parts)), i))


@given(st.lists(st.lists(st.integers(0, 2), max_size=12), max_size=8), st.integers(1, 5))
def test_anchors_select_the_kgrams_that_begin_with_one_of_them(
    parts: list[list[int]], k: int
) -> None:
    symbols = joined(parts)
    anchor = [0, 1, 0][: min(k, 3)]
    selector = anchored(kgram_hashes(np.array(anchor, np.uint64), len(anchor)))

    found = [place for piece in hash_pieces(laid(parts), k) for place in selector(piece)]

    begins = range(max(len(symbols) - k + 1, 0))
    assert found == [i for i in begins if symbols[i : i + len(anchor)] == anchor]


def test_as_many_anchors_are_chosen_as_a_density_asks_for() -> None:
    symbols = np.random.default_rng(1).integers(0, 20, 50_000, np.uint64)
    hashes = kgram_hashes(symbols, 10)
    sample = HashPiece(hashes, codes=symbols)

    places = anchored(anchors_in(sample, 0.1))(sample)

    assert 0.095 * len(hashes) < len(places) <= 0.1 * len(hashes)


@given(PARTS, st.integers(1, 4))
def test_the_longest_run_is_the_most_hashes_in_a_row_that_are_not_selected(
    parts: list[list[int]], p: int
) -> None:
    tally = Tally(zero_mod(p))
    for piece in hash_pieces_of(parts):
        tally.feed(piece)

    marks = "".join("x" if each % p == 0 else "." for each in joined(parts))
    assert tally.fingerprints == marks.count("x")
    assert tally.longest_run == max(map(len, marks.split("x")))


@pytest.mark.parametrize("is_robust", [False, True])
def test_a_stream_is_held_in_little_more_than_a_window(is_robust: bool) -> None:
    random = np.random.default_rng(5)
    selector = Winnowing(10, is_robust=is_robust)
    for piece in hash_pieces_of([random.integers(0, 5, 100).tolist() for _ in range(50)]):
        selector(piece)
        assert len(selector._held) <= 10
