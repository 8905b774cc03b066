from __future__ import annotations

from itertools import pairwise, permutations
from math import comb, sqrt

import numpy as np
import pytest

from mosslite.lab.density import (
    best_safe_p,
    expected_longest_run,
    log10_odds_of_run,
    lower_bound,
    safe_density,
    safe_density_at_best,
    sharper_lower_bound,
    winnowing_density,
    winnowing_error,
    zero_mod_error,
    zero_mod_miss,
)
from mosslite.winnowing.winnow import winnow


def test_the_density_is_that_which_the_paper_gives_for_its_experiments() -> None:
    assert round(winnowing_density(100), 6) == 0.019802


def test_0_mod_p_at_the_density_of_winnowing_misses_13_5_percent_for_large_windows() -> None:
    assert round(zero_mod_miss(50_000, 99_999), 3) == 0.135


def test_the_bounds_are_those_of_theorem_1_and_observation_1() -> None:
    assert lower_bound(100) == 1.5 / 101
    assert sharper_lower_bound(100) == 1.505 / 101
    assert lower_bound(100) < sharper_lower_bound(100) < winnowing_density(100)


@pytest.mark.parametrize("w", [100, 1000])
def test_safe_0_mod_p_is_densest_near_the_paper_s_optimum(w: int) -> None:
    p = best_safe_p(w)

    assert abs(1 / p - np.log(w) / w) < 0.1 * np.log(w) / w
    assert safe_density(p, w) == pytest.approx(safe_density_at_best(w), rel=0.05)


@pytest.mark.parametrize("w", [1, 2, 3])
def test_the_error_of_winnowing_is_exact_for_all_orders_of_a_few_hashes(w: int) -> None:
    # Independent hashes without ties come in every order equally often. The number of charged
    # windows among n has the variance sum(cov); what n - 1 has less is that of one more.
    def variance(windows: int) -> float:
        counts = [
            sum(
                window.index(min(window)) in {0, w}
                for window in (order[i : i + w + 1] for i in range(windows))
            )
            for order in permutations(range(windows + w))
        ]
        return float(np.var(counts))

    # From w + 1 windows on, each further one adds the same, as it depends on w before it.
    added = variance(w + 2) - variance(w + 1)
    assert winnowing_error(w, 1) == pytest.approx(sqrt(max(added, 0)), abs=1e-7)


def test_the_error_of_winnowing_is_what_repetition_shows() -> None:
    random = np.random.default_rng(7)
    densities = [
        len(winnow(random.integers(0, 2**64, 20_000, np.uint64), 20)) / 20_000 for _ in range(400)
    ]
    # 400 runs tell a standard deviation to 1 / sqrt(800); four of these is 14 %.
    assert np.std(densities) == pytest.approx(winnowing_error(20, 20_000), rel=0.14)


def test_the_error_of_0_mod_p_is_binomial() -> None:
    n, p = 12, 3
    chances = [comb(n, m) * (1 / p) ** m * (1 - 1 / p) ** (n - m) for m in range(n + 1)]
    variance = sum(chance * (m / n - 1 / p) ** 2 for m, chance in enumerate(chances))
    assert zero_mod_error(p, n) == pytest.approx(sqrt(variance))


def test_the_longest_run_is_expected_where_it_is_found_on_average() -> None:
    random = np.random.default_rng(11)
    runs = []
    for _ in range(200):
        places = np.flatnonzero(random.integers(0, 10, 10_000) == 0).tolist()
        runs.append(max(right - left - 1 for left, right in pairwise([-1, *places, 10_000])))
    # Gumbel's standard deviation is pi / sqrt(6) / rate = 12; that of the mean of 200, 0.9.
    assert np.mean(runs) == pytest.approx(expected_longest_run(10, 10_000), abs=3.5)


def test_the_odds_of_the_paper_s_run_of_29900_characters_are_below_10_to_the_minus_260() -> None:
    odds = log10_odds_of_run(50, 29_900 - 50 + 1)

    assert odds == pytest.approx(-261.9, abs=0.05)
    assert log10_odds_of_run(50, 0) == 0
    assert log10_odds_of_run(2, 10) == pytest.approx(np.log10(2.0**-10))


def test_every_hash_is_0_mod_1_so_there_is_no_run() -> None:
    assert expected_longest_run(1, 1000) == 0
