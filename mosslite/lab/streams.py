"""Corpora as streams of symbols and hashes, and the paper's selection algorithms (SIGMOD 2003)."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, Protocol

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
from mosslite.options import Intake, at_least
from mosslite.winnowing.winnow import kgram_hashes, robust_winnow, winnow

Hashes = NDArray[np.uint64]
Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Some symbols of a corpus, in order.

    Attributes:
        codes: ``(n,) uint64`` symbol codes.
        words: The symbols as displayed: letters, or tokens as written.
        starts: Indices into ``codes`` where documents start.
        size: Number of bytes read.
    """

    codes: Hashes
    words: Sequence[str]
    starts: tuple[int, ...]
    size: int


class Source(Protocol):
    """A corpus that can be read repeatedly, always with the same symbols."""

    @property
    def name(self) -> str:
        """Name in results."""

    @property
    def size(self) -> int:
        """Number of bytes to read, at least one for each symbol."""

    @property
    def skipped(self) -> tuple[str, ...]:
        """Files that cannot be read, with reasons."""

    def pieces(self) -> Iterator[Piece]:
        """Yield the corpus in pieces of a few megabytes at most."""


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


@dataclass(frozen=True, slots=True)
class _Files:
    """The text or the tokens of files, concatenated.

    Attributes:
        name: The path given.
        paths: Distinct paths of files, in order.
        size: Total size in bytes.
        skipped: Paths left out, each with the reason.
        language: Language of the tokens; None reads letters and digits like the prose front-end.
    """

    name: str
    paths: tuple[str, ...]
    size: int
    skipped: tuple[str, ...]
    language: Language | None

    def pieces(self) -> Iterator[Piece]:
        """Yield the contents of the files; small ones are combined, as each has some overhead."""
        waiting: list[Piece] = []
        count = 0
        for path in self.paths:
            for piece in self._read(path):
                waiting.append(piece)
                count += len(piece.codes)
                if count >= _CHUNK:
                    yield _joined(waiting)
                    waiting, count = [], 0
        if waiting:
            yield _joined(waiting)

    def _read(self, path: str) -> Iterator[Piece]:
        with reading(path):
            content = Path(path).read_bytes()
        text = content.decode("utf-8", "replace")
        if self.language is not None:
            stream = tokenize(text, self.language).stream
            spans = zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)
            words = tuple(text[start:stop] for start, stop in spans)
            yield Piece(stream.codes, words, (0,), len(content))
            return
        if path.lower().endswith(_PAGES):
            text = _TAG.sub(" ", text)  # as in the paper
        size = len(content)
        for begin in range(0, max(len(text), 1), _CHUNK):
            yield Piece(*_letters(text[begin : begin + _CHUNK]), () if begin else (0,), size)
            size = 0


def _joined(pieces: Sequence[Piece]) -> Piece:
    codes = np.concatenate([piece.codes for piece in pieces])
    starts: list[int] = []
    count = 0
    for piece in pieces:
        starts += [count + start for start in piece.starts]
        count += len(piece.codes)
    columns = [piece.words for piece in pieces]
    is_text = isinstance(columns[0], str)
    words = "".join(map(str, columns)) if is_text else tuple(chain.from_iterable(columns))
    return Piece(codes, words, tuple(starts), sum(piece.size for piece in pieces))


@dataclass(frozen=True, slots=True)
class RandomText:
    """Independent, uniformly distributed letters from a to z; deterministic for a seed."""

    size: int
    seed: int

    def __post_init__(self) -> None:
        """Check the size and the seed."""
        at_least(1, "size of random text (--random)", self.size)
        at_least(0, "seed (--seed)", self.seed)

    @property
    def name(self) -> str:
        """Name in results."""
        return f"{self.size:,} random letters, seed {self.seed}"

    @property
    def skipped(self) -> tuple[str, ...]:
        """Return an empty tuple: no file of a random text is skipped."""
        return ()

    def pieces(self) -> Iterator[Piece]:
        """Yield the letters."""
        random = np.random.Generator(np.random.PCG64(self.seed))
        codes = _prose_codes(_ALPHABET)
        letters = np.frombuffer(_ALPHABET.encode(), np.uint8)
        for begin in range(0, self.size, _CHUNK):
            count = min(_CHUNK, self.size - begin)
            drawn = random.integers(0, len(_ALPHABET), count, np.uint8)
            words = letters[drawn].tobytes().decode("ascii")
            yield Piece(codes[drawn], words, (0,) if not begin else (), count)


def files_below(paths: Sequence[str], language: Language | None = None) -> _Files:
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
    return _Files(name, tuple(good.values()), size, tuple(skipped), language)


def _letters(text: str) -> tuple[NDArray[np.uint64], str]:
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


def _prose_codes(text: str) -> NDArray[np.uint64]:
    return read_prose(source_of(text)).codes


@cache
def _ascii() -> tuple[NDArray[np.uint64], bytes, bytes]:
    """Return the code of each kept byte, the case-folding table, and the bytes left out."""
    table, folded = np.zeros(128, np.uint64), bytes(range(256)).lower()
    kept = [byte for byte in range(128) if chr(byte).isalnum()]
    table[kept] = _prose_codes("".join(map(chr, kept)))
    return table, folded, bytes(sorted(set(range(128)) - set(kept)))


# Hashes


@dataclass(frozen=True, slots=True, eq=False)
class HashPiece:
    """Some hashes of a corpus, in order.

    Attributes:
        hashes: ``(n,) uint64``.
        first: Position in the corpus of the first hash.
        starts: Positions in the corpus where documents start, within this piece.
        symbols: Number of symbols read.
        size: Number of bytes read.
        codes: ``(n + k - 1,) uint64`` codes of the symbols of these k-grams.
    """

    hashes: Hashes
    first: int
    starts: tuple[int, ...]
    symbols: int
    size: int
    codes: Hashes


def hash_pieces(source: Source, k: int) -> Iterator[HashPiece]:
    """Hash every k-gram of a corpus, including those across pieces and documents.

    As in the paper, whose corpus of 1,940,576,448 characters has 1,940,576,399 50-grams, the
    documents are concatenated.
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
        yield HashPiece(hashes, first, starts, len(piece.codes), piece.size, codes)
        waiting = waiting[len(starts) :]
        carried, first = codes[len(hashes) :], stop


def piece_of(hashes: Hashes, first: int = 0) -> HashPiece:
    """Return hashes that are not those of symbols."""
    return HashPiece(hashes, first, (), len(hashes), 0, np.empty(0, np.uint64))


def too_short(source: Source, symbols: int, k: int) -> InputError:
    """Return the error for a corpus without any k-gram."""
    return InputError(f"{source.name!r} has {symbols} symbols, fewer than k = {k}")


# Selection algorithms

_GREATEST = np.uint64(2**64 - 1)
_NONE = np.empty(0, np.int64)


class Selector(Protocol):
    """An algorithm that selects fingerprints among hashes."""

    def feed(self, piece: HashPiece) -> Positions:
        """Process the next hashes; return newly selected positions, ascending."""

    def finish(self) -> Positions:
        """Return the remaining positions at the end."""
        return _NONE


class Winnowing(Selector):
    """Winnowing (Definition 1), or robust winnowing (Definition 3) where ``is_robust``.

    Attributes:
        chosen: The hashes at the positions returned last.
    """

    def __init__(self, w: int, *, is_robust: bool) -> None:
        self._w = w
        self._select: Callable[[Hashes, int], Positions] = robust_winnow if is_robust else winnow
        # Hashes from the last choice on; before the first window, all.
        self._held = np.empty(0, np.uint64)
        self._first = 0
        self._has_choice = False
        self.chosen = np.empty(0, np.uint64)

    def feed(self, piece: HashPiece) -> Positions:
        """Select in windows that end in the piece."""
        self._held = np.concatenate([self._held, piece.hashes])
        return self._selected(is_enough=self._has_choice or len(self._held) >= self._w)

    def finish(self) -> Positions:
        """Select in an incomplete window, which counts as one if there is no other."""
        return self._selected(is_enough=not self._has_choice and len(self._held) > 0)

    def _selected(self, *, is_enough: bool) -> Positions:
        """Continue from the last choice.

        Everything before the choice of a window can be treated as greater: in every later window
        that contains the choice, it is the minimum, or a smaller hash after it is.
        """
        if not is_enough:
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


class EachAlone(Selector):
    """Hashes that are selected whatever comes before and behind them, by their indices."""

    def __init__(self, choose: Callable[[HashPiece], Positions]) -> None:
        self._choose = choose

    def feed(self, piece: HashPiece) -> Positions:
        """Select in the piece."""
        return self._choose(piece) + piece.first


def zero_mod(p: int) -> Selector:
    """Select all hashes that are 0 mod p (Manber; section 2.3)."""
    return EachAlone(lambda piece: np.flatnonzero(piece.hashes % np.uint64(p) == 0))


def every_nth(i: int) -> Selector:
    """Select every i-th hash, which is simple and incorrect (section 2.3)."""
    return EachAlone(lambda piece: np.arange(-piece.first % i, len(piece.hashes), i))


def anchored(anchors: Hashes) -> Selector:
    """Select the k-grams that begin with one of a fixed set of short strings (Manber)."""
    return EachAlone(lambda piece: np.flatnonzero(np.isin(_beginnings(piece), anchors)))


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


class SafeZeroMod(Selector):
    """Safe 0 mod p (section 3.1.2): selects the Good and the Bad, but not the Ugly."""

    def __init__(self, p: int, w: int) -> None:
        self._p, self._w = np.uint64(p), w
        self._last_good = -1  # so the first w - 1 hashes cannot be Bad

    def feed(self, piece: HashPiece) -> Positions:
        """Select in the piece."""
        if not len(piece.hashes):
            return _NONE
        positions: Positions = np.arange(len(piece.hashes)) + piece.first
        is_good: NDArray[np.bool_] = piece.hashes % self._p == 0
        last_good: Positions = np.maximum.accumulate(np.where(is_good, positions, self._last_good))
        self._last_good = int(last_good[-1])
        is_bad = positions - last_good >= self._w
        return positions[is_good | is_bad]


class Smallest(Selector):
    """The n smallest distinct hashes of each document (Heintze)."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._hashes, self._positions = np.empty(0, np.uint64), _NONE

    def feed(self, piece: HashPiece) -> Positions:
        """Select in the documents that end in the piece."""
        given, begin = [_NONE], 0
        for end in [start - piece.first for start in piece.starts]:
            self._add(piece.hashes[begin:end], piece.first + begin)
            given.append(self.finish())
            begin = end
        self._add(piece.hashes[begin:], piece.first + begin)
        return np.concatenate(given)

    def finish(self) -> Positions:
        """Return those of the last document."""
        positions = np.sort(self._positions)
        self._hashes, self._positions = np.empty(0, np.uint64), _NONE
        return positions

    def _add(self, hashes: Hashes, first: int) -> None:
        joined = np.concatenate([self._hashes, hashes])
        positions = np.concatenate([self._positions, first + np.arange(len(hashes))])
        # Of equal hashes the first is selected: a fingerprint is a hash.
        distinct, places = np.unique(joined, return_index=True)
        self._hashes = distinct[: self._n]
        self._positions = positions[places[: self._n]]


class Tally:
    """Counts selected hashes, and the longest run without any."""

    def __init__(self, selector: Selector) -> None:
        self._selector = selector
        self._last, self._hashes = -1, 0
        self.fingerprints, self.longest_run = 0, 0

    def feed(self, piece: HashPiece) -> None:
        """Process the next hashes."""
        self._hashes += len(piece.hashes)
        self._count(self._selector.feed(piece))

    def finish(self) -> None:
        """Count the rest, including the last run."""
        self._count(self._selector.finish())
        self.longest_run = max(self.longest_run, self._hashes - self._last - 1)

    def _count(self, positions: Positions) -> None:
        if len(positions):
            gaps = np.diff(positions, prepend=self._last)
            self.longest_run = max(self.longest_run, int(gaps.max()) - 1)
            self._last = int(positions[-1])
            self.fingerprints += len(positions)
