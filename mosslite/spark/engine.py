"""The engine that runs the stages of a check as a job of Spark, with the same results."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cache, partial
from hashlib import sha256
from itertools import chain
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.cache.store import cache_folder
from mosslite.history.entries import front_ends
from mosslite.matching import Finder, matched
from mosslite.matching.rare_evidence import rewritten_codes
from mosslite.pipeline import Engine
from mosslite.ranking.ranked_pairs import Candidates, outline_of, ranked
from mosslite.records import Detail, Role, no_progress
from mosslite.spark.pairs import Shown, frequencies_for, matches_of, scores_of
from mosslite.spark.reading import (
    Blocks,
    StoredSubmissions,
    documents,
    packed_submission,
    tokenized_rows,
)
from mosslite.spark.search import Numbering, find_candidates, find_common
from mosslite.spark.session import Cluster, session
from mosslite.spark.stages import Row, Stages
from mosslite.winnowing.tokenized import base_code, tokenized_submissions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from pyspark.sql import DataFrame, SparkSession

    from mosslite.matching import Found
    from mosslite.matching.rare_evidence import DocumentFrequencies
    from mosslite.options import Options
    from mosslite.ranking import Ranked, Ranking
    from mosslite.ranking.ranked_pairs import Outline
    from mosslite.records import Batch, Document, Pair, Progress, TokenizedSubmission

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
        yield Engine(job.tokenized, job.ranked, job.matched)
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
        self._search: _Search | None = None
        self._found: tuple[TokenizedSubmission, ...] = ()
        self._rewritten: list[TokenizedSubmission] = []

    def tokenized(
        self, batch: Batch, options: Options, progress: Progress
    ) -> tuple[tuple[TokenizedSubmission, ...], tuple[Document, ...]]:
        """Tokenize a batch; base code is read here, as all tasks need it.

        Texts and tokens are on disk then: of each submission only an outline stays in memory.
        """
        _, base = tokenized_submissions(replace(batch, submissions=()), options, no_progress)
        if not batch.submissions:
            return (), base
        blocks = Blocks.of(len(batch.submissions))
        rows = partial(documents, batch.submissions, blocks, options)
        identity = _identity(self._version, options, rows(), batch)
        files = sum(len(each.files) for each in batch.submissions)
        self._stages = stages = Stages(
            self._session, self._folder(identity), identity, _Shares(progress, files)
        )
        given = stages.given("documents", rows())
        self._frame = tokenized_rows(stages, given, base_code(base), options, blocks)
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
        digest = sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:24]
        return str(cache_folder() / "spark" / digest)

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
        self._search = search = _Search(self._stages, frame, submissions, places)
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
_COMPARING: Final = {"postings": 1, "ties": 2, "features": 3, "weights": 4, "meetings": 6}
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


class _Search:
    """Looks at the tokens of submissions where they are."""

    def __init__(
        self,
        stages: Stages,
        frame: DataFrame,
        submissions: Sequence[TokenizedSubmission],
        places: NDArray[np.int64] | None,
    ) -> None:
        self.outline: Outline = outline_of(submissions)
        self._stages, self._frame, self._submissions = stages, frame, submissions
        current = sum(role is Role.CURRENT for role in self.outline.roles)
        blocks = Blocks.of(len(submissions))
        self._numbering = Numbering(places, len(submissions), current, blocks)

    def candidates(self, most: int | None, each: int) -> Candidates:
        """Find the pairs that share the most fingerprints."""
        common = find_common(self._stages, self._frame, self._numbering, self._submissions)
        pairs, unused = find_candidates(
            self._stages, self._frame, self._numbering, self.outline.owners, (most, each)
        )
        return Candidates(pairs, common, unused)

    def scores(
        self, pairs: NDArray[np.int64], populations: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Score distinct pairs."""
        return scores_of(self._stages, self._frame, self._numbering, pairs, populations)

    def frequencies(
        self, pairs: NDArray[np.int64], rewritten: Sequence[TokenizedSubmission]
    ) -> DocumentFrequencies:
        """Count the traces and words of pairs that are shown."""
        codes = sorted({code for each in rewritten for code in rewritten_codes(each)})
        shown = self._shown(pairs, Detail.MATCHES)
        return frequencies_for(self._stages, self._frame, shown, np.array(codes, np.uint64))

    def matches(
        self, pairs: NDArray[np.int64], detail: Detail, frequencies: DocumentFrequencies | None
    ) -> list[Found]:
        """Find what pairs that are shown share."""
        return matches_of(self._stages, self._frame, self._shown(pairs, detail), frequencies)

    def _shown(self, pairs: NDArray[np.int64], detail: Detail) -> Shown:
        self._stages.depend_on(shown=sha256(pairs.tobytes()).hexdigest(), detail=detail.name)
        return Shown(self._numbering, pairs, detail)
