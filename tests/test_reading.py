from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from mosslite.intake.disk import OnDisk, located
from mosslite.intake.entries import Entry, NotReadError
from mosslite.intake.reading import read_entry
from mosslite.model import SourceFile
from mosslite.options import Intake, Limits

if TYPE_CHECKING:
    from pathlib import Path


def reason_of(entry: Entry, intake: Intake) -> str:
    with pytest.raises(NotReadError) as caught:
        read_entry(entry, intake, None)
    return str(caught.value)


def test_an_entry_is_read_as_it_is_called_and_encoded() -> None:
    entry = Entry("hw.zip/ann/a.py", "ann/a.py", "print('Привет')".encode("cp1251"), is_given=True)
    assert read_entry(entry, Intake(encoding="cp1251"), None) == (
        SourceFile("ann/a.py", "print('Привет')", "cp1251", "option", is_given=True),
    )


def test_an_entry_may_hold_several_files() -> None:
    entry = Entry("a.html", "a.html", b"<p>seen<script>run()</script>")
    files = read_entry(entry, Intake(), None)
    assert [each.name for each in files] == ["a.html", "a.html [javascript]"]
    assert [each.is_given for each in files] == [False, False]
    assert [each.name for each in read_entry(entry, Intake(), "html")] == ["a.html"]


def test_what_hinders_an_entry_is_told() -> None:
    intake = Intake(limits=Limits(file=4))
    assert reason_of(Entry("a", "a", obstacle="is encrypted"), intake) == "is encrypted"
    assert reason_of(Entry("a", "a", b"12345"), intake).startswith("is larger than 4 bytes")
    assert reason_of(Entry("a", "a", b"\0"), intake) == "is binary"


def test_what_cannot_be_opened_is_refused_in_the_words_of_the_operating_system(
    tmp_path: Path,
) -> None:
    missing, loop = tmp_path / "missing", tmp_path / "loop"
    loop.symlink_to("loop")
    for path, reason in (
        (missing, "cannot be read: no such file or directory"),
        (loop, "is a symbolic link, which is not followed"),
    ):
        assert reason_of(Entry("a", "a", OnDisk(str(path))), Intake()) == reason


def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("text")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    entry = Entry("secret", "secret", located(str(path)))
    assert reason_of(entry, Intake()) == "cannot be read: permission denied"
