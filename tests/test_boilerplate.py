from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.boilerplate import Template, boilerplate_in, common_code, template_of
from mosslite.winnow import kgram_hashes
from tests.builders import LAW, stream_of, stream_of_lines, stream_of_text

if TYPE_CHECKING:
    from mosslite.columns import TokenStream

Lines = list[list[int]]

# Lines of up to six of a few symbols, so that k-grams and whole lines are shared by chance.
LINES = st.lists(st.lists(st.integers(1, 2), max_size=6), max_size=6)
NOISES = st.integers(1, 9)
TEXTS = st.lists(st.integers(1, 3), max_size=12)


def marked(file: TokenStream, *templates: TokenStream, noise: int) -> list[int]:
    """Give the indices of the tokens that are boilerplate."""
    mask = boilerplate_in(file, [template_of(each, noise) for each in templates])
    assert mask.shape == (len(file),)
    return [int(index) for index in np.flatnonzero(mask)]


def words(text: str, template: str, noise: int) -> str:
    """Give the words of a text that are boilerplate."""
    tokens = marked(stream_of_text(text), stream_of_text(template), noise=noise)
    return " ".join(text.split()[token] for token in tokens)


def kgrams(codes: list[int], k: int) -> list[tuple[int, ...]]:
    return [tuple(codes[i : i + k]) for i in range(len(codes) - k + 1)]


def under_kgrams(codes: list[int], known: set[tuple[int, ...]], k: int) -> list[int]:
    starts = [i for i, kgram in enumerate(kgrams(codes, k)) if kgram in known]
    return sorted({start + i for start in starts for i in range(k)})


def flat(lines: Lines) -> list[int]:
    return [code for line in lines for code in line]


def has_most_blocks(file: list[int], template: list[int], k: int) -> bool:
    """Tell whether most blocks of four tokens of a template of at least k are in a file."""
    block = min(4, k)
    there = kgrams(file, block)
    found = [kgram in there for kgram in kgrams(template, block)]
    return len(template) >= k and 2 * sum(found) > len(found)


# --- what the instructor gave --------------------------------------------------------------------


@LAW
@given(LINES, LINES, NOISES)
def test_tokens_under_a_kgram_of_the_template_are_boilerplate(
    file: Lines, template: Lines, k: int
) -> None:
    found = marked(stream_of_lines(file), stream_of_lines(template), noise=k)

    assert set(under_kgrams(flat(file), set(kgrams(flat(template), k)), k)) <= set(found)


@LAW
@given(LINES, LINES, NOISES)
def test_nothing_else_is_but_short_blocks_of_the_template(
    file: Lines, template: Lines, k: int
) -> None:
    found = marked(stream_of_lines(file), stream_of_lines(template), noise=k)

    block = min(4, k)
    short = under_kgrams(flat(file), set(kgrams(flat(template), block)), block)
    assert set(found) <= set(short)


@LAW
@given(LINES, LINES, NOISES)
def test_a_template_that_shares_no_kgram_and_few_blocks_marks_nothing(
    file: Lines, template: Lines, k: int
) -> None:
    found = marked(stream_of_lines(file), stream_of_lines(template), noise=k)

    is_shared = not set(kgrams(flat(file), k)).isdisjoint(kgrams(flat(template), k))
    assert bool(found) == (is_shared or has_most_blocks(flat(file), flat(template), k))


@LAW
@given(LINES, NOISES)
def test_a_file_that_is_the_template_is_all_boilerplate(file: Lines, k: int) -> None:
    stream = stream_of_lines(file)

    found = marked(stream, stream, noise=k)

    assert found == (list(range(len(stream))) if len(stream) >= k else [])


@LAW
@given(LINES, st.lists(LINES, max_size=3), NOISES)
def test_several_templates_mark_what_each_of_them_marks(
    file: Lines, templates: list[Lines], k: int
) -> None:
    stream = stream_of_lines(file)
    streams = [stream_of_lines(each) for each in templates]

    found = marked(stream, *streams, noise=k)

    assert set(found) == {token for each in streams for token in marked(stream, each, noise=k)}


def test_each_part_of_a_file_may_come_from_another_template() -> None:
    templates = [stream_of([1, 2, 3, 4]), stream_of([5, 6, 7])]

    assert marked(stream_of([1, 2, 3, 9, 5, 6, 7]), *templates, noise=3) == [0, 1, 2, 4, 5, 6]


@pytest.mark.parametrize(
    ("file", "template", "expected"),
    [
        ("x a b c d e y", "a b c d e", "a b c d e"),
        ("x a b c d y", "a b c d e", ""),
        ("a b c d e", "a b c d", ""),
        ("a b c d e f", "a b c d e z b c d e f", "a b c d e f"),
    ],
    ids=["a-kgram", "less-than-a-kgram", "a-template-less-than-a-kgram", "kgrams-that-overlap"],
)
def test_a_kgram_of_five_tokens(file: str, template: str, expected: str) -> None:
    assert words(file, template, 5) == expected


def test_an_equal_hash_of_different_tokens_marks_nothing() -> None:
    file, stream = stream_of([1, 2, 3]), stream_of([4, 5, 6])
    colliding = Template(stream, 3, kgram_hashes(file.codes, 3), np.array([0]))

    assert not boilerplate_in(file, [colliding]).any()


# Of six tokens, as long as the k-grams below, and then a line of four.
KNOWN = "l1 l2 l3 l4 l5 l6\nm1 m2 m3 m4"
TEMPLATE = f"public class Sum {{\nreturn 0 ;\nint main ( )\n{KNOWN}"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("x\nint main ( )\ny", "", "int main ( )"),
        ("public class Sum {\nx\nint main ( )\ny", "", "public class Sum { int main ( )"),
        ("", "x\nint main ( )\ny", "int main ( )"),
        ("int main ( )\nx\nint main ( )\ny", "", "int main ( )"),
        ("int x main ( )\ny", "", ""),
        ("int main ( ) x\ny", "", "int main ( )"),
        ("int\nmain (\n) x", "", "int main ( )"),
        ("x\nreturn 0 ;\ny", "", ""),
    ],
    ids=[
        "is-known-alone",
        "is-known-with-others",
        "is-known-out-of-order",
        "is-known-as-often-as-it-was-given",
        "is-not-known-with-a-token-inside",
        "is-known-with-a-token-behind",
        "is-known-in-another-layout",
        "is-not-known-with-fewer-than-four-tokens",
    ],
)
def test_in_a_file_that_has_a_kgram_a_block_of_the_template(
    before: str, after: str, expected: str
) -> None:
    found = words(f"{before}\n{KNOWN}\n{after}", TEMPLATE, 6)

    assert found.replace(" ".join(KNOWN.split()), "").strip() == expected


def test_in_a_file_that_has_none_a_block_of_the_template_is_not_known() -> None:
    assert words("public class Sum {\nx\nint main ( )\nm1 m2 m3 m4", TEMPLATE, 9) == ""


@LAW
@given(st.lists(st.integers(0, 2), min_size=8, max_size=8), st.integers(1, 12))
def test_the_template_filled_in_by_a_student_leaves_what_the_student_wrote(
    own: list[int], k: int
) -> None:
    # Eight different lines of four tokens, behind each of which stand up to two own lines; two
    # lines of the template stay together, so it has a k-gram where k is at most eight.
    template = [[100 + 10 * line + i for i in range(4)] for line in range(8)]
    file, expected = [], []
    for line, count in zip(template, [0, *own[1:]], strict=True):
        file += [line, *[[7, 8, 9, 7, 8, 9]] * count]
        expected += [True] * 4 + [False] * 6 * count

    mask = boilerplate_in(stream_of_lines(file), [template_of(stream_of_lines(template), k)])

    together = max(len(run) for run in "".join("x" if e else " " for e in expected).split())
    is_known = together >= k or has_most_blocks(flat(file), flat(template), k)
    assert mask.tolist() == [each and is_known for each in expected]


def test_equal_blocks_of_the_template_are_known_whatever_stands_between() -> None:
    line, long, own = "a = f ( )", "l1 l2 l3 l4 l5 l6 l7 l8", "o1 o2 o3 o4"
    file = f"{line}\n{own}\n{line}\n{line}\n{own}\n{long}"

    found = words(file, f"{line}\n{line}\n{line}\n{long}", 8)

    assert found == f"{line} {line} {line} {long}"


def test_blocks_that_recur_are_known_as_often_as_they_were_given() -> None:
    # Rows of a table: an alignment of so many equal lines would grow with the cube of them.
    opening = [list(range(100, 120))]
    file = opening + [[5, 6, 7, 8], [5, 6, 7, 9]] * 20_000
    template = opening + [[5, 6, 7, 8], [5, 6, 7, 9], [5, 6, 7, 7]] * 10_000

    found = marked(stream_of_lines(file), stream_of_lines(template), noise=12)

    assert found[:20] == list(range(20))
    assert 2 * 10_000 * 4 <= len(found) - 20 < 2 * 10_000 * 4 + 10  # and where two rows meet


# --- what many submissions share -----------------------------------------------------------------


FILES = st.lists(st.tuples(TEXTS, st.integers(0, 4), st.integers(1, 5)), min_size=1, max_size=8)


@LAW
@given(FILES, st.integers(1, 4))
def test_a_kgram_in_more_submissions_than_the_limit_is_common_code(
    files: list[tuple[list[int], int, int]], limit: int
) -> None:
    texts, owners, noises = (list(column) for column in zip(*files, strict=True))

    masks = common_code([stream_of(text) for text in texts], owners, noises, limit)

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

    masks = common_code([passage] * 3, owners, [4] * 3, 2)

    assert [mask.tolist() for mask in masks] == [[is_common] * 4] * 3


def test_a_passage_repeated_in_one_submission_is_not_common() -> None:
    [mask] = common_code([stream_of([1, 2, 1, 2, 1, 2])], [0], [2], 1)

    assert not mask.any()


def test_without_files_nothing_is_common() -> None:
    assert common_code([], [], [], 2) == []
