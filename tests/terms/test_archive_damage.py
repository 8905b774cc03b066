"""Archives of which some bytes are not as they were written: an answer is the same, or an error."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from mosslite.cache import pack
from mosslite.errors import ArchiveError
from mosslite.options import Options
from mosslite.records import Document, Inputs
from mosslite.terms.adding import AddOptions, add
from mosslite.terms.archive import Archive
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, write_files

Damage = Callable[[bytearray, random.Random], None]

PAGE = 4_096
# What begins a page of SQLite: its kind, how much is in it, and where.
HEAD = 160


def program(seed: int) -> str:
    """Write functions that no other seed gives."""
    chance = random.Random(seed)  # noqa: S311 - any programs will do
    lines = []
    for number in range(14):
        lines.append(f"def f{number}(a, b):\n    c = a {chance.choice('+-*%')} b")
        for _ in range(chance.randrange(2, 7)):
            target, left, right = chance.choices("abc", k=3)
            sign, other = chance.choice(["=", "+=", "-="]), chance.choice("+-*|%")
            lines.append(f"    {target} {sign} {left} {other} {right}")
        lines.append("    return c")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an archive whose tables all have several pages, in two adds."""
    folder = tmp_path_factory.mktemp("archive")
    texts = {f"old/{n}.py": program(n) + (QUEUE, PRIMES)[n % 2] for n in range(60)}
    more = {f"more/{n}.py": program(100 + n) + QUEUE for n in range(30)}
    write_files(folder, texts | more)
    path = folder / "a.mosslite"
    for term in ("old", "more"):
        add(str(path), AddOptions(term), Inputs((str(folder / term),)), Options(uses_workers=False))
    return path


def answers_of(path: Path) -> object:
    """Ask for everything that a query or a check can ask an archive for."""
    with Archive(str(path)) as archive, archive.at_one_moment():
        stored = archive.submissions()
        own = [archive.fingerprints_of(each.number) for each in stored]
        shared = archive.shared(np.unique(np.concatenate(own[::9])))
        kept = [archive.files_of(each.number) for each in stored]
        return (
            archive.shape(),
            stored,
            [prints.tobytes() for prints in own],
            [(each.submission, each.hashes.tobytes()) for each in shared],
            [
                (
                    f.file,
                    f.language,
                    f.stream.codes.tobytes(),
                    f.colours is None,
                    f.is_boilerplate.tobytes(),
                )
                for k in kept
                for f in k
            ],
        )


def described(document: Document) -> tuple[object, ...]:
    return document.file, document.language, pack(document), document.is_boilerplate.tobytes()


def one_bit(content: bytearray, chance: random.Random) -> None:
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def one_bit_of_the_head_of_a_page(content: bytearray, chance: random.Random) -> None:
    place = PAGE * chance.randrange(len(content) // PAGE) + chance.randrange(HEAD)
    content[place] ^= 1 << chance.randrange(8)


def one_bit_of_the_file_s_head(content: bytearray, chance: random.Random) -> None:
    content[chance.randrange(100)] ^= 1 << chance.randrange(8)


def some_bytes(content: bytearray, chance: random.Random) -> None:
    place, size = chance.randrange(len(content) - 64), chance.randrange(1, 64)
    content[place : place + size] = chance.choice(
        [bytes(size), b"\xff" * size, chance.randbytes(size)]
    )


def pages(content: bytearray, chance: random.Random) -> tuple[slice, slice]:
    first, second = (PAGE * chance.randrange(len(content) // PAGE) for _ in "12")
    return slice(first, first + PAGE), slice(second, second + PAGE)


def a_page_that_is_lost(content: bytearray, chance: random.Random) -> None:
    content[pages(content, chance)[0]] = bytes(PAGE)


def a_page_at_another_place(content: bytearray, chance: random.Random) -> None:
    first, second = pages(content, chance)
    content[first] = content[second]


def pages_that_are_swapped(content: bytearray, chance: random.Random) -> None:
    first, second = pages(content, chance)
    content[first], content[second] = content[second], content[first]


def a_part_that_is_cut_off(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content)) :]


DAMAGES = (
    one_bit,
    one_bit_of_the_head_of_a_page,
    one_bit_of_the_file_s_head,
    some_bytes,
    a_page_that_is_lost,
    a_page_at_another_place,
    pages_that_are_swapped,
    a_part_that_is_cut_off,
)


def damaged(whole: Path, path: Path, damage: Damage, times: int) -> Iterator[str]:
    """Damage copies of an archive, each in another way, and name each."""
    content = whole.read_bytes()
    chance = random.Random(damage.__name__)  # noqa: S311 - any places will do
    for number in range(times):
        changed = bytearray(content)
        damage(changed, chance)
        if changed != content:
            path.write_bytes(changed)
            yield f"{damage.__name__} {number}"
        for left in path.parent.glob(f"{path.name}-*"):  # of SQLite, where a head asks for it
            left.unlink()


def require_same_or_damage(
    whole: Path, path: Path, damage: Damage, times: int, *, is_read: bool = True
) -> None:
    """Ask each damaged copy for everything; some are to be refused if what is damaged is read."""
    expected = answers_of(whole)
    refusals = [refusal_of(path, expected, name) for name in damaged(whole, path, damage, times)]
    assert [each for each in refusals if "damaged" not in f"{each or 'damaged'}"] == []
    assert any(refusals) or not is_read


def refusal_of(path: Path, expected: object, name: str) -> str | None:
    """Return why an archive is refused; what is not refused has the same answers."""
    try:
        assert answers_of(path) == expected, name
    except ArchiveError as error:
        return f"{name}: {error}"
    return None


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_asked_is_answered_as_before_the_damage_or_with_an_error(
    archive: Path, tmp_path: Path, damage: Damage
) -> None:
    require_same_or_damage(archive, tmp_path / "b.mosslite", damage, 8)


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_many_more_damages_change_no_answer(archive: Path, tmp_path: Path, damage: Damage) -> None:
    require_same_or_damage(archive, tmp_path / "b.mosslite", damage, 200)


def pages_of(path: Path, table: str) -> list[int]:
    """Return the places of all pages of a table, as SQLite itself follows them from its root."""
    content, found = path.read_bytes(), list[int]()
    with closing(sqlite3.connect(path)) as base:
        (root,) = base.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()
    left = [root]
    while left:
        start = PAGE * (left.pop() - 1)
        found.append(start)
        kind, count = content[start], int.from_bytes(content[start + 3 : start + 5])
        if kind in {2, 5}:  # it leads to others
            cells = [start + 12 + 2 * n for n in range(count)]
            below = [start + int.from_bytes(content[c : c + 2]) for c in cells] + [start + 8]
            left += [int.from_bytes(content[b : b + 4]) for b in below]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "table",
    [
        "settings",
        "submissions",
        "files",
        "sqlite_autoindex_submissions_1",
    ],
)
def test_a_flipped_bit_in_any_table_changes_no_answer(
    archive: Path, tmp_path: Path, table: str
) -> None:
    places = pages_of(archive, table)

    def flip(content: bytearray, chance: random.Random) -> None:
        # As many places in use as bytes of no use.
        place = chance.choice(places) + chance.choice(
            (chance.randrange(HEAD), chance.randrange(PAGE))
        )
        content[place] ^= 1 << chance.randrange(8)

    is_read = table != "sqlite_autoindex_submissions_1"
    require_same_or_damage(archive, tmp_path / "b.mosslite", flip, 200, is_read=is_read)


def test_a_query_and_a_check_say_the_same_as_before_the_damage_or_that_there_is_some(
    run: Run, archive: Path, tmp_path: Path
) -> None:
    path = tmp_path / "b.mosslite"
    path.write_bytes(archive.read_bytes())
    write_files(tmp_path, {"new/zoe.py": program(7) + QUEUE, "new/yan.py": program(999)})
    commands = (
        ("query", "b.mosslite", "new/zoe.py", "-n0"),
        ("-q", "-j1", "--no-html", "--json", "-", "--archive", "b.mosslite", "new"),
    )
    expected = [run(*command) for command in commands]
    assert all(each.code == 0 and "old" in each.out for each in expected)
    for name in chain.from_iterable(damaged(archive, path, damage, 1) for damage in DAMAGES):
        for command, before in zip(commands, expected, strict=True):
            outcome = run(*command)
            assert outcome == before or (outcome.code, outcome.out) == (2, ""), name
            assert outcome == before or "damaged" in outcome.err, name


def test_without_the_fingerprints_of_a_submission_nothing_is_answered(
    run: Run, archive: Path, tmp_path: Path
) -> None:
    for number, statement in enumerate(
        [
            "UPDATE submissions SET fingerprints = zeroblob(0) WHERE id = 4",
            "UPDATE submissions SET fingerprints = substr(fingerprints, 9) WHERE id = 4",
            "DELETE FROM submissions WHERE id = 4",
            "UPDATE submissions SET id = 1000 WHERE id = 4",
            "DELETE FROM files WHERE submission = 4",
            "DELETE FROM settings",
            "DELETE FROM settings WHERE name = 'parameters'",
            "DELETE FROM settings WHERE name = 'inventory'",
            "DELETE FROM submissions WHERE term = 'old'",
        ]
    ):
        path = tmp_path / f"{number}.mosslite"
        path.write_bytes(archive.read_bytes())
        with closing(sqlite3.connect(path)) as base, base:
            base.execute(statement)

        with pytest.raises(ArchiveError, match="is damaged"):
            answers_of(path)
        assert run("archive", "verify", path.name).code == 1
