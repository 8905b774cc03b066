"""Reads zip files by their directory."""

from __future__ import annotations

import struct
import zlib
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

from mosslite.intake.archives.directory import records
from mosslite.intake.archives.members import DAMAGE, DamagedError, Member, mode_obstacle, read_most
from mosslite.intake.archives.streams import (
    Metered,
    Section,
    from_bzip2,
    from_deflate,
    from_lzma,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.intake.archives.budget import Budget
    from mosslite.intake.archives.directory import Record
    from mosslite.intake.archives.members import Readable

__all__ = ["zip_members"]

_HEADER = struct.Struct("<4s5H3L2H")

_STORED, _DEFLATED, _BZIP2, _LZMA = 0, 8, 12, 14
_METHODS = frozenset({_STORED, _DEFLATED, _BZIP2, _LZMA})

# Bits of a record's flags: encrypted, in the old way or a new one; a difference to another file;
# an LZMA stream that marks its own end.
_ENCRYPTED = 0x0001 | 0x0040
_PATCH = 0x0020
_MARKED_END = 0x0002

# Of the properties of an LZMA stream in a zip file: a version, and how many bytes follow.
_PROPERTIES = struct.Struct("<2sH")


class _Content:
    """Unpacked bytes that are checked when all have been read."""

    def __init__(self, source: Readable, record: Record) -> None:
        self._source, self._record = source, record
        self._count = self._checksum = 0

    def read(self, most: int, /) -> bytes:
        data = self._source.read(most)
        self._count += len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        if not data:
            self._check()
        return data

    def _check(self) -> None:
        if (self._count, self._checksum) != (self._record.size, self._record.checksum):
            msg = "its size or checksum is not what it should be"
            raise DamagedError(msg)


def zip_members(file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of a zip file in the order of its directory.

    Raises:
        DamagedError: The directory is missing or broken; members before that are given.
        EOFError: It is cut off.
    """
    # One more than may be: whoever counts will notice.
    most = budget.members_left + 1
    found: list[Record] = []
    error = _collect(found, islice(records(file), most))
    overlapping = _overlapping(found)
    for number, record in enumerate(found):
        obstacle = _obstacle(record, overlaps=number in overlapping)
        content = partial(_content, file, record, budget)
        is_folder = record.name.endswith(("/", "\\")) and not record.size
        yield Member(
            record.name, record.size, obstacle, is_folder, packed=record.packed, open=content
        )
    if error is not None:
        raise error


def _collect(found: list[Record], some: Iterator[Record]) -> BaseException | None:
    """Collect records up to the first that is broken."""
    try:
        found.extend(some)
    except DAMAGE as error:
        return error
    return None


def _obstacle(record: Record, *, overlaps: bool) -> str:
    if record.flags & _ENCRYPTED:
        return "is encrypted"
    if overlaps:
        return "shares its bytes with another file of its archive"
    if record.method not in _METHODS or record.flags & _PATCH:
        return "is compressed in a way that is not supported"
    return mode_obstacle(record.mode)


def _overlapping(found: Sequence[Record]) -> set[int]:
    """Return which records begin within another: so a small file can unpack to a huge one."""
    overlapping = set()
    stop = 0
    for number in sorted(range(len(found)), key=lambda each: found[each].offset):
        record = found[number]
        if record.offset < stop:
            overlapping.add(number)
        stop = max(stop, record.offset + _HEADER.size + record.packed)
    return overlapping


def _content(file: BinaryIO, record: Record, budget: Budget) -> Readable:
    file.seek(record.offset)
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size or not header.startswith(b"PK\3\4"):
        msg = "it is not where its archive says"
        raise DamagedError(msg)
    # The name and the extra field are as long here as they are, whatever the directory says.
    start = record.offset + _HEADER.size + sum(_HEADER.unpack(header)[-2:])
    packed = Section(file, start, record.packed)
    return _Content(Metered(_unpacked(packed, record), budget), record)


def _unpacked(packed: Section, record: Record) -> Readable:
    if record.method == _DEFLATED:
        return from_deflate(packed)
    if record.method == _BZIP2:
        return from_bzip2(packed)
    if record.method == _LZMA:
        return from_lzma(packed, _lzma_head(packed, record))
    return packed


def _lzma_head(packed: Section, record: Record) -> bytes:
    """Return the properties and the size of an LZMA stream as an LZMA file has them."""
    _, length = _PROPERTIES.unpack(read_most(packed, _PROPERTIES.size))
    size = -1 if record.flags & _MARKED_END else record.size
    return read_most(packed, length) + struct.pack("<q", size)
