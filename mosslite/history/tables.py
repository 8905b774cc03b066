"""The tables of an archive: creation, migration, insertion and deletion."""

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final, Self

from mosslite.history.postings import (
    MOST_SUBMISSIONS,
    add_postings,
    clear_postings,
    postings_from,
    remove_postings,
)
from mosslite.history.records import Entry, NotAsWrittenError, require
from mosslite.history.rows import (
    STORED_COLUMNS,
    SUBMISSION_COLUMNS,
    digest_of,
    file_row,
    hashes_of,
    submission_row,
    verified,
)
from mosslite.output_signatures import APPLICATION_ID

SHAPE: Final = "shape"
_INVENTORY: Final = "submissions"

_SUM_BYTES: Final = 16
_WRITTEN: Final = re.compile(r"(\d{1,18}) ([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class Inventory:
    """Number and digest of all submissions in an archive, by which a lost one is noticed.

    Attributes:
        count: Number of submissions.
        total: Sum of the digests of their rows, modulo 2 ** 128.
    """

    count: int = 0
    total: int = 0

    def plus(self, digests: Iterable[object]) -> Self:
        """Add submissions by their digests."""
        return self._changed(list(digests), 1)

    def minus(self, digests: Iterable[object]) -> Self:
        """Remove submissions by their digests."""
        return self._changed(list(digests), -1)

    def _changed(self, digests: list[object], sign: int) -> Self:
        total = sum(int.from_bytes(each, "little") for each in digests if isinstance(each, bytes))
        return type(self)(
            self.count + sign * len(digests), (self.total + sign * total) % (1 << 8 * _SUM_BYTES)
        )


def read_setting(base: sqlite3.Connection, name: str) -> str | None:
    """Read a setting; None if it does not exist.

    Raises:
        NotAsWrittenError: Its digest is wrong.
    """
    row = base.execute(
        "SELECT name, value, digest FROM settings WHERE name = ?", (name,)
    ).fetchone()
    return None if row is None else str(verified(row)[1])


def write_setting(base: sqlite3.Connection, name: str, value: str) -> None:
    """Write a setting."""
    base.execute(
        "INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", (name, value, digest_of((name, value)))
    )


def read_inventory(base: sqlite3.Connection) -> Inventory:
    """Read the expected number and digest of submissions.

    Raises:
        NotAsWrittenError: They are invalid or missing.
    """
    written = _WRITTEN.fullmatch(read_setting(base, _INVENTORY) or "")
    if written is None:
        msg = "the inventory is missing"
        raise NotAsWrittenError(msg)
    return Inventory(int(written[1]), int(written[2], 16))


def write_inventory(base: sqlite3.Connection, inventory: Inventory) -> None:
    """Write the expected number and digest of submissions."""
    write_setting(base, _INVENTORY, f"{inventory.count} {inventory.total:032x}")


# All tables except those created by ANALYZE, which are harmless.
_MADE: Final = """
    SELECT type, name, tbl_name, sql FROM sqlite_master
    WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[14]') ORDER BY type, name
"""

# Steps from version n to n + 1, with a description for the table of migrations. Released
# steps are never changed.
_MIGRATIONS: Final = (
    (
        "terms, submissions, files and the inverted index of fingerprints",
        (
            "CREATE TABLE migrations (version INTEGER PRIMARY KEY, what TEXT NOT NULL)",
            # What shapes fingerprints, as JSON.
            """
            CREATE TABLE settings (
                name TEXT PRIMARY KEY, value TEXT NOT NULL, digest BLOB NOT NULL
            ) WITHOUT ROWID
            """,
            "CREATE TABLE terms (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
            # A number is never given twice. fingerprints: ascending, 8 bytes each, little-endian.
            """
            CREATE TABLE submissions (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                term INTEGER NOT NULL REFERENCES terms,
                name TEXT NOT NULL,
                hand_in TEXT NOT NULL,
                files INTEGER NOT NULL,
                has_text INTEGER NOT NULL,
                size INTEGER NOT NULL,
                fingerprints BLOB NOT NULL,
                digest BLOB NOT NULL,
                UNIQUE (term, name)
            )
            """,
            # text and code: UTF-8, deflated. reading: columns of tokens and traces. boilerplate:
            # one bit for each token.
            """
            CREATE TABLE files (
                submission INTEGER NOT NULL REFERENCES submissions,
                number INTEGER NOT NULL,
                about TEXT NOT NULL,
                text BLOB NOT NULL,
                code BLOB,
                reading BLOB NOT NULL,
                boilerplate BLOB NOT NULL,
                digest BLOB NOT NULL,
                PRIMARY KEY (submission, number)
            ) WITHOUT ROWID
            """,
            # The inverted index. hash: the 64 bits of a fingerprint as a signed number.
            """
            CREATE TABLE postings (
                hash INTEGER NOT NULL,
                submission INTEGER NOT NULL,
                PRIMARY KEY (hash, submission)
            ) WITHOUT ROWID
            """,
        ),
    ),
    (
        "postings in blocks; the digests of settings and submissions include their keys",
        (
            "DROP TABLE postings",
            # hash and submission: where the block begins. content: its postings in order, 8 bytes
            # of the hash and 4 of the submission each, little-endian.
            """
            CREATE TABLE postings (
                id INTEGER PRIMARY KEY,
                hash INTEGER NOT NULL,
                submission INTEGER NOT NULL,
                stop_hash INTEGER NOT NULL,
                stop_submission INTEGER NOT NULL,
                content BLOB NOT NULL,
                digest BLOB NOT NULL,
                UNIQUE (hash, submission)
            )
            """,
        ),
    ),
)
VERSION: Final = len(_MIGRATIONS)


def migrate(base: sqlite3.Connection, before: int, after: int = VERSION) -> None:
    """Migrate tables from an earlier version; 0 means no tables yet."""
    for number, (what, steps) in enumerate(_MIGRATIONS[before:after], before + 1):
        for step in steps:
            base.execute(step)
        base.execute("INSERT INTO migrations VALUES (?, ?)", (number, what))


def is_as_made(base: sqlite3.Connection, version: int) -> bool:
    """Return whether a file has exactly the tables of a version, and no view, trigger or index."""
    with closing(sqlite3.connect(":memory:")) as made:
        migrate(made, 0, version)
        return base.execute(_MADE).fetchall() == made.execute(_MADE).fetchall()


_SOME: Final = f"SELECT {STORED_COLUMNS} FROM submissions WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608
_AT_ONCE: Final = 1_000


def make_current(base: sqlite3.Connection, version: int) -> None:
    """Migrate tables to the current version in a transaction.

    Args:
        base: In a transaction.
        version: The existing version; 0 without tables.

    Raises:
        NotAsWrittenError: Existing data is invalid.
    """
    migrate(base, version)
    clear_postings(base)
    write_inventory(base, Inventory())
    if version == 1:
        _convert_settings(base)
        _convert_submissions(base)
    base.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    base.execute(f"PRAGMA user_version = {VERSION}")


def _convert_settings(base: sqlite3.Connection) -> None:
    """Include the name of each setting in its digest."""
    row = base.execute("SELECT value, digest FROM settings WHERE name = ?", (SHAPE,)).fetchone()
    if row is not None:
        (value,) = verified(row)
        write_setting(base, SHAPE, str(value))


def _convert_submissions(base: sqlite3.Connection) -> None:
    """Include the number of each submission in its digest, and rebuild the index."""
    inventory, last = Inventory(), 0
    while rows := base.execute(_SOME, (last, _AT_ONCE)).fetchall():
        for _, *content in rows:
            verified(content)
        changed = [(digest_of(row[:-1]), row[0]) for row in rows]
        base.executemany("UPDATE submissions SET digest = ? WHERE id = ?", changed)
        inventory = inventory.plus(digest for digest, _ in changed)
        numbers = [row[0] for row in rows]
        add_postings(base, postings_from(numbers, [hashes_of(row[-2]) for row in rows]))
        last = numbers[-1]
    write_inventory(base, inventory)


# The digest includes the number, which is only known after the insertion.
_ADD_SUBMISSION: Final = (
    f"INSERT INTO submissions (term, {SUBMISSION_COLUMNS}, digest) "  # noqa: S608
    "VALUES (?, ?, ?, ?, ?, ?, ?, zeroblob(16))"
)
_ADD_FILE: Final = "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_AMONG: Final = "IN (SELECT value FROM json_each(?))"


def insert(base: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    """Add submissions.

    Raises:
        NotAsWrittenError: Existing data is invalid.
    """
    added = [_insert_row(base, entry) for entry in entries]
    write_inventory(base, read_inventory(base).plus(digest for _, digest in added))
    numbers = [number for number, _ in added]
    add_postings(base, postings_from(numbers, [entry.fingerprints for entry in entries]))


def delete(base: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Remove submissions by their numbers.

    Raises:
        NotAsWrittenError: Existing data is invalid.
    """
    gone = (json.dumps(list(numbers)),)
    digests = base.execute(f"SELECT digest FROM submissions WHERE id {_AMONG}", gone).fetchall()  # noqa: S608
    write_inventory(base, read_inventory(base).minus(digest for (digest,) in digests))
    remove_postings(base, numbers)
    base.execute(f"DELETE FROM files WHERE submission {_AMONG}", gone)  # noqa: S608
    base.execute(f"DELETE FROM submissions WHERE id {_AMONG}", gone)  # noqa: S608
    base.execute("DELETE FROM terms WHERE id NOT IN (SELECT term FROM submissions)")


def delete_all(base: sqlite3.Connection) -> None:
    """Remove all submissions, including damaged rows."""
    for table in ("files", "submissions"):
        base.execute(f"DELETE FROM {table}")  # noqa: S608
    clear_postings(base)
    write_inventory(base, Inventory())


def _insert_row(base: sqlite3.Connection, entry: Entry) -> tuple[int, bytes]:
    """Insert a submission without its postings, and return its number and digest."""
    base.execute("INSERT OR IGNORE INTO terms (name) VALUES (?)", (entry.term,))
    (term,) = base.execute("SELECT id FROM terms WHERE name = ?", (entry.term,)).fetchone()
    row = submission_row(entry)
    number = base.execute(_ADD_SUBMISSION, (term, *row)).lastrowid
    assert number is not None  # noqa: S101 - a row was added
    require(number <= MOST_SUBMISSIONS, "a number is out of range")
    digest = digest_of((number, entry.term, *row))
    base.execute("UPDATE submissions SET digest = ? WHERE id = ?", (digest, number))
    files = [file_row(number, place, kept) for place, kept in enumerate(entry.files)]
    base.executemany(_ADD_FILE, [(*file, digest_of(file)) for file in files])
    return number, digest
