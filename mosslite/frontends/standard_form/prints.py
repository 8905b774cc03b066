r"""Finds statements that print nothing but text.

======================================  ============
``printf("here\n");``  ``puts "here"``   a call
``System.out.println();``               of a member
``std::cout << "here" << std::endl;``   a stream
======================================  ============

The text itself is a trace, and counts as such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.standard_form.blocks import marked
from mosslite.frontends.standard_form.program import END, NAME, STRING
from mosslite.frontends.words import number_of_word, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.standard_form.program import Program

__all__ = ["prints_in"]

_PRINTS = table_of("Println WriteLine echo log print printf println puts")
_COUT, _ENDL = map(number_of_word, ["cout", "endl"])
_OPEN, _CLOSE, _COLON, _DOT, _LESS, _SEMICOLON = map(number_of_word, "():.<;")
_BEFORE_STATEMENT, _BEHIND_STATEMENT = table_of("; { }", symbols.END), table_of("}", symbols.END)

# A name is qualified by so many others, and a stream is given so many texts.
_MOST_NAMES: Final = 4
_MOST_TEXTS: Final = 8
# What may be looked at behind the last print: a stream's, and ``<< std::endl``.
_BEHIND: Final = 8


def prints_in(program: Program, indents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark statements that print text that is written out.

    Where lines end statements, a print must be on lines of its own; where semicolons do, layout
    decides nothing.

    Args:
        program: ``n`` symbols, the last of them an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.

    Returns:
        ``(n,) bool``.
    """
    length = len(program.words)
    # Before the first symbol is the last one, an end.
    words = np.append(program.words, [*[0] * _BEHIND, END])
    written = np.append(program.written, np.zeros(_BEHIND, np.int64))
    calls = np.flatnonzero(_PRINTS[program.written])
    streams = np.flatnonzero(program.written == _COUT)
    at = np.append(calls, streams)
    stops = np.append(_ends_of_calls(words, calls), _ends_of_streams(words, written, streams))
    firsts = _beginnings(words, at)
    begins_line = np.append(indents >= 0, np.zeros(_BEHIND, np.bool_))
    is_ended = words[stops] == _SEMICOLON
    is_whole = is_ended & _BEFORE_STATEMENT[words[firsts - 1]]
    is_line = _BEFORE_STATEMENT[words[firsts - 1]] | begins_line[firsts]
    is_line &= _BEHIND_STATEMENT[words[stops]] | begins_line[stops]
    is_line &= words[stops] != _DOT
    is_found = (stops > at) & (is_whole | is_line)
    return marked(length, firsts[is_found], (stops + is_ended)[is_found])


def _ends_of_calls(words: NDArray[np.int64], at: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give one past the last symbol of calls with one text or none, else where they begin."""
    is_bracketed = words[at + 1] == _OPEN
    insides = at + 1 + is_bracketed
    has_text = words[insides] == STRING
    stops = insides + has_text
    is_call = np.where(is_bracketed, words[stops] == _CLOSE, has_text)
    return np.where(is_call, stops + is_bracketed, at)


def _ends_of_streams(
    words: NDArray[np.int64], written: NDArray[np.int64], at: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Likewise, of streams that are given texts and ends of lines."""
    stops = at + 1
    for _ in range(_MOST_TEXTS):
        given = stops + len("<<")
        is_standard = (words[given + 1] == _COLON) & (words[given + 2] == _COLON)
        lasts = given + 3 * is_standard  # behind ``std::``
        is_text = (words[given] == STRING) | (written[lasts] == _ENDL)
        is_text &= (words[stops] == _LESS) & (words[stops + 1] == _LESS)
        stops = np.where(is_text, lasts + 1, stops)
    return np.where(stops > at + 1, stops, at)


def _beginnings(words: NDArray[np.int64], at: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give where the names begin that these are the last part of."""
    firsts = at
    for _ in range(_MOST_NAMES):
        is_member = words[firsts - 1] == _DOT
        is_inside = (words[firsts - 1] == _COLON) & (words[firsts - 2] == _COLON)
        before = firsts - np.where(is_inside, len("x::"), len("x."))
        is_named = (is_member | is_inside) & (before >= 0) & (words[before] == NAME)
        firsts = np.where(is_named, before, firsts)
    return firsts
