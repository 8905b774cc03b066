"""Worker processes that read texts: one that hangs or dies is replaced, and nothing else ends."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from threading import Thread
from typing import TYPE_CHECKING

from pebble import ProcessExpired, ProcessPool

from mosslite.cache import Contents, pack
from mosslite.errors import WorkerError, reason_of
from mosslite.frontends import Reading, degraded, tokenize_all
from mosslite.languages import Language
from mosslite.processes import context, hear_the_end, interrupts_held

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

__all__ = ["Load", "Made", "Source", "Workers", "contents_of"]

# Seconds that several texts together may take before each is tried by itself.
_QUICK = 1.0

# New objects after which a worker looks for garbage: more than nearly any file has tokens.
_OBJECTS = 200_000

# Loads sent ahead for each worker: enough that none waits for the next, and few to send again.
_AHEAD = 3

# Seconds beyond the lexer's, and for each character, for what else there is to do with a text.
_ALLOWANCE = 1.0
_ALLOWANCE_PER_CHARACTER = 4e-6

# So many times as long may pass on a busy machine, where a clock counts what a worker computes.
_PATIENCE = 1 if sys.platform == "win32" else 10

# Seconds beyond all these without a file read: a worker was killed with a lock in its hands.
_STALL = 10.0

# Seconds for a first worker to start, on whatever machine.
_START = 60.0

Source = tuple[str, Language]
"""A text, and what to read it as."""

Load = Sequence[Source]
"""Texts of one language that a worker reads together."""

Made = Reading | bytes
"""What comes of a text; a worker sends a reading packed, unless a plain tokenizer stood in."""


class Workers:
    """Processes that read one load each at a time; one that dies or is stopped is replaced."""

    def __init__(self, count: int, seconds: float) -> None:
        self._count = count
        self._seconds = seconds
        self._pool = self._new_pool()

    def start(self) -> None:
        """Start the processes.

        Raises:
            WorkerError: They die before they are given anything to read.
        """
        try:
            with interrupts_held(), _system_errors_as_ours():
                probe = self._pool.schedule(int)
            probe.result(_START)
        except (BrokenProcessPool, ProcessExpired, TimeoutError) as error:
            msg = (
                "a worker process died: in a Python program start under "
                "if __name__ == '__main__', or give Options(uses_workers=False) to do without"
            )
            raise WorkerError(msg) from error

    def stop(self) -> None:
        """Stop the processes, and go on meanwhile: the pool may take a tenth of a second."""
        self._pool.stop()  # type: ignore[no-untyped-call]
        with interrupts_held():
            Thread(target=self._pool.join).start()

    def read(self, loads: Iterable[Load]) -> Generator[tuple[Source, Made], None, list[Source]]:
        """Read texts, and return those that were lost with a worker, or with all workers."""
        left, lost = iter(loads), list[Source]()
        running: dict[Future[list[Made]], Load] = {}
        while running := running | self._sent(islice(left, self._count * _AHEAD - len(running))):
            slowest = max(map(self._patience_with, running.values()))
            done = wait(running, slowest + _STALL, FIRST_COMPLETED).done
            if not done or any(isinstance(each.exception(), BrokenProcessPool) for each in done):
                lost += chain.from_iterable(running.values())
                running = {}
                self._start_anew()
                continue
            for future in done:
                load, error = running.pop(future), future.exception()
                if isinstance(error, (MemoryError, ProcessExpired)):
                    lost += load
                elif isinstance(error, TimeoutError) and len(load) > 1:
                    left = chain(([source] for source in load), left)
                else:
                    yield from zip(load, _made_by(future, load), strict=True)
        return lost

    def _sent(self, loads: Iterable[Load]) -> dict[Future[list[Made]], Load]:
        return {self._send(load): load for load in loads}

    def _send(self, load: Load) -> Future[list[Made]]:
        limit = self._limit_of(load)
        try:
            return self._pool.schedule(
                _read, (load, self._seconds, limit), timeout=self._patience_with(load)
            )
        except RuntimeError as error:  # the pool has broken since it was last looked at
            unsent = Future[list[Made]]()
            unsent.set_exception(BrokenProcessPool(str(error)))
            return unsent

    def _limit_of(self, load: Load) -> float:
        """Give the seconds of computing for a load; several texts that take long are read alone."""
        characters = sum(len(text) for text, _ in load)
        seconds = self._seconds if len(load) == 1 else min(self._seconds, _QUICK)
        return seconds + _ALLOWANCE + _ALLOWANCE_PER_CHARACTER * characters

    def _patience_with(self, load: Load) -> float:
        """Give the seconds that may pass over a load; several texts are just read alone."""
        return self._limit_of(load) * (_PATIENCE if len(load) == 1 else 1)

    def _start_anew(self) -> None:
        self.stop()
        self._pool = self._new_pool()
        self.start()

    def _new_pool(self) -> ProcessPool:
        with _system_errors_as_ours():
            return ProcessPool(self._count, initializer=_prepare, context=context())


def contents_of(reading: Reading) -> Contents:
    """Give what is packed of a reading."""
    return Contents(reading.stream, reading.traces, reading.disguises, reading.colours)


@contextmanager
def _system_errors_as_ours() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        msg = f"cannot start worker processes: {reason_of(error)}: give fewer with -j"
        raise WorkerError(msg) from error


def _made_by(future: Future[list[Made]], load: Load) -> list[Made]:
    try:
        return future.result()
    except TimeoutError:
        return [degraded(text) for text, _ in load]


def _read(load: Load, seconds: float, limit: float) -> list[Made]:
    """Read texts in a worker, which ends itself where nobody is left to stop it.

    It does so by the time that it computes: the other alarm clock is for the front-ends.
    """
    if sys.platform == "win32":
        return _all_read(load, seconds)
    signal.setitimer(signal.ITIMER_PROF, limit + _ALLOWANCE)
    try:
        return _all_read(load, seconds)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _all_read(load: Load, seconds: float) -> list[Made]:
    return list(map(_to_send, tokenize_all(load, seconds)))


def _to_send(reading: Reading) -> Made:
    return reading if reading.is_degraded else pack(contents_of(reading))


def _prepare() -> None:
    """Let signals end a worker at once, and let it look for garbage between files, not tokens."""
    gc.freeze()
    gc.set_threshold(_OBJECTS)
    hear_the_end()
    if sys.platform != "win32":
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)  # a forked worker has its parent's handlers
