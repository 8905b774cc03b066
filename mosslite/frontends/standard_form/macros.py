"""Finds macros of C that come and go freely.

================================  ==============================================
what is written                   where
================================  ==============================================
``#define N 10``                  anywhere: the name of a value or of a type
``#define DEBUG``                 anywhere
``#define F(x) ((x) * 2)``        in a function, where nothing else mentions it
================================  ==============================================

The body of any other is compared: a program can be written in macros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.standard_form.blocks import marked
from mosslite.frontends.standard_form.dead_stores import are_read
from mosslite.frontends.standard_form.program import END
from mosslite.frontends.standard_form.scopes import are_outside_of_functions
from mosslite.frontends.words import number_of_word, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.standard_form.program import Program

__all__ = ["macros_in"]

_DEFINE: Final = number_of_word("define")
_HEAD: Final = 2  # the word and the macro's name
_LANGUAGES: Final = frozenset({"c", "cpp"})

# A body of so few of these is a value or a type.
_MOST_OF_VALUE: Final = 4
_OF_VALUES: Final = table_of(
    "( ) + - const long short signed static unsigned", symbols.NAME, symbols.NUMBER, symbols.STRING
)


def macros_in(program: Program, indents: NDArray[np.int64], language: str) -> NDArray[np.bool_]:
    """Mark the definitions of macros that say nothing, or nothing that is used.

    Args:
        program: ``n`` symbols; each text ends in an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.
        language: Its canonical name.

    Returns:
        ``(n,) bool``.
    """
    words = program.words
    firsts = np.flatnonzero(words == _DEFINE) if language in _LANGUAGES else np.zeros(0, np.int64)
    if not len(firsts):
        return np.zeros(len(words), np.bool_)
    ends = np.flatnonzero((indents >= 0) | (words == END) | (words == _DEFINE))
    stops = ends[np.searchsorted(ends, firsts + 1)]
    lengths = stops - firsts - _HEAD
    others = np.append(0, np.cumsum(~_OF_VALUES[words]))
    is_free = (lengths <= _MOST_OF_VALUE) & (others[stops] == others[firsts + _HEAD])
    around = np.where(marked(len(words), firsts, stops), 0, words)  # a macro may be half a block
    is_inside = ~are_outside_of_functions(around, indents, firsts, language)
    is_free |= is_inside & ~are_read(program, firsts + 1, np.flatnonzero(words == END))
    return marked(len(words), firsts[is_free], stops[is_free])
