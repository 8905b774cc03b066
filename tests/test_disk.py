"""Temporary folders: those of killed runs go, and nothing else does."""

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from mosslite.disk import temporary_folder
from tests.conftest import Run
from tests.kills import done_or_killed_before, needs_kills
from tests.pages import contents
from tests.posix import mkfifo
from tests.programs import write_files
from tests.tables import texts_of

MARKER = ".mosslite-temporary"
NAMED = ".mosslite-tmp-abcd_123"
TEXT = "A run of mosslite made this folder for itself. The next one removes it.\n"

# Makes and fills folders until it is told to stop.
MAKER = texts_of("scripts")["MAKER"]


def use(parent: Path) -> None:
    with temporary_folder(parent) as folder:
        write_files(folder, {"text": "secret", "below/text": "secret"})


def test_a_temporary_folder_is_there_for_the_block_and_closed_to_others(tmp_path: Path) -> None:
    with temporary_folder(tmp_path) as folder:
        assert folder.parent == tmp_path
        assert sys.platform == "win32" or folder.stat().st_mode & 0o777 == 0o700
        write_files(folder, {"below/text": "x"})
    with pytest.raises(ZeroDivisionError), temporary_folder(tmp_path) as folder:
        write_files(folder, {"text": str(1 // 0)})

    assert list(tmp_path.iterdir()) == []


@needs_kills
def test_what_a_run_leaves_that_is_killed_at_any_step_the_next_one_removes(tmp_path: Path) -> None:
    left = set[int]()
    for step in count():
        is_done = done_or_killed_before(step, lambda: use(tmp_path))
        left.add(len(contents(tmp_path)))
        use(tmp_path)
        assert list(tmp_path.iterdir()) == []
        if is_done:
            break

    assert len(left) > 2


@needs_kills
def test_what_a_run_leaves_that_is_killed_as_it_removes_is_removed(tmp_path: Path) -> None:
    for step in range(10):
        done_or_killed_before(4, lambda: use(tmp_path))
        done_or_killed_before(step, lambda: use(tmp_path))

        use(tmp_path)

        assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_run_that_goes_on_stays(tmp_path: Path) -> None:
    with temporary_folder(tmp_path) as first:
        write_files(first, {"text": "x"})
        for _ in range(2):
            subprocess.run([sys.executable, "-c", MAKER], check=True, cwd=tmp_path)
        assert (first / "text").read_text(encoding="utf-8") == "x"


def test_runs_that_begin_and_end_at_once_do_not_take_each_others_folders(tmp_path: Path) -> None:
    runs = [subprocess.Popen([sys.executable, "-c", MAKER], cwd=tmp_path) for _ in range(4)]

    assert [run.wait() for run in runs] == [0] * 4
    assert list(tmp_path.iterdir()) == []


def a_file(path: Path) -> None:
    path.write_text(TEXT, encoding="utf-8")


def a_folder_without_a_marker(path: Path) -> None:
    write_files(path, {"text": "mine"})


def a_folder_with_another_marker(path: Path) -> None:
    write_files(path, {MARKER: f"{TEXT}and more\n", "text": "mine"})


def a_folder_whose_marker_is_a_folder(path: Path) -> None:
    write_files(path, {f"{MARKER}/text": TEXT, "text": "mine"})


def a_folder_of_another_name(path: Path) -> None:
    write_files(path.with_name(".mosslite-tmp-abcd"), {MARKER: TEXT, "text": "mine"})
    write_files(path.with_name(".mosslite-tmp-abcd_1234"), {MARKER: TEXT, "text": "mine"})
    write_files(path.with_name("x.mosslite-tmp-abcd_123"), {MARKER: TEXT, "text": "mine"})


def a_link_to_a_folder(path: Path) -> None:
    write_files(path.with_name("elsewhere"), {MARKER: TEXT, "text": "mine"})
    path.symlink_to("elsewhere")


def a_folder_whose_marker_is_a_link(path: Path) -> None:
    write_files(path, {"text": "mine", "marker": TEXT})
    (path / MARKER).symlink_to("marker")


def a_folder_whose_marker_is_a_pipe(path: Path) -> None:
    write_files(path, {"text": "mine"})
    mkfifo(path / MARKER)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
@pytest.mark.parametrize(
    "make",
    [
        a_file,
        a_folder_without_a_marker,
        a_folder_with_another_marker,
        a_folder_whose_marker_is_a_folder,
        a_folder_of_another_name,
        a_link_to_a_folder,
        a_folder_whose_marker_is_a_link,
        a_folder_whose_marker_is_a_pipe,
    ],
)
def test_what_only_looks_like_a_folder_of_ours_stays(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / NAMED)
    before = sorted(tmp_path.rglob("*"))

    use(tmp_path)

    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_links_in_a_folder_that_looks_like_ours_lead_nowhere(tmp_path: Path) -> None:
    write_files(tmp_path, {"mine/text": "mine", f"{NAMED}/{MARKER}": TEXT})
    (tmp_path / NAMED / "folder").symlink_to(tmp_path / "mine")
    (tmp_path / NAMED / "below").mkdir()
    (tmp_path / NAMED / "below" / "folder").symlink_to(tmp_path / "mine")
    (tmp_path / NAMED / "below" / "name").hardlink_to(tmp_path / "mine" / "text")
    mkfifo(tmp_path / NAMED / "pipe")

    use(tmp_path)

    assert contents(tmp_path) == {"mine/text": b"mine"}
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.skipif(sys.platform == "win32", reason="paths are shorter there")
def test_a_folder_that_is_too_deep_to_remove_is_not_an_error(tmp_path: Path) -> None:
    write_files(tmp_path, {f"{NAMED}/{MARKER}": TEXT})
    folder = os.open(tmp_path / NAMED, os.O_RDONLY)
    for _ in range(3_000):
        os.mkdir("x", dir_fd=folder)
        below = os.open("x", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.close(folder)

    use(tmp_path)

    assert {path.name for path in tmp_path.iterdir()} <= {NAMED}
    subprocess.run(["/bin/rm", "-rf", NAMED], check=True, cwd=tmp_path)


@needs_kills
@pytest.mark.usefixtures("copies")
@pytest.mark.parametrize(
    "name",
    [
        "--json",  # what writes it writes all the others too
        *(pytest.param(each, marks=pytest.mark.slow)
          for each in ("--anonymize", "--csv", "--sarif", "--junit", "--markdown", "--grades")),
    ],
)  # fmt: skip
def test_a_result_in_one_file_is_the_old_or_the_new_one_and_what_a_kill_leaves_goes(
    run: Run, tmp_path: Path, name: str
) -> None:
    command = ("-q", "-j1", "--no-cache", "--no-html", name, "out/result", "a.py", "b.py")
    (tmp_path / "out").mkdir()
    run(*command)
    whole = (tmp_path / "out" / "result").read_bytes()
    for step in count():
        is_done = done_or_killed_before(step, lambda: run(*command))
        assert (tmp_path / "out" / "result").read_bytes() == whole
        run(*command)
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["result"]
        if is_done:
            break
    assert step > 2
