"""Tells bytes that are nobody's text, in words for the user."""

from __future__ import annotations

from mosslite.intake.entries import NotReadError
from mosslite.own_results import is_own_archive, is_own_result

__all__ = ["is_text", "refuse_foreign"]

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

# Control characters that text does not hold; a file in which one character in twenty is one of
# them is no text. (Tab, line feed, form feed, carriage return and escape do occur.)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\f\r\x1b")) + b"\x7f"
_MOST_CONTROLS = 0.05


def refuse_foreign(content: bytes) -> None:
    """Refuse files of a known kind that is no text, and what mosslite has written.

    Raises:
        NotReadError: It is one, and of which kind.
    """
    if is_own_result(content):
        msg = "is a result of mosslite"
        raise NotReadError(msg)
    if not content.startswith(_BEGINNINGS):
        return
    document = _kind(content, _DOCUMENTS) or _zipped_kind(content)
    if document:
        msg = f"is {document}, which is not read: hand in plain text"
        raise NotReadError(msg)
    if content.startswith(_SQLITE) and is_own_archive(content):
        msg = "is an archive of mosslite: 'check' takes it as --archive"
        raise NotReadError(msg)
    other = _kind(content, _OTHERS)
    if other:
        msg = f"is {other}, which is not read"
        raise NotReadError(msg)


def is_text(text: str) -> bool:
    """Tell whether decoded bytes make sense as text: no NUL, and few other controls."""
    plain = text.encode("ascii", "replace")
    controls = len(plain) - len(plain.translate(None, delete=_CONTROLS))
    return "\0" not in text and controls <= _MOST_CONTROLS * len(text)


def _kind(content: bytes, kinds: tuple[tuple[bytes, str], ...]) -> str:
    return next((kind for start, kind in kinds if content.startswith(start)), "")


def _zipped_kind(content: bytes) -> str:
    if not content.startswith(b"PK\x03\x04"):
        return ""
    return next((kind for name, kind in _ZIPPED if name in content), "")
