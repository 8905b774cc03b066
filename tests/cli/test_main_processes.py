"""Whole processes: streams that are closed, full or left early, interrupts, and terminals."""

import errno
import os
import select
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import BOTH, BUFFERED, SUMMARY, refusal, subprocess_run
from tests.conftest import Run
from tests.posix import O_NONBLOCK, mkfifo, openpty
from tests.programs import PRIMES, write_files
from tests.stuck import STUCK


@pytest.mark.usefixtures("copies")
@pytest.mark.parametrize("arguments", [(*BOTH,), (*BOTH, "-q", "--json", "-")])
def test_a_reader_who_leaves_is_not_an_error_and_files_are_whole(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess_run(
        *arguments, "--csv", "x.csv", "--fail-above", "50",
        cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 2


def test_a_reader_who_leaves_the_help_is_not_an_error() -> None:
    for arguments in (["--help"], ["languages"]):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess_run(*arguments, stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("copies")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [
        (*BOTH,),
        (*BOTH, "-q", "--json", "-", "--csv", "x.csv"),
        ("languages",),
        ("--help",),
        ("--version",),
        ("check", "--help"),
        (),
    ],
)
def test_a_full_disk_behind_standard_output_is_explained_once_files_are_written(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess_run(*arguments, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE)
    reason = os.strerror(errno.ENOSPC).lower()
    assert done.stderr == f"mosslite: cannot write to standard output: {reason}\n"
    assert done.returncode == 2
    assert (tmp_path / "x.csv").exists() is ("--csv" in arguments)


STREAMS = pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="streams have no paths")


@STREAMS
@pytest.mark.usefixtures("copies")
@pytest.mark.parametrize("target", ["-", "/dev/stdout", "/dev/fd/1", "link"])
def test_a_path_of_standard_output_is_standard_output(tmp_path: Path, target: str) -> None:
    (tmp_path / "link").symlink_to("/dev/stdout")
    (tmp_path / "all.csv").write_text("of last term\n")
    with (tmp_path / "all.csv").open("a") as out:
        done = subprocess_run(
            *BOTH, "--csv", target, cwd=tmp_path, stdout=out, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (0, SUMMARY)
    before, heading, pair = (tmp_path / "all.csv").read_text().splitlines()
    assert before == "of last term"
    assert heading.startswith("left,right,score,")
    assert pair.startswith("a.py,b.py,1.0,")


@STREAMS
@pytest.mark.usefixtures("copies")
@pytest.mark.parametrize("target", ["/dev/stderr", "/dev/fd/2"])
def test_a_file_behind_an_open_stream_is_never_replaced(tmp_path: Path, target: str) -> None:
    (tmp_path / "log").write_text("of last term\n")
    with (tmp_path / "log").open("a") as log:
        done = subprocess_run(*BOTH, "--csv", target, cwd=tmp_path, stdout=log, stderr=log)
    before, *results = (tmp_path / "log").read_text().splitlines()
    assert (done.returncode, before) == (0, "of last term")
    assert results[1].startswith("a.py,b.py,1.0,")
    assert results[2:] == SUMMARY.splitlines()


@STREAMS
@pytest.mark.usefixtures("copies")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "--csv - --json /dev/stdout",
            "--json and --csv both write to standard output: give them different files",
        ),
        (
            "--anonymize /dev/stdout",
            "the key of --anonymize cannot go to standard output: give a file",
        ),
        (
            "--anonymize /dev/stderr",
            "the key of --anonymize cannot go to standard error: give a file",
        ),
    ],
)
def test_a_path_of_a_stream_is_refused_where_the_stream_is(
    run: Run, options: str, message: str
) -> None:
    assert run(*BOTH, *shlex.split(options)) == refusal(message)


@pytest.mark.slow
@pytest.mark.usefixtures("copies")
@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_closed_streams_do_not_change_the_exit_code(tmp_path: Path) -> None:
    def code(arguments: str, redirections: str) -> int:
        shell = ["/bin/sh", "-c", f'exec "$0" -m mosslite {arguments} {redirections}']
        done = subprocess.run(
            [*shell, sys.executable], check=False, cwd=tmp_path, timeout=60, env=BUFFERED
        )
        return done.returncode

    assert code(" ".join(BOTH), ">&-") == 0
    assert code(f"{' '.join(BOTH)} --fail-above 50", ">&- 2>&-") == 1
    assert code("gone.py", "2>&-") == 2


@pytest.mark.usefixtures("copies")
@pytest.mark.skipif(sys.platform != "linux", reason="pipes with names differ elsewhere")
def test_an_interrupted_run_says_so_in_one_line(tmp_path: Path) -> None:
    # The run waits for a reader of the second pipe once all JSON has gone through the first.
    for name in ("first", "second"):
        mkfifo(tmp_path / name)
    reader = os.open(tmp_path / "first", os.O_RDONLY | O_NONBLOCK)
    # A process in the background of a shell is born deaf to SIGINT; this one shall hear it.
    command = ["env", "--default-signal=INT", sys.executable, "-m", "mosslite", *BOTH]
    command += ["--json", "first", "--csv", "second"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        while select.select([reader], [], [], 30)[0] and os.read(reader, 1 << 16):
            pass
        process.send_signal(signal.SIGINT)
        try:
            _, complaint = process.communicate(timeout=30)
        finally:
            process.kill()
    os.close(reader)
    # The first line end is behind the ^C that a terminal shows.
    assert complaint == "\nmosslite: interrupted, nothing more is written\n"
    assert process.returncode == 130


@pytest.fixture
def slow_files(tmp_path: Path) -> None:
    """Two programs, and a file that its lexer takes forever for, as long as it may."""
    write_files(tmp_path, {"ann.py": PRIMES, "bob.py": PRIMES, "cy.sh": STUCK["bash"]})


# More than the second after which progress is shown.
LONG_RUN = ("-j1", "--time-limit", "2", "--no-html", "ann.py", "bob.py", "cy.sh")


@pytest.mark.slow
@pytest.mark.usefixtures("slow_files")
@pytest.mark.parametrize(("options", "is_shown"), [([], True), (["-q"], False)])
def test_progress_is_shown_on_a_terminal_unless_quiet(
    tmp_path: Path, options: list[str], is_shown: bool
) -> None:
    termios = pytest.importorskip("termios")
    terminal, slave = openpty()
    termios.tcsetwinsize(slave, (24, 80))
    command = [sys.executable, "-m", "mosslite", *LONG_RUN, *options]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=slave
    ) as process:
        os.close(slave)
        shown = read_from(terminal)
        while is_shown and b"tokenizing " not in shown and (more := read_from(terminal)):
            shown += more
        if is_shown:
            process.kill()
    os.close(terminal)
    assert (b"tokenizing " in shown) is is_shown
    assert is_shown or (process.returncode, shown) == (0, b"")


def read_from(terminal: int) -> bytes:
    """Return what is written next, or nothing when nothing is."""
    try:
        return os.read(terminal, 1024)
    except OSError:  # how Linux says that the other end is closed
        return b""


@pytest.mark.slow
@pytest.mark.usefixtures("slow_files")
def test_there_is_no_progress_where_standard_error_is_not_a_terminal(tmp_path: Path) -> None:
    done = subprocess_run(*LONG_RUN, cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")
