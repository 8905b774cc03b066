"""Members of archives of any kind: their names and content, what unpacking may cost, and errors."""

from __future__ import annotations

import lzma
import re
import stat
import struct
import unicodedata
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Protocol

from mosslite.errors import reason_of
from mosslite.options import Limits
from mosslite.submissions.entries import LimitError
from mosslite.texts import M_

# Size that any archive may unpack to, however small it is: source code compresses well.
_FREE_BYTES = 16 << 20
# Size that a nested archive may unpack to even if that is more than half of the rest.
_SHARE_BYTES = 16 << 20
_SHARE_MEMBERS = 1_000


class Bound(NamedTuple):
    """A limit, and the message for exceeding it.

    Attributes:
        words: The limit in words, as in ``holds more than 3 files``.
        option: The option that sets it.
        is_share: It is lower than the option because other submissions share it.
    """

    most: int
    words: str
    option: str
    is_share: bool = False


class ExhaustedError(Exception):
    """Reading an archive exceeds a limit; the message names it and its option."""

    def __init__(self, bound: Bound) -> None:
        """Store the limit that was exceeded."""
        super().__init__(f"{bound.words} ({bound.option})")
        self.limit = bound.option


@dataclass(slots=True)
class Budget:
    """What may still be spent on an archive, nested ones included.

    Attributes:
        unpacked: Limit of unpacked bytes.
        members: Limit of members.
        spent: Bytes unpacked so far; at most ``unpacked``.
        counted: Members read so far; at most ``members``.
        lacks_share: Something was refused that a larger share would allow.
    """

    unpacked: Bound
    members: Bound
    spent: int = 0
    counted: int = 0
    lacks_share: bool = False

    @property
    def left(self) -> int:
        """Bytes that may still be unpacked."""
        return self.unpacked.most - self.spent

    @property
    def members_left(self) -> int:
        """Members that may still be read."""
        return self.members.most - self.counted

    def take(self, count: int) -> None:
        """Count unpacked bytes.

        Raises:
            ExhaustedError: They exceed the limit.
        """
        self.require(count)
        self.spent += count

    def require(self, count: int) -> None:
        """Check that a number of bytes is within the rest of the budget.

        Raises:
            ExhaustedError: It is not.
        """
        if count > self.left:
            raise self._exhausted(self.unpacked)

    def require_possible(self, count: int) -> None:
        """Check that a number of bytes is within the whole budget.

        Raises:
            LimitError: It is not.
        """
        if count > self.unpacked.most:
            raise LimitError(self.unpacked.words, self._exhausted(self.unpacked).limit)

    def take_member(self) -> None:
        """Count a member.

        Raises:
            ExhaustedError: It exceeds the limit.
        """
        self.require_members(1)
        self.counted += 1

    def require_members(self, count: int) -> None:
        """Check the number of members in an archive before they are read.

        Raises:
            ExhaustedError: They exceed the limit.
        """
        if count > self.members_left:
            raise self._exhausted(self.members)

    def settle(self, part: Budget) -> None:
        """Subtract the cost of a nested archive."""
        self.spent += part.spent
        self.counted += part.counted
        self.lacks_share |= part.lacks_share

    def _exhausted(self, bound: Bound) -> ExhaustedError:
        self.lacks_share |= bound.is_share
        return ExhaustedError(bound)


def budget_of(limits: Limits, size: int) -> Budget:
    """Return the budget of an outermost archive of ``size`` bytes."""
    words = M_(f"unpacks to more than {limits.unpacked:,} bytes")
    unpacked = Bound(limits.unpacked, words, "--max-unpacked")
    words = M_(f"contains more than {limits.members:,} files")
    return Budget(
        min(bound_of_ratio(limits, size), unpacked), Bound(limits.members, words, "--max-members")
    )


def part_of(budget: Budget, limits: Limits, size: int) -> Budget:
    """Return the budget of a nested archive of ``size`` bytes within ``budget``.

    It is at most half of the rest, or a small minimum, so that a bad archive leaves something for
    its neighbours.
    """
    why = M_("the limit of the archives around it")
    share = _share(budget.left, _SHARE_BYTES)
    words = M_(f"unpacks to more than {share:,} bytes, {why}")
    unpacked = Bound(share, words, "--max-unpacked", budget.unpacked.is_share)
    share = _share(budget.members_left, _SHARE_MEMBERS)
    words = M_(f"contains more than {share:,} files, {why}")
    files = Bound(share, words, "--max-members", budget.members.is_share)
    return Budget(min(bound_of_ratio(limits, size), unpacked), files)


def _share(left: int, little: int) -> int:
    return max(left // 2, min(left, little))


def bound_of_ratio(limits: Limits, size: int) -> Bound:
    """Return how much an archive of this size may unpack to."""
    most = limits.ratio * size
    if most >= _FREE_BYTES:
        words = M_(f"unpacks to more than {limits.ratio:,} times its size")
        return Bound(most, words, "--max-ratio")
    size = _FREE_BYTES >> 20
    words = M_(f"unpacks to more than {size} MiB and {limits.ratio:,} times its size")
    return Bound(_FREE_BYTES, words, "--max-ratio")


# Likely encodings of names that are not UTF-8: those of DOS and Windows.
DOS_GUESSES: Final = ("cp437", "cp1252", "cp850")
UNIX_GUESSES: Final = ("cp1252", "cp850")

# Longer than file systems allow; longer names would fill a page of a report.
_LONGEST = 4096
_SHOWN = 200

# Characters that break lines or control terminals, and surrogates, which no encoding can write.
_UNSHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_DRIVE = re.compile(r"\A[A-Za-z]:")


def decoded(name: bytes, guesses: tuple[str, ...]) -> str:
    """Decode a name as UTF-8, else by the first guess that yields Latin letters, else as cp437."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        guessed = (_latin(name, guess) for guess in guesses)
        return next(filter(None, guessed), "") or name.decode("cp437")


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
    reason = "" if parts else M_("has no name")
    if len(name) > _LONGEST:
        reason = M_(f"has a name of more than {_LONGEST:,} characters")
    return _shown("/".join(parts) or "(no name)"), reason


def _shown(path: str) -> str:
    r"""Truncate a path and escape control characters, as in ``\x1b``."""
    cut = path if len(path) <= _LONGEST else path[:_SHOWN] + "..."
    return _UNSHOWN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), cut)


def _latin(name: bytes, encoding: str) -> str:
    """Decode a name if all of its non-ASCII characters become Latin letters; else return empty."""
    try:
        text = name.decode(encoding)
    except UnicodeDecodeError:
        return ""
    letters = (unicodedata.name(letter, "") for letter in text if not letter.isascii())
    return text if all(letter.startswith("LATIN ") for letter in letters) else ""


_CHUNK = 1 << 18


class Readable(Protocol):
    """A readable stream of bytes."""

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes (at least one); empty at the end."""


class DamagedError(ValueError):
    """An archive violates its format; the message says how, in words for the user."""


# Exceptions that the libraries raise on damaged input.
DAMAGE: Final = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, OSError),
    *(RuntimeError, TypeError, ValueError, lzma.LZMAError, struct.error, zlib.error),
)


# The message of ``lzma`` for exceeding its memory limit.
_NO_MEMORY = "Memory usage limit exceeded"


def _nothing() -> Readable:
    msg = "it has no content"
    raise DamagedError(msg)


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


class _Again:
    """A stream of bytes already read, followed by the rest."""

    def __init__(self, head: bytes, rest: Readable) -> None:
        self._head, self._rest = head, rest

    def read(self, most: int, /) -> bytes:
        if not self._head:
            return self._rest.read(most)
        data, self._head = self._head[:most], self._head[most:]
        return data


def peeked(member: Member, most: int) -> tuple[bytes, Member]:
    """Return the first bytes of a member, and the member with these still to be read."""
    source = member.open()
    head = read_most(source, most)
    return head, replace(member, open=lambda: _Again(head, source))


def read_most(source: Readable, most: int, *, head: bytes = b"") -> bytes:
    """Read up to ``most`` bytes, starting with those in ``head``."""
    pieces = [head]
    while most > 0 and (piece := source.read(min(most, _CHUNK))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def damage(error: BaseException) -> str:
    """Convert one of ``DAMAGE`` to a DamagedError."""
    if isinstance(error, DamagedError):
        return M_(f"is damaged: {error}")
    if isinstance(error, EOFError):
        return M_("is damaged: unexpected end of file")
    if isinstance(error, MemoryError) or str(error) == _NO_MEMORY:
        return M_("needs more memory to unpack than is available")
    if isinstance(error, OSError) and error.errno is not None:
        return M_(f"cannot be read: {reason_of(error)}")
    return M_("is damaged")


# Longest target of an honest link, in bytes.
_LONGEST_TARGET = 255


def mode_obstacle(mode: int, size: int) -> str:
    """Return why an entry with this Unix mode and size is a link; empty if it is a file.

    Programs that know no modes unpack any entry as a file, so a longer one is read.
    """
    if stat.S_ISLNK(mode) and size <= _LONGEST_TARGET:
        return M_("is a symbolic link, which is not followed")
    return ""
