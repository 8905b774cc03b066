"""Archives that are written to by processes that are killed, or by two at once."""

import os
import random
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from mosslite.options import Options
from mosslite.records import Inputs
from mosslite.terms.adding import AddOptions, add
from mosslite.terms.archive import Archive
from tests.conftest import Run
from tests.kills import done_or_killed_at_line, done_or_killed_beyond
from tests.programs import PRIMES, QUEUE, WORDS, write_files
from tests.tables import texts_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

# Adds one term after the other, and says so of each that is added.
ADDER = texts_of("scripts")["ADDER"]
FILES = {"old/ann.py": QUEUE, "old/bob.py": PRIMES, "old/cid.py": WORDS}


@pytest.fixture(autouse=True)
def old(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)


def adder(folder: Path, first: int, step: int, last: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", ADDER, "a.mosslite", *map(str, (first, step, last))],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )


def terms_in(folder: Path) -> list[str]:
    """Return the terms of an archive that is in order, and has all or nothing of each."""
    with Archive(str(folder / "a.mosslite")) as archive:
        assert archive.problems() == []
        stored = archive.submissions()
        assert all(len(archive.files_of(each.number)) == each.files for each in stored)
    terms = sorted({each.term for each in stored})
    assert [each.term for each in stored] == [term for term in terms for _ in FILES]
    return terms


def kill_often(folder: Path, times: int) -> None:
    """Kill an adder at any moment of its adds, again and again, on one archive."""
    chance = random.Random(times)  # noqa: S311 - any moments will do
    reported: list[str] = []
    for number in range(times):
        with adder(folder, 1000 * number, 1, 1000 * number + 1000) as process:
            assert process.stdout is not None
            reported.append(process.stdout.readline().strip())
            try:
                process.wait(chance.uniform(0, 0.4))
            except subprocess.TimeoutExpired:
                process.kill()
            reported += process.stdout.read().split()
        held = terms_in(folder)
        # The last add may be done and not be reported yet.
        assert held[: len(reported)] == reported
        assert len(held) <= len(reported) + 1
        reported = held


@pytest.mark.slow
def test_an_archive_whose_writer_is_killed_holds_the_adds_that_were_reported(
    tmp_path: Path,
) -> None:
    kill_often(tmp_path, 3)


@pytest.mark.slow
def test_an_archive_whose_writers_are_killed_again_and_again_holds_all_adds(
    tmp_path: Path,
) -> None:
    kill_often(tmp_path, 50)


@pytest.mark.slow
def test_of_two_writers_one_waits_for_the_other(tmp_path: Path) -> None:
    with adder(tmp_path, 0, 2, 20) as even, adder(tmp_path, 1, 2, 20) as odd:
        assert (even.wait(), odd.wait()) == (0, 0)

    assert terms_in(tmp_path) == [f"{number:05}" for number in range(20)]


@pytest.mark.slow
def test_readers_see_whole_adds_while_a_writer_is_at_work(tmp_path: Path) -> None:
    with adder(tmp_path, 0, 1, 30) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        seen = []
        while writer.poll() is None:
            seen.append(len(terms_in(tmp_path)))

    assert seen == sorted(seen)
    assert len(terms_in(tmp_path)) == 30


# --- the first add -------------------------------------------------------------------------------


def first_add(folder: Path) -> None:
    path = str(folder / "a.mosslite")
    add(path, AddOptions("00000"), Inputs((str(folder / "old"),)), Options(uses_workers=False))


def require_all_or_nothing(run: Run, folder: Path) -> bool:
    """Return whether the archive is there; anything else there is not one, and becomes one."""
    verified = run("archive", "verify", "a.mosslite")
    is_there = verified.code == 0
    if is_there:
        assert verified.out == "OK: 3 submissions verified\n"
    else:
        assert (verified.code, verified.out) == (2, "")
        assert "is empty: 'mosslite archive add'" in verified.err or (
            "does not exist" in verified.err
        )
        first_add(folder)
    assert terms_in(folder) == ["00000"]
    for path in folder.glob("a.mosslite*"):
        path.unlink()
    return is_there


@pytest.mark.parametrize("stride", [43, pytest.param(3, marks=pytest.mark.slow)])
def test_a_kill_at_any_line_of_the_first_add_leaves_all_of_it_or_no_archive(
    run: Run, tmp_path: Path, stride: int
) -> None:
    found = set()
    for step in count(0, stride):
        is_done = done_or_killed_at_line(step, "mosslite/terms/", lambda: first_add(tmp_path))
        found.add(require_all_or_nothing(run, tmp_path))
        if is_done:
            break

    assert found == {False, True}
    assert step > 200


def test_a_kill_at_any_page_that_the_first_add_writes_leaves_all_of_it_or_no_archive(
    run: Run, tmp_path: Path
) -> None:
    found = set()
    for size in count(0, 2_048):
        is_done = done_or_killed_beyond(size, lambda: first_add(tmp_path))
        found.add(require_all_or_nothing(run, tmp_path))
        if is_done:
            break

    assert found == {False, True}
    assert size > 20_000
