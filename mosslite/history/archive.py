"""An open archive: adding, reading and verifying submissions."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from mosslite.errors import ArchiveError, DamageError
from mosslite.history.file import Purpose, damage, explained, one_moment, opened, writing
from mosslite.history.postings import MOST_SUBMISSIONS, blocks_in_order, postings_in, postings_of
from mosslite.history.records import (
    ArchivedFile,
    ArchivedSubmission,
    Entry,
    IndexParameters,
    NotAsWrittenError,
    SharedPostings,
    require,
)
from mosslite.history.rows import (
    FILE_COLUMNS,
    STORED_COLUMNS,
    archived_file,
    archived_submission,
    digest_of,
    hashes_of,
    parameters_in,
    parameters_text,
    verified,
)
from mosslite.history.tables import (
    SHAPE,
    Inventory,
    delete,
    delete_all,
    insert,
    make_current,
    read_inventory,
    read_setting,
    write_setting,
)

# Maximum number of problems reported.
_MOST: Final = 20

# Number of index blocks read at a time.
_AT_ONCE: Final = 4_096

_SETTINGS: Final = "SELECT name, value, digest FROM settings"
_SUBMISSIONS: Final = f"SELECT {STORED_COLUMNS} FROM submissions"  # noqa: S608
_FILES_OF_ALL: Final = f"SELECT {FILE_COLUMNS}, digest FROM files"  # noqa: S608


def _problems_in(base: sqlite3.Connection) -> list[str]:
    """Return one line for each problem found in an archive.

    Args:
        base: In a transaction, so that the snapshot is consistent.
    """
    pages = [row[0] for row in base.execute(f"PRAGMA integrity_check({_MOST})")]
    if pages != ["ok"]:
        return [f"page: {' '.join(str(each).split())}" for each in pages]
    return [*_rows(base), *_index(base)][:_MOST]


def _rows(base: sqlite3.Connection) -> Iterator[str]:
    for *row, digest in base.execute(_SETTINGS):
        if digest != digest_of(row):
            yield f"setting {row[0]!r} is corrupt"
    files, digests = dict[int, int](), list[object]()
    for *row, digest in base.execute(_SUBMISSIONS):
        files[row[0]] = row[4] if isinstance(row[4], int) else -1
        digests.append(digest)
        if digest != digest_of(row):
            yield f"submission {row[0]} is corrupt"
    for *row, digest in base.execute(_FILES_OF_ALL):
        if row[0] in files:
            files[row[0]] -= 1
        if digest != digest_of(row):
            yield f"file {row[1]} of submission {row[0]} is corrupt"
    yield from (f"files of submission {number} are missing" for number in files if files[number])
    yield from _losses(base, digests)


def _losses(base: sqlite3.Connection, digests: list[object]) -> Iterator[str]:
    try:
        if read_inventory(base) != Inventory().plus(digests):
            yield "the submissions differ from the inventory"
        elif digests and read_setting(base, SHAPE) is None:
            yield "the index parameters are missing"
    except NotAsWrittenError as error:
        yield f"the settings are corrupt: {error}"


def _index(base: sqlite3.Connection) -> Iterator[str]:
    """Compare the inverted index with the fingerprints of each submission."""
    numbers = [number for (number,) in base.execute("SELECT id FROM submissions ORDER BY id")]
    try:
        held, others = _held(base, np.array(numbers, np.int64))
    except NotAsWrittenError as error:
        yield f"the index is corrupt: {error}"
        return
    rows = base.execute("SELECT id, fingerprints FROM submissions ORDER BY id")
    for (number, blob), found in zip(rows, held, strict=True):
        hashes = hashes_of(blob)
        if found != (len(hashes), int(hashes.sum(dtype=np.uint64))):
            yield f"the index of submission {number} does not match its fingerprints"
    yield from (f"the index refers to submission {number}, which is missing" for number in others)


def _held(
    base: sqlite3.Connection, numbers: NDArray[np.int64]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Count the postings of each submission, and sum up its hashes modulo 2 ** 64.

    Returns:
        Both for each of the numbers, and the other numbers in the index.
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


_STORED: Final = f"SELECT {STORED_COLUMNS} FROM submissions"  # noqa: S608
_FILES: Final = f"SELECT {FILE_COLUMNS}, digest FROM files WHERE submission = ? ORDER BY number"  # noqa: S608
# Counts the rows themselves, not the entries of an index on them.
_KNOWN: Final = "SELECT count(*) FROM submissions WHERE id IN (SELECT value FROM json_each(?))"


class Archive:
    """A file of submissions of earlier terms.

    Args:
        path: Path of the file.
        purpose: ``read``, ``change`` existing submissions, or ``add``, which creates the file if
            missing.

    Raises:
        ArchiveError: Raised by any method if the archive is damaged, in use, or not an archive.
    """

    def __init__(self, path: str, purpose: Purpose = "read") -> None:
        self.path = path
        self._purpose = purpose
        self._base, self._place = opened(path, purpose)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file; remove it if it was created here and nothing was added."""
        self._place.give_up(self._base)

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Read from one snapshot while the block runs; writers wait."""
        with one_moment(self._base):
            yield

    def shape(self) -> IndexParameters | None:
        """Return the parameters of its fingerprints; None if it never had any."""
        with self._readable(), self.at_one_moment():
            if not self._is_made():
                return None
            written, inventory = read_setting(self._base, SHAPE), read_inventory(self._base)
            require(written is not None or not inventory.count, "the index parameters are missing")
            return None if written is None else parameters_in(written)

    def submissions(self) -> tuple[ArchivedSubmission, ...]:
        """Return all submissions, by term and name."""
        with self._readable(), self.at_one_moment():
            if not self._is_made():
                return ()
            stored, digests = list[ArchivedSubmission](), list[object]()
            for row in self._base.execute(f"{_STORED} ORDER BY named, name"):
                stored.append(archived_submission(row))
                digests.append(row[-1])
            is_whole = Inventory().plus(digests) == read_inventory(self._base)
            require(is_whole, "a submission is missing")
            return tuple(stored)

    def submission(self, number: int) -> ArchivedSubmission:
        """Return a submission by its number."""
        with self._readable(), self.at_one_moment():
            return archived_submission(self._row(number))

    def files_of(self, submission: int) -> tuple[ArchivedFile, ...]:
        """Return the files of a submission by its number."""
        with self._readable(), self.at_one_moment():
            count = archived_submission(self._row(submission)).files
            rows = self._base.execute(_FILES, (submission,)).fetchall()
            require([row[1] for row in rows] == list(range(count)), "a file is missing")
            return tuple(map(archived_file, rows))

    def fingerprints_of(self, submission: int) -> NDArray[np.uint64]:
        """Return the distinct fingerprints of a submission, ascending."""
        with self._readable(), self.at_one_moment():
            *_, fingerprints, _ = self._row(submission)
            return hashes_of(fingerprints)

    def holders(self, hashes: NDArray[np.uint64]) -> SharedPostings:
        """Look up fingerprints in the inverted index.

        Args:
            hashes: ``(m,)``, distinct.
        """
        with self._readable(), self.at_one_moment():
            postings = postings_of(self._base, np.sort(hashes.view(np.int64)))
            holders = postings["submission"].astype(np.int64)
            self._require_known(holders)
        return SharedPostings(
            submissions=holders, hashes=postings["hash"].astype(np.int64).view(np.uint64)
        )

    def damage(self) -> DamageError:
        """Return the error for content that is corrupt."""
        return damage(self.path)

    def problems(self) -> list[str]:
        """Verify every page, row and fingerprint, and return what is corrupt."""
        with self._readable(), self.at_one_moment():
            return _problems_in(self._base)

    @contextmanager
    def in_one_step(self) -> Iterator[None]:
        """Make all changes of the block in one transaction; other writers wait."""
        if self._purpose == "read":
            msg = f"archive {self.path!r} is open for reading: open it with the purpose 'change'"
            raise ArchiveError(msg)
        if self._base.in_transaction:
            yield
            return
        try:
            with self._readable(), writing(self._base):
                if not self._is_made():
                    make_current(self._base, 0)
                yield
        except ArchiveError:
            self._require_place()
            raise
        self._require_place()

    def add(self, entries: Sequence[Entry], shape: IndexParameters) -> None:
        """Add submissions in one transaction.

        Raises:
            ArchiveError: It contains one of them already, or has other index parameters.
        """
        with self.in_one_step():
            held = self.shape()
            if held not in (None, shape):
                raise ArchiveError(self._changed())
            write_setting(self._base, SHAPE, parameters_text(shape))
            for entry in entries:
                self._require_new(entry)
            insert(self._base, entries)

    def replace(
        self, stored: Sequence[ArchivedSubmission], entries: Iterable[Entry], shape: IndexParameters
    ) -> None:
        """Replace all submissions in one transaction.

        Raises:
            ArchiveError: Its submissions are no longer those in ``stored``.
        """
        with self.in_one_step():
            if self.submissions() != tuple(stored):
                raise ArchiveError(self._changed())
            made = list(entries)
            delete_all(self._base)
            write_setting(self._base, SHAPE, parameters_text(shape))
            insert(self._base, made)

    def remove(self, submissions: Sequence[int]) -> None:
        """Remove submissions by number in one transaction, and overwrite their data."""
        with self.in_one_step():
            delete(self._base, submissions)

    def _is_made(self) -> bool:
        """Return whether the tables exist; the first change creates them."""
        return self._base.execute("SELECT 1 FROM sqlite_master").fetchone() is not None

    def _row(self, number: int) -> tuple[Any, ...]:
        """Read the row of a submission."""
        query = f"{_STORED} WHERE id = ?"
        row = self._base.execute(query, (number,)).fetchone() if self._is_made() else None
        if row is None:
            is_listed = any(each.number == number for each in self.submissions())
            require(not is_listed, "a submission is not where the index expects it")
            msg = f"archive {self.path!r} has no submission of number {number!r}"
            raise ArchiveError(msg)
        verified(row)
        return tuple(row)

    def _require_known(self, holders: NDArray[np.int64]) -> None:
        """Raise an error if the index contains unknown submissions."""
        distinct = np.unique(holders).tolist()
        (count,) = self._base.execute(_KNOWN, (json.dumps(distinct),)).fetchone()
        require(count == len(distinct), "the index refers to a submission that is missing")

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Raise a DamageError for content that ``add`` never writes."""
        try:
            with explained(self.path):
                yield
        except NotAsWrittenError as error:
            raise damage(self.path) from error

    def _require_place(self) -> None:
        """Raise an ArchiveError if the file was replaced or removed while in use."""
        if not self._place.is_kept():
            msg = f"archive {self.path!r} was removed or replaced while in use: try again"
            raise ArchiveError(msg)

    def _changed(self) -> str:
        return f"archive {self.path!r} was changed while being read: try again"

    def _require_new(self, entry: Entry) -> None:
        found = self._base.execute(
            "SELECT 1 FROM submissions JOIN terms ON terms.id = submissions.term "
            "WHERE terms.name = ? AND submissions.name = ?",
            (entry.term, entry.name),
        ).fetchone()
        if found:
            msg = (
                f"archive {self.path!r} already contains {entry.name!r} in term {entry.term!r}: "
                "give another --term, or remove it first"
            )
            raise ArchiveError(msg)
