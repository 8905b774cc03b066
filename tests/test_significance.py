"""The information of tokens: what public code and the rest of a program do not predict."""

import math
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mosslite import check
from mosslite.intake import collect
from mosslite.options import Options
from mosslite.records import Inputs, no_progress
from mosslite.winnowing.significance import (
    BIT,
    background,
    chance_bits,
    ngrams_of,
    token_bits,
)
from mosslite.winnowing.tokenized import tokenized_submissions
from tests.builders import LAW

PUBLIC = background()

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
    (bits,) = token_bits([codes])
    assert (bits / BIT).tolist() == pytest.approx(literal_bits(codes.tolist()), abs=0.02)


@LAW
@given(st.lists(PROGRAM, max_size=6))
def test_what_is_measured_together_changes_nothing(programs: list[np.ndarray]) -> None:
    together = token_bits(programs)
    alone = [token_bits([program])[0] for program in programs]
    assert [bits.tolist() for bits in together] == [bits.tolist() for bits in alone]


@LAW
@given(PROGRAM)
def test_information_is_whole_units_between_an_eighth_of_a_bit_and_ten(codes: np.ndarray) -> None:
    (bits,) = token_bits([codes])
    assert bits.dtype == np.int16
    assert ((bits >= BIT // 8) & (bits <= 10 * BIT)).all()


@LAW
@given(PROGRAM.filter(len))
def test_code_that_a_program_repeats_carries_less_information(codes: np.ndarray) -> None:
    (once,) = token_bits([codes])
    (twice,) = token_bits([np.concatenate([codes] * 4)])
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
    bits = np.concatenate(token_bits(codes))
    mixed = [np.random.default_rng(1).permutation(each) for each in codes]
    assert bits.mean() < 1.5 * BIT
    assert np.concatenate(token_bits(mixed)).mean() > 2 * bits.mean()


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
    among_more = dict(zip(code_of, token_bits([*code_of.values()]), strict=True))
    for name, bits in zip(few, token_bits([*few.values()]), strict=True):
        assert bits.tolist() == among_more[name].tolist()
