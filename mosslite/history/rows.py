"""Converts submissions and files to table rows and back."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.history.records import (
    ArchivedFile,
    ArchivedSubmission,
    Entry,
    IndexParameters,
    NotAsWrittenError,
    all_of,
    fields_of,
    record_in,
    require,
)
from mosslite.options import Thresholds
from mosslite.records import Part, SourceFile, SubmissionMetadata

# Limits of decompression: a constant, and a multiple of the compressed size. Source code and its
# form in dots deflate to a third or a tenth. Texts that deflate further are stored uncompressed,
# but earlier versions deflated them: then the data beside a text, which is never deflated, counts
# too.
_FREE: Final = 64 << 10
_RATIO: Final = 32


def _deflated(text: str) -> bytes:
    """Compress a text to bytes; ``_inflated`` restores it."""
    content = text.encode("utf-8", "surrogatepass")
    packed = zlib.compress(content)
    return packed if len(content) <= _most(len(packed)) else zlib.compress(content, 0)


def _inflated(packed: bytes, size_beside: int) -> str:
    """Decompress the output of ``_deflated``.

    Args:
        packed: The compressed bytes.
        size_beside: Size in bytes of these and of the data stored beside them.

    Raises:
        NotAsWrittenError: They are invalid, or the output exceeds the limit.
    """
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, _most(size_beside) + 1).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError) as error:
        msg = "a text cannot be read"
        raise NotAsWrittenError(msg) from error
    require(unpacker.eof, "a text is truncated or too large")
    return text


def _most(size_beside: int) -> int:
    return max(_FREE, _RATIO * size_beside)


Row = tuple[object, ...]

FILE_COLUMNS: Final = "submission, number, about, text, code, reading, boilerplate"
SUBMISSION_COLUMNS: Final = "name, hand_in, files, has_text, size, fingerprints"
STORED_COLUMNS: Final = (
    f"id, (SELECT name FROM terms WHERE id = term) AS named, {SUBMISSION_COLUMNS}, digest"  # noqa: S608
)

_HAND_IN: Final = {
    "owner": str,
    "members": list,
    "submitted": str,
    "label": str,
    "is_late": bool,
}
_ABOUT: Final = {
    "name": str,
    "encoding": str,
    "encoding_by": str,
    "is_given": bool,
    "told_language": str | None,
    "parts": list,
    "language": str,
    "is_prose": bool,
    "tokens": int,
    "is_degraded": bool,
    "has_text": bool,
}
_SHAPE: Final = {"code": dict, "prose": dict, "language": str | None, "front_ends": str}
_THRESHOLDS: Final = {"noise": int, "guarantee": int, "detail": int}

# Upper bound of the number of tokens in any text.
_MOST_TOKENS: Final = 1 << 31

_HASH: Final = np.dtype("<u8")
_DIGEST_SIZE: Final = 16


def digest_of(row: Sequence[object]) -> bytes:
    """Return the digest of a row's values and types."""
    digest = blake2b(digest_size=_DIGEST_SIZE)
    for each in row:
        content = (
            each if isinstance(each, bytes) else repr(each).encode("ascii", "backslashreplace")
        )
        digest.update(b"%d " % len(content) + content)
    return digest.digest()


def verified(row: Sequence[object]) -> Row:
    """Return a row without the digest at its end, after verifying that.

    Raises:
        NotAsWrittenError: The digest is wrong.
    """
    *content, digest = row
    require(digest == digest_of(content), "a row has a wrong checksum")
    return tuple(content)


def _numbers_of(hashes: NDArray[np.uint64]) -> list[int]:
    """Return hashes as the signed numbers of SQLite."""
    numbers: list[int] = hashes.view(np.int64).tolist()
    return numbers


def hashes_of(blob: object) -> NDArray[np.uint64]:
    """Parse the fingerprints of a submission.

    Raises:
        NotAsWrittenError: They are invalid.
    """
    content = _bytes(blob)
    require(len(content) % _HASH.itemsize == 0, "a fingerprint is truncated")
    hashes = np.frombuffer(content, _HASH).astype(np.uint64)
    require(bool((hashes[1:] > hashes[:-1]).all()), "fingerprints are not sorted")
    return hashes


def submission_row(entry: Entry) -> Row:
    """Return the row of a submission."""
    hand_in = asdict(entry.hand_in)
    for key in ("ids", "emails", "attempt"):  # not needed of earlier terms
        del hand_in[key]
    return (
        entry.name,
        json.dumps(hand_in),
        len(entry.files),
        int(all(each.has_text for each in entry.files)),
        len(entry.fingerprints),
        entry.fingerprints.astype(_HASH).tobytes(),
    )


def archived_submission(row: Row) -> ArchivedSubmission:
    """Parse a submission from ``STORED_COLUMNS``.

    Raises:
        NotAsWrittenError: It is invalid.
    """
    number, term, name, hand_in, files, has_text, size, _ = verified(row)
    record = record_in(hand_in, _HAND_IN)
    members = all_of(str, record.pop("members"))
    return ArchivedSubmission(
        _number(number),
        str(term),
        str(name),
        SubmissionMetadata(**record, members=members),
        _number(files),
        _number(size),
        bool(has_text),
    )


def file_row(submission: int, number: int, kept: ArchivedFile) -> Row:
    """Return the row of a file."""
    return (
        submission,
        number,
        json.dumps(_about(kept)),
        _deflated(kept.file.text),
        None if kept.file.code is None else _deflated(kept.file.code),
        kept.reading,
        np.packbits(kept.is_boilerplate).tobytes(),
    )


def archived_file(row: Row) -> ArchivedFile:
    """Parse a file from ``FILE_COLUMNS`` and its digest.

    Raises:
        NotAsWrittenError: It is invalid.
    """
    _, _, about, text, code, reading, boilerplate = verified(row)
    record = record_in(about, _ABOUT)
    text, code, reading = _bytes(text), None if code is None else _bytes(code), _bytes(reading)
    size_beside = len(text) + len(code or b"") + len(reading)
    file = SourceFile(
        record["name"],
        _inflated(text, size_beside),
        record["encoding"],
        record["encoding_by"],
        record["is_given"],
        None if code is None else _inflated(code, size_beside),
        record["told_language"],
        tuple(map(_part, record["parts"])),
    )
    is_as_long = file.code is None or len(file.code) == len(file.text)
    require(is_as_long, "code and text differ in length")
    return ArchivedFile(
        file=file,
        language=record["language"],
        is_prose=record["is_prose"],
        reading=reading,
        is_boilerplate=_bits(_bytes(boilerplate), record["tokens"]),
        is_degraded=record["is_degraded"],
        has_text=record["has_text"],
    )


def _about(kept: ArchivedFile) -> dict[str, object]:
    file = kept.file
    return {
        "name": file.name,
        "encoding": file.encoding,
        "encoding_by": file.encoding_by,
        "is_given": file.is_given,
        "told_language": file.language,
        "parts": [[part.first_line, part.title] for part in file.parts],
        "language": kept.language,
        "is_prose": kept.is_prose,
        "tokens": len(kept.is_boilerplate),
        "is_degraded": kept.is_degraded,
        "has_text": kept.has_text,
    }


def parameters_text(shape: IndexParameters) -> str:
    """Return index parameters as JSON."""
    return json.dumps(asdict(shape))


def parameters_in(text: str) -> IndexParameters:
    """Parse the output of ``parameters_text``.

    Raises:
        NotAsWrittenError: It is invalid.
    """
    record = record_in(text, _SHAPE)
    code, prose = _thresholds(record["code"]), _thresholds(record["prose"])
    return IndexParameters(code, prose, record["language"], record["front_ends"])


def _thresholds(value: object) -> Thresholds:
    read = Thresholds(**fields_of(value, _THRESHOLDS))
    are_possible = 1 <= read.detail <= read.noise <= read.guarantee <= _MOST_TOKENS
    require(are_possible, "the thresholds are invalid")
    return read


def _part(value: object) -> Part:
    require(isinstance(value, list) and len(value) == 2, "a part is invalid")
    first_line, title = all_of(object, value)
    return Part(_number(first_line), str(title))


def _number(value: object) -> int:
    if not isinstance(value, int):
        msg = "a number is invalid"
        raise NotAsWrittenError(msg)
    return value


def _bits(blob: bytes, count: int) -> NDArray[np.bool_]:
    require(0 <= count <= 8 * len(blob) < count + 8, "the number of bits is not that of the tokens")
    return np.unpackbits(np.frombuffer(blob, np.uint8), count=count).astype(np.bool_)


def _bytes(blob: object) -> bytes:
    if not isinstance(blob, bytes):
        msg = "bytes are invalid"
        raise NotAsWrittenError(msg)
    return blob
