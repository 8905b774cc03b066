"""Submissions as bytes: how they move between machines and are stored on the driver's disk."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from importlib import import_module
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary
from zlib import compress, decompress

import numpy as np
from msgspec import convert, to_builtins

from mosslite.cache import pack, unpack
from mosslite.intake.corpus import plain_of, planned_of
from mosslite.intake.entries import Planned
from mosslite.intake.reading import Found
from mosslite.messages import of_text, to_text
from mosslite.options import Thresholds
from mosslite.records import (
    Comparable,
    Document,
    LeftOut,
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
    file = convert(described | shared, SourceFile)
    return replace(file, begins_like=of_text(file.begins_like)) if file.begins_like else file


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
