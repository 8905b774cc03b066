import time
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import InputError
from mosslite.lab.hashes import (
    HASH_FUNCTIONS,
    identities,
    karp_rabin,
    karp_rabin_improved,
    measure_hashes,
    ours,
    reference,
    sheet_of_hashes,
    symbols_of,
)
from mosslite.lab.streams import files_below, random_text
from mosslite.languages import find_language
from mosslite.winnowing.winnow import kgram_hashes

SYMBOLS = st.lists(st.integers(0, 255), min_size=1, max_size=20)
BASES = st.sampled_from([2, 256, 257, 0x9E3779B97F4A7C15])


@given(SYMBOLS, st.integers(1, 6), BASES)
def test_h_is_the_number_that_the_symbols_are_the_digits_of(
    symbols: list[int], k: int, base: int
) -> None:
    column = np.array(symbols, np.uint64)
    grams = [symbols[begin : begin + k] for begin in range(len(symbols) - k + 1)]

    literal = [sum(c * base ** (k - 1 - i) for i, c in enumerate(gram)) for gram in grams]
    assert karp_rabin(column, k, base).tolist() == [each % 2**64 for each in literal]
    improved = karp_rabin_improved(column, k, base)
    assert improved.tolist() == [each * base % 2**64 for each in literal]


@given(SYMBOLS, st.integers(1, 5))
def test_every_function_gives_a_hash_for_each_kgram_and_equal_ones_for_equal_kgrams(
    symbols: list[int], k: int
) -> None:
    column = np.array([*symbols, *symbols], np.uint64)
    for function in HASH_FUNCTIONS.values():
        hashes = function(column, k)
        whole = max(len(symbols) - k + 1, 0)
        assert len(hashes) == max(len(column) - k + 1, 0)
        assert hashes[:whole].tolist() == hashes[len(symbols) :][:whole].tolist()


def test_different_kgrams_have_different_identities() -> None:
    symbols = np.array([1, 2, 1, 2, 1], np.uint64)
    first, second, third, last = map(tuple, identities(symbols, 2).tolist())
    assert first == third != second == last


def test_ours_is_what_is_winnowed_but_for_the_names_of_symbols() -> None:
    symbols = np.array([3, 1, 4, 1, 5, 9, 2, 6, 1, 4], np.uint64)
    codes = np.unique(ours(symbols, 1))
    assert len(codes) == 7
    assert len(np.unique(ours(symbols, 3))) == len(np.unique(kgram_hashes(symbols, 3)))


def test_the_weakness_of_h_and_what_mends_it_are_found() -> None:
    trial = measure_hashes(random_text(60_000, seed=2), 20, 50, sample=60_000)
    found = {each["name"]: each for each in trial["functions"]}

    # Section 2.2: the last character only affects a few of the low-order bits.
    assert found["H, b = 257"]["last_symbol"] == 0
    assert found["H', large b"]["last_symbol"] == pytest.approx(0.5, abs=0.05)
    # With a base of 256 all but the last eight symbols are shifted out.
    assert found["H, b = 256"]["first_symbol"] == 0
    # The low bits are decided by the low bits of the symbols alone.
    assert found["H', b = 257"]["low_byte"] > 100


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ours", "BLAKE2b"])
def test_a_good_hash_is_even_in_all_bits(name: str) -> None:
    trial = measure_hashes(random_text(60_000, seed=2), 20, 50, sample=60_000)
    (found,) = (each for each in trial["functions"] if each["name"] == name)

    assert found["collisions"] == 0
    assert found["high_collisions"] <= 4
    assert found["low_collisions"] <= 4
    for errors in (
        found["high_byte"],
        found["low_byte"],
        found["zero_mod_p"],
        found["zero_mod_64"],
    ):
        assert abs(errors) < 4
    assert abs(found["winnowing"]) < 4
    assert found["last_symbol"] == pytest.approx(0.5, abs=0.02)
    assert found["first_symbol"] == pytest.approx(0.5, abs=0.02)


def test_speed_is_measured_by_the_clock_given_and_by_none_otherwise() -> None:
    source, ticks = random_text(1000, seed=1), count()
    timed = measure_hashes(source, 10, 20, clock=lambda: next(ticks) / 1e9 * 991)
    untimed = measure_hashes(source, 10, 20)

    assert [each["nanoseconds"] for each in timed["functions"]] == pytest.approx([1.0] * 7)
    assert {each["nanoseconds"] for each in untimed["functions"]} == {None}
    assert timed["scratch_to_rolling"] == pytest.approx(1.0)
    assert untimed["scratch_to_rolling"] is None


def test_tokens_are_numbered_as_they_come(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = y + z\n")
    source = files_below([str(tmp_path)], find_language("python"))
    assert symbols_of(source, 4).tolist() == [1, 2, 1, 3]


def test_a_sample_shorter_than_a_kgram_is_refused() -> None:
    with pytest.raises(InputError, match="has 20 symbols, fewer than k = 50"):
        measure_hashes(random_text(9000, seed=1), 50, 100, sample=20)


def test_the_sheet_has_a_row_for_each_function() -> None:
    sheet = sheet_of_hashes(measure_hashes(random_text(900, seed=1), 5, 10))
    assert [len(table.rows) for table in sheet.tables[:2]] == [len(HASH_FUNCTIONS)] * 2


def test_what_winnowing_selects_is_skewed_until_it_is_hashed_a_second_time() -> None:
    trial = measure_hashes(random_text(60_000, seed=2), 20, 50, sample=60_000)

    assert trial["selected_high_byte"] > 100
    assert abs(trial["rehashed_high_byte"]) < 4


def test_the_reference_is_blake2b_of_eight_bytes() -> None:
    assert len(set(reference(np.arange(500, dtype=np.uint64), 3).tolist())) == 498


def test_the_time_of_our_hash_is_without_that_of_the_codes_of_symbols(tmp_path: Path) -> None:
    # Each symbol is digested once: where no letter comes twice, as often as k-grams.
    (tmp_path / "a.txt").write_text("".join(map(chr, range(0x4E00, 0x9E00))), "utf-8")
    trial = measure_hashes(files_below([str(tmp_path)]), 5, 10, clock=time.perf_counter)
    times = {each["name"]: each["nanoseconds"] or 0 for each in trial["functions"]}

    assert 0 < times["ours"] < times["BLAKE2b"] / 4
