"""A program as symbols: in columns, and as a string that regular expressions are searched in.

The string has one character for each symbol. A text in a comment or string is no symbol, or a
single one, so no expression finds anything in it.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends import symbols
from mosslite.frontends.symbols import CODES, symbol_id, symbol_id_of, symbol_set
from mosslite.frontends.tokens import PackedRows, Tokens
from mosslite.languages.rows import Joins, row_of

NAME = symbol_id(symbols.NAME)
NUMBER = symbol_id(symbols.NUMBER)
STRING = symbol_id(symbols.STRING)
CONTINUATION = symbol_id(symbols.CONTINUATION)
END = symbol_id(symbols.END)
STEP = symbol_id(symbols.STEP)

_KINDS = symbols.kinds_of(CODES)
_OPEN, _CLOSE = map(symbol_set, ("( [ {", ") ] }"))
_LESS, _MINUS = map(symbol_id_of, "<-")
_STEPS = symbol_set("+ -")
_POINT = symbol_id_of(".")
_ENDS_OPERAND = symbol_set(") ] } .", symbols.NAME, symbols.NUMBER, symbols.STRING)
_EXPONENTS = np.array([*map(symbols.code_of, "eEdD")], np.uint64)


class Program(NamedTuple):
    """Symbols in ``(n,)`` columns.

    Attributes:
        words: ``int64``, symbol id of each code, 0 if the code is that of the lexeme.
        written: ``int64``, symbol id of each lexeme, 0 if it has none.
        lexemes: ``uint64``, codes of the symbols' text.
        starts: ``int64``, first character of each.
        stops: ``int64``, one past the last character of each.
        indents: ``int64``, indentation of the line that a symbol starts, -1 for symbols that start
            none; 0 for ``END``.
    """

    words: NDArray[np.int64]
    written: NDArray[np.int64]
    lexemes: NDArray[np.uint64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    indents: NDArray[np.int64]

    @property
    def codes(self) -> NDArray[np.uint64]:
        """Code of each symbol, by which symbols are compared, ``(n,) uint64``."""
        return np.where(self.words > 0, CODES[self.words], self.lexemes)

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """The ``TokenKind`` of each symbol, ``(n,) uint8``."""
        return _KINDS[self.words]

    def where(self, mask: NDArray[np.bool_]) -> "Program":
        """Return the symbols that ``mask`` marks."""
        return Program(*(column[mask] for column in self))  # type: ignore[arg-type] # all in order


def program_of(
    tokens: Tokens, pieces: PackedRows, line_starts: NDArray[np.int64], language: str
) -> Program:
    """Assemble a program from the pieces of its tokens.

    Line ends that end no line are removed. The quotes, text and escapes of a string become one
    symbol, and so do strings that the language joins.

    Args:
        tokens: The tokens of a text.
        pieces: Symbols of the distinct tokens.
        line_starts: ``(m,) int64``, first character of each line.
        language: Its canonical name.
    """
    rows, starts = pieces.gathered(tokens)
    is_line_end = rows["word"] == CONTINUATION
    if is_line_end.any():
        line_starts = np.setdiff1d(line_starts, starts[is_line_end] + len("\\\n"))
        rows, starts = rows[~is_line_end], starts[~is_line_end]
    words, written = rows["word"].astype(np.int64), rows["written"].astype(np.int64)
    lexemes, stops = rows["wording"].copy(), starts + rows["length"]
    of_number, is_leading = _of_numbers(words, lexemes, starts, stops, row_of(language).multiplies)
    words[is_leading] = NUMBER
    goes_on = _goes_on(words, starts, stops, _indents(starts, line_starts), language) | of_number
    if goes_on.any():
        firsts = np.flatnonzero(~goes_on)
        written[:-1][goes_on[1:]] = 0  # a merged lexeme has no symbol id
        # A sum modulo 2^64 represents the text of all merged symbols.
        lexemes = np.add.reduceat(lexemes, firsts)
        stops = stops[np.append(firsts[1:], len(starts)) - 1]
        words, written, starts = words[firsts], written[firsts], starts[firsts]
    indents = np.where(words == END, 0, _indents(starts, line_starts))
    words = _with_steps(words, starts, stops, language)
    return Program(words, written, lexemes, starts, stops, indents)


def _of_numbers(
    words: NDArray[np.int64],
    lexemes: NDArray[np.uint64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    multiplies: bool,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark parts of numbers that lexers split, as in ``1.5e-3`` and ``0xFF``, and points before."""
    touches = np.append(False, starts[1:] == stops[:-1])[: len(words)]
    is_number, is_point = words == NUMBER, words == _POINT
    is_behind, is_before = touches & np.roll(is_number, 1), np.roll(touches & is_number, -1)
    part = is_behind & (is_number | (words == NAME) & (not multiplies))
    sign = _STEPS[words] & touches & np.roll(part & np.isin(lexemes, _EXPONENTS), 1) & is_before
    point = is_point & is_behind & is_before & ~np.roll(touches & np.roll(is_point, 1), 1)
    leading = is_point & is_before & ~_ENDS_OPERAND[np.roll(words, 1)]
    inner = sign | point
    return part | inner | np.roll(inner | leading, 1), leading


def _goes_on(
    words: NDArray[np.int64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    indents: NDArray[np.int64],
    language: str,
) -> NDArray[np.bool_]:
    """Mark strings, and parts of strings or names, that are one with what is before them."""
    is_string, is_name = words == STRING, words == NAME
    row = row_of(language)
    if row.splits_names:
        is_name |= words == NUMBER
    goes_on = np.zeros(len(words), np.bool_)
    goes_on[1:] = (is_string[1:] & is_string[:-1]) | (is_name[1:] & is_name[:-1])
    rows = np.flatnonzero(goes_on)
    goes_on[rows] = starts[rows] == stops[rows - 1]
    rows = rows[~goes_on[rows] & is_string[rows]]
    if row.joins is not Joins.NOWHERE and len(rows):
        is_joined = (indents[rows] < 0) | (row.joins is Joins.LINES)
        if row.joins is Joins.BRACKETS:
            is_joined |= depths_of(words)[rows] > 0
        goes_on[rows] = is_joined
    return goes_on


def _with_steps(
    words: NDArray[np.int64], starts: NDArray[np.int64], stops: NDArray[np.int64], language: str
) -> NDArray[np.int64]:
    """Replace every second sign of ``++`` and ``--``, from the left as in ``a+++b``.

    Likewise that of an arrow: ``a<-b`` is not ``a < -b``.
    """
    touches = np.zeros(len(words), np.bool_)
    touches[1:] = starts[1:] == stops[:-1]
    goes_on = touches & _STEPS[words]
    goes_on[1:] &= words[1:] == words[:-1]
    places = np.arange(len(words))
    run_starts = np.maximum.accumulate(np.where(goes_on, 0, places))
    is_step = (places - run_starts) % 2 == 1
    if row_of(language).has_arrows:
        is_step[1:] |= touches[1:] & (words[:-1] == _LESS) & (words[1:] == _MINUS)
    return np.where(is_step, STEP, words)


def _indents(starts: NDArray[np.int64], line_starts: NDArray[np.int64]) -> NDArray[np.int64]:
    indents = np.full(len(starts) + 1, -1)
    firsts = np.searchsorted(starts, line_starts)
    # Empty lines above a symbol have the same first symbol: the last of these lines counts.
    indents[firsts] = np.append(starts, 0)[firsts] - line_starts
    return indents[:-1]


def depths_of(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the brackets open around each token; unmatched brackets are ignored."""
    is_open, is_close, is_end = _OPEN[words], _CLOSE[words], words == END
    levels = np.cumsum(is_open.astype(np.int64) - is_close)
    if (levels < 0).any() or levels[is_end].any() or levels[-1:].any():
        return _depths_of_partners(is_open, is_close, is_end)
    depths: NDArray[np.int64] = levels - is_open
    return depths


def _depths_of_partners(
    is_open: NDArray[np.bool_], is_close: NDArray[np.bool_], is_end: NDArray[np.bool_]
) -> NDArray[np.int64]:
    opened: list[int] = []
    steps = np.zeros(len(is_open) + 1, np.int64)
    for index in np.flatnonzero(is_open | is_close | is_end).tolist():
        if is_open[index]:
            opened.append(index)
        elif is_end[index]:
            opened.clear()
        elif opened:
            steps[opened.pop() + 1] += 1
            steps[index] -= 1
    return np.cumsum(steps[:-1])


def begins_lines(words: NDArray[np.int64], indents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the first symbols of lines outside of brackets; ``)`` belongs to the line of its ``(``.

    Args:
        words: ``(n,)``, symbol ids.
        indents: ``(n,)``, indentation of the line that a symbol starts, else -1.
    """
    begins: NDArray[np.bool_] = (indents >= 0) & (depths_of(words) == 0) & ~_CLOSE[words]
    return begins


_FIRST: Final = 0xE000  # of the characters for private use
_NAMED: Final = {
    "NAME": symbols.NAME,
    "NUMBER": symbols.NUMBER,
    "STRING": symbols.STRING,
    "END": symbols.END,
}
_ELEMENT: Final = re.compile(r"(\\n|\\[AZ])|\\([^\w\s])|([#@`]?[A-Za-z_][\w-]*)|\s+")


def compiled(written: str) -> re.Pattern[str]:
    r"""Compile an expression in which each word is a symbol, and blanks are ignored.

    Kinds of symbols are in capitals, a sign has a backslash, and ``\n`` is the start of a line.
    The expression may start and end with ``\A`` and ``\Z``.
    """
    return re.compile(_ELEMENT.sub(_element, written))


def words_in(written: str) -> set[str]:
    """Return the words of an expression."""
    return {found[3] for found in _ELEMENT.finditer(written) if found[3]} - _NAMED.keys()


def _element(found: re.Match[str]) -> str:
    own, sign, word = found.groups()
    if not (sign or word):
        return own or ""
    number = symbol_id(_NAMED[word]) if word in _NAMED else symbol_id_of(sign or word)
    return chr(_FIRST + number)


class SymbolText:
    """The symbols of a program as a string, in which each line starts with a line end."""

    def __init__(self, numbers: NDArray[np.int64], begins_line: NDArray[np.bool_]) -> None:
        lines = np.flatnonzero(begins_line)
        characters = np.insert(numbers + _FIRST, lines, ord("\n")).astype("<u4")
        self._text = characters.tobytes().decode("utf-32-le")
        is_symbol = characters != ord("\n")
        self._places = np.append(np.cumsum(is_symbol) - is_symbol, len(numbers)).tolist()

    def matches(self, pattern: re.Pattern[str]) -> Iterator[list[slice]]:
        """Yield the symbols that a pattern and each of its groups match."""
        for found in pattern.finditer(self._text):
            spans = map(found.span, range(pattern.groups + 1))
            yield [
                slice(self._places[max(first, 0)], self._places[max(stop, 0)])
                for first, stop in spans
            ]
