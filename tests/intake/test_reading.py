import os
from pathlib import Path

import pytest

from mosslite.intake.entries import Entry, LimitError, NotReadError, OnDisk, located
from mosslite.intake.reading import Effort, read_entry
from mosslite.options import Intake, Limits
from mosslite.records import Role, SourceFile


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


LONG, SHORT = (Entry("a.py", "a.py", b"x = 1\n" + b"\n" * size) for size in (1 << 17, 1))


def test_of_a_submission_that_is_too_large_no_further_file_is_read() -> None:
    with pytest.raises(LimitError, match="as the submission is too large"):
        read_entry(LONG, Intake(), None, spent())


def test_a_file_of_usual_size_is_read_whatever_lies_beside_it() -> None:
    assert read_entry(SHORT, Intake(), None, spent())
    with pytest.raises(LimitError):
        read_entry(SHORT, Intake(), None, spent(size=1 << 10))


@pytest.mark.parametrize("role", [Role.BASE, Role.REFERENCE])
def test_what_the_instructor_gives_is_read_however_much_it_is(role: Role) -> None:
    assert read_entry(LONG, Intake(), None, spent(role))


def test_a_larger_limit_of_a_file_is_one_of_the_submission_too() -> None:
    limits = Limits(file=2 * Limits().file)
    effort = Effort(Role.CURRENT, limits)
    for _ in range(12):
        effort.spend("a.py", 1 << 20, [])

    assert read_entry(LONG, Intake(limits=limits), None, effort)


def test_what_cannot_be_read_counts_too() -> None:
    effort = Effort(Role.CURRENT)
    for _ in range(12):
        with pytest.raises(NotReadError, match="is binary"):
            read_entry(Entry("a", "a", bytes(1 << 20)), Intake(), None, effort)
    with pytest.raises(LimitError):
        read_entry(Entry("a", "a", b"text" * (1 << 18)), Intake(), None, effort)
