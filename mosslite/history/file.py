"""Opens archive files and explains errors."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Self

from mosslite.errors import ArchiveError, DamageError, reason_of
from mosslite.history.records import NotAsWrittenError
from mosslite.history.tables import SHAPE, VERSION, is_as_made, make_current, read_inventory
from mosslite.output_signatures import APPLICATION_ID, is_own_archive
from mosslite.texts import M_


@dataclass(frozen=True, slots=True)
class _Location:
    """The location of an archive.

    Attributes:
        file: Its path.
        identity: Device and inode, to notice that the file was replaced.
        is_made: The file was created by opening it.
    """

    file: Path
    identity: tuple[int, int] | None
    is_made: bool

    @classmethod
    def of(cls, file: Path, *, is_made: bool) -> Self:
        """Return the location of an open file."""
        return cls(file, _identity(file), is_made)

    def is_kept(self) -> bool:
        """Return whether the opened file is still the one at its path."""
        return self.identity is not None and self.identity == _identity(self.file)

    def give_up(self, base: sqlite3.Connection) -> None:
        """Close an archive; remove its file if it was created here and is still empty.

        Another process may have opened it in between. It cannot commit before this one releases the
        lock, and then notices that the file is gone; its earlier commits are kept.
        """
        try:
            with suppress(sqlite3.Error, OSError):
                if self.is_made and _holds_nothing(base) and self.is_kept():
                    self._remove(base)
        finally:
            base.close()

    def _remove(self, base: sqlite3.Connection) -> None:
        if sys.platform == "win32":  # Windows removes no open file
            base.close()
        self.file.unlink()


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _holds_nothing(base: sqlite3.Connection) -> bool:
    """Return whether there are no submissions; keeps this state locked until the close."""
    base.execute("BEGIN")
    (tables,) = base.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return not tables or base.execute("SELECT 1 FROM submissions").fetchone() is None


Purpose = Literal["read", "change", "add"]
"""Only ``add`` makes a file where there is none; ``read`` works without the right to write."""

# SQLite falls back to read-only access without write permission. Requesting read-only access would
# fail if a writer was killed, as its changes must be rolled back first.
_MODES: Final = {"read": "rw", "change": "rw", "add": "rwc"}

# Bytes of the header of an SQLite file.
_HEADER: Final = 100

# Tables of all versions, by which an archive with a damaged header is recognized.
_TABLES: Final = frozenset({"migrations", "terms", "submissions", "files", "postings"})

# Seconds to wait for another process that is writing.
_PATIENCE: Final = 10.0

# A rollback journal, not a write-ahead log: the archive is one file unless it is being written, can
# be on a share or a read-only medium, and can be read without write permission. Changes stay in
# memory until the commit, so that others can read; deleted data is overwritten. Archives are passed
# on between people: functions and triggers in one are not trusted, and pages are checked.
_READING: Final = """
    PRAGMA temp_store = MEMORY;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
"""
_SETTINGS: Final = """
    PRAGMA journal_mode = DELETE;
    PRAGMA synchronous = EXTRA;
    PRAGMA cache_spill = OFF;
    PRAGMA secure_delete = ON;
"""

_DAMAGED: Final = M_("is damaged: restore it from a backup")
_WORDS: Final = {
    sqlite3.SQLITE_BUSY: M_("is in use by another process: try again later"),
    sqlite3.SQLITE_LOCKED: M_("is in use by another process: try again later"),
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_ERROR: _DAMAGED,
    sqlite3.SQLITE_CONSTRAINT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: M_("is not a mosslite archive, or is damaged"),
    sqlite3.SQLITE_IOERR: M_("cannot be read or written: input/output error; nothing was changed"),
    sqlite3.SQLITE_FULL: M_("cannot be changed: the disk is full; nothing was changed"),
    sqlite3.SQLITE_READONLY: M_("cannot be changed: it or its folder is read-only"),
    sqlite3.SQLITE_PERM: M_("cannot be opened: permission denied"),
    sqlite3.SQLITE_CANTOPEN: M_(
        "cannot be opened: no permission to read it or to write to its folder"
    ),
}


_HALF_DONE: Final = M_(
    "was interrupted during a change, which must be rolled back: open it once where it can be "
    "written to"
)


def opened(path: str, purpose: Purpose) -> tuple[sqlite3.Connection, _Location]:
    """Open an archive and migrate it if it may be changed; the first add creates the tables.

    Raises:
        ArchiveError: It does not exist, or is not an archive.
    """
    with explained(path):
        file = Path(path)
        is_made = purpose == "add" and not is_there(path)
        if not is_made:
            _require_archive(file)
        base = sqlite3.connect(
            f"{file.absolute().as_uri()}?mode={_MODES[purpose]}",
            timeout=_PATIENCE,
            isolation_level=None,
            uri=True,
        )
        place = _Location.of(file.absolute(), is_made=is_made)
        try:
            _prepare(base, path, purpose)
        except BaseException as error:
            place.give_up(base)
            if isinstance(error, NotAsWrittenError):
                raise damage(path) from error
            raise
        return base, place


def is_there(path: str) -> bool:
    """Return whether the archive exists.

    Raises:
        ArchiveError: It cannot be created there.
    """
    with explained(path):
        file = Path(path)
        if file.exists():
            return True
        if not file.absolute().parent.is_dir():
            msg = f"archive {path!r} cannot be created: {str(file.parent)!r} is not a folder"
            raise ArchiveError(msg)
        return False


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Convert errors to messages of one line.

    Raises:
        ArchiveError: In place of exceptions from SQLite or the system.
    """
    try:
        yield
    except sqlite3.Error as error:
        words = _in_words(error, path)
        if words == _DAMAGED:
            raise damage(path) from error
        msg = f"archive {path!r} {words}"
        raise ArchiveError(msg) from error
    except UnicodeDecodeError as error:  # SQLite's message would quote the damaged bytes
        raise damage(path) from error
    except OSError as error:
        msg = f"archive {path!r} cannot be opened: {reason_of(error)}"
        raise ArchiveError(msg) from error


def damage(path: str) -> DamageError:
    """Return the error for an archive with invalid content."""
    return DamageError(f"archive {path!r} {_DAMAGED}")


@contextmanager
def writing(base: sqlite3.Connection) -> Iterator[None]:
    """Run the block in one transaction."""
    base.execute("BEGIN IMMEDIATE")
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            base.execute("ROLLBACK")
        raise


@contextmanager
def one_moment(base: sqlite3.Connection) -> Iterator[None]:
    """Read from one snapshot while the block runs; writers wait."""
    if base.in_transaction:
        yield
        return
    base.execute("BEGIN")
    try:
        yield
    finally:
        with suppress(sqlite3.Error):  # after a failure there may be no transaction
            base.execute("ROLLBACK")


def _in_words(error: sqlite3.Error, path: str) -> str:
    if isinstance(error, sqlite3.ProgrammingError):  # closed, or from another thread
        return M_(f"cannot be used: {error}")
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if code == sqlite3.SQLITE_READONLY_ROLLBACK:
        return _HALF_DONE
    if code == sqlite3.SQLITE_NOTADB and _has_mark(path):
        return _DAMAGED
    # The lowest byte is the primary error code; the others are details.
    return _WORDS.get(code & 0xFF, M_(f"cannot be used: {error}"))


def _has_mark(path: str) -> bool:
    """Return whether a file rejected by SQLite has traces of an archive."""
    try:
        with Path(path).open("rb") as file:
            return is_own_archive(file.read(_HEADER))
    except OSError:
        return False


def _require_archive(file: Path) -> None:
    if not file.exists():
        msg = f"archive {str(file)!r} does not exist: 'mosslite archive add' creates one"
        raise ArchiveError(msg)
    if not file.is_file():
        msg = f"archive {str(file)!r} is not a file"
        raise ArchiveError(msg)


def _prepare(base: sqlite3.Connection, path: str, purpose: Purpose) -> None:
    base.executescript(_READING)
    if purpose != "read":
        base.executescript(_SETTINGS)
    with one_moment(base):
        version = _checked_version(base, path)
    if 0 < version < VERSION:
        _update(base, path, purpose)
    if purpose != "add" and (version == 0 or _is_unfinished(base)):
        msg = f"archive {path!r} is empty: 'mosslite archive add' adds submissions"
        raise ArchiveError(msg)


def _checked_version(base: sqlite3.Connection, path: str) -> int:
    """Return the version of an archive whose tables are exactly those of that version.

    Raises:
        ArchiveError: They are not.
    """
    version = _version_of(base, path)
    if version > VERSION:
        msg = f"archive {path!r} was written by a newer mosslite: update mosslite"
        raise ArchiveError(msg)
    # A malicious view or trigger could loop endlessly, and a generated column compute any content.
    if not is_as_made(base, version):
        raise damage(path)
    return version


def _update(base: sqlite3.Connection, path: str, purpose: Purpose) -> None:
    """Migrate an archive of an earlier version."""
    if purpose == "read":
        msg = f"archive {path!r} was written by an older mosslite: run 'mosslite archive rebuild'"
        raise ArchiveError(msg)
    with writing(base):
        version = _version_of(base, path)  # another process may have done it
        if version < VERSION:
            make_current(base, version)


def _is_unfinished(base: sqlite3.Connection) -> bool:
    """Return whether the archive is empty, as after a first add that was killed."""
    row = base.execute("SELECT 1 FROM settings WHERE name = ?", (SHAPE,)).fetchone()
    return row is None and not read_inventory(base).count


def _version_of(base: sqlite3.Connection, path: str) -> int:
    """Return the version of the tables; 0 without tables, as in an empty file."""
    application = _number(base, "PRAGMA application_id")
    version = _number(base, "PRAGMA user_version")
    tables = {row[0] for row in base.execute("SELECT name FROM sqlite_master")}
    if not tables and not version and application == 0:
        return 0
    if application == APPLICATION_ID and version == _migrated_to(base):
        return version
    if application == APPLICATION_ID or tables >= _TABLES:
        raise damage(path)
    msg = f"{path!r} is an SQLite database, but not a mosslite archive"
    raise ArchiveError(msg)


def _migrated_to(base: sqlite3.Connection) -> object:
    """Read the version from the tables, as a flipped bit could change that in the header."""
    return base.execute("SELECT max(version) FROM migrations").fetchone()[0]


def _number(base: sqlite3.Connection, query: str) -> int:
    return int(base.execute(query).fetchone()[0])
