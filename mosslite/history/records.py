"""The records that an archive stores and returns, and their validation."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mosslite.options import Thresholds
from mosslite.records import SourceFile, SubmissionMetadata


class NotAsWrittenError(Exception):
    """A stored value is not one that mosslite writes into an archive."""


def require(is_so: bool, what: str) -> None:
    """Check a condition on stored values.

    Raises:
        NotAsWrittenError: It does not hold; the message is ``what``.
    """
    if not is_so:
        raise NotAsWrittenError(what)


def record_in(text: object, kinds: Mapping[str, type | UnionType]) -> dict[str, Any]:
    """Parse a record from JSON text.

    Raises:
        NotAsWrittenError: It is not a valid record.
    """
    try:
        return fields_of(json.loads(str(text)), kinds)
    except (ValueError, RecursionError) as error:
        msg = "a record is not valid JSON"
        raise NotAsWrittenError(msg) from error


def fields_of(record: object, kinds: Mapping[str, type | UnionType]) -> dict[str, Any]:
    """Validate the fields of a record and return them.

    Args:
        record: Parsed JSON.
        kinds: The type of each field.

    Raises:
        NotAsWrittenError: A field is missing or has another type.
    """
    if not isinstance(record, dict):
        msg = "a record has no fields"
        raise NotAsWrittenError(msg)
    for name, kind in kinds.items():
        require(isinstance(record.get(name), kind) and name in record, f"{name} has the wrong type")
    return {name: record[name] for name in kinds}


def all_of(kind: type, record: object) -> tuple[Any, ...]:
    """Validate a list whose items all have one type and return it.

    Raises:
        NotAsWrittenError: It is not such a list.
    """
    if not isinstance(record, list) or not all(isinstance(each, kind) for each in record):
        msg = f"a list contains values other than {kind.__name__}"
        raise NotAsWrittenError(msg)
    return tuple(record)


@dataclass(frozen=True, slots=True)
class IndexParameters:
    """Parameters of fingerprints; they are comparable only if all parameters are equal.

    Attributes:
        code: k and t of code.
        prose: k and t of prose.
        language: Language of all files; None determines it by name.
        front_ends: Versions of everything that determines tokens and fingerprints.
    """

    code: Thresholds
    prose: Thresholds
    language: str | None
    front_ends: str


@dataclass(frozen=True, slots=True, eq=False)
class ArchivedFile:
    """A file of an archived submission.

    Attributes:
        file: If the text is not stored, dots and blanks replace it.
        language: Canonical name.
        is_prose: Its k and t are those of prose.
        reading: The packed result of its front-end.
        is_boilerplate: ``(n,) bool``, marks tokens that are not the student's own.
        is_degraded: The plain tokenizer read it.
        has_text: The text is stored.
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
    """A submission to be stored.

    Attributes:
        name: Unique in its term.
        fingerprints: ``(m,) uint64``, distinct and ascending.
    """

    term: str
    name: str
    hand_in: SubmissionMetadata
    files: tuple[ArchivedFile, ...]
    fingerprints: NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class ArchivedSubmission:
    """A submission in an archive, without its files; its number never changes.

    Attributes:
        size: Number of fingerprints.
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
    """Some fingerprints, and the submissions with each.

    Attributes:
        submissions: ``(p,) int64``, numbers of submissions.
        hashes: ``(p,) uint64``, the fingerprint of each posting; equal ones are adjacent, in the
            order of SQLite's signed numbers.
    """

    submissions: NDArray[np.int64]
    hashes: NDArray[np.uint64]
