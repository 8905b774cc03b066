"""The inverted index of an archive beside a plain set of postings, with blocks of a few of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.history import postings
from mosslite.history.postings import (
    MOST_SUBMISSIONS,
    add_postings,
    blocks_in_order,
    clear_postings,
    postings_from,
    postings_in,
    postings_of,
    remove_postings,
)
from mosslite.history.records import NotAsWrittenError
from mosslite.history.tables import migrate
from tests.builders import LAW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.history.postings import Postings

Prints = Mapping[int, set[int]]

# Few, so that many hold the same; of both signs, and the smallest and largest there are.
HASHES = st.sampled_from([0, 1, 2, 7, (1 << 63) - 1, 1 << 63, (1 << 63) + 5, (1 << 64) - 1])
NUMBERS = st.sampled_from([1, 2, 3, 4, 5, 6, 7, 70_000, MOST_SUBMISSIONS])
# Submissions that are added at once, and after them numbers that are removed at once.
STEPS = st.lists(st.tuples(st.dictionaries(NUMBERS, st.sets(HASHES)), st.sets(NUMBERS)), max_size=6)


@pytest.fixture(autouse=True, scope="module")
def small_blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "_MOST", 5)
        patch.setattr(postings, "_USUAL", 3)
        yield


@contextmanager
def index() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as base:
        migrate(base, 0)
        clear_postings(base)
        yield base


def add(base: sqlite3.Connection, prints: Prints) -> None:
    columns = [np.array(sorted(each), np.uint64) for each in prints.values()]
    add_postings(base, postings_from(list(prints), columns))


def held_in(base: sqlite3.Connection) -> list[tuple[int, int]]:
    return pairs_of(postings_in(blocks_in_order(base)))


def looked_up(base: sqlite3.Connection, hashes: set[int]) -> list[tuple[int, int]]:
    asked = np.sort(np.array(sorted(hashes), np.uint64).view(np.int64))
    return pairs_of(postings_of(base, asked))


def pairs_of(postings: Postings) -> list[tuple[int, int]]:
    return list(zip(postings["hash"].tolist(), postings["submission"].tolist(), strict=True))


def signed(hash_: int) -> int:
    return hash_ - (1 << 64) if hash_ >= 1 << 63 else hash_


def expected_of(prints: Prints, hashes: set[int] | None = None) -> list[tuple[int, int]]:
    return sorted(
        (signed(hash_), number)
        for number, own in prints.items()
        for hash_ in own
        if hashes is None or hash_ in hashes
    )


@LAW
@given(STEPS, st.sets(HASHES))
def test_an_index_holds_what_was_added_and_not_removed(
    steps: list[tuple[dict[int, set[int]], set[int]]], asked: set[int]
) -> None:
    held = dict[int, set[int]]()
    with index() as base:
        for added, removed in steps:
            new = {number: own for number, own in added.items() if number not in held}
            add(base, new)
            held |= new
            assert held_in(base) == expected_of(held)
            remove_postings(base, sorted(removed))
            held = {number: own for number, own in held.items() if number not in removed}
            assert held_in(base) == expected_of(held)
            assert looked_up(base, asked) == expected_of(held, asked)


@LAW
@given(
    st.dictionaries(NUMBERS, st.sets(HASHES), min_size=4), st.sets(HASHES, min_size=1), st.data()
)
def test_a_lookup_without_a_block_is_an_error_or_right(
    prints: dict[int, set[int]], asked: set[int], data: st.DataObject
) -> None:
    with index() as base:
        add(base, prints)
        numbers = [number for (number,) in base.execute("SELECT id FROM postings")]
        base.execute("DELETE FROM postings WHERE id = ?", (data.draw(st.sampled_from(numbers)),))
        try:
            assert looked_up(base, asked) == expected_of(prints, asked)
        except NotAsWrittenError:
            return
        with pytest.raises(NotAsWrittenError):
            held_in(base)


def test_one_more_that_holds_what_everybody_holds_changes_a_block_for_each_fingerprint() -> None:
    own = {10 * n for n in range(9)}
    with index() as base:
        changes = []
        for number in range(1, 400):
            before = base.total_changes
            add(base, {number: own})
            changes.append(base.total_changes - before)

    assert max(changes[5:]) <= 4 * len(own)  # a block that is full becomes a few


def test_blocks_of_which_all_is_removed_become_one() -> None:
    with index() as base:
        add(base, {number: set(range(50)) for number in range(1, 20)})
        before = base.execute("SELECT count(*) FROM postings").fetchone()
        remove_postings(base, range(1, 20))
        assert base.execute("SELECT count(*) FROM postings").fetchone() == (1,) != before
        assert held_in(base) == []
