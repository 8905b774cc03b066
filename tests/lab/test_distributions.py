import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import InputError
from mosslite.lab.distributions import (
    DISTRIBUTIONS,
    analysis_of,
    density_test,
    findings_on_chance,
    findings_on_text,
    measure_distributions,
    measure_real_text,
    sheet_of_analysis,
    tied_windows,
    ties,
)
from mosslite.lab.streams import random_text
from mosslite.winnowing.winnow import kgram_hashes, winnow
from tests.lab_literal import hash_pieces_of, laid

# --- the t-test ----------------------------------------------------------------------------------


def test_a_paired_test_is_of_the_differences() -> None:
    # Student's own data: hours of sleep gained by two drugs (Biometrika 1908).
    left = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    right = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

    test = density_test(10, "normal", left, right)

    assert test["t"] == pytest.approx(-4.0621, abs=1e-4)
    assert test["degrees"] == 9
    assert test["p_value"] == pytest.approx(0.002833, abs=1e-6)
    assert not test["is_same"]


def test_series_that_are_equal_do_not_differ_and_a_constant_difference_is_certain() -> None:
    assert density_test(1, "normal", [1.0, 2.0], [1.0, 2.0])["p_value"] == 1
    assert density_test(1, "normal", [1.0, 2.0], [2.0, 3.0])["p_value"] == pytest.approx(0)


# --- ties ----------------------------------------------------------------------------------------


def literally_tied(hashes: list[int], length: int) -> list[int]:
    begins = range(len(hashes) - length + 1)
    windows = [hashes[begin : begin + length] for begin in begins]
    return [begin for begin in begins if windows[begin].count(min(windows[begin])) > 1]


@given(st.lists(st.integers(0, 4), max_size=40), st.integers(1, 8))
def test_a_window_is_tied_if_its_minimum_is_there_twice(hashes: list[int], length: int) -> None:
    found = tied_windows(np.array(hashes, np.uint64), length)
    assert found.tolist() == literally_tied(hashes, length)


@given(st.lists(st.lists(st.integers(0, 3), max_size=9), max_size=6), st.integers(1, 5))
def test_ties_of_a_stream_are_those_of_the_whole(parts: list[list[int]], w: int) -> None:
    selector = ties(w)
    found = [place for piece in hash_pieces_of(parts) for place in selector(piece).tolist()]

    hashes = [each for part in parts for each in part]
    assert found == literally_tied(hashes, w + 1)


# --- artificial data -----------------------------------------------------------------------------


def test_every_distribution_has_the_density_of_theory() -> None:
    result = measure_distributions(200_000, 6, (10, 50), seed=1)

    assert len(result["deviations"]) == len(DISTRIBUTIONS) * 2
    for each in result["deviations"]:
        assert abs(each["relative_deviation"]) < 4 * each["standard_error"]
        assert len(each["densities"]) == 6
    assert all(finding["agrees"] for finding in findings_on_chance(result))


def test_the_distributions_are_what_they_are_called() -> None:
    random = np.random.default_rng(1)
    uniform, normal, exponential = (
        draw(random, 100_000).astype(np.float64) / 2**58 for draw in DISTRIBUTIONS.values()
    )

    # Means and standard deviations in steps of 2^58; each mean is off by its error, 1 / 316.
    assert (uniform.mean(), uniform.std()) == pytest.approx((32, 64 / 12**0.5), rel=0.01)
    assert (normal.mean(), normal.std()) == pytest.approx((32, 1), rel=0.01)
    assert (exponential.mean(), exponential.std()) == pytest.approx((1, 1), rel=0.02)


def test_a_run_in_chunks_is_the_density_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mosslite.lab.distributions._CHUNK", 1000)
    random = np.random.Generator(np.random.SFC64(np.random.SeedSequence((3, 0, 0))))
    hashes = np.concatenate(
        [random.integers(0, 2**64, count, np.uint64) for count in (1000, 1000, 500)]
    )

    first = measure_distributions(2500, 2, (7,), seed=3)["deviations"][0]

    assert (first["distribution"], first["densities"][0]) == (
        "uniform",
        len(winnow(hashes, 7)) / 2500,
    )


def test_a_seed_repeats_all_runs_and_no_two_runs_are_the_same() -> None:
    result, again = (measure_distributions(20_000, 3, (10,), seed=1) for _ in range(2))

    assert again == result
    densities = [density for each in result["deviations"] for density in each["densities"]]
    assert len(set(densities)) == len(densities)


# --- text ----------------------------------------------------------------------------------------


@given(st.lists(st.lists(st.integers(0, 2), max_size=20), min_size=1, max_size=4))
def test_text_is_measured_for_every_k_and_w(parts: list[list[int]]) -> None:
    codes = np.array([each for part in parts for each in part], np.uint64)
    if len(codes) < 3:
        with pytest.raises(InputError):
            measure_real_text(laid(parts), (2, 3), (4, 5))
        return

    result = measure_real_text(laid(parts), (2, 3), (4, 5))

    assert [(each["k"], each["w"]) for each in result["deviations"]] == [
        (2, 4),
        (2, 5),
        (3, 4),
        (3, 5),
    ]
    for each in result["deviations"]:
        hashes = kgram_hashes(codes, each["k"])
        tied = len(literally_tied(hashes.tolist(), each["w"] + 1))
        assert each["measured_density"] == len(winnow(hashes, each["w"])) / len(hashes)
        assert each["tied"] == tied / max(len(hashes) - each["w"], 1)
    assert [each["spectrum"]["occurrences"] for each in result["spectra"]] == [
        len(codes) - 1,
        len(codes) - 2,
    ]


def test_repetition_is_found_to_make_more_ties_in_larger_windows_and_for_smaller_k() -> None:
    random = np.random.default_rng(2)
    words = random.integers(0, 30, (200, 6))
    text = words[random.zipf(1.6, 20_000) % 200].ravel().tolist()

    findings = list(findings_on_text(measure_real_text(laid([text]), (16, 32, 64), (5, 20, 80))))

    assert [each["claim"][:20] for each in findings if not each["agrees"]] == []
    assert len(findings) == 5


def test_the_sheet_has_the_tables_and_figures_of_the_analysis() -> None:
    text = measure_real_text(random_text(5000, 1), (16, 32), (10, 20))
    chance = measure_distributions(5000, 2, (10, 20), seed=1)

    with_text = sheet_of_analysis(analysis_of(chance, text))
    without = sheet_of_analysis(analysis_of(chance, None))

    assert [table.title.split(":")[0] for table in with_text.tables] == [
        "Table 1",
        "Paired t-tests against the uniform distribution",
        "Table 2",
        "Figure 3",
        "Figure 2",
        "Claims of the analysis",
    ]
    assert len(with_text.plots) == 4
    assert len(without.tables) == 3
