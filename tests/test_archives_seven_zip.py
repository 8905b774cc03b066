from __future__ import annotations

import io
import sys

import pytest

from mosslite.options import Limits
from tests.archives import read, zip_of

py7zr = pytest.importorskip("py7zr")

MIB = 1 << 20


def seven_zip_of(files: dict[str, bytes], **how: object) -> bytes:
    file = io.BytesIO()
    with py7zr.SevenZipFile(file, "w", **how) as archive:
        for name, content in files.items():
            archive.writestr(content, name)
    return file.getvalue()


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

    assert found == {"a.7z/a.py": "is damaged: its checksum is wrong"}


def test_without_py7zr_a_7z_archive_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    content = seven_zip_of(FILES)
    monkeypatch.setitem(sys.modules, "py7zr", None)

    assert read(content, "a.7z") == {
        "a.7z": "is a 7z archive, which needs py7zr: in a checkout, pip install '.[7z]'"
    }
