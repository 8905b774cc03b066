"""Tells whether an archive is as it was written: its pages, its rows, and its index."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.archive.blocks import MOST_SUBMISSIONS, blocks_in_order, postings_in
from mosslite.archive.rows import FILE_COLUMNS, STORED_COLUMNS, digest_of, hashes_of
from mosslite.archive.settings import SHAPE, Inventory, read_inventory, read_setting
from mosslite.archive.told import NotAsWrittenError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["problems_in"]

# So many problems tell what is wrong.
_MOST: Final = 20

# Blocks of the index at a time.
_AT_ONCE: Final = 4_096

_SETTINGS: Final = "SELECT name, value, digest FROM settings"
_SUBMISSIONS: Final = f"SELECT {STORED_COLUMNS} FROM submissions"  # noqa: S608
_FILES: Final = f"SELECT {FILE_COLUMNS}, digest FROM files"  # noqa: S608


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
    for *row, digest in base.execute(_SETTINGS):
        if digest != digest_of(row):
            yield f"setting {row[0]!r} is not as it was written"
    files, digests = dict[int, int](), list[object]()
    for *row, digest in base.execute(_SUBMISSIONS):
        files[row[0]] = row[4] if isinstance(row[4], int) else -1
        digests.append(digest)
        if digest != digest_of(row):
            yield f"submission {row[0]} is not as it was written"
    for *row, digest in base.execute(_FILES):
        if row[0] in files:
            files[row[0]] -= 1
        if digest != digest_of(row):
            yield f"file {row[1]} of submission {row[0]} is not as it was written"
    yield from (f"submission {number} lacks files" for number in files if files[number])
    yield from _losses(base, digests)


def _losses(base: sqlite3.Connection, digests: list[object]) -> Iterator[str]:
    try:
        if read_inventory(base) != Inventory().plus(digests):
            yield "there are other submissions than were written"
        elif digests and read_setting(base, SHAPE) is None:
            yield "the index parameters are lost"
    except NotAsWrittenError as error:
        yield f"the settings are not as they were written: {error}"


def _index(base: sqlite3.Connection) -> Iterator[str]:
    """Compare the inverted index with the fingerprints of each submission."""
    numbers = [number for (number,) in base.execute("SELECT id FROM submissions ORDER BY id")]
    try:
        held, others = _held(base, np.array(numbers, np.int64))
    except NotAsWrittenError as error:
        yield f"the index is not as it was written: {error}"
        return
    rows = base.execute("SELECT id, fingerprints FROM submissions ORDER BY id")
    for (number, blob), found in zip(rows, held, strict=True):
        hashes = hashes_of(blob)
        if found != (len(hashes), int(hashes.sum(dtype=np.uint64))):
            yield f"the index of submission {number} is not that of its fingerprints"
    yield from (f"the index names submission {number}, which is not there" for number in others)


def _held(
    base: sqlite3.Connection, numbers: NDArray[np.int64]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Count the postings of each submission, and add up its hashes modulo 2 ** 64.

    Returns:
        Both for each of the numbers, and what other numbers there are.
    """
    known = np.append(numbers, MOST_SUBMISSIONS + 1)
    counts, sums, others = (
        np.zeros(len(known), np.int64),
        np.zeros(len(known), np.uint64),
        set[int](),
    )
    blocks = blocks_in_order(base)
    while some := list(islice(blocks, _AT_ONCE)):
        postings = postings_in(some)
        submissions = postings["submission"].astype(np.int64)
        places = np.searchsorted(known, submissions)
        others.update(submissions[known[places] != submissions].tolist())
        np.add.at(counts, places, 1)
        np.add.at(sums, places, postings["hash"].astype(np.int64).view(np.uint64))
    return list(zip(counts.tolist(), sums.tolist(), strict=True))[:-1], sorted(others)
