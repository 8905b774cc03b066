"""Report folders whose writers are killed, or that two runs write to at once."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from itertools import count
from pathlib import Path

import pytest

from mosslite.errors import OutputError
from mosslite.report.folder import refuse_folder_of_others, replacement
from tests.conftest import Run
from tests.kills import done_or_killed_before, needs_kills
from tests.pages import contents
from tests.posix import mkfifo
from tests.programs import PRIMES, QUEUE, write_files
from tests.tables import texts_of

OLD = {
    "index.html": "old",
    "style.css": "same",
    "pairs/1.html": "old",
    "pairs/2.html": "old",
    "submissions/1.html": "old",
}
NEW = {
    "index.html": "new",
    "style.css": "same",
    "pairs/1.html": "new",
    "pairs/3.html": "new",
    "groups/1.html": "new",
}
# What somebody put into the folder of a report, and into folders of it that stay, go and come.
OWN = {
    "notes.txt": "mine",
    "pairs/1.html.orig": "mine",
    "submissions/deep/er/notes.txt": "mine",
    "groups/notes.txt": "mine",
    "mine/index.html": "mine",
}
MARKER = ".mosslite-report"
INCOMPLETE = "<title>Incomplete report</title>"

# Writes one report after the other, all files of which say whose they are.
WRITER = texts_of("scripts")["WRITER"]


def write_report(folder: Path, files: Mapping[str, str]) -> None:
    with replacement(folder) as fresh:
        write_files(fresh, dict(files))


def texts(folder: Path) -> dict[str, str]:
    """Return the text of each file; links are followed."""
    return {name: content.decode() for name, content in contents(folder).items()}


def without(names: Iterable[str], files: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in files.items() if name not in {*names, MARKER}}


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Return a report with files of somebody else in its folders."""
    write_report(tmp_path / "report", OLD)
    write_files(tmp_path / "report", OWN)
    return tmp_path / "report"


def require_old_or_new(report: Path, old: Mapping[str, str]) -> None:
    found = texts(report)
    assert {name: found.get(name) for name in OWN} == OWN
    left = without(OWN, found)
    assert left in (old, NEW) or INCOMPLETE in left["index.html"]


@needs_kills
@pytest.mark.parametrize("was_there", [True, False])
def test_a_kill_at_any_step_leaves_the_old_report_the_new_one_or_a_notice_until_the_next_run(
    tmp_path: Path, report: Path, was_there: bool
) -> None:
    kinds = set()
    for step in count():
        folder = tmp_path / str(step) / "report"
        if was_there:
            shutil.copytree(report, folder)
        else:
            write_files(folder.parent, {"other.txt": "mine"})
        is_done = done_or_killed_before(step, lambda: write_report(folder, NEW))  # noqa: B023
        if was_there:
            require_old_or_new(folder, OLD)
        elif folder.exists():
            assert without((), texts(folder)) == NEW
        kinds.add((folder / "index.html").read_text() if folder.exists() else "")
        write_report(folder, NEW)
        assert without(OWN, texts(folder)) == NEW
        assert not was_there or without(NEW, texts(folder)) == OWN
        assert {path.name for path in folder.parent.iterdir()} - {"other.txt"} == {"report"}
        if is_done:
            break

    assert len(kinds) == 2 + was_there
    assert step > 10


@needs_kills
def test_what_two_killed_runs_began_is_cleared_away_by_the_third(
    tmp_path: Path, report: Path
) -> None:
    for first in range(0, 40, 3):
        done_or_killed_before(first, lambda: write_report(report, NEW))
        done_or_killed_before(40 - first, lambda: write_report(report, OLD))

        write_report(report, {"index.html": "last"})

        assert without(OWN, texts(report)) == {"index.html": "last"}
        assert {name: texts(report)[name] for name in OWN} == OWN
        assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_of_runs_at_the_same_time_the_last_one_leaves_a_whole_report_and_no_file_is_lost(
    tmp_path: Path, report: Path
) -> None:
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    runs = [
        subprocess.Popen([sys.executable, "-c", WRITER, name], cwd=tmp_path, env=paths)
        for name in ("ann", "bob", "cid")
    ]
    assert [run.wait() for run in runs] == [0, 0, 0]

    found = texts(report)
    last = found["index.html"]
    name, _ = last.split()
    pages = ("index.html", "pairs/1.html", f"pairs/{name}.html", f"{name}/1.html")
    assert without(OWN, found) == dict.fromkeys(pages, last)
    assert {name: found[name] for name in OWN} == OWN
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_files_of_somebody_else_are_not_even_moved(report: Path) -> None:
    (report / "link").symlink_to("notes.txt")
    before = {name: (report / name).lstat().st_ino for name in (*OWN, "link")}
    held = (report / "pairs").stat().st_ino

    write_report(report, NEW)

    assert {name: (report / name).lstat().st_ino for name in before} == before
    assert (report / "pairs").stat().st_ino == held


@pytest.mark.parametrize(
    "name", ["index.html", "groups", "style.css/notes.txt", "pairs/3.html/deep/notes.txt"]
)
def test_what_stands_in_the_way_of_the_next_report_leaves_all_as_it_was(
    tmp_path: Path, name: str
) -> None:
    report = tmp_path / "report"
    write_report(report, {"index.html": "old", "pairs/1.html": "old"})
    if name == "index.html":  # which a marker that is cut off does not list any more
        (report / MARKER).write_text("This folder", encoding="utf-8")
    else:
        write_files(report, {name: "mine"})
    before = contents(report)

    with pytest.raises(OutputError, match="is not part of the report"):
        write_report(report, NEW)

    assert contents(report) == before


@pytest.mark.parametrize(
    "name", ["../outside.txt", "{tmp_path}/outside.txt", "pairs/../../x", ".."]
)
def test_a_marker_that_somebody_made_up_removes_nothing_outside_of_the_folder(
    tmp_path: Path, report: Path, name: str
) -> None:
    write_files(tmp_path, {"outside.txt": "mine", "x": "mine", "elsewhere/1.html": "mine"})
    (tmp_path / "empty").mkdir()
    (report / "there").symlink_to(tmp_path / "elsewhere")
    with (report / MARKER).open("a", encoding="utf-8") as marker:
        marker.write(f"{name.format(tmp_path=tmp_path)}\nthere/1.html\n../empty/1.html\n\n/\n")

    write_report(report, NEW)

    kept = {name: text for name, text in texts(tmp_path).items() if not name.startswith("report/")}
    assert kept == {"outside.txt": "mine", "x": "mine", "elsewhere/1.html": "mine"}
    assert (tmp_path / "empty").is_dir()
    assert without(OWN, texts(report)) == NEW


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
@pytest.mark.parametrize("folder", ["pairs", "groups"])
def test_nothing_is_written_through_a_link_in_the_folder(tmp_path: Path, folder: str) -> None:
    write_files(tmp_path, {"elsewhere/1.html": "mine"})
    write_report(tmp_path / "report", {"index.html": "old", "pairs/1.html": "old"})
    shutil.rmtree(tmp_path / "report" / "pairs")
    (tmp_path / "report" / folder).symlink_to(tmp_path / "elsewhere")

    if folder == "groups":  # no report has made that
        with pytest.raises(OutputError, match="groups' is not part of the report"):
            write_report(tmp_path / "report", NEW)
    else:
        write_report(tmp_path / "report", NEW)

    assert contents(tmp_path / "elsewhere") == {"1.html": b"mine"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_marker_that_is_a_link_or_a_pipe_is_not_read(tmp_path: Path) -> None:
    write_files(tmp_path, {"report/index.html": "mine", "list": "first line\nindex.html\n"})
    for make in (lambda path: path.symlink_to(tmp_path / "list"), mkfifo):
        make(tmp_path / "report" / MARKER)
        with pytest.raises(OutputError):
            write_report(tmp_path / "report", NEW)
        (tmp_path / "report" / MARKER).unlink()

    assert texts(tmp_path) == {"report/index.html": "mine", "list": "first line\nindex.html\n"}


def test_a_folder_that_only_a_killed_run_has_written_to_can_be_written_to(tmp_path: Path) -> None:
    write_files(tmp_path, {"report/.mosslite-report": "", "a.py": QUEUE})
    refuse_folder_of_others(tmp_path / "report")


@needs_kills
@pytest.mark.slow
@pytest.mark.parametrize("option", ["-o", "--moss-html"])
def test_a_whole_run_puts_right_what_one_that_was_killed_has_left(
    run: Run, tmp_path: Path, option: str
) -> None:
    write_files(tmp_path, {f"hw/{n}.py": (QUEUE, PRIMES)[n % 2] for n in range(6)})
    command = ("-q", "-j1", *(["--no-html"] if option != "-o" else []), option, "report", "hw")
    run(*command)
    whole = contents(tmp_path / "report")
    write_files(tmp_path / "report", OWN)
    for step in (*range(5, 90, 8), *range(90, 400, 30)):
        done_or_killed_before(step, lambda: run(*command))
        assert run(*command).err == ""
        found = contents(tmp_path / "report")
        assert {name: found[name] for name in found if name not in OWN} == whole
        assert {name: found[name].decode() for name in OWN} == OWN
        assert {path.name for path in tmp_path.iterdir()} == {"hw", "report"}
