import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.ranking.candidates import (
    affordable,
    candidate_pairs,
    lookups,
    most_lookups,
)
from mosslite.records import Hashes, Role
from tests.builders import LAW, hashes_of, index_of, tries

CURRENT, PRIOR, REFERENCE = Role.CURRENT, Role.PRIOR, Role.REFERENCE

Works = list[tuple[set[int], Role]]

WORKS = st.lists(
    st.tuples(
        st.sets(st.integers(1, 12), max_size=6), st.sampled_from([CURRENT, PRIOR, REFERENCE])
    ),
    max_size=10,
).map(lambda works: sorted(works, key=lambda each: each[1] is not CURRENT))


def found(
    submissions: Works, most: int | None = None, owners: Sequence[int] = (), each: int = 0
) -> list[tuple[int, int]]:
    index = index_of(hashes_of(sorted(hashes) for hashes, _ in submissions))
    numbers = np.array(owners or range(len(submissions)), np.int64)
    current = sum(role is CURRENT for _, role in submissions)
    pairs, _ = candidate_pairs(index, current, numbers, most, each)
    return [(left, right) for left, right in pairs.tolist()]


def of_current(*hashes: set[int]) -> Works:
    return [(each, CURRENT) for each in hashes]


def every_pair(submissions: Works) -> list[tuple[int, int]]:
    return [
        (i, j)
        for (i, left), (j, right) in itertools.combinations(enumerate(submissions), 2)
        if left[0] & right[0] and CURRENT in (left[1], right[1])
    ]


def test_a_large_batch_in_which_few_share_anything_has_the_pairs_that_do() -> None:
    submissions = of_current(*({n, n + 1} for n in range(300)), *({1_000 + n} for n in range(300)))

    assert found(submissions) == every_pair(submissions)


def strengths(submissions: Works) -> dict[tuple[int, int], float]:
    """Weigh what a pair shares, rare fingerprints more, against the size of both sides."""
    frequency = {
        h: sum(h in each for each, _ in submissions) for each, _ in submissions for h in each
    }

    def weight(hashes: set[int]) -> float:
        return math.fsum(math.log((len(submissions) + 2) / frequency[h]) for h in hashes)

    return {
        (i, j): weight(submissions[i][0] & submissions[j][0])
        / math.sqrt(weight(submissions[i][0]) * weight(submissions[j][0]))
        for i, j in every_pair(submissions)
    }


@LAW
@given(WORKS)
def test_without_a_limit_every_pair_that_shares_a_fingerprint_is_found_in_order(
    submissions: Works,
) -> None:
    assert found(submissions) == every_pair(submissions)


@pytest.mark.slow
@tries(500)
@given(WORKS, st.integers(1, 10))
def test_a_limit_keeps_as_many_pairs_as_it_says_and_the_strongest(
    submissions: Works, most: int
) -> None:
    kept, tie = found(submissions, most), strengths(submissions)

    assert kept == sorted(set(kept))
    assert len(kept) == min(most, len(tie))
    weakest = min((tie[pair] for pair in kept), default=0)
    assert all(tie[pair] <= weakest + 1e-8 for pair in tie.keys() - set(kept))


@LAW
@given(WORKS, st.integers(1, 5), st.integers(1, 3))
def test_beside_the_strongest_of_all_each_work_keeps_its_strongest(
    submissions: Works, most: int, each: int
) -> None:
    kept, tie = set(found(submissions, most, each=each)), strengths(submissions)

    assert kept >= set(found(submissions, most))
    for submission in range(len(submissions)):
        own = sorted(
            (strength for pair, strength in tie.items() if submission in pair), reverse=True
        )
        here = sorted((tie[pair] for pair in kept if submission in pair), reverse=True)
        assert here[:each] == pytest.approx(own[:each], abs=1e-8)
    assert len(kept) <= most + each * len(submissions)


def test_a_large_group_of_copies_takes_no_room_from_other_pairs() -> None:
    copies = [{1, 2, 3}] * 400  # 79,800 pairs: more than are looked up together
    others = [{10 * n, 10 * n + 1, 10 * n + side} for n in range(1, 20) for side in (2, 3)]
    kept = found(of_current(*copies, *others), most=50, each=2)

    assert {(left, left + 1) for left in range(400, 438, 2)} <= set(kept)
    assert kept == found(of_current(*copies, *others), most=50, each=2)


@LAW
@given(WORKS, st.integers(1, 10))
def test_a_higher_limit_only_adds_pairs(submissions: Works, most: int) -> None:
    assert set(found(submissions, most)) <= set(found(submissions, most + 1))


@pytest.mark.parametrize(
    ("submissions", "strongest"),
    [
        (of_current({1, 2, 3, 4}, {1, 2, 3, 9}, {1, 2, 3, 4}), (0, 2)),
        (of_current({1, 2, 3}, {1, 4, 5}, {2, 6, 7}, {1, 8, 9}), (0, 2)),
        (of_current({1, 2, 3, 4, 5, 6}, {1, 2, 7}, {1, 2, 8, 9, 10, 11}), (0, 1)),
    ],
    ids=["what-is-equal", "what-shares-something-rare", "what-is-small"],
)
def test_what_is_kept_first_is(submissions: Works, strongest: tuple[int, int]) -> None:
    assert found(submissions, most=1) == [strongest]


def test_submissions_of_one_owner_are_never_a_pair() -> None:
    submissions: Works = [({1, 2}, CURRENT), ({1, 2}, CURRENT), ({1, 3}, CURRENT), ({1, 2}, PRIOR)]
    assert found(submissions, owners=[7, 7, 2, 3]) == [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert found(submissions, most=1, owners=[7, 7, 2, 3]) == [(0, 3)]


@pytest.mark.slow
def test_with_a_limit_a_fingerprint_that_nearly_all_of_many_share_is_not_looked_up() -> None:
    # 15,000 submissions with one fingerprint are over 100 million pairs; three share rare ones.
    submissions = of_current({1, 2}, {1, 2, 3}, {1, 3}, *[{1}] * 15_000)

    assert found(submissions, most=10) == [(0, 1), (1, 2)]


@pytest.mark.slow
def test_a_fingerprint_that_all_prior_work_shares_is_looked_up_for_the_few_current_ones() -> None:
    submissions = [*of_current({1}), *[({1}, PRIOR)] * 15_000]

    assert found(submissions, most=3) == [(0, 1), (0, 2), (0, 3)]


# --- the budget of look-ups ----------------------------------------------------------------------


def test_fingerprints_that_one_submission_has_cost_nothing() -> None:
    frequencies, times = np.array([1, 2, 3, 3]), np.array([1, 2, 2, 0])

    assert lookups(frequencies, times).tolist() == [0, 4, 6, 0]


@pytest.mark.parametrize("count", [10, 10_000, 10_000_000, 10**9])
def test_what_two_submissions_share_is_looked_up_however_many_there_are(count: int) -> None:
    own = lookups(np.ones(20, np.int64), np.ones(20, np.int64)).sum() * count
    shared = lookups(np.full(20, 2), np.full(20, 2)).sum() * count // 2

    assert own + shared <= most_lookups(count)


def test_the_budget_of_a_batch_leaves_out_what_thousands_share_before_what_few_share() -> None:
    count = 15_000
    common, few = np.zeros(count, np.uint64), np.arange(count, dtype=np.uint64) // 3 + np.uint64(1)
    values = np.stack([common, few], axis=1).reshape(-1)
    index = index_of(Hashes(values, np.arange(count + 1) * 2))

    is_looked_up = affordable(index, count)

    assert index.frequencies[~is_looked_up].tolist() == [count]


# The hashes of each submission: few, so that works share some, and up to the largest there is.
SUBMISSIONS = st.lists(st.lists(st.integers(0, 9) | st.just(2**64 - 1), max_size=12), max_size=6)


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
@given(SUBMISSIONS)
def test_a_view_has_of_each_work_what_others_have_too(
    submissions: list[list[int]],
) -> None:
    view = index_of(hashes_of(submissions))

    numbers = {item: number for number, item in enumerate(items_by_hash(submissions))}
    for items, start, stop in zip(submissions, view.offsets, view.offsets[1:], strict=False):
        shared = [numbers[item] for item in sorted(set(items)) if item in numbers]
        assert view.items[start:stop].tolist() == shared


@LAW
@given(SUBMISSIONS)
def test_an_item_weighs_its_rarity_and_a_submission_what_its_items_weigh(
    submissions: list[list[int]],
) -> None:
    view = index_of(hashes_of(submissions))

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

    found = index_of(hashes_of(submissions), with_repeats=True)

    expected = index_of(hashes_of([with_second(items) for items in submissions]))
    assert found.offsets.tolist() == expected.offsets.tolist()
    assert found.items.tolist() == expected.items.tolist()
    assert found.weights[:, 0].tolist() == pytest.approx(expected.weights[:, 0].tolist())
    assert found.totals.tolist() == pytest.approx(expected.totals.tolist())
