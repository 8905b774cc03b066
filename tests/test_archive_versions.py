"""Archives that an earlier version of mosslite wrote."""

from __future__ import annotations

import gzip
import random
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mosslite.errors import ArchiveError
from mosslite.history import Archive
from mosslite.history.tables import VERSION
from tests.kills import done_or_killed_beyond, needs_kills
from tests.programs import PRIMES, QUEUE, WORDS, write_files

if TYPE_CHECKING:
    from tests.conftest import Run

# Three submissions with their texts, and one without.
FIRST = Path(__file__).parent / "data" / "archive-1.mosslite.gz"
NAMES = ["2025/ann.py", "2025/bob.py", "2025/cid", "2026/dan.py"]
REBUILD = ("archive", "rebuild", "a.mosslite", "--keep-tokens")
OLDER = (
    "mosslite: archive 'a.mosslite' was written by an older mosslite: run 'mosslite archive "
    "rebuild'\n"
)


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """Put an archive of version 1 into the current folder."""
    path = tmp_path / "a.mosslite"
    path.write_bytes(gzip.decompress(FIRST.read_bytes()))
    return path


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as base:
        return int(base.execute("PRAGMA user_version").fetchone()[0])


@pytest.mark.parametrize(
    "command",
    [
        ("archive", "list", "a.mosslite"),
        ("archive", "show", "a.mosslite"),
        ("archive", "verify", "a.mosslite"),
        ("archive", "export", "a.mosslite", "-"),
        ("query", "a.mosslite", "new/zoe.py"),
        ("-q", "--no-html", "--archive", "a.mosslite", "new"),
    ],
)
def test_an_archive_of_version_1_is_not_read_but_it_is_said_what_helps(
    run: Run, first: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    write_files(tmp_path, {"new/zoe.py": QUEUE, "new/yan.py": PRIMES})
    before = first.read_bytes()

    outcome = run(*command)

    assert (outcome.code, outcome.out, outcome.err) == (2, "", OLDER)
    assert first.read_bytes() == before


def test_an_archive_of_version_1_that_is_rebuilt_answers_as_a_new_one(
    run: Run, first: Path, tmp_path: Path
) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE, "old/bob.py": PRIMES, "old/cid/x.py": WORDS})
    write_files(tmp_path, {"new/zoe.py": QUEUE, "new/yan.py": PRIMES})
    run("archive", "add", "b.mosslite", "--term", "2025", "old")

    assert run(*REBUILD).out == "rebuilt: 4 submissions\n"

    assert version_of(first) == VERSION
    assert run("archive", "verify", "a.mosslite").out == "OK: 4 submissions verified\n"
    run("archive", "remove", "a.mosslite", "--term", "2026")  # nothing tells its tokens now
    for command in (
        ("query", "{}", "new/zoe.py", "-n0"),
        ("-q", "--no-html", "--json", "-", "--archive", "{}", "new"),
        ("archive", "list", "{}"),
        ("archive", "show", "{}"),
        ("archive", "export", "{}", "-"),
    ):
        updated, made = (
            run(*(each.format(name) for each in command)) for name in ("a.mosslite", "b.mosslite")
        )
        assert (updated.code, updated.err) == (0, "")
        assert updated.out.replace("a.mosslite", "b.mosslite") == made.out


def test_any_command_that_changes_an_archive_of_version_1_updates_it(
    run: Run, first: Path, tmp_path: Path
) -> None:
    whole = first.read_bytes()
    write_files(tmp_path, {"old/ann.py": QUEUE})
    for command, left in (
        (("archive", "remove", "a.mosslite", "--term", "2025"), NAMES[3:]),
        (("archive", "remove", "a.mosslite", "--student", "ann.py"), NAMES[1:]),
        # These fail, as it takes other front-ends or other texts, but not for its version.
        (("archive", "add", "a.mosslite", "--term", "2027", "old", "-k9", "-t20"), NAMES),
        (("archive", "rebuild", "a.mosslite", "-l", "ascii"), NAMES),
    ):
        first.write_bytes(whole)

        assert "version" not in run(*command).err

        assert version_of(first) == VERSION
        assert run("archive", "list", "a.mosslite").out.split() == left
        assert run("archive", "verify", "a.mosslite").code == 0


def test_an_index_of_version_1_that_is_damaged_is_rebuilt_from_the_submissions(
    run: Run, first: Path
) -> None:
    with closing(sqlite3.connect(first)) as base, base:
        base.execute("DELETE FROM postings WHERE submission = 2")

    assert run(*REBUILD).code == 0

    assert run("archive", "verify", "a.mosslite").code == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE submissions SET name = 'eve' WHERE id = 1",
        "UPDATE submissions SET fingerprints = zeroblob(16) WHERE id = 3",
        "UPDATE settings SET value = replace(value, '12', '13')",
        "UPDATE terms SET name = '2024' WHERE name = '2025'",
    ],
)
def test_what_is_damaged_in_version_1_is_not_given_new_digests(
    run: Run, first: Path, statement: str
) -> None:
    with closing(sqlite3.connect(first)) as base, base:
        base.execute(statement)
    before = first.read_bytes()

    outcome = run(*REBUILD)

    assert (outcome.code, outcome.out) == (2, "")
    assert "is damaged" in outcome.err
    assert first.read_bytes() == before


def test_a_flipped_bit_in_version_1_is_damage_or_changes_nothing(
    run: Run, first: Path, tmp_path: Path
) -> None:
    whole, chance = first.read_bytes(), random.Random(1)  # noqa: S311 - any places will do
    run("archive", "remove", "a.mosslite", "--student", "nobody")
    expected = submissions_in(first)
    for _ in range(150):
        content = bytearray(whole)
        content[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        first.write_bytes(content)
        try:
            found = submissions_in(first)
        except ArchiveError as error:
            assert "damaged" in str(error)  # noqa: PT017 - most are read
        else:
            assert found == expected
        for left in tmp_path.glob("a.mosslite-*"):
            left.unlink()


def submissions_in(path: Path) -> list[tuple[str, str, bytes]]:
    with Archive(str(path), "change") as archive:
        return [
            (each.term, each.name, archive.fingerprints_of(each.number).tobytes())
            for each in archive.submissions()
        ]


@needs_kills
def test_a_kill_at_any_page_of_an_update_leaves_the_old_version_or_the_new_one(
    run: Run, first: Path
) -> None:
    whole, found = first.read_bytes(), set()
    for size in count(0, 4_096):
        first.write_bytes(whole)
        is_done = done_or_killed_beyond(size, lambda: Archive(str(first), "change").close())
        outcome = run("archive", "verify", "a.mosslite")
        found.add(outcome.out or outcome.err)
        if is_done:
            break

    assert found == {OLDER, "OK: 4 submissions verified\n"}
    assert size > len(whole) // 2
