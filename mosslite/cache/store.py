"""The cache file: readings of earlier runs by key, written atomically."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from logging import getLogger
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self, TypeVar

from platformdirs import user_cache_path

from mosslite.errors import OptionError
from mosslite.texts import M_

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
        msg = f"MOSSLITE_CACHE_MB is {given!r}: it must be a number of megabytes"
        raise OptionError(msg)
    return int(given) * _MEGABYTE


# The number is the version of the tables: another version uses another file.
_NAME: Final = "readings-1.sqlite"
# A database can have side files; files of other versions are removed along with it.
_ALL_NAMES: Final = "readings-*.sqlite*"

_TABLES: Final = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA temp_store = MEMORY;
    CREATE TABLE IF NOT EXISTS entries (
        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, used INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS by_use ON entries (used);
    CREATE TABLE IF NOT EXISTS contents (id INTEGER PRIMARY KEY, content BLOB NOT NULL);
    CREATE TEMP TABLE asked (key BLOB NOT NULL);
"""
_FIND: Final = """
    SELECT key, used, content
    FROM asked JOIN entries USING (key) JOIN contents USING (id)
"""
_TOUCH: Final = "UPDATE entries SET used = ? WHERE key IN (SELECT key FROM asked)"
_OLDEST: Final = "SELECT id FROM entries WHERE used < ? ORDER BY used, id LIMIT 20"

_DIGEST_SIZE: Final = 16

_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_IN_USE: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

# Eviction continues down to this share of the limit, so that it is rarely needed.
_KEPT: Final = 0.8

# Seconds to wait for another run that is writing.
_PATIENCE: Final = 2.0


class _Usage(NamedTuple):
    """Number of readings stored, and the bytes of their files."""

    readings: int
    size: int


class Store:
    """An open store, usable only in the process that opened it, not in forked ones.

    Runs are counted, and each entry has the number of the last run that used it.

    Raises:
        OSError: The file cannot be created; any method may raise this, or ``sqlite3.Error`` if it
            is locked, damaged, not a database or read-only, or the disk is full.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        self._limit = limit
        self._is_full = False
        self._is_behind = False
        self._has_touched = True
        self._now = 0
        self._base = _opened(folder)

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def find(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values of these keys; damaged values are left out."""
        self._base.executemany("INSERT INTO asked VALUES (?)", ((key,) for key in keys))
        latest = self._number("SELECT CAST(COALESCE(MAX(used), 0) AS INTEGER) FROM entries")
        found = dict[bytes, bytes]()
        for key, used, content in self._base.execute(_FIND):
            self._is_behind |= used != latest
            if isinstance(content, bytes) and content[:_DIGEST_SIZE] == _digest(
                key, content[_DIGEST_SIZE:]
            ):
                found[key] = content[_DIGEST_SIZE:]
        self._now, self._has_touched = latest + 1, False
        return found

    def touch(self) -> None:
        """Mark values found as used by this run, unless the last run used them."""
        if self._is_behind and not self._has_touched:
            self.add({})

    def add(self, contents: Mapping[bytes, bytes]) -> None:
        """Add values in one transaction; the least recently used are evicted."""
        if self._is_full:
            return
        with self._writing():
            if not self._has_touched:
                self._base.execute(_TOUCH, (self._now,))
            self._insert(contents)
            self._make_room()
        self._has_touched = True

    def _insert(self, contents: Mapping[bytes, bytes]) -> None:
        # Existing values of these keys are damaged, or from a concurrent run.
        keys = [(key,) for key in contents]
        self._base.executemany(
            "DELETE FROM contents WHERE id = (SELECT id FROM entries WHERE key = ?)", keys
        )
        self._base.executemany("DELETE FROM entries WHERE key = ?", keys)
        first = 1 + self._number("SELECT COALESCE(MAX(id), 0) FROM entries")
        self._base.executemany(
            "INSERT INTO entries VALUES (?, ?, ?)",
            ((number, key, self._now) for number, key in enumerate(contents, first)),
        )
        self._base.executemany(
            "INSERT INTO contents VALUES (?, ?)",
            (
                (number, _digest(key, content) + content)
                for number, (key, content) in enumerate(contents.items(), first)
            ),
        )

    def _make_room(self) -> None:
        if self._size() <= self._limit:
            return
        while self._size() > _KEPT * self._limit:
            self._base.execute(f"DELETE FROM contents WHERE id IN ({_OLDEST})", (self._now,))  # noqa: S608
            gone = self._base.execute(f"DELETE FROM entries WHERE id IN ({_OLDEST})", (self._now,))  # noqa: S608
            if not gone.rowcount:
                # All entries are from this run. If its first entries were evicted, the next run
                # would miss these, add them again, and evict the others one by one.
                self._is_full = self._size() > self._limit
                return

    def _size(self) -> int:
        """Return the bytes in use; the space of deleted entries is reused."""
        pages = self._number("PRAGMA page_count") - self._number("PRAGMA freelist_count")
        return pages * self._number("PRAGMA page_size")

    def _number(self, query: str) -> int:
        return int(self._base.execute(query).fetchone()[0])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")


def usage_of(folder: Path) -> _Usage:
    """Return the usage of a cache folder, without creating anything.

    Raises:
        OSError: As in ``Store``.
    """
    if not (folder / _NAME).exists():
        return _Usage(0, _size_of(folder))
    with closing(_opened(folder)) as base:
        (readings,) = base.execute("SELECT COUNT(*) FROM entries").fetchone()
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
        OSError: As in ``Store``.
    """
    is_damaged = (folder / _NAME).exists() and not _is_emptied(folder)
    for file in sorted(folder.glob(_ALL_NAMES)):
        if is_damaged or not file.name.startswith(_NAME):
            file.unlink(missing_ok=True)


def in_words(error: Exception) -> str:
    """Return an error message, with a remedy if known."""
    if isinstance(error, OSError):
        named = f" ({str(error.filename)!r})" if error.filename else ""
        return f"{(error.strerror or str(error)).lower()}{named}"
    if isinstance(error, sqlite3.Error) and _code_of(error) in _DAMAGED:
        return f"{error}; 'mosslite cache clear' starts a new one"
    return str(error)


def _is_emptied(folder: Path) -> bool:
    try:
        with closing(_opened(folder)) as base:
            base.executescript("DELETE FROM contents; DELETE FROM entries; VACUUM")
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
            msg = f"{str(path)!r} is not a file"
            raise OSError(msg) from None
    base = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        base.executescript(_TABLES)
    except BaseException:
        base.close()
        raise
    return base


def _digest(key: bytes, content: bytes) -> bytes:
    return blake2b(content, key=key, digest_size=_DIGEST_SIZE).digest()


Result = TypeVar("Result")

# Number of readings added per transaction, which limits the loss if the run is killed.
_AT_ONCE: Final = 50

# Maximum share of the limit for one reading; a larger one is worth less than those it would evict.
_LARGEST_SHARE: Final = 0.05


# Numbers in a damaged file may overflow.
_TROUBLE: Final = (OSError, OverflowError, sqlite3.Error)


class Cache:
    """Packed readings by key; no method raises an error.

    The first error is logged and disables the cache: from then on nothing is found, and nothing
    is stored.
    """

    def __init__(self) -> None:
        self._new: dict[bytes, bytes] = {}
        self._store: Store | None = None
        self._limit = cache_limit()
        try:
            self._store = Store(cache_folder(), self._limit)
        except _TROUBLE as error:
            self._give_up(error)

    def __enter__(self) -> Self:
        """Return the cache itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write pending readings, also when the run is interrupted."""
        self._flush()
        self._attempt(Store.touch, None)
        self._close()

    def find(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return packed readings by those keys that have one."""
        return self._attempt(lambda store: store.find(keys), {})

    def add(self, key: bytes, packed: bytes) -> None:
        """Add a packed reading."""
        if len(packed) <= _LARGEST_SHARE * self._limit:
            self._new[key] = packed
        if len(self._new) >= _AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        new, self._new = self._new, {}
        if new:
            self._attempt(lambda store: store.add(new), None)

    def _attempt(self, action: Callable[[Store], Result], otherwise: Result) -> Result:
        if self._store is None:
            return otherwise
        try:
            return action(self._store)
        except _TROUBLE as error:
            self._give_up(error)
            return otherwise

    def _give_up(self, error: Exception) -> None:
        self._close()
        reason = in_words(error)
        getLogger(__name__).warning("%s", M_(f"cannot use the cache: {reason}"))

    def _close(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            with suppress(sqlite3.Error):
                store.close()
