"""Brings the tokens of programs to the form that submissions are compared in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends.normalization.dead_stores import dead_stores_in
from mosslite.frontends.normalization.no_ops import exception_handlers_in, macros_in, no_ops_in
from mosslite.frontends.normalization.program import END
from mosslite.frontends.normalization.reachability import reached_of
from mosslite.frontends.normalization.rewrites import rewritten
from mosslite.frontends.normalization.statements import Brackets, free_in, marked, positioned
from mosslite.frontends.symbols import symbol_id_of, symbol_set
from mosslite.frontends.text import Symbols

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.normalization.program import Program
    from mosslite.frontends.normalization.statements import PositionedSymbols
    from mosslite.frontends.text import Concatenation
    from mosslite.frontends.token_properties import TokenProperties
    from mosslite.frontends.tokens import Tokens
    from mosslite.languages import Language

__all__ = [
    "normalized",
]


_OPEN, _CLOSE, _COLON, _SEMICOLON = map(symbol_id_of, "():;")
_BEGIN, _DOT = map(symbol_id_of, "{.")
_ASSERT, _ELSE, _IF = map(symbol_id_of, ["assert", "else", "if"])
_FALSE = symbol_set("false False FALSE")
_HOLDS = symbol_set("1 true True TRUE")
_LITERALS = _HOLDS | _FALSE | symbol_set("0")
_THEN, _END_OF_BLOCK = symbol_id_of("then"), symbol_id_of("end")
_OTHERWISE = symbol_set("else elif elsif")

# The word, a literal in brackets, and what is behind them.
_LONGEST = 5

# What never runs has at most so many symbols: more are a program, and a macro can make it run.
_MOST_DEAD = 32


def _constants_in(
    program: Program, indents: NDArray[np.int64], brackets: Brackets
) -> NDArray[np.bool_]:
    """Mark written-out conditions, the braces around what always runs, and what never does.

    Where there is an ``else``, all stays, and so does a long block, though it never runs.

    Args:
        program: ``n`` symbols, the last of them an end.
        indents: ``(n,)``, how far the line that a symbol begins is indented, else -1.
        brackets: Of the program.

    Returns:
        ``(n,) bool``.
    """
    written = np.append(program.written, np.zeros(_LONGEST, np.int64))
    is_constant = np.zeros(len(program.words), np.bool_)
    at = np.flatnonzero((written == _IF) | (written == _ASSERT))
    is_bracketed = (written[at + 1] == _OPEN) & (written[at + 3] == _CLOSE)
    literals = written[at + 1 + is_bracketed]
    stops = at + 2 + 2 * is_bracketed
    is_found = _LITERALS[literals] & (written[at - 1] != _DOT)
    at, stops, holds = at[is_found], stops[is_found], _HOLDS[literals[is_found]]
    if len(at):
        is_assert = written[at] == _ASSERT
        is_constant |= _asserts(written, indents, at[is_assert & holds], stops[is_assert & holds])
        is_never = ~is_assert & _FALSE[written[stops - 1 - is_bracketed[is_found]]]
        heads = zip(at[is_never].tolist(), stops[is_never].tolist(), strict=True)
        for first, stop in heads:
            is_constant[first : _end_of_dead_lines(program.words, indents, first, stop)] = True
        is_constant |= _branches(
            program.words, brackets, (at[~is_assert], stops[~is_assert]), holds[~is_assert]
        )
    return is_constant


def _asserts(
    written: NDArray[np.int64],
    indents: NDArray[np.int64],
    firsts: NDArray[np.int64],
    stops: NDArray[np.int64],
) -> NDArray[np.bool_]:
    is_semicolon = written[stops] == _SEMICOLON
    is_last = is_semicolon | (indents[stops] >= 0) | (written[stops] == 0)
    return marked(len(indents), firsts[is_last], (stops + is_semicolon)[is_last])


def _branches(
    words: NDArray[np.int64],
    brackets: Brackets,
    heads: tuple[NDArray[np.int64], NDArray[np.int64]],
    holds: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Mark the heads of branches that always run with their braces, and those that never do."""
    firsts, stops = heads
    ends = np.where(words[stops] == _BEGIN, brackets.partners_of(stops), -1)
    is_block, is_line = ends > stops, words[stops] == _COLON
    is_bare = (words[stops - 1] == _CLOSE) & (words[stops] != _ELSE)
    is_kept = is_block & (words[np.minimum(ends + 1, len(words) - 1)] == _ELSE)
    runs = holds & ~is_kept & (is_block | is_line | is_bare)
    never = ~holds & ~is_kept & is_block & (ends - stops <= _MOST_DEAD)
    begins = firsts - (words[firsts - 1] == _ELSE)
    is_marked = marked(len(words), firsts[runs], (stops + (is_block | is_line))[runs])
    is_marked[ends[runs & is_block]] = True
    return is_marked | marked(len(words), begins[never], ends[never] + 1)


def _end_of_dead_lines(
    words: NDArray[np.int64], indents: NDArray[np.int64], first: int, stop: int
) -> int:
    """Return where the block ends that is indented behind a condition; ``first`` where none is.

    An ``end`` on a line of its own belongs to it.
    """
    body = min(stop + int(words[stop] == _COLON or words[stop] == _THEN), len(words) - 1)
    ends = range(body, min(first + _MOST_DEAD, len(words)))
    margin, is_colon = int(indents[first]), bool(words[stop] == _COLON)
    is_indented = indents[body] > margin or (is_colon and indents[body] < 0)
    if margin < 0 or not is_indented:
        return first
    behind = next((at for at in ends if 0 <= indents[at] <= margin), -1)
    if behind < 0 or _OTHERWISE[words[behind]]:
        return first
    is_closed = words[behind] == _END_OF_BLOCK
    return behind + int(is_closed) if is_closed or is_colon else first


# Where fewer symbols would be left, junk is all that there is to compare.
_ENOUGH: Final = 16


def _dead_code_in(positions: PositionedSymbols, text: str, language: str) -> NDArray[np.bool_]:
    """Mark dead code in texts that are more than a few symbols without it.

    Args:
        positions: ``n`` symbols; each text ends in an end.
        text: All texts.
        language: Its canonical name.

    Returns:
        ``(n,) bool``.
    """
    program, indents = positions.program, positions.indents
    if not len(program.words):
        return np.zeros(0, np.bool_)
    brackets = Brackets(program.words)
    is_dead = dead_stores_in(positions, text, language, brackets)
    is_dead |= _constants_in(program, indents, brackets) | exception_handlers_in(
        program, indents, brackets
    )
    is_dead |= no_ops_in(program, indents) | macros_in(program, indents, language)
    ends = np.flatnonzero(program.words == END)
    at = np.flatnonzero(is_dead)
    texts = np.searchsorted(ends, at)
    left = np.diff(ends, prepend=-1) - 1 - np.bincount(texts, minlength=len(ends))
    is_dead[at] = left[texts] >= _ENOUGH
    return is_dead


def normalized(
    concatenation: Concatenation, tokens: Tokens, properties: TokenProperties, language: Language
) -> Symbols:
    """Return the symbols that tell submissions apart.

    Args:
        concatenation: The texts, each by itself a program.
        tokens: What their lexer made of them.
        properties: What is to know of these tokens.
        language: What the texts are written in.
    """
    positions = positioned(properties.pieces.gathered(tokens), concatenation.whole.line_starts)
    is_reached = reached_of(concatenation, positions, properties.names, language)
    is_free = free_in(positions.program, positions.indents, language.name)
    is_free |= _dead_code_in(positions, concatenation.whole.text, language.name)
    program = positions.program.where(~is_free)
    program = rewritten(program, language.name, positions.indents >= 0)
    program = program.where(program.words != END)
    return Symbols(
        codes=program.codes,
        lexemes=program.lexemes,
        kinds=program.kinds,
        starts=positions.starts[program.places],
        stops=positions.stops[program.places],
        is_reached=is_reached[program.places],
    )
