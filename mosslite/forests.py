"""Disjoint sets and spanning forests."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

_Item = TypeVar("_Item", int, str)
_Link = TypeVar("_Link")


class DisjointSets(Generic[_Item]):
    """Disjoint sets of numbers or names (union-find); the smallest item represents its set.

    Items that were never joined are sets of their own.
    """

    def __init__(self) -> None:
        self._above: dict[_Item, _Item] = {}

    def join(self, one: _Item, other: _Item) -> bool:
        """Join the sets of two items; return whether they were different sets."""
        low, high = sorted((self.find(one), self.find(other)))
        self._above[high] = low
        return low != high

    def find(self, item: _Item) -> _Item:
        """Return the smallest item of a set (with path compression)."""
        smallest = self._above.setdefault(item, item)
        while self._above[smallest] != smallest:
            smallest = self._above[smallest]
        while self._above[item] != smallest:
            self._above[item], item = smallest, self._above[item]
        return smallest


def grouped(
    links: Iterable[_Link], ends: Callable[[_Link], tuple[_Item, _Item]]
) -> list[list[_Link]]:
    """Return the links of each set of items that they connect, in the order of the first ones."""
    sets, known = DisjointSets[_Item](), [*links]
    for link in known:
        sets.join(*ends(link))
    groups: dict[_Item, list[_Link]] = {}
    for link in known:
        groups.setdefault(sets.find(ends(link)[0]), []).append(link)
    return [*groups.values()]


def spanning_forest(
    links: NDArray[np.int64], count: int
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Find the links of a spanning forest; earlier links are preferred.

    Boruvka's algorithm: in each round, every tree selects its first link to another one, so that
    the first link of every node is included. *Cost:* m log n.

    Args:
        links: ``(m, 2)`` distinct nodes from 0, preferred links first.
        count: Number of nodes.

    Returns:
        ``(m,) bool``, the links of the forest; and ``(count,)``, the smallest node connected to
        each node.
    """
    is_chosen, trees = np.zeros(len(links), np.bool_), np.arange(count)
    open_links = np.arange(len(links))
    while True:
        ends = trees[links[open_links]]
        is_open = ends[:, 0] != ends[:, 1]
        open_links, ends = open_links[is_open], ends[is_open]
        if not len(open_links):
            return is_chosen, trees
        first = np.full(count, len(open_links))
        np.minimum.at(first, ends.T.ravel(), np.tile(np.arange(len(open_links)), 2))
        chosen = np.unique(first[first < len(open_links)])
        is_chosen[open_links[chosen]] = True
        trees = _joined(trees, ends[chosen])


def _joined(trees: NDArray[np.int64], links: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for every node the smallest number in its tree."""
    while True:
        ends = trees[links]
        if (ends[:, 0] == ends[:, 1]).all():
            return trees
        smaller = np.arange(len(trees))
        np.minimum.at(smaller, ends.max(axis=1), ends.min(axis=1))
        while (smaller[smaller] != smaller).any():
            smaller = smaller[smaller]
        trees = smaller[trees]
