"""Stages of a job, stored as Parquet with a manifest so that none runs twice, and their rows.

Rows are what moves between machines: a key, a kind, and columns or submissions as bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.errors import InputError
from mosslite.ranges import run_starts
from mosslite.spark.session import SparkError, cause_of, doing, py4j_error

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

Columns = dict[str, NDArray[Any]]


# --- rows ----------------------------------------------------------------------------------------

_SCHEMA: Final = "key long, kind string, payload binary"
"""The schema of every stage, in Spark's notation."""

ROW_FORMAT: Final = "3"
"""The version of what payloads contain; stages of another one are not reused."""


class Row(NamedTuple):
    """A row of a stage.

    Attributes:
        key: Rows of one key meet in one task of the next stage: a block of submissions, a range of
            hashes or a group of pairs.
        kind: What the payload contains.
        payload: Serialized columns, or a serialized submission.
    """

    key: int
    kind: str
    payload: bytes


# Approximate size of a table that is handed to Spark, in bytes.
_TABLE_BYTES: Final = 64 << 20


def _tables_of(rows: Iterable[Row]) -> Iterator[pa.Table]:
    """Collect rows in tables, none of them much larger than 64 MiB."""
    some, size = list[Row](), 0
    for row in rows:
        some.append(row)
        size += len(row.payload)
        if size >= _TABLE_BYTES:
            yield _table(some)
            some, size = [], 0
    yield _table(some)


def _table(rows: Sequence[Row]) -> pa.Table:
    import pyarrow as pa  # noqa: PLC0415 - an extra, loaded when it is asked for

    return pa.table(
        {
            "key": pa.array([row.key for row in rows], pa.int64()),
            "kind": pa.array([row.kind for row in rows], pa.string()),
            "payload": pa.array([row.payload for row in rows], pa.binary()),
        }
    )


def _rows_in(table: pa.Table) -> list[Row]:
    columns = (table[name].to_pylist() for name in ("key", "kind", "payload"))
    return [Row(*each) for each in zip(*columns, strict=True)]


# Size of the length of a header.
_LENGTH_BYTES: Final = 4


def pack_columns(**columns: NDArray[Any]) -> bytes:
    """Serialize columns: a header with name, dtype and length of each, then the values."""
    header = [[name, each.dtype.str, len(each)] for name, each in columns.items()]
    return with_header(header, [np.ascontiguousarray(each).tobytes() for each in columns.values()])


def unpack_columns(payload: bytes) -> Columns:
    """Deserialize columns written by ``pack_columns``."""
    header, at = split_header(payload)
    columns = {}
    for name, kind, count in header:
        columns[name] = np.frombuffer(payload, np.dtype(kind), count, at)
        at += columns[name].nbytes
    return columns


def concatenated(rows: Iterable[Row], kind: str) -> Columns:
    """Concatenate the columns of all rows of a kind; without such rows the result is empty."""
    parts = [unpack_columns(row.payload) for row in rows if row.kind == kind]
    if not parts:
        return {}
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def split_by_key(columns: Columns, keys: NDArray[np.integer], kind: str) -> Iterator[Row]:
    """Group columns by key, and yield a row of this kind for each key."""
    order = np.argsort(keys, kind="stable")
    firsts = np.flatnonzero(run_starts(keys[order]))
    for some in np.split(order, firsts[1:]) if len(order) else ():
        part = {name: column[some] for name, column in columns.items()}
        yield Row(int(keys[some[0]]), kind, pack_columns(**part))


def with_header(header: object, parts: Iterable[bytes]) -> bytes:
    """Serialize a JSON header with its length, followed by bytes."""
    text = json.dumps(header).encode("ascii")
    return b"".join([len(text).to_bytes(_LENGTH_BYTES), text, *parts])


def split_header(payload: bytes) -> tuple[Any, int]:
    """Return the JSON header and the offset of the bytes after it."""
    stop = _LENGTH_BYTES + int.from_bytes(payload[:_LENGTH_BYTES])
    return json.loads(payload[_LENGTH_BYTES:stop]), stop


# Rows of a stage that are read at a time.
_ROWS_AT_ONCE: Final = 64


# --- stages --------------------------------------------------------------------------------------


@dataclass(eq=False)
class Stages:
    """The stages of one job in one folder.

    Attributes:
        session: The session that runs them.
        folder: A path or URL that every machine can read and write.
        identity: What the stages depend on: versions, options and a digest of the input.
        on_share: Called with the name of a stage and the share of its tasks that are complete.
    """

    session: SparkSession
    folder: str
    identity: dict[str, str]
    on_share: Callable[[str, float], None]

    def depend_on(self, **more: str) -> None:
        """Add to what the following stages depend on."""
        self.identity = self.identity | more

    def write_rows(self, name: str, rows: Iterable[Row]) -> DataFrame:
        """Write rows produced by this process as a stage."""

        def write(path: str) -> None:
            for nth, table in enumerate(_tables_of(rows)):
                frame = self.session.createDataFrame(table, _SCHEMA)
                frame.write.mode("append" if nth else "overwrite").parquet(path)

        return self._stage(name, write)

    def map_groups(
        self, name: str, frame: DataFrame, function: Callable[[list[Row]], Iterable[Row]]
    ) -> DataFrame:
        """Apply a function to all rows of each key, and write the rows it yields as a stage.

        The rows of a key are in any order.
        """

        def of_table(table: pa.Table) -> pa.Table:
            return _table(list(function(_rows_in(table))))

        found = frame.groupBy("key").applyInArrow(of_table, _SCHEMA)
        return self._stage(name, lambda path: found.write.mode("overwrite").parquet(path))

    def columns(self, frame: DataFrame, kind: str) -> Columns:
        """Return the columns of all rows of a kind; empty without such rows."""
        return concatenated(self.collect(frame, kind), kind)

    def collect(self, frame: DataFrame, kind: str) -> list[Row]:
        """Return the rows of a kind of a complete stage, in any order."""
        chosen = frame.filter(frame.kind == kind)
        return _rows_in(doing(self.session, chosen.toArrow, lambda _: None))

    def payloads(self, frame: DataFrame, kind: str) -> Iterator[bytes]:
        """Yield the payloads of a kind of a complete stage, in any order.

        Files are copied one by one, so that neither this process nor Java holds all of them.
        """
        parquet = import_module("pyarrow.parquet")
        with TemporaryDirectory(prefix="mosslite-stage-") as folder:
            for nth, path in enumerate(sorted(frame.inputFiles())):
                copy = f"{folder}/{nth}"
                self._fetch(path, copy)
                with parquet.ParquetFile(copy) as file:
                    for batch in file.iter_batches(_ROWS_AT_ONCE, columns=["kind", "payload"]):
                        kinds, payloads = (column.to_pylist() for column in batch.columns)
                        yield from (p for k, p in zip(kinds, payloads, strict=True) if k == kind)
                Path(copy).unlink()

    def _stage(self, name: str, write: Callable[[str], None]) -> DataFrame:
        path = f"{self.folder}/{name}"
        if not self.is_done(name):

            def run() -> None:
                self.session.sparkContext.setJobDescription(name)  # applies to this thread
                write(path)

            doing(self.session, run, lambda share: self.on_share(name, share))
            # Last, so that a stage that has a manifest is complete.
            manifest = json.dumps(self.identity | {"stage": name}, sort_keys=True)
            self._write(f"{path}/_manifest.json", manifest)
        self.on_share(name, 1.0)
        return self.frame_of(name)

    def is_done(self, name: str) -> bool:
        """Return whether a stage is complete.

        Raises:
            InputError: It belongs to another job.
        """
        text = self._read(f"{self.folder}/{name}/_manifest.json")
        if text is None:
            return False
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        manifest = found if isinstance(found, dict) else {}
        wanted = self.identity | {"stage": name}
        other = sorted(key for key in wanted | manifest if wanted.get(key) != manifest.get(key))
        if other:
            msg = (
                f"stage {name!r} in {self.folder!r} belongs to another job (other "
                f"{', '.join(other)}): remove the folder, or give another --stages"
            )
            raise InputError(msg)
        return True

    def frame_of(self, name: str) -> DataFrame:
        """Return the rows of a complete stage."""
        return self.session.read.schema(_SCHEMA).parquet(f"{self.folder}/{name}")

    def remove_stages(self, *names: str) -> None:
        """Remove stages that no other stage needs any more."""
        for name in names:
            self._remove(f"{self.folder}/{name}")

    def remove(self) -> None:
        """Remove the folder."""
        self._remove(self.folder)

    @contextmanager
    def _located(self, path: str) -> Iterator[tuple[Any, Any]]:
        """Yield a path and its file system as objects of Hadoop, which PySpark does not expose.

        Raises:
            SparkError: The file system cannot be reached.
        """
        context = self.session.sparkContext
        java: Any = context._jvm
        try:
            found = java.org.apache.hadoop.fs.Path(path)
            yield found, found.getFileSystem(context._jsc.hadoopConfiguration())
        except py4j_error() as error:
            msg = f"the folder for the stages cannot be used: {cause_of(error)}"
            raise SparkError(msg) from error

    def _read(self, path: str) -> str | None:
        """Read a small ASCII file; None if it does not exist."""
        with self._located(path) as (found, system):
            if not system.exists(found):
                return None
            stream = system.open(found)
            try:
                return bytes(stream.readAllBytes()).decode("ascii", "replace")
            finally:
                stream.close()

    def _write(self, path: str, text: str) -> None:
        """Write a small ASCII file atomically."""
        with self._located(path) as (found, system), self._located(f"{path}.new") as (new, _):
            stream = system.create(new, True)
            try:
                stream.write(bytearray(text.encode("ascii")))
            finally:
                stream.close()
            system.delete(found, False)
            system.rename(new, found)

    def _fetch(self, path: str, copy: str) -> None:
        """Copy a file to this machine."""
        with self._located(path) as (found, system), self._located(f"file://{copy}") as (target, _):
            system.copyToLocalFile(False, found, target, True)

    def _remove(self, path: str) -> None:
        """Remove a folder and its content."""
        with self._located(path) as (found, system):
            system.delete(found, True)
