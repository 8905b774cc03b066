"""Ctrl-C at any moment: real processes, with their workers in a session of their own."""

import random
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from tests.interruptible import PROGRAM, line_of, started
from tests.posix import SIGHUP, killpg
from tests.programs import PRIMES, QUEUE, WORDS, write_files
from tests.tables import texts_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a terminal's signals are POSIX")

INTERRUPTED = "\nmosslite: interrupted, nothing more is written\n"


# The run is held where it begins to write: the writer of its pages waits for a signal.
WAITING = PROGRAM.replace(
    "main()",
    "import os, signal\nfrom mosslite.report.html import pages\n"
    "pages.source_script = lambda *_: os.write(1, b'written\\n') and signal.pause()\nmain()",
)

# A clean-up that never ends: the first signal asks for it, and a later one ends it.
HANGING = PROGRAM.replace(
    "main()",
    """
import os, sys
from mosslite.report.html import pages
sys.modules["mosslite.cli.main"]._TO_CLEAN_UP = 0.1  # the name of the package is the function's
def hang(*_):
    try:
        os.write(1, b"written\\n")
        signal.pause()
    finally:
        os.write(1, b"cleaning\\n")
        while True:
            signal.pause()
pages.source_script = hang
main()
""",
)

# Ctrl-C once, and again at each of the steps that Python makes to hear of it.
PRESSING = texts_of("scripts")["PRESSING"]

RESULTS = ("--json", "result.json", "--csv", "result.csv")


def later(seconds: float) -> None:
    Event().wait(seconds)


def stopped(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Press Ctrl-C twice, and give the exit code and the complaint; nothing of it is left."""
    killpg(process.pid, signal.SIGINT)
    later(0.02)
    if process.poll() is None:
        killpg(process.pid, signal.SIGINT)
    _, complaint = process.communicate()  # ends when no worker holds the pipes any more
    assert is_gone(process.pid)
    return process.returncode, complaint


def is_gone(group: int) -> bool:
    """Return whether no process of a group is left; a dead one waits for the system to see it."""
    for _ in range(100):
        try:
            killpg(group, 0)
        except ProcessLookupError:
            return True
        later(0.05)
    return False


@pytest.fixture
def batch(tmp_path: Path) -> None:
    """Files enough for a few seconds, and as many pairs as are shown."""
    texts = [PRIMES, QUEUE, WORDS]
    write_files(tmp_path, {f"hw/{n}.py": texts[n % 3] * 3 + f"\nx{n} = {n}\n" for n in range(90)})


@pytest.mark.usefixtures("batch")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_at_any_moment_it_leaves_all_or_nothing_and_says_so_in_one_line(
    tmp_path: Path, seed: int
) -> None:
    with started(tmp_path, PROGRAM, "hw", *RESULTS) as process:
        later(random.Random(seed).uniform(0.01, 4.0) ** 1.5 / 2)  # noqa: S311 - no secret
        outcome = stopped(process)

    left = {path.name for path in tmp_path.iterdir()} - {"hw"}
    everything = {"mosslite-report", "result.json", "result.csv"}
    if outcome == (130, INTERRUPTED):
        assert left <= everything  # the last of several results may be late
    else:
        assert (outcome, left) == ((0, ""), everything)
    report = tmp_path / "mosslite-report"
    assert not report.exists() or (report / "review-data.js").exists()


def test_an_old_report_stays_where_a_new_one_is_interrupted(tmp_path: Path) -> None:
    write_files(tmp_path, {f"hw/{n}.py": f"x = {n}\n{QUEUE}" for n in range(40)})
    run = [sys.executable, "-m", "mosslite", "hw", "-q"]
    subprocess.run(run, cwd=tmp_path, check=True)
    before = {path: path.read_bytes() for path in (tmp_path / "mosslite-report").rglob("*.*")}
    with started(tmp_path, WAITING, "hw", "-q") as process:
        assert line_of(process) == "written\n"
        assert stopped(process) == (130, INTERRUPTED)

    after = {path: path.read_bytes() for path in (tmp_path / "mosslite-report").rglob("*.*")}
    assert after == before
    assert {path.name for path in tmp_path.iterdir()} == {"hw", "mosslite-report"}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_clean_up_that_hangs_is_ended_by_another_signal(
    how: signal.Signals, tmp_path: Path
) -> None:
    write_files(tmp_path, {f"hw/{n}.py": f"x = {n}\n{QUEUE}" for n in range(40)})
    with started(tmp_path, HANGING, "hw", "-q", "-j", "1") as process:
        assert line_of(process) == "written\n"
        process.send_signal(how)
        assert line_of(process) == "cleaning\n"
        later(0.3)
        process.send_signal(how)
        _, complaint = process.communicate(timeout=60)

    assert (process.returncode, complaint) == (128 + how, INTERRUPTED)


@pytest.mark.parametrize("how", [signal.SIGTERM, SIGHUP])
def test_what_ends_a_process_politely_leaves_nothing_half_done(how: int, tmp_path: Path) -> None:
    write_files(tmp_path, {f"hw/{n}.py": f"x = {n}\n{QUEUE}" for n in range(40)})
    with started(tmp_path, WAITING, "hw", "-q") as process:
        assert line_of(process) == "written\n"
        process.send_signal(how)
        _, complaint = process.communicate()
        assert (process.returncode, complaint) == (128 + how, INTERRUPTED)
        assert is_gone(process.pid)

    assert {path.name for path in tmp_path.iterdir()} == {"hw"}


def test_it_is_heard_again_while_it_is_being_heard() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRESSING],
        capture_output=True, check=True, text=True, timeout=20,
    )  # fmt: skip
    assert list(map(int, done.stdout.split())) == list(range(60))


def test_what_is_needed_to_hear_it_is_little() -> None:
    program = "import sys, mosslite.cli\nprint(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", f"import sys\nsys.path[:] = {sys.path!r}\n{program}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert {"click", "numpy", "pygments", "typing"}.isdisjoint(done.stdout.split())


def test_a_run_that_is_to_be_deaf_is_left_deaf(tmp_path: Path) -> None:
    write_files(tmp_path, {f"hw/{n}.py": QUEUE for n in range(9)})
    deaf = PROGRAM.replace("signal.default_int_handler", "signal.SIG_IGN")
    with started(tmp_path, deaf, "hw", "-q") as process:
        assert stopped(process) == (0, "")
    assert (tmp_path / "mosslite-report" / "index.html").exists()
