"""Parallel processes: how they are started, and how they share tasks."""

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from multiprocessing.context import BaseContext
from threading import Thread, current_thread, main_thread
from typing import Any, Final, TypeVar

from mosslite.options import Options

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

# Number of tasks for which another process pays off, if each takes a hundredth of a second.
_WORTH_A_PROCESS: Final = 5

# Garbage collection threshold in a worker.
_OBJECTS: Final = 50_000

Task = Callable[[], Result]
"""Deterministic task for any process."""

_OnProgress = Callable[[int], None]

# The tasks of a worker, which are inherited by the fork, as only results can be pickled.
_INHERITED: Final = list[Task[Any]]()


def do_all(
    tasks: Sequence[Task[Result]], *, processes: int, on_progress: _OnProgress
) -> list[Result]:
    """Run independent tasks, and return their results in order.

    If a task fails or its worker dies, this process runs it and those not done yet, so that errors
    are raised here. ``on_progress`` is called with the number of tasks done.
    """
    count = min(processes, 1 + len(tasks) // _WORTH_A_PROCESS)
    found = _done_by_workers(tasks, count, on_progress) if count > 1 and _forks() else {}
    for number, task in enumerate(tasks):
        if number not in found:
            found[number] = task()
            on_progress(len(found))
    return [found[number] for number in range(len(tasks))]


def blocks(count: int, size: int) -> list[range]:
    """Split the numbers from 1 to ``count`` into ranges of ``size``."""
    return [range(first, min(first + size, count + 1)) for first in range(1, count + 1, size)]


def _done_by_workers(
    tasks: Sequence[Task[Result]], count: int, on_progress: _OnProgress
) -> dict[int, Result]:
    """Run tasks in forked workers until one fails, and return the results so far.

    Existing objects are exempt from garbage collection, which would write to all of their pages and
    so cause them to be copied.
    """
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, context(), _prepare, (tasks,))
    futures = list[Future[Result]]()
    gc.freeze()
    try:
        with interrupts_held(), suppress(OSError, BrokenExecutor):  # resources are exhausted
            for number in range(len(tasks)):
                futures.append(pool.submit(_run, number))
        for done, future in enumerate(as_completed(futures), 1):
            if future.exception():
                break
            on_progress(done)
        finished = [(number, each) for number, each in enumerate(futures) if each.done()]
        return {number: each.result() for number, each in finished if not each.exception()}
    finally:
        with interrupts_held():
            for worker in set(multiprocessing.active_children()) - before:
                worker.kill()
            pool.shutdown(cancel_futures=True)
            gc.unfreeze()


def _prepare(tasks: Sequence[Task[Any]]) -> None:
    gc.set_threshold(_OBJECTS)
    hear_the_end()
    _INHERITED[:] = tasks
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(number: int) -> Any:  # noqa: ANN401 - whatever the task returns
    return _INHERITED[number]()
