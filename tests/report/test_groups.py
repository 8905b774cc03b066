from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.forests import DisjointSets
from mosslite.records import Report
from mosslite.report.html.groups import (
    cases_of,
    groups_of,
    links_of,
    pictures_of,
    write_groups,
)
from mosslite.report.html.site import Site, environment
from tests.builders import LAW
from tests.reports import scored_report

Scores = list[tuple[int, int, float]]

COUNT = 9
PAIRS = st.lists(
    st.tuples(st.integers(1, COUNT), st.integers(1, COUNT), st.floats(0, 1)).filter(
        lambda pair: pair[0] < pair[1]
    ),
    unique_by=lambda pair: pair[:2],
    max_size=20,
)


def members_of(report: Report) -> list[tuple[int, ...]]:
    groups = groups_of(links_of(report))
    return [group.members for group in groups]


def reachable(start: int, links: set[tuple[int, int]]) -> frozenset[int]:
    """Walk the links from one end until nobody new is met."""
    met = {start}
    while True:
        more = {end for link in links if met & {*link} for end in link} - met
        if not more:
            return frozenset(met)
        met |= more


def test_a_pair_exactly_at_the_threshold_is_in() -> None:
    assert members_of(scored_report([(1, 2, 0.5)], 2)) == [(1, 2)]


def test_without_a_suggestion_the_line_is_drawn_in_the_middle() -> None:
    report = scored_report([(1, 2, 0.5), (2, 3, 0.49)], 3, threshold=None)

    assert members_of(report) == [(1, 2)]


@given(PAIRS)
@LAW
def test_groups_are_the_connected_components_at_the_threshold(scores: Scores) -> None:
    report = scored_report(scores, COUNT)
    high = {(left, right) for left, right, score in scores if score >= 0.5}
    brute = {reachable(end, high) for link in high for end in link}

    found = members_of(report)

    assert {frozenset(members) for members in found} == brute
    assert len(found) == len(brute)


@given(PAIRS)
@LAW
def test_groups_come_by_their_highest_score_and_hold_every_high_pair_once(scores: Scores) -> None:
    entries = links_of(scored_report(scores, COUNT))
    groups = groups_of(entries)

    tops = [group.score for group in groups]
    ranks = sorted(entry.rank for group in groups for entry in group.entries)

    assert tops == sorted(tops, reverse=True)
    assert [group.number for group in groups] == list(range(1, len(groups) + 1))
    assert ranks == [entry.rank for entry in entries if entry.score >= 0.5]


def test_the_smallest_number_stands_for_all_that_hang_together() -> None:
    sets = DisjointSets()

    assert [sets.join(*link) for link in ((5, 9), (3, 9), (1, 2), (5, 3))] == [True] * 3 + [False]
    assert [sets.find(number) for number in (1, 2, 3, 4, 5, 9)] == [1, 1, 3, 4, 3, 3]


@pytest.fixture
def pages(tmp_path: Path) -> list[str]:
    report = scored_report([(1, 2, 0.9), (4, 5, 0.8), (2, 3, 0.6)], 5)
    templates = environment()
    templates.globals.update(title="report", version="0", created="now")
    cases = cases_of(report)
    write_groups(report, Site(tmp_path, templates), cases, pictures_of(report, cases))
    return [path.read_text(encoding="utf-8") for path in sorted(tmp_path.rglob("*.html"))]


def test_a_groups_page_lists_its_members_and_pairs_and_nobody_else(pages: list[str]) -> None:
    first, second = pages

    assert first.count('href="../submissions/') == 6  # a link in the table, one in the picture
    assert [f'data-pair="{rank}"' in first for rank in (1, 2, 3)] == [True, False, True]
    assert "work 4" not in first
    assert "work 1" not in second
