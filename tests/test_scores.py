from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.index import build_index
from mosslite.scores import overlaps, scores
from tests.builders import LAW, codes_of

WORKS = st.lists(st.sets(st.integers(0, 12), max_size=8), min_size=2, max_size=6)
SHARES = st.floats(0, 1)


def overlap_of(works: list[set[int]]) -> list[float]:
    pairs = np.array(list(combinations(range(len(works)), 2)), np.int64)
    index = build_index([codes_of(sorted(work)) for work in works])
    return [float(overlap) for overlap in overlaps(pairs, index)]


def score_of(skeleton: float, grammar: float, wording: float) -> float:
    views = (np.array([view]) for view in (skeleton, grammar, wording))
    return float(scores(*views)[0])


def literal_overlap(left: set[int], right: set[int], works: list[set[int]]) -> float:
    """Follow the formula in words: logarithms of rarity, geometric mean of two shares."""
    if not left and not right:
        return math.nan

    def weight(kgrams: set[int]) -> float:
        held = [sum(kgram in work for work in works) for kgram in kgrams]
        return math.fsum(math.log((len(works) + 1) / count) for count in held)

    shared = weight(left & right)
    return math.sqrt(shared / weight(left) * shared / weight(right)) if shared else 0.0


@LAW
@given(WORKS)
def test_the_overlap_is_the_geometric_mean_of_both_shares_of_rare_weight(
    works: list[set[int]],
) -> None:
    expected = [literal_overlap(*pair, works) for pair in combinations(works, 2)]

    assert overlap_of(works) == pytest.approx(expected, nan_ok=True)


@LAW
@given(st.sets(st.integers(0, 99), min_size=1), st.integers(2, 6))
def test_the_same_kgrams_overlap_exactly_1_however_many_hold_them(
    kgrams: set[int], copies: int
) -> None:
    assert set(overlap_of([kgrams] * copies)) == {1.0}


def test_what_everybody_has_counts_less_than_what_only_two_share() -> None:
    idiom = overlap_of([{1, 2, 10}, {1, 3, 11}, {1, 4, 12}, {1, 5, 13}])[0]
    rare = overlap_of([{1, 2, 10}, {1, 3, 10}, {1, 4, 12}, {1, 5, 13}])[0]

    assert idiom < rare / 3


@LAW
@given(SHARES, SHARES, SHARES)
def test_a_score_is_a_share(skeleton: float, grammar: float, wording: float) -> None:
    assert 0 <= score_of(skeleton, grammar, wording) <= 1


@LAW
@given(SHARES, SHARES, SHARES, st.integers(0, 2))
def test_more_overlap_of_any_kind_never_lowers_the_score(
    skeleton: float, grammar: float, wording: float, which: int
) -> None:
    views = [skeleton, grammar, wording]
    more = [1.0 if number == which else view for number, view in enumerate(views)]

    assert score_of(*views) <= score_of(*more)


@LAW
@given(SHARES)
def test_the_same_structure_scores_exactly_1_whatever_the_wording(wording: float) -> None:
    assert score_of(1, 1, wording) == 1


@LAW
@given(st.floats(0, 1, exclude_max=True), SHARES)
def test_less_than_the_same_structure_scores_less_than_1(skeleton: float, wording: float) -> None:
    assert score_of(skeleton, 1, wording) < 1


def test_equal_wording_closes_half_of_the_gap() -> None:
    assert score_of(0.5, 0.7, 0) == 0.6
    assert score_of(0.5, 0.7, 1) == 0.8


def test_a_view_in_which_neither_side_has_anything_is_left_out() -> None:
    assert score_of(0.4, math.nan, 0) == 0.4
    assert score_of(math.nan, 0.4, math.nan) == 0.4
    assert score_of(math.nan, math.nan, math.nan) == 0
