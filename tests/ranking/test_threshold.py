import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from numpy.random import Generator
from numpy.typing import NDArray

from mosslite.ranking.threshold import null_sample, suggested_threshold
from mosslite.records import NoThreshold, Role, Threshold
from mosslite.texts import hundredths
from tests.builders import LAW

Draw = Callable[[Generator, int], NDArray[np.float64]]

ROLES = st.lists(st.sampled_from([Role.CURRENT, Role.PRIOR, Role.REFERENCE]), max_size=60)
SCORES = st.lists(st.floats(0.15, 0.4), min_size=45, max_size=120)

# Scores of honest pairs: few alike or many, spread little or much, with a longer or shorter tail.
HONEST: dict[str, Draw] = {
    "few-alike": lambda random, count: random.beta(5, 20, count),
    "spread": lambda random, count: random.beta(2, 8, count),
    "many-alike": lambda random, count: random.beta(20, 12, count),
    "even": lambda random, count: random.normal(0.5, 0.07, count),
    "tailed": lambda random, count: random.lognormal(-2.0, 0.4, count).clip(0, 1),
    "tailed-and-alike": lambda random, count: random.lognormal(-1.5, 0.3, count).clip(0, 1),
}
PAIRS = 4950  # of a hundred submissions


def allowed(roles: list[Role]) -> list[list[int]]:
    return [
        [left, right]
        for left, right in itertools.combinations(range(len(roles)), 2)
        if Role.CURRENT in {roles[left], roles[right]}
    ]


def suggested(
    sample: NDArray[np.float64], ranking: NDArray[np.float64], pairs: int
) -> Threshold | NoThreshold:
    """Suggest one for pairs of which no two have a work in common."""
    ends = np.arange(2 * len(ranking)).reshape(-1, 2)
    return suggested_threshold(sample, ranking, pairs, ends=ends)


def threshold_of(sample: NDArray[np.float64], pairs: int | None = None) -> Threshold:
    threshold = suggested(sample, sample, pairs or len(sample))
    assert isinstance(threshold, Threshold)
    return threshold


def threshold_if_any(scores: list[float], pairs: int | None = None) -> Threshold:
    """Suggest one; a law tries other scores where these suggest none."""
    threshold = suggested(np.array(scores), np.array(scores), pairs or len(scores))
    return threshold if isinstance(threshold, Threshold) else reject()


# --- which pairs it is guessed from --------------------------------------------------------------


def sampled_pairs(roles: list[Role]) -> NDArray[np.int64]:
    return null_sample(roles, np.full(len(roles), 20))[0]


@LAW
@given(ROLES)
def test_of_a_small_batch_every_pair_that_is_compared_is_sampled(roles: list[Role]) -> None:
    assert sampled_pairs(roles).tolist() == allowed(roles)


def test_all_pairs_of_a_hundred_submissions_are_sampled() -> None:
    assert len(sampled_pairs([Role.CURRENT] * 100)) == PAIRS


@pytest.mark.parametrize("submissions", [101, 500, 2_501, 5_000, 100_000])
def test_of_a_larger_batch_some_thousand_pairs_are_sampled(submissions: int) -> None:
    pairs = sampled_pairs([Role.CURRENT] * submissions)
    assert 3_000 < len(pairs) <= 5_000
    assert pairs.tolist() == np.unique(pairs, axis=0).tolist()
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert pairs.max() < submissions


def test_few_current_submissions_beside_many_prior_ones_are_sampled_as_well() -> None:
    pairs = sampled_pairs([Role.CURRENT] * 10 + [Role.PRIOR] * 1_500)
    assert len(pairs) > 4_900
    assert set(pairs[:, 0].tolist()) == set(range(10))


def test_submissions_without_tokens_of_their_own_are_not_sampled() -> None:
    pairs, count = null_sample([Role.CURRENT] * 6, np.array([20, 0, 20, 20, 0, 20]))
    assert pairs.tolist() == [[0, 2], [0, 3], [0, 5], [2, 3], [2, 5], [3, 5]]
    assert count == 6


@pytest.mark.parametrize("submissions", [101, 500, 1_000])
def test_no_work_is_sampled_much_more_often_than_another(submissions: int) -> None:
    times = np.bincount(sampled_pairs([Role.CURRENT] * submissions).ravel())
    assert np.count_nonzero(times) == submissions
    assert times.max() <= 4 * times.mean()


def test_neighbours_and_submissions_far_apart_are_sampled() -> None:
    distances = np.ptp(sampled_pairs([Role.CURRENT] * 500), axis=1)
    assert distances.min() < 50
    assert np.isin(distances, range(200, 300)).any()


def test_a_sampled_pair_of_a_large_batch_has_a_current_side() -> None:
    roles = [Role.CURRENT, Role.PRIOR, Role.PRIOR, Role.REFERENCE] * 100
    pairs = sampled_pairs(roles)
    is_current = np.array([role is Role.CURRENT for role in roles])
    assert len(pairs) > 1_000
    assert is_current[pairs].any(axis=1).all()


@pytest.mark.parametrize("roles", [[], [Role.CURRENT], [Role.PRIOR] * 5])
def test_submissions_that_are_not_compared_give_no_sample(roles: list[Role]) -> None:
    assert sampled_pairs(roles).shape == (0, 2)


# --- where it is ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("draw", HONEST.values(), ids=HONEST)
def test_it_divides_copies_from_honest_work(draw: Draw, seed: int) -> None:
    random = np.random.default_rng(seed)
    honest, copies = draw(random, PAIRS), random.uniform(0.96, 1, 20)

    threshold = threshold_of(random.permutation(np.concatenate([honest, copies])))

    assert (honest >= threshold.score).sum() <= 0.003 * PAIRS
    assert (copies >= threshold.score).all()


@pytest.mark.parametrize("draw", HONEST.values(), ids=HONEST)
def test_it_is_about_where_the_scores_of_honest_work_end(draw: Draw) -> None:
    honest = draw(np.random.default_rng(7), PAIRS)
    assert np.quantile(honest, 0.99) < threshold_of(honest).score < honest.max() + 0.1


@pytest.mark.parametrize("draw", HONEST.values(), ids=HONEST)
def test_copies_among_the_sample_hardly_move_it(draw: Draw) -> None:
    random = np.random.default_rng(7)
    honest = draw(random, PAIRS)
    copies = random.choice(PAIRS, PAIRS // 20, replace=False)
    mixed = honest.copy()
    mixed[copies] = random.uniform(0.96, 1, len(copies))

    clean, moved = threshold_of(honest).score, threshold_of(mixed).score

    assert abs(moved - clean) < 0.05
    assert (mixed[copies] >= moved).all()


def test_the_fewer_pairs_it_is_guessed_from_the_wider_is_its_range() -> None:
    scores = np.random.default_rng(7).beta(2, 8, PAIRS)
    widths = [
        threshold.high - threshold.low
        for count in (60, 600, PAIRS)
        for threshold in [threshold_of(scores[:count], PAIRS)]
    ]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 2 * widths[2]


def test_its_range_is_nearly_always_right() -> None:
    scores = np.random.default_rng(7).beta(2, 8, 40 * 300)
    truth = threshold_of(scores, PAIRS).score
    ranges = [threshold_of(sample, PAIRS) for sample in scores.reshape(40, 300)]
    assert 30 <= sum(each.low <= truth <= each.high for each in ranges) < 40


@LAW
@given(SCORES, st.integers(1, 10**6))
def test_it_is_a_score_within_its_range(scores: list[float], pairs: int) -> None:
    threshold = threshold_if_any(scores, pairs)

    assert 0 <= threshold.low <= threshold.score <= threshold.high <= 1
    assert 1 <= threshold.expected <= max(threshold.found, 1)


@LAW
@given(SCORES, st.floats(0, 1))
def test_what_is_shown_of_a_score_tells_whether_it_reaches_it(
    scores: list[float], score: float
) -> None:
    threshold = threshold_if_any(scores).score
    assume(score in {0, 1} or 0.01 <= score < 0.99)  # all but these are shown cut

    assert (hundredths(score) >= f"{threshold:.2f}") == (score >= threshold)


@pytest.mark.slow
@LAW
@given(SCORES, st.integers(1, 10**6), st.integers(0, 10**6))
def test_more_pairs_never_lower_it(scores: list[float], pairs: int, more: int) -> None:
    fewer = threshold_if_any(scores, pairs).score
    assert fewer <= threshold_if_any(scores, pairs + more).score


@LAW
@given(SCORES, st.data())
def test_the_order_of_the_sample_does_not_move_it(scores: list[float], data: st.DataObject) -> None:
    mixed = data.draw(st.permutations(scores))
    assert threshold_if_any(scores).score == threshold_if_any(mixed).score


@pytest.mark.slow
@LAW
@given(SCORES, st.lists(st.floats(0, 1)))
def test_found_are_the_pairs_from_there_on(scores: list[float], ranking: list[float]) -> None:
    at = threshold_if_any(scores).score

    threshold = suggested(np.array(scores), np.array([*ranking, at]), PAIRS)
    same = suggested(np.array(scores), np.array([*ranking, at]), len(scores))

    if not (isinstance(threshold, Threshold) and isinstance(same, Threshold)):
        reject()
    assert threshold.found == sum(score >= threshold.score for score in [*ranking, at])
    assert same.found == sum(score >= at for score in ranking) + 1


# --- how many honest pairs to expect there -------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("draw", HONEST.values(), ids=HONEST)
def test_so_many_honest_pairs_are_there_as_are_expected(draw: Draw, seed: int) -> None:
    random = np.random.default_rng(seed)
    honest = draw(random, PAIRS)
    threshold = threshold_of(np.concatenate([honest, random.uniform(0.96, 1, 40)]), PAIRS)

    found = (honest >= threshold.score).sum()

    assert found / 4 - 4 <= threshold.expected <= 4 * found + 4


def test_a_long_tail_of_honest_scores_is_expected_as_such() -> None:
    random = np.random.default_rng(7)
    middle = random.normal(-2, 0.3, PAIRS)
    logits = np.append(middle, -1.7 + random.exponential(0.5, PAIRS // 5))
    threshold = threshold_of(1 / (1 + np.exp(-random.permutation(logits))), PAIRS)

    assert threshold.found > 20  # where a normal distribution would have one
    assert threshold.found / 3 < threshold.expected <= threshold.found


def test_copies_beyond_a_gap_are_not_expected_by_chance() -> None:
    random = np.random.default_rng(7)
    scores = np.append(random.beta(5, 20, PAIRS), random.uniform(0.75, 0.89, 200))
    threshold = threshold_of(scores, PAIRS)

    assert threshold.found >= 200
    assert threshold.expected <= 5


# --- where there is none -------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "is_enough"), [(0, False), (1, False), (44, False), (45, True)])
def test_a_small_sample_suggests_nothing(count: int, is_enough: bool) -> None:
    sample = np.linspace(0.1, 0.5, count)
    told = suggested(sample, sample, max(count, 1))
    assert isinstance(told, Threshold) if is_enough else told is NoThreshold.TOO_FEW


@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
def test_scores_that_are_all_alike_suggest_nothing(score: float) -> None:
    told = suggested(np.full(200, score), np.full(9, score), 200)
    assert told is NoThreshold.TOO_ALIKE


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.45])
def test_many_copies_do_not_pass_for_honest_work(share: float) -> None:
    random = np.random.default_rng(7)
    honest = random.beta(5, 20, 1_000)
    copies = random.uniform(0.94, 1, int(share / (1 - share) * 1_000))

    threshold = threshold_of(random.permutation(np.append(honest, copies)), PAIRS)

    assert abs(threshold.score - threshold_of(honest, PAIRS).score) < 0.05
    assert threshold.low < threshold.score < threshold.high < 0.94


@pytest.mark.parametrize(("alike", "spread", "share"), [(0.75, 0.09, 1.0), (0.85, 0.02, 0.2)])
def test_where_honest_work_would_score_as_copies_do_nothing_is_suggested(
    alike: float, spread: float, share: float
) -> None:
    random = np.random.default_rng(7)
    near = random.normal(alike, spread, int(share * 5_000)).clip(0, 1)
    scores = np.append(random.beta(5, 20, 5_000 - len(near)), near)
    assert suggested(scores, scores, len(scores)) is NoThreshold.TOO_ALIKE


@pytest.mark.parametrize(("alike", "count"), [(0.95, 1_001), (0.8, 1_100)])
def test_a_batch_of_which_more_than_half_is_alike_suggests_nothing(
    alike: float, count: int
) -> None:
    random = np.random.default_rng(7)
    scores = np.append(random.beta(5, 20, 1_000), random.normal(alike, 0.01, count))
    assert suggested(scores, scores, len(scores)) is NoThreshold.TOO_ALIKE


def test_where_thousands_stand_out_without_a_gap_nothing_is_suggested() -> None:
    random = np.random.default_rng(7)
    bulk = random.normal(-2, 0.2, 80_000)
    tail = -1.8 + random.exponential(0.7, 20_000)
    scores = random.permutation(1 / (1 + np.exp(-np.append(bulk, tail))))
    told = suggested(scores[:5_000], np.sort(scores)[-20_000:], len(scores))
    assert told is NoThreshold.NO_GAP


def test_a_thousand_copies_beyond_a_gap_stand_out() -> None:
    random = np.random.default_rng(7)
    honest, copies = random.beta(5, 20, 60_000), random.uniform(0.7, 1, 3_000)
    scores = random.permutation(np.append(honest, copies))
    told = suggested(scores[:5_000], np.sort(scores)[-20_000:], len(scores))
    assert isinstance(told, Threshold)
    assert 3_000 <= told.found < 3_300


def pairs_of(submissions: int) -> NDArray[np.int64]:
    return np.array(list(itertools.combinations(range(submissions), 2)))


def test_honest_work_above_it_is_counted_wherever_it_is() -> None:
    random = np.random.default_rng(7)
    scores = 1 / (1 + np.exp(-(-1.8 + random.exponential(0.7, PAIRS))))

    together = suggested_threshold(scores, scores, PAIRS, ends=pairs_of(100))
    apart = suggested(scores, scores, PAIRS)

    assert isinstance(together, Threshold)
    assert isinstance(apart, Threshold)
    assert apart.found / 3 < apart.expected
    assert apart.expected / 2 < together.expected <= apart.expected


def test_copies_of_one_work_that_score_less_do_not_pass_for_honest_work() -> None:
    random = np.random.default_rng(7)
    scores, ends = random.beta(5, 20, PAIRS), pairs_of(100)
    honest = suggested_threshold(scores, scores, PAIRS, ends=ends)
    assert isinstance(honest, Threshold)
    is_copy = (ends < 20).all(axis=1)
    scores[is_copy] = random.uniform(honest.score - 0.15, honest.score + 0.3, is_copy.sum())

    told = suggested_threshold(scores, scores, PAIRS, ends=ends)
    blind = suggested(scores, scores, PAIRS)

    assert isinstance(told, Threshold)
    assert isinstance(blind, Threshold)
    assert blind.expected > 20
    assert told.expected <= 5
    assert told.found > 80


def test_thousands_without_a_gap_are_no_copies_for_being_linked() -> None:
    random = np.random.default_rng(7)
    ends = pairs_of(447)
    bulk = random.normal(-2, 0.2, len(ends) * 4 // 5)
    tail = -1.8 + random.exponential(0.7, len(ends) - len(bulk))
    scores = random.permutation(1 / (1 + np.exp(-np.append(bulk, tail))))
    best = np.argsort(scores)[-20_000:]

    told = suggested_threshold(scores[:5_000], scores[best], len(scores), ends=ends[best])

    assert told is NoThreshold.NO_GAP
