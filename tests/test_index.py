from __future__ import annotations

from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mosslite.index import build_index
from tests.builders import LAW, codes_of

# The hashes of each work: few, so that works share some, and up to the largest there is.
WORKS = st.lists(st.lists(st.integers(0, 9) | st.just(2**64 - 1), max_size=12), max_size=6)


def holders_by_hash(works: list[list[int]]) -> dict[int, set[int]]:
    holders = defaultdict(set)
    for work, hashes in enumerate(works):
        for each in hashes:
            holders[each].add(work)
    return dict(sorted(holders.items()))


@LAW
@given(WORKS)
def test_fingerprints_are_numbered_by_hash_and_counted_once_for_each_work(
    works: list[list[int]],
) -> None:
    index = build_index([codes_of(hashes) for hashes in works])

    counts = [len(holders) for holders in holders_by_hash(works).values()]
    assert index.frequencies.tolist() == counts


@LAW
@given(WORKS)
def test_a_work_has_its_distinct_fingerprints_in_order(works: list[list[int]]) -> None:
    index = build_index([codes_of(hashes) for hashes in works])

    numbers = {each: number for number, each in enumerate(holders_by_hash(works))}
    for work, hashes in enumerate(works):
        expected = sorted(numbers[each] for each in set(hashes))
        assert index.fingerprints_of(work).tolist() == expected


@LAW
@given(WORKS, st.data())
def test_looking_up_fingerprints_gives_the_works_that_hold_each_in_order(
    works: list[list[int]], data: st.DataObject
) -> None:
    index = build_index([codes_of(hashes) for hashes in works])
    by_number = list(holders_by_hash(works).values())
    numbers = st.integers(0, len(by_number) - 1)
    asked = data.draw(st.lists(numbers)) if by_number else []

    holders, nth = index.holders(np.array(asked, np.int32))

    found = list(zip(nth.tolist(), holders.tolist(), strict=True))
    assert found == [(i, work) for i, each in enumerate(asked) for work in sorted(by_number[each])]


def test_an_index_of_no_works_holds_nothing() -> None:
    index = build_index([])

    assert len(index.frequencies) == len(index.fingerprints) == len(index.works) == 0
