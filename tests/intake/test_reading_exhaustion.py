"""Small submissions cost little time and memory, and files from elsewhere name no other paths."""

import gzip
import hashlib
import io
import json
import lzma
import struct
import tarfile
import tracemalloc
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from mosslite.frontends import tokenize
from mosslite.intake.archives import listed_in
from mosslite.intake.entries import Entry, LimitError, OnDisk, Planned, located
from mosslite.intake.grouping import grouped
from mosslite.intake.history import Objects
from mosslite.intake.listing import Listing, report_at
from mosslite.intake.plan import sections_among
from mosslite.intake.reading import Effort, read_entry
from mosslite.intake.repositories import bare_folders
from mosslite.languages import TEXT, find_language, language_of
from mosslite.options import Intake, Limits
from mosslite.records import Role
from mosslite.signatures import REPORT_MARKER
from tests.archives import RawMember, entries_of, no_rule, raw_zip, read, zip_of
from tests.conftest import Run
from tests.git_repositories import commit, needs_git, repository
from tests.programs import PRIMES, QUEUE, write_files
from tests.tables import table


def id_of(content: bytes) -> bytes:
    head = b"blob %d\0" % len(content)
    return hashlib.sha1(head + content, usedforsecurity=False).digest()


def packed(kind: int, content: bytes, base: bytes = b"") -> bytes:
    """Return an object of less than 2,048 bytes as it is in a pack."""
    size = len(content)
    return bytes([0x80 | kind << 4 | size & 15, size >> 4]) + base + zlib.compress(content)


def test_deltas_before_their_bases_are_each_unpacked_once(tmp_path: Path) -> None:
    contents = [b"%06d" % number for number in range(300)]
    objects = [packed(3, contents[0])]
    for earlier, later in pairwise(contents):
        objects.append(packed(7, bytes([6, 6, 6]) + later, id_of(earlier)))
    pack = struct.pack(">4sLL", b"PACK", 2, len(objects)) + b"".join(reversed(objects))
    pack += hashlib.sha1(pack, usedforsecurity=False).digest()
    (tmp_path / "a.bundle").write_bytes(b"# v2 git bundle\n" + b"0" * 40 + b" HEAD\n\n" + pack)

    with Objects(located(str(tmp_path / "a.bundle"))) as found:
        assert all(found.read(id_of(each).hex(), "blob") == each for each in contents)
        assert found._spent < 100 * len(objects)


def test_thousands_of_pretended_repositories_are_found_in_one_pass() -> None:
    names = [
        f"r{number}/{name}"
        for number in range(20_000)
        for name in ("HEAD", "config", "objects/pack/x")
    ]

    assert len(bare_folders([Entry(name, name) for name in names])) == 5


DEEP = [f"{number}/{'bc/' * 1_300}" for number in range(100)]


def most_memory(act: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.DIRTYPE])
def test_deep_paths_in_an_archive_take_little_memory(kind: bytes) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for path in DEEP:
            member = tarfile.TarInfo(path if kind == tarfile.DIRTYPE else f"{path}a.py")
            member.type = kind
            archive.addfile(member)

    assert most_memory(lambda: entries_of(file.getvalue(), "a.tar.gz")) < 50_000 * len(DEEP)


def test_deep_paths_in_a_repository_in_an_archive_take_little_memory() -> None:
    files = {f"objects/{path}a": b"" for path in DEEP}

    assert most_memory(lambda: Objects(files)) < 50_000 * len(DEEP)


def test_deep_paths_in_a_batch_take_little_memory() -> None:
    entries = tuple(Entry(path, f"{path}a.py") for path in DEEP)
    batch = Listing(OnDisk("hw"), entries, is_folder=True)

    assert most_memory(lambda: grouped(batch, Intake())) < 50_000 * len(DEEP)


@pytest.mark.timeout(60)
def test_many_files_in_one_deep_folder_are_no_section_after_little_time() -> None:
    names = [f"{'a/' * 2_000}{number}.py" for number in range(1_000)]
    entries = tuple(Entry(name, name) for name in names)

    assert not list(sections_among([Planned("ann", Role.CURRENT, "hw/ann", entries)], Intake()))


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_a_marker_of_a_report_with_thousands_of_folders_is_soon_read(tmp_path: Path) -> None:
    names = [f"{number}/{number}.html" for number in range(12_000)]
    write_files(tmp_path, dict.fromkeys(names, ""))
    (tmp_path / REPORT_MARKER).write_text("\n".join(["a report", *names]))

    assert report_at(str(tmp_path)) is None


@pytest.mark.timeout(60)
def test_a_long_name_with_many_extra_fields_is_read_once() -> None:
    members = [RawMember(b"a" * 60_000, b"x", extra=b"xx\0\0" * 2_000) for _ in range(15)]

    assert len(read(raw_zip(*members))) == len(members)


def tar_of_empty_files(count: int) -> bytes:
    """Return a compressed tar file in which all files are empty and have one name."""
    return gzip.compress(tarfile.TarInfo("a.py").tobuf() * count + bytes(1024))


def seven_zip_of_empty_files(count: int) -> bytes:
    """Return a 7z file whose list, which is packed, says only that there are so many of them."""
    flags = b"\xff" * (count // 8)
    properties = ((14, flags), (15, flags), (17, bytes(2 * count + 1)))
    listed = b"\1\5" + seven_zip_number(count)
    listed += b"".join(
        bytes([kind]) + seven_zip_number(len(each)) + each for kind, each in properties
    )
    listed += bytes(2)
    packed = lzma.compress(listed, lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2}])
    about = b"\x17\6\0\1\x09" + seven_zip_number(len(packed))
    about += b"\0\7\x0b\1\0\1\x21\x21\1\x16\x0c" + seven_zip_number(len(listed)) + bytes(2)
    start = struct.pack("<QQL", len(packed), len(about), zlib.crc32(about))
    check = struct.pack("<L", zlib.crc32(start))
    return b"7z\xbc\xaf\x27\x1c\0\4" + check + start + packed + about


def seven_zip_number(number: int) -> bytes:
    return b"\xf0" + number.to_bytes(4, "little")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: seven_zip_of_empty_files(100_000), "10,000 files, too many for its size"),
        (
            lambda: zip_of({"a.7z": seven_zip_of_empty_files(100_000)}),
            "10,000 files, too many for its size",
        ),
        (lambda: tar_of_empty_files(30_000), "10,000 files, too many for its size"),
        (
            lambda: zip_of({"a.tgz": tar_of_empty_files(30_000)}),
            "10,000 files, too many for its size",
        ),
    ],
)
def test_a_small_archive_has_no_more_files_than_a_zip_file_has_room_for(
    make: Callable[[], bytes], reason: str
) -> None:
    content = make()
    found = read(content, "a.tar")

    assert len(content) < 100_000
    assert len(found) <= 10_001
    assert any(f"contains more than {reason}" in str(each) for each in found.values())


def test_a_larger_archive_may_have_more_files() -> None:
    count = 12_000
    content = tar_of_empty_files(count) + b"x" * 64 * count

    assert len(read(content, "a.tgz")) == count


def test_lists_of_7z_files_are_unpacked_within_the_budget() -> None:
    one = seven_zip_of_empty_files(400_000)
    found = read(zip_of({f"{number}.7z": one for number in range(40)}))

    assert len(found) == 40
    assert sum("unpacks to more than" in str(reason) for reason in found.values()) > 20


@pytest.mark.slow  # of as many files as there may be
def test_a_small_archive_of_very_many_files_is_listed_in_part() -> None:
    archive = Entry("hw/a.tgz", "a.tgz", tar_of_empty_files(101_000))

    assert len(listed_in(archive, Limits(), no_rule)) <= 100_001


@needs_git
def test_large_versions_hide_neither_the_others_nor_themselves(run: Run, tmp_path: Path) -> None:
    folder = repository(tmp_path / "hw/zed")
    for number in range(4):
        day = f"2026-01-{number + 1:02}T00:00:00+00:00"
        commit(folder, {"main.py": f"x = {number}" + "+a" * 300_000}, day)
    own = commit(folder, {"main.py": QUEUE}, "2026-02-01T00:00:00+00:00", "own")
    write_files(tmp_path / "hw", {"ann/main.py": QUEUE, "bob/main.py": PRIMES})

    outcome = run("hw", "--no-html", "-q", "--json", "-")

    pair = json.loads(outcome.out)["pairs"][0]
    assert pair["matches"][0]["first_commits"]["right"]["commit"]["id"] == own
    assert any("large versions" in each for each in pair["repositories"]["right"]["remarks"])


@pytest.mark.parametrize("character", ["\ufdfa", "\ufdfb", "\u3300", "\ufb03", "\u00bd", "\u2167"])
def test_a_text_has_no_more_letters_than_bytes(character: str) -> None:
    reading = tokenize(character * 100, find_language("text"))

    assert 0 < len(reading.stream) <= 100 * len(character.encode())


def read_until_too_large(name: str, content: bytes, effort: Effort) -> int:
    """Read equal files as one submission, and return how many are read."""
    count = 0
    try:
        while read_entry(Entry(name, name, content), Intake(), None, effort):
            count += 1
    except LimitError:
        pass
    return count


def test_long_files_of_a_submission_are_read_up_to_a_sum() -> None:
    effort, content = Effort(Role.CURRENT), b"# remarkable".ljust(64) * (1 << 16)

    assert read_until_too_large("a.py", content, effort) == 2
    assert read_entry(Entry("own.py", "own.py", QUEUE.encode()), Intake(), None, effort)


@pytest.mark.parametrize("size", [1 << 15, 4 << 20])
@table("name", "unit")
def test_a_submission_is_read_up_to_a_number_of_tokens(name: str, unit: str, size: int) -> None:
    """Memory goes by tokens, of which a byte can be one."""
    count = size // len(unit.encode())
    tokens = count * len(tokenize(unit, language_of(name) or TEXT).stream)

    read = read_until_too_large(name, unit.encode() * count, Effort(Role.CURRENT))

    assert read * tokens <= 3 << 20
    assert read or size == 4 << 20


@pytest.mark.timeout(120)
def test_results_from_elsewhere_cost_little(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "bob.py": f"# mine\n{QUEUE}"})
    write_files(tmp_path / f"hw/{'a' * 200}", {f"{'a' * 200}.py": QUEUE})
    assert run("check", "hw", "--no-html", "--json", "r.json").code == 0
    original = (tmp_path / "r.json").read_text()
    changes: list[dict[str, dict[str, object]]] = [
        {"inputs": {"current": ["/"]}},
        {"options": {"name_pattern": r"(?P<name>(\w+/?)+)#"}},
        {"options": {"patterns": ["*a*a*a*a*a*a*a*a*a*a*b"]}},
        {"options": {"limits": {"file": 1 << 40, "unpacked": 1 << 40}, "time_limit": 1e9}},
        {"options": {"max_sharing": 2}, "inputs": {"current": ["/"]}},
        {"inputs": {"current": ["/usr/**/*"]}},
        {"inputs": {"current": ["/usr/*/*/*/*/*", "/usr/*/*/*/*/?"]}},
        {"inputs": {"current": ["/usr/lib/python3"] * 1_000}},
        {"inputs": {"reference": ["/"]}},
    ]
    for changed in changes:
        results = json.loads(original)
        for key, values in changed.items():
            results[key] |= values
        (tmp_path / "r.json").write_text(json.dumps(results))

        assert run("report", "r.json", "ann.py", "bob.py", "-o", "case.html").code == 0, changed
