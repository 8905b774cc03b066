"""How long the front-ends may compute over all files of a submission, not just over each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mosslite.languages import Language

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

__all__ = ["Budgets", "Load", "Source", "usual_seconds"]

Source = tuple[str, Language]
"""A text, and what to read it as."""

Load = Sequence[Source]
"""Texts of one language that are read together."""

# What reading honest texts takes at most on any machine: a start, and so much for each character.
_START: Final = 0.25
_PER_CHARACTER: Final = 4e-6

# The time limit of a file, so many times, is what a submission may take beyond the usual.
_FILES: Final = 2


def usual_seconds(load: Load) -> float:
    """Return how long front-ends may compute over texts that nothing is wrong with."""
    return _START + _PER_CHARACTER * sum(len(text) for text, _ in load)


class Budgets:
    """What each submission has left of the time beyond the usual that its texts may take.

    Honest texts never touch it, so what is charged does not depend on the machine. Whoever else
    hands in the same text as a submission that has used up its own budget loses nothing by that.
    A text without an owner is for the plain tokenizer.
    """

    def __init__(self, owners: Mapping[Source, Collection[int]], seconds: float) -> None:
        self._owners = owners
        self._most = _FILES * seconds
        self._used = defaultdict[int, float](float)

    def allow(self, source: Source, seconds: float = 0) -> bool:
        """Return whether a lexer may take so long over the text; that of prose needs none."""
        most = self._most - seconds
        return source[1].is_prose or any(
            self._used[owner] <= most for owner in self._owners[source]
        )

    def first_owner(self, source: Source) -> int:
        """Return the first of the submissions that hold the text."""
        return min(self._owners[source])

    def charge(self, load: Load, seconds: float) -> None:
        """Charge time to the submissions that hold some texts, by the lengths of these."""
        size = sum(len(text) for text, _ in load)
        for source in load if seconds > 0 and size else ():
            for owner in self._owners[source]:
                self._used[owner] += seconds * len(source[0]) / size
