"""Submissions as bytes: how they move between machines and are stored on the driver's disk."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import lru_cache, partial
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary
from zlib import compress, decompress

import numpy as np

from mosslite.cache import pack, unpack
from mosslite.intake.entries import Entry, Planned
from mosslite.intake.reading import Found
from mosslite.messages import of_text, to_text
from mosslite.options import Thresholds
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
from mosslite.spark.stages import split_header, with_header
from mosslite.winnowing.fingerprints import comparable_tokens

# --- entries, before any is read -----------------------------------------------------------------


def pack_entries(planned: Planned, number: int) -> bytes:
    """Serialize a submission whose entries have their content in memory.

    Args:
        planned: The submission as it was found; whether it is required is not stored.
        number: Its number among those that are read.
    """
    entries, contents = list[object](), list[bytes]()
    for entry in planned.entries:
        content = entry.content if isinstance(entry.content, bytes) else b""
        contents.append(content)
        known = (entry.path, entry.name, entry.is_given, to_text(entry.obstacle), entry.is_ignored)
        entries.append([len(content), *known])
    head = {
        "number": number,
        "name": planned.name,
        "role": planned.role.value,
        "path": planned.path,
        "hand_in": asdict(planned.hand_in),
        "is_beside": planned.is_beside,
        "usual": planned.usual,
        "entries": entries,
    }
    return with_header(head, contents)


def unpack_entries(payload: bytes) -> tuple[int, Planned]:
    """Deserialize what ``pack_entries`` wrote: the number and the submission."""
    head, at = split_header(payload)
    entries = []
    for size, path, name, is_given, obstacle, is_ignored in head["entries"]:
        content = payload[at : at + size]
        entry = Entry(path, name, content, is_given, of_text(obstacle), is_ignored)
        entries.append(entry)
        at += size
    planned = Planned(
        name=head["name"],
        role=Role(head["role"]),
        path=head["path"],
        entries=tuple(entries),
        hand_in=_metadata_from(head["hand_in"]),
        is_beside=head["is_beside"],
        usual=head["usual"],
    )
    return head["number"], planned


# --- texts, before they are tokenized ------------------------------------------------------------

DIGEST_BYTES: Final = 16


def digest_of_text(text: str) -> bytes:
    """Return a digest of a text, ``DIGEST_BYTES`` long."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()


def pack_texts(submission: Submission, number: int) -> bytes:
    """Serialize a submission with its texts, and its number among those that are read."""
    return with_header({"number": number, **_described(submission)}, [])


def unpack_texts(payload: bytes) -> tuple[int, Submission]:
    """Deserialize what ``pack_texts`` wrote: the number and the submission."""
    head, _ = split_header(payload)
    return head["number"], _submission_from(head)


class ReadOutline(NamedTuple):
    """What the driver receives of a submission that was read.

    Attributes:
        number: Its number among those that are read.
        key: The key of the row with its texts.
        found: What was read of it, the files without their texts.
        digests: The digest of each file that is compared, concatenated.
    """

    number: int
    key: int
    found: Found
    digests: bytes = b""

    def with_files(self, files: tuple[SourceFile, ...]) -> ReadOutline:
        """Return this with the files as the whole batch decided on them."""
        return self._replace(found=self.found._replace(files=files))


# The attributes of a file besides its text and path; many files share their values.
_SHARED: Final = (
    "name",
    "encoding",
    "encoding_by",
    "is_given",
    "language",
    "begins_like",
    "doubt",
    "cells_left_out",
    "is_unclear",
)


def pack_outlines(outlines: Iterable[ReadOutline]) -> bytes:
    """Serialize outlines; ``unpack_outlines`` restores them without texts."""
    rows = [
        [
            *(number, key, digests.hex()),
            [[file.path, *_shared_of(file)] for file in found.files],
            *(
                [(each.path, to_text(each.reason), each.limit, each.submission) for each in out]
                for out in found[1:]
            ),
        ]
        for number, key, found, digests in outlines
    ]
    return compress(json.dumps(rows).encode("ascii"))


def unpack_outlines(payload: bytes) -> Iterator[ReadOutline]:
    """Deserialize what ``pack_outlines`` wrote."""
    for number, key, digests, files, skipped, ignored in json.loads(decompress(payload)):
        found = Found(
            tuple(_file_without_text(*each) for each in files),
            [*map(_skipped, skipped)],
            [*map(_skipped, ignored)],
        )
        yield ReadOutline(number, key, found, bytes.fromhex(digests))


def _skipped(row: Sequence[str]) -> Skipped:
    path, reason, *others = row
    return Skipped(path, of_text(reason), *others)


def _shared_of(file: SourceFile) -> Iterator[object]:
    values = {name: getattr(file, name) for name in _SHARED}
    return iter((values | _kept_messages(file)).values())


def _kept_messages(file: SourceFile) -> dict[str, object]:
    doubt = file.doubt.name if file.doubt else ""
    return {"begins_like": to_text(file.begins_like), "doubt": doubt}


def _file_without_text(path: str, *shared: Any) -> SourceFile:  # noqa: ANN401 - JSON
    values: Iterator[Any] = (sys.intern(x) if isinstance(x, str) else x for x in shared)
    return _file_from(dict(zip(_SHARED, values, strict=True)) | {"text": "", "path": path})


def _file_from(values: dict[str, Any]) -> SourceFile:
    doubt = Reason[values["doubt"]] if values["doubt"] else None
    return SourceFile(**values | {"begins_like": of_text(values["begins_like"]), "doubt": doubt})


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
                "thresholds": asdict(each.thresholds),
                "left_out": each.left_out,
                "is_degraded": each.is_degraded,
                "has_text": each.has_text,
            }
        )
    outline = Outlined(number, submission.language, submission.tokens)
    head = {"outline": outline, "documents": documents, **_described(submission.source)}
    return with_header(head, parts)


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
    source = _submission_from(head)
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
        thresholds=Thresholds(**kept["thresholds"]),
        is_boilerplate=bits.astype(np.bool_),
        left_out=tuple(LeftOut(*each) for each in kept["left_out"]),
        has_text=kept["has_text"],
        **{**parts, "is_degraded": kept["is_degraded"]},
    )


def _described(submission: Submission) -> dict[str, object]:
    """Return a submission as JSON values; JSON can also hold lone surrogates."""
    return {
        "name": submission.name,
        "role": submission.role.value,
        "files": [asdict(file) | _kept_messages(file) for file in submission.files],
        "hand_in": asdict(submission.hand_in),
    }


def _submission_from(described: dict[str, Any]) -> Submission:
    """Return the submission that ``_described`` describes."""
    files = [
        _file_from(file | {"parts": tuple(Part(**part) for part in file["parts"])})
        for file in described["files"]
    ]
    return Submission(
        name=described["name"],
        role=Role(described["role"]),
        files=tuple(files),
        hand_in=_metadata_from(described["hand_in"]),
    )


def _metadata_from(described: dict[str, Any]) -> SubmissionMetadata:
    values: dict[str, Any] = {
        key: tuple(each) if isinstance(each, list) else each for key, each in described.items()
    }
    return SubmissionMetadata(**values)


# --- on the driver's disk ------------------------------------------------------------------------

# Submissions that were read last are kept in memory, up to this number.
_HELD: Final = 64


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

    def store(self, payloads: Iterable[bytes], count: int) -> Iterator[Outlined]:
        """Write ``count`` serialized submissions, numbered from 0; yield the outline of each."""
        small_of = import_module("pyarrow").compress
        self._places = np.empty((count, 3), np.int64)
        with self._path.open("wb") as file:
            for payload in payloads:
                outline = outline_in(payload)
                small = small_of(payload, "zstd", asbytes=True)
                self._places[outline.number] = file.tell(), len(small), len(payload)
                file.write(small)
                yield outline._replace(language=sys.intern(outline.language))

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

    def deferred(self, source: Submission, outline: Outlined) -> TokenizedSubmission:
        """Return a submission that reads its texts and tokens from here."""
        return TokenizedSubmission.deferred(
            source,
            partial(self._load, outline.number),
            language=outline.language,
            tokens=outline.tokens,
        )
