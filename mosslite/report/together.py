"""Does a pile of tasks on all processors: in this process, and in copies of it that it forks."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final

from mosslite.processes import forks, interrupts_held

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.process import BaseProcess

__all__ = ["Task", "blocks", "do_all"]

# Tasks for which a copy saves more than it costs to make it, if each takes a hundredth of a second.
_WORTH_A_COPY: Final = 5

# Numbers of so many tasks of each of two kinds fit into any pipe.
_MOST_BLOCKS: Final = 900
_BYTES_OF_A_NUMBER: Final = 2

# New objects after which a copy looks for garbage.
_OBJECTS: Final = 50_000

Task = Callable[[], None]
"""What writes files of its own, and the same ones whichever process it is done in."""

_Told = Callable[[int], None]


def do_all(tasks: Sequence[Task], *, processes: int, told: _Told) -> None:
    """Do tasks, none of which needs what another has done.

    Where a copy dies all tasks are done again here, so that an error is one of this process.

    Args:
        tasks: Two kinds at most of as many as there are ``blocks``, and a few more.
        processes: How many there may be, this one among them.
        told: Is given how many tasks are begun or done.
    """
    copies = min(processes - 1, len(tasks) // _WORTH_A_COPY) if forks() else 0
    if copies > 0 and _done_with_copies(tasks, copies, told):
        told(len(tasks))
        return
    for done, task in enumerate(tasks, 1):
        task()
        told(done)


def blocks(count: int, size: int) -> list[range]:
    """Cut the numbers from 1 to ``count`` into ranges of ``size``, or longer ones if too many."""
    step = max(size, -(-count // _MOST_BLOCKS))
    return [range(first, min(first + step, count + 1)) for first in range(1, count + 1, step)]


def _done_with_copies(tasks: Sequence[Task], count: int, told: _Told) -> bool:
    """Do tasks with so many copies to help, and tell whether all of these came to a good end."""
    with _pile(len(tasks)) as pile, _copies(tasks, pile, count) as copies:
        _work_off(tasks, pile, told)
        for copy in copies:
            copy.join()
        return not any(copy.exitcode for copy in copies)


@contextmanager
def _pile(count: int) -> Iterator[int]:
    """Give a pipe that each number below ``count`` can be read from, by one process or another."""
    pile, writer = os.pipe()
    try:
        os.write(writer, b"".join(n.to_bytes(_BYTES_OF_A_NUMBER) for n in range(count)))
        os.close(writer)
        yield pile
    finally:
        os.close(pile)


def _work_off(tasks: Sequence[Task], pile: int, told: _Told) -> None:
    while taken := os.read(pile, _BYTES_OF_A_NUMBER):
        number = int.from_bytes(taken)
        tasks[number]()
        told(number + 1)


@contextmanager
def _copies(tasks: Sequence[Task], pile: int, count: int) -> Iterator[list[BaseProcess]]:
    """Give copies of this process that work on a pile, as long as the block runs.

    What there is by now is kept from the search for garbage, which would write to all of it and
    so have all of it copied.
    """
    copies: list[BaseProcess] = []
    gc.freeze()
    try:
        with interrupts_held(), suppress(OSError):  # no room for more processes
            copies.extend(_copy(tasks, pile) for _ in range(count))
        yield copies
    finally:
        for copy in copies:
            copy.kill()
            copy.join()
        gc.unfreeze()


def _copy(tasks: Sequence[Task], pile: int) -> BaseProcess:
    copy = get_context("fork").Process(target=_help, args=(tasks, pile, os.getpid()), daemon=True)
    copy.start()
    return copy


def _help(tasks: Sequence[Task], pile: int, parent: int) -> None:
    """Work on a pile in a copy, which prints nothing and ends at once where it is orphaned."""

    def told(_: int) -> None:
        if os.getppid() != parent:
            os._exit(1)

    is_failure = True
    try:
        gc.set_threshold(_OBJECTS)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _work_off(tasks, pile, told)
        is_failure = False
    finally:
        os._exit(is_failure)
