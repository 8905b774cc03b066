"""Corpora as streams of symbols and hashes, and the paper's selection algorithms (SIGMOD 2003)."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mosslite.errors import InputError
from mosslite.frontends import tokenize
from mosslite.frontends.dispatch import read_prose
from mosslite.frontends.text import source_of
from mosslite.intake.entries import OnDisk, located
from mosslite.intake.listing import listing_at, shown_name
from mosslite.languages import Language
from mosslite.messages import reason_of
from mosslite.options import Intake
from mosslite.winnowing.winnow import kgram_hashes, robust_winnow, winnow

Hashes = NDArray[np.uint64]
Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Some symbols of a corpus, in order.

    Attributes:
        codes: ``(n,) uint64`` symbol codes.
        words: The symbols as displayed: letters, or tokens as written.
        is_start: A document starts here.
        size: Number of bytes read.
    """

    codes: Hashes
    words: str | tuple[str, ...]
    is_start: bool
    size: int


@dataclass(frozen=True, slots=True)
class Source:
    """A corpus that can be read repeatedly, always with the same symbols.

    Attributes:
        name: Name in results.
        size: Number of bytes to read, at least one for each symbol.
        pieces: Yields the corpus in pieces of a few megabytes at most.
        skipped: Files that cannot be read, with reasons.
    """

    name: str
    size: int
    pieces: Callable[[], Iterator[Piece]]
    skipped: tuple[str, ...] = ()


# Files and random letters


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Convert read errors in the block.

    Raises:
        InputError: The file cannot be read.
    """
    try:
        yield
    except OSError as error:
        msg = f"{shown_name(path)!r} cannot be read: {reason_of(error)}"
        raise InputError(msg) from error


_CHUNK: Final = 1 << 20
_PAGES: Final = (".html", ".htm", ".xhtml")
_TAG: Final = re.compile(r"<[^<>]*>")
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"


def random_text(size: int, seed: int) -> Source:
    """Return independent, uniformly distributed letters from a to z."""

    def pieces() -> Iterator[Piece]:
        random = np.random.Generator(np.random.PCG64(seed))
        codes = read_prose(source_of(_ALPHABET)).codes
        letters = np.frombuffer(_ALPHABET.encode(), np.uint8)
        for begin in range(0, size, _CHUNK):
            count = min(_CHUNK, size - begin)
            drawn = random.integers(0, len(_ALPHABET), count, np.uint8)
            words = letters[drawn].tobytes().decode("ascii")
            yield Piece(codes[drawn], words, not begin, count)

    return Source(f"{size:,} random letters, seed {seed}", size, pieces)


def files_below(paths: Sequence[str], language: Language | None = None) -> Source:
    """Find the files at paths and in the folders at them.

    They are read as tokens of the language, or without one as letters and digits, case folded; HTML
    tags are dropped.

    Raises:
        InputError: A path does not exist, or there is no file to read.
    """
    good: dict[str, str] = {}
    skipped: list[str] = []
    for given in paths:
        if not os.path.exists(given):  # noqa: PTH110 - False if the system rejects the name
            msg = f"{shown_name(given)!r} does not exist"
            raise InputError(msg)
        for entry in listing_at(located(given), Intake()).entries:
            path = entry.content.path if isinstance(entry.content, OnDisk) else ""
            if entry.is_ignored:
                continue
            if entry.obstacle or entry.is_archive or not os.access(path, os.R_OK):
                skipped.append(f"{entry.path} cannot be read")
            elif os.path.realpath(path) in good:
                skipped.append(f"{entry.path} is given twice")
            else:
                good[os.path.realpath(path)] = path
    name = ", ".join(map(shown_name, paths))
    if not good:
        msg = f"{name!r} contains no files that can be read"
        raise InputError(msg)
    size = sum(map(os.path.getsize, good.values()))

    def pieces() -> Iterator[Piece]:
        return chain.from_iterable(_read_file(path, language) for path in good.values())

    return Source(name, size, pieces, tuple(skipped))


def _read_file(path: str, language: Language | None) -> Iterator[Piece]:
    with reading(path):
        content = Path(path).read_bytes()
    text, size = content.decode("utf-8", "replace"), len(content)
    if language is not None:
        stream = tokenize(text, language).stream
        spans = zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)
        yield Piece(stream.codes, tuple(text[start:stop] for start, stop in spans), True, size)
        return
    if path.lower().endswith(_PAGES):
        text = _TAG.sub(" ", text)  # as in the paper
    for begin in range(0, max(len(text), 1), _CHUNK):
        codes, words = _letters(text[begin : begin + _CHUNK])
        yield Piece(codes, words, not begin, 0 if begin else size)


def _letters(text: str) -> tuple[Hashes, str]:
    """Apply the prose front-end to a text; ASCII, usually most of it, is converted by a table.

    In files longer than a chunk, the front-end detects look-alike letters in each separately.
    """
    if text.isascii():
        table, folded, dropped = _ascii()
        raw = text.encode("ascii").translate(folded, dropped)
        return table[np.frombuffer(raw, np.uint8)], raw.decode("ascii")
    stream = read_prose(source_of(text))
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    words = characters[stream.starts].astype("<u4").tobytes()
    return stream.codes, words.decode("utf-32-le", "surrogatepass")


@cache
def _ascii() -> tuple[Hashes, bytes, bytes]:
    """Return the code of each kept byte, the case-folding table, and the bytes left out."""
    table, every = np.zeros(128, np.uint64), bytes(range(128))
    kept = bytes(filter(lambda byte: chr(byte).isalnum(), every))
    table[[*kept]] = read_prose(source_of(kept.decode("ascii"))).codes
    return table, bytes(range(256)).lower(), every.translate(None, kept)


# Hashes

_NO_HASHES: Final = np.empty(0, np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class HashPiece:
    """Some hashes of a corpus, in order.

    Attributes:
        hashes: ``(n,) uint64``.
        first: Position in the corpus of the first hash.
        starts: Positions in the corpus where documents start, within this piece.
        codes: ``(n + k - 1,) uint64`` codes of the symbols of these k-grams.
        words: These symbols as displayed.
        symbols: Number of symbols read.
        size: Number of bytes read.
        is_last: Nothing follows.
    """

    hashes: Hashes
    first: int = 0
    starts: tuple[int, ...] = ()
    codes: Hashes = field(default_factory=lambda: _NO_HASHES)
    words: str | tuple[str, ...] = ""
    symbols: int = 0
    size: int = 0
    is_last: bool = False


def hash_pieces(source: Source, k: int) -> Iterator[HashPiece]:
    """Hash every k-gram of a corpus, including those across pieces and documents.

    As in the paper, whose corpus of 1,940,576,448 characters has 1,940,576,399 50-grams, the
    documents are concatenated. The last piece is empty.
    """
    codes, first = _NO_HASHES, 0
    words: Any = ()
    waiting: list[int] = []
    for piece in source.pieces():
        waiting += [first + len(codes)] * piece.is_start
        codes = np.concatenate([codes, piece.codes])
        added: Any = piece.words  # a text, or a tuple of tokens
        words = (words or added[:0]) + added
        hashes = kgram_hashes(codes, k)
        stop = first + len(hashes)
        starts = tuple(start for start in waiting if start < stop)
        yield HashPiece(hashes, first, starts, codes, words, len(piece.codes), piece.size)
        waiting = waiting[len(starts) :]
        codes, words, first = codes[len(hashes) :], words[len(hashes) :], stop
    yield HashPiece(_NO_HASHES, first, is_last=True)


def too_short(source: Source, symbols: int, k: int) -> InputError:
    """Return the error for a corpus without any k-gram."""
    return InputError(f"{source.name!r} has {symbols} symbols, fewer than k = {k}")


# Selection algorithms

Selector = Callable[[HashPiece], Positions]
"""Selects fingerprints among the next hashes; returns newly selected positions, ascending."""

_GREATEST = np.uint64(2**64 - 1)
_NONE = np.empty(0, np.int64)


class Winnowing:
    """Winnowing (Definition 1), or robust winnowing (Definition 3) where ``is_robust``.

    Attributes:
        chosen: The hashes at the positions returned last.
    """

    def __init__(self, w: int, *, is_robust: bool) -> None:
        self._w = w
        self._select: Callable[[Hashes, int], Positions] = robust_winnow if is_robust else winnow
        # Hashes from the last choice on; before the first window, all.
        self._held = _NO_HASHES
        self._first = 0
        self._has_choice = False
        self.chosen = _NO_HASHES

    def __call__(self, piece: HashPiece) -> Positions:
        """Select in windows that end in the piece; in an incomplete one if there is no other.

        Everything before the choice of a window can be treated as greater: in every later window
        that contains the choice, it is the minimum, or a smaller hash after it is.
        """
        self._held = np.concatenate([self._held, piece.hashes])
        least = 1 if self._has_choice or piece.is_last else self._w
        if len(self._held) < least:
            self.chosen = self._held[:0]
            return _NONE
        hidden = self._w - 1 if self._has_choice else 0
        hashes = np.concatenate([np.full(hidden, _GREATEST), self._held])
        places = (self._select(hashes, self._w) - hidden)[int(self._has_choice) :]
        last = int(places[-1]) if len(places) else 0
        positions = places + self._first
        self.chosen = self._held[places]
        self._held, self._first = self._held[last:], self._first + last
        self._has_choice = True
        return positions


def zero_mod(p: int) -> Selector:
    """Select all hashes that are 0 mod p (Manber; section 2.3)."""
    return lambda piece: np.flatnonzero(piece.hashes % np.uint64(p) == 0) + piece.first


def every_nth(i: int) -> Selector:
    """Select every i-th hash, which is simple and incorrect (section 2.3)."""
    return lambda piece: np.arange(-piece.first % i, len(piece.hashes), i) + piece.first


def anchored(anchors: Hashes) -> Selector:
    """Select the k-grams that begin with one of a fixed set of short strings (Manber)."""
    return lambda piece: np.flatnonzero(np.isin(_beginnings(piece), anchors)) + piece.first


# Symbols of an anchor. Manber's have a few letters; of three, a megabyte shows most that exist.
_ANCHOR: Final = 3


def anchors_in(sample: HashPiece, density: float) -> Hashes:
    """Choose strings, in the order of their hashes, at which this share of k-grams begins."""
    strings, counts = np.unique(_beginnings(sample), return_counts=True)
    within = np.cumsum(counts) <= density * len(sample.hashes)
    return strings[: max(int(within.sum()), 1)]


def _beginnings(piece: HashPiece) -> Hashes:
    """Return the hash of the first symbols of each k-gram, as many as an anchor has."""
    length = min(_ANCHOR, len(piece.codes) - len(piece.hashes) + 1)
    return kgram_hashes(piece.codes, length)[: len(piece.hashes)]


class SafeZeroMod:
    """Safe 0 mod p (section 3.1.2): selects the Good and the Bad, but not the Ugly."""

    def __init__(self, p: int, w: int) -> None:
        self._p, self._w = np.uint64(p), w
        self._last_good = -1  # so the first w - 1 hashes cannot be Bad

    def __call__(self, piece: HashPiece) -> Positions:
        """Select in the piece."""
        positions: Positions = np.arange(len(piece.hashes)) + piece.first
        good = np.where(piece.hashes % self._p == 0, positions, self._last_good)
        last_good: Positions = np.maximum.accumulate(good)
        self._last_good = int(last_good[-1]) if len(last_good) else self._last_good
        selected: Positions = positions[
            (last_good == positions) | (positions - last_good >= self._w)
        ]
        return selected


class Smallest:
    """The n smallest distinct hashes of each document (Heintze)."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._hashes, self._positions = _NO_HASHES, _NONE

    def __call__(self, piece: HashPiece) -> Positions:
        """Select in the documents that end in the piece."""
        given, begin = [_NONE], 0
        ends = [start - piece.first for start in piece.starts]
        for end in [*ends, len(piece.hashes)] if piece.is_last else ends:
            given.append(self._added(piece, begin, end))
            self._hashes, self._positions = _NO_HASHES, _NONE
            begin = end
        self._added(piece, begin, len(piece.hashes))
        return np.concatenate(given)

    def _added(self, piece: HashPiece, begin: int, end: int) -> Positions:
        """Add hashes to those of the document; return the positions of the smallest."""
        joined = np.concatenate([self._hashes, piece.hashes[begin:end]])
        positions = np.concatenate([self._positions, piece.first + np.arange(begin, end)])
        # Of equal hashes the first is selected: a fingerprint is a hash.
        distinct, places = np.unique(joined, return_index=True)
        self._hashes = distinct[: self._n]
        self._positions = positions[places[: self._n]]
        return np.sort(self._positions)


class Tally:
    """Counts selected hashes, and the longest run without any."""

    def __init__(self, selector: Selector) -> None:
        self._selector = selector
        self._last = -1
        self.fingerprints, self.longest_run = 0, 0

    def feed(self, piece: HashPiece) -> None:
        """Process the next hashes; the last piece ends the last run."""
        positions = self._selector(piece)
        self.fingerprints += len(positions)
        if piece.is_last:
            positions = np.append(positions, piece.first + len(piece.hashes))
        if len(positions):
            gaps = np.diff(positions, prepend=self._last)
            self.longest_run = max(self.longest_run, int(gaps.max()) - 1)
            self._last = int(positions[-1])
