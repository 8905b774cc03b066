"""Reads one file: bytes to text, or the reason why not."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["NotReadError", "read_text"]

# Control characters that text does not hold; a file in which one byte in twenty is one of them
# is no text. (Tab, line feed, form feed, carriage return and escape do occur.)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\f\r\x1b")) + b"\x7f"
_MOST_CONTROLS = 0.05


class NotReadError(Exception):
    """The file is not compared; the message says why, in words for the user."""


def read_text(path: Path) -> tuple[str, str]:
    """Decode a file: by its byte order mark, else as UTF-8, else as Latin-1.

    Returns:
        The text, and the encoding it was read as.

    Raises:
        NotReadError: It cannot be opened, or is empty, binary or damaged.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        msg = f"cannot be read: {(error.strerror or 'unknown error').lower()}"
        raise NotReadError(msg) from error
    text, encoding = _decoded(content)
    if not text.strip():
        msg = "is empty"
        raise NotReadError(msg)
    return text, encoding


def _decoded(content: bytes) -> tuple[str, str]:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _utf_16(content), "utf-16"
    if _is_binary(content):
        msg = "is binary"
        raise NotReadError(msg)
    try:
        return content.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return content.decode("latin-1"), "latin-1"


def _utf_16(content: bytes) -> str:
    try:
        text = content.decode("utf-16")
    except UnicodeDecodeError as error:
        msg = f"begins like UTF-16 but is not: {error.reason} at byte {error.start}"
        raise NotReadError(msg) from error
    if "\0" in text:
        msg = "is binary"
        raise NotReadError(msg)
    return text


def _is_binary(content: bytes) -> bool:
    controls = len(content) - len(content.translate(None, delete=_CONTROLS))
    return b"\0" in content or controls > _MOST_CONTROLS * len(content)
