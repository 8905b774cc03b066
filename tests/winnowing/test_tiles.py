from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.options import Thresholds
from mosslite.records import Comparable, KGrams, Location, Pair, TokenizedSubmission
from mosslite.winnowing.fingerprints import noise_kgrams
from mosslite.winnowing.tiles import find_tiles
from tests.builders import (
    LAW,
    Tile,
    comparable_of,
    document_of,
    kgrams_of,
    pair_of,
    stream_of,
    stream_of_text,
    submission_of,
    submission_of_texts,
)

# Of so few tokens every pair of equal k-grams is looked at.
FEW = 16

# So that repetitive texts are tiled length by length.
WAYS_PER_TOKEN = 16

Sides = tuple["Comparable", "Comparable"]


def tiles_of(left: Comparable, right: Comparable) -> list[Tile]:
    return tiles_in(left, noise_kgrams(left), right, noise_kgrams(right))


def tiles_in(left: Comparable, grams: KGrams, right: Comparable, others: KGrams) -> list[Tile]:
    found = find_tiles(left, grams, right, others, WAYS_PER_TOKEN * (len(left) + len(right)))
    return [Tile(*row) for row in np.column_stack(found[:3]).tolist()]


@st.composite
def files(draw: st.DrawFn, symbols: int, most: int) -> list[list[int]]:
    """Draw up to three files with a maximum number of tokens together."""
    codes = draw(st.lists(st.integers(1, symbols), max_size=most))
    cuts = sorted(draw(st.lists(st.integers(0, len(codes)), max_size=2)))
    return [codes[start:stop] for start, stop in zip([0, *cuts], [*cuts, most], strict=True)]


@st.composite
def sides(draw: st.DrawFn, most: int) -> Sides:
    """Draw the two sides of a pair; few symbols make long runs and many ties."""
    k, symbols = draw(st.integers(1, 5)), draw(st.sampled_from([1, 2, 3, 6]))
    left, right = draw(files(symbols, most)), draw(files(symbols, most))
    limits = Thresholds(k, k, 2)
    return comparable_of(*left, thresholds=limits), comparable_of(*right, thresholds=limits)


def noise_of(comparable: Comparable) -> list[int]:
    return [s.thresholds.noise for s in comparable.segments for _ in range(s.start, s.stop)]


def longest_free_run(left: Comparable, right: Comparable, tiles: Sequence[Tile]) -> Tile | None:
    """Find the longest run of equal tokens in no tile; the first on the left, then on the right."""
    taken_left = {tile.left_start + i for tile in tiles for i in range(tile.length)}
    taken_right = {tile.right_start + i for tile in tiles for i in range(tile.length)}
    length = np.zeros((len(left) + 1, len(right) + 1), np.int64)
    least, on_the_right, best = noise_of(left), noise_of(right), None
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            if i in taken_left or j in taken_right or left.codes[i] != right.codes[j]:
                continue
            goes_on = (
                i + 1 < len(left)
                and j + 1 < len(right)
                and left.documents[i] == left.documents[i + 1]
                and right.documents[j] == right.documents[j + 1]
            )
            length[i, j] = 1 + (length[i + 1, j + 1] if goes_on else 0)
            tile = Tile(i, j, int(length[i, j]))
            is_long = tile.length >= least[i] == on_the_right[j]  # k-grams have one length
            if is_long and (best is None or tile.length >= best.length):
                best = tile
    return best


def greedy_tiles(left: Comparable, right: Comparable) -> list[Tile]:
    """Tile by the book: take the longest run that is free, again and again."""
    tiles: list[Tile] = []
    while tile := longest_free_run(left, right, tiles):
        tiles.append(tile)
    return sorted(tiles, key=lambda each: each.left_start)


def assert_valid(tiles: Sequence[Tile], left: Comparable, right: Comparable) -> None:
    """Hold what is true of any tiling: equal, long enough, apart, in one file, in order."""
    least = noise_of(left)
    used_left, used_right = np.zeros(len(left), np.int64), np.zeros(len(right), np.int64)
    for tile in tiles:
        of_left = slice(tile.left_start, tile.left_start + tile.length)
        of_right = slice(tile.right_start, tile.right_start + tile.length)
        assert tile.length >= least[tile.left_start]
        assert left.codes[of_left].tolist() == right.codes[of_right].tolist()
        assert len(set(left.documents[of_left].tolist())) == 1
        assert len(set(right.documents[of_right].tolist())) == 1
        used_left[of_left] += 1
        used_right[of_right] += 1
    assert used_left.max(initial=0) <= 1
    assert used_right.max(initial=0) <= 1
    assert [t.left_start for t in tiles] == sorted(t.left_start for t in tiles)


# --- tiles ---------------------------------------------------------------------------------------


@LAW
@given(sides(FEW))
def test_tiles_are_those_of_greedy_string_tiling(case: Sides) -> None:
    left, right = case

    assert tiles_of(left, right) == greedy_tiles(left, right)


@LAW
@given(st.integers(0, 2**32 - 1))
def test_longer_files_without_frequent_kgrams_are_tiled_greedily_too(seed: int) -> None:
    random = np.random.default_rng(seed)
    passages = [random.integers(1, 50, size).tolist() for size in random.integers(2, 12, 6)]
    orders = random.integers(0, len(passages), (2, 7)).tolist()
    left, right = (comparable_of([code for i in order for code in passages[i]]) for order in orders)
    ways = Counter(noise_kgrams(left).hashes.tolist()), noise_kgrams(right).hashes.tolist()
    assert all(ways[0][each] * ways[1].count(each) <= FEW**2 for each in ways[1])

    assert tiles_of(left, right) == greedy_tiles(left, right)


@LAW
@given(sides(80))
def test_tiles_are_equal_runs_in_one_file_as_long_as_the_noise_threshold_and_apart(
    case: Sides,
) -> None:
    left, right = case

    assert_valid(tiles_of(left, right), left, right)


@LAW
@given(sides(80))
def test_tiles_go_on_until_the_file_ends_or_tokens_differ_or_another_tile_begins(
    case: Sides,
) -> None:
    left, right = case
    tiles = tiles_of(left, right)
    of_left = {t.left_start + i: n for n, t in enumerate(tiles) for i in range(t.length)}
    of_right = {t.right_start + i: n for n, t in enumerate(tiles) for i in range(t.length)}

    for tile in tiles:
        for edge, step in ((0, -1), (tile.length - 1, 1)):
            i, j = tile.left_start + edge + step, tile.right_start + edge + step
            assert (
                not (0 <= i < len(left) and 0 <= j < len(right))
                or left.documents[i] != left.documents[i - step]
                or right.documents[j] != right.documents[j - step]
                or left.codes[i] != right.codes[j]
                or i in of_left
                or j in of_right
            )


@LAW
@given(sides(80))
def test_sides_that_share_a_kgram_have_a_tile(case: Sides) -> None:
    left, right = case
    both = np.intersect1d(noise_kgrams(left).hashes, noise_kgrams(right).hashes)

    assert bool(tiles_of(left, right)) == bool(len(both))


@st.composite
def repetitive(draw: st.DrawFn) -> list[int]:
    """Draw a file in which one statement is repeated, again and again, among other tokens."""
    statement = draw(st.lists(st.integers(1, 3), min_size=1, max_size=5))
    parts = st.tuples(st.integers(0, 30), st.lists(st.integers(1, 9), max_size=5))
    return [code for n, rest in draw(st.lists(parts, max_size=8)) for code in statement * n + rest]


@LAW
@given(repetitive(), repetitive(), st.integers(1, 12), st.integers(1, 12))
def test_a_smaller_noise_threshold_never_finds_less(
    left: list[int], right: list[int], k: int, less: int
) -> None:
    found = []
    for noise in (k + less, k):
        limits = Thresholds(noise, noise, 1)
        sides = (comparable_of(each, thresholds=limits) for each in (left, right))
        found.append(tiles_of(*sides))

    longer, expected = ({tile for tile in each if tile.length >= k + less} for each in found)
    assert longer == expected
    assert longer == set(found[0]) or left == right  # short ones are equal as a whole


@LAW
@given(repetitive(), repetitive())
def test_left_and_right_swapped_are_the_same_tiles(left: list[int], right: list[int]) -> None:
    submissions = [
        submission_of(document_of(stream_of(each), text="x\n" * len(each)))
        for each in (left, right)
    ]

    there, back = pair_of_submissions(*submissions), pair_of_submissions(*reversed(submissions))

    assert there.matched_tokens == back.matched_tokens
    assert {(each.left, each.right) for each in there.matches} == {
        (each.right, each.left) for each in back.matches
    }


@LAW
@given(files(2, 80) | files(6, 80), st.integers(1, 5))
def test_identical_work_is_one_tile_for_each_file(each: list[list[int]], k: int) -> None:
    submission = comparable_of(*each, thresholds=Thresholds(k, k, 2))

    assert tiles_of(submission, submission) == [
        Tile(s.start, s.start, s.stop - s.start) for s in submission.segments
    ]


@LAW
@given(sides(FEW), st.integers(1, 3))
def test_colliding_hashes_change_nothing(case: Sides, distinct: int) -> None:
    left, right = case

    def colliding(comparable: Comparable) -> KGrams:
        grams, lengths = noise_kgrams(comparable), noise_of(comparable)
        starts = grams.starts.tolist()
        rows = zip(grams.hashes.tolist(), starts, strict=True)
        # Those of one length collide.
        return kgrams_of([lengths[start] * 10 + h % distinct for h, start in rows], starts)

    tiles = tiles_in(left, colliding(left), right, colliding(right))

    assert list(tiles) == greedy_tiles(left, right)


def test_a_collision_in_the_middle_of_a_match_does_not_hide_it() -> None:
    left, right = comparable_of([1, 2, 3, 4, 9, 5, 6, 7]), comparable_of([1, 2, 3, 4, 8, 5, 6, 7])
    grams = kgrams_of([1, 2, 3, 4, 5, 6])

    assert tiles_in(left, grams, right, grams) == [Tile(0, 0, 4), Tile(5, 5, 3)]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([[1, 2, 3, 4, 5]], [[9, 1, 2, 3, 4, 5, 9]], [Tile(0, 1, 5)]),
        ([[1, 2, 3], [4, 5, 6]], [[1, 2, 3, 4, 5, 6]], [Tile(0, 0, 3), Tile(3, 3, 3)]),
        ([[1, 2, 3, 4, 5, 6]], [[1, 2], [3, 4, 5], [6]], [Tile(2, 0, 3)]),
        ([[1, 2, 3, 9, 4, 5, 6]], [[4, 5, 6, 8, 1, 2, 3]], [Tile(0, 4, 3), Tile(4, 0, 3)]),
        ([[1, 2, 3, 8, 1, 2, 3, 4]], [[1, 2, 3, 4]], [Tile(4, 0, 4)]),
        ([[1, 2, 3, 8, 1, 2, 3]], [[1, 2, 3]], [Tile(0, 0, 3)]),
        ([[1, 2]], [[1, 2, 3]], []),
        ([[1, 2]], [[2, 1], [1, 2]], [Tile(0, 2, 2)]),
        ([[1, 2]], [[1, 2], [1, 2, 3]], []),
        ([], [[1, 2, 3]], []),
    ],
    ids=[
        "grows-at-both-ends",
        "stops-at-the-end-of-a-file-on-the-left",
        "stops-at-the-end-of-a-file-on-the-right",
        "follows-what-was-moved",
        "takes-the-longest-first",
        "takes-the-first-of-equals",
        "too-short",
        "equal-files-of-submissions-that-are-too-short",
        "too-short-beside-a-long-file",
        "nothing-to-compare",
    ],
)
def test_tiles_are_the_longest_runs_that_files_share_and_never_overlap(
    left: list[list[int]], right: list[list[int]], expected: list[Tile]
) -> None:
    assert tiles_of(comparable_of(*left), comparable_of(*right)) == expected


def test_files_with_different_noise_thresholds_have_no_match() -> None:
    code, prose = Thresholds(2, 3, 2), Thresholds(4, 6, 2)
    left = comparable_of([1, 2, 3, 4, 5], [6, 7, 8, 9, 6], thresholds=[code, prose])
    right = comparable_of([6, 7, 8, 9, 6], [1, 2, 3, 4, 5], thresholds=[code, prose])

    assert tiles_of(left, right) == []
    assert tiles_of(left, left) == [Tile(0, 0, 5), Tile(5, 5, 5)]


@pytest.mark.parametrize(("k", "rest"), [(2, [Tile(11, 16, 2)]), (4, [])])
def test_what_is_left_of_a_run_is_a_tile_by_the_noise_threshold_of_its_file(
    k: int, rest: list[Tile]
) -> None:
    # The run 3 to 8 is as long as the run 1 to 6, which comes first and leaves 7 and 8 of it.
    limits = [Thresholds(6 - k, 6 - k, 2), Thresholds(k, k, 2)]
    left = comparable_of([90, 91, 92, 93, 94], [1, 2, 3, 4, 5, 6, 7, 8], thresholds=limits)
    right = comparable_of(
        [90, 91, 92, 93, 94], [1, 2, 3, 4, 5, 6, 9, 3, 4, 5, 6, 7, 8], thresholds=limits
    )

    assert tiles_of(left, right) == [Tile(0, 0, 5), Tile(5, 5, 6), *rest]


# --- repetition: every pair of equal k-grams would be hundreds of millions ------------------------

STATEMENT = [1, 2, 3, 4, 5]
LIMITS = Thresholds(12, 20, 2)


def long_file(*parts: Sequence[int]) -> Comparable:
    return comparable_of([code for part in parts for code in part], thresholds=LIMITS)


def test_a_statement_repeated_on_both_sides_is_one_long_match() -> None:
    left, right = long_file(STATEMENT * 20_000), long_file(STATEMENT * 10_000)

    assert tiles_of(left, right) == [Tile(0, 0, 50_000)]
    assert tiles_of(right, left) == [Tile(0, 0, 50_000)]


def test_what_stands_around_a_repeated_statement_is_matched_too() -> None:
    head, tail = range(100, 120), range(200, 220)
    left = long_file(head, STATEMENT * 20_000, tail)
    right = long_file(head, STATEMENT * 10_000, tail)

    assert tiles_of(left, right) == [Tile(0, 0, 50_020), Tile(100_020, 50_020, 20)]


def test_statements_repeated_in_irregular_numbers_are_matched_for_the_most_part() -> None:
    random = np.random.default_rng(5)
    lefts, rights = random.integers(20, 100, (2, 100)).tolist()
    left = long_file(*(part for n in lefts for part in (STATEMENT * n, [6])))
    right = long_file(*(part for n in rights for part in (STATEMENT * n, [6])))

    tiles = tiles_of(left, right)

    assert_valid(tiles, left, right)
    assert sum(tile.length for tile in tiles) > min(len(left), len(right)) / 2


def test_a_match_goes_on_over_repetition_on_either_side() -> None:
    # The repeated statement pairs off elsewhere: only what is around it leads to these matches.
    passage, often, less = range(100, 120), STATEMENT * 200, STATEMENT * 50
    before = long_file(often, [7], passage, less), long_file(passage, less, [8], STATEMENT * 150)
    behind = long_file(less, passage, [7], often), long_file(STATEMENT * 150, [8], less, passage)

    assert Tile(1001, 0, 270) in tiles_of(*before)
    assert Tile(0, 751, 270) in tiles_of(*behind)


# --- numbers of a pair ---------------------------------------------------------------------------


def pair_of_submissions(left: TokenizedSubmission, right: TokenizedSubmission) -> Pair:
    return pair_of(left, right, 0.5)


def texts_pair(left: str | list[str], right: str | list[str]) -> Pair:
    return pair_of_submissions(
        *(
            submission_of_texts(*([side] if isinstance(side, str) else side))
            for side in (left, right)
        )
    )


def shown(place: Location, submission: TokenizedSubmission) -> str:
    """Return what a reader sees marked in the file."""
    return submission.documents[place.document].file.text[place.start_char : place.stop_char]


@LAW
@given(st.lists(st.lists(st.integers(1, 4), max_size=60), min_size=1, max_size=3))
def test_identical_work_reads_exactly_one(each: list[list[int]]) -> None:
    each.append([1, 2, 3])
    submission = submission_of(
        *(document_of(stream_of(codes), text="x\n" * len(codes)) for codes in each)
    )

    pair = pair_of_submissions(submission, submission)

    assert (pair.left_similarity, pair.right_similarity, pair.similarity) == (1, 1, 1)
    assert pair.matched_tokens == len(submission.comparable)


@pytest.mark.parametrize("texts", [("a b c d e", "f g h i j"), ("", "")])
def test_submissions_that_share_nothing_read_zero(texts: tuple[str, str]) -> None:
    pair = texts_pair(*texts)

    assert (pair.left_similarity, pair.right_similarity, pair.similarity) == (0, 0, 0)
    assert (pair.matched_tokens, pair.matched_lines, pair.longest_match) == (0, 0, 0)
    assert pair.matches == ()


def test_short_submissions_read_one_if_they_are_equal_and_else_zero() -> None:
    assert texts_pair("a b", "a b").similarity == 1
    assert texts_pair("a b", "a c").similarity == 0
    assert texts_pair("a b", "a b c").similarity == 0


def test_each_side_is_measured_by_its_own_tokens_and_their_mean_by_all() -> None:
    pair = texts_pair("a b c d e f 1 2 3 4", "a b c 5 6 7 8 9 10 d e f 11 12 13 14 15 16 17 18")

    assert pair.left_similarity == 6 / 10
    assert pair.right_similarity == 6 / 20
    assert pair.similarity == 12 / 30
    assert (pair.matched_tokens, pair.longest_match) == (6, 3)


def test_a_file_too_short_to_match_does_not_count() -> None:
    pair = texts_pair(["a b c", "x y"], ["a b c", "1 2"])

    assert pair.similarity == 1


# --- places of a match ---------------------------------------------------------------------------


def test_a_place_is_the_text_from_the_first_matched_token_to_the_last() -> None:
    pair = texts_pair("one\n  alpha  beta\ngamma two", "alpha beta gamma")

    [match] = pair.matches
    assert shown(match.left, pair.left) == "alpha  beta\ngamma"
    assert (match.left.start_char, match.left.stop_char) == (6, 23)
    assert (match.left.first_line, match.left.last_line) == (2, 3)
    assert (match.right.first_line, match.right.last_line) == (1, 1)
    assert match.tokens == 3


def test_a_place_ends_on_the_last_line_of_its_last_token() -> None:
    pair = texts_pair('a b\n"one\ntwo\nthree" c\n', 'a b "one\ntwo\nthree"')

    [match] = pair.matches
    assert shown(match.left, pair.left) == 'a b\n"one\ntwo\nthree"'
    assert (match.left.first_line, match.left.last_line) == (1, 4)
    assert (match.right.first_line, match.right.last_line) == (1, 3)


def test_a_place_is_in_the_file_that_holds_the_match() -> None:
    pair = texts_pair(["x y z w", "a b c"], ["1 2 3", "a b", "\na b c"])

    [match] = pair.matches
    assert (match.left.document, match.right.document) == (1, 2)
    assert (match.left.first_line, match.right.first_line) == (1, 2)
    assert shown(match.left, pair.left) == shown(match.right, pair.right) == "a b c"


def test_a_place_around_boilerplate_spans_it_but_does_not_count_it() -> None:
    text = "a b\nt1 t2\nc d"
    left = submission_of(document_of(stream_of_text(text), text=text, boilerplate=[2, 3]))

    pair = pair_of_submissions(left, submission_of_texts("a b c d"))

    [match] = pair.matches
    assert shown(match.left, pair.left) == text
    assert (match.left.first_line, match.left.last_line) == (1, 3)
    assert match.tokens == 4


def test_matches_are_in_order_of_their_place_on_the_left() -> None:
    pair = texts_pair("a b c\n1\nd e f g", "d e f g\n2\na b c")

    assert [match.left.first_line for match in pair.matches] == [1, 3]
    assert [match.right.first_line for match in pair.matches] == [3, 1]


# --- lines ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "lines"),
    [
        ("a\nb\nc", "a\nb\nc", 3),
        ("a\nb\nc", "a b c", 1),
        ("a b c", "a\nb\nc", 1),
        ("a\nb\nc\n\n\nd", "a\nb\n\nc d", 3),
        ("a b c 1 d e f", "a b c\nd e f", 1),
        (["a b c", "d e f"], ["a b c", "d e f"], 2),
        ('a b "one\ntwo\nthree"', 'a b "one\ntwo\nthree"', 3),
    ],
    ids=[
        *("each", "fewer-right", "fewer-left", "blank", "shared-by-two-matches", "of-two-files"),
        "of-one-token",
    ],
)
def test_matched_lines_are_counted_once_on_the_side_that_has_fewer(
    left: str | list[str], right: str | list[str], lines: int
) -> None:
    assert texts_pair(left, right).matched_lines == lines


def test_lines_of_boilerplate_in_a_match_are_not_matched_lines() -> None:
    text = "a\nt1\nb\nc"
    left = submission_of(document_of(stream_of_text(text), text=text, boilerplate=[1]))

    assert pair_of_submissions(left, submission_of_texts("a\n\n\nb\nc")).matched_lines == 3
