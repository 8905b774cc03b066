"""Tells whether an archive is as it was written: its pages, its rows, and its index."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from mosslite.archive.rows import (
    FILE_COLUMNS,
    STORED_COLUMNS,
    digest_of,
    hashes_of,
    numbers_of,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

__all__ = ["problems_in"]

# So many problems tell what is wrong.
_MOST: Final = 20

_ODD: Final = (
    "SELECT count(*) FROM postings "
    "WHERE typeof(hash) <> 'integer' OR typeof(submission) <> 'integer'"
)
_SETTINGS: Final = "SELECT value, digest FROM settings"


def problems_in(base: sqlite3.Connection) -> list[str]:
    """Look at everything, and say in a line each what is wrong; nothing where all is well.

    Args:
        base: In a transaction, so that all of it is as it was at one moment.
    """
    pages = [row[0] for row in base.execute(f"PRAGMA integrity_check({_MOST})")]
    if pages != ["ok"]:
        return [f"page: {' '.join(str(each).split())}" for each in pages]
    return [*_rows(base), *_index(base)][:_MOST]


def _rows(base: sqlite3.Connection) -> Iterator[str]:
    if any(digest != digest_of((value,)) for value, digest in base.execute(_SETTINGS)):
        yield "the settings are not as they were written"
    count = dict[int, int]()
    for number, *row, digest in base.execute(
        f"SELECT {STORED_COLUMNS} FROM submissions"  # noqa: S608
    ):
        count[number] = row[3] if isinstance(row[3], int) else -1
        if digest != digest_of(row):
            yield f"submission {number} is not as it was written"
    for *row, digest in base.execute(f"SELECT {FILE_COLUMNS}, digest FROM files"):  # noqa: S608
        if row[0] in count:
            count[row[0]] -= 1
        if digest != digest_of(row):
            yield f"file {row[1]} of submission {row[0]} is not as it was written"
    yield from (f"submission {number} lacks files" for number in count if count[number])


def _index(base: sqlite3.Connection) -> Iterator[str]:
    """Compare the inverted index with the fingerprints of each submission."""
    (odd,) = base.execute(_ODD).fetchone()
    if odd:
        yield "the index holds something else than numbers"
        return
    held = dict[int, list[int]]()
    for hash_, submission in base.execute("SELECT hash, submission FROM postings"):
        total = held.setdefault(submission, [0, 0])
        total[0] += 1
        total[1] ^= _scattered(hash_)
    for number, blob in base.execute("SELECT id, fingerprints FROM submissions"):
        expected = [0, 0]
        for hash_ in numbers_of(hashes_of(blob)):
            expected[0] += 1
            expected[1] ^= _scattered(hash_)
        if held.pop(number, [0, 0]) != expected:
            yield f"the index of submission {number} is not that of its fingerprints"
    yield from (f"the index names submission {number}, which is not there" for number in held)


def _scattered(number: int) -> int:
    """Give a digest of which sums over a set tell it from others."""
    digest = blake2b(number.to_bytes(8, "little", signed=True), digest_size=8).digest()
    return int.from_bytes(digest, "little")
