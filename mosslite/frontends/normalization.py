"""Normalization of programs: removes what a copier can add, drop or change freely.

The symbols of a text are put in order, imports and annotations are left out, and the ends of lines
and blocks become symbols.

An annotation of names in Python, such as ``dict[str, int] | None``, runs no code that is written
there, and nothing reads it but what asks for the annotations of a function or module. So it counts
for nothing in the head of a function and of a variable with a value. But a decorator may read those
of its function, those in the body of a class are its fields, and ``x: int`` alone makes a variable
local.

In ``x = y`` and ``(z)`` below it, a line end is all that keeps the second from being a call in Ruby
or Go; in Python, indentation is all that marks the end of a loop. Such an end is a symbol of its
own, as ``;`` and ``}`` are elsewhere: the symbols around it stay the same wherever a line is copied
to.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends import symbols
from mosslite.frontends.imports import imports_in
from mosslite.frontends.program import (
    END,
    NAME,
    Program,
    SymbolText,
    begins_lines,
    compiled,
    depths_of,
    program_of,
)
from mosslite.frontends.symbols import symbol_set
from mosslite.frontends.text import Concatenation
from mosslite.frontends.tokens import PackedRows, Tokens
from mosslite.languages import Language
from mosslite.languages.rows import Lines, row_of
from mosslite.ranges import run_starts
from mosslite.records import TokenKind, TokenStream


def normalized(
    concatenation: Concatenation, tokens: Tokens, pieces: PackedRows, language: Language
) -> TokenStream:
    """Return the symbols by which submissions are compared, with ranges in the whole text.

    Args:
        concatenation: The texts, each a program of its own.
        tokens: Their tokens.
        pieces: Symbols of the distinct tokens.
        language: Language of the texts.
    """
    line_starts = concatenation.whole.line_starts
    program = program_of(tokens, pieces, line_starts, language.name)
    is_free = imports_in(program, language.name)
    if language.name == "python":
        is_free |= annotations_in(program.words, program.indents)
        is_free |= lone_strings_in(program.words, program.indents)
    program = without(program, is_free)
    rows, ends = ends_in(program.words, program.indents, language.name)
    is_own = program.words != END
    rows = np.cumsum(is_own)[rows - 1]
    program = program.where(is_own)
    codes = program.codes
    if row_of(language.name).lines is Lines.COMMANDS:
        codes[_SEPARATOR[program.words]] = _LINE
    before = program.stops[rows - 1]  # an end has no text: it is right behind what it ends
    return TokenStream(
        codes=np.insert(codes, rows, ends),
        lexemes=np.insert(program.lexemes, rows, ends),
        kinds=np.insert(program.kinds, rows, TokenKind.FRAME),
        starts=np.insert(program.starts, rows, before).astype(np.int32),
        stops=np.insert(program.stops, rows, before).astype(np.int32),
    )


def without(program: Program, is_free: NDArray[np.bool_]) -> Program:
    """Leave out symbols; the first that is left of a line begins it, as in ``import a; return b``.

    Args:
        program: The symbols.
        is_free: ``(n,)``, which ones are left out.
    """
    begins_line = begins_lines(program.words, program.indents)
    lines = np.cumsum(begins_line) - 1
    kept = np.flatnonzero(~is_free & (lines >= 0))
    firsts = kept[run_starts(lines[kept])]
    indents = program.indents.copy()
    indents[firsts] = program.indents[begins_line][lines[firsts]]
    return program._replace(indents=indents).where(~is_free)


# --- annotations of Python -----------------------------------------------------------------------

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
_CLASS, _DEFINITION = symbol_set("class"), symbol_set("async class def")


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
    firsts = words[begins_line]
    _, heads = _blocks_of(firsts, indents[begins_line], _DEFINITION[firsts])
    is_field[begins_line] = _CLASS[heads]
    for line, annotation in text.matches(_VARIABLE):
        is_free[annotation] = not is_field[line.start]
    return is_free


def lone_strings_in(words: NDArray[np.int64], indents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark strings that are a whole line outside brackets, as docstrings are; as above."""
    is_lone = np.zeros(len(words), np.bool_)
    for _, string in SymbolText(words, begins_lines(words, indents)).matches(_ALONE):
        is_lone[string] = True
    return is_lone


# --- ends of lines and blocks --------------------------------------------------------------------

_LINE, _BLOCK = np.uint64(symbols.END_OF_LINE), np.uint64(symbols.END_OF_BLOCK)

# A block by lines starts behind one of these words, also on the line of its head.
_HEADS: Final = symbol_set(
    "async case class def elif else except finally for func if match try while with"
)
_ENDS_VALUE: Final = symbol_set(") ] }", symbols.NAME, symbols.NUMBER, symbols.STRING, symbols.STEP)
_MAY_GO_ON: Final = symbol_set("( [ + - * & @", symbols.STRING)
_OPERAND: Final = symbol_set("", symbols.NAME, symbols.NUMBER)
_TAKES_VALUE: Final = symbol_set("break continue raise return throw yield")
_NO_VALUE: Final = symbol_set("; } *")
_SIGNS, _STEP = symbol_set("+ -"), symbol_set("", symbols.STEP)
_NO_OPERAND: Final = symbol_set(") ] } ; ,")
_GOES_ON: Final = symbol_set("; { ( & | do else in then", symbols.END)
_SEPARATOR: Final = symbol_set(";")
_DIRECTIVES: Final = symbol_set("# define `define `elsif `ifdef `ifndef `undef")


def ends_in(
    words: NDArray[np.int64], indents: NDArray[np.int64], language: str
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the symbols before which a line or blocks end, and the codes of these ends.

    Blocks end before an ``END``, too: a function reads alike at the end of a file and elsewhere.

    Args:
        words: ``(n,)``, symbol ids.
        indents: ``(n,)``, indentation of the line that a symbol starts, else -1.
        language: Its canonical name.

    Returns:
        ``(m,)`` ascending indices, repeated where several blocks end; and ``(m,)`` codes.
    """
    lines = row_of(language).lines
    rows = np.flatnonzero(begins_lines(words, indents) if lines is Lines.BLOCKS else indents >= 0)
    blocks = np.zeros(len(rows), np.int64)
    if lines in (Lines.BLOCKS, Lines.LAYOUT):
        is_deeper = np.append(np.diff(indents[rows]) > 0, False) & (words[rows] != END)
        opens = _HEADS[words[rows]] if lines is Lines.BLOCKS else is_deeper
        blocks[:], _ = _blocks_of(words[rows], indents[rows], opens)
    is_line = (blocks == 0) & _ends_statement(words, rows, lines)
    counts = blocks + is_line
    return np.repeat(rows, counts), np.repeat(np.where(is_line, _LINE, _BLOCK), counts)


def _blocks_of(
    words: NDArray[np.int64], indents: NDArray[np.int64], opens: NDArray[np.bool_]
) -> tuple[list[int], list[int]]:
    """Return how many blocks end before each line, and the head of the innermost that it is in.

    Args:
        words: ``(n,)``, first word of each line.
        indents: ``(n,)``, indentation of each.
        opens: ``(n,)``, which lines are the head of a block of deeper lines.

    Returns:
        Counts, and the first words of heads, 0 outside of blocks; ``n`` each.
    """
    opened: list[tuple[int, int]] = []
    counts, heads = [], []
    for word, indent, is_head in zip(words.tolist(), indents.tolist(), opens.tolist(), strict=True):
        count = len(opened)
        while opened and opened[-1][0] >= indent:
            opened.pop()
        counts.append(count - len(opened))
        heads.append(opened[-1][1] if opened else 0)
        if is_head:
            opened.append((indent, word))
    return counts, heads


def _ends_statement(
    words: NDArray[np.int64], rows: NDArray[np.int64], lines: Lines
) -> NDArray[np.bool_]:
    """Mark the lines that without their line end would go on with the line before."""
    before = words[rows - 1]  # that of the first is the separator behind all
    if lines is Lines.COMMANDS:
        return ~_GOES_ON[before]
    if lines is Lines.DIRECTIVES:
        return np.append(False, _DIRECTIVES[words[rows]])[:-1]
    if lines is Lines.WORDS:
        first, second, third = (words[np.minimum(rows + n, len(words) - 1)] for n in range(3))
        is_prefix = _SIGNS[first] & _STEP[second] & ~_NO_OPERAND[third]
        return _TAKES_VALUE[before] & ~_NO_VALUE[first] | _ENDS_VALUE[before] & is_prefix
    if lines in (Lines.BLOCKS, Lines.STATEMENTS):
        goes_on = _TAKES_VALUE[before] | _ENDS_VALUE[before] & _MAY_GO_ON[words[rows]]
        if lines is Lines.STATEMENTS:  # a name alone may take what is behind it, or be of its type
            is_alone = (np.diff(rows, prepend=-1) == 1) & (before == NAME)
            goes_on |= is_alone & _OPERAND[words[rows]]
        return goes_on
    return np.zeros(len(rows), np.bool_)
