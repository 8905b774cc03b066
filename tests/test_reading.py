from __future__ import annotations

import codecs
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.intake.reading import NotReadError, read_text
from tests.builders import LAW

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "naïve = 'œuvre'\r\n\tprint(naïve)\r"


@pytest.mark.parametrize(
    ("content", "text", "encoding"),
    [
        (TEXT.encode(), TEXT, "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), TEXT, "utf-8"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), TEXT, "utf-16"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), TEXT, "utf-16"),
        ("déjà vu".encode("latin-1"), "déjà vu", "latin-1"),
        (b"caf\xc3", "cafÃ", "latin-1"),
        (b"x = 1\f\x1b[0m", "x = 1\f\x1b[0m", "utf-8"),
        (b"\x01" + 19 * b"x", "\x01" + 19 * "x", "utf-8"),
    ],
    ids=[
        "utf-8", "utf-8 with mark", "utf-16 le", "utf-16 be", "latin-1", "cut utf-8",
        "escapes and form feeds", "one control in twenty",
    ],
)  # fmt: skip
def test_a_file_is_read_by_its_mark_else_as_utf_8_else_as_latin_1(
    tmp_path: Path, content: bytes, text: str, encoding: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert read_text(path) == (text, encoding)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b" \t\r\n\f \n", "is empty"),
        (codecs.BOM_UTF8, "is empty"),
        (codecs.BOM_UTF16_BE, "is empty"),
        ("\N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}".encode(), "is empty"),
        (b"text\0text", "is binary"),
        ("text without a mark".encode("utf-16-le"), "is binary"),
        ("utf-32 with its mark".encode("utf-32"), "is binary"),
        (2 * b"\x01" + 37 * b"x", "is binary"),
        (
            codecs.BOM_UTF16_LE + b"a\0b\0c",
            "begins like UTF-16 but is not: truncated data at byte 6",
        ),
        (
            codecs.BOM_UTF16_BE + b"\xd8\0\0a",
            "begins like UTF-16 but is not: illegal UTF-16 surrogate at byte 2",
        ),
    ],
)
def test_a_file_that_is_no_text_is_refused_with_a_reason(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(NotReadError) as caught:
        read_text(path)
    assert str(caught.value) == reason


def test_what_cannot_be_opened_is_refused_in_the_words_of_the_operating_system(
    tmp_path: Path,
) -> None:
    with pytest.raises(NotReadError, match=r"^cannot be read: no such file or directory$"):
        read_text(tmp_path / "missing")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(NotReadError, match=r"^cannot be read: too many levels of symbolic links$"):
        read_text(tmp_path / "loop")


def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("text")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with pytest.raises(NotReadError, match=r"^cannot be read: permission denied$"):
        read_text(path)


@LAW
@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1))
def test_every_text_comes_back_from_utf_8_and_utf_16(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "law"
    text = "x" + text
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_bytes(text.encode(encoding))
        assert read_text(path)[0] == text
