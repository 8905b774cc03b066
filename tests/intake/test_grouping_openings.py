"""Between a path and its bytes each file is opened seldom, and each batch recognized once."""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from mosslite.intake import collect
from mosslite.intake.grouping import recognize
from mosslite.records import Batch, Inputs
from tests.batches import hand_in
from tests.exports import STUDENTS, Student, canvas_export, moodle_export
from tests.programs import PRIMES, QUEUE

_OPENED: list[Counter[str]] = []


def _count(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _OPENED and isinstance(arguments[0], str):
        _OPENED[-1][os.path.relpath(arguments[0])] += 1


sys.addaudithook(_count)  # one cannot be removed, so it counts only where it is asked to


@pytest.fixture(autouse=True)
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    monkeypatch.chdir(tmp_path)
    _OPENED.append(Counter())
    yield _OPENED[-1]
    _OPENED.pop()


class Recognitions:
    """Counts the calls of ``recognize``, as a profiler does, while a batch is read."""

    def __init__(self) -> None:
        self.count = 0

    def _profile(self, frame: FrameType, event: str, _argument: object) -> None:
        self.count += event == "call" and frame.f_code is recognize.__code__

    def collect(self, *paths: str) -> Batch:
        sys.setprofile(self._profile)
        try:
            return collect(Inputs(paths))
        finally:
            sys.setprofile(None)


# More students than sections that are looked at one by one.
STUDENT_ZIP = {"main.py": QUEUE, "lib/primes.py": PRIMES}
MANY = [Student(f"Ann{n}", "Lee", 340900 + n, {"hw.py": QUEUE}) for n in range(8)]


@pytest.mark.parametrize("export", [canvas_export(MANY), moodle_export(MANY)])
@pytest.mark.parametrize("form", ["hw", "hw.zip"])
def test_an_export_is_recognized_once_and_opened_twice(
    export: dict[str, str], form: str, opened: Counter[str]
) -> None:
    hand_in(form, export)
    opened.clear()
    recognitions = Recognitions()
    assert len(recognitions.collect(form).submissions) == len(MANY)
    assert recognitions.count == 1
    assert max(count for path, count in opened.items() if Path(path).is_file()) <= 2


def test_each_archive_of_a_student_is_opened_to_recognize_and_to_read_it(
    opened: Counter[str],
) -> None:
    for n, student in enumerate(MANY):
        name = f"lee_{student.number}_{n + 208490200}_hw.zip"
        hand_in(f"hw/{name}", STUDENT_ZIP)
    opened.clear()
    recognitions = Recognitions()
    assert len(recognitions.collect("hw").submissions) == len(MANY)
    assert recognitions.count == 1
    assert {opened[f"hw/{path.name}"] for path in Path("hw").iterdir()} == {2}


def test_only_a_few_archives_of_a_plain_folder_are_looked_at_as_sections(
    opened: Counter[str],
) -> None:
    for n in range(20):
        hand_in(f"hw/s{n:02}.zip", STUDENT_ZIP)
    opened.clear()
    recognitions = Recognitions()
    assert len(recognitions.collect("hw").submissions) == 20
    counts = Counter(count for path, count in opened.items() if path.endswith(".zip"))
    assert counts == {2: 17, 3: 3}
    assert recognitions.count == 1 + 3


@pytest.mark.parametrize("paths", [["hw"], ["hw/a.zip", "hw/b.zip"]])
def test_each_section_is_recognized_once(paths: list[str], opened: Counter[str]) -> None:
    hand_in("hw/a.zip", canvas_export(MANY))
    hand_in("hw/b.zip", canvas_export(STUDENTS))
    opened.clear()
    recognitions = Recognitions()
    assert len(recognitions.collect(*paths).submissions) == len(MANY) + len(STUDENTS)
    assert opened["hw/a.zip"] == opened["hw/b.zip"] == 3  # what it is, what is in it, its bytes
    assert recognitions.count == 2 + (len(paths) == 1)
