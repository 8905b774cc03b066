"""Hashes of a corpus of any size, piece by piece, as if it were one string."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mosslite.errors import InputError
from mosslite.winnowing.winnow import kgram_hashes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["HashPiece", "Piece", "Source", "hash_pieces", "too_short"]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Some symbols of a corpus, in order.

    Attributes:
        codes: ``(n,) uint64`` symbol codes.
        words: The symbols as a reader knows them: letters, or tokens as written.
        starts: Where documents begin, as indices into ``codes``.
        size: Bytes that were read for it.
    """

    codes: NDArray[np.uint64]
    words: Sequence[str]
    starts: tuple[int, ...]
    size: int


class Source(Protocol):
    """A corpus that can be read again and again, always with the same symbols."""

    @property
    def name(self) -> str:
        """What to call it in results."""

    @property
    def size(self) -> int:
        """How many bytes there are to read, at least one for each symbol."""

    @property
    def skipped(self) -> tuple[str, ...]:
        """What cannot be read."""

    def pieces(self) -> Iterator[Piece]:
        """Read it; a piece is a few megabytes at most, whatever the corpus."""


@dataclass(frozen=True, slots=True, eq=False)
class HashPiece:
    """Some hashes of a corpus, in order.

    Attributes:
        hashes: ``(n,) uint64``.
        first: The position in the corpus of the first of them.
        starts: Positions in the corpus where documents begin, within this piece.
        symbols: How many symbols were read for it.
        size: How many bytes.
    """

    hashes: NDArray[np.uint64]
    first: int
    starts: tuple[int, ...]
    symbols: int
    size: int


def hash_pieces(source: Source, k: int) -> Iterator[HashPiece]:
    """Hash every k-gram of a corpus; those across two pieces, or two documents, too.

    As in the paper, whose corpus of 1,940,576,448 characters has 1,940,576,399 50-grams, the
    documents are laid end to end.
    """
    carried, first = np.empty(0, np.uint64), 0
    waiting: list[int] = []
    for piece in source.pieces():
        begin = first + len(carried)
        waiting += [begin + start for start in piece.starts]
        codes = np.concatenate([carried, piece.codes])
        hashes = kgram_hashes(codes, k)
        stop = first + len(hashes)
        starts = tuple(start for start in waiting if start < stop)
        yield HashPiece(hashes, first, starts, len(piece.codes), piece.size)
        waiting = waiting[len(starts) :]
        carried, first = codes[len(hashes) :], stop


def too_short(source: Source, symbols: int, k: int) -> InputError:
    """Return the error that a corpus has no k-gram."""
    return InputError(f"{source.name!r} has {symbols} symbols, which is less than k = {k}")
