"""Sources of symbols: files as text, files as tokens, or random letters."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.errors import InputError
from mosslite.frontends import tokenize
from mosslite.frontends.dispatch import read_prose
from mosslite.frontends.text import source_of
from mosslite.intake.entries import OnDisk, located
from mosslite.intake.listing import listing_at, shown_name
from mosslite.lab.selectors import Piece
from mosslite.languages import Language
from mosslite.messages import reason_of
from mosslite.options import Intake, at_least


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
