"""Members of archives of any kind: their names, what they are, and how they are opened."""

import re
import stat
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from mosslite.intake.archives.streams import Again, DamagedError, Readable, read_most
from mosslite.options import LONGEST_MEMBER_NAME, LONGEST_TARGET
from mosslite.reasons import Reason

# Likely encodings of names that are not UTF-8: those of DOS and Windows.
DOS_GUESSES: Final = ("cp437", "cp1252", "cp850")
UNIX_GUESSES: Final = ("cp1252", "cp850")

_SHOWN: Final = 200
# Characters that break lines or control terminals, and surrogates, which no encoding can write.
_UNSHOWN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_DRIVE: Final = re.compile(r"\A[A-Za-z]:")


def _nothing() -> Readable:
    raise DamagedError("it has no content")


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an archive; its content must be read before the next one is requested.

    Attributes:
        name: As written in the archive, decoded.
        size: Unpacked size in bytes as declared; 0 if not declared.
        obstacle: Why it cannot be read, as in "is encrypted"; empty if it can.
        is_folder: It is a folder, without content.
        packed: Packed size in bytes; 0 if not declared.
        open: Opens a stream of its unpacked bytes.
        link: Name of an earlier member, of which it is another name; else empty.
    """

    name: str
    size: int = 0
    obstacle: str = ""
    is_folder: bool = False
    packed: int = 0
    open: Callable[[], Readable] = _nothing
    link: str = ""


def peeked(member: Member, most: int) -> tuple[bytes, Member]:
    """Return the first bytes of a member, and the member with these still to be read."""
    source = member.open()
    head = read_most(source, most)
    return head, replace(member, open=lambda: Again(head, source))


def mode_obstacle(mode: int, size: int) -> str:
    """Return why an entry with this Unix mode and size is a link; empty if it is a file.

    Programs that know no modes unpack any entry as a file, so a longer one is read.
    """
    is_link = stat.S_ISLNK(mode) and size <= LONGEST_TARGET
    return Reason.LINK.message() if is_link else ""


def decoded(name: bytes, guesses: tuple[str, ...]) -> str:
    """Decode a name as UTF-8, else by the first guess that yields Latin letters, else as cp437."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        guessed = (_latin(name, guess) for guess in guesses)
        return next(filter(None, guessed), "") or name.decode("cp437")


def _latin(name: bytes, encoding: str) -> str:
    """Decode a name if all of its non-ASCII characters become Latin letters; else return empty."""
    try:
        text = name.decode(encoding)
    except UnicodeDecodeError:
        return ""
    letters = (unicodedata.name(letter, "") for letter in text if not letter.isascii())
    return text if all(letter.startswith("LATIN ") for letter in letters) else ""


def placed(name: str) -> tuple[str, str]:
    """Return a member's path relative to its archive, and the reason to refuse it.

    As other programs do, a drive, slashes in front and ``..`` above the archive are left out, and
    the name ends at a NUL.

    Returns:
        The path, with forward slashes, never empty and safe to display; and the reason, or empty.
    """
    name = _DRIVE.sub("", name.partition("\0")[0].replace("\\", "/"))
    parts = list[str]()
    for part in name.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    reason = "" if parts else Reason.NO_NAME.message()
    if len(name) > LONGEST_MEMBER_NAME:
        reason = Reason.LONG_NAME.message(LONGEST_MEMBER_NAME)
    return _shown("/".join(parts) or "(no name)"), reason


def _shown(path: str) -> str:
    r"""Truncate a path and escape control characters, as in ``\x1b``."""
    cut = path if len(path) <= LONGEST_MEMBER_NAME else path[:_SHOWN] + "..."
    return _UNSHOWN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), cut)
