"""Lexers that hang, die or are interrupted; the texts are for lexers that Pygments ships."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from mosslite.frontends import Reading, degraded, tokenize
from mosslite.frontends.scheduling import read_all
from mosslite.languages import find_language
from mosslite.options import Options
from tests.posix import killpg
from tests.programs import PRIMES, QUEUE, WORDS
from tests.stuck import PYTHON, STUCK, Sources, read
from tests.tables import texts_of

PATHS = os.pathsep.join(sys.path)


# Its lexer goes on giving tokens, each after a look at all that is left.
SLOW = "word " * 12_000

# What a program of its own needs to read a file that nothing ends, and one before it.
# A process in the background of a shell is born deaf to SIGINT; this one shall hear it.
PROGRAM = f"""
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from mosslite.languages import find_language
from mosslite.options import Options
from mosslite.frontends.scheduling import read_all
if __name__ == "__main__":
    stuck = {STUCK["bash"]!r}
    texts = [("x = 1\\n" * 9_000, find_language("python")), (stuck, find_language("bash"))]
    [*read_all(texts, Options(jobs=1, seconds=SECONDS), lambda done: print(done, flush=True))]
"""


def of_names(texts: dict[str, str]) -> Sources:
    return [(text, find_language(name)) for name, text in texts.items()]


def columns(reading: Reading) -> list[list[int]]:
    return [reading.stream.codes.tolist(), reading.traces.codes.tolist()]


def is_same(left: Sequence[Reading], right: Sequence[Reading]) -> bool:
    return list(map(columns, left)) == list(map(columns, right))


def ended(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program whose own modules are in ``folder``."""
    (folder / "program.py").write_text(program)
    return subprocess.run(
        [sys.executable, "program.py"], cwd=folder, env=os.environ | {"PYTHONPATH": PATHS},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_files_beside_one_that_nothing_ends_are_read_as_ever() -> None:
    sources = [(PRIMES, PYTHON), *of_names(STUCK), (QUEUE, PYTHON)]

    readings = read(sources, Options(jobs=2, seconds=0.3))

    assert [each.is_degraded for each in readings] == [False, *[True] * len(STUCK), False]
    plain = [degraded(text) for text in STUCK.values()]
    assert is_same(readings, [tokenize(*sources[0]), *plain, tokenize(*sources[-1])])


@pytest.mark.parametrize("uses_workers", [True, False])
def test_a_lexer_that_takes_too_long_is_replaced_with_and_without_workers(
    uses_workers: bool,
) -> None:
    sources = [(SLOW, find_language("java")), (PRIMES, PYTHON)]

    readings = read(sources, Options(uses_workers=uses_workers, seconds=0.3))

    assert [each.is_degraded for each in readings] == [True, False]
    assert is_same(readings, [degraded(SLOW), tokenize(PRIMES, PYTHON)])


def test_a_worker_that_is_killed_costs_no_file() -> None:
    sources = [(f"{PRIMES}\nx = {number}", PYTHON) for number in range(40)]

    def kill_workers(done: int) -> None:
        if done == 3:
            for worker in multiprocessing.active_children():
                worker.kill()

    readings = [*read_all(sources, Options(jobs=2), kill_workers)]

    assert is_same(readings, read(sources, Options(uses_workers=False)))
    assert not any(each.is_degraded for each in readings)


# A lexer that is installed beside Pygments' own, and that nothing asks to stop.
DEADLY = texts_of("scripts")["DEADLY"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_a_file_that_hangs_or_kills_its_worker_each_time_is_read_plainly(tmp_path: Path) -> None:
    about = tmp_path / "deadly-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: deadly\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[pygments.lexers]\ndeadly = deadly:DeadlyLexer\n")
    (tmp_path / "deadly.py").write_text(DEADLY)
    program = (
        "from mosslite.languages import Language\nfrom tests.frontends.test_scheduling import *\n"
        "language = Language('deadly', 'Deadly', False, False)\n"
        "texts = [(text, language) for text in ('a', 'die', 'b', 'hang', 'die 2', 'hang 2', 'c')]\n"
        "print(*(each.is_degraded for each in read(texts, Options(jobs=2, seconds=0.3))))\n"
    )

    done = ended(program, tmp_path)

    assert (done.stdout, done.stderr) == ("False True False True True True False\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
def test_a_system_that_lets_no_worker_start_is_reported_in_one_line(tmp_path: Path) -> None:
    program = (
        "import resource\nfrom mosslite.errors import WorkerError\n"
        "from tests.frontends.test_scheduling import *\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6))\n"
        "try:\n    read([(PRIMES, PYTHON)], Options(jobs=2))\n"
        "except WorkerError as error:\n    print(error)\n"
    )

    done = ended(program, tmp_path)

    reason = "too many open files: use fewer with -j"
    assert (done.stdout, done.stderr) == (f"cannot start worker processes: {reason}\n", "")


def test_readings_are_the_same_whatever_the_number_of_workers() -> None:
    sources = [(f"{text}\n{number}" * 9, PYTHON) for number in range(9) for text in (PRIMES, WORDS)]
    alone = read(sources, Options(uses_workers=False))
    for jobs in (1, 2, 5, None):
        assert is_same(read(sources, Options(jobs=jobs)), alone)


def test_equal_texts_in_one_language_are_read_once_and_all_are_reported() -> None:
    told: list[int] = []
    sources = [(PRIMES, PYTHON), (QUEUE, PYTHON), (PRIMES, PYTHON), (PRIMES, find_language("c"))]

    readings = [*read_all(sources, Options(jobs=1), told.append)]

    assert readings[0] is readings[2]
    assert not np.array_equal(readings[0].stream.codes, readings[3].stream.codes)
    assert told == [1, 2, 3, 4]


def test_where_there_is_nothing_to_read_nothing_is_started() -> None:
    assert read([], Options()) == []


@pytest.mark.slow
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_every_way_to_start_processes_gives_the_same(tmp_path: Path, method: str) -> None:
    program = (
        "import multiprocessing\nfrom tests.frontends.test_scheduling import *\n"
        "if __name__ == '__main__':\n"
        f"    multiprocessing.set_start_method({method!r})\n"
        "    texts = [(PRIMES, PYTHON), (QUEUE, PYTHON), *of_names(STUCK)]\n"
        "    print([columns(each) for each in read(texts, Options(jobs=2, seconds=0.3))])\n"
    )

    done = ended(program, tmp_path)

    plain = [degraded(text) for text in STUCK.values()]
    expected = [tokenize(PRIMES, PYTHON), tokenize(QUEUE, PYTHON), *plain]
    assert (done.stdout, done.stderr) == (f"{list(map(columns, expected))}\n", "")


def started(seconds: float) -> subprocess.Popen[str]:
    """Start the program in a session of its own, and come back when its worker is at the last."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.replace("SECONDS", str(seconds))],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=os.environ | {"PYTHONPATH": PATHS},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "1\n"
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal's signals are POSIX")
def test_an_interrupt_ends_the_workers_and_only_this_process_tells_of_it() -> None:
    with started(seconds=1_000) as process:
        out, err = interrupted(process)

    assert out == ""
    assert err.count("Traceback") == 1
    assert err.endswith("KeyboardInterrupt\n")
    with pytest.raises(ProcessLookupError):
        killpg(process.pid, 0)


def interrupted(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Press Ctrl-C, and once more where Python was just about to wait: it hears of it then."""
    killpg(process.pid, signal.SIGINT)  # as a terminal does on Ctrl-C
    with suppress(subprocess.TimeoutExpired):
        return process.communicate(timeout=10)  # ends when no worker holds the pipes any more
    killpg(process.pid, signal.SIGINT)
    return process.communicate(timeout=10)


@pytest.mark.skipif(sys.platform == "win32", reason="the worker's own timer is POSIX")
def test_a_worker_whose_parent_is_killed_ends_by_itself() -> None:
    with started(seconds=0.5) as process:
        process.kill()
        assert process.communicate() == ("", "")
