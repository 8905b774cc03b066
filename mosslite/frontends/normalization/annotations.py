"""Finds annotations in Python that a copier can add and drop freely.

An annotation of names, such as ``dict[str, int] | None``, runs no code that is written there, and
nothing reads it but what asks for the annotations of a function or module. So it counts for nothing
in the head of a function and of a variable with a value. But a decorator may read those of its
function, those in the body of a class are its fields, and ``x: int`` alone makes a variable local.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends.normalization.patterns import SymbolText, compiled
from mosslite.frontends.normalization.program import begins_lines, depths_of
from mosslite.frontends.symbols import symbol_set

_PART: Final = r"NAME NUMBER STRING None \. \|"
_LIST: Final = rf"\[ (?: [{_PART} \,] | \[ (?: [{_PART} \,] | \[ [{_PART} \,]*+ \] )*+ \] )*+ \]"
_ANNOTATION: Final = rf"(?: [{_PART}] | {_LIST} )++"
_VARIABLE: Final = compiled(rf"\n NAME (?: \. NAME )*+ ( \: {_ANNOTATION} ) \= (?!\=)")
_PARAMETER: Final = compiled(rf"[\( \, \*] NAME ( \: {_ANNOTATION} ) (?= [\, \= \)])")
# In a lambda, a colon does not start an annotation.
_HEAD: Final = compiled(
    r"(\n \@ [^\n]*+)? \n async? def NAME (\( [^\n lambda]*? \)) " + rf"( \- \> {_ANNOTATION} )? \:"
)
_ALONE: Final = compiled(r"\n (STRING) (?= \n | \Z)")
_CLASS, _BLOCK = symbol_set("class"), symbol_set("async class def")


def annotations_in(words: NDArray[np.int64], indents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark annotations that count for nothing, from their colon or arrow on, ``(n,) bool``.

    Args:
        words: ``(n,)``, symbol ids.
        indents: ``(n,)``, indentation of the line that a symbol starts, else -1.
    """
    depths = depths_of(words)
    begins_line = begins_lines(words, indents)
    text = SymbolText(words, begins_line)
    is_free, is_head = np.zeros((2, len(words)), np.bool_)
    for _, decorator, parameters, result in text.matches(_HEAD):
        if decorator.start == decorator.stop and depths[parameters.stop - 1] == 0:
            is_head[parameters], is_free[result] = True, True
    for _, annotation in text.matches(_PARAMETER):
        is_free[annotation] = is_head[annotation.start] and depths[annotation.start] == 1
    is_field = np.zeros(len(words), np.bool_)
    is_field[begins_line] = _are_in_classes(words[begins_line], indents[begins_line])
    for line, annotation in text.matches(_VARIABLE):
        is_free[annotation] = not is_field[line.start]
    return is_free


def lone_strings_in(words: NDArray[np.int64], indents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark strings that are a whole line outside brackets, as docstrings are; as above."""
    is_lone = np.zeros(len(words), np.bool_)
    for _, string in SymbolText(words, begins_lines(words, indents)).matches(_ALONE):
        is_lone[string] = True
    return is_lone


def _are_in_classes(words: NDArray[np.int64], indents: NDArray[np.int64]) -> list[bool]:
    """Mark the lines directly in the body of a class, given their first words and indentation."""
    opened: list[tuple[int, bool]] = []
    found = []
    for indent, opens, is_class in zip(
        indents.tolist(), _BLOCK[words].tolist(), _CLASS[words].tolist(), strict=True
    ):
        while opened and opened[-1][0] >= indent:
            opened.pop()
        found.append(bool(opened) and opened[-1][1])
        if opens:
            opened.append((indent, is_class))
    return found
