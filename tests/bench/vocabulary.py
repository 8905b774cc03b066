"""Chance, and words that no program means anything by."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["chance", "fresh_names", "phrase", "word"]

_ONSETS = ("b", "d", "fl", "gr", "k", "l", "m", "n", "pr", "s", "t", "v", "z")
_VOWELS = ("a", "e", "i", "o", "u")
_CODAS = ("", "l", "n", "r", "sk", "m")


def chance(seed: str) -> Random:
    """Return a source of chance that is the same for the same seed."""
    return Random(seed)  # noqa: S311 - a benchmark, not a secret


def word(rng: Random) -> str:
    """Make up a word of two syllables, which is not a keyword anywhere."""
    syllables = (rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS) for _ in range(2))
    return "".join(syllables) + "u"


def phrase(rng: Random) -> str:
    """Make up three to six words."""
    return " ".join(word(rng) for _ in range(rng.randint(3, 6)))


def fresh_names(rng: Random, taken: str) -> Iterator[str]:
    """Make up names, each once, none of them anywhere in the text ``taken``."""
    given = set()
    while True:
        name = word(rng)
        if name not in given and name not in taken.lower():
            given.add(name)
            yield name
