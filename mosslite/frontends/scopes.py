"""Tells what stands inside of functions from what other files may use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends.program import END
from mosslite.frontends.words import number_of_word, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["are_outside_of_functions"]

# Elsewhere, what is in no brackets at all is a script.
_OF_FILES: Final = frozenset({"c", "cpp"})

_BEGIN, _END_OF_BLOCK, _CLOSE = map(number_of_word, "{})")
_CLASS = number_of_word("class")
_OF_TYPES = table_of("class enum extern interface namespace struct union")
_BOUNDS = table_of("; { }")
_BRACES = table_of("{ }")
_DEFINITIONS = table_of("async class def")


def are_outside_of_functions(
    words: NDArray[np.int64], indents: NDArray[np.int64], places: NDArray[np.int64], language: str
) -> NDArray[np.bool_]:
    """Tell which places are not inside of functions, nor of a script.

    Args:
        words: ``(n,)`` symbols by their numbers.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.
        places: ``(m,)``, where statements begin, in order.
        language: Its canonical name.

    Returns:
        ``(m,) bool``.
    """
    ends = np.flatnonzero(words == END)
    texts = np.searchsorted(ends, places)
    found = [np.zeros(0, np.bool_)]
    for own in np.split(places, np.flatnonzero(np.diff(texts)) + 1) if len(places) else ():
        text = int(np.searchsorted(ends, own[0]))
        part = slice(int(ends[text - 1]) + 1 if text else 0, int(own[-1]) + 1)
        found.append(_of_text(words[part], indents[part], own - part.start, language))
    return np.concatenate(found)


def _of_text(
    words: NDArray[np.int64], indents: NDArray[np.int64], places: NDArray[np.int64], language: str
) -> NDArray[np.bool_]:
    if language == "python":
        return _in_classes(words, indents, places)
    return _in_bodies(words, places, outermost=language in _OF_FILES)


def _in_classes(
    words: NDArray[np.int64], indents: NDArray[np.int64], places: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Mark what is in a class of Python, and in no function inside it."""
    is_place = np.zeros(len(words), np.bool_)
    is_place[places] = True
    at = np.flatnonzero(is_place | (indents >= 0))
    found, opened = list[bool](), list[tuple[int, bool]]()
    for index, indent in zip(at.tolist(), indents[at].tolist(), strict=True):
        while opened and 0 <= indent <= opened[-1][0]:
            opened.pop()
        if is_place[index]:
            found.append(bool(opened) and opened[-1][1])
        elif _DEFINITIONS[words[index]]:
            opened.append((indent, bool(words[index] == _CLASS)))
    return np.array(found, np.bool_)


def _in_bodies(
    words: NDArray[np.int64], places: NDArray[np.int64], *, outermost: bool
) -> NDArray[np.bool_]:
    """Mark what is in the braces of a type, and what is in none where ``outermost``."""
    of_types = _bodies_of_types(words)
    is_item = _BRACES[words]
    is_item[places] = True
    at = np.flatnonzero(is_item)
    found, opened = list[bool](), [outermost]
    for index, word in zip(at.tolist(), words[at].tolist(), strict=True):
        if word == _BEGIN:
            opened.append(index in of_types)
        elif word != _END_OF_BLOCK:
            found.append(opened[-1])
        elif len(opened) > 1:
            opened.pop()
    return np.array(found, np.bool_)


def _bodies_of_types(words: NDArray[np.int64]) -> set[int]:
    """Give the braces behind ``class`` and the like, but not behind parameters."""
    bounds = np.flatnonzero(_BOUNDS[words])
    at = np.searchsorted(bounds, np.flatnonzero(_OF_TYPES[words]))
    opens = bounds[at[at < len(bounds)]]
    return set(opens[(words[opens] == _BEGIN) & (words[opens - 1] != _CLOSE)].tolist())
