from __future__ import annotations

import os
import signal
import stat
import sys
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mosslite.errors import OutputError
from mosslite.messages import M_
from mosslite.records import Location
from mosslite.report import folder as folder_module
from mosslite.report.folder import batch_of, refuse_folder_of_others, replacement
from tests.pages import contents, write
from tests.reports import three_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

    from _typeshed import TraceFunction

TEMPLATE_BUG = Location(document=9, start_char=0, stop_char=1, first_line=1, last_line=1)


def test_a_new_report_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    write(replace(three_pairs(), pairs=()), tmp_path / "report")
    assert "pairs/1.html" not in contents(tmp_path / "report")
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_what_a_report_has_not_written_stays_in_its_folder(tmp_path: Path) -> None:
    report = write(three_pairs(), tmp_path / "report").parent
    notes, link = report / "pairs" / "notes" / "ann.txt", report / "review.json"
    notes.parent.mkdir()
    notes.write_text("ask her", encoding="utf-8")
    link.symlink_to("elsewhere.json")

    for _ in range(2):
        write(replace(three_pairs(), pairs=()), report)

    assert notes.read_text(encoding="utf-8") == "ask her"
    assert link.readlink() == Path("elsewhere.json")
    assert "pairs/1.html" not in contents(report)


def test_what_stands_where_a_report_has_something_is_never_lost(tmp_path: Path) -> None:
    report = write(replace(three_pairs(), pairs=()), tmp_path / "report").parent
    report.joinpath("pairs").write_text("my own", encoding="utf-8")

    with pytest.raises(OutputError, match="pairs' is not part of the report"):
        write(three_pairs(), report)

    assert report.joinpath("pairs").read_text(encoding="utf-8") == "my own"


def test_what_cannot_be_listed_in_the_folder_is_never_lost(tmp_path: Path) -> None:
    report = write(three_pairs(), tmp_path / "report").parent
    notes = report / "notes"
    notes.mkdir(mode=0o300)
    if os.access(notes, os.R_OK):
        pytest.skip("this user may read everything")

    with pytest.raises(OutputError, match="permission denied"):
        write(three_pairs(), report)

    assert notes.is_dir()
    notes.chmod(0o700)


@pytest.mark.parametrize("name", [".", ".."])
def test_the_current_folder_is_not_replaced(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(OutputError, match="current"):
        write(three_pairs(), Path(name))


@pytest.mark.skipif(sys.platform != "linux", reason="what is mounted there is known")
def test_a_mount_point_is_refused_before_there_is_anything_to_move() -> None:
    with pytest.raises(OutputError, match="mount point"):
        refuse_folder_of_others(Path("/dev"))


@pytest.mark.parametrize("name", ["hw", "h\udcffw", "\ud800", "h\nw\u2028index.html\x85", '"}'])
def test_a_report_knows_its_batch_whatever_its_folder_is_called(tmp_path: Path, name: str) -> None:
    for about, kept in ((M_("one per folder in %(folder)s", name), True), (name, False)):
        with replacement(tmp_path / "report", about=about) as fresh:
            (fresh / "index.html").write_text("new")
        assert batch_of(tmp_path / "report") == (about if kept else None)
        assert sorted(each.name for each in (tmp_path / "report").iterdir())[1:] == ["index.html"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    assert write(three_pairs(), tmp_path / "report").is_file()


def test_a_report_is_as_open_to_others_as_any_new_folder(tmp_path: Path) -> None:
    (tmp_path / "any").mkdir()
    write(three_pairs(), tmp_path / "report")
    assert (tmp_path / "report").stat().st_mode == (tmp_path / "any").stat().st_mode


def test_somebody_elses_folder_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "index.html").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError) as refused:
        write(three_pairs(), tmp_path / "results")
    shown = repr(str(tmp_path / "results"))
    assert str(refused.value) == (
        f"{shown} contains files that are not a mosslite report: choose another folder with -o"
    )
    assert contents(tmp_path) == {"results/index.html": b"mine"}


def test_a_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError) as refused:
        write(three_pairs(), tmp_path / "results")
    assert str(refused.value) == f"{str(tmp_path / 'results')!r} is a file: choose a folder with -o"
    assert contents(tmp_path) == {"results": b"mine"}


@pytest.mark.skipif(sys.platform == "win32", reason="a folder has no such permissions there")
def test_a_report_that_was_closed_to_others_stays_closed(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    (tmp_path / "report").chmod(0o700)
    write(three_pairs(), tmp_path / "report")
    assert stat.S_IMODE((tmp_path / "report").stat().st_mode) == 0o700


def test_a_folder_that_would_be_refused_can_be_asked_about_before_the_run(tmp_path: Path) -> None:
    refuse_folder_of_others(tmp_path / "new")
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match="contains files"):
        refuse_folder_of_others(tmp_path)


@pytest.mark.parametrize("name", ["x.html", "X.HTM"])
def test_a_folder_is_not_made_with_the_name_of_a_page(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    with pytest.raises(OutputError, match="is the name of a page, but the report is a folder"):
        refuse_folder_of_others(folder)
    folder.mkdir()
    refuse_folder_of_others(folder)


def test_a_place_where_no_folder_can_be_is_an_error_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError) as refused:
        write(three_pairs(), tmp_path / "file" / "report")
    assert str(refused.value).startswith("cannot write the report to ")
    assert "\n" not in str(refused.value)


def test_a_crash_in_the_middle_leaves_the_old_report_and_no_rubbish(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    before = contents(tmp_path)
    good = three_pairs()
    first, *others = good.pairs
    bad = replace(first, matches=(first.matches[0]._replace(left=TEMPLATE_BUG),))
    with pytest.raises(IndexError):
        write(replace(good, pairs=(*others, bad)), tmp_path / "report")
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def ctrl_c_at(step: int, code: CodeType) -> TraceFunction:
    """Return what ``sys.settrace`` takes to press Ctrl-C once, before a step of a function."""
    steps = count()

    def trace(frame: FrameType, _event: str, _argument: object) -> TraceFunction | None:
        if frame.f_code is not code:
            return None
        frame.f_trace_opcodes = True
        if next(steps) == step:
            signal.raise_signal(signal.SIGINT)
        return trace

    return trace


def replaced(folder: Path, text: str, *, interrupted_at: int) -> bool:
    """Replace a report's page, and return whether nothing interfered."""
    before, handler = sys.gettrace(), signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with replacement(folder) as fresh:
            (fresh / "index.html").write_text(text, encoding="utf-8")
            sys.settrace(ctrl_c_at(interrupted_at, folder_module._publish.__code__))
        sys.settrace(before)
    except KeyboardInterrupt:
        return False
    finally:
        sys.settrace(before)
        signal.signal(signal.SIGINT, handler)
    return True


def test_an_interrupt_at_any_step_of_the_move_leaves_the_old_report_or_the_new_one(
    tmp_path: Path,
) -> None:
    replaced(tmp_path / "report", "0", interrupted_at=-1)
    for step in count():
        is_done = replaced(tmp_path / "report", str(step + 1), interrupted_at=step)
        found = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
        assert found in (str(step), str(step + 1))
        assert [path.name for path in tmp_path.iterdir()] == ["report"]
        if is_done:
            break

    assert step > 50


@contextmanager
def no_file_bigger_than(size: int) -> Iterator[None]:
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_full_disk_leaves_the_old_report_and_no_rubbish(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "report")
    before = contents(tmp_path)
    changed = replace(three_pairs(), warnings=("new",))
    with no_file_bigger_than(2000), pytest.raises(OutputError, match="cannot write the report to"):
        write(changed, tmp_path / "report")
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_to_a_report_stays_a_link(tmp_path: Path) -> None:
    write(three_pairs(), tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write(replace(three_pairs(), pairs=()), tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert "pairs/1.html" not in contents(tmp_path / "real")
