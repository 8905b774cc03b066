"""Archives of earlier terms: what goes in comes out, and nothing is lost."""

import json
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from mosslite.errors import ArchiveError
from mosslite.terms.adding import front_ends
from mosslite.terms.archive import Archive
from tests.conftest import ADD, Run
from tests.programs import PRIMES, QUEUE, WORDS, write_files
from tests.tables import table

DAMAGED = "archive 'a.mosslite' is damaged: restore it from a backup\n"

# --- what is kept --------------------------------------------------------------------------------


@pytest.mark.usefixtures("filled")
def test_what_is_added_is_listed_by_term_and_name(run: Run) -> None:
    assert run("archive", "list", "a.mosslite").out == "2025/ann.py\n2025/bob.py\n2025/cid\n"


@pytest.mark.usefixtures("filled")
def test_an_archive_tells_what_shaped_it(run: Run) -> None:
    assert run("archive", "show", "a.mosslite").out == (
        "2025: 3 submissions\n"
        "code: k = 12, t = 20\n"
        "prose: k = 15, t = 20\n"
        "language: by file name\n"
        f"front-ends: {front_ends()}\n"
        "without text: 0 submissions\n"
    )


@pytest.mark.usefixtures("filled")
def test_an_export_holds_every_text(run: Run) -> None:
    exported = json.loads(run("archive", "export", "a.mosslite", "-").out)

    files = [file for each in exported["submissions"] for file in each["files"]]
    assert [file["text"] for file in files] == [QUEUE, PRIMES, WORDS]


def test_without_text_an_archive_holds_no_word_of_it(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": f"# by Ann Example\n{QUEUE}"})
    run(*ADD, "--no-text", "old")

    exported = json.loads(run("archive", "export", "a.mosslite", "-").out)
    assert exported["submissions"][0]["files"][0]["text"] is None
    with Archive(str(tmp_path / "a.mosslite")) as archive:
        (kept,) = archive.files_of(archive.submissions()[0].number)
    assert set(kept.file.text) == {".", " ", "\n"}
    assert kept.file.text.count("\n") == QUEUE.count("\n") + 1


@pytest.mark.usefixtures("filled")
def test_the_same_submission_is_not_added_twice(run: Run, filled: Path) -> None:
    before = filled.read_bytes()

    outcome = run(*ADD, "old")

    assert outcome.code == 2
    assert outcome.err == (
        "mosslite: archive 'a.mosslite' already contains 'ann.py' in term '2025': "
        "give another --term, or remove it first\n"
    )
    assert filled.read_bytes() == before


def test_what_is_removed_leaves_no_trace_in_the_file(run: Run, filled: Path) -> None:
    with Archive(str(filled)) as archive:
        number = next(each.number for each in archive.submissions() if each.name == "ann.py")
        print_ = archive.fingerprints_of(number).astype("<u8").tobytes()
    assert print_ in filled.read_bytes() or len(print_) > 4000

    assert run("archive", "remove", "a.mosslite", "--student", "ann.py").code == 0

    assert run("archive", "list", "a.mosslite").out == "2025/bob.py\n2025/cid\n"
    assert b"ann.py" not in filled.read_bytes()
    assert print_ not in filled.read_bytes()
    assert run("archive", "verify", "a.mosslite").out == "OK: 2 submissions verified\n"


@pytest.mark.parametrize("student", ["a\nb.py", r"a\nb.py", r"2025/a\nb.py"])
@pytest.mark.skipif(sys.platform == "win32", reason="no name has a line feed there")
def test_a_student_is_removed_by_the_name_that_is_listed(
    run: Run, tmp_path: Path, student: str
) -> None:
    write_files(tmp_path, {"old/a\nb.py": QUEUE})
    run(*ADD, "old")

    assert run("archive", "list", "a.mosslite").out == r"2025/a\nb.py" + "\n"
    assert run("archive", "remove", "a.mosslite", "--student", student).code == 0
    assert run("archive", "list", "a.mosslite").out == ""


@pytest.mark.usefixtures("filled")
def test_a_removal_says_what_it_is_of(run: Run) -> None:
    assert run("archive", "remove", "a.mosslite").err.startswith(
        "mosslite: nothing to remove: give --term"
    )
    assert run("archive", "remove", "a.mosslite", "--term", "1999").err == (
        "mosslite: no submission in archive 'a.mosslite' matches: 'mosslite archive list' shows "
        "all\n"
    )


# --- what is wrong with a file -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"no database at all" * 100, "is not a mosslite archive, or is damaged"),
        (b"", "is empty: 'mosslite archive add' adds submissions"),
    ],
)
def test_a_foreign_file_is_an_error(run: Run, tmp_path: Path, content: bytes, what: str) -> None:
    (tmp_path / "a.mosslite").write_bytes(content)

    assert run("archive", "verify", "a.mosslite").err == f"mosslite: archive 'a.mosslite' {what}\n"


def test_another_programs_database_is_left_alone(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE})
    with closing(sqlite3.connect(tmp_path / "a.mosslite")) as base:
        base.execute("CREATE TABLE mine (x)")
        base.commit()
    before = (tmp_path / "a.mosslite").read_bytes()

    outcome = run(*ADD, "old")

    assert outcome.err == (
        "mosslite: 'a.mosslite' is an SQLite database, but not a mosslite archive\n"
    )
    assert (tmp_path / "a.mosslite").read_bytes() == before


def test_a_missing_archive_is_only_made_to_add_to_it(run: Run, tmp_path: Path) -> None:
    assert "does not exist" in run("archive", "list", "a.mosslite").err
    assert not (tmp_path / "a.mosslite").exists()


def test_an_archive_of_a_newer_version_is_refused(run: Run, filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as base, base:
        base.executescript("PRAGMA user_version = 99; CREATE TABLE something_new (x)")

    assert run("archive", "list", "a.mosslite").err == (
        "mosslite: archive 'a.mosslite' was written by a newer mosslite: update mosslite\n"
    )


@table("change", "problem")
def test_verifying_finds_what_is_not_as_it_was_written(
    run: Run, filled: Path, change: str, problem: str
) -> None:
    with closing(sqlite3.connect(filled)) as base:
        base.executescript(change)

    outcome = run("archive", "verify", "a.mosslite")

    assert outcome.code == 1
    assert outcome.out.startswith(problem)


def test_what_is_corrupt_is_said_in_the_language_of_the_user(
    run: Run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(filled)) as base:
        base.executescript("UPDATE submissions SET name = 'eve' WHERE id = 1")
    monkeypatch.setenv("MOSSLITE_LOCALE", "de")

    assert run("archive", "verify", "a.mosslite").out.startswith("Abgabe 1 ist besch\u00e4digt")


@pytest.mark.usefixtures("filled")
def test_verifying_what_is_not_an_archive_is_wrong_use(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"x.txt": WORDS})
    with closing(sqlite3.connect(tmp_path / "x.db")) as base:
        base.execute("CREATE TABLE files (id)")
        base.commit()

    for name in ("x.txt", "x.db", "gone", "old"):
        outcome = run("archive", "verify", name)
        assert (outcome.code, outcome.out) == (2, "")


# --- at the same time ----------------------------------------------------------------------------


def test_a_writer_that_waits_in_vain_says_so(
    run: Run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mosslite.terms.archive._PATIENCE", 0.05)
    with closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        outcome = run("archive", "add", "a.mosslite", "--term", "2026", "old")
        listed = run("archive", "list", "a.mosslite")

    assert outcome.err == (
        "mosslite: archive 'a.mosslite' is in use by another process: try again later\n"
    )
    assert listed.code == 0


def test_what_is_read_at_one_moment_is_not_changed_by_others(
    run: Run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mosslite.terms.archive._PATIENCE", 0.05)
    remove = ("archive", "remove", "a.mosslite", "--term", "2025")
    with Archive(str(filled)) as archive, archive.at_one_moment():
        seen = archive.submissions()
        assert "is in use by another process" in run(*remove).err
        assert all(archive.files_of(each.number) for each in seen)
        assert archive.shared(archive.fingerprints_of(1))

    assert run(*remove).code == 0


def test_a_full_disk_leaves_the_archive_as_it_was(
    run: Run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = filled.read_bytes()
    pages = len(before) // 4096
    monkeypatch.setattr(
        "mosslite.terms.archive._WRITING",
        f"PRAGMA journal_mode = DELETE; PRAGMA max_page_count = {pages}",
    )
    write_files(filled.parent, {"more/d.py": "\n".join(f"{PRIMES}x{i} = {i}" for i in range(400))})

    outcome = run("archive", "add", "a.mosslite", "--term", "2026", "more")

    assert outcome.err == (
        "mosslite: archive 'a.mosslite' cannot be changed: the disk is full; nothing was changed\n"
    )
    assert filled.read_bytes() == before


def test_what_a_killed_writer_left_half_done_is_undone_by_the_next_reader(
    run: Run, filled: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as writer:
        writer.execute("PRAGMA cache_size = 1")
        writer.execute("BEGIN")
        writer.execute("UPDATE files SET about = hex(zeroblob(9999))")
        shutil.copyfile("a.mosslite", "b.mosslite")
        shutil.copyfile("a.mosslite-journal", "b.mosslite-journal")
        writer.execute("ROLLBACK")
    assert (tmp_path / "b.mosslite").read_bytes() != filled.read_bytes()

    assert run("archive", "verify", "b.mosslite").out == "OK: 3 submissions verified\n"
    assert not (tmp_path / "b.mosslite-journal").exists()


# --- what it is opened for -----------------------------------------------------------------------


def test_an_archive_that_is_open_for_reading_is_not_changed(filled: Path) -> None:
    before = filled.read_bytes()

    with Archive(str(filled)) as archive, pytest.raises(ArchiveError, match="open for reading"):
        archive.remove([1])

    assert filled.read_bytes() == before


def test_what_an_archive_does_not_have_is_no_damage(filled: Path) -> None:
    with Archive(str(filled)) as archive:
        for ask in (archive.files_of, archive.fingerprints_of):
            with pytest.raises(ArchiveError, match="has no submission of number 99"):
                ask(99)
    with pytest.raises(ArchiveError, match="cannot be used: Cannot operate on a closed database"):
        archive.shape()


def test_an_archive_that_cannot_be_used_is_an_archive_error(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="is not a file"):
        Archive(str(tmp_path))


@pytest.mark.usefixtures("filled")
def test_front_ends_of_another_version_read_an_archive_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"q.py": QUEUE})
    before = front_ends()
    monkeypatch.setattr("mosslite.terms.adding.front_ends", lambda: "others")

    for command in (("query", "a.mosslite", "q.py"), ("--archive", "a.mosslite", "old")):
        assert run(*command).err == (
            "mosslite: archive 'a.mosslite' was built by a different mosslite or Pygments "
            f"(front-ends {before} instead of others): run 'mosslite archive rebuild'\n"
        )
    assert run("archive", "rebuild", "a.mosslite").code == 0
    assert run("query", "a.mosslite", "q.py").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such right there")
@pytest.mark.usefixtures("filled")
def test_an_archive_without_the_right_to_write_can_be_read(run: Run, filled: Path) -> None:
    filled.chmod(0o444)
    before = filled.read_bytes()

    assert run("archive", "verify", "a.mosslite").code == 0
    assert run("-q", "--no-html", "--archive", "a.mosslite", "old").code == 0
    assert filled.read_bytes() == before
    assert sorted(path.name for path in filled.parent.iterdir()) == ["a.mosslite", "old"]


def test_a_damaged_name_of_a_table_is_an_error(run: Run, filled: Path) -> None:
    whole = filled.read_bytes()
    filled.write_bytes(whole.replace(b"CREATE TABLE files", b"CREATE TABLE \xf5iles"))

    assert run("archive", "list", "a.mosslite").err == (
        "mosslite: archive 'a.mosslite' is damaged: restore it from a backup\n"
    )


@pytest.mark.parametrize("size", [100, 4096, 8192, None])
def test_verifying_tells_of_a_file_that_is_cut_off(
    run: Run, filled: Path, size: int | None
) -> None:
    whole = filled.read_bytes()
    filled.write_bytes(whole[: size or len(whole) // 2])

    outcome = run("archive", "verify", "-q", "a.mosslite")

    assert (outcome.code, outcome.out, outcome.err) == (1, DAMAGED, "")
    assert run("archive", "list", "a.mosslite").code == 2


@pytest.mark.parametrize("place", [3, 16, 63, 68, 71])
def test_verifying_tells_of_one_flipped_bit_in_the_header(
    run: Run, filled: Path, place: int
) -> None:
    whole = bytearray(filled.read_bytes())
    whole[place] ^= 1
    filled.write_bytes(whole)

    outcome = run("archive", "verify", "a.mosslite")

    assert (outcome.code, outcome.out, outcome.err) == (1, DAMAGED, "")


@pytest.mark.usefixtures("filled")
def test_damaged_bytes_are_an_error_and_never_a_crash(run: Run, filled: Path) -> None:
    whole = filled.read_bytes()
    chance = np.random.default_rng(7)
    exported = run("archive", "export", "a.mosslite", "-").out
    write_files(filled.parent, {"new/zoe.py": QUEUE, "new/yan.py": WORDS})
    for place in chance.integers(0, len(whole), 12).tolist():
        stop = place + 200
        filled.write_bytes(
            whole[:place] + chance.bytes(min(200, len(whole) - place)) + whole[stop:]
        )
        verified = run("archive", "verify", "a.mosslite").code
        # Bytes that no page uses may be anything.
        assert verified or run("archive", "export", "a.mosslite", "-").out == exported
        assert run("-q", "--no-html", "--archive", "a.mosslite", "new").code in {0, 2}
        assert run("query", "a.mosslite", "new/zoe.py").code in {0, 2}
