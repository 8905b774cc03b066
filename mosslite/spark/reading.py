"""The stages from entries to tokenized submissions, and corpora that earlier jobs tokenized."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.errors import InputError
from mosslite.frontends.scheduling import read_all
from mosslite.frontends.selection import wanted_files
from mosslite.intake.corpus import InCorpus, digest_of
from mosslite.intake.entries import Planned
from mosslite.intake.ignoring import Patterns
from mosslite.intake.reading import Found, files_of, with_contents
from mosslite.intake.repositories import with_repositories
from mosslite.options import Intake, Options
from mosslite.records import Role, Submission, TokenizedSubmission
from mosslite.spark.stages import (
    ROW_FORMAT,
    ReadOutline,
    Row,
    Stages,
    concatenated,
    outline_in,
    pack_columns,
    pack_entries,
    pack_outlines,
    pack_submission,
    pack_texts,
    split_by_key,
    split_header,
    unpack_columns,
    unpack_entries,
    unpack_outlines,
    unpack_submission,
    unpack_texts,
    with_header,
)
from mosslite.terms.adding import front_ends
from mosslite.winnowing.base_code import BaseCode, base_code, without_base_code
from mosslite.winnowing.boilerplate import common_hashes, distinct_kgrams, without_hashes
from mosslite.winnowing.fingerprints import comparable_tokens
from mosslite.winnowing.tokenized import document_of, source_of, tokenized

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, slots=True)
class Blocks:
    """How the work is partitioned; no result depends on it.

    Attributes:
        size: Number of submissions in a block.
        ranges: Number of hash ranges.
    """

    size: int
    ranges: int

    @classmethod
    def of(cls, submissions: int) -> Blocks:
        """Partition the work on a number of submissions."""
        return cls(
            size=int(np.clip(submissions // 16, 4, 512)),
            ranges=int(np.clip(submissions // 4_000, 4, 2_048)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """The numbers of submissions in the ranking.

    Attributes:
        places: ``(n,) int64``, the number in the ranking of each number in the stage; None if they
            are the same.
        count: Number of submissions.
        current: Number of current submissions, which come first.
        blocks: How the work is partitioned.
    """

    places: NDArray[np.int64] | None
    count: int
    current: int
    blocks: Blocks

    def number_of(self, row: Row) -> int:
        """Return the number of the submission in a row."""
        number = outline_in(row.payload).number
        return number if self.places is None else int(self.places[number])

    def submissions(self, rows: Iterable[Row]) -> list[tuple[int, TokenizedSubmission]]:
        """Return the submissions in rows with their numbers, ascending."""
        found = [unpack_submission(row.payload) for row in rows if row.kind == "tokenized"]
        if self.places is not None:
            found = [(int(self.places[number]), each) for number, each in found]
        return sorted(found, key=lambda each: each[0])


# --- entries to texts ----------------------------------------------------------------------------

# Approximate size of the entries of a block, in bytes.
_OF_A_BLOCK: Final = 64 << 20
# Maximum size of a row in bytes; that of Arrow is twice as much.
_LARGEST: Final = 1 << 30


def read_texts(
    stages: Stages, planned: Sequence[Planned], options: Options
) -> tuple[DataFrame, list[ReadOutline]]:
    """Read submissions in tasks; the driver only sends their bytes, block by block.

    Args:
        stages: The stages of the job.
        planned: The submissions found on this machine.
        options: How to read.

    Returns:
        The texts, and the outlines of the submissions in their order.
    """
    if not stages.is_done("documents"):
        rows = entry_rows(planned, options, Blocks.of(len(planned)).size)
        entries = stages.write_rows("entries", rows)
        stages.map_groups("documents", entries, partial(documents_in, options=options))
        stages.remove_stages("entries")
    frame = stages.frame_of("documents")
    payloads = (row.payload for row in stages.collect(frame, "outlines"))
    outlines = [each for payload in payloads for each in unpack_outlines(payload)]
    return frame, sorted(outlines, key=lambda each: each.number)


def entry_rows(planned: Iterable[Planned], options: Options, most: int) -> Iterator[Row]:
    """Yield a row for each submission; the rows of a key form a block.

    Raises:
        InputError: A submission is larger than a row can be.
    """
    patterns = Patterns(options.intake.patterns)
    key, count, size = 0, 0, 0
    for number, each in enumerate(planned):
        found = with_repositories(each, options.intake)
        payload = pack_entries(with_contents(found, patterns, options.intake), number)
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
        number, planned = unpack_entries(row.payload)
        found = files_of(planned, patterns, options.intake, options.language)
        files = wanted_files(found.files, options)
        if files:
            own = Submission(planned.name, planned.role, files, planned.hand_in)
            yield Row(row.key, "texts", pack_texts(own, number))
        outlines.append(ReadOutline(number, row.key, found))
    yield Row(0, "outlines", pack_outlines(outlines))


# --- texts to tokens -----------------------------------------------------------------------------


def tokenized_rows(
    stages: Stages,
    texts: DataFrame,
    read: Sequence[tuple[int, ReadOutline]],
    job: tuple[BaseCode, Blocks, Options],
) -> DataFrame:
    """Tokenize texts and mark base code; each row is a tokenized submission.

    Equal texts of a block are tokenized once: what all submissions have is tokenized by each of the
    few hundred blocks, so that no reading has to reach others. Rows of the stage that are left out
    have the numbers of submissions whose lexer took too long.

    Args:
        stages: The stages of the job.
        texts: The texts that ``read_texts`` returned.
        read: The submissions to tokenize with their numbers, ascending.
        job: The base code, the partitioning, and how to read.
    """
    base, blocks, options = job
    asked = (
        (each.key, [each.number, number, [file.language for file in files]])
        for number, each in read
        for files in [wanted_files(each.found.files, options)]
    )
    numbers = stages.write_rows("numbers", _number_rows(asked))
    given = texts.filter(texts.kind == "texts").union(numbers)
    how = partial(_tokenized, base=base, size=blocks.size, options=options)
    frame = stages.map_groups("tokenized", given, how)
    return frame.filter(frame.kind == "tokenized")


def _number_rows(asked: Iterable[tuple[int, list[object]]]) -> Iterator[Row]:
    """Yield a row for each key, with the numbers of its submissions, and what else is known."""
    of_key = defaultdict[int, list[list[object]]](list)
    for key, own in asked:
        of_key[key].append(own)
    for key in sorted(of_key):
        yield Row(key, "numbers", json.dumps(of_key[key]).encode("ascii"))


def _tokenized(rows: list[Row], *, base: BaseCode, size: int, options: Options) -> Iterator[Row]:
    """Tokenize the files of a block, and mark base code."""
    found = _numbered_texts(rows)
    owned = [(source_of(file, options), number) for number, each in found for file in each.files]
    in_a_task = replace(options, jobs=1)  # which has one processor
    owners = [number for _, number in owned]
    readings = read_all([text for text, _ in owned], in_a_task, lambda _: None, owners=owners)
    for number, submission in found:
        read = [
            document_of(file, source_of(file, options)[1], next(readings), options)
            for file in submission.files
        ]
        key, tokens = number // size, tokenized(submission, without_base_code(read, base))
        yield Row(key, "tokenized", pack_submission(tokens, number))
        if any(each.is_degraded for each in read):
            yield Row(key, "degraded", pack_columns(numbers=np.array([number])))


def _numbered_texts(rows: list[Row]) -> list[tuple[int, Submission]]:
    """Return the submissions to tokenize with their numbers.

    Their files have the languages that the whole batch decided.
    """
    here = _numbers_in(rows)
    found = []
    for there, submission in (unpack_texts(row.payload) for row in rows if row.kind == "texts"):
        if there in here:
            number, languages = here[there]
            both = zip(submission.files, languages, strict=True)
            files = tuple(replace(file, language=language) for file, language in both)
            found.append((number, replace(submission, files=files)))
    return sorted(found, key=itemgetter(0))


def _numbers_in(rows: list[Row]) -> dict[int, list[Any]]:
    """Return the number here and more of each submission, by its number there."""
    asked = chain.from_iterable(json.loads(row.payload) for row in rows if row.kind == "numbers")
    return {there: rest for there, *rest in asked}


# --- code that many submissions share (-m) -------------------------------------------------------


def without_shared(stages: Stages, found: DataFrame, limit: int, blocks: Blocks) -> DataFrame:
    """Mark the code that more submissions share than the limit."""
    held = stages.map_groups("kgrams", found, partial(_kgrams, ranges=blocks.ranges))
    common = stages.map_groups(
        "common-kgrams", held, partial(_common, limit=limit, size=blocks.size)
    )
    return stages.map_groups(
        "without-common", found.union(common), partial(_without_common, limit=limit)
    )


def _kgrams(rows: list[Row], *, ranges: int) -> Iterator[Row]:
    """Send the distinct k-grams of each submission of a block to the ranges of their hashes."""
    numbers, hashes = [], []
    for row in rows:
        number, submission = unpack_submission(row.payload)
        hashes.append(distinct_kgrams(submission.documents))
        numbers.append(np.full(len(hashes[-1]), number))
    values, owners = np.concatenate(hashes), np.concatenate(numbers)
    yield from split_by_key(
        {"values": values, "owners": owners}, values % np.uint64(ranges), "kgrams"
    )


def _common(rows: list[Row], *, limit: int, size: int) -> Iterator[Row]:
    """Send hashes that too many submissions have to the blocks of these submissions."""
    values, owners = concatenated(rows, "kgrams").values()
    is_common = np.isin(values, common_hashes([values], limit))
    blocks = owners[is_common] // size
    for block in np.unique(blocks).tolist():
        here = np.unique(values[is_common][blocks == block])
        yield Row(block, "common", pack_columns(values=here))


def _without_common(rows: list[Row], *, limit: int) -> Iterator[Row]:
    """Mark the k-grams that too many submissions have."""
    marks = [unpack_columns(row.payload)["values"] for row in rows if row.kind == "common"]
    common = np.concatenate([np.empty(0, np.uint64), *marks])
    for row in rows:
        if row.kind != "tokenized":
            continue
        number, submission = unpack_submission(row.payload)
        left = without_hashes(submission.documents, common, limit)
        found = replace(submission, documents=tuple(left), comparable=comparable_tokens(left))
        yield Row(row.key, "tokenized", pack_submission(found, number))


# --- corpora of earlier submissions, which are tokenized once for all jobs -----------------------

# Submissions in a row of an index.
_IN_A_ROW: Final = 1_000

# The options, besides those of the intake, that the tokens of a text depend on.
_OF_READING: Final = ("language", "noise", "guarantee", "seconds")


class Location(NamedTuple):
    """Location of a submission of a corpus: folder of the stages, key and number there."""

    folder: str
    key: int
    number: int


class ReadCorpora:
    """Corpora of earlier submissions, which are tokenized once for all jobs.

    The tokens of a corpus are stored beside it, in a folder named after a digest of everything they
    depend on. The folder can be removed at any time.

    Attributes:
        locations: Location of each submission that was found, by its name in this job.
    """

    def __init__(self, session: SparkSession, stages: str | None, version: str) -> None:
        """Begin with none.

        Args:
            session: The session that reads corpora.
            stages: The folder that the user chose for the stages of the job.
            version: Version of this program.
        """
        self.locations: dict[str, Location] = {}
        self._session, self._given, self._version = session, stages, version
        self._stages: list[Stages] = []

    def found(self, planned: Sequence[Planned], options: Options) -> dict[int, Found]:
        """Return what was read of submissions of corpora, by their places in ``planned``.

        A corpus that no job has read is read now. Submissions without text are left out, and those
        whose lexer took too long.
        """
        members = defaultdict[tuple[str, Role], dict[str, int]](dict)
        for place, each in enumerate(planned):
            first = each.entries[0].content if each.entries else None
            if isinstance(first, InCorpus) and each.role in {Role.PRIOR, Role.REFERENCE}:
                members[first.contents.corpus, each.role][f"{first.part}:{first.row}"] = place
        found: dict[int, Found] = {}
        for (corpus, role), own in members.items():
            stages = self._stages_of(corpus, role, options, planned[0].usual)
            if stages is None:
                continue
            if not stages.is_done("index"):
                _read_corpus(stages, {at: planned[place] for at, place in own.items()}, options)
            self._stages.append(stages)
            for at, outline in _index_in(stages):
                if at in own:
                    found[own[at]] = self._named(planned[own[at]].name, stages, outline)
        return found

    def _named(self, name: str, stages: Stages, outline: ReadOutline) -> Found:
        """Return what was read of a submission under its name in this job."""
        self.locations[name] = Location(stages.folder, outline.key, outline.number)
        skipped = [
            replace(each, submission=name) if each.submission else each
            for each in outline.found.skipped
        ]
        return outline.found._replace(skipped=skipped)

    def rows(self, submissions: Sequence[Submission]) -> Iterator[tuple[DataFrame, Iterator[Row]]]:
        """Yield the rows of each corpus, and its submissions with their numbers in this job."""
        for stages in self._stages:
            asked: list[tuple[int, list[object]]] = [
                (at.key, [at.number, number, here.name, here.role.value])
                for number, here in enumerate(submissions)
                if (at := self.locations.get(here.name)) and at.folder == stages.folder
            ]
            if asked:
                yield stages.frame_of("tokenized"), _number_rows(asked)

    def _stages_of(self, corpus: str, role: Role, options: Options, usual: str) -> Stages | None:
        """Return the stages of a corpus; None if their folder is not writable."""
        kept = [getattr(options, each) for each in _OF_READING]
        of_corpus = {"corpus": digest_of(corpus), "role": role.value, "usual": usual}
        identity = identity_of(self._version, kept, options.intake) | of_corpus
        folder = self._folder(corpus, key_of(identity))
        if folder is None:
            return None
        return Stages(self._session, folder, identity)

    def _folder(self, corpus: str, key: str) -> str | None:
        if self._given is None or "://" not in self._given:
            folder = Path(corpus).resolve()
            return f"{folder}/.stages/{key}" if os.access(folder, os.W_OK) else None
        return f"{self._given.rstrip('/').rpartition('/')[0]}/mosslite-corpora/{key}"


def identity_of(version: str, options: object, intake: Intake) -> dict[str, str]:
    """Return what stages depend on besides their input."""
    return {
        "version": version,
        "rows": ROW_FORMAT,
        "front-ends": front_ends(),
        "options": json.dumps(options, sort_keys=True),
        "intake": json.dumps(asdict(replace(intake, output="")), sort_keys=True),
    }


def key_of(identity: Mapping[str, str]) -> str:
    """Return the name of the folder for the stages of an identity."""
    return sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:24]


def _read_corpus(stages: Stages, planned: Mapping[str, Planned], options: Options) -> None:
    """Read and tokenize a corpus, and write an index of its submissions."""
    texts, outlines = read_texts(stages, [*planned.values()], options)
    with_texts = [each for each in zip(planned, outlines, strict=True) if each[1].found.files]
    read = [*enumerate(outline for _, outline in with_texts)]
    blocks = Blocks.of(len(read))
    tokenized_rows(stages, texts, read, (base_code(()), blocks, options))
    # These are tokenized again by each job, as their time limit depends on what else it reads, and
    # so are those of a language that the batch decides.
    degraded = stages.columns(stages.frame_of("tokenized"), "degraded")
    slow = {*degraded.get("numbers", ())}
    index = [
        (place, ReadOutline(number, number // blocks.size, outline.found))
        for number, (place, outline) in enumerate(with_texts)
        if number not in slow and not any(file.is_unclear for file in outline.found.files)
    ]
    some = (index[at : at + _IN_A_ROW] for at in range(0, len(index), _IN_A_ROW))
    stages.write_rows("index", (Row(0, "index", _packed_index(each)) for each in some))
    stages.remove_stages("documents", "numbers")


def _packed_index(some: Sequence[tuple[str, ReadOutline]]) -> bytes:
    return with_header([place for place, _ in some], [pack_outlines(each for _, each in some)])


def _index_in(stages: Stages) -> Iterator[tuple[str, ReadOutline]]:
    """Yield the submissions of a corpus with the part and row of their first files."""
    for row in stages.collect(stages.frame_of("index"), "index"):
        places, at = split_header(row.payload)
        yield from zip(places, unpack_outlines(row.payload[at:]), strict=True)


def numbered_rows(
    stages: Stages,
    name: str,
    kept: DataFrame,
    numbers: Iterable[Row],
    job: tuple[BaseCode, Blocks],
) -> DataFrame:
    """Renumber and rename submissions of an earlier job for this one, and mark base code.

    Args:
        stages: The stages of this job.
        name: Name of the stage.
        kept: The submissions of the earlier job, without base code.
        numbers: Rows with the keys of ``kept``: lists of ``[number there, number here, name,
            role]``.
        job: The base code and the partitioning of this job.
    """
    base, blocks = job
    asked = stages.write_rows(f"{name}-numbers", numbers)
    how = partial(_numbered, base=base, size=blocks.size)
    return stages.map_groups(name, kept.union(asked), how)


def _numbered(rows: list[Row], *, base: BaseCode, size: int) -> Iterator[Row]:
    here = _numbers_in(rows)
    for row in rows:
        if row.kind != "tokenized" or outline_in(row.payload).number not in here:
            continue
        there, submission = unpack_submission(row.payload)
        number, name, role = here[there]
        source = replace(submission.source, name=name, role=Role(role))
        found = tokenized(source, without_base_code(submission.documents, base))
        yield Row(number // size, "tokenized", pack_submission(found, number))
