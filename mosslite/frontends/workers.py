"""Worker processes that read texts within time limits; one that hangs or dies is replaced."""

import gc
import signal
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from threading import Thread
from typing import Any, Final, NamedTuple, cast

from pebble import ProcessExpired, ProcessPool

from mosslite.cache import Contents, pack
from mosslite.errors import WorkerError
from mosslite.frontends import Reading, TooSlowError, degraded, timed, tokenize_all
from mosslite.languages import Language
from mosslite.parallel import context, hear_the_end, interrupts_held

Source = tuple[str, Language]
"""A text, and what to read it as."""

Load = Sequence[Source]
"""Texts of one language that are read together."""

# Maximum time for ordinary texts on any machine: a constant, and a time per character.
_SECONDS_PER_LOAD: Final = 0.25
_PER_CHARACTER: Final = 4e-6

# Time that a submission may take beyond the usual, as a multiple of the limit of a file.
_FILES: Final = 2


def usual_seconds(load: Load) -> float:
    """Return the maximum CPU seconds that front-ends need for ordinary texts."""
    return _SECONDS_PER_LOAD + _PER_CHARACTER * sum(len(text) for text, _ in load)


class Budgets:
    """The time left to each submission beyond what is usual for its texts.

    Ordinary texts are never charged, so the result does not depend on the machine. If several
    submissions contain a text, it is read as long as one of them has time left.
    """

    def __init__(self, owners: Mapping[Source, Collection[int]], seconds: float) -> None:
        self._owners = owners
        self._most = _FILES * seconds
        self._used = defaultdict[int, float](float)

    def allow(self, source: Source, seconds: float = 0) -> bool:
        """Return whether the budget allows these seconds for a text; prose needs no lexer."""
        most = self._most - seconds
        return source[1].is_prose or any(
            self._used[owner] <= most for owner in self._owners[source]
        )

    def first_owner(self, source: Source) -> int:
        """Return the first of the submissions that contain the text."""
        return min(self._owners[source])

    def charge(self, load: Load, seconds: float) -> None:
        """Charge time to the submissions that contain the texts, in proportion to their length."""
        size = sum(len(text) for text, _ in load)
        for source in load if seconds > 0 and size else ():
            for owner in self._owners[source]:
                self._used[owner] += seconds * len(source[0]) / size


# Garbage collection threshold in a worker: more objects than almost any file has tokens.
_OBJECTS = 200_000

# Tasks sent ahead to each worker: enough that none idles, and few to send again after a death.
_AHEAD = 3

# Extra seconds per task for everything besides front-ends.
_ALLOWANCE = 1.0

# Factor by which wall time may exceed CPU time, on systems that can only measure wall time.
_PATIENCE = 1 if sys.platform == "win32" else 10

# Seconds after all limits without any file read: a killed worker has left a lock locked.
_STALL = 10.0

# Seconds for a first worker to start on any machine.
_START = 60.0

Made = Reading | bytes
"""What comes of a text; a worker sends a reading packed, unless a plain tokenizer stood in."""


class Task(NamedTuple):
    """Texts to read together.

    Attributes:
        number: Unique number of the task.
        seconds: Time limit of the lexer for all texts; 0 selects the plain tokenizer.
    """

    number: int
    load: Load
    seconds: float

    @property
    def most_seconds(self) -> float:
        """CPU seconds after which the process is killed."""
        return 2 * self.seconds + usual_seconds(self.load) + _ALLOWANCE


class Outcome(NamedTuple):
    """The outcome of a task.

    Attributes:
        made: A reading for each text; None if it took too long or its process died.
        seconds: CPU seconds used; 0 if the process died.
        is_lost: The process died, possibly for another reason.
    """

    made: Sequence[Made] | None
    seconds: float
    is_lost: bool = False


_LOST = Outcome(None, 0.0, is_lost=True)


class Workers:
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
        """Run tasks, fetched as workers become free, and yield the outcome of each."""
        left = iter(tasks)
        running: dict[Future[Outcome], Task] = {}
        while running := running | self._sent(islice(left, self._count * _AHEAD - len(running))):
            slowest = _PATIENCE * max(task.most_seconds for task in running.values())
            done = wait(running, slowest + _STALL, FIRST_COMPLETED).done
            if not done or any(isinstance(each.exception(), BrokenProcessPool) for each in done):
                self._start_anew()
                yield from ((task, _LOST) for task in running.values())
                running = {}
            for future in done & running.keys():
                task = running.pop(future)
                yield task, _outcome_of(future, task)

    def _sent(self, tasks: Iterable[Task]) -> dict[Future[Outcome], Task]:
        return {self._send(task): task for task in tasks}

    def _send(self, task: Task) -> Future[Outcome]:
        try:
            return self._pool.schedule(_done, (task,), timeout=_PATIENCE * task.most_seconds)
        except RuntimeError as error:  # the pool broke after the last check
            unsent = Future[Outcome]()
            unsent.set_exception(BrokenProcessPool(str(error)))
            return unsent

    def _start_anew(self) -> None:
        self.stop()
        self._pool = self._new_pool()
        self.start()

    def _new_pool(self) -> ProcessPool:
        with _system_errors_as_ours():
            return ProcessPool(self._count, initializer=_prepare, context=cast("Any", context()))


def contents_of(reading: Reading) -> Contents:
    """Return the packed form of a reading."""
    return Contents(reading.stream, reading.traces, reading.disguises, reading.colours)


@contextmanager
def _system_errors_as_ours() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WorkerError(
            "cannot start worker processes: %(reason)s: use fewer with -j", error
        ) from error


def _outcome_of(future: Future[Outcome], task: Task) -> Outcome:
    try:
        return future.result()
    except (MemoryError, ProcessExpired):
        return _LOST
    except TimeoutError:
        return Outcome(None, task.most_seconds)


def _done(task: Task) -> Outcome:
    """Run a task in a worker, which exits if its parent has died.

    The exit uses the CPU-time limit, as the alarm timer is needed by the front-ends.
    """
    with _ended_after(task.most_seconds + _ALLOWANCE):
        return _packed(done_here(task))


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """Kill this process by signal after a number of CPU seconds; no effect on Windows."""
    if sys.platform == "win32":
        yield
    else:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def done_here(task: Task) -> Outcome:
    """Run a task in this process."""
    return Outcome(*timed(lambda: _made_of(task)))


def _made_of(task: Task) -> Sequence[Made] | None:
    if not task.seconds:
        return [degraded(text) for text, _ in task.load]
    try:
        return tokenize_all(task.load, task.seconds)
    except TooSlowError:
        return None


def _packed(outcome: Outcome) -> Outcome:
    return outcome._replace(made=outcome.made and list(map(_to_send, outcome.made)))


def _to_send(made: Made) -> Made:
    if isinstance(made, Reading) and not made.is_degraded:
        return pack(contents_of(made))
    return made


def _prepare() -> None:
    """Make signals end a worker at once, and collect garbage only between files."""
    gc.freeze()
    gc.set_threshold(_OBJECTS)
    hear_the_end()
    if sys.platform != "win32":
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)  # a forked worker inherits handlers
