"""Members of archives of any kind: their names, their content, and why one cannot be read."""

from __future__ import annotations

import lzma
import re
import stat
import struct
import unicodedata
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from mosslite.errors import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "DAMAGE",
    "DOS_GUESSES",
    "UNIX_GUESSES",
    "DamagedError",
    "Member",
    "Readable",
    "damage",
    "decoded",
    "mode_obstacle",
    "peeked",
    "placed",
    "read_most",
]


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


_CHUNK = 1 << 18


class Readable(Protocol):
    """Bytes, a piece at a time."""

    def read(self, most: int, /) -> bytes:
        """Return some of the next bytes, at most that many (one or more); none at the end."""


class DamagedError(ValueError):
    """An archive is not as its format wants it; the message says how, in words for the user."""


# What the libraries raise on damaged input, one way or another.
DAMAGE: Final = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, OSError),
    *(RuntimeError, TypeError, ValueError, lzma.LZMAError, struct.error, zlib.error),
)


# What ``lzma`` says then.
_NO_MEMORY = "Memory usage limit exceeded"


def _nothing() -> Readable:
    msg = "it has no content"
    raise DamagedError(msg)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an archive; its content is to be read before the next one is asked for.

    Attributes:
        name: As it was written, decoded.
        size: Bytes it says to unpack to; 0 if it does not say.
        obstacle: Why it cannot be read, as in "is encrypted"; empty if it can.
        is_folder: It is a folder, which is nothing to read.
        packed: Bytes it takes in its archive; 0 if that does not say.
        open: Begins to unpack it.
    """

    name: str
    size: int = 0
    obstacle: str = ""
    is_folder: bool = False
    packed: int = 0
    open: Callable[[], Readable] = _nothing


class _Again:
    """Bytes that were read already, and those that follow them."""

    def __init__(self, head: bytes, rest: Readable) -> None:
        self._head, self._rest = head, rest

    def read(self, most: int, /) -> bytes:
        if not self._head:
            return self._rest.read(most)
        data, self._head = self._head[:most], self._head[most:]
        return data


def peeked(member: Member, most: int) -> tuple[bytes, Member]:
    """Return the first bytes of a member, and the member with those still to be read."""
    source = member.open()
    head = read_most(source, most)
    return head, replace(member, open=lambda: _Again(head, source))


def read_most(source: Readable, most: int, *, head: bytes = b"") -> bytes:
    """Read to the end, but ``most`` bytes at most; ``head`` comes before them."""
    pieces = [head]
    while most > 0 and (piece := source.read(min(most, _CHUNK))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def damage(error: BaseException) -> str:
    """Say in words what one of ``DAMAGE`` means."""
    if isinstance(error, DamagedError):
        return f"is damaged: {error}"
    if isinstance(error, EOFError):
        return "is damaged: it ends too early"
    if isinstance(error, MemoryError) or str(error) == _NO_MEMORY:
        return "takes more memory to unpack than there is"
    if isinstance(error, OSError) and error.errno is not None:
        return f"cannot be read: {reason_of(error)}"
    return "is damaged"


def mode_obstacle(mode: int) -> str:
    """Say why what has this Unix mode is not a file to read; empty if it is one."""
    if stat.S_ISLNK(mode):
        return "is a symbolic link, which is not followed"
    if any(test(mode) for test in (stat.S_ISCHR, stat.S_ISBLK, stat.S_ISFIFO, stat.S_ISSOCK)):
        return "is not a regular file"
    return ""
