from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.ranges import postings, postings_in_parts, run_starts, segment_sums, sums_of
from mosslite.records import Hashes
from tests.builders import LAW, hashes_of

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


@LAW
@given(BATCHES)
def test_every_hash_is_given_once_with_the_submissions_that_hold_it(batch: Batch) -> None:
    hashes = hashes_of(batch)

    found = postings(hashes)

    expected = holders_of(batch)
    assert found.values.tolist() == list(expected)
    assert found.counts.tolist() == [len(submissions) for submissions in expected.values()]
    assert found.submissions.tolist() == [
        submission for submissions in expected.values() for submission in submissions
    ]
    assert found.times.tolist() == [
        count for submissions in expected.values() for count in submissions.values()
    ]
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
    assert found.values.tolist() == list(expected)
    assert found.counts.tolist() == [len(submissions) for submissions in expected.values()]
    assert found.submissions.tolist() == [
        submission for submissions in expected.values() for submission in submissions
    ]
    assert found.times.tolist() == [
        count for submissions in expected.values() for count in submissions.values()
    ]
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
