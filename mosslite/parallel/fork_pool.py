"""Does a pile of tasks on all processors: in this process, and in copies of it that it forks."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final, TypeVar

from mosslite.parallel.starting import forks, hear_the_end, interrupts_held

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    _Copy = tuple[BaseProcess, Connection]

__all__ = ["Task", "blocks", "do_all"]

Result = TypeVar("Result")

# Tasks for which a copy saves more than it costs to make it, if each takes a hundredth of a second.
_WORTH_A_COPY: Final = 5

# Numbers of so many tasks of each of two kinds fit into any pipe.
_MOST_BLOCKS: Final = 900
_BYTES_OF_A_NUMBER: Final = 2

# New objects after which a copy looks for garbage.
_OBJECTS: Final = 50_000

Task = Callable[[], Result]
"""What gives a result or writes files of its own, and the same whichever process does it."""

_Told = Callable[[int], None]


def do_all(tasks: Sequence[Task[Result]], *, processes: int, told: _Told) -> list[Result]:
    """Do tasks, none of which needs what another has done, and give their results in order.

    Where a copy dies all tasks are done again here, so that an error is one of this process.

    Args:
        tasks: Two kinds at most of as many as there are ``blocks``, and a few more.
        processes: How many there may be, this one among them.
        told: Is given how many tasks are begun or done.

    Raises:
        Exception: Whatever a task raises.
    """
    copies = min(processes - 1, len(tasks) // _WORTH_A_COPY) if forks() else 0
    if copies > 0:
        found = _done_with_copies(tasks, copies, told)
        if len(found) == len(tasks):
            told(len(tasks))
            return [found[number] for number in range(len(tasks))]
    results = []
    for done, task in enumerate(tasks, 1):
        results.append(task())
        told(done)
    return results


def blocks(count: int, size: int) -> list[range]:
    """Cut the numbers from 1 to ``count`` into ranges of ``size``, or longer ones if too many."""
    step = max(size, -(-count // _MOST_BLOCKS))
    return [range(first, min(first + step, count + 1)) for first in range(1, count + 1, step)]


def _done_with_copies(tasks: Sequence[Task[Result]], count: int, told: _Told) -> dict[int, Result]:
    """Do tasks with so many copies to help; where one of these dies, results are missing."""
    with _pile(len(tasks)) as pile, _copies(tasks, pile, count) as copies:
        results = _worked_off(tasks, pile, told)
        for _, sent in copies:
            with suppress(EOFError, OSError):  # it died, and maybe as it sent
                results |= sent.recv()
        return results


@contextmanager
def _pile(count: int) -> Iterator[int]:
    """Return a pipe that holds each number below ``count``, for one process or another to read."""
    pile, writer = os.pipe()
    try:
        os.write(writer, b"".join(n.to_bytes(_BYTES_OF_A_NUMBER) for n in range(count)))
        os.close(writer)
        yield pile
    finally:
        os.close(pile)


def _worked_off(tasks: Sequence[Task[Result]], pile: int, told: _Told) -> dict[int, Result]:
    results = {}
    while taken := os.read(pile, _BYTES_OF_A_NUMBER):
        number = int.from_bytes(taken)
        results[number] = tasks[number]()
        told(number + 1)
    return results


@contextmanager
def _copies(tasks: Sequence[Task[Result]], pile: int, count: int) -> Iterator[list[_Copy]]:
    """Return copies of this process that work on a pile, as long as the block runs.

    What there is by now is kept from the search for garbage, which would write to all of it and
    so have all of it copied.
    """
    copies: list[_Copy] = []
    gc.freeze()
    try:
        with interrupts_held(), suppress(OSError):  # no room for more processes
            copies.extend(_copy(tasks, pile) for _ in range(count))
        yield copies
    finally:
        try:
            _end(copies)
        finally:  # an interrupt may have come between
            _end(copies)
            gc.unfreeze()


def _end(copies: Sequence[_Copy]) -> None:
    for copy, sent in copies:
        sent.close()
        copy.kill()
        copy.join()


def _copy(tasks: Sequence[Task[Result]], pile: int) -> _Copy:
    forking = get_context("fork")
    sent, out = forking.Pipe(duplex=False)
    copy = forking.Process(target=_help, args=(tasks, pile, sent, out, os.getpid()), daemon=True)
    copy.start()
    out.close()
    return copy, sent


def _help(
    tasks: Sequence[Task[Result]], pile: int, sent: Connection, out: Connection, parent: int
) -> None:
    """Work on a pile in a copy, which prints nothing and ends at once where it is orphaned."""

    def told(_: int) -> None:
        if os.getppid() != parent:
            os._exit(1)

    try:
        sent.close()  # else whoever writes to a parent that has died would wait for ever
        gc.set_threshold(_OBJECTS)
        hear_the_end()
        out.send(_worked_off(tasks, pile, told))
    finally:
        os._exit(0)
