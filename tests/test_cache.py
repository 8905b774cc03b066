"""What is kept of readings: their bytes, their keys, and the file that has both."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import pytest

import mosslite
from mosslite.cache import Cache, clear, key_of, pack, unpack, usage_of
from mosslite.frontends import tokenize
from mosslite.languages import TEXT, Language, find_language
from mosslite.languages.known import FRONT_ENDS
from mosslite.records import Disguise, Reading
from tests.posix import SIGKILL
from tests.programs import PRIMES, QUEUE
from tests.tables import texts_of

PYTHON = find_language("python")
PACKAGE = Path(mosslite.__file__).parent

MANY = 1 << 30


def columns(contents: Reading) -> list[tuple[str, list[int]]]:
    """Return all columns, with their types."""
    records = [
        each for each in (contents.stream, contents.traces, contents.colours) if each is not None
    ]
    arrays = [getattr(each, field.name) for each in records for field in fields(each)]
    return [(array.dtype.str, array.tolist()) for array in arrays]


def is_kept(contents: Reading) -> bool:
    again = unpack(pack(contents))
    return (
        columns(again) == columns(contents)
        and again.disguises == contents.disguises
        and (again.colours is None) == (contents.colours is None)
    )


# Bytes


@pytest.mark.parametrize("name", ["python", "java", "c", "text", "html+php", "brainfuck"])
@pytest.mark.parametrize("text", ["", "\n", PRIMES, "x = 1\r\ny = '\U0001f600 \ud800'\r# \u200b"])
def test_readings_come_back_as_they_were(name: str, text: str) -> None:
    assert is_kept(tokenize(text, find_language(name)))


def test_disguises_come_back_as_they_were() -> None:
    disguises = (
        Disguise("homoglyph", "\u0430\u0441", (1, 7), 3),
        Disguise("zero-width", "", (), 0),
    )
    assert is_kept(tokenize(PRIMES, PYTHON)._replace(disguises=disguises))


# Keys


def test_a_key_is_of_text_and_language() -> None:
    sources = [(PRIMES, PYTHON), (QUEUE, PYTHON), (PRIMES, TEXT), (PRIMES + "\ud800", PYTHON)]
    keys = [key_of(*source) for source in sources]
    assert len(set(keys)) == 4
    assert keys == [key_of(*source) for source in sources]


def test_there_is_no_key_where_the_lexer_is_not_pygments_own() -> None:
    assert key_of(PRIMES, Language("python", "My Python", False, False)) is None
    assert key_of(PRIMES, Language("my-own", "My own", False, False)) is None


def key_by(package: Path) -> str:
    """Return the key by a package in another place."""
    program = (
        "from mosslite.cache import key_of\nfrom mosslite.languages import TEXT\n"
        "print(key_of('x', TEXT).hex())"
    )
    environment = os.environ | {"PYTHONPATH": str(package.parent)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=package.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_a_key_is_of_the_version_of_the_front_ends_not_of_how_they_are_written(
    tmp_path: Path,
) -> None:
    package = tmp_path / "mosslite"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    before = key_by(package)
    with (package / "frontends" / "symbols.py").open("a") as module:
        module.write("# another\n")
    assert key_by(package) == before
    version = package / "languages" / "known.py"
    text = version.read_text(encoding="utf-8")
    higher = text.replace(f"= {FRONT_ENDS}\n", f"= {FRONT_ENDS + 1}\n")
    version.write_text(higher, encoding="utf-8")
    assert key_by(package) != before


# The file


def stored(folder: Path, contents: dict[bytes, bytes], limit: int = MANY) -> None:
    """Add as a run does that finds nothing."""
    with Cache(folder, limit) as cache:
        for each, content in contents.items():
            cache.add(each, content)


def found(folder: Path, keys: list[bytes], limit: int = MANY) -> dict[bytes, bytes]:
    """Ask as a run does that adds nothing."""
    with Cache(folder, limit) as cache:
        return {each: packed for each in keys if (packed := cache.find(each))}


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_what_is_added_is_found_under_its_key_and_no_other(tmp_path: Path) -> None:
    stored(tmp_path, {key(1): b"one", key(2): b"two"})
    stored(tmp_path, {key(1): b"another"})
    assert found(tmp_path, [key(3), key(2), key(1)]) == {key(1): b"another", key(2): b"two"}


def test_a_content_that_is_damaged_or_of_another_key_is_not_found(tmp_path: Path) -> None:
    stored(tmp_path, {key(number): bytes([number]) * 100 for number in range(5)})
    with closing(sqlite3.connect(tmp_path / "readings-3.sqlite", isolation_level=None)) as base:
        base.execute("UPDATE readings SET content = CAST('x' || content AS BLOB) WHERE id = 1")
        base.execute("UPDATE readings SET content = 7 WHERE id = 2")
        (other,) = base.execute("SELECT content FROM readings WHERE id = 3").fetchone()
        base.execute("UPDATE readings SET content = ? WHERE id = 4", (other,))
        base.execute("UPDATE readings SET content = zeroblob(3) WHERE id = 3")
    answer = found(tmp_path, list(map(key, range(5))))
    assert answer == {key(4): b"\4" * 100}
    stored(tmp_path, {key(0): b"again"})
    assert found(tmp_path, [key(0)]) == {key(0): b"again"}


def test_the_oldest_make_room(tmp_path: Path) -> None:
    runs = [[key(100 * run + number) for number in range(20)] for run in range(4)]
    limit = 2_000_000
    for keys in runs:
        stored(tmp_path, dict.fromkeys(keys, bytes(25_000)), limit)
    left = [len(found(tmp_path, keys, limit)) for keys in runs]
    assert left[0] < left[1] <= left[2] == left[3] == 20
    assert usage_of(tmp_path).size < 1.2 * limit


def test_a_run_that_needs_more_than_there_is_keeps_its_last(tmp_path: Path) -> None:
    keys, limit = list(map(key, range(100))), 1_500_000
    stored(tmp_path, dict.fromkeys(keys, bytes(25_000)), limit)
    left = found(tmp_path, keys, limit)
    assert list(left) == keys[-len(left) :]
    assert len(left) > 20
    assert usage_of(tmp_path).size < 1.2 * limit


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Cache(tmp_path / "new" / "cache", MANY) as cache:
            for number in range(50):
                cache.add(key(number), b"one")
            modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "new" / "cache").iterdir()}
    finally:
        os.umask(before)
    assert modes == {0o600}
    assert (tmp_path / "new" / "cache").stat().st_mode & 0o777 == 0o700


def test_what_is_cleared_is_gone_while_another_run_goes_on(tmp_path: Path) -> None:
    stored(tmp_path, {key(1): bytes(1_000_000)})
    (tmp_path / "readings-0.sqlite").write_bytes(b"of an older version")
    (tmp_path / "mine.txt").write_text("of somebody else")
    with Cache(tmp_path, MANY) as cache:
        assert cache.find(key(1)) == bytes(1_000_000)
        assert cache.find(key(2)) == b""
        clear(tmp_path)
        cache.add(key(2), b"two")
    assert found(tmp_path, [key(1), key(2)]) == {key(2): b"two"}
    usage = usage_of(tmp_path)
    assert usage.readings == 1
    assert usage.size < 100_000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt", "readings-3.sqlite"]


# A run that adds one after the other, each with its own content, until it is killed.
ENDLESS = texts_of("scripts")["ENDLESS"]


def started(folder: Path, seed: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(folder), str(seed)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.slow
def test_runs_at_the_same_time_that_are_killed_leave_only_whole_contents(tmp_path: Path) -> None:
    chance = random.Random(6)  # noqa: S311 - no secret
    for seed in range(4):
        runs = [started(tmp_path, 10 * seed + number) for number in range(3)]
        for run in runs:
            assert run.stdout is not None
            run.stdout.read(chance.randrange(1, 12))
            run.send_signal(SIGKILL)
            assert run.communicate()[1] == b""
        answer = found(tmp_path, list(map(key, range(400))))
        assert answer
        assert all(
            content == bytes([content[0]]) * len(content) and each == key(len(content) // 50)
            for each, content in answer.items()
        )
    with closing(sqlite3.connect(tmp_path / "readings-3.sqlite")) as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
