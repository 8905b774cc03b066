"""Sources of symbols: files as text, files as tokens, or random letters."""

import codecs
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.errors import InputError
from mosslite.frontends import tokenize
from mosslite.frontends.plain_text import read_prose
from mosslite.frontends.text import source_of
from mosslite.intake.disk import OnDisk, located
from mosslite.intake.entries import Entry
from mosslite.intake.listing import listing_at
from mosslite.intake.paths import shown_name
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
        """Yield the contents of the files; small ones are combined."""
        return _joined(piece for path in self.paths for piece in self._read(path))

    def _read(self, path: str) -> Iterator[Piece]:
        if self.language is None:
            return _letters_of_file(path)
        return _tokens_of_file(path, self.language)


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
    found = [
        each for path in paths for each in listing_at(located(_existing(path)), Intake()).entries
    ]
    good, skipped = _parted(each for each in found if not each.is_ignored)
    name = ", ".join(map(shown_name, paths))
    if not good:
        msg = f"{name!r} contains no files that can be read"
        raise InputError(msg)
    return _Files(name, good, sum(map(os.path.getsize, good)), skipped, language)


def _parted(entries: Iterable[Entry]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the distinct files to read, and the others with reasons."""
    good: dict[str, str] = {}
    skipped: list[str] = []
    for entry in entries:
        path = entry.content.path if isinstance(entry.content, OnDisk) else ""
        if not _is_readable(entry, path):
            skipped.append(f"{entry.path} cannot be read")
        elif os.path.realpath(path) in good:
            skipped.append(f"{entry.path} is given twice")
        else:
            good[os.path.realpath(path)] = path
    return tuple(good.values()), tuple(skipped)


def _is_readable(entry: Entry, path: str) -> bool:
    return not entry.obstacle and os.access(path, os.R_OK) and not entry.is_archive


def _existing(path: str) -> str:
    if not os.path.exists(path):  # noqa: PTH110 - False if the system rejects the name
        msg = f"{shown_name(path)!r} does not exist"
        raise InputError(msg)
    return path


def _letters_of_file(path: str) -> Iterator[Piece]:
    is_page = path.lower().endswith(_PAGES)
    starts: tuple[int, ...] = (0,)
    waiting = ""
    for read, size in _texts(path):
        text = waiting + read
        if is_page:
            text, waiting = _without_tags(text, is_last=not size)
        codes, words = _letters(text)
        yield Piece(codes, words, starts, size)
        starts = ()


def _texts(path: str) -> Iterator[tuple[str, int]]:
    """Decode a file in chunks; the last, of zero bytes, is an incomplete character."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    with reading(path), Path(path).open("rb") as file:
        while content := file.read(_CHUNK):
            yield decoder.decode(content), len(content)
    yield decoder.decode(b"", final=True), 0


def _without_tags(text: str, *, is_last: bool) -> tuple[str, str]:
    """Remove the tags of a page, as in the paper; also return a possibly incomplete tag."""
    begin = text.rfind("<")
    is_open = begin > text.rfind(">") and len(text) - begin < _CHUNK and not is_last
    stop = begin if is_open else len(text)
    return _TAG.sub(" ", text[:stop]), text[stop:]


def _letters(text: str) -> tuple[NDArray[np.uint64], str]:
    """Apply the prose front-end to a text; ASCII, usually most of it, is converted by a table.

    In files longer than a chunk, the front-end detects look-alike letters in each chunk
    separately.
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


def _tokens_of_file(path: str, language: Language) -> Iterator[Piece]:
    with reading(path):
        content = Path(path).read_bytes()
    text = content.decode("utf-8", "replace")
    stream = tokenize(text, language).stream
    words = tuple(
        text[start:stop]
        for start, stop in zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)
    )
    yield Piece(stream.codes, words, (0,), len(content))


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Concatenate small pieces, as each has some overhead."""
    waiting: list[Piece] = []
    count = 0
    for piece in pieces:
        waiting.append(piece)
        count += len(piece.codes)
        if count >= _CHUNK:
            yield _one(waiting)
            waiting, count = [], 0
    if waiting:
        yield _one(waiting)


def _one(pieces: Sequence[Piece]) -> Piece:
    begins = np.cumsum([0, *(len(piece.codes) for piece in pieces)]).tolist()
    starts = tuple(
        begin + start
        for begin, piece in zip(begins, pieces, strict=False)
        for start in piece.starts
    )
    words: Sequence[str]
    if isinstance(pieces[0].words, str):
        words = "".join(str(piece.words) for piece in pieces)
    else:
        words = tuple(word for piece in pieces for word in piece.words)
    codes = np.concatenate([piece.codes for piece in pieces])
    return Piece(codes, words, starts, sum(piece.size for piece in pieces))
