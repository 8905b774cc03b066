from itertools import pairwise, permutations
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import InputError
from mosslite.frontends.dispatch import read_prose
from mosslite.frontends.text import source_of
from mosslite.lab.density import (
    best_safe_p,
    compare_algorithms,
    expected_longest_run,
    local_functions,
    log10_odds_of_run,
    lower_bound,
    measure_density,
    missed_share,
    safe_density,
    safe_density_at_best,
    sharper_lower_bound,
    sheet_of_comparison,
    sheet_of_density,
    winnowing_density,
    winnowing_error,
    zero_mod_error,
    zero_mod_miss,
)
from mosslite.lab.streams import (
    HashPiece,
    Smallest,
    Winnowing,
    every_nth,
    files_below,
    hash_pieces,
    random_text,
    zero_mod,
)
from mosslite.languages import find_language
from mosslite.winnowing.winnow import kgram_hashes, robust_winnow, winnow
from tests.lab_literal import laid

# The paper's experiment (section 5.1), but for 8 MB of its own random text.
RANDOM_TEXT = random_text(8_000_000, seed=1)
# Four standard errors: chance exceeds them once in 16,000 honest runs.
ERRORS = 4


def write(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.txt").write_bytes(text.encode("utf-8"))
    return folder


# --- sources -------------------------------------------------------------------------------------


@given(st.lists(st.lists(st.integers(0, 9), max_size=9), max_size=6), st.integers(1, 5))
def test_the_pieces_of_a_corpus_have_the_hashes_of_the_whole(
    parts: list[list[int]], k: int
) -> None:
    pieces = list(hash_pieces(laid(parts), k))
    codes = np.array([each for part in parts for each in part], np.uint64)

    hashes = np.concatenate([np.empty(0, np.uint64), *(piece.hashes for piece in pieces)])
    assert hashes.tolist() == kgram_hashes(codes, k).tolist()
    assert [piece.first for piece in pieces] == np.cumsum(
        [0, *(len(piece.hashes) for piece in pieces)]
    ).tolist()[: len(pieces)]


def test_documents_begin_where_their_first_symbol_is() -> None:
    source = laid([[1, 2, 3], [4], [5, 6, 7, 8]])
    assert [start for piece in hash_pieces(source, 3) for start in piece.starts] == [0, 3, 4]


@given(st.text(max_size=60))
def test_a_file_is_read_as_the_prose_front_end_reads_it(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    text = text.encode("utf-8", "ignore").decode("utf-8")
    path = tmp_path_factory.mktemp("corpus") / "a.txt"
    path.write_bytes(text.encode("utf-8"))

    pieces = list(files_below([str(path)]).pieces())

    codes = [code for piece in pieces for code in piece.codes.tolist()]
    assert codes == read_prose(source_of(text)).codes.tolist()
    assert [len(piece.words) for piece in pieces] == [len(piece.codes) for piece in pieces]


def test_a_character_across_two_chunks_is_read_whole(tmp_path: Path) -> None:
    text = "a" * ((1 << 20) - 1) + "é" + "b"
    pieces = files_below([str(write(tmp_path, a=text))]).pieces()
    assert "".join(str(piece.words) for piece in pieces) == text


def test_of_a_page_the_tags_are_left_out_wherever_a_chunk_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page.html"
    path.write_text('<p class="wide">One <b>bold</b> word: 3 < 4, and 5 > 2.</p><br')
    words = []
    for chunk in (40, 41, 50, 1000):
        monkeypatch.setattr("mosslite.lab.streams._CHUNK", chunk)
        words.append("".join(str(each.words) for each in files_below([str(path)]).pieces()))

    assert set(words) == {"oneboldword3" + "2" + "br"}


def test_a_folder_is_its_files_end_to_end_by_name(tmp_path: Path) -> None:
    write(tmp_path, b="Second.", a="First!")
    source = files_below([str(tmp_path)])

    pieces = list(source.pieces())

    assert [(piece.words, piece.is_start) for piece in pieces] == [
        ("first", True),
        ("second", True),
    ]
    assert sum(piece.size for piece in pieces) == source.size == 13


def test_tokens_are_those_of_the_language(tmp_path: Path) -> None:
    write(tmp_path, a="x = f(1)  # why\n", b="y = g(2)\n")
    first, second = files_below([str(tmp_path)], find_language("python")).pieces()

    assert (first.words, second.words) == (tuple("x=f(1)"), tuple("y=g(2)"))
    assert first.codes.tolist() == second.codes.tolist()


def test_random_text_is_the_same_for_the_same_seed_only() -> None:
    texts = [next(random_text(1000, seed).pieces()).words for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_a_corpus_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        files_below([str(tmp_path / "missing")])
    with pytest.raises(InputError, match="contains no files that can be read"):
        files_below([str(tmp_path)])


# --- density -------------------------------------------------------------------------------------


def test_random_text_has_the_density_of_theory() -> None:
    density = measure_density(RANDOM_TEXT, 50, 100)

    assert density["hashes"] == 7_999_951
    assert density["winnowing"]["expected_density"] == 2 / 101
    assert abs(density["winnowing"]["errors_off"]) < ERRORS
    assert abs(density["mod_p"]["errors_off"]) < ERRORS
    assert density["robust"]["measured_density"] == density["winnowing"]["measured_density"]
    # Gumbel's upper tail: a run of this length comes once in 16,000 such texts.
    assert 0.5 < density["mod_p"]["longest_run_without_fingerprint"] / 621 < 1.8
    assert density["winnowing"]["longest_run_without_fingerprint"] == 99


@given(
    st.lists(st.lists(st.integers(0, 2), max_size=20), min_size=1, max_size=5),
    st.integers(1, 4),
    st.integers(1, 6),
)
def test_a_stream_is_counted_as_its_hashes_at_once(parts: list[list[int]], k: int, w: int) -> None:
    codes = np.array([each for part in parts for each in part], np.uint64)
    hashes = kgram_hashes(codes, k)
    if not len(hashes):
        with pytest.raises(InputError, match="symbols, fewer than k"):
            measure_density(laid(parts), k, w)
        return

    density = measure_density(laid(parts), k, w, p=3)

    assert density["hashes"] == len(hashes)
    assert density["winnowing"]["fingerprints"] == len(winnow(hashes, w))
    assert density["robust"]["fingerprints"] == len(robust_winnow(hashes, w))
    assert density["mod_p"]["fingerprints"] == int(np.sum(hashes % np.uint64(3) == 0))


def test_a_repetitive_text_costs_winnowing_much_and_robust_winnowing_little(
    tmp_path: Path,
) -> None:
    write(tmp_path, a="0" * 100_000)
    density = measure_density(files_below([str(tmp_path)]), 50, 100)

    assert density["winnowing"]["measured_density"] > 0.99
    assert density["robust"]["measured_density"] == pytest.approx(0.01, rel=0.01)
    assert density["mod_p"]["measured_density"] in {0, 1}


def test_the_tables_have_the_numbers_of_figure_3() -> None:
    density = measure_density(random_text(5000, 1), 50, 100)
    totals, figure = sheet_of_density(density).tables
    assert [row[0] for row in totals.rows][:3] == ["total bytes", "text bytes", "hashes computed"]
    assert [row[0] for row in figure.rows] == ["winnowing", "robust winnowing", "0 mod 50"]
    assert figure.headings[1:4] == ("fingerprints", "measured density", "expected density")


def test_the_odds_of_the_longest_run_stand_beside_the_expected_one() -> None:
    density = measure_density(random_text(5000, 1), 50, 100)
    shown = {str(name): value for name, value in sheet_of_density(density).tables[0].rows}

    run, expected, odds = (
        shown[name]
        for name in (
            *("longest run without 0 mod 50", "expected longest run"),
            "odds of the longest run",
        )
    )

    assert run == density["mod_p"]["longest_run_without_fingerprint"]
    assert expected == density["mod_p"]["expected_longest_run"]
    assert odds == f"10^{np.log10(0.98) * run:.1f}"
    assert density["winnowing"]["log10_odds_of_longest_run"] is None


# --- algorithms side by side ---------------------------------------------------------------------


def test_who_keeps_the_guarantee_misses_nothing_and_the_others_something() -> None:
    comparison = compare_algorithms(random_text(300_000, seed=3), 10, 20)

    assert {row["algorithm"]: row["is_guaranteed"] for row in comparison["rows"]} == {
        "winnowing": True,
        "robust winnowing": True,
        "0 mod 10": False,
        "Safe 0 mod 7": True,
        "100 smallest": False,
        "every 20th": False,
        "anchors": False,
    }
    for row in comparison["rows"]:
        assert (row["missed"] == 0) is row["is_guaranteed"]
        assert (row["longest_run_without_fingerprint"] < 20) >= row["is_guaranteed"]


def test_winnowing_of_low_entropy_keeps_the_guarantee_too(tmp_path: Path) -> None:
    source = files_below([str(write(tmp_path, a="abbaabba" * 3000))])
    rows = compare_algorithms(source, 6, 9)["rows"]
    assert [row["missed"] for row in rows if row["is_guaranteed"]] == [0, 0, 0]


def test_measured_densities_are_those_expected_where_theory_has_one() -> None:
    for row in compare_algorithms(random_text(400_000, seed=5), 20, 30)["rows"]:
        if row["expected_density"] is not None:
            assert row["measured_density"] == pytest.approx(row["expected_density"], rel=0.03)


def test_what_0_mod_p_misses_is_what_theory_says() -> None:
    random = np.random.default_rng(3)
    sample = random.integers(0, 2**64, 600_000, np.uint64)
    # 200,000 windows that overlap are worth some 20,000 that do not: an error of 0.0024.
    assert missed_share(lambda: zero_mod(5), HashPiece(sample, is_last=True), 10) == pytest.approx(
        0.8**10, abs=0.01
    )


def test_a_choice_by_position_loses_nearly_everything_that_moves() -> None:
    sample = np.random.default_rng(3).integers(0, 2**64, 3000, np.uint64)
    assert missed_share(lambda: every_nth(10), HashPiece(sample, is_last=True), 10) == 1


def test_a_document_that_is_smaller_than_a_window_misses_nothing() -> None:
    sample = np.arange(10, dtype=np.uint64)
    assert (
        missed_share(lambda: Winnowing(100, is_robust=True), HashPiece(sample, is_last=True), 100)
        == 0
    )


def test_the_smallest_of_a_book_are_hardly_in_a_paragraph_of_it() -> None:
    sample = np.random.default_rng(3).integers(0, 2**64, 30_000, np.uint64)
    assert missed_share(lambda: Smallest(20), HashPiece(sample, is_last=True), 50) > 0.9


def test_the_sheet_says_of_each_algorithm_what_decides_its_guarantee() -> None:
    sheet = sheet_of_comparison(compare_algorithms(random_text(5000, 1), 10, 20))
    algorithms, guarantee = sheet.tables[:2]
    assert {row[5] for row in algorithms.rows} == {True, False}
    assert len(algorithms.rows) == len(guarantee.rows)
    assert all(row[1] for row in guarantee.rows)


@pytest.mark.parametrize("w", [1, 2, 10, 100])
def test_no_local_function_selects_less_than_the_lower_bound(w: int) -> None:
    functions = local_functions(w)

    assert len(functions) > 5
    assert all(each["times_bound"] > 0.99 for each in functions)
    for each in functions:
        assert each["times_bound"] == each["measured_density"] / sharper_lower_bound(w)
    # Winnowing by the least or the greatest hash is the best of them.
    best = sorted(functions, key=lambda each: each["measured_density"])[:2]
    assert w < 10 or {each["name"] for each in best} == {"least (winnowing)", "greatest"}
    assert best[0]["measured_density"] == pytest.approx(2 / (w + 1), rel=0.03)


# --- what theory says -----------------------------------------------------------------------------


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
