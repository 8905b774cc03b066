"""Tells what stands inside of functions from what other files may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.normalization.assignments import GRAMMARS
from mosslite.frontends.normalization.program import END
from mosslite.frontends.symbol_ids import number_of_word, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mosslite.frontends.normalization.assignments import Grammar

__all__ = ["are_outside_of_functions"]

_BEGIN, _END_OF_BLOCK, _SEMICOLON, _OPEN, _CLOSE = map(number_of_word, "{};()")
_CLASS, _EXTENDS = map(number_of_word, ["class", "extends"])
_FUNCTIONS = table_of("def fn fun func function sub")
# Braces, and the words before those of a type.
_ITEMS = table_of(
    "{ } actor class def enum extension extern fn fun func function impl interface mixin mod "
    "namespace object protocol struct sub trait union"
)
_DEFINITIONS = table_of("async class def")
_INSIDE = table_of("( [ { ,")
_CLOSING = table_of(") ] }")


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
    is_python, grammar = language == "python", GRAMMARS[language]
    is_item = _begin_statements(words, indents) if is_python else _ITEMS[words]
    is_item[places] = True
    at = np.flatnonzero(is_item)
    found: list[bool] = []
    for text, own in _texts_of(words, at, places):
        if is_python:
            found.extend(_in_classes(words, indents, text, own))
        else:
            found.extend(_in_bodies(words, text, own, grammar))
    return np.array(found, np.bool_)


def _begin_statements(words: NDArray[np.int64], indents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which symbols begin a line that does not go on in brackets, as a head may."""
    begins = (indents >= 0) & ~_CLOSING[words]
    begins[1:] &= ~_INSIDE[words[:-1]]
    return begins


def _texts_of(
    words: NDArray[np.int64], items: NDArray[np.int64], places: NDArray[np.int64]
) -> Iterator[tuple[list[int], set[int]]]:
    """Return the items of each text that has places, up to the last of them, and these."""
    ends = np.append(-1, np.flatnonzero(words == END))
    texts = np.searchsorted(ends, places)
    lasts = np.flatnonzero(np.append(texts[1:], 0) != texts)
    starts = np.searchsorted(items, ends[texts[lasts] - 1], "right").tolist()
    stops = np.searchsorted(items, places[lasts], "right").tolist()
    own = set(places.tolist())
    for start, stop in zip(starts, stops, strict=True):
        yield items[start:stop].tolist(), own


def _in_classes(
    words: NDArray[np.int64], indents: NDArray[np.int64], items: list[int], places: set[int]
) -> Iterator[bool]:
    """Tell which places in a text of Python are in a class, and in no function inside it."""
    opened: list[tuple[int, bool]] = []
    of_items = zip(items, words[items].tolist(), indents[items].tolist(), strict=True)
    for index, word, indent in of_items:
        while opened and 0 <= indent <= opened[-1][0]:
            opened.pop()
        if index in places:
            yield bool(opened) and opened[-1][1]
        elif _DEFINITIONS[word]:
            opened.append((indent, word == _CLASS))


def _in_bodies(
    words: NDArray[np.int64], items: list[int], places: set[int], grammar: Grammar
) -> Iterator[bool]:
    """Tell which places in a text are in the braces of a type, or in none if it is no script."""
    opened, of_type = [not grammar.is_script], -1
    for index, word in zip(items, words[items].tolist(), strict=True):
        if index in places:
            yield opened[-1]
        elif word == _BEGIN:
            opened.append(of_type >= 0 and _is_head(words[of_type:index], grammar))
            of_type = -1
        elif word == _END_OF_BLOCK:
            of_type = -1
            if len(opened) > 1:
                opened.pop()
        else:
            of_type = -1 if _FUNCTIONS[word] else index


def _is_head(words: NDArray[np.int64], grammar: Grammar) -> bool:
    """Tell the head of a type, from ``class`` or the like on, from one of a function."""
    head = words.tolist()
    # ``class A extends f(B)``, ``struct __attribute__((packed))``
    is_of_type = (
        grammar.takes_parameters
        or head[-1] != _CLOSE
        or _EXTENDS in head
        or head[2:4] == [_OPEN, _OPEN]
    )
    return is_of_type and _SEMICOLON not in head
