"""Archives that somebody made on purpose, with digests that fit: they are damaged, and no more."""

from __future__ import annotations

import json
import sqlite3
import struct
import zlib
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mosslite.history import Archive
from mosslite.history.postings import MOST_SUBMISSIONS
from mosslite.history.rows import FILE_COLUMNS, STORED_COLUMNS, digest_of
from mosslite.history.tables import (
    SHAPE,
    Inventory,
    read_setting,
    write_inventory,
    write_setting,
)
from tests.conftest import ADD
from tests.indexes import change_postings, with_posting
from tests.programs import QUEUE, write_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Run

    Change = Callable[[Any], object]

COMMANDS = (
    ("archive", "export", "a.mosslite", "x.json"),
    ("-q", "--no-html", "--archive", "a.mosslite", "new"),
    ("query", "a.mosslite", "new/zoe.py"),
    ("archive", "rebuild", "a.mosslite", "-k", "9"),
    ("archive", "rebuild", "a.mosslite"),
)
HUGE_COLUMN = struct.pack("<BII", 6, (1 << 32) - 1, 0)
DAMAGED = "mosslite: archive 'a.mosslite' is damaged: restore it from a backup\n"


@pytest.fixture
def new(filled: Path) -> None:
    write_files(filled.parent, {"new/zoe.py": QUEUE, "new/yan.py": "x = 1\n" * 30})


def change_file(archive: Path, column: str, change: Change) -> None:
    """Change a column of the first file, and make the digest fit."""
    names = FILE_COLUMNS.split(", ")
    with closing(sqlite3.connect(archive)) as base, base:
        row = list(base.execute(f"SELECT {FILE_COLUMNS} FROM files").fetchone())  # noqa: S608
        row[names.index(column)] = change(row[names.index(column)])
        base.execute(
            f"UPDATE files SET {column} = ?, digest = ? WHERE submission = ? AND number = ?",  # noqa: S608
            (row[names.index(column)], digest_of(row), *row[:2]),
        )


def change_submission(archive: Path, column: str, change: Change) -> None:
    with closing(sqlite3.connect(archive)) as base, base:
        cursor = base.execute(f"SELECT {STORED_COLUMNS} FROM submissions")  # noqa: S608
        names = [each[0] for each in cursor.description]
        row = list(cursor.fetchone())
        row[names.index(column)] = change(row[names.index(column)])
        base.execute(
            f"UPDATE submissions SET {column} = ?, digest = ? WHERE id = ?",  # noqa: S608
            (row[names.index(column)], digest_of(row[:-1]), row[0]),
        )
        digests = [each[0] for each in base.execute("SELECT digest FROM submissions")]
        write_inventory(base, Inventory().plus(digests))


def put(name: str, value: object) -> Change:
    """Return what puts another value in a record."""
    return lambda text: json.dumps({**json.loads(text), name: value})


def refused(run: Run) -> list[int]:
    """Run every command that reads, and give which of them find damage; the others find nothing."""
    outcomes = [run(*command) for command in COMMANDS]
    assert [each for each in outcomes if (each.code, each.err) not in {(0, ""), (2, DAMAGED)}] == []
    return [number for number, each in enumerate(outcomes) if each.code]


@pytest.mark.usefixtures("new")
@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("about", lambda _: "[" * 100_000),
        ("about", lambda _: "[]"),
        ("about", lambda _: "{}"),
        ("about", put("language", 7)),
        ("about", put("told_language", [])),
        ("about", put("tokens", -1)),
        ("about", put("tokens", 1 << 70)),
        ("about", put("parts", [[1]])),
        ("about", put("parts", [["x", "y"]])),
        ("text", lambda text: text[:-5]),
        ("text", lambda _: zlib.compress(b"\xff")),
        ("text", lambda _: zlib.compress(b"x")),
        ("text", lambda _: 7),
        ("text", lambda text: zlib.compress(zlib.decompress(text) + b" " * 10_000_000)),
        ("code", lambda _: b""),
        ("code", lambda _: zlib.compress(b"x")),
        ("reading", lambda _: b""),
        ("reading", lambda reading: reading[:-9]),
        ("reading", lambda reading: reading + b"["),
        ("reading", lambda reading: reading + b"[7]"),
        ("reading", lambda reading: reading + b'[[1, "x", [1], 1]]'),
        ("reading", lambda reading: reading + b'[["homoglyph", "x", [9999], 1]]'),
        ("reading", lambda reading: b"\x09" + reading[1:]),
        ("reading", lambda reading: HUGE_COLUMN + reading),
        ("boilerplate", lambda bits: bits[:-1]),
        ("boilerplate", lambda bits: bits + b"\xff"),
    ],
)
def test_a_file_that_nobody_wrote_so_is_damage(
    run: Run, filled: Path, column: str, change: Change
) -> None:
    change_file(filled, column, change)

    assert {0, 1, 3, 4} & set(refused(run))


@pytest.mark.usefixtures("new")
@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("hand_in", lambda _: "7"),
        ("hand_in", put("members", ["ann", 7])),
        ("hand_in", put("owner", None)),
        ("files", lambda _: "x"),
        ("size", lambda _: "x"),
        ("fingerprints", lambda prints: prints[:-1]),
        ("fingerprints", lambda prints: prints[8:] + prints[:8]),
        ("fingerprints", lambda _: "x"),
    ],
)
def test_a_submission_that_nobody_wrote_so_is_damage(
    run: Run, filled: Path, column: str, change: Change
) -> None:
    change_submission(filled, column, change)

    assert run("archive", "verify", "a.mosslite").code == 1
    assert refused(run)


@pytest.mark.usefixtures("new")
@pytest.mark.parametrize(
    "change",
    [
        lambda _: "",
        put("language", 7),
        put("code", {"noise": "x", "guarantee": 20, "detail": 8}),
        put("prose", {"noise": 21, "guarantee": 20, "detail": 8}),
        put("code", {"noise": 1 << 70, "guarantee": 1 << 70, "detail": 8}),
    ],
)
def test_a_shape_that_nobody_wrote_so_is_damage(run: Run, filled: Path, change: Change) -> None:
    with closing(sqlite3.connect(filled)) as base, base:
        write_setting(base, SHAPE, str(change(read_setting(base, SHAPE))))

    assert refused(run) == [1, 2, 3, 4]


@pytest.mark.usefixtures("new")
@pytest.mark.parametrize("number", [0, 77, MOST_SUBMISSIONS])
def test_an_index_that_names_nobody_is_damage(run: Run, filled: Path, number: int) -> None:
    change_postings(filled, with_posting(number))

    assert run("archive", "verify", "a.mosslite").code == 1
    assert {1, 2} <= set(refused(run))


@pytest.mark.usefixtures("new")
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("hash", "x"),
        ("hash", 1 << 62),
        ("submission", b"\xff"),
        ("stop_hash", "x"),
        ("stop_hash", -(1 << 63)),
        ("stop_hash", 0),
        ("stop_submission", 0.5),
        ("content", "x"),
        ("content", b"x" * 11),
        ("content", b"x" * 24),
        ("content", 7),
    ],
)
def test_a_block_of_the_index_that_nobody_wrote_so_is_damage(
    run: Run, filled: Path, column: str, value: object
) -> None:
    with closing(sqlite3.connect(filled)) as base, base:
        base.execute(f"UPDATE postings SET {column} = ?", (value,))  # noqa: S608
        *row, number = base.execute(
            "SELECT hash, submission, stop_hash, stop_submission, content, id FROM postings"
        ).fetchone()
        base.execute("UPDATE postings SET digest = ? WHERE id = ?", (digest_of(row), number))

    assert run("archive", "verify", "a.mosslite").code == 1
    assert {1, 2} <= set(refused(run))


# Rows without end.
ENDLESS = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r"
VIEW = f"CREATE VIEW submissions AS SELECT some.* FROM ({ENDLESS}), some"  # noqa: S608
INSERT = f"INSERT INTO terms (name) {ENDLESS}"


@pytest.mark.usefixtures("new")
@pytest.mark.parametrize(
    "statements",
    [
        f"ALTER TABLE submissions RENAME TO some; {VIEW}",
        f"CREATE TRIGGER t AFTER INSERT ON terms BEGIN {INSERT}; END",
        "ALTER TABLE files ADD more GENERATED ALWAYS AS (hex(zeroblob(400000000)))",
        "CREATE INDEX i ON files (hex(zeroblob(length(text) * 100)))",
    ],
)
def test_a_table_that_computes_what_is_in_it_is_damage(
    run: Run, filled: Path, statements: str
) -> None:
    with closing(sqlite3.connect(filled)) as base, base:
        base.executescript(f"{statements}")

    assert refused(run) == [0, 1, 2, 3, 4]
    assert run("archive", "add", "a.mosslite", "--term", "new", "new").err == DAMAGED


def test_an_archive_that_was_analyzed_and_packed_is_still_one(run: Run, filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as base, base:
        base.executescript("ANALYZE; VACUUM")

    assert run("archive", "verify", "a.mosslite").out == "OK: 3 submissions verified\n"


def test_a_text_that_deflates_to_next_to_nothing_is_kept(run: Run, tmp_path: Path) -> None:
    text = QUEUE + "# " + "m" * 3_000_000 + "\n"
    write_files(tmp_path, {"old/ann.py": text, "new/zoe.py": QUEUE})
    run(*ADD, "old")
    run("archive", "export", "a.mosslite", "x.json")

    told = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert told["submissions"][0]["files"][0]["text"] == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("table.py", QUEUE + "TABLE = [\n" + "    0, 0, 0, 0, 0, 0, 0, 0,\n" * 4_000 + "]\n"),
        ("report.Rmd", f"{' '.join(map(str, range(30_000)))}\n\n```{{python}}\n{QUEUE}```\n"),
    ],
)
def test_a_table_or_much_prose_that_an_earlier_version_deflated_further_is_read(
    run: Run, tmp_path: Path, name: str, text: str
) -> None:
    write_files(tmp_path, {f"old/{name}": text})
    run(*ADD, "old")
    for column in ("text", "code"):
        change_file(
            tmp_path / "a.mosslite",
            column,
            lambda packed: packed and zlib.compress(zlib.decompress(packed)),
        )

    assert run("archive", "rebuild", "a.mosslite").err == ""
    assert run("archive", "export", "a.mosslite", "x.json").err == ""


def test_a_mistake_of_a_program_is_not_blamed_on_the_archive(filled: Path) -> None:
    with Archive(str(filled)) as archive, pytest.raises(AttributeError):
        archive.holders([np.uint64(1)])  # type: ignore[arg-type]
