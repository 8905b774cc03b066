import math
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.ranking.candidates import build_feature_index
from tests.builders import LAW, hashes_of

# The hashes of each submission: few, so that works share some, and up to the largest there is.
WORKS = st.lists(st.lists(st.integers(0, 9) | st.just(2**64 - 1), max_size=12), max_size=6)


def holders_by_hash(submissions: list[list[int]]) -> dict[int, set[int]]:
    holders = defaultdict(set)
    for submission, hashes in enumerate(submissions):
        for each in hashes:
            holders[each].add(submission)
    return dict(sorted(holders.items()))


def items_by_hash(submissions: list[list[int]]) -> dict[int, set[int]]:
    """Return the items that several submissions have, and those submissions."""
    holders = holders_by_hash(submissions)
    return {item: held_by for item, held_by in holders.items() if len(held_by) > 1}


@LAW
@given(WORKS)
def test_a_view_has_of_each_work_what_others_have_too(
    submissions: list[list[int]],
) -> None:
    view = build_feature_index(hashes_of(submissions))

    numbers = {item: number for number, item in enumerate(items_by_hash(submissions))}
    for items, start, stop in zip(submissions, view.offsets, view.offsets[1:], strict=False):
        shared = [numbers[item] for item in sorted(set(items)) if item in numbers]
        assert view.items[start:stop].tolist() == shared


@LAW
@given(WORKS)
def test_an_item_weighs_its_rarity_and_a_submission_what_its_items_weigh(
    submissions: list[list[int]],
) -> None:
    view = build_feature_index(hashes_of(submissions))

    held_by = holders_by_hash(submissions)
    weights = {item: math.log((len(submissions) + 2) / len(each)) for item, each in held_by.items()}
    totals = [math.fsum(weights[item] for item in set(items)) for items in submissions]
    assert view.weights[:, 0].tolist() == pytest.approx(
        [weights[item] for item in items_by_hash(submissions)]
    )
    assert view.totals.tolist() == pytest.approx(totals)
    assert view.frequencies.tolist() == [len(each) for each in items_by_hash(submissions).values()]


@LAW
@given(st.lists(st.lists(st.integers(0, 9), max_size=12), max_size=6))
def test_what_a_work_has_several_times_is_an_item_of_its_own_where_repeats_count(
    submissions: list[list[int]],
) -> None:
    def with_second(items: list[int]) -> list[int]:
        """Return each item once, and one more, behind all others, where it is listed twice."""
        counts = Counter(items)
        return [*counts, *(100 + item for item, count in counts.items() if count > 1)]

    found = build_feature_index(hashes_of(submissions), with_repeats=True)

    expected = build_feature_index(hashes_of([with_second(items) for items in submissions]))
    assert found.offsets.tolist() == expected.offsets.tolist()
    assert found.items.tolist() == expected.items.tolist()
    assert found.weights[:, 0].tolist() == pytest.approx(expected.weights[:, 0].tolist())
    assert found.totals.tolist() == pytest.approx(expected.totals.tolist())
