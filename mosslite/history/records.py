"""The records that an archive stores and returns, and their validation."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import UnionType

    import numpy as np
    from numpy.typing import NDArray

    from mosslite.options import Thresholds
    from mosslite.records import SourceFile, SubmissionMetadata

__all__ = [
    "ArchivedFile",
    "ArchivedSubmission",
    "Entry",
    "IndexParameters",
    "NotAsWrittenError",
    "SharedPostings",
    "all_of",
    "fields_of",
    "record_in",
    "require",
]


class NotAsWrittenError(Exception):
    """A stored value is not one that is ever written into an archive."""


def require(is_so: bool, what: str) -> None:
    """Raise a NotAsWrittenError unless a condition holds.

    Raises:
        NotAsWrittenError: Saying what is not so.
    """
    if not is_so:
        raise NotAsWrittenError(what)


def record_in(text: object, kinds: Mapping[str, type | UnionType]) -> dict[str, Any]:
    """Read a record from its text, as ``fields_of`` gives it.

    Raises:
        NotAsWrittenError: It is no such text.
    """
    try:
        return fields_of(json.loads(str(text)), kinds)
    except (ValueError, RecursionError) as error:
        msg = "a record is not valid JSON"
        raise NotAsWrittenError(msg) from error


def fields_of(record: object, kinds: Mapping[str, type | UnionType]) -> dict[str, Any]:
    """Return the fields of a record.

    Args:
        record: As JSON gives it.
        kinds: The type of each field.

    Raises:
        NotAsWrittenError: It lacks a field, or has one of another type.
    """
    if not isinstance(record, dict):
        msg = "a record has no fields"
        raise NotAsWrittenError(msg)
    for name, kind in kinds.items():
        require(isinstance(record.get(name), kind) and name in record, f"{name} has the wrong type")
    return {name: record[name] for name in kinds}


def all_of(kind: type, record: object) -> tuple[Any, ...]:
    """Return a list of which all are of one type.

    Raises:
        NotAsWrittenError: They are not.
    """
    if not isinstance(record, list) or not all(isinstance(each, kind) for each in record):
        msg = f"a list contains values other than {kind.__name__}"
        raise NotAsWrittenError(msg)
    return tuple(record)


@dataclass(frozen=True, slots=True)
class IndexParameters:
    """What fingerprints depend on; they are comparable only if all of it is equal.

    Attributes:
        code: k and t of code.
        prose: k and t of prose.
        language: What all files are read as; None is by their names.
        front_ends: The versions of what read them and made the fingerprints.
    """

    code: Thresholds
    prose: Thresholds
    language: str | None
    front_ends: str


@dataclass(frozen=True, slots=True, eq=False)
class ArchivedFile:
    """A file of a submission, as it is kept.

    Attributes:
        file: Where the text is not kept, dots and blanks of its form stand for it.
        language: Canonical name.
        is_prose: Its k and t are those of prose.
        reading: What a front-end made of it, packed.
        is_boilerplate: ``(n,) bool``, the tokens that are not the student's own.
        is_degraded: A plain tokenizer read it.
        has_text: The text is kept.
    """

    file: SourceFile
    language: str
    is_prose: bool
    reading: bytes
    is_boilerplate: NDArray[np.bool_]
    is_degraded: bool
    has_text: bool


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A submission to keep.

    Attributes:
        name: Unique in its term.
        fingerprints: ``(m,) uint64``, ascending and each once.
    """

    term: str
    name: str
    hand_in: SubmissionMetadata
    files: tuple[ArchivedFile, ...]
    fingerprints: NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class ArchivedSubmission:
    """A submission in an archive, without its files; its number stays while others go.

    Attributes:
        size: How many fingerprints it has.
    """

    number: int
    term: str
    name: str
    hand_in: SubmissionMetadata
    files: int
    size: int
    has_text: bool


@dataclass(frozen=True, slots=True, eq=False)
class SharedPostings:
    """Some fingerprints, and the submissions that hold each.

    Attributes:
        submissions: ``(p,) int64``, numbers of submissions.
        hashes: ``(p,) uint64``, the fingerprint each holds; equal ones follow each other, in the
            order of SQLite's signed numbers.
    """

    submissions: NDArray[np.int64]
    hashes: NDArray[np.uint64]
