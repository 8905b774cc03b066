"""The symbols of a program during normalization."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends import symbols
from mosslite.frontends.symbols import CODES, symbol_id
from mosslite.frontends.token_properties import GatheredProperties

NAME = symbol_id(symbols.NAME)
NUMBER = symbol_id(symbols.NUMBER)
STRING = symbol_id(symbols.STRING)
CONTINUATION = symbol_id(symbols.CONTINUATION)
IMPORT = symbol_id(symbols.IMPORT)
END = symbol_id(symbols.END)
STEP = symbol_id(symbols.STEP)

_KINDS = symbols.kinds_of(CODES)


class Program(NamedTuple):
    """Symbols in ``(n,)`` columns.

    Attributes:
        words: ``int64``, symbol id of each code, 0 if the code is that of the lexeme.
        written: ``int64``, symbol id of each lexeme, 0 if it has none.
        lexemes: ``uint64``, codes of the symbols' text.
        places: ``int64``, index of each symbol in the original program.
    """

    words: NDArray[np.int64]
    written: NDArray[np.int64]
    lexemes: NDArray[np.uint64]
    places: NDArray[np.int64]

    @property
    def codes(self) -> NDArray[np.uint64]:
        """Code of each symbol, by which symbols are compared, ``(n,) uint64``."""
        return np.where(self.words > 0, CODES[self.words], self.lexemes)

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """The ``TokenKind`` of each symbol, ``(n,) uint8``."""
        return _KINDS[self.words]

    def where(self, mask: NDArray[np.bool_]) -> Program:
        """Return the symbols that ``mask`` marks."""
        if mask.all():
            return self
        return self.part(np.flatnonzero(mask))

    def part(self, rows: NDArray[np.int64] | slice) -> Program:
        """Return some of the symbols."""
        return Program(
            words=self.words[rows],
            written=self.written[rows],
            lexemes=self.lexemes[rows],
            places=self.places[rows],
        )

    def joined(self, goes_on: NDArray[np.bool_]) -> Program:
        """Merge each symbol with those after it that ``goes_on`` marks; keep the first's code."""
        if not goes_on.any():
            return self
        firsts = np.flatnonzero(~goes_on)
        written = self.written.copy()
        written[:-1][goes_on[1:]] = 0  # a merged lexeme has no symbol id
        # A sum modulo 2^64 represents the text of all merged symbols.
        lexemes = np.add.reduceat(self.lexemes, firsts)
        return Program(self.words[firsts], written[firsts], lexemes, self.places[firsts])


def program_of(pieces: GatheredProperties) -> Program:
    """Return the program for the symbols of texts."""
    rows = pieces.rows
    return Program(
        words=rows["word"].astype(np.int64),
        written=rows["written"].astype(np.int64),
        lexemes=rows["wording"].copy(),
        places=np.arange(len(rows)),
    )
