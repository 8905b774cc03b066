"""Finds the ends of lines and blocks that are part of the program, though no sign marks them.

In ``x = y`` and ``(z)`` below it, a line end is all that keeps the second from being a call in Ruby
or Go; in Python, indentation is all that marks the end of a loop. Such an end is a symbol of its
own, as ``;`` and ``}`` are elsewhere: the symbols around it stay the same wherever a line is copied
to.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends import symbols
from mosslite.frontends.normalization.program import END, NAME, begins_lines
from mosslite.frontends.symbols import symbol_set
from mosslite.languages.rows import Lines, row_of

_LINE, _BLOCK = np.uint64(symbols.END_OF_LINE), np.uint64(symbols.END_OF_BLOCK)

# A block by lines starts behind one of these words, also on the line of its head.
_HEADS: Final = symbol_set(
    "async case class def elif else except finally for func if match try while with"
)
_ENDS_VALUE: Final = symbol_set(") ] }", symbols.NAME, symbols.NUMBER, symbols.STRING, symbols.STEP)
_MAY_GO_ON: Final = symbol_set("( [ + - * & @ .", symbols.STRING)
_OPERAND: Final = symbol_set("", symbols.NAME, symbols.NUMBER)
_TAKES_VALUE: Final = symbol_set("break continue raise return throw yield")
_NO_VALUE: Final = symbol_set("; } *")
_SIGNS, _STEP = symbol_set("+ -"), symbol_set("", symbols.STEP)
_NO_OPERAND: Final = symbol_set(") ] } ; ,")
_GOES_ON: Final = symbol_set("; { ( & | do else then", symbols.END)
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
        blocks[:] = _ended_blocks(words[rows], indents[rows], lines)
    is_line = (blocks == 0) & _ends_statement(words, rows, lines)
    counts = blocks + is_line
    return np.repeat(rows, counts), np.repeat(np.where(is_line, _LINE, _BLOCK), counts)


def _ended_blocks(words: NDArray[np.int64], indents: NDArray[np.int64], lines: Lines) -> list[int]:
    """Return how many blocks end before each line, given its first word and indentation."""
    is_deeper = np.append(np.diff(indents) > 0, False)
    is_head = _HEADS[words] if lines is Lines.BLOCKS else is_deeper & (words != END)
    opened: list[int] = []
    counts = []
    for indent, opens in zip(indents.tolist(), is_head.tolist(), strict=True):
        count = len(opened)
        while opened and opened[-1] >= indent:
            opened.pop()
        counts.append(count - len(opened))
        if opens:
            opened.append(indent)
    return counts


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
