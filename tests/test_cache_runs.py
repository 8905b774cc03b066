"""Runs with a cache: whatever becomes of it, results are as without one."""

import os
import signal
import sqlite3
import struct
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from mosslite.cache import Cache, usage_of
from tests.conftest import Outcome, Run
from tests.interruptible import PROGRAM, started
from tests.posix import killpg
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files
from tests.stuck import STUCK

PROSE = "A queue serves whoever has waited longest, which is fair but seldom the fastest way.\n"
FILES = {"hw/a.py": QUEUE, "hw/b.py": QUEUE_RENAMED, "hw/c.py": PRIMES, "hw/d.txt": PROSE * 3}
JSON = ("hw", "-j2", "--no-html", "--json", "-")

READINGS = "readings-3.sqlite"


@pytest.fixture(autouse=True)
def batch(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)


def plain(run: Run) -> str:
    """Return the result of a run without a cache."""
    return run("-q", "--no-cache", *JSON).out


def without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a run fail that starts a worker process."""
    monkeypatch.setattr("mosslite.frontends.scheduling.ProcessPool", None)


def shown(run: Run) -> str:
    return run("cache").out.splitlines()[1]


def test_the_second_run_is_the_first_without_any_worker(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = plain(run)
    first = run(*JSON)
    without_workers(monkeypatch)
    assert run(*JSON) == first
    assert first.out == result


@pytest.mark.parametrize("content", [b"", b"[", struct.pack("<BII", 6, (1 << 32) - 1, 0)])
def test_what_is_not_a_reading_although_its_digest_fits_is_rebuilt(
    run: Run, cache_folder: Path, content: bytes
) -> None:
    first = run(*JSON)
    with closing(sqlite3.connect(cache_folder / READINGS)) as base:
        keys = [key for (key,) in base.execute("SELECT key FROM readings")]
    with Cache(cache_folder, 1 << 20) as cache:
        for key in keys:
            cache.add(key, content)
    assert run(*JSON) == first


def test_a_file_that_changes_is_read_again(run: Run, tmp_path: Path) -> None:
    run(*JSON)
    write_files(tmp_path, {"hw/c.py": QUEUE})
    assert run("-q", *JSON).out == plain(run)
    assert shown(run).startswith("files: 4, ")


def test_a_run_without_the_cache_neither_finds_nor_keeps_anything(
    run: Run, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("--no-cache", *JSON)
    assert not cache_folder.exists()
    run(*JSON)
    without_workers(monkeypatch)
    with pytest.raises(TypeError):
        run("--no-cache", *JSON)


def test_what_a_plain_tokenizer_made_is_not_kept(run: Run) -> None:
    # Such is the time that no lexer can do with.
    outcome = run("--time-limit", "1e-9", "hw", "--no-html")
    assert "could not be read" in outcome.out or "plain" in outcome.out
    assert shown(run).startswith("files: 1, ")  # prose needs no lexer
    assert run("-q", *JSON).out == plain(run)


def test_no_text_and_no_name_is_kept(run: Run, cache_folder: Path) -> None:
    run(*JSON)
    content = (cache_folder / READINGS).read_bytes()
    for text in (b"Queue", b"overflow", b"limit", b"a.py", b"hw"):
        assert text not in content


# Where there can be none


def damaged(folder: Path) -> None:
    content = bytearray((folder / READINGS).read_bytes())
    for page in range(4096, len(content), 4096):
        content[page : page + 200] = b"\xff" * 200
    (folder / READINGS).write_bytes(content)


def foreign(folder: Path) -> None:
    (folder / READINGS).write_text("my own notes\n" * 1000)


def no_file(folder: Path) -> None:
    (folder / READINGS).unlink()
    (folder / READINGS).mkdir()


def no_folder(folder: Path) -> None:
    (folder / READINGS).unlink()
    folder.rmdir()
    folder.write_text("a file")


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (damaged, "database disk image is malformed; 'mosslite cache clear' starts a new one"),
        (foreign, "file is not a database; 'mosslite cache clear' starts a new one"),
        (no_file, "'{folder}/readings-3.sqlite' is not a file"),
        (no_folder, "file exists ('{folder}')"),
    ],
)
def test_a_cache_that_cannot_be_used_is_reported_in_one_line(
    run: Run, cache_folder: Path, harm: object, reason: str
) -> None:
    assert callable(harm)
    before = run(*JSON)
    harm(cache_folder)
    line = f"mosslite: cannot use the cache: {reason.format(folder=cache_folder)}\n"
    outcome = run(*JSON)
    assert (outcome.code, outcome.out) == (0, before.out)
    assert outcome.err == line + before.err
    assert run("-q", *JSON) == Outcome(0, before.out, "")


def test_a_damaged_cache_can_be_cleared(run: Run, cache_folder: Path) -> None:
    run(*JSON)
    damaged(cache_folder)
    assert run("cache", "clear").code == 0
    assert run(*JSON).err == run(*JSON).err
    assert shown(run).startswith("files: 4, ")


def test_nothing_fails_where_there_is_no_home(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MOSSLITE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "relative")
    outcome = run(*JSON)
    assert outcome.out == plain(run)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hw"]


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
def test_where_the_disk_is_full_the_run_goes_on(tmp_path: Path) -> None:
    program = (
        "import resource\nfrom mosslite.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *JSON],
        cwd=tmp_path, env=os.environ | {"SOURCE_DATE_EPOCH": "0", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert '"format": ' in done.stdout
    assert done.stderr.startswith("mosslite: cannot use the cache: ")
    assert done.stderr.count("the cache") == 1


# The command


def test_its_place_and_size_are_shown(run: Run, cache_folder: Path) -> None:
    nothing = f"folder: {cache_folder}\nfiles: 0, 0.0 MB of at most 500 MB\n"
    assert run("cache") == Outcome(0, nothing, "")
    run(*JSON)
    line = f"folder: {cache_folder}\nfiles: 4, 0.0 MB of at most 500 MB\n"
    assert run("cache", "info") == Outcome(0, line, "")
    assert run("cache", "clear") == Outcome(0, nothing, "")


def test_its_limit_can_be_set(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOSSLITE_CACHE_MB", "2000")
    assert shown(run).endswith(" of at most 2,000 MB")
    monkeypatch.setenv("MOSSLITE_CACHE_MB", "0")
    assert run("-q", *JSON).err == ""
    assert shown(run) == "files: 0, 0.0 MB of at most 0 MB"
    monkeypatch.setenv("MOSSLITE_CACHE_MB", "1 GB")
    message = "mosslite: MOSSLITE_CACHE_MB is '1 GB': it must be a number of megabytes\n"
    assert run(*JSON) == run("cache") == Outcome(2, "", message)


def test_what_is_wrong_with_it_is_said(run: Run, cache_folder: Path) -> None:
    cache_folder.mkdir()
    foreign(cache_folder)
    assert run("cache") == Outcome(
        2, "",
        "mosslite: cannot read the cache: file is not a database; "
        "'mosslite cache clear' starts a new one\n",
    )  # fmt: skip
    assert run("cache", "empty") == Outcome(
        2, "",
        "mosslite: 'empty' is not one of 'info', 'clear'; see mosslite cache --help\n",
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("end", ["SIGINT", "SIGKILL"])
def test_most_of_what_a_run_has_read_is_kept_when_it_is_stopped(
    tmp_path: Path, cache_folder: Path, end: str
) -> None:
    long = "# one more remark\n" * 200
    write_files(tmp_path, {f"hw/{number}.py": f"x = {number}\n{long}" for number in range(60)})
    write_files(tmp_path, {"hw/z.sh": STUCK["bash"]})
    with started(tmp_path, PROGRAM, "hw", "-j1", "--time-limit", "1000") as process:
        while usage_of(cache_folder).readings < 50:
            assert process.poll() is None
            time.sleep(0.3)  # who looks all the time locks others out
        killpg(process.pid, signal.Signals[end])
        process.wait()
    assert usage_of(cache_folder).readings >= 50
