"""Parallel processes: how they are started, and how they share a queue of tasks."""

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from threading import current_thread, main_thread
from typing import Any, Final, TypeVar, cast

from mosslite.options import Options

_Copy = tuple[BaseProcess, Connection]

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)

# Environment variable that keeps the current folder off the path of a new interpreter.
_SAFE_PATH: Final = "PYTHONSAFEPATH"


def context() -> BaseContext:
    """Return the multiprocessing context: the program's own choice, else the fastest safe one.

    Forking takes milliseconds, a new interpreter a third of a second. Forking is safe although this
    process may have threads, as children need none of their locks: they compute, write their own
    files, and end by a signal. System libraries outside of Linux are not safe after a fork.
    """
    chosen = multiprocessing.get_start_method(allow_none=True)
    return multiprocessing.get_context(chosen or ("fork" if sys.platform == "linux" else None))


def _forks() -> bool:
    """Return whether this process may be forked."""
    is_allowed = not multiprocessing.current_process().daemon
    return is_allowed and context().get_start_method() == "fork"


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Defer signals until the end of the block; processes started in it receive none.

    Exceptions from signal handlers would be lost in hooks that Python runs around a fork. A mask
    blocks signals for this thread and for its children, but the system may deliver them to another
    thread of this process: so Python's handlers are deferred as well.
    """
    with _handlers_held():
        if sys.platform == "win32":
            yield
        else:
            before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
            try:
                yield
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def safe_path() -> Iterator[None]:
    """Prevent processes started in the block from importing modules of the current folder.

    ``multiprocessing`` starts new interpreters by ``python -c``, which searches that folder first.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_SAFE_PATH, None)
        else:
            os.environ[_SAFE_PATH] = before


def hear_the_end() -> None:
    """Unblock signals other than Ctrl-C, which were blocked when this process was started."""
    to_hear = set(_SIGNALS) - {signal.SIGINT}
    for number in to_hear:
        if signal.getsignal(number) is not signal.SIG_IGN or number == signal.SIGTERM:
            signal.signal(number, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, to_hear)


@contextmanager
def _handlers_held() -> Iterator[None]:
    """Defer Python's signal handlers until after the block; they only run in the main thread."""
    if current_thread() is not main_thread():
        yield
        return
    heard: list[int] = []
    held = {number: signal.getsignal(number) for number in _SIGNALS}
    held = {number: handler for number, handler in held.items() if callable(handler)}
    for number in held:
        signal.signal(number, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
        for number in heard:
            signal.raise_signal(number)


def processes_for(options: Options) -> int:
    """Return the maximum number of processes of a run, including this one."""
    return (options.jobs or _processors()) if options.uses_workers else 1


def _processors() -> int:
    """Return the number of processors available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


Result = TypeVar("Result")

# Number of tasks for which a fork pays off, if each takes a hundredth of a second.
_WORTH_A_COPY: Final = 5

# Maximum number of tasks of one kind, so that the numbers of two kinds fit into any pipe.
_MOST_BLOCKS: Final = 900
_BYTES_OF_A_NUMBER: Final = 2

# Garbage collection threshold in a forked process.
_OBJECTS: Final = 50_000

Task = Callable[[], Result]
"""Deterministic task for any process."""

_OnProgress = Callable[[int], None]


def do_all(
    tasks: Sequence[Task[Result]], *, processes: int, on_progress: _OnProgress
) -> list[Result]:
    """Run independent tasks, and return their results in order.

    If a forked process dies, all tasks are run again here, so that an error is raised here.

    Args:
        tasks: At most two kinds with as many as there are ``blocks``, and a few more.
        processes: Maximum number, including this one.
        on_progress: Called with the number of tasks started or done.

    Raises:
        Exception: Whatever a task raises.
    """
    copies = min(processes - 1, len(tasks) // _WORTH_A_COPY) if _forks() else 0
    if copies > 0:
        found = _done_by_forks(tasks, copies, on_progress)
        if len(found) == len(tasks):
            on_progress(len(tasks))
            return [found[number] for number in range(len(tasks))]
    results = []
    for done, task in enumerate(tasks, 1):
        results.append(task())
        on_progress(done)
    return results


def blocks(count: int, size: int) -> list[range]:
    """Split the numbers from 1 to ``count`` into ranges of ``size``, or longer ones if too many."""
    step = max(size, -(-count // _MOST_BLOCKS))
    return [range(first, min(first + step, count + 1)) for first in range(1, count + 1, step)]


def _done_by_forks(
    tasks: Sequence[Task[Result]], count: int, on_progress: _OnProgress
) -> dict[int, Result]:
    """Run tasks in forked workers; the results of a worker that dies are missing."""
    with _task_queue(len(tasks)) as queue, _forked_workers(tasks, queue, count) as copies:
        results = _worked_off(tasks, queue, on_progress)
        for _, sent in copies:
            with suppress(EOFError, OSError):  # it died, perhaps while sending
                results |= sent.recv()
        return results


@contextmanager
def _task_queue(count: int) -> Iterator[int]:
    """Return a pipe that contains each number below ``count``, each read by one process."""
    queue, writer = os.pipe()
    try:
        os.write(writer, b"".join(n.to_bytes(_BYTES_OF_A_NUMBER) for n in range(count)))
        os.close(writer)
        yield queue
    finally:
        os.close(queue)


def _worked_off(
    tasks: Sequence[Task[Result]], queue: int, on_progress: _OnProgress
) -> dict[int, Result]:
    results = {}
    while taken := os.read(queue, _BYTES_OF_A_NUMBER):
        number = int.from_bytes(taken)
        results[number] = tasks[number]()
        on_progress(number + 1)
    return results


@contextmanager
def _forked_workers(tasks: Sequence[Task[Result]], queue: int, count: int) -> Iterator[list[_Copy]]:
    """Fork workers that take tasks from a queue while the block runs.

    Existing objects are exempt from garbage collection, which would write to all of their pages and
    so cause them to be copied.
    """
    copies: list[_Copy] = []
    gc.freeze()
    try:
        with interrupts_held(), suppress(OSError):  # resources are exhausted
            copies.extend(_copy(tasks, queue) for _ in range(count))
        yield copies
    finally:
        try:
            _end(copies)
        finally:  # an interrupt may have come in between
            _end(copies)
            gc.unfreeze()


def _end(copies: Sequence[_Copy]) -> None:
    for copy, sent in copies:
        sent.close()
        copy.kill()
        copy.join()


def _copy(tasks: Sequence[Task[Result]], queue: int) -> _Copy:
    forking = cast("Any", get_context("fork"))  # not available on Windows
    sent, out = forking.Pipe(duplex=False)
    copy = forking.Process(target=_help, args=(tasks, queue, sent, out, os.getpid()), daemon=True)
    copy.start()
    out.close()
    return copy, sent


def _help(
    tasks: Sequence[Task[Result]], queue: int, sent: Connection, out: Connection, parent: int
) -> None:
    """Run tasks in a forked worker, which prints nothing and exits if its parent has died."""

    def on_progress(_: int) -> None:
        if os.getppid() != parent:
            os._exit(1)

    try:
        sent.close()  # otherwise writing to a dead parent would block forever
        gc.set_threshold(_OBJECTS)
        hear_the_end()
        out.send(_worked_off(tasks, queue, on_progress))
    finally:
        os._exit(0)
