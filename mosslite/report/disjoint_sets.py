"""Which of several things hang together, found while the links between them are read."""

from __future__ import annotations

__all__ = ["DisjointSets"]


class DisjointSets:
    """Disjoint sets of numbers; the smallest number of a set stands for it.

    Whatever is asked for and was never joined is a set of its own.
    """

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def join(self, one: int, other: int) -> bool:
        """Put two numbers, and all that hang on them, in one set; tell whether they were apart."""
        low, high = sorted((self.find(one), self.find(other)))
        self._above[high] = low
        return low != high

    def find(self, number: int) -> int:
        """Return the smallest number of a set, and hang all on the way directly below it."""
        smallest = self._above.setdefault(number, number)
        while self._above[smallest] != smallest:
            smallest = self._above[smallest]
        while self._above[number] != smallest:
            self._above[number], number = smallest, self._above[number]
        return smallest
