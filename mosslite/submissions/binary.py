"""Tells what files begin like that are nobody's text, in words for the user.

Whoever hands in a program decides how it begins: `GIF89a = 1` is JavaScript. So the first bytes of
what reads as text decide nothing where the name is a program's.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from mosslite.output_signatures import is_own_archive, is_own_result

__all__ = [
    "Foreign",
    "foreign_kind",
    "is_apple_double",
    "is_text",
    "looks_like_text",
]


_SQLITE = b"SQLite format 3\0"

# How files begin that hold somebody's text, but not as text.
_DOCUMENTS = (
    (b"%PDF-", "a PDF"),
    (b"{\\rtf", "an RTF document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
)
# What a zip archive holds that is such a file.
_ZIPPED = (
    (b"word/document", "a Word document"),
    (b"xl/workbook", "an Excel workbook"),
    (b"ppt/presentation", "a PowerPoint presentation"),
    (b"mimetypeapplication/vnd.oasis.opendocument", "an OpenDocument file"),
    (b"mimetypeapplication/epub", "an e-book"),
    (b"Index/Document.iwa", "a Pages, Numbers or Keynote document"),
)
_OTHERS = (
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"\xca\xfe\xba\xbe", "a compiled Java class"),
    (b"\x7fELF", "a compiled program"),
    (b"\xcf\xfa\xed\xfe", "a compiled program"),
    (b"\0asm", "a compiled program"),
    (b"!<arch>\n", "a compiled library"),
    (_SQLITE, "an SQLite database"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b\x08", "a gzip archive"),
    (b"BZh91AY&SY", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a rar archive"),
)

_BEGINNINGS = tuple(start for start, _ in (*_DOCUMENTS, *_OTHERS))
# What macOS notes of a file beside it, in one of the same name behind ``._``.
_APPLE_DOUBLE: Final = b"\0\5\x16\7"

# Control characters that text does not hold; a file in which one character in twenty is one of
# them is not text. (Tab, line feed, form feed, carriage return and escape do occur.)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\f\r\x1b")) + b"\x7f"
_MOST_CONTROLS = 0.05


class Foreign(NamedTuple):
    """A kind of files that are not compared.

    Attributes:
        kind: What it is, as in ``a GIF image``.
        advice: What else there is to say.
        is_text: Files of the kind can be text all through, so that only their beginning tells.
    """

    kind: str
    advice: str = ", which is not read"
    is_text: bool = False

    @property
    def reason(self) -> str:
        """Why such a file is left out."""
        return f"is {self.kind}{self.advice}"


def foreign_kind(content: bytes) -> Foreign | None:
    """Return what a file begins like that is not text, or that mosslite has written."""
    if is_own_result(content):
        return Foreign("a result of mosslite", "", is_text=True)
    if not content.startswith(_BEGINNINGS):
        return None
    document = _kind(content, _DOCUMENTS) or _zipped_kind(content)
    if document:
        return Foreign(document, ", which is not read: hand in plain text", is_text=True)
    if content.startswith(_SQLITE) and is_own_archive(content):
        return Foreign("an archive of mosslite", ": 'check' takes it as --archive")
    return Foreign(_kind(content, _OTHERS))


def is_apple_double(name: str, head: bytes = _APPLE_DOUBLE) -> bool:
    """Return whether a file is a note of macOS on another one, by its name and first bytes."""
    return name.rpartition("/")[2].startswith("._") and head.startswith(_APPLE_DOUBLE)


def looks_like_text(head: bytes) -> bool:
    """Return whether a file can be text in an encoding that has ASCII, by its first bytes."""
    return bool(head) and is_text(head.decode("latin-1"))


def is_text(text: str, *, is_program: bool = False) -> bool:
    """Return whether decoded bytes make sense as text: few controls, NUL in programs alone.

    Compilers of C and others pass over NUL.
    """
    plain = text.encode("ascii", "replace")
    controls = len(plain) - len(plain.translate(None, delete=_CONTROLS))
    return (is_program or "\0" not in text) and controls <= _MOST_CONTROLS * len(text)


def _kind(content: bytes, kinds: tuple[tuple[bytes, str], ...]) -> str:
    return next((kind for start, kind in kinds if content.startswith(start)), "")


def _zipped_kind(content: bytes) -> str:
    if not content.startswith(b"PK\x03\x04"):
        return ""
    return next((kind for name, kind in _ZIPPED if name in content), "")
