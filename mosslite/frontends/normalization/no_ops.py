"""Finds code that changes nothing: no-ops, empty handlers and unused macros."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.normalization.dead_stores import are_outside_of_functions, are_read
from mosslite.frontends.normalization.program import END, NAME
from mosslite.frontends.normalization.statements import marked
from mosslite.frontends.symbols import symbol_id_of, symbol_set
from mosslite.ranges import expand_ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.normalization.program import Program
    from mosslite.frontends.normalization.statements import Brackets

    _Ranges = tuple[NDArray[np.int64], NDArray[np.int64]]

__all__ = [
    "exception_handlers_in",
    "macros_in",
    "no_ops_in",
]


_OPEN, _CLOSE, _COLON, _SEMICOLON, _EQUALS = map(symbol_id_of, "():;=")
_BEGIN, _END_OF_BLOCK = map(symbol_id_of, "{}")
_ELSE, _IF, _PASS = map(symbol_id_of, ["else", "if", "pass"])
_BEFORE_STATEMENT = symbol_set("; { }", symbols.END)
_BEFORE_IF = _BEFORE_STATEMENT | symbol_set("else")
_ENDS = _BEFORE_STATEMENT | symbol_set(":")
_INSIDE = symbol_set("( [ { ,")
_GOES_ON = symbol_set("else elif")
_CALLED = symbol_set(") ]", symbols.NAME)
_STEPS = symbol_set("+ -")
_BEFORE_EQUALS = symbol_set("= ! < >")
_HARMLESS = symbol_set(
    "( ) [ ] . + - * / % & | ^ < > = ! and in is not or true false null nullptr None True False",
    *(symbols.NAME, symbols.NUMBER, symbols.STRING),
)
# Two for what is behind the last symbol.
_BEHIND = [0, 0]


def no_ops_in(program: Program, indents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark names that are given their own value, and conditions that nothing depends on.

    Args:
        program: ``n`` symbols, the last of them an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.

    Returns:
        ``(n,) bool``.
    """
    begins_line = np.append(indents >= 0, [True, True])
    is_no_op = marked(len(program.words), *_own_values(program, begins_line))
    at = np.flatnonzero(program.written == _IF)
    if len(at):
        is_no_op |= marked(len(program.words), *_empty_branches(program, at, begins_line))
    return is_no_op


def _own_values(program: Program, begins_line: NDArray[np.bool_]) -> _Ranges:
    """Return the statements ``x = x``, each with a semicolon behind it or on a line of its own."""
    words, lexemes = np.append(program.words, _BEHIND), np.append(program.lexemes, _BEHIND)
    at = np.flatnonzero(program.words == _EQUALS)
    at = at[(words[at - 1] == NAME) & (words[at + 1] == NAME)]
    firsts = at[lexemes[at - 1] == lexemes[at + 1]] - 1
    before, behind = program.words[firsts - 1], words[firsts + 3]
    is_ended = behind == _SEMICOLON
    is_line = begins_line[firsts] & ~_INSIDE[before] & (begins_line[firsts + 3] | (behind == END))
    is_statement = np.where(is_ended, _BEFORE_STATEMENT[before], is_line)
    return firsts[is_statement], (firsts + 3 + is_ended)[is_statement]


def _empty_branches(
    program: Program, at: NDArray[np.int64], begins_line: NDArray[np.bool_]
) -> _Ranges:
    """Mark each ``if`` with an empty body, with the ``else`` before it."""
    words = np.append(program.words, _BEHIND)
    ends = np.flatnonzero(_ENDS[program.words])
    ends = ends[np.searchsorted(ends, at)]  # of the condition
    is_bracketed = (words[at + 1] == _OPEN) & (words[ends - 1] == _CLOSE)
    is_block = is_bracketed & (words[ends] == _BEGIN) & (words[ends + 1] == _END_OF_BLOCK)
    is_line = begins_line[at] & (words[ends] == _COLON) & (words[ends + 1] == _PASS)
    is_bare = is_bracketed & (words[ends] == _SEMICOLON)
    stops = ends + 1 + (is_block | is_line)
    before, behind = program.words[at - 1], words[stops]
    is_found = (is_block | is_bare) & _BEFORE_IF[before]
    is_found |= is_line & (begins_line[stops] | (behind == END))
    is_found &= ~_GOES_ON[behind] & (at + 1 < ends)
    is_found[is_found] = _are_harmless(words, at[is_found] + 1, ends[is_found])
    return (at - (before == _ELSE))[is_found], stops[is_found]


def _are_harmless(
    words: NDArray[np.int64], firsts: NDArray[np.int64], stops: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return for conditions, of at least a symbol, whether they neither call, step nor assign."""
    if not len(firsts):
        return np.zeros(0, np.bool_)
    lengths = stops - firsts
    rows = expand_ranges(firsts, lengths)
    here, before, behind = words[rows], words[rows - 1], words[rows + 1]
    is_call = (here == _OPEN) & _CALLED[before]
    is_step = (here == before) & _STEPS[here]
    is_assigned = (here == _EQUALS) & ~_BEFORE_EQUALS[before] & (behind != _EQUALS)
    is_harmless = _HARMLESS[here] & ~(is_call | is_step | is_assigned)
    are_harmless: NDArray[np.bool_] = np.logical_and.reduceat(
        is_harmless, np.cumsum(lengths) - lengths
    )
    return are_harmless


_DOT = symbol_id_of(".")
_TRY, _CATCH, _EXCEPT = map(symbol_id_of, ["try", "catch", "except"])
_HANDLING = symbol_set("try catch except")

# The head of a handler has fewer symbols.
_MOST_CAUGHT = 64


def exception_handlers_in(
    program: Program, indents: NDArray[np.int64], brackets: Brackets
) -> NDArray[np.bool_]:
    """Mark ``try`` with the braces around what is tried, and handlers that do nothing.

    Args:
        program: ``n`` symbols, the last of them an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.
        brackets: Of the program.

    Returns:
        ``(n,) bool``.
    """
    words, length = program.words, len(program.words)
    if not _HANDLING[program.written].any():
        return np.zeros(length, np.bool_)
    handled = np.flatnonzero(program.written == _TRY)
    behind = np.append(words, [0, 0])
    lasts = brackets.partners_of(handled + 1)
    is_block, is_line = lasts >= 0, words[handled + 1] == _COLON
    is_block &= words[handled + 1] == _BEGIN
    is_trying = is_block | is_line
    is_marked = marked(length, handled[is_trying], handled[is_trying] + 2)
    is_marked[lasts[is_block]] = True
    for firsts, stops in (_catches(program, behind, brackets), _excepts(program, behind, indents)):
        is_marked |= marked(length, firsts, stops)
    return is_marked


def _catches(
    program: Program, words: NDArray[np.int64], brackets: Brackets
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the handlers in braces that hold nothing: where each begins and ends."""
    at = np.flatnonzero((program.written == _CATCH) & (np.roll(program.words, 1) != _DOT))
    closing = brackets.partners_of(at + 1)
    is_headed = (words[at + 1] == _OPEN) & (closing >= 0)
    begins = np.where(is_headed, closing, at) + 1
    is_empty = (words[begins] == _BEGIN) & (words[begins + 1] == _END_OF_BLOCK)
    is_empty &= begins - at < _MOST_CAUGHT
    return at[is_empty], begins[is_empty] + 2


def _excepts(
    program: Program, words: NDArray[np.int64], indents: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Likewise, those on lines that only ``pass``."""
    at = np.flatnonzero(program.written == _EXCEPT)
    stops = np.flatnonzero((program.words == _COLON) | (program.words == END))
    colons = stops[np.searchsorted(stops, at)]
    passes = colons + 1
    is_empty = (words[colons] == _COLON) & (words[passes] == _PASS) & (passes - at < _MOST_CAUGHT)
    is_empty &= np.append(indents, [0, 0])[np.minimum(passes + 1, len(indents))] >= 0
    return at[is_empty], passes[is_empty] + 1


_DEFINE: Final = symbol_id_of("define")
_HEAD: Final = 2  # the word and the macro's name
_LANGUAGES: Final = frozenset({"c", "cpp"})

# A body of so few of these is a value or a type.
_MOST_OF_VALUE: Final = 4
_OF_VALUES: Final = symbol_set(
    "( ) + - const long short signed static unsigned", symbols.NAME, symbols.NUMBER, symbols.STRING
)


def macros_in(program: Program, indents: NDArray[np.int64], language: str) -> NDArray[np.bool_]:
    """Mark the definitions of macros that are empty or never used.

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
