"""Stages of a job, stored as Parquet with a manifest so that none runs twice, and their rows.

Rows are what moves between machines: a key, a kind, and columns or submissions as bytes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from importlib import import_module
from itertools import accumulate, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakValueDictionary
from zlib import compress, decompress

import numpy as np
from msgspec import convert, to_builtins
from numpy.typing import NDArray

from mosslite.cache import pack, unpack
from mosslite.errors import InputError
from mosslite.intake.corpus import plain_of, planned_of
from mosslite.intake.entries import Planned
from mosslite.intake.reading import Found
from mosslite.messages import of_text, to_text
from mosslite.options import Thresholds
from mosslite.ranges import run_starts
from mosslite.reasons import Reason
from mosslite.records import (
    Comparable,
    Document,
    LeftOut,
    Part,
    Role,
    Skipped,
    SourceFile,
    Submission,
    SubmissionMetadata,
    TokenizedSubmission,
)
from mosslite.spark.session import SparkError, cause_of, doing, py4j_error
from mosslite.winnowing.fingerprints import comparable_tokens

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


# --- entries, before any is read -----------------------------------------------------------------


def pack_entries(planned: Planned, number: int) -> bytes:
    """Serialize a submission whose entries have their content in memory.

    Args:
        planned: The submission as it was found.
        number: Its number among those that are read.
    """
    own = (each.content for each in planned.entries)
    contents = [content if isinstance(content, bytes) else b"" for content in own]
    head = {"number": number, "planned": plain_of(planned), "sizes": [*map(len, contents)]}
    return with_header(head, contents)


def unpack_entries(payload: bytes) -> tuple[int, Planned]:
    """Deserialize what ``pack_entries`` wrote: the number and the submission."""
    head, start = split_header(payload)
    places = pairwise(accumulate(head["sizes"], initial=start))
    return head["number"], planned_of(head["planned"], (payload[at:end] for at, end in places))


# --- texts, before they are tokenized ------------------------------------------------------------


def pack_texts(submission: Submission, number: int) -> bytes:
    """Serialize a submission with its texts, and its number among those that are read."""
    return with_header({"number": number, "submission": _described(submission)}, [])


def unpack_texts(payload: bytes) -> tuple[int, Submission]:
    """Deserialize what ``pack_texts`` wrote: the number and the submission."""
    head, _ = split_header(payload)
    return head["number"], _submission_from(head["submission"])


class ReadOutline(NamedTuple):
    """What the driver receives of a submission that was read.

    Attributes:
        number: Its number among those that are read.
        key: The key of the row with its texts.
        found: What was read of it, the files without their texts.
    """

    number: int
    key: int
    found: Found

    def with_files(self, files: tuple[SourceFile, ...]) -> ReadOutline:
        """Return this with the files as the whole batch decided on them."""
        return self._replace(found=self.found._replace(files=files))


def pack_outlines(outlines: Iterable[ReadOutline]) -> bytes:
    """Serialize outlines; ``unpack_outlines`` restores them without texts."""
    rows = []
    for number, key, found in outlines:
        files = tuple(replace(file, text="", code=None, parts=()) for file in found.files)
        rows.append(_plain((number, key, found._replace(files=files))))
    return compress(json.dumps(rows).encode("ascii"))


def unpack_outlines(payload: bytes) -> Iterator[ReadOutline]:
    """Deserialize what ``pack_outlines`` wrote."""
    for number, key, (files, *left_out) in json.loads(decompress(payload)):
        skipped, ignored = ([*map(_skipped_from, some)] for some in left_out)
        found = Found(tuple(map(_file_from, files)), skipped, ignored)
        yield ReadOutline(number, key, found)


# --- records as JSON, which can also hold lone surrogates ----------------------------------------


def _plain(record: object) -> Any:  # noqa: ANN401 - JSON
    """Return a record as JSON values; a message is a text, as ``to_text`` writes it."""
    return to_builtins(record, enc_hook=to_text)


def _described(submission: Submission) -> Any:  # noqa: ANN401 - JSON
    return _plain(replace(submission, repositories=()))


def _submission_from(described: dict[str, Any]) -> Submission:
    """Return the submission that ``_described`` describes."""
    return Submission(
        name=described["name"],
        role=Role(described["role"]),
        files=tuple(map(_file_from, described["files"])),
        hand_in=convert(described["hand_in"], SubmissionMetadata),
    )


# Many files share these.
_SHARED: Final = ("name", "encoding", "encoding_by", "language")


def _file_from(described: dict[str, Any]) -> SourceFile:
    shared = {name: sys.intern(described[name]) for name in _SHARED if described[name]}
    begins_like, doubt = described["begins_like"], described["doubt"]
    read = {
        "parts": convert(described["parts"], tuple[Part, ...]),
        "begins_like": of_text(begins_like) if begins_like else "",
        "doubt": Reason(doubt) if doubt else None,  # of values of several types: none for convert
    }
    return SourceFile(**(described | shared | read))


def _skipped_from(described: dict[str, str]) -> Skipped:
    return Skipped(**described | {"reason": of_text(described["reason"])})


# --- tokenized submissions -----------------------------------------------------------------------


def pack_submission(submission: TokenizedSubmission, number: int) -> bytes:
    """Serialize a tokenized submission; ``unpack_submission`` restores it."""
    documents, parts = [], []
    for each in submission.documents:
        reading = pack(each)
        mask = np.packbits(each.is_boilerplate).tobytes()
        parts += [reading, mask]
        documents.append(
            {
                "sizes": [len(reading), len(mask)],
                "language": each.language,
                "thresholds": each.thresholds,
                "left_out": each.left_out,
                "is_degraded": each.is_degraded,
                "has_text": each.has_text,
            }
        )
    outline = Outlined(number, submission.language, submission.tokens)
    head = {"outline": outline, "documents": documents, "submission": _described(submission.source)}
    return with_header(_plain(head), parts)


class Outlined(NamedTuple):
    """What the driver keeps in memory of a tokenized submission.

    Attributes:
        number: Its number among those that were read; archived ones follow.
        language: The language of most of its tokens.
        tokens: Number of comparable tokens.
    """

    number: int
    language: str
    tokens: int


def outline_in(payload: bytes) -> Outlined:
    """Deserialize only the outline of a submission."""
    head, _ = split_header(payload)
    return Outlined(*head["outline"])


def unpack_submission(payload: bytes) -> tuple[int, TokenizedSubmission]:
    """Read what ``pack_submission`` wrote: the number and the submission."""
    head, at = split_header(payload)
    source = _submission_from(head["submission"])
    documents = []
    for file, each in zip(source.files, head["documents"], strict=True):
        middle = at + each["sizes"][0]
        stop = middle + each["sizes"][1]
        documents.append(_document(file, each, payload[at:middle], payload[middle:stop]))
        at = stop
    submission = TokenizedSubmission(source, tuple(documents), comparable_tokens(documents))
    return head["outline"][0], submission


def _document(file: SourceFile, kept: dict[str, Any], reading: bytes, mask: bytes) -> Document:
    parts = unpack(reading)._asdict()
    bits = np.unpackbits(np.frombuffer(mask, np.uint8), count=len(parts["stream"]))
    return Document(
        file=file,
        language=kept["language"],
        thresholds=convert(kept["thresholds"], Thresholds),
        is_boilerplate=bits.astype(np.bool_),
        left_out=tuple(LeftOut(of_text(origin), count) for origin, count in kept["left_out"]),
        has_text=kept["has_text"],
        **{**parts, "is_degraded": kept["is_degraded"]},
    )


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
    on_share: Callable[[str, float], None] = lambda *_: None

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


# --- on the driver's disk ------------------------------------------------------------------------

# Submissions that were read last are kept in memory, up to this number.
_HELD: Final = 64


class StoredSubmission(TokenizedSubmission):
    """A submission of which only an outline is in memory; the rest is loaded on each access."""

    __slots__ = ("_language", "_load", "_tokens")
    _load: Callable[[], TokenizedSubmission]

    def __init__(
        self,
        source: Submission,
        load: Callable[[], TokenizedSubmission],
        language: str,
        tokens: int,
    ) -> None:
        """Begin with what is in memory; the files of the source need no text."""
        values = {"source": source, "_load": load, "_language": language, "_tokens": tokens}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    documents = property(lambda self: self._load().documents)
    comparable = property(lambda self: self._load().comparable)
    language = property(lambda self: self._language)
    tokens = property(lambda self: self._tokens)

    def renamed(
        self, source: Submission, rename: Callable[[int, Document], Document]
    ) -> TokenizedSubmission:
        """Return the submission with another source and documents; the tokens are not loaded."""
        load = self._load
        return StoredSubmission(
            source, lambda: load().renamed(source, rename), self.language, self.tokens
        )

    def __reduce__(self) -> tuple[type[TokenizedSubmission], tuple[object, ...]]:
        """Copy the submission with its documents."""
        return TokenizedSubmission, (self.source, self.documents, self.comparable)


class StoredSubmissions:
    """Tokenized submissions in a local file, each read when it is needed.

    Only their outlines are in memory; forked processes can read them, too.
    """

    def __init__(self, folder: str) -> None:
        """Begin with none; the folder must exist as long as submissions are read."""
        self._path = Path(folder) / "submissions"
        self._places = np.empty((0, 3), np.int64)
        self._comparables = WeakValueDictionary[int, Comparable]()
        self._latest = lru_cache(_HELD)(self._read)
        self._load = self.submission  # one for all that are deferred

    def store(
        self, payloads: Iterable[bytes], sources: Sequence[Submission]
    ) -> tuple[TokenizedSubmission, ...]:
        """Write serialized submissions, numbered as their sources; only outlines stay in memory."""
        small_of, found = import_module("pyarrow").compress, dict[int, TokenizedSubmission]()
        self._places = np.empty((len(sources), 3), np.int64)
        with self._path.open("wb") as file:
            for payload in payloads:
                number, language, tokens = outline_in(payload)
                small = small_of(payload, "zstd", asbytes=True)
                self._places[number] = file.tell(), len(small), len(payload)
                file.write(small)
                found[number] = StoredSubmission(
                    sources[number], partial(self._load, number), sys.intern(language), tokens
                )
        return tuple(found[number] for number in range(len(sources)))

    def submission(self, number: int) -> TokenizedSubmission:
        """Read a submission; its comparable tokens are one object as long as it is referenced."""
        found = self._latest(number)
        comparable = self._comparables.setdefault(number, found.comparable)
        return found if comparable is found.comparable else replace(found, comparable=comparable)

    def _read(self, number: int) -> TokenizedSubmission:
        large_of = import_module("pyarrow").decompress
        start, size, unpacked_size = self._places[number].tolist()
        with self._path.open("rb") as file:
            file.seek(start)
            payload = large_of(file.read(size), unpacked_size, "zstd", asbytes=True)
        return unpack_submission(payload)[1]
