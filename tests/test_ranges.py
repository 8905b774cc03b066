import re
import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mosslite.ranges import (
    Postings,
    all_set,
    between,
    chunks,
    covered,
    expand_ranges,
    postings,
    postings_in_parts,
    ranges_of,
    run_starts,
    segment_sums,
    sums_of,
    window_counts,
    windows_within,
)
from mosslite.records import Hashes
from mosslite.records.submissions import line_starts
from mosslite.winnowing.winnow import kgram_hashes
from tests.builders import LAW, codes_of, hashes_of

RANGES = st.integers(0, 30).flatmap(
    lambda size: st.tuples(
        st.just(size), st.lists(st.tuples(st.integers(0, size), st.integers(0, size)).map(sorted))
    )
)
MASKS = st.lists(st.booleans()).map(lambda mask: np.array(mask, np.bool_))
# Beside the three line ends: what str.splitlines takes for one, and what is no single UTF-16 unit.
TEXTS = st.text(st.sampled_from("ab\r\n\x0b\x0c\x1c\x85\u2028é\U0001f600\ud800"))


@LAW
@given(RANGES)
def test_a_position_is_covered_when_any_range_holds_it(case: tuple[int, list[list[int]]]) -> None:
    size, ranges = case
    starts, stops = np.array(ranges, np.int64).reshape(-1, 2).T

    mask = covered(starts, stops, size)

    held = [any(start <= i < stop for start, stop in ranges) for i in range(size)]
    assert mask.tolist() == held


@LAW
@given(MASKS)
def test_ranges_of_a_mask_cover_what_it_marks_in_order_and_never_touch(
    mask: NDArray[np.bool_],
) -> None:
    ranges = ranges_of(mask)

    assert np.array_equal(covered(ranges[:, 0], ranges[:, 1], len(mask)), mask)
    assert (np.diff(ranges.ravel()) > 0).all()


def test_a_mask_that_marks_nothing_has_no_ranges() -> None:
    assert ranges_of(np.zeros(3, np.bool_)).shape == (0, 2)
    assert ranges_of(np.zeros(0, np.bool_)).shape == (0, 2)


@LAW
@given(TEXTS)
def test_lines_end_in_line_feed_carriage_return_or_both(text: str) -> None:
    ends = [end.end() for end in re.finditer(r"\r\n|\r|\n", text)]

    assert line_starts(text).tolist() == [0, *ends]


@LAW
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 6))))
def test_positions_in_ranges_are_given_range_by_range(ranges: list[tuple[int, int]]) -> None:
    starts, sizes = np.array(ranges, np.int64).reshape(-1, 2).T

    expected = [start + nth for start, size in ranges for nth in range(size)]
    assert expand_ranges(starts, sizes).tolist() == expected


@LAW
@given(st.lists(st.integers(0, 20)), st.integers(0, 40))
def test_blocks_follow_each_other_and_cost_little_or_have_one_item(
    costs: list[int], most: int
) -> None:
    blocks = list(chunks(np.array(costs, np.int64), most))

    assert [cost for block in blocks for cost in costs[block]] == costs
    for block in blocks:
        assert sum(costs[block]) <= most or len(costs[block]) == 1


# Texts of symbols, each with a flag, and the k of each text.
FLAGGED = st.lists(
    st.tuples(
        st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=12), st.integers(1, 5)
    ),
    max_size=5,
)

Texts = list[tuple[list[tuple[int, bool]], int]]


@LAW
@given(FLAGGED)
def test_the_kgrams_of_many_texts_are_those_of_each(texts: Texts) -> None:
    sizes = np.array([len(text) for text, _ in texts], np.int64)
    lengths = np.array([k for _, k in texts], np.int64)
    codes = [codes_of(code for code, _ in text) for text, _ in texts]
    flags = [np.array([flag for _, flag in text], np.bool_) for text, _ in texts]

    hashes = windows_within(np.concatenate([codes_of([]), *codes]), sizes, lengths, kgram_hashes)
    is_set = windows_within(
        np.concatenate([np.empty(0, np.bool_), *flags]), sizes, lengths, all_set
    )

    alone = [kgram_hashes(text, k) for text, (_, k) in zip(codes, texts, strict=True)]
    assert hashes.tolist() == [each for found in alone for each in found.tolist()]
    assert window_counts(sizes, lengths).tolist() == [len(found) for found in alone]
    assert is_set.tolist() == [
        all(text[start : start + k])
        for text, (_, k) in zip(flags, texts, strict=True)
        for start in range(len(text) - k + 1)
    ]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_places_in_a_range_are_found_without_a_copy_of_all(dtype: type[np.signedinteger]) -> None:
    places = (3 * np.arange(1_000_000)).astype(dtype)
    tracemalloc.start()
    found = between(places, 7, 16)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert places[found].tolist() == [9, 12, 15]
    assert most < 100_000


# --- postings -------------------------------------------------------------------------------------


# Hashes that works share, some of which differ in their lowest bits alone.
VALUES = st.integers(0, 9) | st.sampled_from([2**63, 2**63 + 1, 2**63 + 2, 2**64 - 1])
BATCHES = st.lists(st.lists(VALUES, max_size=12), max_size=6)

Batch = list[list[int]]


def holders_of(batch: Batch) -> dict[int, Counter[int]]:
    """Return for each hash, in order, the submissions that have it, and how often."""
    holders: dict[int, Counter[int]] = defaultdict(Counter)
    for submission, values in enumerate(batch):
        for value in values:
            holders[value][submission] += 1
    return dict(sorted(holders.items()))


def require_holders(found: Postings, expected: Mapping[int, Mapping[int, int]]) -> None:
    assert found.values.tolist() == list(expected)
    assert found.counts.tolist() == [len(submissions) for submissions in expected.values()]
    assert found.submissions.tolist() == [
        submission for submissions in expected.values() for submission in submissions
    ]
    assert found.times.tolist() == [
        count for submissions in expected.values() for count in submissions.values()
    ]


@LAW
@given(BATCHES)
def test_every_hash_is_given_once_with_the_submissions_that_hold_it(batch: Batch) -> None:
    hashes = hashes_of(batch)

    found = postings(hashes)

    expected = holders_of(batch)
    require_holders(found, expected)
    everything = hashes.values.tolist()
    assert found.firsts.tolist() == [everything.index(value) for value in expected]


@LAW
@given(BATCHES)
def test_what_is_repeated_is_what_submissions_hold_without_the_first_of_each(batch: Batch) -> None:
    hashes = hashes_of(batch)

    found = postings(hashes).repeated()

    again = {
        value: {submission: count - 1 for submission, count in submissions.items() if count > 1}
        for value, submissions in holders_of(batch).items()
    }
    expected = {value: submissions for value, submissions in again.items() if submissions}
    require_holders(found, expected)
    assert hashes.values[found.firsts].tolist() == list(expected)


@pytest.mark.slow
def test_many_hashes_are_sorted_in_parts_by_value() -> None:
    values = np.random.default_rng(0).integers(0, 2**64, 2_100_000, np.uint64)
    values[1_500_000:] = values[:600_000]
    hashes = Hashes(values, np.array([0, 1_500_000, len(values)]))

    parts = list(postings_in_parts(hashes))

    assert len(parts) > 1
    assert np.array_equal(np.concatenate([part.values for part in parts]), np.unique(values))
    for part in parts:
        assert np.array_equal(values[part.firsts], part.values)
        assert (part.firsts < 1_500_000).all()
        assert (part.counts == 1 + (part.firsts < 600_000)).all()


@LAW
@given(st.lists(st.lists(st.integers(0, 9))))
def test_totals_are_those_of_ranges_laid_end_to_end(ranges: list[list[int]]) -> None:
    values = np.array([value for each in ranges for value in each], np.int64)

    totals = segment_sums(values, np.array([len(each) for each in ranges], np.int64))

    assert totals.tolist() == [sum(each) for each in ranges]


@LAW
@given(st.lists(st.integers(0, 3)))
def test_a_change_is_what_differs_from_the_one_before(values: list[int]) -> None:
    expected = [nth == 0 or values[nth - 1] != value for nth, value in enumerate(values)]
    assert run_starts(np.array(values, np.int64)).tolist() == expected


def test_a_group_without_values_sums_up_to_nothing() -> None:
    assert sums_of(np.array([1.0, 2.0, 4.0]), np.array([2, 0, 2]), 4).tolist() == [2, 0, 5, 0]
