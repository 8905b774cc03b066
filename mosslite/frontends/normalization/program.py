"""The symbols of a program while they are brought to the form that submissions are compared in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.symbols import CODES, symbol_id

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.token_properties import GatheredProperties

__all__ = ["CONTINUATION", "END", "IMPORT", "LOOP", "NAME", "STRING", "Program", "program_of"]

NAME = symbol_id(symbols.NAME)
STRING = symbol_id(symbols.STRING)
CONTINUATION = symbol_id(symbols.CONTINUATION)
IMPORT = symbol_id(symbols.IMPORT)
LOOP = symbol_id(symbols.LOOP)
END = symbol_id(symbols.END)

_KINDS = symbols.kinds_of(CODES)


class Program(NamedTuple):
    """Symbols in ``(n,)`` columns.

    Attributes:
        words: ``int64``, the number of each code, 0 for a code that is also the wording.
        written: ``int64``, the number of each wording, if it has one.
        lexemes: ``uint64``.
        places: ``int64``, which of the symbols that the program had at first each was.
    """

    words: NDArray[np.int64]
    written: NDArray[np.int64]
    lexemes: NDArray[np.uint64]
    places: NDArray[np.int64]

    @property
    def codes(self) -> NDArray[np.uint64]:
        """What counts as equal, ``(n,) uint64``."""
        return np.where(self.words > 0, CODES[self.words], self.lexemes)

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """The ``TokenKind`` of each symbol, ``(n,) uint8``."""
        return _KINDS[self.words]

    def where(self, mask: NDArray[np.bool_]) -> Program:
        """Keep the symbols that ``mask`` marks."""
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

    def arranged(self, order: NDArray[np.int64]) -> Program:
        """Put other symbols in the places of these, each by its index."""
        return Program(
            words=self.words[order],
            written=self.written[order],
            lexemes=self.lexemes[order],
            places=self.places,
        )

    def joined(self, goes_on: NDArray[np.bool_]) -> Program:
        """Make one symbol, with the first's code, of each and those that go on behind it."""
        if not goes_on.any():
            return self
        firsts = np.flatnonzero(~goes_on)
        written = self.written.copy()
        written[:-1][goes_on[1:]] = 0  # a joined wording is not that of a word
        # A sum modulo 2^64 stands for the wording of all pieces.
        lexemes = np.add.reduceat(self.lexemes, firsts)
        return Program(self.words[firsts], written[firsts], lexemes, self.places[firsts])


def program_of(pieces: GatheredProperties) -> Program:
    """Return the symbols of texts."""
    rows = pieces.rows
    return Program(
        words=rows["word"].astype(np.int64),
        written=rows["written"].astype(np.int64),
        lexemes=rows["wording"].copy(),
        places=np.arange(len(rows)),
    )
