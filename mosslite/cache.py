"""The cache: readings of files, stored between runs by digests of their content."""

import json
import os
import sqlite3
import struct
import sys
import unicodedata
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, fields
from functools import cache
from hashlib import blake2b, sha256
from logging import getLogger
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import pygments
from msgspec import convert
from numpy.typing import NDArray
from platformdirs import user_cache_path

from mosslite.errors import OptionError
from mosslite.languages import Language, find_language
from mosslite.languages.known import FRONT_ENDS
from mosslite.messages import M_, reason_of, said_by
from mosslite.records import (
    SYNTAX_CLASSES,
    Colours,
    Disguise,
    Document,
    Reading,
    TokenKind,
    TokenStream,
    TraceKind,
    Traces,
)
from mosslite.records.submissions import line_starts


def key_of(text: str, language: Language) -> bytes | None:
    """Return the key of a text's reading, 32 bytes.

    Returns:
        None if equal readings cannot be guaranteed: the lexer is not one of Pygments' own, whose
            version determines the result.
    """
    head = _head_of(language)
    return None if head is None else sha256(head + text.encode("utf-8", "surrogatepass")).digest()


@cache
def _head_of(language: Language) -> bytes | None:
    """Return a digest of everything but the text."""
    try:
        is_own = find_language(language.name) == language and not language.is_plugged_in
    except OptionError:
        return None
    parts = [
        FRONT_ENDS,
        pygments.__version__,
        [sys.implementation.name, *map(str, sys.version_info)],
        unicodedata.unidata_version,
        [language.name, language.title, language.is_prose, language.is_caseless],
    ]
    return sha256(json.dumps(parts).encode("ascii")).digest() if is_own else None


# Exceptions of ``unpack`` on bytes that ``pack`` did not write.
NOT_PACKED: Final = (struct.error, IndexError, RecursionError, TypeError, ValueError)

# Limits of what bytes are inflated to: a constant, and a multiple of their number. Source code and
# readings deflate to a third or a tenth; what deflates further is stored as it is.
_FREE: Final = 64 << 10
_RATIO: Final = 32


def deflate(content: bytes, level: int = zlib.Z_DEFAULT_COMPRESSION) -> bytes:
    """Compress bytes; ``inflate`` restores them."""
    packed = zlib.compress(content, level)
    return packed if len(content) <= _most(packed) else zlib.compress(content, 0)


def inflate(packed: bytes) -> bytes:
    """Restore bytes from the output of ``deflate``.

    Raises:
        ValueError: It is something else, which could be of any size.
    """
    inflater = zlib.decompressobj()
    try:
        content = inflater.decompress(packed, _most(packed) + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not inflater.eof or inflater.unused_data:
        msg = "the content is truncated or too large"
        raise ValueError(msg)
    return content


def _most(packed: bytes) -> int:
    return max(_FREE, _RATIO * len(packed))


# The columns of all parts, and what a column is stored relative to: another column of its row, or
# for ``STEPS`` the row before. So most bytes are zeros, which deflate well.
_STEPS: Final = "steps"
_COLUMNS: Final[dict[str, tuple[str, str | None]]] = {
    "codes": ("<u8", None),
    "lexemes": ("<u8", None),
    "kinds": ("<u1", None),
    "classes": ("<u1", None),
    "starts": ("<i4", _STEPS),
    "stops": ("<i4", "starts"),
}

# Kind, characters, lines and number of each disguise.
_ROWS: Final = tuple[tuple[str, str, tuple[int, ...], int], ...]

# Numbers of tokens, traces, and runs of colours; every text that has colours has at least one run.
_COUNTS: Final = struct.Struct("<III")


def pack(reading: Reading | Document) -> bytes:
    """Serialize a reading to bytes, but for ``is_degraded``; ``unpack`` restores it."""
    parts = [each for each in (reading.stream, reading.traces, reading.colours) if each is not None]
    runs = 0 if reading.colours is None else len(reading.colours.starts)
    packed = [_COUNTS.pack(len(reading.stream), len(reading.traces), runs)]
    for part in parts:
        for field in fields(part):
            column, (kind, base) = getattr(part, field.name), _COLUMNS[field.name]
            if base == _STEPS:
                column = np.diff(column, prepend=column.dtype.type(0))
            elif base:
                column = column - getattr(part, base)
            packed.append(column.astype(kind, copy=False).tobytes())
    packed.append(json.dumps([*map(astuple, reading.disguises)]).encode("ascii"))
    return deflate(b"".join(packed), zlib.Z_BEST_SPEED)


def unpack(packed: bytes) -> Reading:
    """Restore a reading from the output of ``pack``.

    Raises:
        NOT_PACKED: The bytes are something else; this is not always detected.
    """
    content, at = inflate(packed), _COUNTS.size
    counts = _COUNTS.unpack_from(content)
    parts = list[dict[str, NDArray[Any]]]()
    for part, count in zip((TokenStream, Traces, Colours), counts, strict=True):
        columns = dict[str, NDArray[Any]]()
        for field in fields(part):
            kind, base = _COLUMNS[field.name]
            column = np.frombuffer(content, kind, count, at)
            at += column.nbytes
            if base == _STEPS:
                column = column.cumsum(dtype=np.int32)
            elif base:
                column = column + columns[base]
            # A copy, as a view would keep all of the content in memory.
            columns[field.name] = column.astype(column.dtype.newbyteorder("="))
        parts.append(columns)
    stream, traces, colours = parts
    return Reading(
        stream=TokenStream(**stream),
        traces=Traces(**traces),
        is_degraded=False,
        disguises=tuple(Disguise(*row) for row in convert(json.loads(content[at:]), _ROWS)),
        colours=Colours(**colours) if counts[2] else None,
    )


def is_of(reading: Reading, text: str) -> bool:
    """Return whether an unpacked reading has only kinds that exist, and places inside the text."""
    stream, traces, _, disguises, colours = reading
    size, lines = len(text), len(line_starts(text))
    are_known = (stream.kinds < len(TokenKind)).all() and (traces.kinds < len(TraceKind)).all()
    return bool(
        are_known
        and _are_within(stream.starts, stream.stops, size)
        and _are_within(traces.starts, traces.stops, size)
        and all(1 <= line <= lines for each in disguises for line in each.lines)
        and (colours is None or (colours.classes < len(SYNTAX_CLASSES)).all())
        and (colours is None or _are_within(colours.starts, colours.starts, size))
        and (colours is None or colours.starts[0] == 0)
    )


def _are_within(firsts: NDArray[np.int32], lasts: NDArray[np.int32], most: int) -> bool:
    """Return whether ranges ascend and are all within 0 and ``most``."""
    if not len(firsts):
        return True
    ascend = bool((firsts[1:] >= firsts[:-1]).all() and (lasts >= firsts).all())
    return ascend and int(firsts[0]) >= 0 and int(lasts.max()) <= most


# Default limit in megabytes: readings of some 80,000 files of 2 KB.
_LIMIT: Final = 500
_MEGABYTE: Final = 1_000_000
_DIGITS: Final = 10  # a larger number is a typing error


def cache_folder() -> Path:
    """Return the folder in ``MOSSLITE_CACHE_DIR``, else the system's cache folder of this user.

    Raises:
        OSError: The user's folders cannot be determined.
    """
    given = os.environ.get("MOSSLITE_CACHE_DIR")
    if given:
        return Path(given)
    folder = user_cache_path("mosslite", appauthor=False)
    if not folder.is_absolute():
        msg = "the user has no home folder"
        raise FileNotFoundError(msg)
    return folder


def cache_limit() -> int:
    """Return the limit in bytes, from ``MOSSLITE_CACHE_MB`` in megabytes; 500 MB by default.

    Raises:
        OptionError: It is not a number.
    """
    given = os.environ.get("MOSSLITE_CACHE_MB")
    if not given:
        return _LIMIT * _MEGABYTE
    if not (given.isascii() and given.isdigit() and len(given) < _DIGITS):
        raise OptionError("MOSSLITE_CACHE_MB is %(given)r: it must be a number of megabytes", given)
    return int(given) * _MEGABYTE


# The number is the version of the table and of what is in it: another version uses another file.
_NAME: Final = "readings-3.sqlite"
# A database can have side files; files of other versions are removed along with it.
_ALL_NAMES: Final = "readings-*.sqlite*"

_TABLE: Final = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA temp_store = MEMORY;
    CREATE TABLE IF NOT EXISTS readings (
        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, content BLOB NOT NULL
    );
"""
_DELETE_OLDEST: Final = (
    "DELETE FROM readings WHERE id IN (SELECT id FROM readings ORDER BY id LIMIT 20)"
)

_DIGEST_SIZE: Final = 16

_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_IN_USE: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

# Eviction continues down to this share of the limit, so that it is rarely needed.
_KEPT: Final = 0.8

# Number of readings added per transaction, which limits the loss if the run is killed.
_AT_ONCE: Final = 50

# Maximum share of the limit for one reading; a larger one is worth less than those it would evict.
_LARGEST_SHARE: Final = 0.05

# Seconds to wait for another run that is writing.
_PATIENCE: Final = 2.0


class _Usage(NamedTuple):
    """Number of readings stored, and the bytes of their files."""

    readings: int
    size: int


class Cache:
    """Packed readings by key, usable only in the process that opened it, not in forked ones.

    No method raises an error of the file. The first is logged and disables the cache: from then on
    nothing is found, and nothing is stored.
    """

    def __init__(self, folder: Path | None = None, limit: int | None = None) -> None:
        self._new: dict[bytes, bytes] = {}
        self._limit = cache_limit() if limit is None else limit
        self._base: sqlite3.Connection | None = None
        with self._disabled_by_errors():
            self._base = _opened(folder or cache_folder())

    def __enter__(self) -> Self:
        """Return the cache itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Write pending readings, also when the run is interrupted."""
        self._flush()
        self._close()

    def find(self, key: bytes) -> bytes:
        """Return the packed reading of a key; nothing if there is none, or a damaged one."""
        if self._base is not None:
            with self._disabled_by_errors():
                query = "SELECT content FROM readings WHERE key = ?"
                (content,) = self._base.execute(query, (key,)).fetchone() or (b"",)
                if isinstance(content, bytes) and content == _sealed(key, content[_DIGEST_SIZE:]):
                    return content[_DIGEST_SIZE:]
        return b""

    def add(self, key: bytes, packed: bytes) -> None:
        """Add a packed reading; the oldest are evicted."""
        most = _LARGEST_SHARE * self._limit
        if len(packed) <= most:
            self._new[key] = packed
        if len(self._new) >= _AT_ONCE or sum(map(len, self._new.values())) >= most:
            self._flush()

    def _flush(self) -> None:
        new, self._new = self._new, {}
        if self._base is None or not new:
            return
        with self._disabled_by_errors(), self._base as base:
            base.execute("BEGIN IMMEDIATE")
            # Existing readings of these keys are damaged, or from a concurrent run.
            base.executemany(
                "REPLACE INTO readings (key, content) VALUES (?, ?)",
                [(key, _sealed(key, packed)) for key, packed in new.items()],
            )
            is_full = _size(base) > self._limit
            while is_full and _size(base) > _KEPT * self._limit:
                is_full = base.execute(_DELETE_OLDEST).rowcount > 0

    @contextmanager
    def _disabled_by_errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, OverflowError, sqlite3.Error) as error:  # damaged numbers may overflow
            self._close()
            reason = in_words(error)
            getLogger(__name__).warning("%s", M_("cannot use the cache: %(reason)s", reason))

    def _close(self) -> None:
        base, self._base = self._base, None
        if base is not None:
            with suppress(sqlite3.Error):
                base.close()


def _sealed(key: bytes, packed: bytes) -> bytes:
    """Return a packed reading after a digest of it and its key."""
    return blake2b(packed, key=key, digest_size=_DIGEST_SIZE).digest() + packed


def _size(base: sqlite3.Connection) -> int:
    """Return the bytes in use; the space of deleted entries is reused."""
    pages = _number(base, "PRAGMA page_count") - _number(base, "PRAGMA freelist_count")
    return pages * _number(base, "PRAGMA page_size")


def _number(base: sqlite3.Connection, query: str) -> int:
    return int(base.execute(query).fetchone()[0])


def usage_of(folder: Path) -> _Usage:
    """Return the usage of a cache folder, without creating anything.

    Raises:
        OSError: The file cannot be read; so may ``sqlite3.Error``.
    """
    if not (folder / _NAME).exists():
        return _Usage(0, _size_of(folder))
    with closing(_opened(folder)) as base:
        (readings,) = base.execute("SELECT COUNT(*) FROM readings").fetchone()
    return _Usage(readings, _size_of(folder))


def _size_of(folder: Path) -> int:
    size = 0
    for file in folder.glob(_ALL_NAMES):
        with suppress(FileNotFoundError):  # side files of a database come and go
            size += file.stat().st_size
    return size


def clear(folder: Path) -> None:
    """Remove all entries, and the file too if it is damaged.

    An intact file is kept, empty: another run may be using it, and would continue with an
    unlinked file next to a new one.

    Raises:
        OSError: The file cannot be read; so may ``sqlite3.Error``.
    """
    is_damaged = (folder / _NAME).exists() and not _is_emptied(folder)
    for file in sorted(folder.glob(_ALL_NAMES)):
        if is_damaged or not file.name.startswith(_NAME):
            file.unlink(missing_ok=True)


def in_words(error: Exception) -> str:
    """Return an error message, with a remedy if known."""
    if isinstance(error, OSError) and error.filename:
        return M_("%(reason)s (%(path)r)", error, str(error.filename))
    if isinstance(error, OSError) and error.strerror:
        return reason_of(error)
    if isinstance(error, sqlite3.Error) and _code_of(error) in _DAMAGED:
        return M_("%(error)s; 'mosslite cache clear' starts a new one", error)
    return said_by(error)


def _is_emptied(folder: Path) -> bool:
    try:
        with closing(_opened(folder)) as base:
            base.executescript("DELETE FROM readings; VACUUM")
            base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        if _code_of(error) in _IN_USE:
            raise
        return False
    return True


def _code_of(error: sqlite3.Error) -> int:
    # The lowest byte is the primary error code; the others are details.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _opened(folder: Path) -> sqlite3.Connection:
    """Open the file, readable by its owner only, in a folder accessible to its owner only."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / _NAME
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        # Python must not open it here: closing it would release all of this process' locks on it.
        if not path.is_file():
            raise OSError(M_("%(path)r is not a file", str(path))) from None
    base = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        base.executescript(_TABLE)
    except BaseException:
        base.close()
        raise
    return base
