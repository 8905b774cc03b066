"""Archives that somebody made on purpose, with digests that fit: they are damaged, and no more."""

import json
import sqlite3
import struct
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mosslite.cache import deflate, inflate
from mosslite.terms.archive import Archive
from mosslite.terms.tables import digest_of, inventory_of, read_setting, write_setting
from tests.conftest import ADD, Run
from tests.programs import QUEUE, write_files
from tests.tables import table

Change = Callable[[Any], object]

COMMANDS = (
    ("archive", "export", "a.mosslite", "x.json"),
    ("-q", "--no-html", "--archive", "a.mosslite", "new"),
    ("query", "a.mosslite", "new/zoe.py"),
    ("archive", "rebuild", "a.mosslite", "-k", "9"),
    ("archive", "rebuild", "a.mosslite"),
)
OF_NO_KIND = b'[[1, "x", [1], 1]]'
BEYOND_THE_TEXT = b'[["homoglyph", "x", [9999], 1]]'
DAMAGED = "mosslite: archive 'a.mosslite' is damaged: restore it from a backup\n"


@pytest.fixture
def new(filled: Path) -> None:
    write_files(filled.parent, {"new/zoe.py": QUEUE, "new/yan.py": "x = 1\n" * 30})


def change_file(archive: Path, column: str, change: Change) -> None:
    """Change a column of the first file, and make the digest fit."""
    with closing(sqlite3.connect(archive)) as base, base:
        changed = changed_row(base, "files", column, change)
        base.execute(
            f"UPDATE files SET {column} = ?, digest = ? WHERE submission = ? AND number = ?",  # noqa: S608
            (changed[column], changed["digest"], changed["submission"], changed["number"]),
        )


def change_submission(archive: Path, column: str, change: Change) -> None:
    with closing(sqlite3.connect(archive)) as base, base:
        changed = changed_row(base, "submissions", column, change)
        base.execute(
            f"UPDATE submissions SET {column} = ?, digest = ? WHERE id = ?",  # noqa: S608
            (changed[column], changed["digest"], changed["id"]),
        )
        digests = [digest for (digest,) in base.execute("SELECT digest FROM submissions")]
        write_setting(base, "inventory", inventory_of(digests))


def changed_row(
    base: sqlite3.Connection, table: str, column: str, change: Change
) -> dict[str, object]:
    """Return the first row of a table, with another value in a column and the digest of that."""
    cursor = base.execute(f"SELECT * FROM {table}")  # noqa: S608
    row = dict(zip([each[0] for each in cursor.description], cursor.fetchone(), strict=True))
    row[column] = change(row[column])
    row["digest"] = digest_of([row[name] for name in row if name != "digest"])
    return row


def put(name: str, value: object) -> Change:
    """Return what puts another value in a record."""
    return lambda text: json.dumps({**json.loads(text), name: value})


def packed(change: Callable[[bytes], bytes]) -> Change:
    """Return what changes the content of a reading, and packs it again."""
    return lambda reading: deflate(change(inflate(reading)))


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
        ("reading", packed(lambda _: b"")),
        ("reading", packed(lambda content: content[:-9])),
        ("reading", packed(lambda content: content.removesuffix(b"[]"))),
        ("reading", packed(lambda content: content + b"[")),
        ("reading", packed(lambda content: content.removesuffix(b"[]") + b"[" * 100_000)),
        ("reading", packed(lambda content: content.removesuffix(b"[]") + b"[7]")),
        ("reading", packed(lambda content: content.removesuffix(b"[]") + OF_NO_KIND)),
        ("reading", packed(lambda content: content.removesuffix(b"[]") + BEYOND_THE_TEXT)),
        ("reading", packed(lambda content: struct.pack("<I", 1 << 31) + content[4:])),
        ("reading", packed(lambda content: struct.pack("<I", 0) + content[4:])),
        ("reading", packed(lambda content: content[:12] + b"\xff" * (len(content) - 14) + b"[]")),
        ("reading", lambda _: zlib.compress(bytes(100_000_000))),
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
        ("about", lambda _: "7"),
        ("about", lambda _: 7),
        ("about", lambda _: "[" * 100_000),
        ("about", put("members", ["ann", 7])),
        ("about", put("owner", None)),
        ("about", put("files", "x")),
        ("about", put("more", "x")),
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
        lambda _: '""',
        put("language", 7),
        put("code", ["x", 20, 8]),
        put("code", [12, 20]),
        put("prose", [21, 20, 8]),
        put("code", [1 << 70, 1 << 70, 8]),
    ],
)
def test_a_shape_that_nobody_wrote_so_is_damage(run: Run, filled: Path, change: Change) -> None:
    with closing(sqlite3.connect(filled)) as base, base:
        before = json.dumps(read_setting(base, "parameters"))
        write_setting(base, "parameters", json.loads(str(change(before))))

    assert refused(run) == [0, 1, 2, 3, 4]


@pytest.mark.usefixtures("new")
@pytest.mark.parametrize(
    "written", [None, 7, [1, 2, 3], ["x", 0], [3], {"count": 3}, [3, 1 << 9000], [2, 0]]
)
def test_an_inventory_that_nobody_wrote_so_is_damage(
    run: Run, filled: Path, written: object
) -> None:
    with closing(sqlite3.connect(filled)) as base, base:
        write_setting(base, "inventory", written)

    assert run("archive", "verify", "a.mosslite").code == 1
    assert refused(run) == [0, 1, 2, 3, 4]


@pytest.mark.usefixtures("new")
@table("statements")
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


def test_a_mistake_of_a_program_is_not_blamed_on_the_archive(filled: Path) -> None:
    before = filled.read_bytes()
    with Archive(str(filled), "change") as archive:
        stored, shape = archive.submissions(), archive.shape()
        assert shape is not None
        with pytest.raises(AttributeError):
            archive.replace(stored, [None], shape)  # type: ignore[list-item]
    assert filled.read_bytes() == before
