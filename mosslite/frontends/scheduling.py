"""Schedules the reading of all texts: from the cache, in batches, within time budgets."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from mosslite.cache import NOT_PACKED, key_of, pack, unpack
from mosslite.frontends import Reading, degraded
from mosslite.frontends.workers import (
    Budgets,
    Load,
    Made,
    Outcome,
    Source,
    Task,
    Workers,
    contents_of,
    done_here,
    usual_seconds,
)
from mosslite.languages import Language
from mosslite.options import Options
from mosslite.parallel import processes_for, safe_path
from mosslite.ranges import chunks

if TYPE_CHECKING:
    from mosslite.cache.store import Cache

_Read = tuple[Source, Made]
_Do = Callable[[Iterable[Task]], Iterator[tuple[Task, Outcome]]]

# Number of characters for which another worker saves more than its start costs.
_WORTH_A_WORKER = 25_000

# Approximate number of characters per batch: a short text alone takes several times as long.
_TOGETHER = 60_000

# Minimum number of batches, so that workers finish at about the same time; independent of the
# number of workers, as the texts of a batch share a time limit.
_LEAST_LOADS = 16


def _read_each(owners: Mapping[Source, Collection[int]], options: Options) -> Generator[_Read]:
    """Read distinct texts, and yield each as soon as its outcome is final.

    First, all are tried within the time that is usual for their size, in batches and then each
    alone; then those that took longer, within the time limit of a file and as far as their
    submissions' budgets allow. The plain tokenizer reads the rest. The result does not depend on
    the order in which processes finish.

    Args:
        owners: Texts and their languages, with the numbers of the submissions that contain them.
        options: Number of workers, and time limit per text.

    Raises:
        WorkerError: Workers are requested and cannot be started.
    """
    size = sum(len(text) for text, _ in owners)
    count = min(processes_for(options), 1 + size // _WORTH_A_WORKER, len(owners))
    uses_workers = options.uses_workers and count > 0
    together = min(_TOGETHER, size // _LEAST_LOADS)
    with _workers(count) if uses_workers else nullcontext(_here) as do:
        reader = Reader(do, Budgets(owners, options.seconds), options.seconds)
        yield from reader.read(list(_loads(list(owners), together)))


def _here(tasks: Iterable[Task]) -> Iterator[tuple[Task, Outcome]]:
    """Run tasks in this process."""
    return ((task, done_here(task)) for task in tasks)


@contextmanager
def _workers(count: int) -> Iterator[_Do]:
    """Start worker processes, for as long as the block runs."""
    workers = Workers(count)
    with safe_path():
        try:
            workers.start()
            yield workers.do
        finally:
            workers.stop()


class Reader:
    """Reads texts within the budgets of their submissions."""

    def __init__(self, do: _Do, budgets: Budgets, seconds: float) -> None:
        self._do = do
        self._budgets = budgets
        self._seconds = seconds
        self._plain: list[Source] = []

    def read(self, loads: Sequence[Load]) -> Generator[_Read]:
        """Read all texts of some batches."""
        slow = yield from self._quickly(loads)
        alone = {load[0] for load in loads if len(load) == 1}
        # Most texts of a slow batch are fast on their own.
        again = [[source] for source in slow if source not in alone]
        slow = list(filter(alone.__contains__, slow)) + (yield from self._quickly(again))
        lost = yield from self._one_by_one(slow)
        for source in lost:
            yield from self._last_try(source)
        yield from self._plainly()

    def _quickly(self, loads: Sequence[Load]) -> Generator[_Read, None, list[Source]]:
        """Read batches within the usual time, and return the texts of those that took longer.

        Time is charged in the order of the batches, not that of their completion.
        """
        slow, done, at = list[Source](), dict[int, tuple[Task, Outcome]](), 0
        for task, outcome in self._do(self._quick_tasks(loads)):
            done[task.number] = task, outcome
            while at in done:
                slow += yield from self._accounted(loads[at], *done.pop(at))
                at += 1
        return slow

    def _quick_tasks(self, loads: Sequence[Load]) -> Iterator[Task]:
        for number, load in enumerate(loads):
            # A submission whose budget is spent by now has none when the batch is accounted for.
            allowed = list(filter(self._budgets.allow, load))
            yield Task(number, allowed, min(self._seconds, usual_seconds(allowed)))

    def _accounted(
        self, load: Load, task: Task, outcome: Outcome
    ) -> Generator[_Read, None, list[Source]]:
        """Yield the readings of a batch, and return the texts to retry with more time."""
        allowed = set(filter(self._budgets.allow, load))
        self._plain += [source for source in load if source not in allowed]
        left = [source for source in task.load if source in allowed]
        self._charge(task, outcome)
        if outcome.made is not None:
            made = zip(task.load, outcome.made, strict=True)
            yield from ((source, each) for source, each in made if source in allowed)
            return []
        if len(task.load) == 1 and task.seconds == self._seconds and not outcome.is_lost:
            self._plain += left
            return []
        return left

    def _charge(self, task: Task, outcome: Outcome) -> None:
        if outcome.made is not None:
            self._budgets.charge(task.load, outcome.seconds - usual_seconds(task.load))
        elif not outcome.is_lost:
            self._budgets.charge(task.load, task.seconds)

    def _one_by_one(self, slow: Sequence[Source]) -> Generator[_Read, None, list[Source]]:
        """Read texts, one per submission at a time, and return those whose process died."""
        queues, lost = self._queues(slow), list[Source]()
        while queues:
            tried = [queue.popleft() for queue in queues]
            allowed = [each for each in tried if self._budgets.allow(each, self._seconds)]
            self._plain += [each for each in tried if not self._budgets.allow(each, self._seconds)]
            tasks = (Task(at, [each], self._seconds) for at, each in enumerate(allowed))
            for task, outcome in sorted(self._do(tasks), key=lambda each: each[0].number):
                if outcome.is_lost:
                    lost += task.load
                else:
                    yield from self._accounted(task.load, task, outcome)
            queues = list(filter(None, queues))
        return lost

    def _queues(self, slow: Sequence[Source]) -> list[deque[Source]]:
        """Return a queue of texts for each submission."""
        queues = defaultdict[int, deque[Source]](deque)
        for source in slow:
            queues[self._budgets.first_owner(source)].append(source)
        return list(queues.values())

    def _last_try(self, source: Source) -> Generator[_Read]:
        """Retry a text alone: if its process dies again, it is marked degraded."""
        if not self._budgets.allow(source, self._seconds):
            self._plain.append(source)
            return
        task = Task(0, [source], self._seconds)
        for _, outcome in self._do([task]):
            if outcome.is_lost:
                self._budgets.charge(task.load, self._seconds)
                self._plain.append(source)
            else:
                yield from self._accounted(task.load, task, outcome)

    def _plainly(self) -> Generator[_Read]:
        """Read texts with the plain tokenizer because their lexers failed."""
        loads = enumerate(_loads(self._plain, _TOGETHER))
        for task, outcome in self._do(Task(number, load, 0) for number, load in loads):
            made = outcome.made or [degraded(text) for text, _ in task.load]
            yield from zip(task.load, made, strict=True)


def _loads(sources: Sequence[Source], together: int) -> Iterator[Load]:
    """Batch consecutive short texts of a language, up to about ``together`` characters."""
    by_language: dict[Language, list[Source]] = {}
    for source in sources:
        by_language.setdefault(source[1], []).append(source)
    for some in by_language.values():
        sizes = np.array([len(text) for text, _ in some], np.int64)
        for block in chunks(sizes, together):
            yield some[block]


def read_all(
    sources: Sequence[Source],
    options: Options,
    on_progress: Callable[[int], None],
    *,
    owners: Iterable[int] | None = None,
) -> Iterator[Reading]:
    """Read texts by language; equal texts are read once, and cached ones not at all.

    Args:
        sources: Texts and their languages.
        options: Cache, number of workers, and time limit per text.
        on_progress: Called with the number of texts read so far, once for all that are cached.
        owners: Number of the submission of each text; without this, each text is one of its own.

    Returns:
        Readings in the order of ``sources``, independent of the workers; most are packed until they
        are asked for.

    Raises:
        WorkerError: Workers are requested and cannot be started.
    """
    copies = defaultdict[Source, list[int]](list)
    for source, owner in zip(sources, count() if owners is None else owners, strict=False):
        copies[source].append(owner)
    with _opened_cache(options) as cache:
        keys = {} if cache is None else {source: key_of(*source) for source in copies}
        readings: dict[Source, Made] = {} if cache is None else {**_remembered(cache, keys)}
        done = sum(len(copies[source]) for source in readings)
        if done:
            on_progress(done)
        left = {source: {*of} for source, of in copies.items() if source not in readings}
        with closing(_read_each(left, options)) as found:
            for source, made in found:
                _remember(cache, keys.get(source), made)
                readings[source] = made
                for _ in copies[source]:
                    done += 1
                    on_progress(done)
    return _in_order(sources, readings)


def _in_order(sources: Sequence[Source], readings: dict[Source, Made]) -> Iterator[Reading]:
    """Yield the reading of each text, and release it after the last one that is equal."""
    left = Counter(sources)
    for source in sources:
        made = readings.pop(source)
        reading = _unpacked(made) if isinstance(made, bytes) else made
        left[source] -= 1
        if left[source]:
            readings[source] = reading
        yield reading


def _opened_cache(options: Options) -> AbstractContextManager[Cache | None]:
    if not options.uses_cache:
        return nullcontext()
    try:
        from mosslite.cache.store import Cache  # noqa: PLC0415 - it imports modules defined after this one
    except ImportError:  # Python built without SQLite
        return nullcontext()
    return Cache()


def _remembered(cache: Cache, keys: dict[Source, bytes | None]) -> dict[Source, Reading]:
    found = cache.find([key for key in keys.values() if key is not None])
    readings: dict[Source, Reading] = {}
    for source, key in keys.items():
        if key is not None and key in found:
            # Each packed form is released once unpacked, to halve peak memory.
            with suppress(*NOT_PACKED):
                readings[source] = _unpacked(found.pop(key))
    return readings


def _remember(cache: Cache | None, key: bytes | None, made: Made) -> None:
    """Cache the reading of a text, except one by the plain tokenizer for a failed lexer."""
    if cache is None or key is None:
        return
    if isinstance(made, bytes):
        cache.add(key, made)
    elif not made.is_degraded:
        cache.add(key, pack(contents_of(made)))


def _unpacked(packed: bytes) -> Reading:
    stream, traces, disguises, colours = unpack(packed)
    return Reading(stream, traces, is_degraded=False, disguises=disguises, colours=colours)
