from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.forests import DisjointSets
from mosslite.records import Report, UnlistedPair
from mosslite.report.html.groups import (
    Graph,
    Link,
    cases_of,
    draw_graph,
    groups_of,
    links_of,
    pack,
    pictures_of,
    place_group,
    shortened,
    write_groups,
)
from mosslite.report.html.pages import ReportMetadata, templates_of
from mosslite.report.html.site import Site
from tests.builders import LAW, tries
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
    templates = templates_of(report, ReportMetadata("2026-11-21T09:30:00+00:00", "0"))
    cases = cases_of(report)
    write_groups(report, Site(tmp_path, templates), cases, pictures_of(report, cases)[1])
    return [path.read_text(encoding="utf-8") for path in sorted(tmp_path.rglob("*.html"))]


def test_a_groups_page_lists_its_members_and_pairs_and_nobody_else(pages: list[str]) -> None:
    first, second = pages

    assert first.count('href="../submissions/') == 6  # a link in the table, one in the picture
    assert [f'data-pair="{rank}"' in first for rank in (1, 2, 3)] == [True, False, True]
    assert "work 4" not in first
    assert "work 1" not in second


ONE_GROUP_OF_40 = [(n // 2 + 1, n + 1, 1 - n / 100) for n in range(1, 40)]
CLIQUE_OF_30 = [
    (left, right, 0.6 + (left * 31 + right) % 37 / 100)
    for left, right in combinations(range(1, 31), 2)
]


def drawn(scores: list[tuple[int, int, float]], count: int) -> Graph:
    report = scored_report(scores, count)
    entries = links_of(report)
    groups = [group.members for group in groups_of(entries)]
    return draw_graph(report.submissions, entries, groups)


def members_at(threshold: float, entries: Iterable[Link]) -> list[tuple[int, ...]]:
    moved = [replace(entry, limit=threshold) for entry in entries]
    return [group.members for group in groups_of(moved)]


def boxes(graph: Graph) -> list[tuple[float, float, float, float]]:
    """Return left, right, top and bottom of each shape with its name, a little drawn in."""
    half = {node.number: max(7 * len(node.label), 40) / 2 for node in graph.nodes}
    sides = {node.number: (28, 12) if node.is_named_above else (12, 28) for node in graph.nodes}
    return [
        (
            node.x - half[node.number],
            node.x + half[node.number],
            node.y - sides[node.number][0],
            node.y + sides[node.number][1],
        )
        for node in graph.nodes
    ]


def test_members_whose_pairs_are_not_listed_stand_in_their_group_without_a_line() -> None:
    report = scored_report([(1, 2, 0.9)], 6)
    graph = draw_graph(report.submissions, links_of(report), [(1, 2, 3), (4, 5)])

    assert [node.number for node in graph.nodes] == [1, 2, 3, 4, 5]
    assert not any(node.is_waiting for node in graph.nodes)
    assert [(edge.link.left, edge.link.right) for edge in graph.edges] == [(1, 2)]
    assert [frame.members for frame in graph.frames] == [3, 2]


@pytest.mark.parametrize(
    "scores", [ONE_GROUP_OF_40, CLIQUE_OF_30, [(1, 2, 0.9)], [(1, 2, 0.9), (3, 4, 0.8)]]
)
def test_every_shape_and_name_is_inside_the_picture(scores: list[tuple[int, int, float]]) -> None:
    graph = drawn(scores, 40)

    for left, right, top, bottom in boxes(graph):
        assert left >= 0
        assert top >= 0
        assert right <= graph.width
        assert bottom <= graph.height


@given(
    st.lists(st.tuples(st.floats(56, 144), st.sampled_from([54.0, 67.0])), min_size=2, max_size=12)
)
def test_no_box_lies_on_another_on_a_ring(boxes: list[tuple[float, float]]) -> None:
    shapes = place_group(dict(enumerate(boxes)), [(0, 1)])
    places = [
        (x, y + height / 2) for (x, y), (_, height) in zip(shapes.values(), boxes, strict=True)
    ]

    for (one, box), (other, its_box) in combinations(zip(places, boxes, strict=True), 2):
        gaps = [abs(one[axis] - other[axis]) - (box[axis] + its_box[axis]) / 2 for axis in (0, 1)]
        assert max(gaps) > -1e-6


@pytest.mark.parametrize("scores", [ONE_GROUP_OF_40, CLIQUE_OF_30])
def test_names_of_forty_in_one_group_do_not_lie_on_each_other(
    scores: list[tuple[int, int, float]],
) -> None:
    for one, other in combinations(boxes(drawn(scores, 40)), 2):
        is_beside = one[1] <= other[0] or other[1] <= one[0]
        is_below = one[3] <= other[2] or other[3] <= one[2]
        assert is_beside or is_below


def test_the_same_links_give_the_same_picture() -> None:
    assert repr(drawn(ONE_GROUP_OF_40, 40).edges) == repr(drawn(ONE_GROUP_OF_40, 40).edges)


def test_a_group_of_two_comes_in_with_what_a_lower_threshold_links_it_to() -> None:
    report = scored_report([(1, 2, 0.9), (2, 3, 0.8), (4, 5, 0.7), (5, 6, 0.4), (7, 8, 0.6)], 8)
    graph, _ = pictures_of(report, cases_of(report))

    assert [node.number for node in graph.nodes if not node.is_waiting] == [1, 2, 3]
    assert [node.number for node in graph.nodes if node.is_waiting] == [4, 5, 6]
    assert {edge.link.rank for edge in graph.edges if edge.is_waiting} == {3, 5}


def test_a_picture_is_never_wider_than_a_page() -> None:
    chain = [(n, n + 1, 0.9) for n in range(1, 60)]

    assert drawn(chain, 60).width <= 1120


def test_who_is_below_the_threshold_waits_below_the_picture() -> None:
    graph = drawn([(1, 2, 0.9), (2, 3, 0.4), (4, 5, 0.3)], 5)

    assert [node.number for node in graph.nodes if node.is_waiting] == [3, 4, 5]
    assert all(node.y > graph.height for node in graph.nodes if node.is_waiting)
    assert [edge.link.rank for edge in graph.edges if edge.is_waiting] == [3, 2]


def test_the_weaker_lines_of_a_dense_group_are_left_out_and_counted() -> None:
    graph = drawn(CLIQUE_OF_30, 30)

    assert len(graph.edges) < 4 * 30
    assert len(graph.edges) + graph.left_out == len(CLIQUE_OF_30)


def test_a_line_stands_for_a_pair_that_is_not_listed_too() -> None:
    report = scored_report(CLIQUE_OF_30, 30)
    few = replace(
        report,
        pairs=report.pairs[:5],
        unlisted=tuple(UnlistedPair(p.left, p.right, p.score) for p in report.pairs[5:]),
    )

    graph, _ = pictures_of(few, cases_of(few))

    assert len(graph.edges) == len(CLIQUE_OF_30)
    assert sorted(edge.link.rank for edge in graph.edges)[-6:] == [0, 1, 2, 3, 4, 5]


def test_of_a_very_large_dense_group_all_members_have_a_line_and_the_rest_is_counted() -> None:
    pairs = [(one, other, 0.9 - one / 200) for one, other in combinations(range(1, 61), 2)]
    graph, _ = pictures_of(report := scored_report(pairs, 60), cases_of(report))

    assert 600 <= len(graph.edges) <= 660
    assert len(graph.edges) + graph.left_out == len(pairs)
    assert {n for edge in graph.edges for n in (edge.link.left, edge.link.right)} == {*range(1, 61)}


def test_a_group_of_eighteen_has_scores_that_hide_neither_names_nor_each_other() -> None:
    ring = [(n, n + 1, 0.9 - n / 100) for n in range(1, 18)]
    graph = drawn([*ring, (1, 9, 0.6), (3, 14, 0.6), (5, 17, 0.6)], 18)
    numbered = [edge for edge in graph.edges if edge.has_number]

    assert numbered
    assert max(edge.width for edge in graph.edges) <= 4
    for one, other in combinations(numbered, 2):
        assert abs(one.x - other.x) >= 34 or abs(one.y - other.y) >= 18
    for edge in numbered:
        for left, right, top, bottom in boxes(graph):
            assert not (left - 15 < edge.x < right + 15 and top - 7 < edge.y < bottom + 7)


@given(
    st.lists(
        st.tuples(st.integers(1, 12), st.integers(1, 12), st.floats(0.5, 1)).filter(
            lambda pair: pair[0] < pair[1]
        ),
        unique_by=lambda pair: pair[:2],
        min_size=1,
        max_size=60,
    ),
    st.floats(0.5, 1),
)
@tries(40)
def test_the_lines_drawn_connect_at_any_threshold_what_all_pairs_connect(
    scores: list[tuple[int, int, float]], threshold: float
) -> None:
    report = scored_report(scores, 12)
    entries = links_of(report)
    groups = [group.members for group in groups_of(entries)]
    graph = draw_graph(report.submissions, entries, groups)
    lines = graph.edges
    chosen = [entry for entry in entries if entry.rank in {line.link.rank for line in lines}]

    assert members_at(threshold, chosen) == members_at(threshold, entries)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("ada", "ada"),
        ("", "-"),
        ("a\u202eb", "a[U+202E]b"),
        ("submissions/team_ada/Main.java", "submissi\u2026ain.java"),
        ("\u738b" * 30, "\u738b\u738b\u738b\u738b\u2026\u738b\u738b\u738b\u738b"),
        (" a \n b ", "a b"),
    ],
)
def test_a_label_keeps_the_begin_and_the_end_of_a_long_name(name: str, label: str) -> None:
    assert shortened(name) == label


def test_rectangles_fill_a_row_side_by_side_and_then_a_new_one() -> None:
    placed = pack([(60, 20), (30, 50), (40, 10)], gap=5, most_width=97)

    assert placed == [(0, 0, 61, 50), (66, 0, 31, 50), (0, 55, 97, 10)]
