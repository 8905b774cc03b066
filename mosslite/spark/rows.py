"""Rows that a job moves from machine to machine: columns and submissions as bytes."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from mosslite.cache import Contents, pack, unpack
from mosslite.options import Thresholds
from mosslite.ranges import run_starts
from mosslite.records import (
    Document,
    LeftOut,
    Part,
    SourceFile,
    Submission,
    SubmissionMetadata,
    TokenizedSubmission,
)
from mosslite.records.submissions import Role
from mosslite.winnowing.fingerprints import comparable_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    Columns = dict[str, NDArray[Any]]

__all__ = [
    "SCHEMA",
    "Row",
    "joined",
    "packed",
    "packed_submission",
    "parted",
    "submission_from",
    "submission_to_read",
    "table_function",
    "tables_of",
    "to_read",
    "unpacked",
    "unpacked_submission",
]


SCHEMA: Final = "key long, kind string, payload binary"
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


def tables_of(rows: Iterable[Row]) -> Iterator[pa.Table]:
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


def table_function(
    function: Callable[[list[Row]], Iterable[Row]],
) -> Callable[[pa.Table], pa.Table]:
    """Return a function of tables, as Spark calls it, that does this with their rows.

    The rows are given in an order that says nothing of where they come from.
    """

    def of_table(table: pa.Table) -> pa.Table:
        columns = (table[name].to_pylist() for name in ("key", "kind", "payload"))
        rows = [Row(*each) for each in zip(*columns, strict=True)]
        return _table(list(function(rows)))

    return of_table


_HEAD_BYTES: Final = 4


def packed(**columns: NDArray[Any]) -> bytes:
    """Write columns as bytes: a head that names them, and their numbers."""
    head = [[name, each.dtype.str, len(each)] for name, each in columns.items()]
    return _with_head(head, [np.ascontiguousarray(each).tobytes() for each in columns.values()])


def unpacked(payload: bytes) -> Columns:
    """Read what ``packed`` wrote."""
    head, at = _head(payload)
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


def _with_head(head: object, parts: Iterable[bytes]) -> bytes:
    text = json.dumps(head).encode("ascii")
    return b"".join([len(text).to_bytes(_HEAD_BYTES), text, *parts])


def _head(payload: bytes) -> tuple[Any, int]:
    stop = _HEAD_BYTES + int.from_bytes(payload[:_HEAD_BYTES])
    return json.loads(payload[_HEAD_BYTES:stop]), stop


def to_read(submission: Submission, number: int, sources: object) -> bytes:
    """Write a submission whose texts nobody has read yet.

    Args:
        submission: As it was handed in.
        number: Its place among all.
        sources: What is to be known of its texts.
    """
    return _with_head({"number": number, "sources": sources, **_described(submission)}, [])


def submission_to_read(payload: bytes) -> tuple[Submission, int, Any]:
    """Read what ``to_read`` wrote."""
    head, _ = _head(payload)
    return submission_from(head), head["number"], head["sources"]


def packed_submission(submission: TokenizedSubmission, number: int) -> bytes:
    """Write a submission, of which ``unpacked_submission`` makes the same again."""
    documents, parts = [], []
    for each in submission.documents:
        reading = pack(Contents(each.stream, each.traces, each.disguises, each.colours))
        mask = np.packbits(each.is_boilerplate).tobytes()
        parts += [reading, mask]
        documents.append(
            {
                "sizes": [len(reading), len(mask)],
                "language": each.language,
                "thresholds": asdict(each.thresholds),
                "left_out": each.left_out,
                "is_degraded": each.is_degraded,
                "has_text": each.has_text,
            }
        )
    head = {"number": number, "documents": documents, **_described(submission.source)}
    return _with_head(head, parts)


def unpacked_submission(payload: bytes) -> tuple[int, TokenizedSubmission]:
    """Read what ``packed_submission`` wrote: the number and the submission."""
    head, at = _head(payload)
    source = submission_from(head)
    documents = []
    for file, each in zip(source.files, head["documents"], strict=True):
        middle = at + each["sizes"][0]
        stop = middle + each["sizes"][1]
        documents.append(_document(file, each, payload[at:middle], payload[middle:stop]))
        at = stop
    submission = TokenizedSubmission(source, tuple(documents), comparable_tokens(documents))
    return head["number"], submission


def _document(file: SourceFile, kept: dict[str, Any], reading: bytes, mask: bytes) -> Document:
    stream, traces, disguises, colours = unpack(reading)
    bits = np.unpackbits(np.frombuffer(mask, np.uint8), count=len(stream))
    return Document(
        file=file,
        language=kept["language"],
        thresholds=Thresholds(**kept["thresholds"]),
        stream=stream,
        is_boilerplate=bits.astype(np.bool_),
        traces=traces,
        left_out=tuple(LeftOut(*each) for each in kept["left_out"]),
        is_degraded=kept["is_degraded"],
        disguises=disguises,
        colours=colours,
        has_text=kept["has_text"],
    )


def _described(submission: Submission) -> dict[str, object]:
    """Return a submission in terms of JSON, which also has a place for half a character."""
    return {
        "name": submission.name,
        "role": submission.role.value,
        "files": [asdict(file) for file in submission.files],
        "hand_in": asdict(submission.hand_in),
    }


def submission_from(described: dict[str, Any]) -> Submission:
    """Return the submission that is described so."""
    files = [
        SourceFile(**{**file, "parts": tuple(Part(**part) for part in file["parts"])})
        for file in described["files"]
    ]
    hand_in = described["hand_in"]
    return Submission(
        name=described["name"],
        role=Role(described["role"]),
        files=tuple(files),
        hand_in=SubmissionMetadata(
            **{**hand_in, **{key: tuple(hand_in[key]) for key in ("members", "ids")}}
        ),
    )
