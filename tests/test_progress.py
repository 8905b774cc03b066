import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import ClassVar

import pytest
from click import Context
from hypothesis import given
from hypothesis import strategies as st

from mosslite.cli.commands import LazyCommands
from mosslite.cli.terminal import Course
from tests.builders import LAW

Steps = list[tuple[str, int, int]]


def run_of(
    files: int, pairs: int, *, known: int = 0, has_pages: bool = True
) -> Iterator[tuple[str, int, int]]:
    """Return the progress of a run with some of its files in the cache."""
    yield "reading", 0, 1
    for done in range(known or 1, files + 1):
        yield "tokenizing", done, files
    for done in range(1, 9):
        yield "comparing", done, 8
    for stage in ("matching", "writing")[: 1 + has_pages]:
        for done in range(1, pairs + 1):
            yield stage, done, pairs


def shares(course: Course, steps: Iterator[tuple[str, int, int]]) -> list[float]:
    told = [course.progress(*step) for step in steps]
    return [spent / max(total, 1) for spent, total in told]


@LAW
@given(st.integers(2, 60), st.integers(0, 60), st.integers(0, 60), st.booleans())
def test_it_begins_with_nothing_ends_with_all_and_never_goes_back(
    files: int, most: int, known: int, has_pages: bool
) -> None:
    pairs = min(most or files, files * (files - 1) // 2)
    steps = run_of(files, pairs, known=min(known, files), has_pages=has_pages)
    course = shares(Course(pairs=most, has_pages=has_pages), steps)
    assert course[0] == 0
    assert course[-1] == pytest.approx(1)
    assert course == sorted(course)


def test_fewer_pairs_than_expected_are_less_work() -> None:
    course = shares(Course(pairs=250, has_pages=True), run_of(100, 3))
    assert course[-1] == pytest.approx(1)
    assert course == sorted(course)


def test_files_that_the_cache_has_are_no_work() -> None:
    course = Course(pairs=10, has_pages=True)
    steps = list(run_of(100, 10, known=100))
    assert course.progress(*steps[1])[0] == 0
    assert shares(course, iter(steps[2:]))[-1] == pytest.approx(1)


def test_what_is_not_written_is_no_work() -> None:
    totals = [
        Course(pairs=10, has_pages=has_pages).progress("tokenizing", 1, 100)[1]
        for has_pages in (True, False)
    ]
    assert totals[0] > totals[1]


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


class Probes(LazyCommands):
    table: ClassVar = {"probe": ("probe_of_a_command", "Note what is shown.")}


@pytest.mark.parametrize(
    ("arguments", "locale", "shown"),
    [([], "en", "starting ..."), ([], "de", "starten ..."), (["-q"], "en", "")],
)
def test_a_terminal_shows_that_a_command_is_being_imported(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    locale: str,
    shown: str,
) -> None:
    text = "import sys\nprobe = sys.stderr.getvalue()\n"
    (tmp_path / "probe_of_a_command.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "probe_of_a_command", raising=False)
    monkeypatch.setattr(sys, "argv", ["mosslite", "probe", *arguments, "--locale", locale])
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    group = Probes("mosslite")

    found = group.get_command(Context(group), "probe")

    assert str(found).strip() == shown
    assert terminal.getvalue().rpartition("\r")[2] == ""
