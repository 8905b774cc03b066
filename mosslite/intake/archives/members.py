"""Members of archives, and byte streams that unpack only as much as is read, within budgets."""

import bz2
import lzma
import re
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol

from mosslite.archive_formats import BZIP2, GZIP, XZ, ArchiveFormat
from mosslite.intake.archives.budgets import Budget
from mosslite.messages import said
from mosslite.options import LONGEST_MEMBER_NAME, MOST_PADDING, MOST_STREAMS, MOST_UNPACKER_MEMORY
from mosslite.reasons import Reason

_CHUNK: Final = 1 << 14
_PIECE: Final = 1 << 18


class DamagedError(ValueError):
    """An archive violates its format; the message says how, in words for the user."""

    def __init__(self, template: str, /, *values: object) -> None:
        super().__init__(said(template, *values))


# Exceptions that the libraries raise on damaged input.
DAMAGE: Final = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, OSError),
    *(RuntimeError, TypeError, ValueError, lzma.LZMAError, struct.error, zlib.error),
    *(tarfile.TarError, zipfile.BadZipFile),
)
# The message of ``lzma`` for exceeding its memory limit.
_NO_MEMORY: Final = "Memory usage limit exceeded"


def damage(error: BaseException) -> str:
    """Return the reason of one of ``DAMAGE``."""
    if isinstance(error, DamagedError):
        return Reason.DAMAGED_THUS.message(error)
    if isinstance(error, EOFError):
        return Reason.CUT.message()
    if isinstance(error, MemoryError) or str(error) == _NO_MEMORY:
        return Reason.NO_MEMORY.message()
    if isinstance(error, OSError) and error.errno is not None:
        return Reason.UNREADABLE.message(error)
    return Reason.DAMAGED.message()


class Readable(Protocol):
    """A readable stream of bytes."""

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes (at least one); empty at the end."""


class Seekable(Readable, Protocol):
    """A readable stream that can be read from another place, in some streams only a later one."""

    def seek(self, place: int, /) -> object:
        """Read from this place on."""


def read_most(source: Readable, most: int, *, head: bytes = b"") -> bytes:
    """Read up to ``most`` bytes, starting with those in ``head``."""
    pieces = [head]
    while most > 0 and (piece := source.read(min(most, _PIECE))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


class Again:
    """A stream of bytes already read, followed by the rest."""

    def __init__(self, head: bytes, rest: Readable) -> None:
        self._head, self._rest = head, rest

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes."""
        if not self._head:
            return self._rest.read(most)
        data, self._head = self._head[:most], self._head[most:]
        return data


class Section:
    """A part of a file, which may be read at other places between calls."""

    def __init__(self, file: Seekable, start: int, size: int) -> None:
        self._file, self._place, self._stop = file, start, start + size

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes; raise an EOFError if the file ends before."""
        most = min(most, self._stop - self._place)
        if most <= 0:
            return b""
        self._file.seek(self._place)
        data = self._file.read(most)
        if not data:
            raise EOFError
        self._place += len(data)
        return data


class Metered:
    """A stream that is read forward and charges its bytes to a budget, including those skipped."""

    def __init__(self, source: Readable, budget: Budget) -> None:
        self._source, self._budget, self._place = source, budget, 0

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes; raise an ExhaustedError beyond the budget."""
        data = self._source.read(min(most, self._budget.left + 1))
        self._budget.take(len(data))
        self._place += len(data)
        return data

    def seek(self, place: int, /) -> None:
        """Skip what is before a place; raise an EOFError if that was read already."""
        if place < self._place:
            raise EOFError
        self.skip(place - self._place)

    def skip(self, count: int) -> None:
        """Skip bytes; raise an EOFError if there are fewer, or an ExhaustedError."""
        self._budget.require(count)
        while count:
            data = self.read(min(count, _PIECE))
            if not data:
                raise EOFError
            count -= len(data)


class Checked:
    """Unpacked bytes whose size and CRC-32, if there is one, are verified at the end."""

    def __init__(self, source: Readable, size: int, checksum: int | None) -> None:
        self._source, self._left, self._expected = source, size, checksum
        self._checksum = 0

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes; raise a DamagedError at a wrong end."""
        data = self._source.read(most)
        self._left -= len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        if not data and (self._left or self._expected not in (None, self._checksum)):
            raise DamagedError("its size or checksum is wrong")
        return data


class _Unpacker(Protocol):
    """Common interface of ``bz2.BZ2Decompressor`` and ``lzma.LZMADecompressor``."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Inflater:
    """A ``zlib.decompressobj`` that keeps unconsumed input itself."""

    def __init__(self, window_bits: int) -> None:
        self._zlib = zlib.decompressobj(window_bits)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        unpacked = self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)
        # If there was room for more output and none came, zlib needs input.
        self.needs_input = len(unpacked) < max_length and not self._zlib.unconsumed_tail
        return unpacked


class Unpacked:
    """The decompressed bytes of a stream, and of further ones that begin with a signature.

    The libraries' own file objects unpack whole blocks in memory, or do not limit it.
    """

    def __init__(
        self,
        source: Readable,
        begin: Callable[[], _Unpacker],
        signatures: tuple[bytes, ...] = (),
    ) -> None:
        self._source, self._begin, self._waiting = source, begin, b""
        self._signatures = signatures
        self._unpacker = begin()
        self._count = 1

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes; raise an EOFError if the stream is cut off."""
        while not self._unpacker.eof or self._is_continued():
            data = b""
            if self._unpacker.needs_input:
                data, self._waiting = self._waiting or self._source.read(_CHUNK), b""
                if not data:
                    raise EOFError
            if unpacked := self._unpacker.decompress(data, most):
                return unpacked
        return b""

    def _is_continued(self) -> bool:
        """Start the next of several streams, if there is one; zeros may be in between."""
        if not self._signatures:
            return False
        rest = self._unpacker.unused_data.lstrip(b"\0")
        passed = 0
        while len(rest) < len(self._signatures[0]) and (data := self._source.read(_CHUNK)):
            rest = (rest + data).lstrip(b"\0")
            passed += len(data)
            if passed > MOST_PADDING:
                raise DamagedError(
                    "more than %(most_padding)s MiB of zeros follow its end", MOST_PADDING >> 20
                )
        if not rest.startswith(self._signatures):
            self._signatures = ()
            return False
        self._count += 1
        if self._count > MOST_STREAMS:
            raise DamagedError("it consists of more than %(most_streams)d streams", MOST_STREAMS)
        self._unpacker = self._begin()
        self._waiting = rest
        return True


# What unpacks a stream of each kind, and of a member of a zip file; xz and LZMA state the memory.
_xz = partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, memlimit=MOST_UNPACKER_MEMORY)
_lzma = partial(lzma.LZMADecompressor, lzma.FORMAT_ALONE, memlimit=MOST_UNPACKER_MEMORY)
_UNPACKERS: Final[Mapping[ArchiveFormat, Callable[[], _Unpacker]]] = {
    GZIP: partial(_Inflater, 16 + zlib.MAX_WBITS),
    BZIP2: bz2.BZ2Decompressor,
    XZ: _xz,
}
_ZIP_UNPACKERS: Final[Mapping[int, Callable[[], _Unpacker]]] = {
    zipfile.ZIP_DEFLATED: partial(_Inflater, -zlib.MAX_WBITS),
    zipfile.ZIP_BZIP2: bz2.BZ2Decompressor,
    zipfile.ZIP_LZMA: _lzma,  # it starts with its properties and size
}
ZIP_METHODS: Final = frozenset({zipfile.ZIP_STORED, *_ZIP_UNPACKERS})


def unpacked(source: Readable, found: ArchiveFormat) -> Unpacked:
    """Unpack a compressed file, of any number of streams, and verify it."""
    return Unpacked(source, _UNPACKERS[found], found.signatures)


def unpacked_member(source: Readable, method: int) -> Readable:
    """Unpack a member of a zip file."""
    return Unpacked(source, _ZIP_UNPACKERS[method]) if method in _ZIP_UNPACKERS else source


# --- members -------------------------------------------------------------------------------------

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
