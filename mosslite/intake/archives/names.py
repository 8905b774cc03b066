"""Names of members: decoded, made safe to show, or refused."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["DOS_GUESSES", "UNIX_GUESSES", "decoded", "placed"]

# How names that are no UTF-8 may have been written: by MS-DOS and its heirs, or by others.
DOS_GUESSES: Final = ("cp437", "cp1252", "cp850")
UNIX_GUESSES: Final = ("cp1252", "cp850")

# Longer than file systems allow; a line of a report should not be a page.
_LONGEST = 4096
_SHOWN = 200

# What would break a line or change a terminal, and what no encoding can write.
_UNSHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_DRIVE = re.compile(r"[A-Za-z]:")


def decoded(name: bytes, guesses: tuple[str, ...]) -> str:
    """Return a name as UTF-8, else by the first guess that gives Latin letters, else as cp437."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        guessed = (_latin(name, guess) for guess in guesses)
        return next(filter(None, guessed), "") or name.decode("cp437")


def placed(name: str) -> tuple[str, str]:
    """Return a member's path below its archive, with forward slashes, and why it is refused.

    Returns:
        The path, never empty and fit to be shown; and the reason, empty if the name is good.
    """
    name = name.replace("\\", "/")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    reason = _objection(name, parts)
    path = "/".join(parts) or "(no name)"
    return (_shown(path), reason) if reason else (path, "")


def _objection(name: str, parts: list[str]) -> str:
    if _UNSHOWN.search(name):
        return "has control characters in its name"
    if len(name) > _LONGEST:
        return f"has a name of more than {_LONGEST:,} characters"
    if name.startswith("/"):
        return "has an absolute path"
    if _DRIVE.match(name):
        return "has a drive letter in its path"
    if ".." in parts:
        return "has a path that leads out of its archive"
    return "" if parts else "has no name"


def _shown(path: str) -> str:
    r"""Cut a path and give what cannot be shown as ``\x1b``."""
    cut = path if len(path) <= _LONGEST else path[:_SHOWN] + "..."
    return _UNSHOWN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), cut)


def _latin(name: bytes, encoding: str) -> str:
    """Decode a name if all of it that is not ASCII are Latin letters then."""
    try:
        text = name.decode(encoding)
    except UnicodeDecodeError:
        return ""
    letters = (unicodedata.name(letter, "") for letter in text if not letter.isascii())
    return text if all(letter.startswith("LATIN ") for letter in letters) else ""
