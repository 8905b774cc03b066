"""An archive of earlier terms: one SQLite file, opened, read, changed in transactions, verified."""

import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from os.path import samestat
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from mosslite.errors import ArchiveError, DamageError
from mosslite.messages import M_, N_
from mosslite.ranges import run_starts
from mosslite.records import Document
from mosslite.signatures import is_own_archive
from mosslite.terms import tables
from mosslite.terms.tables import (
    ArchivedSubmission,
    Entry,
    IndexParameters,
    NotAsWrittenError,
    require,
)

Purpose = Literal["read", "change", "add"]
"""Only ``add`` makes a file where there is none; ``read`` works without the right to write."""

# SQLite falls back to read-only access without write permission. Requesting read-only access would
# fail if a writer was killed, as its changes must be rolled back first.
_MODES: Final = {"read": "rw", "change": "rw", "add": "rwc"}

# Bytes of the header of an SQLite file.
_HEADER: Final = 100

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
_WRITING: Final = """
    PRAGMA journal_mode = DELETE;
    PRAGMA synchronous = EXTRA;
    PRAGMA cache_spill = OFF;
    PRAGMA secure_delete = ON;
"""

_DAMAGED: Final = M_("is damaged: restore it from a backup")
_IN_USE: Final = M_("is in use by another process: try again later")
_WORDS: Final = {
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
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

_ALL: Final = "SELECT id, term, name, about, fingerprints, digest FROM submissions"
_FILES: Final = (
    "SELECT submission, number, about, text, code, reading, boilerplate, digest FROM files"
)

# Number of submissions whose fingerprints are looked at together.
_AT_ONCE: Final = 1_000

# Maximum number of problems reported.
_MOST: Final = 20


class Shared(NamedTuple):
    """An archived submission with some of the fingerprints looked up, ascending."""

    submission: ArchivedSubmission
    hashes: NDArray[np.uint64]


class Archive:
    """A file of submissions of earlier terms.

    Raises:
        ArchiveError: Raised by any method if the archive is damaged, in use, or not an archive.
    """

    def __init__(self, path: str, purpose: Purpose = "read") -> None:
        self.path = path
        self._purpose = purpose
        with explained(path):
            self._file = Path(path).absolute()
            # Whether the file was created here.
            self._is_made = purpose == "add" and not is_there(path)
            if not self._is_made:
                _require_file(path)
            self._base = sqlite3.connect(
                f"{self._file.as_uri()}?mode={_MODES[purpose]}",
                timeout=_PATIENCE,
                isolation_level=None,
                uri=True,
            )
            self._status: os.stat_result | None = None
            try:
                with suppress(FileNotFoundError):  # removed by the process that made it
                    self._status = self._file.stat()
                self._prepare()
            except BaseException:
                self._give_up()
                raise

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file; remove it if it was created here and nothing was added."""
        self._give_up()

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Read from one snapshot while the block runs; writers wait."""
        if self._base.in_transaction:
            yield
            return
        self._base.execute("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):  # after a failure there may be no transaction
                self._base.execute("ROLLBACK")

    def shape(self) -> IndexParameters | None:
        """Return the parameters of its fingerprints; None if it never had any."""
        with self._reading():
            if not self._has_tables():
                return None
            found = tables.read_parameters(self._base)
            is_whole = found is not None or tables.read_inventory(self._base) == (0, 0)
            require(is_whole, "the index parameters are missing")
            return found

    def count(self) -> int:
        """Return the number of submissions."""
        with self._reading():
            return tables.read_inventory(self._base)[0]

    def submissions(self) -> tuple[ArchivedSubmission, ...]:
        """Return all submissions, by term and name."""
        with self._reading():
            found = [tables.archived_submission(row) for row in self._rows()]
        return tuple(sorted(found, key=lambda each: (each.term, each.name)))

    def shared(self, hashes: NDArray[np.uint64]) -> list[Shared]:
        """Return the submissions that have some of these fingerprints, by term and name.

        All fingerprints are read, as only a digest of those that a submission has proves which it
        does not have. The hashes are distinct and ascending.
        """
        found = list[Shared]()
        with self._reading():
            rows = self._rows()
            while some := list(islice(rows, _AT_ONCE)):
                own, owners = tables.hashes_of(*(row[4] for row in some))
                is_asked = np.isin(own, hashes)
                own, owners = own[is_asked], owners[is_asked]
                firsts = np.flatnonzero(run_starts(owners))
                for first, part in zip(firsts, np.split(own, firsts[1:]), strict=False):
                    submission = tables.archived_submission(some[owners[first]])
                    found.append(Shared(submission, part))
        return sorted(found, key=lambda each: (each.submission.term, each.submission.name))

    def files_of(self, submission: int) -> tuple[Document, ...]:
        """Return the files of a submission by its number."""
        with self._reading():
            count = tables.archived_submission(self._row(submission)).files
            query = f"{_FILES} WHERE submission = ? ORDER BY number"
            rows = self._base.execute(query, (submission,)).fetchall()
            require([row[1] for row in rows] == list(range(count)), "a file is missing")
            shape = self.shape()
            assert shape is not None  # noqa: S101 - there is a submission
            return tuple(tables.archived_document(tables.verified(row), shape) for row in rows)

    def fingerprints_of(self, submission: int) -> NDArray[np.uint64]:
        """Return the distinct fingerprints of a submission, ascending."""
        with self._reading():
            return tables.hashes_of(self._row(submission)[4])[0]

    def problems(self) -> list[str]:
        """Verify every page, row and fingerprint, and return what is corrupt."""
        with self._reading():
            pages = [row[0] for row in self._base.execute(f"PRAGMA integrity_check({_MOST})")]
            if pages != ["ok"]:
                return [M_("page: %(what)s", " ".join(str(each).split())) for each in pages]
            return list(_problems_in(self._base))[:_MOST]

    @contextmanager
    def in_one_step(self) -> Iterator[None]:
        """Make all changes of the block in one transaction; other writers wait."""
        if self._purpose == "read":
            raise ArchiveError(
                "archive %(path)r is open for reading: open it with the purpose 'change'", self.path
            )
        if self._base.in_transaction:
            yield
            return
        try:
            with explained(self.path):
                self._base.execute("BEGIN IMMEDIATE")
                if not self._has_tables():
                    tables.create_tables(self._base)
                yield
                self._base.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            if isinstance(error, ArchiveError):
                self._require_place()
            raise
        self._require_place()

    def add(self, entries: Sequence[Entry], shape: IndexParameters) -> None:
        """Add submissions in one transaction.

        Raises:
            ArchiveError: It contains one of them already, or has other index parameters.
        """
        with self.in_one_step():
            if self.shape() not in (None, shape):
                raise self.changed()
            query = "SELECT 1 FROM submissions WHERE term = ? AND name = ?"
            for entry in entries:
                if self._base.execute(query, (entry.term, entry.name)).fetchone():
                    raise ArchiveError(
                        "archive %(path)r already contains %(name)r in term %(term)r: give "
                        "another --term, or remove it first",
                        self.path,
                        entry.name,
                        entry.term,
                    )
            tables.write_parameters(self._base, shape)
            tables.insert(self._base, entries)

    def replace(
        self, stored: Sequence[ArchivedSubmission], entries: Iterable[Entry], shape: IndexParameters
    ) -> None:
        """Replace all submissions in one transaction.

        Raises:
            ArchiveError: Its submissions are no longer those in ``stored``.
        """
        with self.in_one_step():
            if self.submissions() != tuple(stored):
                raise self.changed()
            made = list(entries)
            tables.delete_all(self._base)
            tables.write_parameters(self._base, shape)
            tables.insert(self._base, made)

    def remove(self, submissions: Sequence[int]) -> None:
        """Remove submissions by number in one transaction, and overwrite their data."""
        with self.in_one_step():
            tables.delete(self._base, submissions)

    def changed(self) -> ArchiveError:
        """Return the error for a change by another process."""
        return ArchiveError("archive %(path)r was changed while being read: try again", self.path)

    def _prepare(self) -> None:
        """Set up the connection, and require an archive of this version."""
        self._base.executescript(_READING)
        if self._purpose != "read":
            self._base.executescript(_WRITING)
        with self.at_one_moment():
            state = tables.state_of(self._base)
        if state == "something else":
            raise ArchiveError(
                "%(path)r is an SQLite database, but not a mosslite archive", self.path
            )
        if state == "newer archive":
            raise ArchiveError(
                "archive %(path)r was written by a newer mosslite: update mosslite", self.path
            )
        if state == "empty" and self._purpose != "add":
            raise ArchiveError(
                "archive %(path)r is empty: 'mosslite archive add' adds submissions", self.path
            )

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with explained(self.path), self.at_one_moment():
            yield

    def _has_tables(self) -> bool:
        """Return whether the tables exist; the first change creates them."""
        return self._base.execute("SELECT 1 FROM sqlite_master").fetchone() is not None

    def _rows(self) -> Iterator[Sequence[Any]]:
        """Yield the rows of all submissions; the last may be followed by an error."""
        if not self._has_tables():
            return
        digests = list[object]()
        for row in self._base.execute(f"{_ALL} ORDER BY id"):
            digests.append(row[-1])
            yield tables.verified(row)
        is_whole = tables.read_inventory(self._base) == tables.inventory_of(digests)
        require(is_whole, "a submission is missing")

    def _row(self, number: int) -> Sequence[Any]:
        """Return the row of a submission."""
        query = f"{_ALL} WHERE id = ?"
        row = self._base.execute(query, (number,)).fetchone() if self._has_tables() else None
        if row is None:
            is_listed = any(each.number == number for each in self.submissions())
            require(not is_listed, "a submission is not where SQLite expects it")
            raise ArchiveError(
                "archive %(path)r has no submission of number %(number)r", self.path, number
            )
        return tables.verified(row)

    def _is_kept(self) -> bool:
        """Return whether the opened file is still the one at its path."""
        with suppress(OSError):
            return self._status is not None and samestat(self._status, self._file.stat())
        return False

    def _require_place(self) -> None:
        if not self._is_kept():
            raise ArchiveError(
                "archive %(path)r was removed or replaced while in use: try again", self.path
            )

    def _give_up(self) -> None:
        """Close the file; remove it if it was created here and is still empty.

        Another process may have opened it in between. It cannot commit before this one releases the
        lock, and then notices that the file is gone; its earlier commits are kept.
        """
        try:
            with suppress(sqlite3.Error, OSError):
                if self._is_made and self._holds_nothing() and self._is_kept():
                    if sys.platform == "win32":  # Windows removes no open file
                        self._base.close()
                    self._file.unlink()
        finally:
            self._base.close()

    def _holds_nothing(self) -> bool:
        """Return whether there are no submissions; keeps this state locked until the close."""
        self._base.execute("BEGIN")
        query = "SELECT 1 FROM submissions"
        return not self._has_tables() or self._base.execute(query).fetchone() is None


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
            raise ArchiveError(
                "archive %(path)r cannot be created: %(parent)r is not a folder", path, file.parent
            )
        return False


def _require_file(file: str) -> None:
    if not Path(file).exists():
        raise ArchiveError(
            "archive %(file)r does not exist: 'mosslite archive add' creates one", file
        )
    if not Path(file).is_file():
        raise ArchiveError("archive %(file)r is not a file", file)


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Convert errors to messages of one line.

    Raises:
        ArchiveError: In place of exceptions from SQLite or the system.
        DamageError: In place of those for content that is never written.
    """
    try:
        yield
    except sqlite3.Error as error:
        words = _in_words(error, path)
        msg = M_("archive %(path)r %(words)s", path, words)
        raise (DamageError if words is _DAMAGED else ArchiveError)(msg) from error
    except (NotAsWrittenError, UnicodeDecodeError) as error:
        # SQLite's message would quote the damaged bytes.
        raise DamageError("archive %(path)r %(damaged)s", path, _DAMAGED) from error
    except OSError as error:
        raise ArchiveError("archive %(path)r cannot be opened: %(reason)s", path, error) from error


def _in_words(error: sqlite3.Error, path: str) -> str:
    if isinstance(error, sqlite3.ProgrammingError):  # closed, or from another thread
        return M_("cannot be used: %(error)s", error)
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if code == sqlite3.SQLITE_READONLY_ROLLBACK:
        return _HALF_DONE
    if code == sqlite3.SQLITE_NOTADB and _has_mark(path):
        return _DAMAGED
    # The lowest byte is the primary error code; the others are details.
    return _WORDS.get(code & 0xFF, M_("cannot be used: %(error)s", error))


def _has_mark(path: str) -> bool:
    """Return whether a file rejected by SQLite has traces of an archive."""
    try:
        with Path(path).open("rb") as file:
            return is_own_archive(file.read(_HEADER))
    except OSError:
        return False


_FILES_MISSING: Final = N_("files of submission %(number)s are missing")


def _problems_in(base: sqlite3.Connection) -> Iterator[str]:
    """Yield a line for each row that is corrupt, and for what is missing."""
    for *row, digest in base.execute("SELECT name, value, digest FROM settings"):
        if digest != tables.digest_of(row):
            yield M_("setting %(name)r is corrupt", row[0])
    digests, files = list[object](), dict[object, int]()
    for row in base.execute(_ALL):
        digests.append(row[-1])
        try:
            files[row[0]] = tables.archived_submission(tables.verified(row)).files
            tables.hashes_of(row[4])
        except NotAsWrittenError:
            yield M_("submission %(number)s is corrupt", row[0])
    for row in base.execute(_FILES):
        files[row[0]] = files.get(row[0], 0) - 1
        if row[-1] != tables.digest_of(row[:-1]):
            yield M_("file %(file)s of submission %(number)s is corrupt", row[1], row[0])
    yield from (M_(_FILES_MISSING, number) for number in files if files[number])
    try:
        if tables.read_inventory(base) != tables.inventory_of(digests):
            yield M_("the submissions differ from the inventory")
        elif digests and tables.read_parameters(base) is None:
            yield M_("the index parameters are missing")
    except NotAsWrittenError as error:
        yield M_("the settings are corrupt: %(error)s", error)
