"""Byte streams that unpack only as much as is read."""

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import BinaryIO, Protocol

from mosslite.submissions.archives.members import Budget, DamagedError, Readable, read_most

_CHUNK = 1 << 14
_SKIP = 1 << 18
# Tools that start new streams within a file do so every 64 KiB or more.
_MOST_STREAMS = 1 << 16
# Tape blocks are far smaller; zeros in a sparse file cost an attacker nothing.
_MOST_PADDING = 16 << 20
# xz -9 needs 65 MiB to unpack; the format allows 4 GiB.
_MOST_MEMORY = 256 << 20


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
    """The decompressed bytes of a stream."""

    def __init__(
        self,
        source: Readable,
        begin: Callable[[], _Unpacker],
        *,
        head: bytes = b"",
        magic: bytes = b"",
    ) -> None:
        """Start decompressing.

        Args:
            source: The compressed bytes.
            begin: Creates the decompressor of a stream.
            head: Bytes before those of ``source``.
            magic: First bytes of further streams that may follow the first; empty allows none.
        """
        self._source, self._begin, self._waiting, self._magic = source, begin, head, magic
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
        if not self._magic:
            return False
        rest = self._unpacker.unused_data.lstrip(b"\0")
        passed = 0
        while len(rest) < len(self._magic) and (data := self._source.read(_CHUNK)):
            rest = (rest + data).lstrip(b"\0")
            passed += len(data)
            if passed > _MOST_PADDING:
                msg = f"more than {_MOST_PADDING >> 20} MiB of zeros follow its end"
                raise DamagedError(msg)
        if not rest.startswith(self._magic):
            self._magic = b""
            return False
        self._count += 1
        if self._count > _MOST_STREAMS:
            msg = f"it consists of more than {_MOST_STREAMS:,} streams"
            raise DamagedError(msg)
        self._unpacker = self._begin()
        self._waiting = rest
        return True


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
    """A stream that counts its bytes, including those skipped if they must be unpacked."""

    def __init__(self, source: Readable, budget: Budget, *, file: BinaryIO | None = None) -> None:
        """Wrap a stream; if it is just a file, pass that as well so that skipping can seek."""
        self._source, self._budget, self._file = source, budget, file
        self._ahead = b""

    def peek(self, count: int) -> bytes:
        """Return the first bytes, at most ``count``, without consuming them."""
        self._ahead = read_most(self, count)
        return self._ahead

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes; empty at the end.

        Raises:
            ExhaustedError: They exceed the budget.
        """
        if self._ahead:
            data, self._ahead = self._ahead[:most], self._ahead[most:]
            return data
        data = self._source.read(min(most, self._budget.left + 1))
        self._budget.take(len(data))
        return data

    def charge(self, count: int) -> None:
        """Count bytes that stand for others and are not read.

        Raises:
            ExhaustedError: They exceed the budget.
        """
        self._budget.take(count)

    def skip(self, count: int) -> None:
        """Skip bytes.

        Raises:
            EOFError: There are fewer.
            ExhaustedError: Unpacking them exceeds the budget.
        """
        if self._file is not None:
            self._file.seek(count, 1)
            return
        self._budget.require(count)
        while count:
            data = self.read(min(count, _SKIP))
            if not data:
                raise EOFError
            count -= len(data)


def from_deflate(source: Readable) -> Unpacked:
    """Unpack a raw deflate stream."""
    return Unpacked(source, lambda: _Inflater(-zlib.MAX_WBITS))


def from_gzip(source: Readable) -> Unpacked:
    """Unpack a gzip file and verify it."""
    return Unpacked(source, lambda: _Inflater(16 + zlib.MAX_WBITS), magic=b"\x1f\x8b")


def from_bzip2(source: Readable) -> Unpacked:
    """Unpack a bzip2 file and verify it."""
    return Unpacked(source, bz2.BZ2Decompressor, magic=b"BZh")


def from_xz(source: Readable) -> Unpacked:
    """Unpack an xz file and verify it."""
    return Unpacked(source, lambda: _lzma(lzma.FORMAT_XZ), magic=b"\xfd7zXZ\0")


def from_lzma(source: Readable, head: bytes) -> Unpacked:
    """Unpack a raw LZMA stream whose properties and size are in ``head``."""
    return Unpacked(source, lambda: _lzma(lzma.FORMAT_ALONE), head=head)


def _lzma(form: int) -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(form, memlimit=_MOST_MEMORY)
