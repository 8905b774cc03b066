from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import InputError
from mosslite.lab import frequency
from mosslite.lab.frequency import (
    fitted,
    measure_frequency,
    sheet_of_frequency,
    spectrum_of,
    spectrum_of_kgrams,
    within_part,
)
from mosslite.lab.sheets import Values
from mosslite.lab.streams import files_below, random_text
from mosslite.languages import find_language
from mosslite.winnowing.winnow import kgram_hashes, robust_winnow
from tests.lab_literal import laid

PARTS = st.lists(st.lists(st.integers(0, 2), max_size=20), min_size=1, max_size=5)


def plateau(frequency: int, first: int, last: int) -> Values:
    return {"frequency": frequency, "first_rank": first, "last_rank": last}


# --- counting ------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 2**64 - 1)), st.sampled_from([1, 2, 7]))
def test_each_hash_is_in_one_part(hashes: list[int], parts: int) -> None:
    column = np.array(hashes, np.uint64)
    found = [within_part(column, part, parts).tolist() for part in range(parts)]
    assert sorted(each for part in found for each in part) == sorted(hashes)


# --- frequencies ---------------------------------------------------------------------------------


@given(PARTS, st.integers(1, 3), st.integers(1, 5))
def test_frequencies_are_those_of_all_kgrams_and_of_the_selected_ones(
    parts: list[list[int]], k: int, w: int
) -> None:
    codes = np.array([each for part in parts for each in part], np.uint64)
    hashes = kgram_hashes(codes, k)
    if not len(hashes):
        with pytest.raises(InputError, match="symbols, fewer than k"):
            measure_frequency(laid(parts), k, w)
        return

    frequency = measure_frequency(laid(parts), k, w)

    chosen = hashes[robust_winnow(hashes, w)].tolist()
    assert frequency["all"] == spectrum_of(Counter(Counter(hashes.tolist()).values()))
    assert frequency["selected"] == spectrum_of(Counter(Counter(chosen).values()))
    assert spectrum_of_kgrams(laid(parts), k) == frequency["all"]


def test_a_corpus_counted_in_parts_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    source = random_text(20_000, seed=4)
    whole = measure_frequency(source, 2, 10)
    monkeypatch.setattr(frequency, "_AT_A_TIME", 3000)

    assert measure_frequency(source, 2, 10) == whole


def test_the_most_common_string_is_shown_once_and_not_with_its_shifts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("It was so. Yes, it was so, it was so; and then it went.")
    source = files_below([str(tmp_path)])

    first, *others = measure_frequency(source, 7, 3, most=3)["most_common"]

    assert (first["text"], first["frequency"]) == ("itwasso", 3)
    assert all(each["frequency"] == 1 for each in others)


def test_a_string_of_tokens_is_shown_as_written(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("while a < 5: a = f(a)\nwhile b < 7: b = f(b)\n")
    source = files_below([str(tmp_path)], find_language("python"))

    (string,) = measure_frequency(source, 5, 2, most=1)["most_common"]

    assert string["frequency"] == 2
    assert len(string["text"].split()) == 5
    assert string["text"] in "while a < 5 : a = f ( a )"


# --- the line ------------------------------------------------------------------------------------


def test_ranks_are_laid_out_by_descending_frequency() -> None:
    spectrum = spectrum_of({1: 5, 7: 1, 2: 3})

    assert spectrum["plateaus"] == [plateau(7, 1, 1), plateau(2, 2, 4), plateau(1, 5, 9)]
    assert (spectrum["occurrences"], spectrum["distinct"]) == (18, 9)
    assert (spectrum["once"], spectrum["twice"], spectrum["thrice"]) == (5 / 9, 3 / 9, 0)


def test_the_line_is_that_of_numpy_through_both_ends_of_each_plateau() -> None:
    plateaus = [plateau(9, 1, 1), plateau(4, 2, 5), plateau(1, 6, 40)]
    ranks, frequencies = [1, 1, 2, 5, 6, 40], [9, 9, 4, 4, 1, 1]
    slope, intercept = np.polyfit(np.log10(ranks), np.log10(frequencies), 1)

    line = fitted(plateaus)

    assert line is not None
    assert (line["slope"], line["intercept"]) == pytest.approx((slope, intercept))


def test_a_power_law_has_its_exponent_for_slope_and_no_aberrant_plateau() -> None:
    frequencies = (1000 * np.arange(1, 20_000) ** -0.7).round().astype(int)
    spectrum = spectrum_of(Counter(frequencies[frequencies > 0].tolist()))

    assert spectrum["line"] is not None
    assert spectrum["line"]["slope"] == pytest.approx(-0.7, abs=0.05)
    assert spectrum["aberrant"] == []


def test_a_passage_of_many_documents_is_an_aberrant_plateau() -> None:
    frequencies = (1000 * np.arange(1, 20_000) ** -0.7).round().astype(int)
    regular = Counter(frequencies[frequencies > 0].tolist())
    spectrum = spectrum_of(regular + Counter({300: 400}))

    assert [each["frequency"] for each in spectrum["aberrant"]] == [300]
    assert spectrum["cleaned_line"] is not None
    assert spectrum["line"] is not None
    assert spectrum["cleaned_line"]["slope"] == pytest.approx(-0.7, abs=0.1)


def test_a_single_point_has_no_line() -> None:
    assert spectrum_of({1: 1})["line"] is None


def test_the_plot_has_only_the_ends_of_plateaus() -> None:
    frequency = measure_frequency(random_text(5000, 1), 2, 10)
    (plot,) = sheet_of_frequency(frequency).plots
    assert len(plot.series[0].points) == 2 * len(frequency["all"]["plateaus"])
