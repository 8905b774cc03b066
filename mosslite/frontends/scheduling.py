"""Reads all texts: from the cache, or in worker processes, within time limits.

Texts are read in batches within the time that is usual for their length. Those of a batch that
takes longer are read again, each alone and within the time limit of a file; the plain tokenizer
reads those that exceed that, too. A submission of which three batches or files fail is not tried
further, so that hostile texts cost a bounded time, however many there are.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from itertools import chain, count
from threading import Thread
from typing import Any, Final, NamedTuple, cast

import numpy as np
from pebble import ProcessExpired, ProcessPool

from mosslite.cache import NOT_PACKED, Cache, key_of, pack, unpack
from mosslite.errors import WorkerError
from mosslite.frontends import Reading, TooSlowError, degraded, tokenize_all
from mosslite.languages import Language
from mosslite.options import Options
from mosslite.parallel import context, hear_the_end, interrupts_held, processes_for, safe_path
from mosslite.ranges import chunks

Source = tuple[str, Language]
"""A text, and what to read it as."""

Load = Sequence[Source]
"""Texts of one language that are read together."""

Made = Reading | bytes
"""What comes of a text; a worker sends a reading packed, unless the plain tokenizer was used."""

_Read = tuple[Source, Made]

# Number of characters for which another worker saves more than its start costs.
_WORTH_A_WORKER: Final = 25_000

# Approximate number of characters per batch: a short text alone takes several times as long.
_TOGETHER: Final = 60_000

# Minimum number of batches, so that workers finish at about the same time; independent of the
# number of workers, as the texts of a batch share a time limit.
_LEAST_LOADS: Final = 16

# Maximum CPU seconds of ordinary texts on any machine: a constant, and a time per character.
_SECONDS_PER_LOAD: Final = 0.5
_PER_CHARACTER: Final = 1e-5

# Batches or files of a submission that may fail before the rest of it is not tried any more.
_MOST_FAILURES: Final = 3


def usual_seconds(load: Load) -> float:
    """Return the maximum CPU seconds that front-ends need for ordinary texts."""
    return _SECONDS_PER_LOAD + _PER_CHARACTER * sum(len(text) for text, _ in load)


class Task(NamedTuple):
    """Texts to read together, within a number of CPU seconds."""

    number: int
    load: Load
    seconds: float


Outcome = Sequence[Made] | None
"""A reading for each text of a task; None if it took too long or its process died."""

_Do = Callable[[Iterable[Task]], Iterator[tuple[Task, Outcome]]]


def _read_each(owners: Mapping[Source, Collection[int]], options: Options) -> Generator[_Read]:
    """Read distinct texts, and yield each as soon as its outcome is final.

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
        yield from read_within(do, list(_loads(list(owners), together)), owners, options.seconds)


def read_within(
    do: _Do, loads: Sequence[Load], owners: Mapping[Source, Collection[int]], seconds: float
) -> Iterator[_Read]:
    """Read the texts of batches; the result does not depend on the order in which tasks are done.

    Args:
        do: Does tasks, and yields each with its outcome.
        loads: The batches.
        owners: The submissions that contain each text.
        seconds: Time limit of a text.
    """
    slow = yield from _tried(do, loads, owners, lambda load: min(seconds, usual_seconds(load)))
    failed = yield from _tried(do, [[source] for source in slow], owners, lambda _: seconds)
    for source in failed:
        yield source, degraded(source[0])


def _tried(
    do: _Do,
    loads: Sequence[Load],
    owners: Mapping[Source, Collection[int]],
    seconds: Callable[[Load], float],
) -> Generator[_Read, None, list[Source]]:
    """Read batches, and return the texts of those that failed.

    A batch is left out if all submissions in it have failed too often; it is never read in part,
    and failures count in the order of the batches, not in that of their completion. So the result
    does not depend on how many tasks were sent ahead.
    """
    failures, failed = Counter[int](), list[Source]()
    ended = Counter[int]()  # the same, also of tasks that ended before their turn

    def is_tried(load: Load, failures: Counter[int]) -> bool:
        few = (failures[owner] < _MOST_FAILURES for source in load for owner in owners[source])
        return any(source[1].is_prose for source in load) or any(few)  # prose needs no lexer

    def tasks() -> Iterator[Task]:
        for number, load in enumerate(loads):
            left = load if is_tried(load, ended) else []
            yield Task(number, left, seconds(left))

    done, at = dict[int, tuple[Task, Outcome]](), 0
    for each in do(tasks()):
        done[each[0].number] = each
        if each[1] is None:
            ended.update({owner for source in each[0].load for owner in owners[source]})
        while at in done:
            task, made = done.pop(at)
            if made is None or not is_tried(loads[at], failures):
                failed += loads[at]
            else:
                yield from zip(loads[at], made, strict=True)
            if made is None:
                failures.update({owner for source in task.load for owner in owners[source]})
            at += 1
    return failed


def done_here(task: Task) -> list[Reading] | None:
    """Do a task in this process."""
    try:
        return tokenize_all(task.load, task.seconds)
    except TooSlowError:
        return None


def _here(tasks: Iterable[Task]) -> Iterator[tuple[Task, Outcome]]:
    return ((task, done_here(task)) for task in tasks)


# --- worker processes ----------------------------------------------------------------------------

# Garbage collection threshold in a worker: more objects than almost any file has tokens.
_OBJECTS: Final = 200_000

# Seconds of tasks that are sent ahead to each worker: enough that none idles, and few that are done
# in vain once a submission has failed.
_AHEAD: Final = 3.0

# A worker stops by itself after a number of CPU seconds. One that does not is killed after so many
# times as much time on the clock, and some seconds; on Windows, the clock alone is there.
_PATIENCE: Final = 1 if sys.platform == "win32" else 20
_ALLOWANCE: Final = 2.0

# Seconds after all limits without any file read: a killed worker has left a lock locked.
_STALL: Final = 10.0

# Seconds for a first worker to start on any machine.
_START: Final = 60.0


@contextmanager
def _workers(count: int) -> Iterator[_Do]:
    """Start worker processes, for as long as the block runs."""
    workers = _Workers(count)
    with safe_path():
        try:
            workers.start()
            yield workers.do
        finally:
            workers.stop()


class _Workers:
    """Processes that run one task each at a time; one that dies or is stopped is replaced."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool = self._new_pool()

    def start(self) -> None:
        """Start the processes.

        Raises:
            WorkerError: They die before receiving a task.
        """
        try:
            with interrupts_held(), _system_errors_as_ours():
                probe = self._pool.schedule(int)
            probe.result(_START)
        except (BrokenProcessPool, ProcessExpired, TimeoutError) as error:
            raise WorkerError(
                "a worker process died: in a Python program start under if __name__ "
                "== '__main__', or give Options(uses_workers=False) to do without"
            ) from error

    def stop(self) -> None:
        """Stop the processes without waiting, which can take a tenth of a second."""
        self._pool.stop()  # type: ignore[no-untyped-call]
        with interrupts_held():
            Thread(target=self._pool.join).start()

    def do(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Outcome]]:
        """Run tasks, fetched as workers become free, and yield the outcome of each.

        If the pool breaks, its tasks are sent once more to a new one.
        """
        left, again = iter(tasks), set[int]()
        running: dict[Future[Outcome], Task] = {}
        while True:
            ahead = sum(task.seconds for task in running.values())
            while len(running) < self._count or ahead < self._count * _AHEAD:
                task = next(left, None)
                if task is None:
                    break
                running[self._send(task)] = task
                ahead += task.seconds
            if not running:
                return
            slowest = max(_most_seconds(task) for task in running.values())
            done = wait(running, slowest + _STALL, FIRST_COMPLETED).done
            if not done or any(isinstance(each.exception(), BrokenProcessPool) for each in done):
                yield from ((task, None) for task in running.values() if task.number in again)
                sent = [task for task in running.values() if task.number not in again]
                again.update(task.number for task in sent)
                left, running = chain(sent, left), {}
                self.stop()
                self._pool = self._new_pool()
                self.start()
                continue
            for future in done:
                yield running.pop(future), _outcome_of(future)

    def _send(self, task: Task) -> Future[Outcome]:
        try:
            return self._pool.schedule(_done, (task,), timeout=_most_seconds(task))
        except RuntimeError as error:  # the pool broke after the last check
            unsent = Future[Outcome]()
            unsent.set_exception(BrokenProcessPool(str(error)))
            return unsent

    def _new_pool(self) -> ProcessPool:
        with _system_errors_as_ours():
            return ProcessPool(self._count, initializer=_prepare, context=cast("Any", context()))


def _most_seconds(task: Task) -> float:
    """Return the seconds on the clock after which the process of a task is killed."""
    return _PATIENCE * task.seconds + _ALLOWANCE


@contextmanager
def _system_errors_as_ours() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WorkerError(
            "cannot start worker processes: %(reason)s: use fewer with -j", error
        ) from error


def _outcome_of(future: Future[Outcome]) -> Outcome:
    with suppress(MemoryError, ProcessExpired, TimeoutError):
        return future.result()
    return None


def _done(task: Task) -> Outcome:
    made = done_here(task)
    return made and [reading if reading.is_degraded else pack(reading) for reading in made]


def _prepare() -> None:
    """Make signals end a worker at once, and collect garbage only between files."""
    gc.freeze()
    gc.set_threshold(_OBJECTS)
    hear_the_end()
    if sys.platform != "win32":
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)  # a forked worker inherits handlers


# --- all texts of a run --------------------------------------------------------------------------


def _loads(sources: Sequence[Source], together: int) -> list[Load]:
    """Batch short texts of a language, up to about ``together`` characters, by their first text."""
    by_language = defaultdict[Language, list[int]](list)
    for number, (_, language) in enumerate(sources):
        by_language[language].append(number)
    loads = list[list[int]]()
    for numbers in by_language.values():
        sizes = np.array([len(sources[number][0]) for number in numbers], np.int64)
        loads += [numbers[block] for block in chunks(sizes, together)]
    return [[sources[number] for number in numbers] for numbers in sorted(loads)]


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

    Yields:
        Readings in the order of ``sources``, independent of the workers, each soon after
        it is made.

    Raises:
        WorkerError: Workers are requested and cannot be started.
    """
    copies = defaultdict[Source, list[int]](list)
    for source, owner in zip(sources, count() if owners is None else owners, strict=False):
        copies[source].append(owner)
    with _opened_cache(options) as cache:
        keys = {source: key_of(*source) if cache else None for source in copies}
        cached = {source for source in copies if _find(cache, keys[source])}
        left = {source: {*of} for source, of in copies.items() if source not in cached}
        done = len(sources) - sum(len(copies[source]) for source in left)
        if done:
            on_progress(done)
        made, uses = dict[Source, Made](), Counter(sources)
        with closing(_read_each(left, options)) as found:
            for source in sources:
                while source in left and source not in made:
                    new, made[new] = next(found)
                    _remember(cache, keys[new], made[new])
                    for _ in copies[new]:
                        done += 1
                        on_progress(done)
                    if done == len(sources):
                        found.close()  # which stops the workers
                packed = made.pop(source, None) or _find(cache, keys[source])
                reading = _unpacked(source, packed, options)
                uses[source] -= 1
                if uses[source]:
                    made[source] = reading
                yield reading


def _unpacked(source: Source, made: Made, options: Options) -> Reading:
    """Return a reading; a text is read again if the cache holds something else, or no more."""
    try:
        return unpack(made) if isinstance(made, bytes) else made
    except NOT_PACKED:
        [(_, again)] = _read_each({source: [0]}, replace(options, uses_workers=False))
        return unpack(again) if isinstance(again, bytes) else again


def _find(cache: Cache | None, key: bytes | None) -> bytes:
    return b"" if cache is None or key is None else cache.find(key)


def _opened_cache(options: Options) -> AbstractContextManager[Cache | None]:
    return Cache() if options.uses_cache else nullcontext()


def _remember(cache: Cache | None, key: bytes | None, made: Made) -> None:
    """Cache the reading of a text, except one by the plain tokenizer for a failed lexer."""
    if cache is None or key is None:
        return
    if isinstance(made, bytes):
        cache.add(key, made)
    elif not made.is_degraded:
        cache.add(key, pack(made))
