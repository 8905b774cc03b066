"""From entries to tokenized submissions: each distinct text is read once, in some task."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from mosslite.cache import Contents, pack, unpack
from mosslite.errors import InputError
from mosslite.frontends import Reading
from mosslite.frontends.scheduling import read_all
from mosslite.frontends.selection import wanted_files
from mosslite.records import Role, Submission
from mosslite.spark.stages import Row, joined, packed, parted, unpacked
from mosslite.spark.submissions import (
    DIGEST_BYTES,
    ReadOutline,
    digest_of_source,
    outline_in,
    outlines_in,
    packed_entries,
    packed_outlines,
    packed_submission,
    packed_texts,
    texts_in,
    unpacked_entries,
    unpacked_submission,
)
from mosslite.submissions.ignoring import Patterns
from mosslite.submissions.reading import files_of, with_contents
from mosslite.submissions.repositories import with_repositories
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

    from mosslite.options import Options
    from mosslite.spark.stages import Stages
    from mosslite.submissions.sections import Planned
    from mosslite.winnowing.tokenized import BaseCode

__all__ = [
    "Blocks",
    "degraded_rows",
    "documents_in",
    "entry_rows",
    "numbered_rows",
    "read_texts",
    "tokenized_rows",
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


# --- what the driver finds becomes texts ----------------------------------------------------------

# Bytes of entries in a block, about.
_OF_A_BLOCK: Final = 64 << 20
# Bytes of a row; Arrow's end at twice as many.
_LARGEST: Final = 1 << 30


def read_texts(
    stages: Stages, planned: Sequence[Planned], options: Options
) -> tuple[DataFrame, list[ReadOutline]]:
    """Read submissions in the tasks; this process reads bytes alone, a block after the other.

    Args:
        stages: Those of the job.
        planned: What is found on this machine.
        options: How to read.

    Returns:
        The texts, and an outline of each submission, in their order.
    """
    if not stages.has("documents"):
        rows = entry_rows(planned, options, Blocks.of(len(planned)).size)
        entries = stages.given("entries", rows)
        stages.mapped("documents", entries, partial(documents_in, options=options))
        stages.remove_stages("entries")
    frame = stages.kept("documents")
    payloads = (row.payload for row in stages.rows(frame, "outlines"))
    outlines = [each for payload in payloads for each in outlines_in(payload)]
    return frame, sorted(outlines, key=lambda each: each.number)


def entry_rows(planned: Iterable[Planned], options: Options, most: int) -> Iterator[Row]:
    """Yield a row for each submission; rows of one key are of a block.

    Raises:
        InputError: A submission is too large for a row.
    """
    patterns = Patterns(options.intake.patterns)
    key, count, size = 0, 0, 0
    for number, each in enumerate(planned):
        found = with_repositories(each, options.intake)
        payload = packed_entries(with_contents(found, patterns, options.intake), number)
        if len(payload) > _LARGEST:
            msg = (
                f"submission {each.name!r} has more than {_LARGEST >> 20:,} MiB of files, which "
                "does not fit in a row: leave some out with --exclude, or use --engine local"
            )
            raise InputError(msg)
        count, size = count + 1, size + len(payload)
        if count > most or size > _OF_A_BLOCK:
            key, count, size = key + 1, 1, len(payload)
        yield Row(key, "entries", payload)


def documents_in(rows: list[Row], *, options: Options) -> Iterator[Row]:
    """Read entries, each submission as ``files_of`` does."""
    patterns, outlines = Patterns(options.intake.patterns), list[ReadOutline]()
    for row in rows:
        number, planned = unpacked_entries(row.payload)
        found = files_of(planned, patterns, options.intake, options.language)
        files = wanted_files(found.files, options)
        if files:
            own = Submission(planned.name, planned.role, files, planned.hand_in)
            yield Row(row.key, "texts", packed_texts(own, number))
        digests = b"".join(digest_of_source(*source_of(file, options)) for file in files)
        outlines.append(ReadOutline(number, row.key, found, digests))
    yield Row(0, "outlines", packed_outlines(outlines))


# --- texts become tokens --------------------------------------------------------------------------


class _Source(NamedTuple):
    """A text to be tokenized as it is first met, and where it is needed.

    Attributes:
        owners: Submissions that have it in a file that a lexer may read.
        keys: Those of the rows of all that have it.
    """

    number: int
    owners: list[int]
    keys: list[int]


def _number_rows(read: Sequence[tuple[int, ReadOutline]], options: Options) -> Iterator[Row]:
    """Yield for each block the numbers of its submissions, and which texts are first met there."""
    sources = _sources_of(read, options)
    met, of_key = set[int](), dict[int, list[object]]()
    for number, outline in read:
        marks = list[object]()
        for digest in _digests_in(outline):
            source = sources[digest]
            marks.append([source.number] if source.number in met else source)
            met.add(source.number)
        of_key.setdefault(outline.key, []).append([outline.number, number, marks])
    for key in sorted(of_key):
        yield Row(key, "numbers", json.dumps(of_key[key]).encode("ascii"))


def _sources_of(read: Iterable[tuple[int, ReadOutline]], options: Options) -> dict[bytes, _Source]:
    sources = dict[bytes, _Source]()
    for number, outline in read:
        files = wanted_files(outline.found.files, options)
        for file, digest in zip(files, _digests_in(outline), strict=True):
            source = sources.setdefault(digest, _Source(len(sources), [], []))
            source.owners.extend([] if file.is_plain else [number])
            if outline.key not in source.keys[-1:]:
                source.keys.append(outline.key)
    return sources


def _digests_in(outline: ReadOutline) -> list[bytes]:
    digests = outline.digests
    return [digests[at : at + DIGEST_BYTES] for at in range(0, len(digests), DIGEST_BYTES)]


def tokenized_rows(
    stages: Stages,
    texts: DataFrame,
    read: Sequence[tuple[int, ReadOutline]],
    job: tuple[BaseCode, Blocks, Options],
) -> DataFrame:
    """Tokenize texts and mark base code; each row is a tokenized submission.

    Args:
        stages: Those of the job.
        texts: What ``read_texts`` returned.
        read: The numbers of the submissions that are wanted of them, ascending.
        job: The base code, how work is cut, and how to read.
    """
    base, blocks, options = job
    numbers = stages.given("numbers", _number_rows(read, options))
    given = texts.filter(texts.kind == "texts").union(numbers)
    readings = stages.grouped("readings", given, partial(_read, options=options))
    how = partial(_tokenized, base=base, size=blocks.size, options=options)
    return stages.grouped("tokenized", given.union(readings), how)


def _read(rows: list[Row], *, options: Options) -> Iterator[Row]:
    """Read the texts of a block of submissions that are first met there."""
    firsts = [
        (source_of(file, options), _Source(*mark))
        for _, submission, marks in _numbered_texts(rows)
        for file, mark in zip(submission.files, marks, strict=True)
        if len(mark) > 1
    ]
    # Once for each submission that has it, as they all pay for a text that takes long.
    owned = [(text, owner) for text, source in firsts for owner in source.owners or _WITHOUT_LEXER]
    texts, owners = [text for text, _ in owned], [owner for _, owner in owned]
    found = read_all(texts, _in_a_task(options), lambda _: None, owners=owners)
    readings = dict(zip(texts, found, strict=True))
    for text, source in firsts:
        payload = _packed_reading(source.number, readings[text])
        yield from (Row(key, "reading", payload) for key in dict.fromkeys(source.keys))


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


def _numbered_texts(rows: list[Row]) -> list[tuple[int, Submission, list[list[Any]]]]:
    """Return the submissions that are wanted by their numbers, and the marks of their texts."""
    asked = chain.from_iterable(json.loads(row.payload) for row in rows if row.kind == "numbers")
    here = {there: rest for there, *rest in asked}
    texts = (texts_in(row.payload) for row in rows if row.kind == "texts")
    found = [(there, submission) for there, submission in texts if there in here]
    return sorted(
        ((here[there][0], submission, here[there][1]) for there, submission in found),
        key=itemgetter(0),
    )


def _tokenized(rows: list[Row], *, base: BaseCode, size: int, options: Options) -> Iterator[Row]:
    """Put readings and files of a block together, and mark base code."""
    readings = dict(_reading(row.payload) for row in rows if row.kind == "reading")
    for number, submission, marks in _numbered_texts(rows):
        read = [
            document_of(file, source_of(file, options)[1], readings[mark[0]], options)
            for file, mark in zip(submission.files, marks, strict=True)
        ]
        found = tokenized(submission, without_base_code(read, base))
        yield Row(number // size, "tokenized", packed_submission(found, number))


def _reading(payload: bytes) -> tuple[int, Reading]:
    columns = unpacked(payload)
    number, is_degraded = columns["number"].tolist()
    stream, traces, disguises, colours = unpack(columns["reading"].tobytes())
    return number, Reading(stream, traces, bool(is_degraded), disguises, colours)


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


def without_shared(stages: Stages, found: DataFrame, limit: int, blocks: Blocks) -> DataFrame:
    """Mark the code that more submissions share than the limit."""
    held = stages.grouped("kgrams", found, partial(_kgrams, ranges=blocks.ranges))
    common = stages.grouped("common-kgrams", held, partial(_common, limit=limit, size=blocks.size))
    return stages.grouped(
        "without-common", found.union(common), partial(_without_common, limit=limit)
    )


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
