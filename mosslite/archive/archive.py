"""An open archive: what goes in, what comes out."""

from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from mosslite.archive.opening import damage, explained, opened, writing
from mosslite.archive.records import Holders
from mosslite.archive.rows import (
    FILE_COLUMNS,
    STORED_COLUMNS,
    SUBMISSION_COLUMNS,
    digest_of,
    file_row,
    hashes_of,
    kept_of,
    numbers_of,
    shape_of,
    shape_text,
    stored_of,
    submission_row,
    verified,
)
from mosslite.archive.told import NotAsWrittenError, require
from mosslite.archive.verification import problems_in
from mosslite.errors import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from numpy.typing import NDArray

    from mosslite.archive.opening import Purpose
    from mosslite.archive.records import Entry, Kept, Shape, Stored
    from mosslite.errors import DamageError

__all__ = ["Archive"]

_STORED: Final = f"SELECT {STORED_COLUMNS} FROM submissions"  # noqa: S608
_ADD_SUBMISSION: Final = (
    f"INSERT INTO submissions (term, {SUBMISSION_COLUMNS}, digest) "  # noqa: S608
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_ADD_FILE: Final = "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_FILES: Final = f"SELECT {FILE_COLUMNS}, digest FROM files WHERE submission = ? ORDER BY number"  # noqa: S608
# All holders of a fingerprint as one text: with a row for each, a million take seconds.
_HOLDERS: Final = (
    "SELECT asked.hash, group_concat(CAST(submission AS INTEGER)) FROM asked CROSS JOIN postings "
    "ON postings.hash = asked.hash GROUP BY asked.rowid"
)
# The index is searched through: damaged fingerprints would not lead to all that is to go.
_HOLDING: Final = (("postings", "submission"), ("files", "submission"), ("submissions", "id"))


class Archive:
    """A file of submissions of earlier terms.

    Args:
        path: Of the file.
        purpose: ``read``, ``change`` what is there, or ``add``, which makes a file where there is
            none.

    Raises:
        ArchiveError: As any method may: it is damaged, in use, or something else.
    """

    def __init__(self, path: str, purpose: Purpose = "read") -> None:
        self.path = path
        self._purpose = purpose
        self._base, self._place = opened(path, purpose)

    def __enter__(self) -> Self:
        """Give the archive itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of the file, and remove one that was made for what could not be added."""
        if error is not None:
            self._place.give_up(self._base)
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Read all that follows as it was at one moment; whoever writes waits for the end."""
        if self._base.in_transaction:
            yield
            return
        self._base.execute("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):  # where reading has failed, there may be nothing to end
                self._base.execute("ROLLBACK")

    def shape(self) -> Shape | None:
        """Give what its fingerprints were shaped by; None while it never held any."""
        with self._readable():
            row = self._base.execute(
                "SELECT value, digest FROM settings WHERE name = 'shape'"
            ).fetchone()
            return None if row is None else shape_of(str(verified(row)[0]))

    def submissions(self) -> tuple[Stored, ...]:
        """List all submissions by term and name."""
        with self._readable():
            rows = self._base.execute(f"{_STORED} ORDER BY named, name")
            return tuple(map(stored_of, rows))

    def submission(self, number: int) -> Stored:
        """Give a submission by its number."""
        with self._readable():
            return stored_of(self._row(f"{_STORED} WHERE id = ?", number))

    def files_of(self, submission: int) -> tuple[Kept, ...]:
        """Give the files of a submission by its number."""
        with self._readable():
            return tuple(map(kept_of, self._base.execute(_FILES, (submission,))))

    def fingerprints_of(self, submission: int) -> NDArray[np.uint64]:
        """Give the fingerprints of a submission, ascending and each once."""
        query = "SELECT fingerprints FROM submissions WHERE id = ?"
        with self._readable():
            return hashes_of(*self._row(query, submission))

    def holders(self, hashes: NDArray[np.uint64]) -> Holders:
        """Look up fingerprints in the inverted index.

        Args:
            hashes: ``(m,)``, each once.
        """
        with self._readable(), self.at_one_moment():
            self._base.execute("CREATE TEMP TABLE IF NOT EXISTS asked (hash INTEGER NOT NULL)")
            self._base.execute("DELETE FROM asked")
            asked = ((number,) for number in sorted(numbers_of(hashes)))
            self._base.executemany("INSERT INTO asked VALUES (?)", asked)
            rows = self._base.execute(_HOLDERS).fetchall()
            known = self._base.execute("SELECT id FROM submissions").fetchall()
            held = [np.fromstring(text, np.int64, sep=",") for _, text in rows]
            holders = np.concatenate([np.empty(0, np.int64), *held])
            are_known = bool(np.isin(holders, np.array(known, np.int64)).all())
            require(are_known, "the index names a submission that is not there")
        found = np.array([number for number, _ in rows], np.int64).view(np.uint64)
        return Holders(
            submissions=holders,
            hashes=np.repeat(found, [len(each) for each in held]),
        )

    def damage(self) -> DamageError:
        """Give the error that what it holds is not as it was written."""
        return damage(self.path)

    def problems(self) -> list[str]:
        """Verify every page, row and fingerprint, and say what is not as it was written."""
        with self._readable(), self.at_one_moment():
            return problems_in(self._base)

    @contextmanager
    def in_one_step(self) -> Iterator[None]:
        """Make all changes that follow in one step, or none; whoever else writes waits."""
        if self._purpose == "read":
            msg = f"archive {self.path!r} is open for reading: open it with the purpose 'change'"
            raise ArchiveError(msg)
        if self._base.in_transaction:
            yield
            return
        with explained(self.path), writing(self._base):
            yield
        if not self._place.is_kept():
            msg = f"archive {self.path!r} was removed or replaced meanwhile: try again"
            raise ArchiveError(msg)

    def add(self, entries: Sequence[Entry], shape: Shape) -> None:
        """Add submissions, all in one step or none.

        Raises:
            ArchiveError: It holds one of them already, or others of another shape.
        """
        with self.in_one_step():
            held = self.shape()
            if held not in (None, shape):
                raise ArchiveError(self._changed())
            self._set_shape(shape)
            for entry in entries:
                self._require_new(entry)
            self._insert(entries)

    def replace(self, stored: Sequence[Stored], entries: Iterable[Entry], shape: Shape) -> None:
        """Put submissions in place of all there are, in one step.

        Raises:
            ArchiveError: There are others by now than ``stored``.
        """
        with self.in_one_step():
            if self.submissions() != tuple(stored):
                raise ArchiveError(self._changed())
            made = list(entries)
            for table in ("postings", "files", "submissions"):
                self._base.execute(f"DELETE FROM {table}")  # noqa: S608
            self._set_shape(shape)
            self._insert(made)

    def remove(self, submissions: Sequence[int]) -> None:
        """Remove submissions by their numbers, in one step, and overwrite what they were."""
        with self.in_one_step():
            self._delete(submissions)

    def _row(self, query: str, number: int) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = self._base.execute(query, (number,)).fetchone()
        if row is None:
            msg = f"archive {self.path!r} has no submission of number {number!r}"
            raise ArchiveError(msg)
        return row

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Take for damage what no archive holds that was written by ``add``."""
        try:
            with explained(self.path):
                yield
        except NotAsWrittenError as error:
            raise damage(self.path) from error

    def _changed(self) -> str:
        return f"archive {self.path!r} was changed meanwhile: try again"

    def _require_new(self, entry: Entry) -> None:
        found = self._base.execute(
            "SELECT 1 FROM submissions JOIN terms ON terms.id = submissions.term "
            "WHERE terms.name = ? AND submissions.name = ?",
            (entry.term, entry.name),
        ).fetchone()
        if found:
            msg = (
                f"archive {self.path!r} has {entry.name!r} of {entry.term!r} already: "
                "give another --term, or remove it first"
            )
            raise ArchiveError(msg)

    def _set_shape(self, shape: Shape) -> None:
        self._base.execute(
            "INSERT OR REPLACE INTO settings VALUES ('shape', ?, ?)",
            (shape_text(shape), digest_of((shape_text(shape),))),
        )

    def _insert(self, entries: Sequence[Entry]) -> None:
        numbers = [self._insert_files(entry) for entry in entries]
        hashes = np.concatenate([np.empty(0, np.uint64), *(e.fingerprints for e in entries)])
        holders = np.repeat(np.array(numbers, np.int64), [len(e.fingerprints) for e in entries])
        # In the order of the index, so that each page of it is looked for once.
        order = np.argsort(hashes.view(np.int64), kind="stable")
        self._base.executemany(
            "INSERT INTO postings VALUES (?, ?)",
            zip(numbers_of(hashes[order]), holders[order].tolist(), strict=True),
        )

    def _insert_files(self, entry: Entry) -> int:
        """Add a submission but for the index, and give its number."""
        self._base.execute("INSERT OR IGNORE INTO terms (name) VALUES (?)", (entry.term,))
        (term,) = self._base.execute(
            "SELECT id FROM terms WHERE name = ?", (entry.term,)
        ).fetchone()
        row = submission_row(entry)
        number = self._base.execute(
            _ADD_SUBMISSION, (term, *row, digest_of((entry.term, *row)))
        ).lastrowid
        assert number is not None  # noqa: S101 - a row was added
        files = [file_row(number, place, kept) for place, kept in enumerate(entry.files)]
        self._base.executemany(_ADD_FILE, [(*file, digest_of(file)) for file in files])
        return number

    def _delete(self, submissions: Sequence[int]) -> None:
        gone = json.dumps(list(submissions))
        for table, column in _HOLDING:
            query = f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))"  # noqa: S608
            self._base.execute(query, (gone,))
        self._base.execute("DELETE FROM terms WHERE id NOT IN (SELECT term FROM submissions)")
