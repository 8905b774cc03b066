import io
import struct
import zlib

import pytest

from mosslite.options import Limits
from tests.archives import read, seven_zip_of, zip_of

py7zr = pytest.importorskip("py7zr")

MIB = 1 << 20


FILES = {"main.py": b"print(1)\n" * 1000, "src/größe.py": b"x", "src/empty.py": b""}


@pytest.mark.parametrize(
    "filters",
    [
        None,
        [{"id": py7zr.FILTER_LZMA}],
        [{"id": py7zr.FILTER_BZIP2}],
        [{"id": py7zr.FILTER_COPY}],
        [{"id": py7zr.FILTER_X86}, {"id": py7zr.FILTER_LZMA2}],
        [{"id": py7zr.FILTER_X86}, {"id": py7zr.FILTER_LZMA}],
        [{"id": py7zr.FILTER_DELTA}, {"id": py7zr.FILTER_LZMA2}],
    ],
)
def test_a_7z_archive_is_read(filters: list[dict[str, int]] | None) -> None:
    content = seven_zip_of(FILES, filters=filters)

    assert read(content, "a.7z") == {f"a.7z/{name}": FILES[name] for name in FILES}


def resealed(content: bytes) -> bytes:
    """Return a 7z archive with the checksums of its list, which was changed."""
    place, size = struct.unpack_from("<QQ", content, 12)
    stop = 32 + place + size
    start = content[12:28] + struct.pack("<L", zlib.crc32(content[32 + place : stop]))
    return content[:8] + struct.pack("<L", zlib.crc32(start)) + start + content[32:]


def plain_list(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with py7zr.SevenZipFile(file, "w", filters=[{"id": py7zr.FILTER_LZMA2}]) as archive:
        archive.set_encoded_header_mode(False)
        for name, content in files.items():
            archive.writestr(content, name)
    return file.getvalue()


def test_a_7z_archive_is_read_whether_its_list_is_packed_or_not() -> None:
    assert read(plain_list(FILES), "a.7z") == {f"a.7z/{name}": FILES[name] for name in FILES}


def test_files_that_were_added_to_a_7z_archive_are_read() -> None:
    file = io.BytesIO(seven_zip_of(FILES))
    with py7zr.SevenZipFile(file, "a", filters=[{"id": py7zr.FILTER_COPY}]) as archive:
        archive.writestr(b"y = 2", "added.py")

    found = read(file.getvalue(), "a.7z")

    assert found == {f"a.7z/{name}": FILES[name] for name in FILES} | {"a.7z/added.py": b"y = 2"}


def test_a_dictionary_of_gigabytes_is_refused() -> None:
    content = plain_list({"a.py": b"print(1)"})
    large = content.replace(b"\x21\x21\x01", b"\x21\x21\x01\x27", 1)
    at = large.index(b"\x21\x21\x01\x27") + 4

    assert read(resealed(large[:at] + large[at + 1 :]), "a.7z") == {
        "a.7z/a.py": "needs more memory to unpack than is available"
    }


def test_a_packed_list_that_is_itself_comes_to_an_end() -> None:
    about = b"\x17\x06\x00\x01\x09\x15\x00\x07\x0b\x01\x00\x01\x01\x00\x0c\x15\x00\x00"
    about += bytes(21 - len(about))
    content = b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(4) + struct.pack("<QQL", 0, 21, 0) + about

    (reason,) = read(resealed(content), "a.7z").values()

    assert str(reason).startswith("is damaged")


def test_an_empty_7z_archive_holds_no_files() -> None:
    assert read(seven_zip_of({}), "a.7z") == {"a.7z": "contains no files"}


def test_archives_in_7z_archives_are_read() -> None:
    content = seven_zip_of({"ann.zip": zip_of({"a.py": b"x"}), "bob.7z": seven_zip_of(FILES)})

    assert len(read(content, "a.7z")) == 4


@pytest.mark.parametrize(
    "method", [py7zr.FILTER_DEFLATE, py7zr.FILTER_ZSTD, py7zr.FILTER_PPMD, py7zr.FILTER_BROTLI]
)
def test_what_unpacks_without_bound_is_refused(method: int) -> None:
    filters = [{"id": method, "level": 3, "order": 6, "mem": 16}]

    assert read(seven_zip_of({"a.py": b"x"}, filters=filters), "a.7z") == {
        "a.7z/a.py": "uses an unsupported compression method"
    }


def test_encrypted_members_are_refused() -> None:
    assert read(seven_zip_of({"a.py": b"x"}, password="secret"), "a.7z") == {  # noqa: S106
        "a.7z/a.py": "is encrypted"
    }


def test_an_encrypted_list_of_members_is_refused() -> None:
    content = seven_zip_of({"a.py": b"x"}, password="secret", header_encryption=True)  # noqa: S106

    assert read(content, "a.7z") == {"a.7z": "is encrypted"}


def test_files_beyond_the_limits_are_refused() -> None:
    content = seven_zip_of({"a.py": b"a", "big.py": bytes(5 * MIB), "c.py": b"c"})

    assert read(content, "a.7z") == {
        "a.7z/a.py": b"a",
        "a.7z/big.py": "is larger than 4,194,304 bytes (--max-file-size)",
        "a.7z/c.py": b"c",
    }


@pytest.mark.slow
def test_a_bomb_is_not_unpacked() -> None:
    content = seven_zip_of({f"{number}.py": bytes(4 * MIB) for number in range(20)})

    found = read(content, "a.7z")

    assert len(found) == 5
    assert found["a.7z"] == "unpacks to more than 16 MiB and 100 times its size (--max-ratio)"


def test_members_are_counted_before_they_are_listed() -> None:
    content = seven_zip_of({f"{number}.py": b"x" for number in range(4)})

    assert len(read(content, "a.7z", limits=Limits(members=4))) == 4
    assert read(content, "a.7z", limits=Limits(members=3)) == {
        "a.7z": "contains more than 3 files (--max-members)"
    }


def test_a_list_that_is_too_long_is_refused() -> None:
    names = {f"{number:04}" + 120 * "x": b"" for number in range(5000)}

    assert read(seven_zip_of(names), "a.7z") == {
        "a.7z": "is a 7z archive whose list of files is too long: repack it as zip"
    }


@pytest.mark.parametrize("cut", [7, 20, 40, -1])
def test_a_7z_archive_that_is_cut_off_says_so(cut: int) -> None:
    (reason,) = read(seven_zip_of(FILES)[:cut], "a.7z").values()

    assert str(reason).startswith("is damaged")


def test_damaged_bytes_are_told_for_the_members_they_are_in() -> None:
    content = seven_zip_of({"a.py": b"print(1)\n" * 10}, filters=[{"id": py7zr.FILTER_COPY}])

    found = read(content.replace(b"print(1)", b"print(2)", 1), "a.7z")

    assert found == {"a.7z/a.py": "is damaged: its size or checksum is wrong"}
