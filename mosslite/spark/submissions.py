"""Submissions as bytes, as they move from machine to machine, and on the disk of the driver."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from functools import lru_cache, partial
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakValueDictionary
from zlib import compress, decompress

import numpy as np

from mosslite.cache import Contents, pack, unpack
from mosslite.matching.rare_evidence import rewritten_codes
from mosslite.options import Thresholds
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
from mosslite.spark.stages import head_of, with_head
from mosslite.submissions.entries import Entry
from mosslite.submissions.reading import Found
from mosslite.submissions.sections import Planned
from mosslite.winnowing.fingerprints import comparable_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mosslite.languages import Language

__all__ = [
    "DIGEST_BYTES",
    "Outlined",
    "ReadOutline",
    "StoredSubmissions",
    "digest_of_source",
    "outline_in",
    "outlines_in",
    "packed_entries",
    "packed_outlines",
    "packed_submission",
    "packed_texts",
    "texts_in",
    "unpacked_entries",
    "unpacked_submission",
]


# --- before anything is read: entries -------------------------------------------------------------


def packed_entries(planned: Planned, number: int) -> bytes:
    """Write a submission whose entries have their bytes in memory.

    Args:
        planned: As it was found; whether it is required does not matter to who reads it.
        number: Its number among those that are read.
    """
    entries, contents = list[object](), list[bytes]()
    for entry, name in planned.entries:
        content = entry.content if isinstance(entry.content, bytes) else b""
        contents.append(content)
        known = (entry.path, entry.name, entry.is_given, entry.obstacle, entry.is_ignored)
        entries.append([name, len(content), *known, entry.limit])
    head = {
        "number": number,
        "name": planned.name,
        "role": planned.role.value,
        "path": planned.path,
        "hand_in": asdict(planned.hand_in),
        "is_beside": planned.is_beside,
        "entries": entries,
    }
    return with_head(head, contents)


def unpacked_entries(payload: bytes) -> tuple[int, Planned]:
    """Read what ``packed_entries`` wrote: the number and the submission."""
    head, at = head_of(payload)
    entries = []
    for name, size, path, own_name, is_given, obstacle, is_ignored, limit in head["entries"]:
        content = payload[at : at + size]
        entry = Entry(path, own_name, content, is_given, obstacle, is_ignored, limit)
        entries.append((entry, name))
        at += size
    planned = Planned(
        name=head["name"],
        role=Role(head["role"]),
        path=head["path"],
        entries=tuple(entries),
        hand_in=_metadata_from(head["hand_in"]),
        is_beside=head["is_beside"],
    )
    return head["number"], planned


# --- texts that no lexer has read yet -------------------------------------------------------------

DIGEST_BYTES: Final = 16


def digest_of_source(text: str, language: Language) -> bytes:
    """Return a digest of ``DIGEST_BYTES`` that only equal texts in one language have."""
    digest = blake2b(f"{language.name}\0".encode(), digest_size=DIGEST_BYTES)
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.digest()


def packed_texts(submission: Submission, number: int) -> bytes:
    """Write a submission with its texts, and its number among those that are read."""
    return with_head({"number": number, **_described(submission)}, [])


def texts_in(payload: bytes) -> tuple[int, Submission]:
    """Read what ``packed_texts`` wrote: the number and the submission."""
    head, _ = head_of(payload)
    return head["number"], _submission_from(head)


class ReadOutline(NamedTuple):
    """What the driver gets of a submission that was read.

    Attributes:
        number: Its number among those that are read.
        key: That of the row which has its texts.
        found: What was read of it, the files without their texts.
        digests: Of the source of each file that is compared, end to end.
    """

    number: int
    key: int
    found: Found
    digests: bytes = b""


# What is known of a file besides its text; but for the path, many have the same.
_SHARED: Final = (
    "name",
    "encoding",
    "encoding_by",
    "is_given",
    "language",
    "is_plain",
    "begins_like",
)


def packed_outlines(outlines: Iterable[ReadOutline]) -> bytes:
    """Write outlines, of which ``outlines_in`` makes the same without texts."""
    rows = [
        [
            *(number, key, digests.hex()),
            [[file.path, *(getattr(file, name) for name in _SHARED)] for file in found.files],
            *([list(asdict(each).values()) for each in out] for out in found[1:]),
        ]
        for number, key, found, digests in outlines
    ]
    return compress(json.dumps(rows).encode("ascii"))


def outlines_in(payload: bytes) -> Iterator[ReadOutline]:
    """Read what ``packed_outlines`` wrote."""
    for number, key, digests, files, skipped, ignored in json.loads(decompress(payload)):
        found = Found(
            tuple(_file_without_text(*each) for each in files),
            [Skipped(*each) for each in skipped],
            [Skipped(*each) for each in ignored],
        )
        yield ReadOutline(number, key, found, bytes.fromhex(digests))


def _file_without_text(path: str, *shared: Any) -> SourceFile:  # noqa: ANN401 - JSON
    values: Iterator[Any] = (sys.intern(x) if isinstance(x, str) else x for x in shared)
    return SourceFile(text="", path=path, **dict(zip(_SHARED, values, strict=True)))


# --- tokenized submissions ------------------------------------------------------------------------


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
    outline = Outlined(
        number,
        submission.language,
        submission.tokens,
        bool(rewritten_codes(submission)),
    )
    head = {"outline": outline, "documents": documents, **_described(submission.source)}
    return with_head(head, parts)


class Outlined(NamedTuple):
    """What the driver keeps in memory of a tokenized submission.

    Attributes:
        number: Its number among those that were read, or behind them.
        language: That of most of its tokens.
        tokens: How many comparable tokens it has.
        is_rewritten: Words in it are read otherwise than they are written.
    """

    number: int
    language: str
    tokens: int
    is_rewritten: bool


def outline_in(payload: bytes) -> Outlined:
    """Return the outline of a packed submission, and unpack nothing else."""
    head, _ = head_of(payload)
    return Outlined(*head["outline"])


def unpacked_submission(payload: bytes) -> tuple[int, TokenizedSubmission]:
    """Read what ``packed_submission`` wrote: the number and the submission."""
    head, at = head_of(payload)
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


def _submission_from(described: dict[str, Any]) -> Submission:
    """Return the submission that is described so."""
    files = [
        SourceFile(**{**file, "parts": tuple(Part(**part) for part in file["parts"])})
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


# --- on the disk of the driver --------------------------------------------------------------------

# So many submissions that were read lately are held.
_HELD: Final = 64


class StoredSubmissions:
    """Tokenized submissions in a file of this machine, each read when it is asked for.

    Only an outline of each is in memory; processes that are forked can read as well.
    """

    def __init__(self, folder: str) -> None:
        """Begin with none; the folder must be there as long as any is asked for."""
        self._path = Path(folder) / "submissions"
        self._places = np.empty((0, 3), np.int64)
        self._comparables = WeakValueDictionary[int, Comparable]()
        self._latest = lru_cache(_HELD)(self._read)
        self._load = self.submission  # one for all that are deferred

    def store(self, payloads: Iterable[bytes], count: int) -> Iterator[Outlined]:
        """Write ``count`` packed submissions, numbered from 0, and yield the outline of each."""
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
        """Read a submission; as long as anybody has its comparable tokens, they are the same."""
        found = self._latest(number)
        comparable = self._comparables.setdefault(number, found.comparable)
        return found if comparable is found.comparable else replace(found, comparable=comparable)

    def _read(self, number: int) -> TokenizedSubmission:
        large_of = import_module("pyarrow").decompress
        start, size, unpacked_size = self._places[number].tolist()
        with self._path.open("rb") as file:
            file.seek(start)
            payload = large_of(file.read(size), unpacked_size, "zstd", asbytes=True)
        return unpacked_submission(payload)[1]

    def deferred(self, source: Submission, outline: Outlined) -> TokenizedSubmission:
        """Return a submission of which the texts and tokens are here; ``source`` needs no text."""
        return TokenizedSubmission.deferred(
            source,
            partial(self._load, outline.number),
            language=outline.language,
            tokens=outline.tokens,
        )
