"""Byte streams that unpack only as much as is read, what unpacking may cost, and its errors."""

from __future__ import annotations

import bz2
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from typing import BinaryIO, Final, Protocol

from mosslite.archive_formats import BZIP2, GZIP, XZ
from mosslite.intake.archives.budgets import Budget
from mosslite.messages import said
from mosslite.options import MOST_PADDING, MOST_STREAMS, MOST_UNPACKER_MEMORY
from mosslite.reasons import Reason

_CHUNK: Final = 1 << 14
_PIECE: Final = 1 << 18


class DamagedError(ValueError):
    """An archive violates its format; the message says how, in words for the user."""

    def __init__(self, template: str, /, *values: object) -> None:
        """Store the message; its template is one of the catalogues."""
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

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        """Use ``size`` bytes from ``start``."""
        self._file, self._place, self._stop = file, start, start + size

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes; empty at the end.

        Raises:
            EOFError: The file ends before the section does.
        """
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
    """A stream that charges its bytes to a budget, including those skipped."""

    def __init__(self, source: Readable, budget: Budget) -> None:
        self._source, self._budget = source, budget

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes; empty at the end.

        Raises:
            ExhaustedError: They exceed the budget.
        """
        data = self._source.read(min(most, self._budget.left + 1))
        self._budget.take(len(data))
        return data

    def skip(self, count: int) -> None:
        """Skip bytes.

        Raises:
            EOFError: There are fewer.
            ExhaustedError: Unpacking them exceeds the budget.
        """
        self._budget.require(count)
        while count:
            data = self.read(min(count, _PIECE))
            if not data:
                raise EOFError
            count -= len(data)


class Checked:
    """Unpacked bytes whose size and CRC-32 are verified at the end."""

    def __init__(self, source: Readable, size: int, checksum: int | None) -> None:
        """Use ``size`` bytes; without a checksum, only the size is verified."""
        self._source, self._left, self._expected = source, size, checksum
        self._checksum = 0

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes.

        Raises:
            DamagedError: The size or checksum is wrong.
        """
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
    """The decompressed bytes of a stream.

    The libraries' own file objects unpack whole blocks in memory, or do not limit it.
    """

    def __init__(
        self,
        source: Readable,
        begin: Callable[[], _Unpacker],
        signatures: tuple[bytes, ...] = (),
    ) -> None:
        """Start decompressing.

        Args:
            source: The compressed bytes.
            begin: Creates the decompressor of a stream.
            signatures: First bytes of further streams that may follow the first; none by default.
        """
        self._source, self._begin, self._waiting = source, begin, b""
        self._signatures = signatures
        self._unpacker = begin()
        self._count = 1

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes (at least one); empty at the end.

        Raises:
            EOFError: The compressed stream is cut off.
        """
        while not self._unpacker.eof or self._is_continued():
            data = b""
            if self._unpacker.needs_input and not (data := self._packed()):
                raise EOFError
            if unpacked := self._unpacker.decompress(data, most):
                return unpacked
        return b""

    def _packed(self) -> bytes:
        data, self._waiting = self._waiting, b""
        return data or self._source.read(_CHUNK)

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


def from_deflate(source: Readable) -> Unpacked:
    """Unpack a raw deflate stream."""
    return Unpacked(source, lambda: _Inflater(-zlib.MAX_WBITS))


def from_gzip(source: Readable) -> Unpacked:
    """Unpack a gzip file and verify it."""
    return Unpacked(source, lambda: _Inflater(16 + zlib.MAX_WBITS), GZIP.signatures)


def from_bzip2(source: Readable) -> Unpacked:
    """Unpack a bzip2 file and verify it."""
    return Unpacked(source, bz2.BZ2Decompressor, BZIP2.signatures)


def from_xz(source: Readable) -> Unpacked:
    """Unpack an xz file and verify it."""
    return Unpacked(source, lambda: _lzma(lzma.FORMAT_XZ), XZ.signatures)


def from_lzma(source: Readable) -> Unpacked:
    """Unpack an LZMA stream that starts with its properties and size."""
    return Unpacked(source, lambda: _lzma(lzma.FORMAT_ALONE))


def _lzma(form: int) -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(form, memlimit=MOST_UNPACKER_MEMORY)
