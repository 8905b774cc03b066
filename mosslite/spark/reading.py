"""From documents to tokenized submissions: each distinct text is read once, in some task."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from importlib import import_module
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from mosslite.cache import Contents, pack, unpack
from mosslite.frontends import Reading
from mosslite.frontends.scheduling import read_all
from mosslite.matching.rare_evidence import rewritten_codes
from mosslite.options import Thresholds
from mosslite.records import (
    Comparable,
    Document,
    LeftOut,
    Part,
    Role,
    SourceFile,
    Submission,
    SubmissionMetadata,
    TokenizedSubmission,
)
from mosslite.spark.stages import Row, head_of, joined, packed, parted, unpacked, with_head
from mosslite.winnowing.boilerplate import hashes_of_many, mark_hashes
from mosslite.winnowing.fingerprints import comparable_tokens
from mosslite.winnowing.tokenized import (
    common_origin,
    document_of,
    marked,
    source_of,
    tokenized,
    without_base_code,
)
from mosslite.winnowing.winnow import kgram_hashes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyspark.sql import DataFrame

    from mosslite.languages import Language
    from mosslite.options import Options
    from mosslite.spark.stages import Stages
    from mosslite.winnowing.tokenized import BaseCode

__all__ = [
    "Blocks",
    "StoredSubmissions",
    "degraded_rows",
    "documents",
    "light",
    "numbered_rows",
    "outline_in",
    "packed_submission",
    "tokenized_rows",
    "unpacked_submission",
    "without_shared",
]


@dataclass(frozen=True, slots=True)
class Blocks:
    """How work is cut, which no result depends on.

    Attributes:
        size: Submissions in a block.
        ranges: Ranges of hashes.
    """

    size: int
    ranges: int

    @classmethod
    def of(cls, submissions: int) -> Blocks:
        """Cut the work on so many submissions."""
        return cls(
            size=int(np.clip(submissions // 16, 4, 512)),
            ranges=int(np.clip(submissions // 4_000, 4, 2_048)),
        )


class _Source(NamedTuple):
    """A text to be read as it is first met, and where it is needed.

    Attributes:
        owners: Submissions that hold it in a file that a lexer may read.
        blocks: Those of all that hold it.
    """

    number: int
    owners: list[int]
    blocks: list[int]


def documents(
    submissions: Sequence[tuple[int, Submission]], blocks: Blocks, options: Options
) -> Iterator[Row]:
    """Yield a row for each submission, in which each text is marked where it is first met."""
    sources: dict[tuple[str, Language], _Source] = {}
    for number, submission in submissions:
        for file in submission.files:
            source = sources.setdefault(source_of(file, options), _Source(len(sources), [], []))
            source.owners.extend([] if file.is_plain else [number])
            if number // blocks.size not in source.blocks[-1:]:
                source.blocks.append(number // blocks.size)
    met = set[int]()
    for number, submission in submissions:
        marks = list[object]()
        for file in submission.files:
            source = sources[source_of(file, options)]
            is_first = source.number not in met
            met.add(source.number)
            marks.append(source if is_first else [source.number])
        yield Row(number // blocks.size, "submission", to_read(submission, number, marks))


def tokenized_rows(stages: Stages, given: DataFrame, base: BaseCode, options: Options) -> DataFrame:
    """Read all texts and mark base code; each row is a tokenized submission."""
    readings = stages.grouped("readings", given, partial(_read, options=options))
    return stages.grouped(
        "tokenized", given.union(readings), partial(_tokenized, base=base, options=options)
    )


def without_shared(stages: Stages, found: DataFrame, limit: int, blocks: Blocks) -> DataFrame:
    """Mark the code that more submissions share than the limit."""
    held = stages.grouped("kgrams", found, partial(_kgrams, ranges=blocks.ranges))
    common = stages.grouped("common-kgrams", held, partial(_common, limit=limit, size=blocks.size))
    return stages.grouped(
        "without-common", found.union(common), partial(_without_common, limit=limit)
    )


def _read(rows: list[Row], *, options: Options) -> Iterator[Row]:
    """Read the texts of a block of submissions that are first met there."""
    firsts = [
        (source_of(file, options), _Source(*source))
        for submission, _, marks in sorted(_to_read(rows), key=itemgetter(1))
        for file, source in zip(submission.files, marks, strict=True)
        if len(source) > 1
    ]
    # Once for each submission that has it, as they all pay for a text that takes long.
    owned = [(text, owner) for text, source in firsts for owner in source.owners or _WITHOUT_LEXER]
    texts, owners = [text for text, _ in owned], [owner for _, owner in owned]
    found = read_all(texts, _in_a_task(options), lambda _: None, owners=owners)
    readings = dict(zip(texts, found, strict=True))
    for text, source in firsts:
        payload = _packed_reading(source.number, readings[text])
        yield from (Row(block, "reading", payload) for block in source.blocks)


_WITHOUT_LEXER: Final = (None,)


def _packed_reading(number: int, reading: Reading) -> bytes:
    contents = Contents(reading.stream, reading.traces, reading.disguises, reading.colours)
    return packed(
        number=np.array([number, reading.is_degraded], np.int64),
        reading=np.frombuffer(pack(contents), np.uint8),
    )


def _in_a_task(options: Options) -> Options:
    """Return the options for a task, which has a processor for itself."""
    return replace(options, jobs=1)


def _to_read(rows: list[Row]) -> Iterator[tuple[Submission, int, list[list[Any]]]]:
    return (submission_to_read(row.payload) for row in rows if row.kind == "submission")


def _tokenized(rows: list[Row], *, base: BaseCode, options: Options) -> Iterator[Row]:
    """Put readings and files of a block together, and mark base code."""
    readings = dict(_reading(row.payload) for row in rows if row.kind == "reading")
    key = rows[0].key
    for submission, number, marks in _to_read(rows):
        of_files = zip(submission.files, marks, strict=True)
        read = [
            document_of(file, source_of(file, options)[1], readings[source[0]], options)
            for file, source in of_files
        ]
        found = tokenized(submission, without_base_code(read, base))
        yield Row(key, "tokenized", packed_submission(found, number))


def _reading(payload: bytes) -> tuple[int, Reading]:
    columns = unpacked(payload)
    number, is_degraded = columns["number"].tolist()
    stream, traces, disguises, colours = unpack(columns["reading"].tobytes())
    return number, Reading(stream, traces, bool(is_degraded), disguises, colours)


# --- submissions as bytes ------------------------------------------------------------------------


def to_read(submission: Submission, number: int, sources: object) -> bytes:
    """Write a submission whose texts nobody has read yet.

    Args:
        submission: As it was handed in.
        number: Its place among all.
        sources: What is to be known of its texts.
    """
    return with_head({"number": number, "sources": sources, **_described(submission)}, [])


def submission_to_read(payload: bytes) -> tuple[Submission, int, Any]:
    """Read what ``to_read`` wrote."""
    head, _ = head_of(payload)
    return _submission_from(head), head["number"], head["sources"]


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
    hand_in: dict[str, Any] = {
        key: tuple(each) if isinstance(each, list) else each
        for key, each in described["hand_in"].items()
    }
    return Submission(
        name=described["name"],
        role=Role(described["role"]),
        files=tuple(files),
        hand_in=SubmissionMetadata(**hand_in),
    )


# --- submissions that the driver has on disk ------------------------------------------------------


def light(file: SourceFile) -> SourceFile:
    """Return a file without what takes memory."""
    return replace(file, text="", code=None, parts=())


# So many submissions that were read lately are held.
_HELD: Final = 64


class StoredSubmissions:
    """Tokenized submissions in a file of this machine, each read when it is asked for.

    Only an outline of each is in memory; processes that are forked can read as well.
    """

    def __init__(self, folder: str) -> None:
        """Begin with none; the folder must be there as long as any is asked for."""
        self._path = Path(folder) / "submissions"
        self._places = dict[int, tuple[int, int, int]]()
        self._comparables = WeakValueDictionary[int, Comparable]()
        self._latest = lru_cache(_HELD)(self._read)

    def store(self, payloads: Iterable[bytes]) -> Iterator[Outlined]:
        """Write packed submissions, and yield the outline of each."""
        compress = import_module("pyarrow").compress
        with self._path.open("wb") as file:
            for payload in payloads:
                outline = outline_in(payload)
                small = compress(payload, "zstd", asbytes=True)
                self._places[outline.number] = file.tell(), len(small), len(payload)
                file.write(small)
                yield outline

    def submission(self, number: int) -> TokenizedSubmission:
        """Read a submission; as long as anybody has its comparable tokens, they are the same."""
        found = self._latest(number)
        comparable = self._comparables.setdefault(number, found.comparable)
        return found if comparable is found.comparable else replace(found, comparable=comparable)

    def _read(self, number: int) -> TokenizedSubmission:
        decompress = import_module("pyarrow").decompress
        start, size, unpacked_size = self._places[number]
        with self._path.open("rb") as file:
            file.seek(start)
            payload = decompress(file.read(size), unpacked_size, "zstd", asbytes=True)
        return unpacked_submission(payload)[1]

    def deferred(self, source: Submission, outline: Outlined) -> TokenizedSubmission:
        """Return a submission of which the texts and tokens are here."""
        return TokenizedSubmission.deferred(
            replace(source, files=tuple(map(light, source.files))),
            partial(self.submission, outline.number),
            language=outline.language,
            tokens=outline.tokens,
        )


# --- submissions that an earlier job has read ----------------------------------------------------


def degraded_rows(stages: Stages, frame: DataFrame) -> list[Row]:
    """Return rows with the numbers of the submissions that a lexer took too long for."""
    return stages.rows(stages.grouped("degraded", frame, _degraded), "degraded")


def _degraded(rows: list[Row]) -> Iterator[Row]:
    found = [unpacked_submission(row.payload) for row in rows]
    slow = [number for number, each in found if any(d.is_degraded for d in each.documents)]
    if slow:
        yield Row(0, "degraded", packed(numbers=np.array(slow, np.int64)))


def numbered_rows(
    stages: Stages,
    name: str,
    kept: DataFrame,
    numbers: Iterable[Row],
    job: tuple[BaseCode, Blocks],
) -> DataFrame:
    """Number and name submissions that were read before as in this job, and mark base code.

    Args:
        stages: Those of this job.
        name: Of the stage.
        kept: The submissions, without base code.
        numbers: Rows with the keys of ``kept``: ``[number there, number here, name, role]`` each.
        job: Its base code, and how its work is cut.
    """
    base, blocks = job
    asked = stages.given(f"{name}-numbers", numbers)
    how = partial(_numbered, base=base, size=blocks.size)
    return stages.grouped(name, kept.union(asked), how)


def _numbered(rows: list[Row], *, base: BaseCode, size: int) -> Iterator[Row]:
    asked = [json.loads(row.payload) for row in rows if row.kind == "numbers"]
    here = {there: rest for there, *rest in chain.from_iterable(asked)}
    for row in rows:
        if row.kind != "tokenized" or outline_in(row.payload).number not in here:
            continue
        there, submission = unpacked_submission(row.payload)
        number, name, role = here[there]
        source = replace(submission.source, name=name, role=Role(role))
        found = tokenized(source, without_base_code(submission.documents, base))
        yield Row(number // size, "tokenized", packed_submission(found, number))


# --- code that many share (-m) -------------------------------------------------------------------


def _kgrams(rows: list[Row], *, ranges: int) -> Iterator[Row]:
    """Send the k-grams of a block to the ranges of their hashes, each once for a submission."""
    numbers, hashes = [], []
    for row in rows:
        number, submission = unpacked_submission(row.payload)
        own = [kgram_hashes(d.stream.codes, d.thresholds.noise) for d in submission.documents]
        hashes.append(np.unique(np.concatenate(own)))
        numbers.append(np.full(len(hashes[-1]), number))
    values, owners = np.concatenate(hashes), np.concatenate(numbers)
    yield from parted({"values": values, "owners": owners}, values % np.uint64(ranges), "kgrams")


def _common(rows: list[Row], *, limit: int, size: int) -> Iterator[Row]:
    """Send hashes that too many submissions have to the blocks where these are."""
    values, owners = joined(rows, "kgrams").values()
    is_common = np.isin(values, hashes_of_many(values, owners, limit))
    blocks = owners[is_common] // size
    for block in np.unique(blocks).tolist():
        here = np.unique(values[is_common][blocks == block])
        yield Row(block, "common", packed(values=here))


def _without_common(rows: list[Row], *, limit: int) -> Iterator[Row]:
    """Mark the k-grams that too many submissions have."""
    marks = [unpacked(row.payload)["values"] for row in rows if row.kind == "common"]
    common, origin = np.concatenate([np.empty(0, np.uint64), *marks]), common_origin(limit)
    for row in rows:
        if row.kind != "tokenized":
            continue
        number, submission = unpacked_submission(row.payload)
        left = [
            marked(each, mark_hashes(each.stream, each.thresholds.noise, common), origin)
            for each in submission.documents
        ]
        found = replace(submission, documents=tuple(left), comparable=comparable_tokens(left))
        yield Row(row.key, "tokenized", packed_submission(found, number))
