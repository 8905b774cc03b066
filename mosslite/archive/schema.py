"""The tables of an archive, and how they came to be."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Final

__all__ = ["MIGRATIONS", "VERSION", "is_as_made", "migrate"]

# All but what ANALYZE leaves, which is a table and no more.
_MADE: Final = """
    SELECT type, name, tbl_name, sql FROM sqlite_master
    WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[14]') ORDER BY type, name
"""

# What makes version n + 1 of version n, and why, for the table of migrations. Steps that were
# released are never changed.
MIGRATIONS: Final = (
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
VERSION: Final = len(MIGRATIONS)


def migrate(base: sqlite3.Connection, before: int, after: int = VERSION) -> None:
    """Make tables of a version of those of an earlier one, 0 where there are none."""
    for number, (what, steps) in enumerate(MIGRATIONS[before:after], before + 1):
        for step in steps:
            base.execute(step)
        base.execute("INSERT INTO migrations VALUES (?, ?)", (number, what))


def is_as_made(base: sqlite3.Connection, version: int) -> bool:
    """Return whether a file has the tables of a version, and no view, trigger or index beside."""
    with closing(sqlite3.connect(":memory:")) as made:
        migrate(made, 0, version)
        return base.execute(_MADE).fetchall() == made.execute(_MADE).fetchall()
