"""Stages of a job, written as Parquet with a manifest so that none is done again; their rows.

A row is what moves from machine to machine: columns and submissions as bytes.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from mosslite.errors import InputError
from mosslite.ranges import run_starts
from mosslite.spark.session import SparkError, cause_of, doing, py4j_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame, SparkSession

    Columns = dict[str, NDArray[Any]]

__all__ = [
    "Row",
    "Stages",
    "head_of",
    "joined",
    "packed",
    "parted",
    "unpacked",
    "with_head",
]


# --- rows ----------------------------------------------------------------------------------------

_SCHEMA: Final = "key long, kind string, payload binary"
"""The columns of every stage, as Spark writes a schema."""


class Row(NamedTuple):
    """A row of a stage.

    Attributes:
        key: Rows of one key meet in one task of the next stage: a block of submissions, a range of
            hashes or a group of pairs.
        kind: What the payload is.
        payload: Packed columns, or a packed submission.
    """

    key: int
    kind: str
    payload: bytes


# So many bytes, about, are handed over together.
_TOGETHER: Final = 64 << 20


def _tables_of(rows: Iterable[Row]) -> Iterator[pa.Table]:
    """Gather rows in tables, none of them much larger than 64 MiB."""
    some, size = list[Row](), 0
    for row in rows:
        some.append(row)
        size += len(row.payload)
        if size >= _TOGETHER:
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


def _table_function(
    function: Callable[[list[Row]], Iterable[Row]],
) -> Callable[[pa.Table], pa.Table]:
    """Return a function of tables, as Spark calls it, that does this with their rows.

    The rows are given in an order that says nothing of where they come from.
    """

    def of_table(table: pa.Table) -> pa.Table:
        return _table(list(function(_rows_in(table))))

    return of_table


def _batch_function(
    function: Callable[[list[Row]], Iterable[Row]],
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return a function of batches, as Spark calls it, that does this with the rows of each."""

    def of_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for table in _tables_of(function(_rows_in(batch))):
                yield from table.to_batches()

    return of_batches


def _rows_in(table: pa.Table | pa.RecordBatch) -> list[Row]:
    columns = (table[name].to_pylist() for name in ("key", "kind", "payload"))
    return [Row(*each) for each in zip(*columns, strict=True)]


_HEAD_BYTES: Final = 4


def packed(**columns: NDArray[Any]) -> bytes:
    """Write columns as bytes: a head that names them, and their numbers."""
    head = [[name, each.dtype.str, len(each)] for name, each in columns.items()]
    return with_head(head, [np.ascontiguousarray(each).tobytes() for each in columns.values()])


def unpacked(payload: bytes) -> Columns:
    """Read what ``packed`` wrote."""
    head, at = head_of(payload)
    columns = {}
    for name, kind, count in head:
        columns[name] = np.frombuffer(payload, np.dtype(kind), count, at)
        at += columns[name].nbytes
    return columns


def joined(rows: Iterable[Row], kind: str) -> Columns:
    """Put the columns of all rows of a kind end to end; of none there are no columns."""
    parts = [unpacked(row.payload) for row in rows if row.kind == kind]
    if not parts:
        return {}
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def parted(columns: Columns, keys: NDArray[np.integer], kind: str) -> Iterator[Row]:
    """Yield a row of this kind for each key, of columns in any order."""
    order = np.argsort(keys, kind="stable")
    firsts = np.flatnonzero(run_starts(keys[order]))
    for some in np.split(order, firsts[1:]) if len(order) else ():
        part = {name: column[some] for name, column in columns.items()}
        yield Row(int(keys[some[0]]), kind, packed(**part))


def with_head(head: object, parts: Iterable[bytes]) -> bytes:
    """Write what JSON can say, and bytes behind it."""
    text = json.dumps(head).encode("ascii")
    return b"".join([len(text).to_bytes(_HEAD_BYTES), text, *parts])


def head_of(payload: bytes) -> tuple[Any, int]:
    """Read what JSON says, and where the bytes behind it begin."""
    stop = _HEAD_BYTES + int.from_bytes(payload[:_HEAD_BYTES])
    return json.loads(payload[_HEAD_BYTES:stop]), stop


# So many rows of a stage are read at a time.
_ROWS_AT_ONCE: Final = 64


# --- stages --------------------------------------------------------------------------------------


@dataclass(eq=False)
class Stages:
    """The stages of one job in one folder.

    Attributes:
        session: What runs them.
        folder: A path or URL that every machine reaches.
        identity: What the stages depend on: versions, options and a digest of the input.
        on_share: Called with a stage and which share of its tasks is done.
        done: Names of the stages that are there, those of an earlier run among them.
    """

    session: SparkSession
    folder: str
    identity: dict[str, str]
    on_share: Callable[[str, float], None]
    done: list[str] = field(default_factory=list)

    def depend_on(self, **more: str) -> None:
        """Let the stages that follow depend on more."""
        self.identity = self.identity | more

    def given(self, name: str, rows: Iterable[Row]) -> DataFrame:
        """Write rows of this process."""

        def write(path: str) -> None:
            for nth, table in enumerate(_tables_of(rows)):
                frame = self.session.createDataFrame(table, _SCHEMA)
                frame.write.mode("append" if nth else "overwrite").parquet(path)

        return self._stage(name, write)

    def grouped(
        self, name: str, frame: DataFrame, function: Callable[[list[Row]], Iterable[Row]]
    ) -> DataFrame:
        """Call a function with all rows of each key, and write what it yields."""
        found = frame.groupBy("key").applyInArrow(_table_function(function), _SCHEMA)
        return self._stage(name, lambda path: found.write.mode("overwrite").parquet(path))

    def mapped(
        self, name: str, frame: DataFrame, function: Callable[[list[Row]], Iterable[Row]]
    ) -> DataFrame:
        """Call a function with some rows after others, whatever their keys, and write its rows."""
        found = frame.mapInArrow(_batch_function(function), _SCHEMA)
        return self._stage(name, lambda path: found.write.mode("overwrite").parquet(path))

    def rows(self, frame: DataFrame, *kinds: str) -> list[Row]:
        """Fetch the rows of these kinds of a stage that is done, in no order."""
        chosen = frame.filter(frame.kind.isin(*kinds))
        return _rows_in(doing(self.session, chosen.toArrow, lambda _: None))

    def payloads(self, frame: DataFrame, kind: str) -> Iterator[bytes]:
        """Read the rows of a kind of a stage that is done, in no order, a few at a time.

        Its files are copied one by one: neither this process nor Java holds all of them.
        """
        parquet = import_module("pyarrow.parquet")
        with TemporaryDirectory(prefix="mosslite-stage-") as folder:
            for nth, path in enumerate(sorted(frame.inputFiles())):
                copy = f"{folder}/{nth}"
                fetch(self.session, path, copy)
                with parquet.ParquetFile(copy) as file:
                    for batch in file.iter_batches(_ROWS_AT_ONCE, columns=["kind", "payload"]):
                        kinds, payloads = (column.to_pylist() for column in batch.columns)
                        yield from (p for k, p in zip(kinds, payloads, strict=True) if k == kind)
                Path(copy).unlink()

    def _stage(self, name: str, write: Callable[[str], None]) -> DataFrame:
        path = f"{self.folder}/{name}"
        if not self._is_done(name):

            def run() -> None:
                self.session.sparkContext.setJobDescription(name)  # of what this thread asks for
                write(path)

            doing(self.session, run, lambda share: self.on_share(name, share))
            self._write_manifest(name)
        self.done.append(name)
        self.on_share(name, 1.0)
        return self.kept(name)

    def _is_done(self, name: str) -> bool:
        """Return whether a stage is there.

        Raises:
            InputError: It is that of another job.
        """
        manifest = self._manifest(name)
        if manifest is None:
            return False
        wanted = self.identity | {"stage": name}
        other = sorted(key for key in wanted | manifest if wanted.get(key) != manifest.get(key))
        if other:
            msg = (
                f"stage {name!r} in {self.folder!r} is of another job (other {', '.join(other)}): "
                "remove the folder, or give another --stages"
            )
            raise InputError(msg)
        return True

    def _manifest(self, name: str) -> dict[str, Any] | None:
        text = read_text(self.session, self._manifest_path(name))
        if text is None:
            return None
        try:
            found = json.loads(text)
        except ValueError:
            found = {}
        return found if isinstance(found, dict) else {}

    def _write_manifest(self, name: str) -> None:
        """Write the manifest, after all else of a stage, so that it is there only with the rest."""
        text = json.dumps(self.identity | {"stage": name}, sort_keys=True)
        write_text(self.session, self._manifest_path(name), text)

    def _manifest_path(self, name: str) -> str:
        return f"{self.folder}/{name}/_manifest.json"

    def has(self, name: str) -> bool:
        """Return whether a stage is done.

        Raises:
            InputError: It is that of another job.
        """
        return self._is_done(name)

    def kept(self, name: str) -> DataFrame:
        """Return a stage that is done."""
        return self.session.read.schema(_SCHEMA).parquet(f"{self.folder}/{name}")

    def remove_stages(self, *names: str) -> None:
        """Remove stages that no other needs any more."""
        for name in names:
            remove(self.session, f"{self.folder}/{name}")

    def remove(self) -> None:
        """Remove the folder."""
        remove(self.session, self.folder)


# --- files, wherever the machines of a job find them ---------------------------------------------


def _path(started: SparkSession, path: str) -> tuple[Any, Any]:
    """Return a path and its file system, as Hadoop has them; PySpark has no words for these."""
    context = started.sparkContext
    java: Any = context._jvm
    found = java.org.apache.hadoop.fs.Path(path)
    return found, found.getFileSystem(context._jsc.hadoopConfiguration())


def read_text(started: SparkSession, path: str) -> str | None:
    """Read a small file of ASCII; None where there is none.

    Raises:
        SparkError: The file system cannot be reached.
    """
    with _failures_as_ours():
        found, system = _path(started, path)
        if not system.exists(found):
            return None
        stream = system.open(found)
        try:
            return bytes(stream.readAllBytes()).decode("ascii", "replace")
        finally:
            stream.close()


def fetch(started: SparkSession, path: str, copy: str) -> None:
    """Copy a file to this machine.

    Raises:
        SparkError: The file system cannot be reached.
    """
    with _failures_as_ours():
        found, system = _path(started, path)
        target, _ = _path(started, f"file://{copy}")
        system.copyToLocalFile(False, found, target, True)


def write_text(started: SparkSession, path: str, text: str) -> None:
    """Write a small file of ASCII, which is there wholly or not at all.

    Raises:
        SparkError: The file system cannot be reached.
    """
    with _failures_as_ours():
        found, system = _path(started, path)
        temporary, _ = _path(started, f"{path}.new")
        stream = system.create(temporary, True)
        try:
            stream.write(bytearray(text.encode("ascii")))
        finally:
            stream.close()
        system.delete(found, False)
        system.rename(temporary, found)


def remove(started: SparkSession, path: str) -> None:
    """Remove a folder with all that is in it.

    Raises:
        SparkError: The file system cannot be reached.
    """
    with _failures_as_ours():
        found, system = _path(started, path)
        system.delete(found, True)


@contextmanager
def _failures_as_ours() -> Iterator[None]:
    try:
        yield
    except py4j_error() as error:
        msg = f"the folder for the stages cannot be used: {cause_of(error)}"
        raise SparkError(msg) from error
