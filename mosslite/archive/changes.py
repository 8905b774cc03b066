"""Adds submissions to the tables of an archive and removes them, inside of a transaction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from mosslite.archive.blocks import (
    MOST_SUBMISSIONS,
    add_postings,
    clear_postings,
    postings_from,
    remove_postings,
)
from mosslite.archive.rows import SUBMISSION_COLUMNS, digest_of, file_row, submission_row
from mosslite.archive.settings import Inventory, read_inventory, write_inventory
from mosslite.archive.told import require

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from mosslite.archive.records import Entry

__all__ = ["delete", "delete_all", "insert"]

# The digest is of the number too, which is only known when the row is there.
_ADD_SUBMISSION: Final = (
    f"INSERT INTO submissions (term, {SUBMISSION_COLUMNS}, digest) "  # noqa: S608
    "VALUES (?, ?, ?, ?, ?, ?, ?, zeroblob(16))"
)
_ADD_FILE: Final = "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_AMONG: Final = "IN (SELECT value FROM json_each(?))"


def insert(base: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    """Add submissions.

    Raises:
        NotAsWrittenError: What there is is not as it was written.
    """
    added = [_insert_row(base, entry) for entry in entries]
    write_inventory(base, read_inventory(base).plus(digest for _, digest in added))
    numbers = [number for number, _ in added]
    add_postings(base, postings_from(numbers, [entry.fingerprints for entry in entries]))


def delete(base: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Remove submissions by their numbers.

    Raises:
        NotAsWrittenError: What there is is not as it was written.
    """
    gone = (json.dumps(list(numbers)),)
    digests = base.execute(f"SELECT digest FROM submissions WHERE id {_AMONG}", gone).fetchall()  # noqa: S608
    write_inventory(base, read_inventory(base).minus(digest for (digest,) in digests))
    remove_postings(base, numbers)
    base.execute(f"DELETE FROM files WHERE submission {_AMONG}", gone)  # noqa: S608
    base.execute(f"DELETE FROM submissions WHERE id {_AMONG}", gone)  # noqa: S608
    base.execute("DELETE FROM terms WHERE id NOT IN (SELECT term FROM submissions)")


def delete_all(base: sqlite3.Connection) -> None:
    """Remove all submissions, and what is damaged of them too."""
    for table in ("files", "submissions"):
        base.execute(f"DELETE FROM {table}")  # noqa: S608
    clear_postings(base)
    write_inventory(base, Inventory())


def _insert_row(base: sqlite3.Connection, entry: Entry) -> tuple[int, bytes]:
    """Add a submission but for its postings, and return its number and digest."""
    base.execute("INSERT OR IGNORE INTO terms (name) VALUES (?)", (entry.term,))
    (term,) = base.execute("SELECT id FROM terms WHERE name = ?", (entry.term,)).fetchone()
    row = submission_row(entry)
    number = base.execute(_ADD_SUBMISSION, (term, *row)).lastrowid
    assert number is not None  # noqa: S101 - a row was added
    require(number <= MOST_SUBMISSIONS, "a number is larger than any that was given")
    digest = digest_of((number, entry.term, *row))
    base.execute("UPDATE submissions SET digest = ? WHERE id = ?", (digest, number))
    files = [file_row(number, place, kept) for place, kept in enumerate(entry.files)]
    base.executemany(_ADD_FILE, [(*file, digest_of(file)) for file in files])
    return number, digest
