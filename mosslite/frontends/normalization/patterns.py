"""Regular expressions over symbols: a program as a string with one character for each symbol.

A text in a comment or string is no symbol, or a single one, so no pattern finds anything in it.
"""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends import symbols
from mosslite.frontends.symbols import symbol_id, symbol_id_of

_FIRST: Final = 0xE000  # of the characters for private use
_KINDS: Final = {
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
    return {found[3] for found in _ELEMENT.finditer(written) if found[3]} - _KINDS.keys()


def _element(found: re.Match[str]) -> str:
    own, sign, word = found.groups()
    if not (sign or word):
        return own or ""
    number = symbol_id(_KINDS[word]) if word in _KINDS else symbol_id_of(sign or word)
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
