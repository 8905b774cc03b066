import bz2
import gzip
import io
import lzma
import tarfile
import tracemalloc

import pytest

from tests.archives import padded, pax_records, raw_tar, read, tar_changed, tar_header, tar_of

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
    content = raw_tar(tar_changed(tar_header(b"main.py", b"\0", 1), {257: bytes(8)}), b"x")

    assert read(content, "a.tar") == {"a.tar/main.py": b"x"}
    assert read(gzip.compress(content), "a.tgz") == {"a.tgz/main.py": b"x"}
    assert read(content, "a.bin") == {"a.bin": "is not an archive"}


@pytest.mark.parametrize("root", [b"./", b".", b"/", b"../"])
def test_the_folder_that_was_packed_itself_is_not_named(root: bytes) -> None:
    content = raw_tar(tar_header(root, tarfile.DIRTYPE), tar_header(b"./a.py", size=1), b"x")

    assert read(content, "a.tar") == {"a.tar/a.py": b"x"}


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tgz"])
def test_an_empty_tar_file_holds_no_files(name: str) -> None:
    content = raw_tar() if name == "a.tar" else gzip.compress(raw_tar())

    assert read(content, name) == {name: "contains no files"}


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (tarfile.LNKTYPE, "is a hard link to a file that is not read"),
        (tarfile.SYMTYPE, "is a symbolic link, which is not followed"),
        (tarfile.CHRTYPE, "is not a regular file"),
        (tarfile.BLKTYPE, "is not a regular file"),
        (tarfile.FIFOTYPE, "is not a regular file"),
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


# Parts of a sparse file: "abc", a hole, "de" at 600, and a hole up to 700.
PARTS = ((0, 3), (600, 2), (700, 0))
SPARSE = (b"abc".ljust(600, b"\0") + b"de").ljust(700, b"\0")
DENSE = b"abcde"


def with_records(records: bytes, header: bytes, content: bytes) -> bytes:
    return raw_tar(tar_header(b"x", b"x", len(records)), records, header, content)


def old_sparse(*parts: tuple[int, int], further: int = 0) -> tuple[bytes, ...]:
    """Return a header of GNU's old format, and blocks behind it with all parts but the first."""
    fields = [b"%011o\0%011o\0" % part for part in parts]
    inside = fields[:1] if further else fields
    written = b"".join(inside).ljust(96, b"\0") + bytes([further > 0]) + b"%011o\0" % 700
    block = tar_changed(tar_header(b"real.py", b"S", len(DENSE)), {386: written})
    blocks = [bytes(504) + b"\1".ljust(8, b"\0")] * (further - 1)
    last = [b"".join(fields[1:]).ljust(512, b"\0")] if further else []
    return block, *blocks, *last


def sparse_files() -> dict[str, bytes]:
    usual = {b"GNU.sparse.size": b"700"}
    by_list = pax_records({b"GNU.sparse.map": b"0,3,600,2,700,0", **usual})
    by_turns = b"".join(
        pax_records({b"GNU.sparse.offset": b"%d" % at, b"GNU.sparse.numbytes": b"%d" % size})
        for at, size in PARTS
    ) + pax_records(usual)
    newest = {b"major": b"1", b"minor": b"0", b"name": b"real.py", b"realsize": b"700"}
    inside = pax_records({b"GNU.sparse." + key: value for key, value in newest.items()})
    stored = b"3\n0\n3\n600\n2\n700\n0\n".ljust(512, b"\0") + DENSE
    return {
        "old": raw_tar(*old_sparse(*PARTS), DENSE),
        "old, one further block": raw_tar(*old_sparse(*PARTS, further=1), DENSE),
        "old, three further blocks": raw_tar(*old_sparse(*PARTS, further=3), DENSE),
        "0.0": with_records(by_turns, tar_header(b"real.py", size=5), DENSE),
        "0.1": with_records(by_list, tar_header(b"real.py", size=5), DENSE),
        "1.0": with_records(inside, tar_header(b"GNUSparse.0/r", size=len(stored)), stored),
    }


@pytest.mark.parametrize("form", sparse_files())
def test_a_sparse_file_is_read_and_so_is_what_follows(form: str) -> None:
    content = sparse_files()[form].removesuffix(bytes(1024))
    content += raw_tar(tar_header(b"b.py", size=1), b"x")

    assert read(content, "a.tar") == {"a.tar/real.py": SPARSE, "a.tar/b.py": b"x"}
    assert read(gzip.compress(content), "a.tgz") == {"a.tgz/real.py": SPARSE, "a.tgz/b.py": b"x"}
    with tarfile.open(fileobj=io.BytesIO(content)) as told:
        file = told.extractfile(told.getmembers()[0])
        assert file is not None
        assert file.read() == SPARSE


def test_the_holes_of_sparse_files_count_as_unpacked() -> None:
    size = 4_000_000
    records = pax_records({b"GNU.sparse.map": b"0,1", b"GNU.sparse.size": b"%d" % size})
    parts = [tar_header(b"x", b"x", len(records)), records, tar_header(b"a.c", size=1), b"x"]

    found = read(raw_tar(*parts * 20), "a.tar")

    assert sum(len(each) for each in found.values() if isinstance(each, bytes)) <= 16 << 20
    assert "--max-ratio" in str(found["a.tar"])


def linked(name: bytes, target: bytes) -> bytes:
    return tar_changed(tar_header(name, tarfile.LNKTYPE), {157: target})


@pytest.mark.parametrize("target", [b"src/a.py", b"./src/a.py", b"/src/x/../a.py"])
def test_a_hard_link_has_the_content_of_the_file_that_it_names(target: bytes) -> None:
    content = raw_tar(tar_header(b"src/a.py", size=1), b"x", linked(b"b.py", target))

    assert read(content, "a.tar") == {"a.tar/src/a.py": b"x", "a.tar/b.py": b"x"}
    assert read(gzip.compress(content), "a.tgz") == {"a.tgz/src/a.py": b"x", "a.tgz/b.py": b"x"}


def test_a_hard_link_with_a_long_target_is_resolved() -> None:
    name = b"d/" * 80 + b"a.py"
    longs = [tar_header(b"x", kind, len(name)) for kind in (b"L", b"K")]
    content = raw_tar(
        longs[0], name, tar_header(b"d", size=1), b"x", longs[1], name, linked(b"b.py", b"d")
    )

    assert read(content, "a.tar")["a.tar/b.py"] == b"x"


def test_the_bytes_of_hard_links_count_as_unpacked() -> None:
    size = 1_000_000
    links = [linked(b"%d.py" % number, b"a.py") for number in range(100)]

    content = raw_tar(tar_header(b"a.py", size=size), b"x" * size, *links)

    found = read(gzip.compress(content), "a.tgz")

    assert len(found) < 20
    assert "--max-ratio" in str(found["a.tgz"])


def test_pax_records_say_the_size_of_large_files() -> None:
    records = pax_records({b"size": b"3", b"comment": b"two\nlines"})
    content = raw_tar(tar_header(b"x", b"x", len(records)), records, tar_header(b"a.py"), b"abc")

    assert read(content, "a.tar") == {"a.tar/a.py": b"abc"}


def test_records_for_all_that_follows_name_nothing() -> None:
    records = pax_records({b"path": b"everywhere.py"})
    content = raw_tar(tar_header(b"g", b"g", len(records)), records, tar_header(b"a.py"))

    assert read(content, "a.tar") == {"a.tar/a.py": b""}


@pytest.mark.parametrize("kind", [b"x", b"L", b"K"])
def test_a_header_that_claims_a_gigabyte_is_refused_unread(kind: bytes) -> None:
    content = raw_tar(tar_header(b"a.py", size=1), b"x", tar_header(b"x", kind, 1 << 30))

    assert read(content, "a.tar") == {
        "a.tar/a.py": b"x",
        "a.tar": "is damaged: a header in it has more than 1,048,576 bytes",
    }


@pytest.mark.parametrize("count", [100, 10_000])
def test_headers_without_a_file_come_to_an_end(count: int) -> None:
    content = raw_tar(*(count * [tar_header(b"x", b"x")]))

    assert read(content, "a.tar") == {"a.tar": "is damaged"}


def test_headers_that_are_small_but_many_are_damage() -> None:
    sparse = tar_changed(tar_header(b"a.py", b"S", 5), {482: b"\1"})
    content = raw_tar(sparse, *(3000 * [bytes(504) + b"\1".ljust(8, b"\0")]))

    assert read(content, "a.tar") == {
        "a.tar": "is damaged: a header in it has more than 1,048,576 bytes"
    }


def test_records_of_all_files_take_no_memory_for_each() -> None:
    records = pax_records({b"key%d" % number: b"x" for number in range(20_000)})
    files = [tar_header(b"%d.py" % number) for number in range(2_000)]

    tracemalloc.start()
    found = read(raw_tar(tar_header(b"g", b"g", len(records)), records, *files), "a.tar")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert len(found) == 2_000
    assert most < 20_000_000


@pytest.mark.parametrize("records", [b"0 a=b\n", b"1 path=x\n", b"-5 path=x\n", b"path=x\n", b" "])
def test_records_that_cannot_be_counted_are_passed_or_damage(records: bytes) -> None:
    """Versions of Python differ."""
    content = raw_tar(tar_header(b"x", b"x", len(records)), records, tar_header(b"a.py"))

    assert len(read(content, "a.tar")) == 1


@pytest.mark.parametrize("parts", [b"9999999,1,0,9", b"-5,3,0,1", b"5,-9,3,4", b"0,-1,2,-7,1,1"])
def test_parts_of_a_sparse_file_that_cannot_be_come_to_an_end(parts: bytes) -> None:
    records = pax_records({b"GNU.sparse.map": parts, b"GNU.sparse.size": b"700"})
    content = with_records(records, tar_header(b"a.py", size=5), DENSE)

    assert len(read(content, "a.tar")) <= 2


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


def test_a_tar_file_without_the_blocks_of_its_end_is_whole() -> None:
    content = raw_tar(tar_header(b"a.py", size=1), b"x")[:-1024]

    assert read(content, "a.tar") == {"a.tar/a.py": b"x"}
    assert read(gzip.compress(content), "a.tgz") == {"a.tgz/a.py": b"x"}
    assert read(content + b"more", "a.tar") == {"a.tar/a.py": b"x", "a.tar": EARLY}


@pytest.mark.parametrize("cut", [600, 512, 100])
def test_a_member_that_is_cut_off_says_so(cut: int) -> None:
    content = raw_tar(tar_header(b"a.py", size=700), b"x" * 700)[: 512 + cut]

    assert read(content, "a.tar") == {"a.tar/a.py": EARLY, "a.tar": "is damaged"}


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
        (lzma.compress(b"x = 1") + b"garbage", "main.py.xz", "main.py"),
    ],
)
def test_a_compressed_file_is_an_archive_of_one(content: bytes, name: str, member: str) -> None:
    assert read(content, name) == {f"{name}/{member}": b"x = 1"}


@pytest.mark.parametrize("content", [b"", b"x"])
def test_streams_of_almost_no_content_come_to_an_end(content: bytes) -> None:
    found = read(gzip.compress(content) * 150_000, "a.gz")

    assert set(found.values()) == {"is damaged: more than 2 MiB of it unpack to nothing"}
