"""The information of tokens: what public code and the rest of a program do not predict."""

import math
import sysconfig
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import mosslite
from mosslite import check
from mosslite.intake import collect
from mosslite.options import Options
from mosslite.records import Inputs, TokenStream, no_progress
from mosslite.winnowing.significance import (
    BIT,
    Runs,
    background,
    chain_bits,
    chance_bits,
    expected_matches,
    least_bits,
    ngrams_of,
    token_bits,
)
from mosslite.winnowing.tokenized import tokenized_submissions
from tests.builders import LAW, codes_of
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files

PUBLIC = background()


def bits_of(programs: Sequence[NDArray[np.uint64]]) -> list[NDArray[np.int16]]:
    kinds = np.zeros(0, np.uint8)
    places = [np.arange(len(codes), dtype=np.int32) for codes in programs]
    streams = [TokenStream(c, c, kinds, at, at) for c, at in zip(programs, places, strict=True)]
    return [*token_bits(streams)]


# Symbols of public code, and some that it lacks.
SYMBOL = st.sampled_from([*PUBLIC.symbols[::40].tolist(), 5, 6, 7])
PROGRAM = st.lists(SYMBOL, max_size=60).map(lambda codes: np.array(codes, np.uint64))


def literal_bits(codes: list[int]) -> list[float]:
    """Follow the definition: one token, one context after the other."""
    known = {code: number for number, code in enumerate(PUBLIC.symbols.tolist(), 1)}
    counts = dict(zip(PUBLIC.grams.tolist(), PUBLIC.counts.tolist(), strict=True))

    def in_public_code(gram: tuple[int, ...]) -> int:
        if not all(code in known for code in gram):
            return 0
        return int(counts.get(sum(known[c] << 8 * i for i, c in enumerate(reversed(gram))), 0))

    def elsewhere(gram: tuple[int, ...]) -> int:
        places = range(len(codes) - len(gram) + 1)
        return sum(tuple(codes[place : place + len(gram)]) == gram for place in places) - 1

    found = []
    for place in range(len(codes)):
        likely = [1 / 64, 1 / 64]
        for model, (count, tokens, orders, prior) in enumerate(
            [(in_public_code, PUBLIC.tokens, 4, 5.0), (elsewhere, len(codes) - 1, 6, 2.0)]
        ):
            seen = tokens
            for order in range(1, orders + 1):
                whole = tuple(codes[place - order + 1 : place + 1])
                hits = count(whole) if place >= order - 1 else 0
                if order > 1:
                    context = tuple(codes[place - order + 1 : place])
                    seen = count(context) if place >= order - 1 else 0
                seen = max(seen, hits)
                trust = seen / (seen + prior)
                likely[model] = (1 - trust) * likely[model] + trust * hits / max(seen, 1)
        found.append(min(max(-math.log2(max(likely)), 1 / 8), 10.0))
    return found


@LAW
@given(PROGRAM)
def test_the_information_of_a_token_follows_its_definition(codes: np.ndarray) -> None:
    (bits,) = bits_of([codes])
    assert (bits / BIT).tolist() == pytest.approx(literal_bits(codes.tolist()), abs=0.02)


@LAW
@given(st.lists(PROGRAM, max_size=6))
def test_what_is_measured_together_changes_nothing(programs: list[np.ndarray]) -> None:
    together = bits_of(programs)
    alone = [bits_of([program])[0] for program in programs]
    assert [bits.tolist() for bits in together] == [bits.tolist() for bits in alone]


@LAW
@given(PROGRAM)
def test_information_is_whole_units_between_an_eighth_of_a_bit_and_ten(codes: np.ndarray) -> None:
    (bits,) = bits_of([codes])
    assert bits.dtype == np.int16
    assert ((bits >= BIT // 8) & (bits <= 10 * BIT)).all()


@LAW
@given(PROGRAM.filter(len))
def test_code_that_a_program_repeats_carries_less_information(codes: np.ndarray) -> None:
    (once,) = bits_of([codes])
    (twice,) = bits_of([np.concatenate([codes] * 4)])
    assert twice.sum() / 4 <= once.sum() + BIT


def test_the_shipped_table_is_ascending_and_consistent() -> None:
    for column in (PUBLIC.symbols.tolist(), PUBLIC.grams.tolist()):
        assert all(left < right for left, right in pairwise(column))
    assert (PUBLIC.counts >= 10).all()
    single = PUBLIC.grams <= len(PUBLIC.symbols)
    assert PUBLIC.counts[single].sum() <= PUBLIC.tokens


def test_an_ngram_is_the_token_and_those_before_it() -> None:
    first, second = PUBLIC.symbols[:2]
    codes = np.array([first, second, 5, first], np.uint64)
    assert [grams.tolist() for grams in ngrams_of(codes, PUBLIC.symbols)] == [
        [1, 2, 0, 1],
        [0, 1 << 8 | 2, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]


def test_longer_programs_need_more_bits() -> None:
    assert chance_bits(0, 0) == 0
    assert chance_bits(1024, 1024) == 20 * BIT


# Real programs, and a passage copied from one into the other

SOURCES = [
    Path(str(import_module(name).__file__))
    for name in ("argparse", "tarfile", "zipfile", "typing", "doctest", "difflib", "turtle")
]


def codes_of_files(paths: Sequence[Path]) -> dict[str, NDArray[np.uint64]]:
    batch = collect(Inputs(tuple(map(str, paths))), directories=False)
    found, _ = tokenized_submissions(batch, Options(uses_workers=False), no_progress)
    return {each.name: each.comparable.codes for each in found}


@pytest.fixture(scope="module")
def code_of() -> dict[str, NDArray[np.uint64]]:
    return codes_of_files(SOURCES)


def test_usual_code_carries_less_information_than_unusual_code(
    code_of: dict[str, NDArray[np.uint64]],
) -> None:
    codes = [*code_of.values()]
    bits = np.concatenate(bits_of(codes))
    mixed = [np.random.default_rng(1).permutation(each) for each in codes]
    assert bits.mean() < 1.5 * BIT
    assert np.concatenate(bits_of(mixed)).mean() > 2 * bits.mean()


def test_a_function_copied_into_a_large_program_comes_first(tmp_path: Path) -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in SOURCES}
    source = texts["difflib"]
    start = source.index("    def find_longest_match")
    stop = source.index("    def get_matching_blocks")
    texts["turtle"] += f"\n\nclass Copied:\n{source[start:stop]}"
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    report = check(sorted(tmp_path.iterdir()))
    first = report.pairs[0]
    assert {Path(first.left.name).stem, Path(first.right.name).stem} == {"difflib", "turtle"}
    assert first.score > 2 * report.pairs[1].score


def test_an_unrelated_submission_more_changes_no_information(
    code_of: dict[str, NDArray[np.uint64]],
) -> None:
    few = codes_of_files(SOURCES[:2])
    among_more = dict(zip(code_of, bits_of([*code_of.values()]), strict=True))
    for name, bits in zip(few, bits_of([*few.values()]), strict=True):
        assert bits.tolist() == among_more[name].tolist()


# --- whole runs -----------------------------------------------------------------------------------


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
    [once], [again] = bits_of([codes_of(codes)]), bits_of([codes_of(codes * times)])

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
