from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.records import Role, UnlistedPair
from mosslite.report.html.graph import Graph, Node, Wanted, draw_graphs, shortened
from mosslite.report.html.graph_layout import Cluster, Frame, pack, place_cluster
from mosslite.report.html.groups import Entry, cases_of, entries_of, groups_of, pictures_of
from tests.builders import tries
from tests.reports import named, pair_of, report_of, scored_report

ONE_GROUP_OF_40 = [(n // 2 + 1, n + 1, 1 - n / 100) for n in range(1, 40)]
CLIQUE_OF_30 = [
    (left, right, 0.6 + (left * 31 + right) % 37 / 100)
    for left, right in combinations(range(1, 31), 2)
]


def drawn(scores: list[tuple[int, int, float]], count: int) -> Graph:
    report = scored_report(scores, count)
    entries = entries_of(report)
    groups = [group.members for group in groups_of(entries)]
    return draw_graphs(report.submissions, [Wanted(entries, groups)])[0]


def members_at(threshold: float, entries: Iterable[Entry]) -> list[tuple[int, ...]]:
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
    (graph,) = draw_graphs(report.submissions, [Wanted(entries_of(report), [(1, 2, 3), (4, 5)])])

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


def test_a_pair_stands_side_by_side_and_a_few_on_a_ring() -> None:
    pair = Cluster(((96.0, 60.0),) * 2, ((0, 1),))
    ring = Cluster(((64.0, 52.0),) * 4, ((0, 1), (1, 2), (2, 3), (3, 0)))

    assert place_cluster(pair, most_width=900.0) == [(48.0, 30.0), (228.0, 30.0)]
    assert place_cluster(ring, most_width=900.0) == [
        (32.0, 93.5),
        (122.0, 26.0),
        (212.0, 93.5),
        (122.0, 161.0),
    ]


def test_a_name_stands_above_where_all_lines_lead_down() -> None:
    report = scored_report([(1, 2, 0.9), (1, 4, 0.8), (2, 3, 0.8), (3, 4, 0.8), (5, 6, 0.8)], 6)
    groups = [(1, 2, 3, 4), (5, 6)]
    (graph,) = draw_graphs(report.submissions, [Wanted(entries_of(report), groups)])

    top = min(graph.nodes[:4], key=lambda node: node.y)
    assert [node.number for node in graph.nodes if node.is_named_above] == [top.number]


def test_what_a_line_connects_stands_side_by_side_in_the_rows() -> None:
    chain = [*range(0, 40, 2), *range(39, 0, -2)]
    group = Cluster(((64.0, 52.0),) * 40, tuple(pairwise(chain)))
    places = place_cluster(group, most_width=900.0)

    ways = [
        (abs(places[one][0] - places[other][0]), abs(places[one][1] - places[other][1]))
        for one, other in group.lines
    ]
    assert sum(way == (64.0, 39.0) for way in ways) > 30


@given(
    st.lists(st.tuples(st.floats(56, 144), st.sampled_from([54.0, 67.0])), min_size=2, max_size=12)
)
def test_no_box_lies_on_another_on_a_ring(boxes: list[tuple[float, float]]) -> None:
    places = place_cluster(Cluster(tuple(boxes), ((0, 1),)), most_width=900.0)

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


def test_a_group_looks_the_same_by_itself_as_beside_others() -> None:
    scores = [*((n, n + 3, 1 - n / 20) for n in range(1, 7)), (10, 11, 0.8), (12, 13, 0.7)]
    report = scored_report(scores, 13)
    entries = entries_of(report)
    groups = groups_of(entries)
    alone = [Wanted(group.entries, [group.members]) for group in groups]
    members = [group.members for group in groups]
    every, *each = draw_graphs(report.submissions, [Wanted(entries, members), *alone])

    assert len(groups) == 5
    for frame, picture in zip(every.frames, each, strict=True):
        (own,) = picture.frames
        assert own.width == 1120 >= frame.width
        inside = {node.number for node in picture.nodes}
        moved = [node for node in every.nodes if node.number in inside]
        for one, other in zip(from_first(moved), from_first(picture.nodes), strict=True):
            assert one == pytest.approx(other, abs=0.5)


def from_first(nodes: Sequence[Node]) -> list[tuple[float, float]]:
    """Return where nodes stand, as seen from the first of them."""
    return [(each.x - nodes[0].x, each.y - nodes[0].y) for each in nodes]


def test_frames_fill_the_width_of_the_page_row_by_row() -> None:
    graph = drawn([(n, n + 1, 0.9) for n in range(1, 40, 2)], 40)

    rows: dict[float, list[Frame]] = {}
    for frame in graph.frames:
        rows.setdefault(frame.y, []).append(frame)
    assert len(rows) > 2
    for row in rows.values():
        assert row[0].x == 0
        assert abs(row[-1].x + row[-1].width - 1120) < 1
        assert len({frame.height for frame in row}) == 1


def test_a_group_of_two_comes_in_with_what_a_lower_threshold_links_it_to() -> None:
    report = scored_report([(1, 2, 0.9), (2, 3, 0.8), (4, 5, 0.7), (5, 6, 0.4), (7, 8, 0.6)], 8)
    graph = pictures_of(report, cases_of(report)).of_all

    assert [node.number for node in graph.nodes if not node.is_waiting] == [1, 2, 3]
    assert [node.number for node in graph.nodes if node.is_waiting] == [4, 5, 6]
    assert {edge.link.rank for edge in graph.edges if edge.is_waiting} == {3, 5}


def test_a_picture_is_never_wider_than_a_page() -> None:
    chain = [(n, n + 1, 0.9) for n in range(1, 60)]

    assert drawn(chain, 60).width <= 1120


def test_groups_stand_in_frames_of_their_own() -> None:
    graph = drawn([(1, 2, 0.9), (3, 4, 0.8), (4, 5, 0.7)], 5)
    members = [{1, 2}, {3, 4, 5}]

    assert [frame.members for frame in graph.frames] == [2, 3]
    for frame, numbers in zip(graph.frames, members, strict=True):
        for node in graph.nodes:
            is_inside = (
                frame.x <= node.x <= frame.x + frame.width
                and frame.y <= node.y <= frame.y + frame.height
            )
            assert is_inside == (node.number in numbers)


def test_who_is_below_the_threshold_waits_below_the_picture() -> None:
    graph = drawn([(1, 2, 0.9), (2, 3, 0.4), (4, 5, 0.3)], 5)

    assert [node.number for node in graph.nodes if node.is_waiting] == [3, 4, 5]
    assert all(node.y > graph.height for node in graph.nodes if node.is_waiting)
    assert [edge.link.rank for edge in graph.edges if edge.is_waiting] == [3, 2]


def test_a_dense_group_has_a_thin_line_for_every_pair() -> None:
    report = scored_report([*CLIQUE_OF_30, (31, 32, 0.9), (30, 33, 0.3)], 40)
    pictures = pictures_of(report, cases_of(report))

    assert pictures.of_all.dense == {1}
    for picture in (pictures.of_all, pictures.of_each[0]):
        dense = [edge for edge in picture.edges if edge.is_of_dense]
        assert len(dense) == len(CLIQUE_OF_30)
        assert {edge.width for edge in dense} == {1}
        assert picture.left_out == 0
    assert len({node.y for node in pictures.of_each[0].nodes}) > 3
    for one, other in combinations(boxes(pictures.of_each[0]), 2):
        is_beside = one[1] <= other[0] or other[1] <= one[0]
        assert is_beside or one[3] <= other[2] or other[3] <= one[2]


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

    graph = pictures_of(few, cases_of(few)).of_all

    assert len(graph.edges) == len(CLIQUE_OF_30)
    assert sorted(edge.link.rank for edge in graph.edges)[-6:] == [0, 1, 2, 3, 4, 5]


def test_of_a_very_large_dense_group_all_members_have_a_line_and_the_rest_is_counted() -> None:
    pairs = [(one, other, 0.9 - one / 200) for one, other in combinations(range(1, 61), 2)]
    graph = pictures_of(report := scored_report(pairs, 60), cases_of(report)).of_all

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
    entries = entries_of(report)
    groups = [group.members for group in groups_of(entries)]
    (graph,) = draw_graphs(report.submissions, [Wanted(entries, groups)])
    lines = graph.edges
    chosen = [entry for entry in entries if entry.rank in {line.link.rank for line in lines}]

    assert members_at(threshold, chosen) == members_at(threshold, entries)


def test_a_line_is_the_thicker_the_higher_the_score_and_drawn_on_top() -> None:
    widths = [edge.width for edge in drawn(ONE_GROUP_OF_40, 40).edges]

    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


def test_numbers_stand_on_the_lines_of_groups_that_are_not_very_large() -> None:
    chain = [(n, n + 1, 1 - n / 100) for n in range(1, 60)]
    assert any(edge.has_number for edge in drawn([(1, 2, 0.9)], 2).edges)
    assert not any(edge.has_number for edge in drawn(chain, 60).edges)


def test_a_role_takes_room_for_its_word() -> None:
    old, new = named("old", role=Role.PRIOR), named("new")
    report = report_of([new, old], [pair_of(new, old, 0.9)])
    (graph,) = draw_graphs(report.submissions, [Wanted(entries_of(report), [(1, 2)])])

    assert graph.height > drawn([(1, 2, 0.9)], 2).height


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


def test_rectangles_are_put_side_by_side_and_then_in_a_new_row() -> None:
    corners = pack([(60, 20), (30, 50), (40, 10)], gap=5, most_width=100)

    assert corners == [(0, 0), (65, 0), (0, 55)]
