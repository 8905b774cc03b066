"""Tells apart what has the same name, by numbers in brackets."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

__all__ = ["Names", "free_name"]


class Names:
    """Tells files of the same name apart: the second ``main.py`` is ``main (2).py``."""

    def __init__(self) -> None:
        """Begin with no names."""
        self._latest: dict[str, int] = {}

    def distinct(self, name: str) -> str:
        """Return a name that was not given before, and keep what tells the language."""
        number = self._latest.get(name, 0) + 1
        other = name
        while number > 1 and (other := _numbered(name, number)) in self._latest:
            number += 1
        self._latest[name] = number
        if other != name:
            self._latest[other] = 1
        return other


def free_name(name: str, taken: Container[str]) -> str:
    """Return the name of a submission if it is free, else ``ann (2)``, ``ann (3)`` and so on."""
    if name not in taken:
        return name
    numbered = (f"{name} ({number})" for number in count(2))
    return next(each for each in numbered if each not in taken)


def _numbered(name: str, number: int) -> str:
    folder, slash, file = name.rpartition("/")
    stem, dot, suffix = file.rpartition(".")
    if not stem:
        return f"{name} ({number})"
    return f"{folder}{slash}{stem} ({number}){dot}{suffix}"
