import bz2
import lzma
import os
import stat
import struct
import tracemalloc
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

import pytest

from mosslite.intake.archives import archive_entries
from mosslite.intake.entries import Entry, OnDisk, located
from mosslite.options import Limits
from tests.archives import RawMember, entries_of, no_rule, raw_zip, read, zip_of

DAMAGED = "is damaged"


@pytest.mark.parametrize(
    "method",
    [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA],
)
def test_every_usual_way_to_compress_is_read(method: int) -> None:
    files = {"main.py": b"print(1)\n" * 1000, "src/empty.py": b""}

    assert read(zip_of(files, method)) == {f"a.zip/{name}": files[name] for name in files}


def test_entries_come_in_the_order_of_their_names_with_paths_to_show() -> None:
    entries = entries_of(zip_of({"b.py": b"b", "src/a.py": b"a"}), "hw1/ann.zip")

    assert entries == [
        Entry("hw/hw1/ann.zip/b.py", "hw1/ann.zip/b.py", b"b"),
        Entry("hw/hw1/ann.zip/src/a.py", "hw1/ann.zip/src/a.py", b"a"),
    ]


def test_an_archive_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zip_of({"main.py": b"x"}))

    archive = located(str(path))
    entries = archive_entries(Entry("a.zip", "a.zip", archive), Limits(), no_rule)

    assert entries == [Entry("a.zip/main.py", "a.zip/main.py", b"x", archive=archive)]


def test_an_archive_that_cannot_be_opened_says_so(tmp_path: Path) -> None:
    archive = Entry("a.zip", "a.zip", OnDisk(str(tmp_path / "missing.zip")))

    (entry,) = archive_entries(archive, Limits(), no_rule)

    assert (entry.name, entry.obstacle) == (
        "a.zip",
        "cannot be read: no such file or directory",
    )


@pytest.mark.parametrize("files", [{}, {"src/": b""}, {"src/": b"", "src/deep/": b""}])
def test_an_archive_without_files_says_so(files: dict[str, bytes]) -> None:
    assert read(zip_of(files)) == {"a.zip": "contains no files"}


def test_what_is_named_like_a_folder_but_has_content_is_not_lost() -> None:
    assert read(raw_zip(RawMember(b"src/", b"hidden"))) == {"a.zip/src": b"hidden"}


def test_files_of_one_name_are_kept_apart() -> None:
    members = [RawMember(b"src/main.py", content) for content in (b"1", b"2", b"3")]
    taken = RawMember(b"src/main (2).py", b"4")

    assert read(raw_zip(taken, *members, RawMember(b"Makefile"), RawMember(b"./Makefile"))) == {
        "a.zip/src/main.py": b"1",
        "a.zip/src/main (2).py": b"4",
        "a.zip/src/main (3).py": b"2",
        "a.zip/src/main (4).py": b"3",
        "a.zip/Makefile": b"",
        "a.zip/Makefile (2)": b"",
    }


@pytest.mark.parametrize(
    "mode", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK]
)
def test_a_file_is_read_whatever_its_mode_says(mode: int) -> None:
    content = b"print(1)\n" * 30

    assert read(raw_zip(RawMember(b"odd.py", content, mode=mode | 0o777))) == {
        "a.zip/odd.py": content
    }


def test_a_link_is_not_followed() -> None:
    link = RawMember(b"odd.py", b"/etc/passwd", mode=stat.S_IFLNK | 0o777)

    assert read(raw_zip(link, RawMember(b"main.py", b"x", mode=stat.S_IFREG | 0o644))) == {
        "a.zip/odd.py": "is a symbolic link, which is not followed",
        "a.zip/main.py": b"x",
    }


@pytest.mark.parametrize("before", [b"#!/bin/sh\n", b"MZ" + bytes(3000), b"text\n" * 20_000])
def test_a_zip_file_is_read_whatever_stands_before_it(before: bytes) -> None:
    content = before + raw_zip(RawMember(b"main.py", b"x"), comment=b"by hand")

    assert read(content) == {"a.zip/main.py": b"x"}
    assert read(zip_of({"in.zip": content})) == {"a.zip/in.zip/main.py": b"x"}
    assert read(content, "a.txt") == {"a.txt": "is not an archive"}
    assert read(zip_of({"in.zip": before})) == {"a.zip/in.zip": before}


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        (RawMember(b"odd.py", b"x", flags=1), "is encrypted"),
        (RawMember(b"odd.py", b"x", flags=0x41), "is encrypted"),
        (RawMember(b"odd.py", b"x", method=9), "uses an unsupported compression method"),
        (RawMember(b"odd.py", b"x", method=99), "uses an unsupported compression method"),
        (RawMember(b"odd.py", b"x", flags=0x20), "uses an unsupported compression method"),
        (RawMember(b"odd.py", b"x", checksum=1), DAMAGED),
        (RawMember(b"odd.py", b"xyz", size=2), DAMAGED),
        (
            RawMember(b"odd.py", b"x", offset=9999),
            "is damaged: it is not at the offset that the archive gives",
        ),
        (RawMember(b"odd.py", b"not bzip2", method=zipfile.ZIP_BZIP2), DAMAGED),
        (
            RawMember(b"odd.py", b"BZh9", method=zipfile.ZIP_BZIP2),
            "is damaged: unexpected end of file",
        ),
        (
            RawMember(b"odd.py", b"\x09\x14\5\0\xff\0\0\1\0no lzma", method=zipfile.ZIP_LZMA),
            DAMAGED,
        ),
    ],
)
def test_a_member_that_cannot_be_read_leaves_the_others(member: RawMember, reason: str) -> None:
    assert read(raw_zip(RawMember(b"main.py", b"x"), member)) == {
        "a.zip/main.py": b"x",
        "a.zip/odd.py": reason,
    }


def test_the_directory_names_a_member_whatever_its_own_header_says() -> None:
    member = RawMember(b"main.py", b"x", local_name=b"another name.txt")

    assert read(raw_zip(member)) == {"a.zip/main.py": b"x"}


@pytest.mark.slow
@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_that_understates_its_size_takes_little_memory(method: int) -> None:
    content = zip_of({"main.py": bytes(100 << 20)}, method)
    for mark, place in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        start = content.index(mark) + place
        content = content[:start] + struct.pack("<L", 9) + content[start + 4 :]

    tracemalloc.start()
    (found,) = read(content).values()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert isinstance(found, str)
    assert most < 80_000_000


def test_a_bzip2_member_ends_where_the_directory_says() -> None:
    first = bz2.compress(b"x = 1")
    content = raw_zip(
        RawMember(b"main.py", first + bz2.compress(b"y = 2"), method=zipfile.ZIP_BZIP2)
    )
    place = content.index(b"PK\1\2") + 20
    content = content[:place] + struct.pack("<L", len(first)) + content[place + 4 :]

    assert read(content) == {"a.zip/main.py": b"x = 1"}


def test_members_that_share_their_bytes_are_refused_but_the_first() -> None:
    member = RawMember(b"a.py", b"x" * 100)
    others = [RawMember(b"%d.py" % number, b"x" * 100, offset=0) for number in range(3)]

    found = read(raw_zip(member, *others))

    reason = "overlaps another file in its archive"
    assert found == {
        "a.zip/a.py": b"x" * 100,
        **{f"a.zip/{number}.py": reason for number in range(3)},
    }


@pytest.mark.parametrize(("before", "after"), [(b"PK\3\4 something ", b""), (b"", b"\r\n")])
def test_bytes_in_front_of_or_after_a_zip_file_do_no_harm(before: bytes, after: bytes) -> None:
    assert read(before + zip_of({"main.py": b"x"}) + after) == {"a.zip/main.py": b"x"}


def test_a_zip_file_that_is_cut_off_says_so() -> None:
    content = zip_of({"main.py": b"x" * 100})

    assert read(content[:60]) == {
        "a.zip": "is damaged: it has no central directory, as if it were truncated"
    }


@pytest.mark.parametrize(
    "odd",
    [
        RawMember(b"b.py", b"x", version=200),
        RawMember(b"b.py", b"x", extra=struct.pack("<2H", 0x5455, 100) + b"\1"),
        RawMember("größe.py".encode("cp437"), b"x", flags=0x800),
    ],
)
def test_records_that_python_refuses_are_read_as_unzip_does(odd: RawMember) -> None:
    with pytest.raises((zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError)):
        zipfile.ZipFile(BytesIO(raw_zip(odd))).infolist()

    found = read(raw_zip(RawMember(b"a.py", b"a"), odd, RawMember(b"c.py", b"c")))

    assert sorted(found.values()) == [b"a", b"c", b"x"]
    assert {"a.zip/a.py", "a.zip/c.py"} < set(found)


@pytest.mark.parametrize(
    "extra",
    [
        b"\1abc",  # too short
        b"\1" + zlib.crc32(b"b.py").to_bytes(4, "little") + b"\xff\xfe",  # no UTF-8
        b"\1" + zlib.crc32(b"b.py").to_bytes(4, "little"),  # no name
        b"\2" + zlib.crc32(b"b.py").to_bytes(4, "little") + b"c.py",  # another version
    ],
)
def test_a_damaged_name_beside_a_name_hides_no_file(extra: bytes) -> None:
    field = struct.pack("<2H", 0x7075, len(extra)) + extra

    found = read(raw_zip(RawMember(b"a.py", b"a"), RawMember(b"b.py", b"b", extra=field)))

    assert sorted(found.values()) == [b"a", b"b"]
    assert "a.zip/(no name)" not in found
    assert "a.zip/c.py" not in found


def test_sizes_that_zip_64_lacks_leave_other_members_readable() -> None:
    content = raw_zip(
        RawMember(b"a.py", b"a", extra=struct.pack("<2H", 1, 4) + b"abcd"), RawMember(b"b.py", b"b")
    )
    place = content.index(b"PK\1\2")
    broken = content[: place + 24] + b"\xff" * 4 + content[place + 28 :]

    assert read(broken)["a.zip/b.py"] == b"b"


def test_a_broken_record_is_told() -> None:
    content = raw_zip(RawMember(b"a.py", b"a"), RawMember(b"b.py", b"b"))
    place = content.rindex(b"PK\1\2")

    assert read(content[:place] + b"PKxx" + content[place + 4 :]) == {
        "a.zip": "is damaged: its central directory is invalid"
    }


@pytest.mark.timeout(60)
def test_a_record_with_very_many_extra_fields_is_not_read() -> None:
    members = [RawMember(b"a.py", b"x", extra=b"xx\0\0" * 16_000) for _ in range(100)]

    assert read(raw_zip(*members)) == {"a.zip": "is damaged: its central directory is invalid"}
    assert read(raw_zip(RawMember(b"a.py", b"x", extra=b"xx\0\0" * 2_000))) == {"a.zip/a.py": b"x"}


def test_a_directory_of_far_more_members_than_allowed_is_not_read() -> None:
    content = zip_of({f"{number}.py": b"" for number in range(30_000)}, zipfile.ZIP_STORED)

    tracemalloc.start()
    found = read(content, limits=Limits(members=1_000))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert found == {"a.zip": "contains more than 1,000 files (--max-members)"}
    assert most < 4_000_000


@pytest.mark.parametrize(
    "end", [struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, size, 0, 0) for size in (9999, 45, 47)]
)
def test_a_directory_that_does_not_fit_is_damage(end: bytes) -> None:
    found = read(raw_zip(RawMember(b"main.py", b"x"), end=end))

    assert str(found.pop("a.zip")).startswith("is damaged")


def test_sizes_that_need_zip_64_are_read() -> None:
    content = b"x" * 100
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(content) + packer.flush()
    extra = struct.pack("<2H3Q", 1, 24, len(content), len(packed), 0)
    fixed = (45, 0, 8, 0, 0, zlib.crc32(content), 0xFFFF_FFFF, 0xFFFF_FFFF)
    body = struct.pack("<4s5H3L2H", b"PK\3\4", *fixed, 1, 0) + b"a" + packed
    directory = struct.pack(
        "<4s6H3L5H2L", b"PK\1\2", 45, *fixed, 1, len(extra), 0, 0, 0, 0, 0xFFFF_FFFF
    )
    directory += b"a" + extra
    large = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, len(directory), len(body))
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(body) + len(directory), 1)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, *2 * [0xFFFF], *2 * [0xFFFF_FFFF], 0)

    assert read(body + directory + large + locator + end) == {"a.zip/a": content}


def test_what_zipfile_writes_in_lzma_has_a_mark_at_its_end() -> None:
    content = os.urandom(100_000)

    assert read(zip_of({"main.py": content}, zipfile.ZIP_LZMA)) == {"a.zip/main.py": content}


def test_an_lzma_member_without_a_mark_at_its_end_is_read() -> None:
    content = b"print(1)\n" * 100
    alone = lzma.compress(content, lzma.FORMAT_ALONE)
    packed = struct.pack("<2sH", b"\x09\x14", 5) + alone[:5] + alone[13:]
    member = RawMember(
        b"main.py", packed, method=14, size=len(content), checksum=zlib.crc32(content)
    )

    assert read(raw_zip(member)) == {"a.zip/main.py": content}
