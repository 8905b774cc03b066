"""Archives that are made for an add: they are there with what was added, or not at all."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from mosslite.errors import ArchiveError
from mosslite.options import Thresholds
from mosslite.records import SubmissionMetadata
from mosslite.terms.archive import Archive
from mosslite.terms.tables import Entry, IndexParameters
from tests.conftest import ADD, Run
from tests.programs import PRIMES, QUEUE, write_files
from tests.tables import texts_of

# Runs the command line with a limit of file size, as on a full disk.
LIMITED = texts_of("scripts")["LIMITED"]

NO_HASHES = np.empty(0, np.uint64)
SHAPE = IndexParameters(
    code=Thresholds(8, 16, 8), prose=Thresholds(8, 16, 8), language=None, front_ends="1"
)


def limited(folder: Path, most: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(most), *arguments],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PYTHONDONTWRITEBYTECODE": "1",  # the limit would cut off what Python compiles
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
@pytest.mark.parametrize("most", [100, 20_000, 50_000])
def test_an_archive_that_there_is_no_room_for_is_not_there(tmp_path: Path, most: int) -> None:
    lines = "\n".join(f"{PRIMES}x{i} = {i}" for i in range(300))
    write_files(tmp_path, {"old/ann.py": QUEUE, "old/dan.py": lines})

    done = limited(tmp_path, most, *ADD, "old", "-q", "--no-cache", "--jobs", "1")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("mosslite: archive 'a.mosslite' cannot be ")
    assert done.stderr.count("\n") == 1
    assert [each.name for each in tmp_path.iterdir()] == ["old"]


def test_an_archive_is_not_made_for_an_add_that_fails(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE})
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys/key.csv").symlink_to(tmp_path / "gone/key.csv")

    outcome = run(*ADD, "old", "--anonymize", "keys/key.csv")

    assert (outcome.code, outcome.out) == (2, "")
    assert not (tmp_path / "a.mosslite").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="it has other words for it")
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("a" * 300, "opened: file name too long"),
        ("gone/a.mosslite", "created: 'gone' is not a folder"),
        ("gone.py/a.mosslite", "created: 'gone.py' is not a folder"),
    ],
)
def test_where_no_archive_can_be_is_said_before_anything_is_read(
    run: Run, name: str, what: str
) -> None:
    outcome = run("archive", "add", name, "--term", "2025", "no-such-folder")

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == f"mosslite: archive {name!r} cannot be {what}\n"


def test_what_others_added_to_an_archive_stays_where_the_add_that_made_it_fails(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE})
    maker = Archive("a.mosslite", "add")
    assert run(*ADD, "old").code == 0

    with pytest.raises(ArchiveError, match="no submission of number 99"), maker:
        maker.files_of(99)

    assert run("archive", "list", "a.mosslite").out == "2025/ann.py\n"


def test_whoever_opens_an_archive_while_its_tables_are_made_does_not_call_it_damaged(
    tmp_path: Path,
) -> None:
    def change(number: int) -> None:
        for round_ in range(20):
            together.wait(timeout=30)
            with Archive(str(tmp_path / f"{round_}.mosslite"), "add") as archive:
                assert archive.shape() in (None, SHAPE)
                archive.add(
                    [Entry("2025", f"{number}", SubmissionMetadata(), (), NO_HASHES)], SHAPE
                )

    adders = 4
    together = Barrier(adders)
    with ThreadPoolExecutor(adders) as pool:
        list(pool.map(change, range(adders)))


@pytest.mark.skipif(sys.platform == "win32", reason="no file that is open is removed there")
def test_a_change_of_an_archive_that_is_gone_in_between_is_not_reported_as_done(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.mosslite"
    maker = Archive(str(path), "add")
    with Archive(str(path), "add") as other:
        with pytest.raises(ArchiveError, match="no submission of number 99"), maker:
            maker.files_of(99)
        with pytest.raises(ArchiveError, match="was removed or replaced while in use: try again"):
            other.remove([])
    assert not path.exists()
