import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.ranking.score import Evidence, Weights, combined, pair_weights, score_explanation
from mosslite.records import Hashes, PairWeights
from tests.builders import LAW, hashes_of, index_of

# What a submission holds.
Held = set[int]
# What a pair shares, and what there is on the left and on the right.
Mass = tuple[float, float, float]

HELD = st.sets(st.integers(0, 12), max_size=8)
WORKS = st.lists(HELD, min_size=2, max_size=6)
AMOUNTS = st.floats(0, 1000)
NONE: Mass = (0.0, 0.0, 0.0)
# Scores are in steps of a millionth.
STEP = 1e-6

# More than the weight of any program here, so that all are small.
HUGE = 1e18


@st.composite
def drawn_masses(draw: st.DrawFn) -> Mass:
    shared = draw(AMOUNTS)
    return shared, shared + draw(AMOUNTS), shared + draw(AMOUNTS)


MASSES = drawn_masses()


def masses_of(submissions: Sequence[Held]) -> list[Mass]:
    """Return the masses of every pair, in ascending order."""
    pairs = np.array(list(combinations(range(len(submissions)), 2)), np.int64).reshape(-1, 2)
    found = pair_weights(pairs, index_of(hashes_of(submissions)))
    columns = (found.shared.tolist(), found.left.tolist(), found.right.tolist())
    return list(zip(*columns, strict=True))


def score_of(  # noqa: PLR0913 - one for each part of the evidence
    *structure: Mass,
    wording: Mass = NONE,
    traces: Mass = NONE,
    layout: Mass = NONE,
    passages: Mass = NONE,
    is_same: bool = False,
    weights: Weights | None = None,
) -> float:
    evidence = Evidence(
        structure=tuple(map(_masses, structure)),
        wording=_masses(wording),
        traces=_masses(traces),
        layout=_masses(layout),
        passages=_masses(passages),
        is_same=np.array([is_same]),
        bits=np.zeros(1, np.int64),
    )
    return float(combined(evidence, weights or Weights()).values[0])


def overlap_of(mass: Mass, doubt: float = 2.0) -> float:
    """Return the score of one view of structure where nothing else counts."""
    return score_of(mass, weights=Weights(structure=1, wording=0, doubt=doubt, part=0, large=HUGE))


def literal_masses(left: Held, right: Held, submissions: list[Held]) -> Mass:
    """Follow the formula in words."""

    def weight(items: set[int]) -> float:
        held = [sum(item in submission for submission in submissions) for item in items]
        return math.fsum(math.log((len(submissions) + 2) / count) for count in held)

    return weight(left & right), weight(left), weight(right)


def _masses(mass: Mass) -> PairWeights:
    return PairWeights(*(np.array([each]) for each in mass))


# How much evidence there is


@LAW
@given(WORKS, WORKS, st.randoms(use_true_random=False))
def test_submissions_of_another_population_change_nothing_within_one(
    submissions: list[Held], others: list[Held], random: Random
) -> None:
    order = sorted(range(len(submissions) + len(others)), key=lambda _: random.random())
    mixed = [[*submissions, *others][place] for place in order]
    populations = np.array([int(place >= len(submissions)) for place in order], np.int64)
    view = index_of(hashes_of(mixed), populations)
    numbers = [order.index(place) for place in range(len(submissions))]
    pairs = [sorted(pair) for pair in combinations(numbers, 2)]

    found = pair_weights(np.array(sorted(pairs), np.int64), view)

    by_pair = dict(
        zip(combinations(range(len(submissions)), 2), masses_of(submissions), strict=True)
    )
    for number, pair in enumerate(sorted(pairs)):
        places = [order[side] for side in pair]
        shared, *sides = by_pair[min(places), max(places)]
        left, right = sides if places[0] < places[1] else reversed(sides)
        told = (found.shared[number], found.left[number], found.right[number])
        assert told == pytest.approx((shared, left, right), abs=1e-6)


@LAW
@given(st.lists(HELD, min_size=4, max_size=8))
def test_between_populations_an_item_says_the_geometric_mean_of_what_it_says_in_each(
    submissions: list[Held],
) -> None:
    populations = np.arange(len(submissions)) % 2
    view = index_of(hashes_of(submissions), populations)

    found = pair_weights(np.array([[0, 1]], np.int64), view)

    def says(item: int, population: int) -> float:
        held = [item in submission for submission in submissions[population::2]]
        return math.log((len(held) + 2) / sum(held))

    common = submissions[0] & submissions[1]
    means = [math.sqrt(says(item, 0) * says(item, 1)) for item in common]
    assert found.shared[0] == pytest.approx(math.fsum(means), abs=1e-6)
    assert found.shared[0] <= math.sqrt(found.left[0] * found.right[0]) + 1e-9


@LAW
@given(WORKS)
def test_masses_are_sums_of_rarity(submissions: list[Held]) -> None:
    expected = [literal_masses(*pair, submissions) for pair in combinations(submissions, 2)]

    for found, literal in zip(masses_of(submissions), expected, strict=True):
        assert found == pytest.approx(literal, abs=1e-6)


# What it adds up to


@LAW
@given(MASSES, st.floats(0, 10))
def test_an_overlap_is_the_geometric_mean_of_both_shares_less_the_doubt(
    mass: Mass, doubt: float
) -> None:
    shared, left, right = mass
    size = math.sqrt(left * right) + doubt
    expected = shared / size if size else 0

    assert overlap_of(mass, doubt) == pytest.approx(min(expected, 1), abs=2 * STEP)


@LAW
@given(st.lists(MASSES, min_size=1, max_size=4), MASSES, MASSES, MASSES, MASSES)
def test_the_score_is_the_gap_that_structure_and_wording_close_between_them(
    structure: list[Mass], wording: Mass, traces: Mass, layout: Mass, passages: Mass
) -> None:
    def overlap(mass: Mass) -> float:
        shared, left, right = mass
        return shared / (math.sqrt(left * right) + 5)

    def containment(mass: Mass) -> float:
        shared, left, right = mass
        return shared / (min(left, right) + 50)

    def closed(measure: Callable[[Mass], float]) -> float:
        known = [measure(mass) for mass in structure if mass[1] + mass[2] > 0]
        alike = (math.fsum(known) / max(len(known), 1) + max(known, default=0)) / 2
        pooled = [a + 4 * b + 8 * c for a, b, c in zip(wording, traces, layout, strict=True)]
        written = measure((pooled[0], pooled[1], pooled[2]))
        return (1 - (1 - 0.9 * alike) * (1 - 0.8 * written)) / 0.98

    found = score_of(*structure, wording=wording, traces=traces, layout=layout, passages=passages)

    score = max(closed(overlap), 0.8 * closed(containment))
    _, left, right = structure[0]
    trust = min(math.sqrt(1500 / max(math.sqrt(left * right), 1)), 1)
    significant = passages[0] / (passages[0] + 500)
    expected = 1 - (1 - trust * score) * (1 - (1 - trust) * significant)
    assert found == pytest.approx(min(expected, 1), abs=2 * STEP)


def test_half_of_a_program_scores_more_inside_a_long_one_than_as_much_of_two_long_ones() -> None:
    contained = score_of((500.0, 500.0, 5000.0))

    assert contained > 0.6
    assert contained > score_of((500.0, 1581.0, 1581.0)) > 0.25
    assert score_of((5.0, 5.0, 5000.0)) < 0.1


@LAW
@given(MASSES, MASSES, MASSES)
def test_a_score_is_a_share_and_less_than_1(first: Mass, second: Mass, wording: Mass) -> None:
    assert 0 <= score_of(first, second, wording=wording) < 1


@LAW
@given(MASSES, MASSES)
def test_what_is_the_same_scores_exactly_1_whatever_there_is(mass: Mass, wording: Mass) -> None:
    assert score_of(mass, wording=wording, is_same=True) == 1


def test_no_amount_of_evidence_scores_1_where_tokens_are_written_otherwise() -> None:
    all_of_it = (1e15, 1e15, 1e15)

    assert score_of(all_of_it, wording=all_of_it, passages=all_of_it) == 1 - STEP


@LAW
@given(
    st.lists(MASSES.filter(any), min_size=4, max_size=4),
    st.integers(0, 3),
    AMOUNTS,
    st.sampled_from([(1, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0)]),
)
def test_more_shared_evidence_never_lowers_the_score_of_programs_of_usual_size(
    views: list[Mass], which: int, amount: float, sides: tuple[int, int, int]
) -> None:
    grown = [mass + amount * is_more for mass, is_more in zip(views[which], sides, strict=True)]
    shared, left, right = grown
    more = [*views]
    more[which] = shared, max(left, shared), max(right, shared)  # none shares more than it has

    small = Weights(large=HUGE)
    before, after = (score_of(*each[:3], wording=each[3], weights=small) for each in (views, more))

    assert before <= after + 2 * STEP


# The files of each submission.
FILES = st.lists(st.lists(st.sets(st.integers(0, 12), max_size=6), max_size=4), min_size=2)


def by_file(submissions: Sequence[Sequence[Held]]) -> Hashes:
    """Return the hashes of submissions, with the number of the file of each."""
    hashes = hashes_of([item for file in files for item in sorted(file)] for files in submissions)
    numbers = [n for files in submissions for n, file in enumerate(files) for _ in file]
    return replace(hashes, files=np.array(numbers, np.int32))


@LAW
@given(FILES.filter(lambda files: len(files) < 6), st.integers(1, 3))
def test_what_two_submissions_share_counts_squared_for_each_two_files(
    submissions: list[list[Held]], power: int
) -> None:
    pairs = np.array(list(combinations(range(len(submissions)), 2)), np.int64)

    found = pair_weights(pairs, index_of(by_file(submissions), power=power))

    def expected(left: list[Held], right: list[Held]) -> float:
        sums = defaultdict[tuple[int, ...], float](float)
        for item in set[int]().union(*left) & set[int]().union(*right):
            held = sum(any(item in file for file in files) for files in submissions)
            weight = math.log((len(submissions) + 2) / held)
            places = tuple(
                min(n for n, f in enumerate(files) if item in f) for files in (left, right)
            )
            sums[places] += weight**power / math.log(len(submissions) / 2 + 1) ** (power - 1)
        return math.hypot(*sums.values())

    assert found.shared.tolist() == pytest.approx(
        [expected(submissions[left], submissions[right]) for left, right in pairs.tolist()]
    )


def test_what_everybody_has_counts_less_than_what_only_two_share() -> None:
    def score(*submissions: set[int]) -> float:
        return score_of(masses_of(submissions)[0])

    idiom = score({1, 2, 10}, {1, 3, 11}, {1, 4, 12}, {1, 5, 13})
    rare = score({1, 2, 10}, {1, 3, 10}, {1, 4, 12}, {1, 5, 13})

    assert idiom < rare / 3


def test_submissions_that_share_all_of_little_evidence_score_low_and_of_much_high() -> None:
    scores = [score_of((size, size, size)) for size in (0.1, 1, 10, 100, 1000)]

    assert scores == sorted(scores)
    assert scores[0] < 0.1
    assert scores[-1] > 0.9


def test_a_trace_weighs_as_many_kgrams_as_it_is_worth() -> None:
    weights = Weights(trace=3, layout=7)
    mass, own = (2.0, 3.0, 5.0), (20.0, 30.0, 40.0)

    for kind, worth in (("traces", 3), ("layout", 7)):
        pooled = tuple(a + worth * b for a, b in zip(own, mass, strict=True))
        as_wording = score_of(own, wording=(pooled[0], pooled[1], pooled[2]), weights=weights)
        as_traces = score_of(
            own,
            wording=own,
            traces=mass if kind == "traces" else NONE,
            layout=mass if kind == "layout" else NONE,
            weights=weights,
        )
        assert as_traces == as_wording


def test_a_view_in_which_neither_side_has_anything_is_left_out() -> None:
    mass = (4.0, 10.0, 10.0)

    assert score_of(mass, NONE) == score_of(NONE, mass) == score_of(mass)
    assert score_of(mass, (0.0, 1.0, 0.0)) < score_of(mass)
    assert score_of(NONE, NONE) == 0


def test_a_view_in_which_one_side_has_nothing_overlaps_in_nothing() -> None:
    assert score_of((0.0, 5.0, 0.0)) == score_of((0.0, 0.0, 5.0)) == 0


def test_the_explanation_for_readers_has_the_constants_of_the_formula() -> None:
    weights = Weights(
        structure=0.5, wording=0.25, trace=7, layout=3, doubt=6, part=0.4, part_doubt=70
    )

    text = score_explanation(weights)

    assert "sqrt(L x R) + 6)" in text
    assert "(1 - 0.5 x structure) x (1 - 0.25 x wording)) / 0.625." in text
    assert "at 7 times" in text
    assert "at 3 times" in text
    assert "0.4 times the same formula with the containment S / (min(L, R) + 70)" in text
