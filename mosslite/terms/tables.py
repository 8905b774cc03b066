"""The tables of an archive: their rows, the digest of each, and the records that they hold.

Every function that reads raises NotAsWrittenError for what no function here writes.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from typing import Any, Final, Literal, TypeVar

import numpy as np
from msgspec import Struct, ValidationError, convert, structs, to_builtins
from numpy.typing import NDArray

from mosslite.cache import NOT_PACKED, deflate, inflate, is_of, unpack
from mosslite.errors import OptionError
from mosslite.languages import find_language
from mosslite.options import Thresholds
from mosslite.records import Document, LeftOut, Part, SourceFile, SubmissionMetadata
from mosslite.signatures import APPLICATION_ID


class NotAsWrittenError(Exception):
    """A stored value is not one that mosslite writes into an archive."""


def require(is_so: bool, what: str) -> None:
    """Check a condition on stored values."""
    if not is_so:
        raise NotAsWrittenError(what)


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

    def thresholds(self, language: str) -> Thresholds:
        """Return the k and t of a language; plug-ins, installed or not, read code."""
        with suppress(OptionError):
            return self.prose if find_language(language).is_prose else self.code
        return self.code


@dataclass(frozen=True, slots=True, eq=False)
class ArchivedFile:
    """What is stored of a document, in a tenth of its size.

    Attributes:
        file: If the text is not stored, dots and blanks replace it.
        reading: The packed result of its front-end.
    """

    file: SourceFile
    language: str
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
        files: Number of files.
    """

    number: int
    term: str
    name: str
    hand_in: SubmissionMetadata
    size: int
    files: int
    has_text: bool


_Kind = TypeVar("_Kind")

# Version of the tables below, and of what is in them; no two have the same definitions.
FORMAT: Final = 2

_TABLES: Final = (
    # value: JSON.
    """
    CREATE TABLE settings (
        name TEXT PRIMARY KEY, value TEXT NOT NULL, digest BLOB NOT NULL
    ) WITHOUT ROWID
    """,
    # A number is never given twice. about: JSON. fingerprints: ascending, 8 bytes each,
    # little-endian.
    """
    CREATE TABLE submissions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        term TEXT NOT NULL,
        name TEXT NOT NULL,
        about TEXT NOT NULL,
        fingerprints BLOB NOT NULL,
        digest BLOB NOT NULL,
        UNIQUE (term, name)
    )
    """,
    # about: JSON. text and code: UTF-8, deflated. reading: columns of tokens and traces.
    # boilerplate: one bit for each token.
    """
    CREATE TABLE files (
        submission INTEGER NOT NULL REFERENCES submissions,
        number INTEGER NOT NULL,
        about TEXT NOT NULL,
        text BLOB NOT NULL,
        code BLOB,
        reading BLOB NOT NULL,
        boilerplate BLOB NOT NULL,
        digest BLOB NOT NULL,
        PRIMARY KEY (submission, number)
    ) WITHOUT ROWID
    """,
)

# All tables except those created by ANALYZE, which are harmless.
_DEFINITIONS: Final = """
    SELECT type, name, tbl_name, sql FROM sqlite_master
    WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[14]') ORDER BY type, name
"""


def create_tables(base: sqlite3.Connection) -> None:
    """Create the tables of an empty archive in a transaction."""
    for table in _TABLES:
        base.execute(table)
    write_setting(base, "inventory", inventory_of([]))
    base.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    base.execute(f"PRAGMA user_version = {FORMAT}")


State = Literal["archive", "newer archive", "empty", "something else"]


def state_of(base: sqlite3.Connection) -> State:
    """Return what an SQLite file is, by its header and the definitions of its tables."""
    with closing(sqlite3.connect(":memory:")) as made:
        create_tables(made)
        expected = made.execute(_DEFINITIONS).fetchall()
    found = base.execute(_DEFINITIONS).fetchall()
    (application,) = base.execute("PRAGMA application_id").fetchone()
    (version,) = base.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        own, names = ({row[1] for row in rows} for rows in (expected, found))
        require(not own <= names, "the mark of an archive is missing")
        return "something else" if found or application or version else "empty"
    if found != expected and version > FORMAT:
        return "newer archive"
    # A flipped bit could change the version. A malicious view or trigger could loop endlessly, and
    # a generated column compute any content.
    require(found == expected and version == FORMAT, "the tables have other definitions")
    return "archive"


def digest_of(row: Sequence[object]) -> bytes:
    """Return the digest of a row's values and types, 16 bytes."""
    parts = [
        value if isinstance(value, bytes) else repr(value).encode("ascii", "backslashreplace")
        for value in row
    ]
    return blake2b(
        b"".join(b"%d %b" % (len(each), each) for each in parts), digest_size=16
    ).digest()


def verified(row: Sequence[Any]) -> Sequence[Any]:
    """Return a row without the digest at its end, after verifying that."""
    *content, digest = row
    require(digest == digest_of(content), "a row has a wrong checksum")
    return content


def read_setting(base: sqlite3.Connection, name: str) -> object:
    """Read a setting; None if it does not exist."""
    query = "SELECT name, value, digest FROM settings WHERE name = ?"
    row = base.execute(query, (name,)).fetchone()
    return None if row is None else _parsed(verified(row)[1])


def write_setting(base: sqlite3.Connection, name: str, value: object) -> None:
    """Write a setting."""
    row = (name, json.dumps(value))
    base.execute("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", (*row, digest_of(row)))


def inventory_of(digests: Iterable[object]) -> tuple[int, int]:
    """Return the number of submissions and the sum of their digests, by which a loss is noticed."""
    numbers = [int.from_bytes(each, "little") for each in digests if isinstance(each, bytes)]
    return len(numbers), sum(numbers)


def read_inventory(base: sqlite3.Connection) -> tuple[int, int]:
    """Read the inventory of the submissions that there should be."""
    return _converted(read_setting(base, "inventory"), tuple[int, int])


def _change_inventory(base: sqlite3.Connection, digests: Iterable[object], sign: int) -> None:
    (count, total), (more, sum_of_more) = read_inventory(base), inventory_of(digests)
    write_setting(base, "inventory", [count + sign * more, total + sign * sum_of_more])


def read_parameters(base: sqlite3.Connection) -> IndexParameters | None:
    """Read the index parameters; None if there never were any."""
    written = read_setting(base, "parameters")
    if written is None:
        return None
    found = _converted(written, IndexParameters)
    for each in (found.code, found.prose):
        are_possible = 1 <= each.detail <= each.noise <= each.guarantee <= _MOST_TOKENS
        require(are_possible, "the thresholds are invalid")
    return found


def write_parameters(base: sqlite3.Connection, parameters: IndexParameters) -> None:
    """Write the index parameters."""
    write_setting(base, "parameters", asdict(parameters))


def insert(base: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """Add submissions in a transaction."""
    digests = []
    for entry in entries:
        fingerprints = entry.fingerprints.astype("<u8").tobytes()
        row = (entry.term, entry.name, _about_submission(entry), fingerprints)
        number = base.execute(
            "INSERT INTO submissions (term, name, about, fingerprints, digest) "
            "VALUES (?, ?, ?, ?, zeroblob(16))",
            row,
        ).lastrowid
        digests.append(digest_of((number, *row)))
        base.execute("UPDATE submissions SET digest = ? WHERE id = ?", (digests[-1], number))
        files = [(number, place, *_file_row(kept)) for place, kept in enumerate(entry.files)]
        base.executemany(
            "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [(*file, digest_of(file)) for file in files],
        )
    _change_inventory(base, digests, 1)


def delete(base: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Remove submissions by their numbers in a transaction."""
    gone = (json.dumps(list(numbers)),)
    among = "IN (SELECT value FROM json_each(?))"
    digests = base.execute(f"SELECT digest FROM submissions WHERE id {among}", gone).fetchall()  # noqa: S608
    _change_inventory(base, [digest for (digest,) in digests], -1)
    base.execute(f"DELETE FROM files WHERE submission {among}", gone)  # noqa: S608
    base.execute(f"DELETE FROM submissions WHERE id {among}", gone)  # noqa: S608


def delete_all(base: sqlite3.Connection) -> None:
    """Remove all submissions in a transaction, including damaged rows."""
    base.execute("DELETE FROM files")
    base.execute("DELETE FROM submissions")
    write_setting(base, "inventory", inventory_of([]))


# --- rows as records -----------------------------------------------------------------------------


class _Stored(Struct, forbid_unknown_fields=True):
    """What is stored as JSON."""


class _AboutSubmission(_Stored):
    hand_in: SubmissionMetadata
    files: int
    has_text: bool


class _Source(_Stored):
    name: str
    encoding: str
    encoding_by: str
    is_given: bool
    language: str | None


class _AboutFile(_Stored):
    source: _Source
    parts: tuple[Part, ...]
    language: str
    tokens: int
    is_degraded: bool
    has_text: bool


# Upper bound of the number of tokens in any text.
_MOST_TOKENS: Final = 1 << 31

_FROM_ITS_TERM: Final = "base code of its term"


def hashes_of(*fingerprints: object) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Parse the fingerprints of submissions: those of all, and the place of whom each is of."""
    blobs = list(map(_bytes, fingerprints))
    require(not any(len(blob) % 8 for blob in blobs), "a fingerprint is truncated")
    hashes = np.frombuffer(b"".join(blobs), "<u8").astype(np.uint64, copy=False)
    owners = np.repeat(np.arange(len(blobs)), [len(blob) // 8 for blob in blobs])
    are_sorted = (hashes[1:] > hashes[:-1]) | (owners[1:] > owners[:-1])
    require(bool(are_sorted.all()), "fingerprints are not sorted")
    return hashes, owners


def archived_submission(row: Sequence[Any]) -> ArchivedSubmission:
    """Parse a verified row of ``submissions``."""
    number, term, name, about, fingerprints = row
    require(isinstance(term, str) and isinstance(name, str), "a name is not text")
    known = _converted(_parsed(about), _AboutSubmission)
    size = len(_bytes(fingerprints)) // 8
    return ArchivedSubmission(number, term, name, known.hand_in, size, known.files, known.has_text)


def archived_document(row: Sequence[Any], shape: IndexParameters) -> Document:
    """Parse a verified row of ``files``."""
    _, _, about, packed, code, reading, boilerplate = row
    known = _converted(_parsed(about), _AboutFile)
    file = SourceFile(
        **structs.asdict(known.source),
        text=_text_of(packed),
        code=None if code is None else _text_of(code),
        parts=known.parts,
    )
    require(file.code is None or len(file.code) == len(file.text), "code and text differ in length")
    try:
        contents = unpack(_bytes(reading))
    except NOT_PACKED as error:
        msg = "a reading is invalid"
        raise NotAsWrittenError(msg) from error
    is_own = len(contents.stream) == known.tokens and is_of(contents, file.text)
    require(is_own, "a reading is of another text")
    is_boilerplate = _bits(boilerplate, known.tokens)
    count = int(is_boilerplate.sum())
    return Document(
        file=file,
        thresholds=shape.thresholds(known.language),
        is_boilerplate=is_boilerplate,
        left_out=(LeftOut(_FROM_ITS_TERM, count),) if count else (),
        **{
            **contents._asdict(),
            "language": known.language,
            "is_degraded": known.is_degraded,
            "has_text": known.has_text,
        },
    )


def _about_submission(entry: Entry) -> str:
    hand_in = replace(entry.hand_in, ids=(), emails=(), attempt=0)  # others read the archive
    has_text = all(kept.has_text for kept in entry.files)
    return json.dumps(to_builtins(_AboutSubmission(hand_in, len(entry.files), has_text)))


def _file_row(kept: ArchivedFile) -> tuple[object, ...]:
    about = _AboutFile(
        source=_Source(*(getattr(kept.file, name) for name in _Source.__struct_fields__)),
        parts=kept.file.parts,
        language=kept.language,
        tokens=len(kept.is_boilerplate),
        is_degraded=kept.is_degraded,
        has_text=kept.has_text,
    )
    return (
        json.dumps(to_builtins(about)),
        _text_bytes(kept.file.text),
        None if kept.file.code is None else _text_bytes(kept.file.code),
        kept.reading,
        np.packbits(kept.is_boilerplate).tobytes(),
    )


def _text_bytes(text: str) -> bytes:
    return deflate(text.encode("utf-8", "surrogatepass"))


def _text_of(packed: object) -> str:
    try:
        return inflate(_bytes(packed)).decode("utf-8", "surrogatepass")
    except ValueError as error:
        msg = "a text cannot be read"
        raise NotAsWrittenError(msg) from error


def _parsed(text: object) -> object:
    try:
        return json.loads(str(text))
    except (ValueError, RecursionError) as error:
        msg = "a value is not JSON"
        raise NotAsWrittenError(msg) from error


def _converted(value: object, kind: type[_Kind]) -> _Kind:
    """Return a value from JSON as a record, after checking the types of its fields."""
    try:
        return convert(value, kind)
    except ValidationError as error:
        raise NotAsWrittenError(str(error)) from error


def _bits(blob: object, count: int) -> NDArray[np.bool_]:
    packed = _bytes(blob)
    are_all = 0 <= count <= 8 * len(packed) < count + 8
    require(are_all, "the number of bits is not that of the tokens")
    return np.unpackbits(np.frombuffer(packed, np.uint8), count=count).astype(np.bool_)


def _bytes(blob: object) -> bytes:
    if not isinstance(blob, bytes):
        msg = "bytes are invalid"
        raise NotAsWrittenError(msg)
    return blob
