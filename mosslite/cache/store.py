"""The cache file: readings of earlier runs by key, written atomically."""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from logging import getLogger
from pathlib import Path
from typing import Final, NamedTuple, Self

from platformdirs import user_cache_path

from mosslite.errors import OptionError
from mosslite.messages import M_, reason_of, said_by

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
_NAME: Final = "readings-2.sqlite"
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
_OLDEST: Final = "SELECT id FROM readings WHERE id < ? ORDER BY id LIMIT 20"

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
        self._first: int | None = None  # of the entries of this run
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

    def find(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return packed readings by those keys that have one; damaged ones are left out."""
        found = dict[bytes, bytes]()
        if self._base is None:
            return found
        with self._disabled_by_errors():
            for key in keys:
                query = "SELECT content FROM readings WHERE key = ?"
                (content,) = self._base.execute(query, (key,)).fetchone() or (b"",)
                if isinstance(content, bytes) and content == _sealed(key, content[_DIGEST_SIZE:]):
                    found[key] = content[_DIGEST_SIZE:]
        return found

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
            if self._first is None:
                self._first = 1 + _number(base, "SELECT COALESCE(MAX(id), 0) FROM readings")
            # Existing readings of these keys are damaged, or from a concurrent run.
            base.executemany(
                "REPLACE INTO readings (key, content) VALUES (?, ?)",
                [(key, _sealed(key, packed)) for key, packed in new.items()],
            )
            if _size(base) > self._limit:
                self._make_room(base, self._first)

    def _make_room(self, base: sqlite3.Connection, first: int) -> None:
        while _size(base) > _KEPT * self._limit:
            gone = base.execute(f"DELETE FROM readings WHERE id IN ({_OLDEST})", (first,))  # noqa: S608
            if not gone.rowcount:
                # All are from this run. If its first ones were evicted, the next run would miss
                # these, add them again, and evict the others one by one.
                if _size(base) > self._limit:
                    self._limit = 0
                return

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
