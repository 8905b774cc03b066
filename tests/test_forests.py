import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.forests import DisjointSets, spanning_forest
from tests.builders import LAW

COUNT = 9
LINKS = st.lists(
    st.tuples(st.integers(0, COUNT - 1), st.integers(0, COUNT - 1)).filter(lambda e: e[0] != e[1]),
    max_size=30,
)


def forest_of(links: list[tuple[int, int]], count: int = COUNT) -> tuple[list[bool], list[int]]:
    is_chosen, trees = spanning_forest(np.array(links, np.int64).reshape(-1, 2), count)
    return is_chosen.tolist(), trees.tolist()


@LAW
@given(LINKS)
def test_the_links_are_those_that_kruskal_takes_one_by_one(links: list[tuple[int, int]]) -> None:
    sets = DisjointSets()
    expected = [sets.join(*link) for link in links]

    is_chosen, trees = forest_of(links)

    assert is_chosen == expected
    assert trees == [sets.find(node) for node in range(COUNT)]


@LAW
@given(LINKS)
def test_the_first_link_of_every_node_is_in_it(links: list[tuple[int, int]]) -> None:
    is_chosen, _ = forest_of(links)
    for node in range(COUNT):
        first = next((place for place, link in enumerate(links) if node in link), None)
        assert first is None or is_chosen[first]


@pytest.mark.parametrize("step", [1, -1])
def test_a_long_chain_is_one_tree(step: int) -> None:
    links = [(node, node + 1) for node in range(5_000)][::step]
    is_chosen, trees = forest_of(links, 5_001)
    assert all(is_chosen)
    assert set(trees) == {0}


def test_without_links_every_node_is_a_tree() -> None:
    assert forest_of([]) == ([], list(range(COUNT)))
