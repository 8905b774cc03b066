from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile

import pytest

from tests.archives import padded, pax_records, raw_tar, read, tar_header, tar_of

FILES = {
    "main.py": b"print(1)\n" * 1000,
    "src/empty.py": b"",
    90 * "y" + "/" + 80 * "x" + ".py": b"x",
}
EARLY = "is damaged: unexpected end of file"


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
@pytest.mark.parametrize(
    "form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT], ids=str
)
def test_every_usual_tar_file_is_read(mode: str, form: int) -> None:
    content = tar_of(FILES, mode, form)

    assert read(content, "a") == {f"a/{name}": FILES[name] for name in FILES}


def test_a_tar_file_from_before_there_was_a_mark_is_read_by_its_name() -> None:
    header = bytearray(tar_header(b"main.py", b"\0", 1))
    header[257:265] = bytes(8)
    header[148:156] = 8 * b" "
    header[148:156] = b"%06o\0 " % sum(header)
    content = raw_tar(bytes(header), b"x")

    assert read(content, "a.tar") == {"a.tar/main.py": b"x"}
    assert read(gzip.compress(content), "a.tgz") == {"a.tgz/main.py": b"x"}
    assert read(content, "a.bin") == {"a.bin": "is not an archive"}


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tgz"])
def test_an_empty_tar_file_holds_no_files(name: str) -> None:
    content = raw_tar() if name == "a.tar" else gzip.compress(raw_tar())

    assert read(content, name) == {name: "contains no files"}


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (tarfile.LNKTYPE, "is a hard link, which is not followed"),
        (tarfile.SYMTYPE, "is a symbolic link, which is not followed"),
        (tarfile.CHRTYPE, "is not a regular file"),
        (tarfile.BLKTYPE, "is not a regular file"),
        (tarfile.FIFOTYPE, "is not a regular file"),
        (tarfile.GNUTYPE_SPARSE, "is a sparse file, which is not read"),
        (b"M", "is part of a file"),
    ],
)
def test_links_devices_and_parts_are_refused(kind: bytes, reason: str) -> None:
    content = raw_tar(tar_header(b"odd.py", kind), tar_header(b"main.py", size=1), b"x")

    assert read(content, "a.tar") == {"a.tar/odd.py": reason, "a.tar/main.py": b"x"}


def test_a_link_has_no_bytes_whatever_it_says() -> None:
    content = raw_tar(tar_header(b"link", b"1", 512), tar_header(b"main.py", size=1), b"x")

    assert list(read(content, "a.tar")) == ["a.tar/link", "a.tar/main.py"]


def test_folders_and_notes_about_them_are_reported_as_empty() -> None:
    content = raw_tar(
        tar_header(b"src", b"5"),
        tar_header(b"old/", b"\0"),
        tar_header(b"dump", b"D", 3),
        b"Yx\0",
        tar_header(b"volume", b"V"),
        tar_header(b"main.py", size=1),
        b"x",
    )

    empty = {f"a.tar/{name}": "contains no files" for name in ("dump", "old", "src", "volume")}
    assert read(content, "a.tar") == {"a.tar/main.py": b"x"} | empty


def test_a_member_of_an_unknown_kind_is_a_file() -> None:
    assert read(raw_tar(tar_header(b"a.py", b"Q", 1), b"x"), "a.tar") == {"a.tar/a.py": b"x"}


def test_a_sparse_file_in_pax_records_is_refused() -> None:
    records = pax_records({b"GNU.sparse.major": b"1", b"GNU.sparse.name": b"real.py"})
    content = raw_tar(
        tar_header(b"x", b"x", len(records)), records, tar_header(b"GNUSparse.0/real.py")
    )

    assert read(content, "a.tar") == {"a.tar/real.py": "is a sparse file, which is not read"}


def test_pax_records_say_the_size_of_large_files() -> None:
    records = pax_records({b"size": b"3", b"comment": b"two\nlines"})
    content = raw_tar(tar_header(b"x", b"x", len(records)), records, tar_header(b"a.py"), b"abc")

    assert read(content, "a.tar") == {"a.tar/a.py": b"abc"}


def test_records_for_all_that_follows_name_nothing() -> None:
    records = pax_records({b"path": b"everywhere.py"})
    content = raw_tar(tar_header(b"g", b"g", len(records)), records, tar_header(b"a.py"))

    assert read(content, "a.tar") == {"a.tar/a.py": b""}


@pytest.mark.parametrize("kind", [b"x", b"g", b"L", b"K"])
def test_a_header_that_claims_a_gigabyte_is_refused_unread(kind: bytes) -> None:
    content = raw_tar(tar_header(b"a.py", size=1), b"x", tar_header(b"x", kind, 1 << 30))

    assert read(content, "a.tar") == {
        "a.tar/a.py": b"x",
        "a.tar": "is damaged: a header in it has more than 1,048,576 bytes",
    }


def test_headers_without_a_file_come_to_an_end() -> None:
    content = raw_tar(*(100 * [tar_header(b"x", b"x")]))

    assert read(content, "a.tar") == {
        "a.tar": "is damaged: more than 16 headers belong to one file"
    }


def test_records_without_end_come_to_an_end() -> None:
    records = 1000 * b"6 a=b\n"
    content = raw_tar(tar_header(b"x", b"x", len(records)), records, tar_header(b"a.py"))

    assert read(content, "a.tar") == {
        "a.tar": "is damaged: a header in it has more than 256 records"
    }


@pytest.mark.parametrize("records", [b"0 a=b\n", b"1 path=x\n", b"-5 path=x\n", b"path=x\n", b" "])
def test_records_that_cannot_be_counted_are_damage(records: bytes) -> None:
    content = raw_tar(tar_header(b"x", b"x", len(records)), records, tar_header(b"a.py"))

    (reason,) = read(content, "a.tar").values()

    assert str(reason).startswith("is damaged")


@pytest.mark.parametrize(
    "sized", [b"-0000000001\0", b"\xff" * 12, b"99999999999\0", b"\x80" + b"\xff" * 11]
)
def test_a_size_that_cannot_be_ends_the_archive_with_a_line(sized: bytes) -> None:
    content = raw_tar(tar_header(b"ok.py"), tar_header(b"a.py", sized=sized))

    found = read(content, "a.tar")

    assert found.pop("a.tar/ok.py") == b""
    assert str(found["a.tar"]).startswith("is damaged")


def test_a_size_in_bytes_instead_of_digits_is_read() -> None:
    header = tar_header(b"a.py", sized=b"\x80" + (1).to_bytes(11, "big"))

    assert read(raw_tar(header, b"x"), "a.tar") == {"a.tar/a.py": b"x"}


def test_a_broken_header_does_not_end_an_archive_silently() -> None:
    content = padded(tar_header(b"a.py", size=1) + b"x" + bytes(511) + b"y" * 512) + bytes(1024)

    assert read(content, "a.tar") == {
        "a.tar/a.py": b"x",
        "a.tar": "is damaged: it has an invalid header",
    }


def test_what_follows_the_end_is_reported() -> None:
    content = tar_of({"a.py": b"a"}) + tar_of({"b.py": b"b"})

    assert read(content, "a.tar") == {
        "a.tar/a.py": b"a",
        "a.tar": "is damaged: more data follows its end",
    }


def test_a_tar_file_without_its_end_may_have_lost_files() -> None:
    content = raw_tar(tar_header(b"a.py", size=1), b"x")[:-1024]

    assert read(content, "a.tar") == {"a.tar/a.py": b"x", "a.tar": EARLY}


@pytest.mark.parametrize("cut", [600, 512, 100])
def test_a_member_that_is_cut_off_says_so(cut: int) -> None:
    content = raw_tar(tar_header(b"a.py", size=700), b"x" * 700)[: 512 + cut]

    assert read(content, "a.tar") == {"a.tar/a.py": EARLY, "a.tar": EARLY}


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_compressed_tar_file_that_is_cut_off_says_so(pack: object) -> None:
    assert callable(pack)
    content: bytes = pack(tar_of({"a.py": b"x", "b.py": bytes(range(256)) * 100}))

    found = read(content[:-30], "a.tar")

    assert "is damaged" in str(found["a.tar"])


def test_a_wrong_checksum_at_the_end_is_reported() -> None:
    content = gzip.compress(tar_of({"a.py": b"x"}))

    found = read(content[:-8] + b"\0\0\0\0" + content[-4:], "a.tgz")

    assert found == {"a.tgz/a.py": b"x", "a.tgz": "is damaged"}


@pytest.mark.parametrize(
    ("content", "name", "member"),
    [
        (gzip.compress(b"x = 1", mtime=0), "main.py.gz", "main.py"),
        (bz2.compress(b"x = 1"), "main.py.bz2", "main.py"),
        (lzma.compress(b"x = 1"), "Main.PY.XZ", "Main.PY"),
        (gzip.compress(b"x = 1", mtime=0), "odd", "odd"),
        (gzip.compress(b"x = 1", mtime=0), "a.tgz", "a.tar"),
        (
            gzip.compress(b"x ", mtime=0) + gzip.compress(b"= 1", mtime=0) + bytes(9),
            "main.py.gz",
            "main.py",
        ),
        (lzma.compress(b"x ") + lzma.compress(b"= 1"), "main.py.xz", "main.py"),
        (gzip.compress(b"x = 1", mtime=0) + b"garbage", "main.py.gz", "main.py"),
    ],
)
def test_a_compressed_file_is_an_archive_of_one(content: bytes, name: str, member: str) -> None:
    assert read(content, name) == {f"{name}/{member}": b"x = 1"}


def test_streams_without_content_come_to_an_end() -> None:
    found = read(gzip.compress(b"") * 70_000, "a.gz")

    assert found == {"a.gz": "is damaged: it consists of more than 65,536 streams"}
