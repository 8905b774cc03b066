import bz2
import gzip
import io
import lzma
import os
from pathlib import Path

import pytest

from mosslite.intake.archives import archive_entries, is_archive
from mosslite.intake.entries import Entry, located
from mosslite.options import Limits
from tests.archives import RawMember, no_rule, raw_tar, raw_zip, read, tar_header, tar_of, zip_of
from tests.posix import mkfifo

ZIP = zip_of({"a.py": b"x"})
TAR = tar_of({"a.py": b"x"})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.zip", ZIP),
        ("a.zip", zip_of({})),
        ("without a suffix", ZIP),
        ("project.jar", ZIP),
        ("project.WAR", ZIP),
        ("tool.pyz", b"#!/usr/bin/env python3\n" + ZIP),
        ("tool-1.0-py3-none-any.whl", ZIP),
        ("tool-1.0-py3.11.egg", ZIP),
        ("a.tar", TAR),
        ("odd.py", TAR),
        ("a.tar", raw_tar()),
        ("a.tgz", gzip.compress(TAR, mtime=0)),
        ("a.tar.bz2", bz2.compress(TAR)),
        ("empty.bz2", bz2.compress(b"")),
        ("a.tar.xz", lzma.compress(TAR)),
        ("a.7z", b"7z\xbc\xaf\x27\x1c"),
        ("a.rar", b"Rar!\x1a\x07\x00"),
    ],
)
def test_an_archive_is_known_by_its_first_bytes(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)

    assert is_archive(name, content)
    assert is_archive(name, located(str(tmp_path / "file")))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("essay.docx", ZIP),
        ("Numbers.XLSX", ZIP),
        ("slides.odp", ZIP),
        ("app.apk", ZIP),
        ("data.rds", gzip.compress(b"x", mtime=0)),
        ("a.zip", b""),
        ("a.zip", b"print(1)"),
        ("a.tar", b"print(1)" * 100),
        ("zeros.bin", bytes(2000)),
        ("a.txt", b"BZh9 is how bzip2 begins"),
        ("a.txt", b"PK"),
        ("setup.exe", b"MZ" + ZIP),
    ],
)
def test_a_document_or_anything_else_is_none(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)

    assert not is_archive(name, content)
    assert not is_archive(name, located(str(tmp_path / "file")))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.zip"
    mkfifo(pipe)

    assert not is_archive("pipe.zip", located(str(pipe)))


def test_what_cannot_be_opened_is_none(tmp_path: Path) -> None:
    assert not is_archive("a.zip", located(str(tmp_path)))
    assert not is_archive("a.zip", located(str(tmp_path / "missing.zip")))
    assert not is_archive("a.zip", located("a\0.zip"))


@pytest.mark.parametrize(
    ("name", "start", "kind"),
    [
        ("a.rar", b"Rar!\x1a\x07\x01\x00", "a RAR archive"),
        ("a.tar.zst", b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
        ("a.tar.lz4", b"\x04\x22\x4d\x18", "an LZ4 archive"),
        ("a.tar.lz", b"LZIP\1", "an lzip archive"),
        ("a.tar.Z", b"\x1f\x9d", "a .Z archive"),
        ("a.cab", b"MSCF\0\0\0\0", "a cabinet archive"),
        ("a.iso", bytes(512), "an archive or a disk image"),
        ("a.LZH", b"\x1e\x64-lh5-\0\0", "an archive or a disk image"),
        ("a.arj", b"\x60\xea\x2c\0\x22\x0b\x01\x0b", "an archive or a disk image"),
    ],
)
def test_an_archive_that_is_not_supported_says_what_to_do(
    name: str, start: bytes, kind: str
) -> None:
    expected = f"is {kind}, which is not supported: repack it as zip"

    assert read(start + b" and more", name) == {name: expected}


def test_archives_in_archives_are_distinguished_from_documents() -> None:
    content = zip_of({"essay.docx": ZIP, "ann.zip": ZIP, "bob.tar.gz": gzip.compress(TAR)})

    assert read(content) == {
        "a.zip/ann.zip/a.py": b"x",
        "a.zip/bob.tar.gz/a.py": b"x",
        "a.zip/essay.docx": ZIP,
    }


def test_a_compressed_archive_is_an_archive_in_one() -> None:
    assert read(gzip.compress(ZIP), "ann.zip.gz") == {"ann.zip.gz/ann.zip/a.py": b"x"}


def test_archives_of_one_name_are_kept_apart() -> None:
    members = [RawMember(b"ann.zip", zip_of({"a.py": content})) for content in (b"1", b"2")]

    assert read(raw_zip(*members)) == {
        "a.zip/ann.zip/a.py": b"1",
        "a.zip/ann (2).zip/a.py": b"2",
    }


def test_a_damaged_archive_in_an_archive_costs_nothing_but_itself() -> None:
    found = read(zip_of({"bad.zip": ZIP[:20], "bad.tar": TAR[:600], "good.zip": ZIP}))

    assert found.pop("a.zip/good.zip/a.py") == b"x"
    assert sorted(found) == ["a.zip/bad.tar", "a.zip/bad.tar/a.py", "a.zip/bad.zip"]


def test_an_archive_with_an_obstacle_is_left_as_it_is() -> None:
    archive = Entry("a.zip", "a.zip", obstacle="is a link")

    assert archive_entries(archive, Limits(), no_rule) == [archive]


def test_a_tar_member_that_is_an_archive_is_read_to_its_end() -> None:
    inner = io.BytesIO(ZIP).read()
    content = raw_tar(tar_header(b"ann.zip", size=len(inner)), inner, tar_header(b"b.py"))

    assert read(content, "a.tar") == {"a.tar/ann.zip/a.py": b"x", "a.tar/b.py": b""}


@pytest.mark.parametrize("size", [0, 4, 8, 12, 100_000])
def test_zeros_that_pad_an_xz_file_are_ignored_as_by_xz(size: int) -> None:
    code = b"print(1)\n" * 1000

    padded = lzma.compress(code) + bytes(size)
    assert read(padded, "main.py.xz") == {"main.py.xz/main.py": code}
    assert read(tar_of({"main.py": code}, "w:xz") + bytes(size), "a.txz") == {"a.txz/main.py": code}
    assert read(lzma.compress(code)[:-4] + bytes(size), "main.py.xz") != {
        "main.py.xz/main.py": code
    }


def test_what_follows_a_gzip_file_is_ignored_as_by_gzip() -> None:
    code = b"print(1)\n" * 1000

    assert read(gzip.compress(code) + b"junk", "main.py.gz") == {"main.py.gz/main.py": code}
    packed = tar_of({"main.py": code}, "w:gz")
    assert read(packed + b"junk", "a.tar.gz") == {"a.tar.gz/main.py": code}
    wrong = gzip.compress(code)[:-8] + bytes(8)
    assert read(wrong, "main.py.gz") == {"main.py.gz/main.py": "is damaged"}
