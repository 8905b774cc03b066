import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.parallel import blocks, do_all
from tests.builders import LAW
from tests.posix import SIGKILL, killpg
from tests.tables import texts_of

FORKS = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")

COUNT = 40
TIMEOUT = 60

# A process that hears Ctrl-C although whoever started it may be deaf, and tells when it has begun.
INTERRUPTED = texts_of("scripts")["INTERRUPTED"]


# A process that waits for one of its workers; the other has done all other tasks by then.
ORPHANING = texts_of("scripts")["ORPHANING"]


def touch(folder: Path, number: int) -> None:
    (folder / str(number)).write_text(str(os.getpid()))


def touch_or_die(folder: Path, number: int, parent: int, how: int) -> None:
    """End a copy that does this task; the parent just does it."""
    if os.getpid() != parent:
        os.kill(os.getpid(), how)
    touch(folder, number)


def fail(folder: Path, number: int) -> None:
    msg = f"no room for {number} in {folder.name}"
    raise OSError(msg)


def numbered(number: int) -> tuple[int, bytes]:
    """Return more than a pipe holds."""
    return number, bytes(100_000)


def numbered_or_die(number: int, parent: int) -> int:
    """End a copy that does this task, but not before others had their turn."""
    if os.getpid() != parent and number > COUNT // 2:
        os.kill(os.getpid(), SIGKILL)
    return number


def nothing(_: int) -> None:
    """Listen to nobody."""


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_gone(pid: int) -> bool:
    """Return whether a process has died, if somebody has asked after it or not."""
    try:
        return " Z " in Path("/proc", str(pid), "stat").read_text(encoding="ascii")
    except OSError:
        return True


def copies() -> list[BaseProcess]:
    """Return the copies that are left; workers that read texts may still be about to end."""
    children = multiprocessing.active_children()
    return [each for each in children if not each.name.startswith("pebble")]


@pytest.mark.parametrize("processes", [1, 2, 5])
def test_each_task_is_done_whatever_number_of_processes_there_is(
    processes: int, tmp_path: Path
) -> None:
    tasks = [partial(touch, tmp_path, number) for number in range(COUNT)]
    told: list[int] = []

    do_all(tasks, processes=processes, on_progress=told.append)

    assert sorted(int(path.name) for path in tmp_path.iterdir()) == list(range(COUNT))
    assert told == sorted(told)
    assert told[-1] == COUNT
    assert processes > 1 or told == list(range(1, COUNT + 1))
    assert not copies()


@pytest.mark.parametrize("processes", [1, 2, 5])
def test_results_come_in_the_order_of_the_tasks(processes: int) -> None:
    tasks = [partial(numbered, number) for number in range(COUNT)]

    found = do_all(tasks, processes=processes, on_progress=nothing)

    assert found == [numbered(number) for number in range(COUNT)]


@FORKS
def test_the_results_of_a_process_that_was_killed_are_not_missed() -> None:
    tasks = [partial(numbered_or_die, number, os.getpid()) for number in range(COUNT)]

    assert do_all(tasks, processes=3, on_progress=nothing) == list(range(COUNT))


@pytest.mark.parametrize(("count", "processes"), [(COUNT, 1), (3, 8)])
def test_one_process_and_a_few_tasks_need_no_other(
    tmp_path: Path, count: int, processes: int
) -> None:
    tasks = [partial(touch, tmp_path, number) for number in range(count)]

    do_all(tasks, processes=processes, on_progress=nothing)

    assert {path.read_text() for path in tmp_path.iterdir()} == {str(os.getpid())}


@FORKS
@pytest.mark.parametrize("how", [SIGKILL, signal.SIGTERM])
def test_what_a_process_that_was_killed_had_begun_is_done_again(how: int, tmp_path: Path) -> None:
    tasks = [partial(touch_or_die, tmp_path, n, os.getpid(), how) for n in range(COUNT)]

    do_all(tasks, processes=3, on_progress=nothing)

    assert {path.read_text() for path in tmp_path.iterdir()} == {str(os.getpid())}
    assert len(list(tmp_path.iterdir())) == COUNT


def test_an_error_is_one_of_this_process_and_no_other_says_a_word(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tasks = [partial(fail, tmp_path, number) for number in range(COUNT)]

    with pytest.raises(OSError, match="no room for"):
        do_all(tasks, processes=3, on_progress=nothing)

    assert capfd.readouterr() == ("", "")
    assert not copies()


@FORKS
def test_an_interrupt_ends_all_processes(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + TIMEOUT
    while len(names := list(tmp_path.iterdir())) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    killpg(process.pid, signal.SIGINT)  # as a terminal does on Ctrl-C
    _, err = process.communicate(timeout=TIMEOUT)

    assert err.endswith("KeyboardInterrupt\n")
    for pid in {int(path.name.partition("-")[2]) for path in names}:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@FORKS
def test_copies_end_with_the_process_that_they_work_for(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ORPHANING, str(tmp_path)]) as process:
        until(lambda: len(list(tmp_path.iterdir())) == 20)
        time.sleep(0.3)  # one of them waits for more
        process.kill()

    for pid in {int(path.name.partition("-")[2]) for path in tmp_path.iterdir()}:
        until(partial(is_gone, pid))


@given(st.integers(0, 5000), st.integers(1, 100))
@LAW
def test_blocks_have_each_number_once_and_are_never_too_large(count: int, size: int) -> None:
    cut = blocks(count, size)

    assert [number for block in cut for number in block] == list(range(1, count + 1))
    assert max(map(len, cut), default=0) <= size
