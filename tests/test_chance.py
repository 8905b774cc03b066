"""Laws of what chance explains, on whole runs and on generated pairs."""

import sysconfig
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mosslite
from mosslite import Options
from mosslite.winnowing.significance import (
    BIT,
    Runs,
    chain_bits,
    expected_matches,
    least_bits,
    token_bits,
)
from tests.builders import LAW, codes_of
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files

STDLIB = Path(sysconfig.get_path("stdlib"))
# Programs that have nothing to do with each other.
LARGE = ("argparse", "configparser", "difflib", "mailbox", "optparse", "pdb", "pickle", "zipfile")

ALONE = Options(uses_workers=False, show=0, uses_cache=True)


def module(name: str) -> str:
    return (STDLIB / f"{name}.py").read_text(encoding="utf-8")


def pairs_of(folder: Path, files: dict[str, str], options: Options = ALONE) -> list[mosslite.Pair]:
    write_files(folder, files)
    return [*mosslite.check([folder], options=options).pairs]


def together(*names: str) -> dict[str, str]:
    return {f"{name}.py": module(name) for name in names}


@pytest.fixture(scope="module")
def large_pairs(tmp_path_factory: pytest.TempPathFactory) -> list[mosslite.Pair]:
    options = replace(ALONE, uses_cache=False)
    return pairs_of(tmp_path_factory.mktemp("large"), together(*LARGE), options)


def test_large_programs_that_have_nothing_to_do_with_each_other_share_nothing(
    large_pairs: list[mosslite.Pair],
) -> None:
    assert large_pairs
    shares = [max(each.left_similarity, each.right_similarity) for each in large_pairs]
    assert np.median(shares) <= 0.01
    assert max(shares) <= 0.08
    assert any(each.by_chance for each in large_pairs)


@pytest.mark.parametrize("text", ["x = 1\n", QUEUE, "print(input())\n" * 3], ids=len)
def test_identical_work_reads_1_whatever_its_size(tmp_path: Path, text: str) -> None:
    [pair] = pairs_of(tmp_path, {"a.py": text, "b.py": text})

    assert (pair.left_similarity, pair.right_similarity, pair.score) == (1, 1, 1)
    assert not pair.by_chance


def test_a_program_that_is_in_a_giant_reads_1(tmp_path: Path) -> None:
    giant = "\n".join(map(module, LARGE))
    [pair] = pairs_of(tmp_path, {"a.py": QUEUE, "b.py": f"{giant}\n{QUEUE}"})

    assert pair.left_similarity == 1
    assert pair.right_similarity < 0.02


def test_further_submissions_change_no_match_of_a_pair(
    tmp_path: Path, large_pairs: list[mosslite.Pair]
) -> None:
    names = LARGE[:3]
    alone = pairs_of(tmp_path, together(*names))

    def matches(pairs: list[mosslite.Pair]) -> dict[tuple[str, str], object]:
        return {
            (each.left.name, each.right.name): (each.matches, each.by_chance)
            for each in pairs
            if {each.left.name, each.right.name} <= {f"{name}.py" for name in names}
        }

    assert matches(alone) == matches(large_pairs)


def test_a_smaller_noise_threshold_never_finds_less(tmp_path: Path) -> None:
    files = together("optparse", "argparse")
    found = [
        pairs_of(tmp_path, files, replace(ALONE, noise=k))[0].matched_tokens for k in (20, 12, 8, 6)
    ]

    assert found == sorted(found)


def test_the_limit_of_chance_decides_what_counts(tmp_path: Path) -> None:
    files = together("optparse", "argparse")
    strict, usual, all_of_them = (
        pairs_of(tmp_path, files, replace(ALONE, chance=chance))[0] for chance in (1e-9, 1.0, 1e9)
    )

    assert strict.matched_tokens <= usual.matched_tokens < all_of_them.matched_tokens
    assert not all_of_them.by_chance
    for pair, limit in ((strict, 1e-9), (usual, 1.0)):
        assert all(each.together.expected <= limit * 1.01 for each in pair.matches)


BIG = "\n".join(map(module, LARGE[:2]))


@pytest.mark.parametrize(
    ("left", "right", "evidence"),
    [
        (QUEUE, QUEUE, "identity"),
        (QUEUE, QUEUE_RENAMED, "overlap"),
        (QUEUE, f"{PRIMES}{QUEUE}{PRIMES.replace('n', 'm')}{module('bisect')}", "containment"),
        (f"{module(LARGE[2])}\n{module('heapq')}", f"{BIG}\n{module('heapq')}", "passages"),
    ],
    ids=["the same", "renamed", "in another", "a part of both"],
)
def test_the_evidence_that_placed_a_pair_is_named(
    tmp_path: Path, left: str, right: str, evidence: str
) -> None:
    [pair] = pairs_of(tmp_path, {"a.py": left, "b.py": right})

    assert pair.placed_by == evidence


@LAW
@given(st.lists(st.integers(1, 30), min_size=64, max_size=120), st.integers(2, 3))
def test_a_second_version_of_a_file_hides_nothing(codes: list[int], times: int) -> None:
    [once], [again] = token_bits([codes_of(codes)]), token_bits([codes_of(codes * times)])

    assert again[: len(codes)].sum() >= 0.9 * once.sum() - 10 * BIT


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.floats(1e-6, 100))
def test_the_bits_that_count_are_those_expected_so_often(
    left: int, right: int, most: float
) -> None:
    least = least_bits(most, left, right)

    assert expected_matches(least, left, right) <= most < expected_matches(least - 2, left, right)


TILES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(1, 9)), min_size=1, max_size=12
)


@LAW
@given(TILES, st.data())
def test_a_chain_is_worth_no_less_than_any_of_its_runs_and_no_more_than_all(
    gaps: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    rows, left, right = [], 0, 0
    for left_gap, right_gap, length in gaps:
        rows.append((left + left_gap, right + right_gap, length))
        left, right = left + left_gap + length, right + right_gap + length
    columns = np.array(rows, np.int64).T
    files = np.zeros(len(rows), np.int64)
    bits = np.array(
        data.draw(st.lists(st.integers(0, 9_999), min_size=len(rows), max_size=len(rows)))
    )
    runs = Runs(columns[0], columns[1], columns[2], files, files)

    chained = chain_bits(runs, bits)

    assert (chained >= bits).all()
    assert (chained <= bits.sum()).all()
    fewer = np.arange(len(rows)) != data.draw(st.integers(0, len(rows) - 1))
    without = chain_bits(Runs(*(column[fewer] for column in runs)), bits[fewer])
    assert (chained[fewer] >= without).all()
