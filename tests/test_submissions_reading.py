from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from mosslite.options import Intake, Limits
from mosslite.records import Role, SourceFile
from mosslite.submissions.disk import NotReadError, OnDisk, located
from mosslite.submissions.entries import Entry
from mosslite.submissions.reading import Effort, read_entry

if TYPE_CHECKING:
    from pathlib import Path


def reason_of(entry: Entry, intake: Intake) -> str:
    with pytest.raises(NotReadError) as caught:
        read_entry(entry, intake, None, Effort(Role.CURRENT))
    return str(caught.value)


def test_an_entry_is_read_as_it_is_called_and_encoded() -> None:
    entry = Entry("hw.zip/ann/a.py", "ann/a.py", "print('Привет')".encode("cp1251"), is_given=True)
    assert read_entry(entry, Intake(encoding="cp1251"), None, Effort(Role.CURRENT)) == (
        SourceFile("ann/a.py", "print('Привет')", "cp1251", "option", is_given=True),
    )


def test_an_entry_may_hold_several_files() -> None:
    entry = Entry("a.html", "a.html", b"<p>seen<script>run()</script>")
    files = read_entry(entry, Intake(), None, Effort(Role.CURRENT))
    assert [each.name for each in files] == ["a.html", "a.html [javascript]"]
    assert [each.is_given for each in files] == [False, False]
    assert [each.name for each in read_entry(entry, Intake(), "html", Effort(Role.CURRENT))] == [
        "a.html"
    ]


def test_what_hinders_an_entry_is_reported() -> None:
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


# What a submission may take


def spent(role: Role = Role.CURRENT, size: int = 1 << 20) -> Effort:
    """Return the effort of a submission of which much is read, in files of a size."""
    effort = Effort(role)
    for _ in range(0, (24 if size < 1 << 16 else 12) << 20, size):
        effort.spend("a.py", size, [])
    return effort


def large(name: str, content: bytes) -> Entry:
    return Entry(name, name, content + b"\n" * (1 << 17))


CHUNKS = b"```{python}\nx = 1\n```\n```{r}\ny <- 2\n```\n"


def test_what_a_submission_has_too_much_of_is_read_as_it_stands_and_by_no_lexer() -> None:
    files = read_entry(large("a.Rmd", CHUNKS), Intake(), None, spent())

    assert [(each.name, each.code, each.is_plain) for each in files] == [("a.Rmd", None, True)]
    with_care = read_entry(large("a.Rmd", CHUNKS), Intake(), None, Effort(Role.CURRENT))
    assert [(each.name, each.is_plain) for each in with_care] == [
        ("a.Rmd", False),
        ("a.Rmd [python]", False),
    ]


@pytest.mark.parametrize("content", ["ä".encode(), "ä".encode("latin-1")])
def test_a_plain_file_is_in_utf_8_or_latin_1_whatever_it_declares(content: bytes) -> None:
    entry = large("a.py", b"# coding: cp1251\n" + content)

    (file,) = read_entry(entry, Intake(encoding="koi8-r"), None, spent())

    assert file.text.split()[-1] == "ä"


def test_a_file_of_usual_size_is_read_with_care_whatever_lies_beside_it() -> None:
    entry = Entry("a.Rmd", "a.Rmd", CHUNKS)

    assert len(read_entry(entry, Intake(), None, spent())) == 2
    assert len(read_entry(entry, Intake(), None, spent(size=1 << 10))) == 1


@pytest.mark.parametrize("role", [Role.BASE, Role.REFERENCE])
def test_what_the_instructor_gives_is_read_with_care_however_much_it_is(role: Role) -> None:
    assert len(read_entry(large("a.Rmd", CHUNKS), Intake(), None, spent(role))) == 2


def test_what_cannot_be_read_counts_too() -> None:
    effort = Effort(Role.CURRENT)
    while not effort.is_spent("a", 1 << 20):
        with pytest.raises(NotReadError):
            read_entry(Entry("a", "a", bytes(1 << 20)), Intake(), None, effort)


def test_a_notebook_that_is_large_for_its_outputs_is_not_read_plainly() -> None:
    limits = Limits(file=1 << 17)
    entry = Entry("a.ipynb", "a.ipynb", b"{}" + b"\n" * (3 << 19))

    with pytest.raises(NotReadError, match="as the submission is too large"):
        read_entry(entry, Intake(limits=limits), None, spent())
