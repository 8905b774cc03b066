import sysconfig
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.options import Thresholds
from mosslite.records import Document, TokenStream
from mosslite.winnowing.base_code import base_code, from_base
from mosslite.winnowing.boilerplate import without_common_code
from tests.bench import base_code as bench
from tests.builders import LAW, document_of, stream_of, stream_of_lines
from tests.tables import texts_of

Lines = list[list[int]]

TEXTS = st.lists(st.integers(1, 3), max_size=12)
THRESHOLDS = Thresholds(noise=12, guarantee=20, detail=8)


def document(stream: TokenStream) -> Document:
    return document_of(stream, thresholds=THRESHOLDS)


def numbers(files: Sequence[TokenStream], *bases: TokenStream) -> list[list[int]]:
    """Return for every token of each file the number of the base that it is from."""
    given = base_code([document(base) for base in bases])
    return [each.tolist() for each in from_base([document(file) for file in files], given)]


def marked(file: TokenStream, *bases: TokenStream) -> list[int]:
    """Return the indices of the tokens that are boilerplate."""
    [found] = numbers([file], *bases)
    return [index for index, number in enumerate(found) if number >= 0]


def kgrams(codes: list[int], k: int) -> list[tuple[int, ...]]:
    return [tuple(codes[i : i + k]) for i in range(len(codes) - k + 1)]


def under_kgrams(codes: list[int], known: set[tuple[int, ...]], k: int) -> list[int]:
    starts = [i for i, kgram in enumerate(kgrams(codes, k)) if kgram in known]
    return sorted({start + i for start in starts for i in range(k)})


def flat(lines: Lines) -> list[int]:
    return [code for line in lines for code in line]


# --- base code -----------------------------------------------------------------------------------


@LAW
@given(st.lists(st.integers(1, 9), min_size=1, max_size=80))
def test_a_file_that_is_the_base_is_all_boilerplate(codes: list[int]) -> None:
    assert marked(stream_of(codes), stream_of(codes)) == list(range(len(codes)))


@LAW
@given(
    st.lists(st.integers(0, 5), max_size=80),
    st.lists(st.integers(0, 5), max_size=80),
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 40), st.integers(0, 60)), max_size=4),
)
def test_what_comes_from_the_base_is_in_it_and_each_of_its_tokens_is_found_once(
    own: list[int], base: list[int], copied: list[tuple[int, int, int]]
) -> None:
    base = [*base, *range(10, 40)]
    for start, length, place in copied:
        own[place:place] = base[start : start + length]
    found = marked(stream_of(own), stream_of(base))

    left = Counter(base)
    left.subtract(own[token] for token in found)
    assert min(left.values()) >= 0


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


@pytest.mark.parametrize("own", [1, 3])
@pytest.mark.parametrize("every", [1, 2, 5])
def test_of_a_base_that_was_filled_in_all_is_known_and_nothing_else(every: int, own: int) -> None:
    file, expected = holes(every, own)

    found = marked(stream_of_lines(file), stream_of_lines(HANDED_OUT))

    assert found == np.flatnonzero(expected).tolist()


def test_pieces_of_the_base_are_known_in_another_layout() -> None:
    file, expected = holes(2, 2)

    found = marked(stream_of(flat(file)), stream_of_lines(HANDED_OUT))

    assert found == np.flatnonzero(expected).tolist()


def test_parts_of_the_base_are_known_in_another_order() -> None:
    file, expected = holes(2, 2)
    half = len(file) // 2
    turned = [*file[half:], *file[:half]]
    tokens = sum(map(len, file[:half]))

    found = marked(stream_of_lines(turned), stream_of_lines(HANDED_OUT))

    assert found == np.flatnonzero([*expected[tokens:], *expected[:tokens]]).tolist()


def test_a_base_is_known_where_it_is_split_over_files() -> None:
    file, expected = holes(2, 2)
    half = len(file) // 2
    parts = [stream_of_lines(part) for part in (file[:half], file[half:])]

    found = numbers(parts, stream_of_lines(HANDED_OUT))

    assert [each >= 0 for each in [*found[0], *found[1]]] == expected


def test_each_part_of_a_file_may_come_from_another_base() -> None:
    bases = [stream_of_lines(HANDED_OUT[:6]), stream_of_lines(HANDED_OUT[6:])]
    file = stream_of_lines([*HANDED_OUT[:6], [7, 8, 9], *HANDED_OUT[6:]])

    [found] = numbers([file], *bases)

    assert found == [0] * 48 + [-1] * 3 + [1] * 48


def test_short_pieces_of_the_base_that_stand_apart_are_a_students_own() -> None:
    passage = flat(HANDED_OUT[:4])
    own = [[7, 8, 9, 7, 8, 9]] * 60
    pieces = [line[:4] for line in HANDED_OUT[4:]]
    file = [passage, *own, *[line for piece in pieces for line in (piece, *own)]]

    found = marked(stream_of_lines(file), stream_of_lines(HANDED_OUT))

    assert found == list(range(len(passage)))


def test_rows_of_a_table_cost_no_more_than_their_number() -> None:
    # A diff of so many equal lines would grow with the square of them.
    opening = [list(range(100, 140))]
    file = opening + [[5, 6, 7, 8], [5, 6, 7, 9]] * 20_000
    base = opening + [[5, 6, 7, 8], [5, 6, 7, 9], [5, 6, 7, 7]] * 10_000

    found = marked(stream_of_lines(file), stream_of_lines(base))

    assert found[:40] == list(range(40))


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


# Two strangers' programs: the same task, read in the same way.
COUNT_BY_PAIRS = texts_of("programs")["COUNT_BY_PAIRS"]
COUNT_BY_WINDOW = texts_of("programs")["COUNT_BY_WINDOW"]


@pytest.mark.parametrize(
    ("base", "file"),
    [(COUNT_BY_PAIRS, COUNT_BY_WINDOW), (COUNT_BY_WINDOW, COUNT_BY_PAIRS)],
    ids=["window", "pairs"],
)
def test_who_solves_the_same_task_in_other_names_keeps_all_code(base: str, file: str) -> None:
    pair = bench.UnrelatedPair("java", base, file, ".java")

    assert bench.kept_beside_unrelated(pair) == 1


# Of a template of which more is replaced, what is left can be too little to be told from chance.
MUCH = 40


@pytest.mark.parametrize("edit", bench.EDITS, ids=lambda edit: edit.name)
def test_what_is_left_of_base_code_is_known_among_other_code(edit: bench.Edit) -> None:
    found, kept = bench.found_and_kept(pair_of("textwrap", "shlex"), edit, seed=1)

    assert float(found) > 0.85 or edit.percent > MUCH
    assert float(kept) > 0.85


# --- what many submissions share -----------------------------------------------------------------


FILES = st.lists(st.tuples(TEXTS, st.integers(0, 4), st.integers(1, 5)), min_size=1, max_size=8)


def common_in(files: list[tuple[list[int], int, int]], limit: int) -> list[list[int]]:
    """Return the common tokens of files, each given with its owner and k."""
    owners = sorted({owner for _, owner, _ in files})
    found = without_common_code(
        [
            [
                document_of(stream_of(text), thresholds=Thresholds(k, k, k))
                for text, of, k in files
                if of == owner
            ]
            for owner in owners
        ],
        limit,
    )
    parts = {owner: iter(documents) for owner, documents in zip(owners, found, strict=True)}
    return [np.flatnonzero(next(parts[of]).is_boilerplate).tolist() for _, of, _ in files]


@LAW
@given(FILES, st.integers(1, 4))
def test_a_kgram_in_more_submissions_than_the_limit_is_common_code(
    files: list[tuple[list[int], int, int]], limit: int
) -> None:
    holders: dict[tuple[int, ...], set[int]] = {}
    for text, owner, k in files:
        for kgram in kgrams(text, k):
            holders.setdefault(kgram, set()).add(owner)
    common = {kgram for kgram, owning in holders.items() if len(owning) > limit}
    assert common_in(files, limit) == [under_kgrams(text, common, k) for text, _, k in files]


@pytest.mark.parametrize(
    ("owners", "is_common"),
    [([0, 1, 2], True), ([0, 1, 1], False), ([0, 0, 0], False)],
    ids=["three-submissions", "two-submissions", "files-of-one-submission"],
)
def test_a_passage_counts_once_for_each_submission(owners: list[int], is_common: bool) -> None:
    passage = [1, 2, 3, 4]

    found = common_in([(passage, owner, 4) for owner in owners], 2)

    assert found == [[0, 1, 2, 3] if is_common else []] * 3


def test_without_files_nothing_is_common() -> None:
    assert without_common_code([[], []], 2) == [[], []]
