from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite import Options, check
from mosslite.ranking.ranked_pairs import Shortlist, shortlist
from tests.builders import LAW
from tests.programs import PRIMES, QUEUE, write_files

Pair = tuple[int, int]

COUNT = 8
PAIRS = st.lists(st.sampled_from(list(combinations(range(COUNT), 2))), unique=True, max_size=28)


def listed(
    ranking: list[Pair], high: int, show: int | None = None, known: int = 0
) -> tuple[list[Pair], Shortlist]:
    """Choose among pairs of which the first ones are above the threshold."""
    is_high = np.arange(len(ranking)) < high
    found = shortlist(np.array(ranking, np.int64).reshape(-1, 2), is_high, show, known)
    return [ranking[place] for place in found.listed.tolist()], found


def components(pairs: list[Pair]) -> set[frozenset[int]]:
    groups: list[set[int]] = []
    for pair in pairs:
        joined = [group for group in groups if group & {*pair}]
        groups = [group for group in groups if group not in joined]
        groups.append(set(pair).union(*joined))
    return set(map(frozenset, groups))


def clique(first: int, size: int) -> list[Pair]:
    return list(combinations(range(first, first + size), 2))


def test_large_groups_of_copies_crowd_no_other_pair_out() -> None:
    cliques = [*clique(0, 40), *clique(40, 30), *clique(70, 25)]
    others = [(100 + 2 * n, 101 + 2 * n) for n in range(7)]
    honest = [(n, 200 + n) for n in range(300)]
    high = len(cliques) + len(others)
    chosen, found = listed([*cliques, *others, *honest], high, show=250)

    assert len(chosen) == 250
    assert set(others) <= set(chosen)
    assert components(chosen) == components([*cliques, *others])
    assert (found.submissions, found.groups) == (40 + 30 + 25 + 14, 10)
    assert len(found.unlisted) == high - 250


@LAW
@given(PAIRS, st.integers(0, 28), st.integers(1, 30))
def test_groups_submissions_and_forests_come_before_the_rest(
    ranking: list[Pair], high: int, show: int
) -> None:
    chosen, found = listed(ranking, high, show)
    standing_out = ranking[:high]
    groups, inside = components(standing_out), {end for pair in standing_out for end in pair}

    assert len(chosen) == min(show, len(ranking))
    assert chosen == [pair for pair in ranking if pair in chosen]
    if show > len(groups):  # the first of all is one of them
        assert all(any(set(pair) <= group for pair in chosen) for group in groups)
    if show > len(inside):
        best = {next(pair for pair in standing_out if end in pair) for end in inside}
        assert best <= set(chosen)
    if show >= COUNT:  # more than a forest has
        assert components([pair for pair in chosen if pair in standing_out]) == groups
    unlisted = [ranking[place] for place in found.unlisted.tolist()]
    assert unlisted == [pair for pair in standing_out if pair not in chosen]


@LAW
@given(PAIRS, st.integers(0, 28), st.integers(1, 28))
def test_a_higher_number_only_adds_pairs(ranking: list[Pair], high: int, show: int) -> None:
    assert set(listed(ranking, high, show)[0]) <= set(listed(ranking, high, show + 1)[0])


@pytest.mark.parametrize(
    ("pairs", "high", "expected"),
    [(100, 3, 100), (600, 3, 250), (600, 400, 400), (5_000, 2_000, 2_000), (5_000, 2_500, 2_000)],
)
def test_without_a_number_all_that_stands_out_is_listed_within_bounds(
    pairs: int, high: int, expected: int
) -> None:
    chosen, found = listed(clique(0, 101)[:pairs], high)
    assert len(chosen) == expected
    assert len(found.unlisted) == max(high - expected, 0)


def test_every_pair_is_listed_where_all_are_asked_for() -> None:
    assert len(listed(clique(0, 80), 3_000, show=0)[0]) == 80 * 79 // 2


@pytest.mark.parametrize("known", [0, 5, 50])
def test_beside_known_pairs_the_first_new_one_is_listed_always(known: int) -> None:
    ranking = [*clique(0, 20), *((100 + 2 * n, 101 + 2 * n) for n in range(60))]
    chosen, _ = listed(ranking, len(ranking), show=1, known=known)
    assert set(ranking[: known + 1]) <= set(chosen)
    assert len(chosen) == known + 1


# Longer than the programs, with less in it.
TABLE = "values = [" + "0, 1, " * 200 + "]\n"


@pytest.mark.parametrize("names", list(permutations("abc")))
def test_of_equal_scores_the_one_with_more_information_is_first_whatever_size_and_name(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    texts = dict(zip(names, (PRIMES, QUEUE, TABLE), strict=True))  # by size it is the reverse
    files = {f"hw/{name}{nth}.py": text for name, text in texts.items() for nth in (1, 2)}
    write_files(tmp_path, files)

    report = check(str(tmp_path / "hw"), options=Options(uses_workers=False))

    equal = [(pair.left.name, pair.right.name) for pair in report.pairs if pair.score == 1]
    assert equal == [(f"{name}1.py", f"{name}2.py") for name in names]
