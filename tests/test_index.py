from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.columns import Seen
from mosslite.index import build_index, build_view
from tests.builders import LAW, codes_of

# The hashes of each work: few, so that works share some, and up to the largest there is.
WORKS = st.lists(st.lists(st.integers(0, 9) | st.just(2**64 - 1), max_size=12), max_size=6)

# Likewise, and whether anything calls each.
SEEN = st.lists(st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=12), max_size=6)


def seen_of(items: list[tuple[int, bool]]) -> Seen:
    return Seen(
        codes_of(item for item, _ in items), np.array([flag for _, flag in items], np.bool_)
    )


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


@LAW
@given(WORKS)
def test_the_fewer_works_hold_a_fingerprint_the_more_it_weighs(works: list[list[int]]) -> None:
    index = build_index([codes_of(hashes) for hashes in works])

    expected = [
        math.log((len(works) + 2) / len(holders)) for holders in holders_by_hash(works).values()
    ]
    assert index.rarities.tolist() == pytest.approx(expected)
    assert all(weight > 0 for weight in index.rarities.tolist())


@LAW
@given(SEEN)
def test_a_view_indexes_what_is_seen_and_weighs_it_by_its_rarity(
    works: list[list[tuple[int, bool]]],
) -> None:
    view = build_view([seen_of(items) for items in works])

    index = build_index([codes_of(item for item, _ in items) for items in works])
    for column in ("offsets", "works", "work_offsets", "fingerprints"):
        assert getattr(view.index, column).tolist() == getattr(index, column).tolist()
    assert view.weights.tolist() == index.rarities.tolist()


@LAW
@given(SEEN)
def test_a_work_reaches_an_item_that_it_reaches_once(works: list[list[tuple[int, bool]]]) -> None:
    view = build_view([seen_of(items) for items in works])

    for work, items in enumerate(works):
        expected = [
            any(flag for each, flag in items if each == item) for item in sorted(dict(items))
        ]
        assert view.is_reached[view.index.places_of(work)].tolist() == expected


def test_a_view_of_no_works_and_of_nothing_seen_holds_nothing() -> None:
    for works in ([], [seen_of([]), seen_of([])]):
        view = build_view(works)

        assert len(view.weights) == len(view.is_reached) == len(view.index.works) == 0
        assert view.is_reached.dtype == np.bool_
