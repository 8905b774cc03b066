"""Corpora of earlier submissions, whose texts are read once for all jobs."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.history.entries import front_ends
from mosslite.records import Role
from mosslite.spark.reading import Blocks, degraded_rows, read_texts, tokenized_rows
from mosslite.spark.stages import Row, Stages, head_of, joined, with_head
from mosslite.spark.submissions import ReadOutline, outlines_in, packed_outlines
from mosslite.submissions.corpus import InCorpus, digest_of
from mosslite.winnowing.tokenized import base_code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from mosslite.options import Options
    from mosslite.records import Submission
    from mosslite.submissions.reading import Found
    from mosslite.submissions.sections import Planned

__all__ = ["Location", "ReadCorpora", "key_of"]

# So many submissions stand in a row of an index.
_IN_A_ROW: Final = 1_000

# The options, beside those of the intake, on which it depends what is made of a text.
_OF_READING: Final = ("language", "noise", "guarantee", "seconds")


class Location(NamedTuple):
    """Where a submission is that was read before: folder of the stages, key and number there."""

    folder: str
    key: int
    number: int


class ReadCorpora:
    """Corpora of earlier submissions, whose texts are read once for all jobs.

    What is made of one is kept beside it, in a folder that is named after all that it depends on.
    It can be removed at any time.

    Attributes:
        locations: Where the submissions are that were found, by their names in this job.
    """

    def __init__(self, session: SparkSession, stages: str | None, version: str) -> None:
        """Begin with none.

        Args:
            session: What reads corpora that nobody has read.
            stages: The folder that the user gave for the stages of the job.
            version: Of this program.
        """
        self.locations: dict[str, Location] = {}
        self._session, self._given, self._version = session, stages, version
        self._stages: list[Stages] = []

    def found(self, planned: Sequence[Planned], options: Options) -> dict[int, Found]:
        """Return what was read of submissions of corpora, by their places in ``planned``.

        A corpus that nobody has read is read now. What a lexer took too long for is left out, and
        what has no text.
        """
        members = defaultdict[tuple[str, Role], dict[str, int]](dict)
        for place, each in enumerate(planned):
            first = each.entries[0][0].stored if each.entries else None
            if isinstance(first, InCorpus) and each.role in {Role.PRIOR, Role.REFERENCE}:
                members[first.corpus, each.role][f"{first.part}:{first.row}"] = place
        found: dict[int, Found] = {}
        for (corpus, role), own in members.items():
            stages = self._stages_of(corpus, role, options)
            if stages is None:
                continue
            if not stages.has("index"):
                _read_corpus(stages, {at: planned[place] for at, place in own.items()}, options)
            self._stages.append(stages)
            for at, outline in _index_in(stages):
                if at in own:
                    found[own[at]] = self._named(planned[own[at]].name, stages, outline)
        return found

    def _named(self, name: str, stages: Stages, outline: ReadOutline) -> Found:
        """Return what was read of a submission as it is called in this job."""
        self.locations[name] = Location(stages.folder, outline.key, outline.number)
        skipped = [
            replace(each, submission=name) if each.submission else each
            for each in outline.found.skipped
        ]
        return outline.found._replace(skipped=skipped)

    def rows(self, submissions: Sequence[Submission]) -> Iterator[tuple[DataFrame, Iterator[Row]]]:
        """Yield the rows of each corpus, and how its submissions are numbered and called now."""
        for stages in self._stages:
            by_key = defaultdict[int, list[list[object]]](list)
            for number, here in enumerate(submissions):
                location = self.locations.get(here.name)
                if location is not None and location.folder == stages.folder:
                    own = [location.number, number, here.name, here.role.value]
                    by_key[location.key].append(own)
            if by_key:
                yield (
                    stages.kept("tokenized"),
                    (
                        Row(key, "numbers", json.dumps(by_key[key]).encode("ascii"))
                        for key in sorted(by_key)
                    ),
                )

    def _stages_of(self, corpus: str, role: Role, options: Options) -> Stages | None:
        """Return the stages of a corpus; None if nothing can be written where they would be."""
        identity = {
            "version": self._version,
            "front-ends": front_ends(),
            "corpus": digest_of(corpus),
            "role": role.value,
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
    """Return the name of a folder for the stages of what is identified so."""
    return sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:24]


def _read_corpus(stages: Stages, planned: Mapping[str, Planned], options: Options) -> None:
    """Read the texts of a corpus and tokenize them; write where each submission is found."""
    texts, outlines = read_texts(stages, [*planned.values()], options)
    with_texts = [each for each in zip(planned, outlines, strict=True) if each[1].found.files]
    read = [*enumerate(outline for _, outline in with_texts)]
    blocks = Blocks.of(len(read))
    frame = tokenized_rows(stages, texts, read, (base_code(()), blocks, options))
    # What takes long is read again: how much time there is depends on what else is read.
    slow = set(joined(degraded_rows(stages, frame), "degraded").get("numbers", ()))
    index = [
        (place, ReadOutline(number, number // blocks.size, outline.found))
        for number, (place, outline) in enumerate(with_texts)
        if number not in slow
    ]
    some = (index[at : at + _IN_A_ROW] for at in range(0, len(index), _IN_A_ROW))
    stages.given("index", (Row(0, "index", _packed_index(each)) for each in some))
    stages.remove_stages("documents", "numbers", "readings", "degraded")


def _packed_index(some: Sequence[tuple[str, ReadOutline]]) -> bytes:
    return with_head([place for place, _ in some], [packed_outlines(each for _, each in some)])


def _index_in(stages: Stages) -> Iterator[tuple[str, ReadOutline]]:
    """Yield the submissions of a corpus that was read, by part and row of their first files."""
    for row in stages.rows(stages.kept("index"), "index"):
        places, at = head_of(row.payload)
        yield from zip(places, outlines_in(row.payload[at:]), strict=True)
