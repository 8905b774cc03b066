"""The engine that runs the stages of a check as a job of Spark, with the same results."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cache, partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.cache.store import cache_folder
from mosslite.frontends.selection import gather
from mosslite.history.entries import front_ends
from mosslite.matching import Finder, matched
from mosslite.matching.rare_evidence import rewritten_codes
from mosslite.pipeline import Engine
from mosslite.ranking.ranked_pairs import ranked
from mosslite.records import Detail, Role, Skipped, SourceFile, no_progress
from mosslite.spark.reading import (
    Blocks,
    StoredSubmissions,
    degraded_rows,
    documents,
    light,
    numbered_rows,
    packed_submission,
    tokenized_rows,
    without_shared,
)
from mosslite.spark.search import RemoteSearch
from mosslite.spark.session import Cluster, session
from mosslite.spark.stages import Row, Stages, joined
from mosslite.submissions.corpus import InCorpus, digest_of
from mosslite.submissions.reading import Found, files_of
from mosslite.winnowing.tokenized import base_code, tokenized_submissions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray
    from pyspark.sql import DataFrame, SparkSession

    from mosslite.options import Intake, Options
    from mosslite.ranking import Ranked, Ranking
    from mosslite.records import (
        Batch,
        Document,
        Inputs,
        Pair,
        Progress,
        Submission,
        TokenizedSubmission,
    )
    from mosslite.submissions.ignoring import Patterns
    from mosslite.submissions.sections import Planned

__all__ = ["engine_on", "spark_engine"]


@contextmanager
def spark_engine(cluster: Cluster, folder: str | None, version: str) -> Iterator[Engine]:
    """Start an engine, for as long as the block runs.

    Args:
        cluster: Where to run.
        folder: Folder or URL for the stages, which are kept; None is a folder in the user's cache,
            where a job that was killed goes on, and which is removed when the job is done.
        version: Of this program, for the manifests.

    Raises:
        SparkError: PySpark or Java is missing, or does not start.
    """
    with session(cluster) as started, engine_on(started, folder, version) as engine:
        yield engine


@contextmanager
def engine_on(started: SparkSession, folder: str | None, version: str) -> Iterator[Engine]:
    """Return an engine for one check that runs in a session, for as long as the block runs."""
    with TemporaryDirectory(prefix="mosslite-submissions-") as scratch:
        job = _Job(started, folder, version, StoredSubmissions(scratch))
        yield Engine(job.gathered, job.tokenized, job.ranked, job.matched)
        job.remove_stages()


class _Job:
    """A check of one batch."""

    def __init__(
        self,
        session: SparkSession,
        folder: str | None,
        version: str,
        stored: StoredSubmissions,
    ) -> None:
        self._session, self._given, self._version = session, folder, version
        self._stored = stored
        self._stages: Stages | None = None
        self._search: RemoteSearch | None = None
        self._found: tuple[TokenizedSubmission, ...] = ()
        self._rewritten: list[TokenizedSubmission] = []
        self._corpora = _ReadCorpora(session, folder, version)

    def gathered(self, inputs: Inputs, options: Options) -> Batch:
        """Read everything that would be compared, but for corpora that were read before."""
        return self._corpora.gathered(inputs, options)

    def tokenized(
        self, batch: Batch, options: Options, progress: Progress
    ) -> tuple[tuple[TokenizedSubmission, ...], tuple[Document, ...]]:
        """Tokenize a batch; base code is read here, as all tasks need it.

        Texts and tokens are on disk then: of each submission only an outline stays in memory.
        """
        _, base = tokenized_submissions(replace(batch, submissions=()), options, no_progress)
        if not batch.submissions:
            return (), base
        blocks, handed_out = Blocks.of(len(batch.submissions)), base_code(base)
        numbered = list(enumerate(batch.submissions))
        known = self._corpora.places(numbered)
        fresh = [each for each in numbered if each[0] not in known]
        rows = partial(documents, fresh, blocks, options)
        identity = _identity(self._version, options, rows(), batch)
        identity["corpora"] = sha256(json.dumps([*known.items()]).encode()).hexdigest()
        files = sum(len(each.files) for each in batch.submissions)
        self._stages = stages = Stages(
            self._session, self._folder(identity), identity, _Shares(progress, files)
        )
        given = stages.given("documents", rows())
        self._frame = tokenized_rows(stages, given, handed_out, options)
        for nth, (kept, numbers) in enumerate(self._corpora.rows(known, batch.submissions)):
            rows_of = numbered_rows(stages, f"earlier-{nth}", kept, numbers, (handed_out, blocks))
            self._frame = self._frame.union(rows_of)
        if options.max_sharing is not None:
            self._frame = without_shared(stages, self._frame, options.max_sharing, blocks)
        found = [
            (each, self._stored.deferred(batch.submissions[each.number], each))
            for each in self._stored.store(stages.payloads(self._frame, "tokenized"))
        ]
        found.sort(key=lambda each: each[0].number)
        self._found = tuple(submission for _, submission in found)
        self._rewritten = [submission for each, submission in found if each.is_rewritten]
        return self._found, base

    def _folder(self, identity: dict[str, str]) -> str:
        if self._given is not None:
            return self._given.rstrip("/") or self._given
        return str(cache_folder() / "spark" / _key(identity))

    def ranked(
        self,
        submissions: Sequence[TokenizedSubmission],
        options: Options,
        progress: Progress,
        chosen: Collection[str] = (),
    ) -> Ranking:
        """Find the pairs with the highest scores."""
        if self._stages is None:  # nothing was read, but what archives hold
            return ranked(submissions, options, progress, chosen)
        frame, places = self._with_archived(self._stages, submissions)
        self._search = search = RemoteSearch(self._stages, frame, submissions, places)
        return ranked(submissions, options, progress, chosen, search=search)

    def matched(
        self,
        submissions: Sequence[TokenizedSubmission],
        ranking: Sequence[Ranked],
        progress: Progress,
        *,
        detail: Detail = Detail.MATCHES,
        processes: int = 1,
    ) -> tuple[Pair, ...]:
        """Find the matches and the rare evidence of pairs."""
        if self._search is None or not ranking:
            return matched(submissions, ranking, progress, detail=detail, processes=processes)
        pairs = np.array([(each.left, each.right) for each in ranking], np.int64)
        frequencies = cache(partial(self._search.frequencies, pairs, self._rewritten))
        finder = Finder(submissions, frequencies)
        if detail is Detail.SCORE:
            return finder.pairs(ranking)
        known = frequencies() if detail is Detail.MATCHES else None
        return finder.pairs(ranking, self._search.matches(pairs, detail, known))

    def _with_archived(
        self, stages: Stages, submissions: Sequence[TokenizedSubmission]
    ) -> tuple[DataFrame, NDArray[np.int64] | None]:
        """Add to the rows those that archives hold, and number all as they are ranked."""
        own = {id(each): number for number, each in enumerate(self._found)}
        archived = [each for each in submissions if id(each) not in own]
        if not archived:
            return self._frame, None
        numbers = own | {id(each): len(own) + nth for nth, each in enumerate(archived)}
        size = Blocks.of(len(submissions)).size
        rows = [
            Row(numbers[id(each)] // size, "tokenized", packed_submission(each, numbers[id(each)]))
            for each in archived
        ]
        stages.depend_on(archived=_digest(rows))
        self._rewritten += [each for each in archived if rewritten_codes(each)]
        places = np.empty(len(submissions), np.int64)
        places[[numbers[id(each)] for each in submissions]] = np.arange(len(submissions))
        return self._frame.union(stages.given("archived", rows)), places

    def remove_stages(self) -> None:
        """Remove the stages of a job that is done, unless the user wants them."""
        if self._given is None and self._stages is not None:
            self._stages.remove()


# --- corpora of earlier submissions --------------------------------------------------------------

# So many submissions stand in a row of an index.
_IN_A_ROW: Final = 1_000


class _Known(NamedTuple):
    """What is known of a submission that was read before; its place is one in a corpus.

    Attributes:
        place: Part and row of its first file.
        number: Its number among those that were read.
        key: That of its row.
    """

    place: str
    number: int
    key: int
    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    ignored: tuple[Skipped, ...]


class _ReadCorpora:
    """Corpora of earlier submissions, whose texts are read once for all jobs.

    What is made of one is kept beside it, in a folder that is named after all that it depends on.
    It can be removed at any time.
    """

    def __init__(self, session: SparkSession, stages: str | None, version: str) -> None:
        self._session, self._given, self._version = session, stages, version
        self._known: dict[tuple[str, Role], dict[str, _Known] | None] = {}
        self._new: dict[tuple[str, Role], dict[str, tuple[str, Found]]] = {}
        self._of_name: dict[str, tuple[str, int, int]] = {}
        self._stages: dict[tuple[str, Role], Stages] = {}

    def gathered(self, inputs: Inputs, options: Options) -> Batch:
        """Read a batch, and keep what is made of corpora that were not read yet."""
        batch = gather(inputs, options, partial(self._read, options=options))
        for of, new in self._new.items():
            self._keep(self._stages[of], of[1], new, (batch, options))
        self._known, self._new = {}, {}
        if not self._of_name:
            return batch
        submissions = [
            replace(each, files=tuple(map(light, each.files)))
            if each.name in self._of_name
            else each
            for each in batch.submissions
        ]
        return replace(batch, submissions=tuple(submissions))

    def places(self, numbered: Sequence[tuple[int, Submission]]) -> dict[int, tuple[str, int, int]]:
        """Return where submissions that were read before are: folder, key and number there."""
        return {
            number: self._of_name[each.name]
            for number, each in numbered
            if each.name in self._of_name
        }

    def rows(
        self, known: Mapping[int, tuple[str, int, int]], submissions: Sequence[Submission]
    ) -> Iterator[tuple[DataFrame, Iterator[Row]]]:
        """Yield the rows of each corpus, and how its submissions are numbered and called now."""
        for stages in self._stages.values():
            by_key = defaultdict[int, list[list[object]]](list)
            for number, (folder, key, there) in known.items():
                if folder == stages.folder:
                    here = submissions[number]
                    by_key[key].append([there, number, here.name, here.role.value])
            if by_key:
                yield (
                    stages.kept("tokenized"),
                    (
                        Row(key, "numbers", json.dumps(by_key[key]).encode("ascii"))
                        for key in sorted(by_key)
                    ),
                )

    def _read(
        self,
        planned: Planned,
        patterns: Patterns,
        intake: Intake,
        language: str | None,
        *,
        options: Options,
    ) -> Found:
        """Read a submission, or return what is known of it."""
        first = planned.entries[0][0].stored if planned.entries else None
        if not isinstance(first, InCorpus) or planned.role not in {Role.PRIOR, Role.REFERENCE}:
            return files_of(planned, patterns, intake, language)
        of, place = (first.corpus, planned.role), f"{first.part}:{first.row}"
        if of not in self._known:
            self._known[of] = self._index(of, options)
        known = self._known[of]
        if known is not None and place in known:
            return self._found(of, known[place], planned)
        found = files_of(planned, patterns, intake, language)
        if known is None and found.files and of in self._stages:
            self._new.setdefault(of, {})[planned.name] = (place, found)
        return found

    def _found(self, of: tuple[str, Role], known: _Known, planned: Planned) -> Found:
        self._of_name[planned.name] = self._stages[of].folder, known.key, known.number
        skipped = [
            replace(each, submission=planned.name) if each.submission else each
            for each in known.skipped
        ]
        return Found(known.files, skipped, [*known.ignored])

    def _index(self, of: tuple[str, Role], options: Options) -> dict[str, _Known] | None:
        """Return what is known of the submissions of a corpus; None if it was not read yet."""
        corpus, role = of
        identity = {
            "version": self._version,
            "front-ends": front_ends(),
            "corpus": digest_of(corpus),
            "role": role.value,
            "options": json.dumps([getattr(options, each) for each in _OF_READING]),
            "intake": json.dumps(asdict(options.intake), sort_keys=True),
        }
        folder = self._folder(corpus, _key(identity))
        if folder is None:
            return None
        self._stages[of] = stages = Stages(self._session, folder, identity, lambda *_: None)
        if not stages.has("index"):
            return None
        rows = stages.rows(stages.kept("index"), "index")
        return {each.place: each for row in rows for each in _unpacked_index(row.payload)}

    def _folder(self, corpus: str, key: str) -> str | None:
        """Return where what is made of a corpus is kept; None if nothing can be written there."""
        if self._given is None or "://" not in self._given:
            folder = Path(corpus).resolve()
            return f"{folder}/.stages/{key}" if os.access(folder, os.W_OK) else None
        return f"{self._given.rstrip('/').rpartition('/')[0]}/mosslite-corpora/{key}"

    def _keep(
        self,
        stages: Stages,
        role: Role,
        new: Mapping[str, tuple[str, Found]],
        job: tuple[Batch, Options],
    ) -> None:
        """Read the texts of a corpus, and keep what is made of them."""
        batch, options = job
        own = [each for each in batch.submissions if each.role is role and each.name in new]
        if not own:
            return
        blocks, members = Blocks.of(len(own)), list(enumerate(own))
        given = stages.given("documents", documents(members, blocks, options))
        frame = tokenized_rows(stages, given, base_code(()), options)
        # What takes long is read again: how much time there is depends on what else is read.
        slow = set(joined(degraded_rows(stages, frame), "degraded").get("numbers", ()))
        index = [
            _Known(
                place,
                number,
                number // blocks.size,
                found.files,
                tuple(found.skipped),
                tuple(found.ignored),
            )
            for number, each in members
            for place, found in [new[each.name]]
            if number not in slow
        ]
        some = (index[at : at + _IN_A_ROW] for at in range(0, len(index), _IN_A_ROW))
        stages.given("index", (Row(0, "index", _packed_index(each)) for each in some))
        stages.remove_stages("documents", "readings", "degraded")
        places = {each.place: each for each in index}
        for name, (place, _) in new.items():
            if place in places:
                self._of_name[name] = stages.folder, places[place].key, places[place].number


# The options, beside those of the intake, on which it depends what is made of a text.
_OF_READING: Final = ("language", "noise", "guarantee", "seconds")


def _key(identity: Mapping[str, str]) -> str:
    return sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:24]


def _packed_index(some: Sequence[_Known]) -> bytes:
    return json.dumps(
        [
            [*each[:3], *([asdict(one) for one in column] for column in columns)]
            for each in some
            for columns in [(map(light, each.files), each.skipped, each.ignored)]
        ]
    ).encode("ascii")


def _unpacked_index(payload: bytes) -> Iterator[_Known]:
    for place, number, key, files, skipped, ignored in json.loads(payload):
        yield _Known(
            place,
            number,
            key,
            tuple(SourceFile(**{**each, "parts": ()}) for each in files),
            tuple(Skipped(**each) for each in skipped),
            tuple(Skipped(**each) for each in ignored),
        )


# --- what a job is of ----------------------------------------------------------------------------

# What no stage depends on.
_WITHOUT: Final = frozenset(
    {"jobs", "comment", "review", "config", "uses_cache", "uses_workers", "intake"}
)


def _identity(version: str, options: Options, rows: Iterable[Row], batch: Batch) -> dict[str, str]:
    """Return what the stages of a job depend on."""
    kept = {name: value for name, value in asdict(options).items() if name not in _WITHOUT}
    base = [Row(0, "base", json.dumps(asdict(file)).encode("ascii")) for file in batch.base]
    return {
        "version": version,
        "front-ends": front_ends(),
        "options": json.dumps(kept, sort_keys=True),
        "input": _digest(chain(rows, base)),
    }


def _digest(rows: Iterable[Row]) -> str:
    digest = sha256()
    for row in rows:
        digest.update(sha256(row.payload).digest())
    return digest.hexdigest()


# The stages that read, and which of the steps of comparing are done when another one begins.
_READING: Final = ("documents", "readings", "tokenized")
_COMPARING: Final = {"features": 1, "postings": 2, "ties": 3, "weights": 4, "meetings": 6}
_COMPARING_STEPS: Final = 8
_MATCHING: Final = ("traces", "trace-counts", "shown", "matches")


class _Shares:
    """Converts how far stages are to the steps of a run on one machine."""

    def __init__(self, progress: Progress, files: int) -> None:
        self._progress, self._files = progress, files

    def __call__(self, stage: str, share: float) -> None:
        if stage in _READING:
            done = (_READING.index(stage) + share) / len(_READING)
            self._progress("tokenizing", int(done * self._files), self._files)
        elif stage in _COMPARING:
            self._progress("comparing", _COMPARING[stage], _COMPARING_STEPS)
        elif stage in _MATCHING:
            done = (_MATCHING.index(stage) + share) / len(_MATCHING)
            self._progress("matching", int(100 * done), 100)
