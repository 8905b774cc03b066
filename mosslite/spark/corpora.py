"""Corpora of earlier submissions, which are tokenized once for all jobs."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.intake.corpus import InCorpus, digest_of
from mosslite.intake.entries import Planned
from mosslite.intake.reading import Found
from mosslite.options import Options
from mosslite.records import Role, Submission
from mosslite.spark.reading import Blocks, read_texts, tokenized_rows
from mosslite.spark.stages import (
    ROW_FORMAT,
    Row,
    Stages,
    concatenated,
    split_header,
    with_header,
)
from mosslite.spark.submissions import ReadOutline, pack_outlines, unpack_outlines
from mosslite.terms.adding import front_ends
from mosslite.winnowing.base_code import base_code

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

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
            by_key = defaultdict[int, list[list[object]]](list)
            for number, here in enumerate(submissions):
                location = self.locations.get(here.name)
                if location is not None and location.folder == stages.folder:
                    own = [location.number, number, here.name, here.role.value]
                    by_key[location.key].append(own)
            if by_key:
                yield (
                    stages.frame_of("tokenized"),
                    (
                        Row(key, "numbers", json.dumps(by_key[key]).encode("ascii"))
                        for key in sorted(by_key)
                    ),
                )

    def _stages_of(self, corpus: str, role: Role, options: Options, usual: str) -> Stages | None:
        """Return the stages of a corpus; None if their folder is not writable."""
        identity = {
            "version": self._version,
            "rows": ROW_FORMAT,
            "front-ends": front_ends(),
            "corpus": digest_of(corpus),
            "role": role.value,
            "usual": usual,
            "options": json.dumps([getattr(options, each) for each in _OF_READING]),
            "intake": json.dumps(asdict(options.intake), sort_keys=True),
        }
        folder = self._folder(corpus, key_of(identity))
        if folder is None:
            return None
        return Stages(self._session, folder, identity, lambda *_: None)

    def _folder(self, corpus: str, key: str) -> str | None:
        if self._given is None or "://" not in self._given:
            folder = Path(corpus).resolve()
            return f"{folder}/.stages/{key}" if os.access(folder, os.W_OK) else None
        return f"{self._given.rstrip('/').rpartition('/')[0]}/mosslite-corpora/{key}"


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
    degraded = stages.collect(stages.frame_of("tokenized"), "degraded")
    slow = {*concatenated(degraded, "degraded").get("numbers", ())}
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
