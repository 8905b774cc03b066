from __future__ import annotations

import sysconfig
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.winnowing import index_base_file, mark_base_code, mark_common_code
from mosslite.winnowing.alignment import aligned_runs
from mosslite.winnowing.base_index import Text, index_base
from tests.bench import base_code as bench
from tests.builders import LAW, codes_of, stream_of, stream_of_lines, stream_of_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.records import TokenStream

Lines = list[list[int]]

# Lines of up to six of a few symbols, so that k-grams and whole lines are shared by chance.
LINES = st.lists(st.lists(st.integers(1, 2), max_size=6), max_size=6)
NOISES = st.integers(1, 9)
TEXTS = st.lists(st.integers(1, 3), max_size=12)


def marked(file: TokenStream, *bases: TokenStream, noise: int) -> list[int]:
    """Return the indices of the tokens that are boilerplate."""
    mask = np.zeros(len(file), np.bool_)
    for base in bases:
        [found] = mark_base_code([file], index_base_file("base", base, noise))
        assert found.shape == (len(file),)
        mask |= found
    return [int(index) for index in np.flatnonzero(mask)]


def words(text: str, base: str, noise: int) -> str:
    """Return the words of a text that are boilerplate."""
    tokens = marked(stream_of_text(text), stream_of_text(base), noise=noise)
    return " ".join(text.split()[token] for token in tokens)


def kgrams(codes: list[int], k: int) -> list[tuple[int, ...]]:
    return [tuple(codes[i : i + k]) for i in range(len(codes) - k + 1)]


def under_kgrams(codes: list[int], known: set[tuple[int, ...]], k: int) -> list[int]:
    starts = [i for i, kgram in enumerate(kgrams(codes, k)) if kgram in known]
    return sorted({start + i for start in starts for i in range(k)})


def flat(lines: Lines) -> list[int]:
    return [code for line in lines for code in line]


# --- passages ------------------------------------------------------------------------------------


@LAW
@given(LINES, LINES, NOISES)
def test_tokens_under_a_kgram_of_the_base_are_boilerplate(file: Lines, base: Lines, k: int) -> None:
    found = marked(stream_of_lines(file), stream_of_lines(base), noise=k)

    assert set(under_kgrams(flat(file), set(kgrams(flat(base), k)), k)) <= set(found)


@LAW
@given(LINES, NOISES)
def test_a_file_that_is_the_base_is_all_boilerplate(file: Lines, k: int) -> None:
    stream = stream_of_lines(file)

    found = marked(stream, stream, noise=k)

    assert len(found) == len(stream) or len(stream) < k


@pytest.mark.parametrize(
    ("file", "base", "expected"),
    [
        ("x a b c d e y", "a b c d e", "a b c d e"),
        ("x a b c d y", "a b c d e", ""),
        ("a b c d e", "a b c d", ""),
        ("a b c d e f", "a b c d e z b c d e f", "a b c d e f"),
    ],
    ids=["a-kgram", "less-than-a-kgram", "a-base-less-than-a-kgram", "kgrams-that-overlap"],
)
def test_a_kgram_of_five_tokens(file: str, base: str, expected: str) -> None:
    assert words(file, base, 5) == expected


def test_each_part_of_a_file_may_come_from_another_base() -> None:
    bases = [stream_of([1, 2, 3, 4]), stream_of([5, 6, 7])]

    assert marked(stream_of([1, 2, 3, 9, 5, 6, 7]), *bases, noise=3) == [0, 1, 2, 4, 5, 6]


# --- the alignment -------------------------------------------------------------------------------


@LAW
@given(
    st.lists(st.integers(0, 5), max_size=80),
    st.lists(st.integers(0, 5), max_size=80),
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 40), st.integers(0, 60)), max_size=4),
    NOISES,
)
def test_aligned_runs_are_equal_and_use_each_token_of_both_sides_once(
    own: list[int], base: list[int], copied: list[tuple[int, int, int]], k: int
) -> None:
    base = [*base, *range(10, 40)]
    for start, length, place in copied:
        own[place:place] = base[start : start + length]
    texts = [Text(codes_of(each), _breaks(each)) for each in (own, base)]

    runs = aligned_runs(texts[0], index_base(texts[1], k))

    assert all(
        own[run.own : run.own_stop] == base[run.base : run.base_stop] and run.length for run in runs
    )
    assert all(before.own_stop <= after.own for before, after in pairwise(runs))
    by_base = sorted(runs, key=lambda run: run.base)
    assert all(before.base_stop <= after.base for before, after in pairwise(by_base))


def _breaks(codes: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([True, *(code % 3 == 0 for code in codes[1:]), *[True] * bool(codes)], np.bool_)


# Twelve lines of eight different tokens.
HANDED_OUT = [[100 + 10 * line + token for token in range(8)] for line in range(12)]


def holes(every: int, own: int) -> tuple[Lines, list[bool]]:
    """Fill in own lines behind every so many lines: the file, and which tokens were handed out."""
    file, expected = [], []
    for number, line in enumerate(HANDED_OUT):
        file.append(line)
        expected += [True] * len(line)
        if number % every == every - 1:
            file += [[7, 8, 9, 7, 8, 9]] * own
            expected += [False] * 6 * own
    return file, expected


@pytest.mark.parametrize("k", [4, 8, 12, 16])
@pytest.mark.parametrize("own", [1, 3])
@pytest.mark.parametrize("every", [1, 2, 5])
def test_of_a_base_that_was_filled_in_all_is_known_and_nothing_else(
    every: int, own: int, k: int
) -> None:
    file, expected = holes(every, own)

    found = marked(stream_of_lines(file), stream_of_lines(HANDED_OUT), noise=k)

    assert found == np.flatnonzero(expected).tolist()


def test_pieces_of_the_base_are_known_in_another_layout() -> None:
    file, expected = holes(1, 2)
    one_line = stream_of(flat(file))

    assert (
        marked(one_line, stream_of_lines(HANDED_OUT), noise=12) == np.flatnonzero(expected).tolist()
    )


def test_parts_of_the_base_are_known_in_another_order() -> None:
    file, expected = holes(2, 2)
    half = len(file) // 2
    turned = [*file[half:], *file[:half]]
    tokens = sum(map(len, file[:half]))

    found = marked(stream_of_lines(turned), stream_of_lines(HANDED_OUT), noise=12)

    assert found == np.flatnonzero([*expected[tokens:], *expected[:tokens]]).tolist()


def test_a_base_is_known_where_it_is_split_over_files() -> None:
    file, expected = holes(1, 2)
    half = len(file) // 2
    tokens = sum(map(len, file[:half]))
    parts = [stream_of_lines(part) for part in (file[:half], file[half:])]

    masks = mark_base_code(parts, index_base_file("base", stream_of_lines(HANDED_OUT), 12))

    assert [mask.tolist() for mask in masks] == [expected[:tokens], expected[tokens:]]


def test_short_pieces_of_the_base_that_stand_apart_are_a_students_own() -> None:
    passage = flat(HANDED_OUT[:4])
    own = [[7, 8, 9, 7, 8, 9]] * 60
    pieces = [line[:4] for line in HANDED_OUT[4:]]
    file = [passage, *own, *[line for piece in pieces for line in (piece, *own)]]

    found = marked(stream_of_lines(file), stream_of_lines(HANDED_OUT), noise=12)

    assert found == list(range(len(passage)))


def test_a_piece_that_the_base_has_once_is_known_once() -> None:
    *front, piece, last = HANDED_OUT
    own = [7, 8, 9, 7, 8, 9]
    file = [*front, own, piece[:5], own, piece[:5], own, last]

    found = marked(stream_of_lines(file), stream_of_lines(HANDED_OUT), noise=12)

    assert len(found) == sum(map(len, front)) + 5 + len(last)


def test_rows_of_a_table_cost_no_more_than_their_number() -> None:
    # A diff of so many equal lines would grow with the square of them.
    opening = [list(range(100, 120))]
    file = opening + [[5, 6, 7, 8], [5, 6, 7, 9]] * 20_000
    base = opening + [[5, 6, 7, 8], [5, 6, 7, 9], [5, 6, 7, 7]] * 10_000

    found = marked(stream_of_lines(file), stream_of_lines(base), noise=12)

    assert found[:20] == list(range(20))


# --- real programs -------------------------------------------------------------------------------

STDLIB = Path(sysconfig.get_path("stdlib"))
UNRELATED = [
    ("textwrap", "heapq"),
    ("heapq", "textwrap"),
    ("shlex", "bisect"),
    ("queue", "fnmatch"),
    ("sched", "colorsys"),
]


def pair_of(base: str, file: str) -> bench.UnrelatedPair:
    given, own = [(STDLIB / f"{name}.py").read_text(encoding="utf-8") for name in (base, file)]
    return bench.UnrelatedPair("python", given, own, ".py")


@pytest.mark.parametrize(("base", "file"), UNRELATED)
def test_base_code_that_has_nothing_to_do_with_a_file_leaves_it_alone(base: str, file: str) -> None:
    assert bench.kept_beside_unrelated(pair_of(base, file)) > 0.98


@pytest.mark.parametrize(("base", "file"), UNRELATED)
def test_a_file_is_found_whole_behind_base_code(base: str, file: str) -> None:
    assert bench.similarity_of_copy(pair_of(base, file)) > 0.98


@pytest.mark.parametrize("edit", bench.EDITS, ids=lambda edit: edit.name)
def test_what_is_left_of_base_code_is_known_among_other_code(edit: bench.Edit) -> None:
    found, kept = bench.found_and_kept(pair_of("textwrap", "shlex"), edit, seed=1)

    assert float(found) > 0.85
    assert float(kept) > 0.85


def test_the_same_seed_edits_alike() -> None:
    pair = pair_of("heapq", "shlex")
    edit = bench.EDITS[0]

    texts = [
        bench.filled_in(pair.base, pair.file, edit, pair.language, Random(3))  # noqa: S311
        for _ in range(2)
    ]

    assert texts[0] == texts[1]


# --- what many submissions share -----------------------------------------------------------------


FILES = st.lists(st.tuples(TEXTS, st.integers(0, 4), st.integers(1, 5)), min_size=1, max_size=8)


@LAW
@given(FILES, st.integers(1, 4))
def test_a_kgram_in_more_submissions_than_the_limit_is_mark_common_code(
    files: list[tuple[list[int], int, int]], limit: int
) -> None:
    texts, owners, noises = (list(column) for column in zip(*files, strict=True))

    masks = mark_common_code([stream_of(text) for text in texts], owners, noises, limit)

    holders: dict[tuple[int, ...], set[int]] = {}
    for text, owner, k in files:
        for kgram in kgrams(text, k):
            holders.setdefault(kgram, set()).add(owner)
    common = {kgram for kgram, owning in holders.items() if len(owning) > limit}
    assert [np.flatnonzero(mask).tolist() for mask in masks] == [
        under_kgrams(text, common, k) for text, _, k in files
    ]


@pytest.mark.parametrize(
    ("owners", "is_common"),
    [([0, 1, 2], True), ([0, 1, 1], False), ([0, 0, 0], False)],
    ids=["three-submissions", "two-submissions", "files-of-one-submission"],
)
def test_a_passage_counts_once_for_each_submission(owners: list[int], is_common: bool) -> None:
    passage = stream_of([1, 2, 3, 4])

    masks = mark_common_code([passage] * 3, owners, [4] * 3, 2)

    assert [mask.tolist() for mask in masks] == [[is_common] * 4] * 3


def test_a_passage_repeated_in_one_submission_is_not_common() -> None:
    [mask] = mark_common_code([stream_of([1, 2, 1, 2, 1, 2])], [0], [2], 1)

    assert not mask.any()


def test_without_files_nothing_is_common() -> None:
    assert mark_common_code([], [], [], 2) == []
