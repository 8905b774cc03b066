"""An engine that runs a check as a job of Spark, with the same results as the local engine."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cache, partial
from hashlib import sha256
from itertools import chain
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mosslite.cache import cache_folder
from mosslite.frontends.selection import gather
from mosslite.intake.corpus import digest_of_plans
from mosslite.intake.entries import Planned
from mosslite.intake.reading import Found, read_each
from mosslite.intake.repositories import with_repositories
from mosslite.matching import Finder, matched
from mosslite.options import Intake, Options
from mosslite.pipeline import Engine
from mosslite.ranking import Ranked, Ranking
from mosslite.ranking.ranked_pairs import ranked
from mosslite.ranking.views import COMPARING_STEPS
from mosslite.records import (
    Batch,
    Detail,
    Document,
    Inputs,
    Pair,
    Progress,
    Role,
    Submission,
    TokenizedSubmission,
    no_progress,
)
from mosslite.spark.reading import (
    Blocks,
    Location,
    ReadCorpora,
    identity_of,
    key_of,
    numbered_rows,
    read_texts,
    tokenized_rows,
    without_shared,
)
from mosslite.spark.search import RemoteSearch
from mosslite.spark.session import Cluster, session
from mosslite.spark.stages import ReadOutline, Row, Stages, StoredSubmissions, pack_submission
from mosslite.winnowing.base_code import BaseCode, base_code
from mosslite.winnowing.tokenized import tokenized_submissions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@contextmanager
def spark_engine(cluster: Cluster, folder: str | None, version: str) -> Iterator[Engine]:
    """Start an engine, for as long as the block runs.

    Args:
        cluster: Where to run.
        folder: Folder or URL for the stages, which are kept. None is a folder in the user's cache,
            from which an interrupted job is resumed; it is removed at the end of the job.
        version: Version of this program, for the manifests.

    Raises:
        SparkError: PySpark or Java is missing, or does not start.
    """
    with session(cluster) as started, engine_on(started, folder, version) as engine:
        yield engine


@contextmanager
def engine_on(started: SparkSession, folder: str | None, version: str) -> Iterator[Engine]:
    """Return an engine for one check in a session that is running."""
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
        self._outlines: dict[str, ReadOutline] = {}
        self._search: RemoteSearch | None = None
        self._found: tuple[TokenizedSubmission, ...] = ()
        self._corpora = ReadCorpora(session, folder, version)

    def gathered(self, inputs: Inputs, options: Options) -> Batch:
        """Read all submissions; only base code has its texts in memory afterwards."""
        return gather(inputs, options, partial(self._read, options=options))

    def _read(
        self, planned: Sequence[Planned], intake: Intake, language: str | None, *, options: Options
    ) -> Iterator[Found]:
        """Read base code here, as all tasks need it, and everything else in tasks."""
        base = read_each([each for each in planned if each.role is Role.BASE], intake, language)
        others = self._read_in_tasks(planned, options)
        for each in planned:
            yield next(base if each.role is Role.BASE else others)

    def _read_in_tasks(self, planned: Sequence[Planned], options: Options) -> Iterator[Found]:
        """Return what is known of submissions of corpora, and read the others."""
        own = [each for each in planned if each.role is not Role.BASE]
        known = self._corpora.found(own, options)
        fresh = [each for place, each in enumerate(own) if place not in known]
        base = (each for each in planned if each.role is Role.BASE)
        identity = _identity(self._version, options, chain(base, fresh), self._corpora.locations)
        self._stages = Stages(self._session, self._folder(identity), identity)
        self._texts, outlines = read_texts(self._stages, fresh, options)
        self._outlines = {each.name: own for each, own in zip(fresh, outlines, strict=True)}
        for place, each in enumerate(own):
            yield known[place] if place in known else self._outlines[each.name].found

    def tokenized(
        self, batch: Batch, options: Options, progress: Progress
    ) -> tuple[tuple[TokenizedSubmission, ...], tuple[Document, ...]]:
        """Tokenize a batch; base code is tokenized here.

        Texts and tokens are stored on disk; only an outline of each submission stays in memory.
        """
        _, base = tokenized_submissions(replace(batch, submissions=()), options, no_progress)
        submissions, stages = batch.submissions, self._stages
        if not submissions or stages is None:
            return (), base
        stages.on_share = _Shares(progress, sum(len(each.files) for each in submissions))
        self._frame = self._rows(stages, submissions, base_code(base), options)
        self._found = self._stored.store(stages.payloads(self._frame, "tokenized"), submissions)
        return self._found, base

    def _rows(
        self,
        stages: Stages,
        submissions: Sequence[Submission],
        handed_out: BaseCode,
        options: Options,
    ) -> DataFrame:
        """Return the tokenized rows of all submissions, including those of corpora."""
        blocks, outlines = Blocks.of(len(submissions)), self._outlines
        read = [
            (number, outlines[each.name].with_files(each.files))
            for number, each in enumerate(submissions)
            if each.name in outlines
        ]
        frame = tokenized_rows(stages, self._texts, read, (handed_out, blocks, options))
        for nth, (kept, numbers) in enumerate(self._corpora.rows(submissions)):
            name = f"earlier-{nth}"
            frame = frame.union(numbered_rows(stages, name, kept, numbers, (handed_out, blocks)))
        if options.max_sharing is not None:
            frame = without_shared(stages, frame, options.max_sharing, blocks)
        self._outlines = {}
        return frame

    def _folder(self, identity: dict[str, str]) -> str:
        if self._given is not None:
            return self._given.rstrip("/") or self._given
        return str(cache_folder() / "spark" / key_of(identity))

    def ranked(
        self,
        submissions: Sequence[TokenizedSubmission],
        options: Options,
        progress: Progress,
        chosen: Collection[str] = (),
    ) -> Ranking:
        """Find the pairs with the highest scores."""
        if self._stages is None or not self._found:  # only archived submissions were read
            return ranked(submissions, options, progress, chosen)
        frame, places = self._with_archived(self._stages, submissions)
        self._search = search = RemoteSearch(self._stages, frame, submissions, places)
        return ranked(submissions, options, progress, chosen, search=search)

    def matched(
        self,
        submissions: Sequence[TokenizedSubmission],
        ranking: Sequence[Ranked],
        options: Options,
        progress: Progress,
        *,
        detail: Detail = Detail.MATCHES,
    ) -> tuple[Pair, ...]:
        """Find the matches and the rare evidence of pairs."""
        if self._search is None or not ranking:
            return matched(submissions, ranking, options, progress, detail=detail)
        pairs = np.array([(each.left, each.right) for each in ranking], np.int64)
        frequencies = cache(partial(self._search.frequencies, pairs))
        finder = Finder(submissions, frequencies, options.chance)
        if detail is Detail.SCORE:
            return finder.pairs(ranking)
        known = frequencies() if detail is Detail.MATCHES else None
        return finder.pairs(ranking, self._search.matches(pairs, options.chance, detail, known))

    def _with_archived(
        self, stages: Stages, submissions: Sequence[TokenizedSubmission]
    ) -> tuple[DataFrame, NDArray[np.int64] | None]:
        """Add the rows of archived submissions, and return the numbers of all in the ranking."""
        own = {id(each): number for number, each in enumerate(self._found)}
        archived = [each for each in submissions if id(each) not in own]
        if not archived:
            return self._frame, None
        numbers = own | {id(each): len(own) + nth for nth, each in enumerate(archived)}
        size = Blocks.of(len(submissions)).size
        rows = [
            Row(numbers[id(each)] // size, "tokenized", pack_submission(each, numbers[id(each)]))
            for each in archived
        ]
        stages.depend_on(archived=_digest(rows))
        places = np.empty(len(submissions), np.int64)
        places[[numbers[id(each)] for each in submissions]] = np.arange(len(submissions))
        return self._frame.union(stages.write_rows("archived", rows)), places

    def remove_stages(self) -> None:
        """Remove the stages of a complete job, unless the user chose their folder."""
        if self._given is None and self._stages is not None:
            self._stages.remove()


# --- identity and progress of a job --------------------------------------------------------------

# Options that no stage depends on.
_WITHOUT: Final = frozenset(
    {"jobs", "comment", "review", "config", "uses_cache", "uses_workers", "intake"}
)


def _identity(
    version: str,
    options: Options,
    planned: Iterable[Planned],
    locations: Mapping[str, Location],
) -> dict[str, str]:
    """Return everything that the stages of a job depend on."""
    kept = {name: value for name, value in asdict(options).items() if name not in _WITHOUT}
    found = (with_repositories(each, options.intake) for each in planned)
    return identity_of(version, kept, options.intake) | {
        "input": digest_of_plans(found),
        "corpora": sha256(json.dumps(sorted(locations.items())).encode()).hexdigest(),
    }


def _digest(rows: Iterable[Row]) -> str:
    digest = sha256()
    for row in rows:
        digest.update(sha256(row.payload).digest())
    return digest.hexdigest()


# How many steps of the comparison precede each stage of it, and the stages that match.
_COMPARING: Final = {"features": 1, "postings": 2, "ties": 3, "weights": 4, "meetings": 6}
_MATCHING: Final = ("traces", "trace-counts", "shown", "matches")


class _Shares:
    """Converts the progress of stages to the steps of a local run."""

    def __init__(self, progress: Progress, files: int) -> None:
        self._progress, self._files = progress, files

    def __call__(self, stage: str, share: float) -> None:
        if stage == "tokenized":
            self._progress("tokenizing", int(share * self._files), self._files)
        elif stage in _COMPARING:
            self._progress("comparing", _COMPARING[stage], COMPARING_STEPS)
        elif stage in _MATCHING:
            done = (_MATCHING.index(stage) + share) / len(_MATCHING)
            self._progress("matching", int(100 * done), 100)
