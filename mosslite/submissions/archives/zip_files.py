"""Reads zip files by the central directory at their end."""

import io
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import BinaryIO

from mosslite.submissions.archives.members import (
    DAMAGE,
    DOS_GUESSES,
    Budget,
    DamagedError,
    Member,
    Readable,
    decoded,
    mode_obstacle,
    read_most,
)
from mosslite.submissions.archives.streams import (
    Metered,
    Section,
    from_bzip2,
    from_deflate,
    from_lzma,
)
from mosslite.texts import M_

_RECORD = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_LOCATOR = struct.Struct("<4sLQL")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LONGEST_COMMENT = (1 << 16) - 1
# The lookahead leaves room for the rest of the record.
_ENDS = re.compile(rb"PK\x05\x06(?=.{18})", re.DOTALL)

# A number too large for its field is written like this; the real one is in an extra field.
_TOO_LARGE = 0xFFFF_FFFF
_LARGE_NUMBERS, _UNICODE_PATH = 0x0001, 0x7075


@dataclass(frozen=True, slots=True)
class _Record:
    """A member's record in the central directory.

    Attributes:
        name: Decoded.
        flags: Bit 0 means encrypted; the others are explained at ``_ENCRYPTED``.
        method: Compression method.
        checksum: CRC-32 of its content.
        packed: Compressed size in bytes.
        size: Uncompressed size in bytes.
        offset: Start of the local header.
        mode: Unix mode of the file; 0 if it was added on another system.
    """

    name: str
    flags: int
    method: int
    checksum: int
    packed: int
    size: int
    offset: int
    mode: int


def _records(file: BinaryIO) -> Iterator[_Record]:
    """Yield the records of a zip file in their order.

    Raises:
        DamagedError: The directory is missing or contains something else.
        EOFError: A record is cut off.
    """
    start, size, shift = _place(file)
    file.seek(start)
    while size > 0:
        fixed = _RECORD.unpack(_exactly(file, _RECORD.size))
        if fixed[0] != b"PK\1\2":
            msg = "its central directory is invalid"
            raise DamagedError(msg)
        lengths = fixed[10:13]
        name, extra, _ = (_exactly(file, length) for length in lengths)
        yield _record(fixed, name, extra, shift)
        size -= _RECORD.size + sum(lengths)


def has_directory(file: BinaryIO) -> bool:
    """Return whether a file ends as a zip file, whatever it begins with."""
    try:
        start, _, _ = _place(file)
        file.seek(start)
        return file.read(4) in (b"PK\1\2", b"PK\5\6")
    except DAMAGE:
        return False


def _place(file: BinaryIO) -> tuple[int, int, int]:
    """Return the start and size of the directory, and the correction of offsets in it."""
    end, fields = _end(file)
    size, offset = fields[5], fields[6]
    large = _large_end(file, end - _LOCATOR.size - _END_64.size)
    if large is not None:
        end -= _LOCATOR.size + _END_64.size
        size, offset = large[8], large[9]
    start = end - size
    if start < 0:
        msg = "its central directory would start before the file"
        raise DamagedError(msg)
    return start, size, start - offset


def _end(file: BinaryIO) -> tuple[int, tuple[int, ...]]:
    """Find the end record, which every zip file has, followed by an optional comment."""
    length = file.seek(0, io.SEEK_END)
    tail_start = max(0, length - _END.size - _LONGEST_COMMENT)
    file.seek(tail_start)
    tail = file.read(length - tail_start)
    places = [each.start() for each in re.finditer(_ENDS, tail)]
    if not places:
        msg = "it has no central directory, as if it were truncated"
        raise DamagedError(msg)
    # The comment may look like an end record, and bytes may have been appended to the file.
    ends = ((place, _END.unpack_from(tail, place)) for place in places)
    fitting = (each for each in ends if each[0] + _END.size + each[1][-1] == len(tail))
    place, fields = next(fitting, (places[-1], _END.unpack_from(tail, places[-1])))
    return tail_start + place, fields


def _large_end(file: BinaryIO, place: int) -> tuple[int, ...] | None:
    """Read the zip64 record before the end record, if there is one."""
    if place < 0:
        return None
    file.seek(place)
    data = _exactly(file, _END_64.size + _LOCATOR.size)
    if not data.startswith(b"PK\6\6") or data[_END_64.size :][:4] != b"PK\6\7":
        return None
    return _END_64.unpack_from(data)


def _record(fixed: tuple[int, ...], name: bytes, extra: bytes, shift: int) -> _Record:
    fields = _extra_fields(extra)
    packed, size, offset = _sizes(fixed, fields.get(_LARGE_NUMBERS, b""))
    return _Record(
        name=_name(name, fields.get(_UNICODE_PATH, b"")),
        flags=fixed[3],
        method=fixed[4],
        checksum=fixed[7],
        packed=packed,
        size=size,
        offset=offset + shift,
        mode=fixed[15] >> 16,
    )


def _sizes(fixed: tuple[int, ...], large: bytes) -> tuple[int, int, int]:
    """Return packed size, size and offset; large ones come from the extra field."""
    numbers = iter(struct.unpack(f"<{len(large) // 8}Q", large[: len(large) // 8 * 8]))
    # The field lists them in this order, only those that did not fit.
    size, packed, offset = (
        next(numbers, number) if number == _TOO_LARGE else number
        for number in (fixed[9], fixed[8], fixed[16])
    )
    return packed, size, offset


def _extra_fields(extra: bytes) -> dict[int, bytes]:
    """Parse the extra fields, each preceded by its kind and length."""
    fields: dict[int, bytes] = {}
    place = 0
    while place + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, place)
        fields.setdefault(kind, extra[place + 4 : place + 4 + length])
        place += 4 + length
    return fields


def _name(name: bytes, unicode_path: bytes) -> str:
    """Decode a name, or use the UTF-8 name added to it if its checksum matches."""
    if len(unicode_path) > 5:
        _, checksum = struct.unpack_from("<BL", unicode_path)
        if checksum == zlib.crc32(name):
            return decoded(unicode_path[5:], DOS_GUESSES)
    return decoded(name, DOS_GUESSES)


def _exactly(file: BinaryIO, count: int) -> bytes:
    data = file.read(count)
    if len(data) < count:
        raise EOFError
    return data


_HEADER = struct.Struct("<4s5H3L2H")

_STORED, _DEFLATED, _BZIP2, _LZMA = 0, 8, 12, 14
_METHODS = frozenset({_STORED, _DEFLATED, _BZIP2, _LZMA})

# Flag bits: encrypted, by the old method or a strong one; a patch to another file; an LZMA
# stream with an end mark.
_ENCRYPTED = 0x0001 | 0x0040
_PATCH = 0x0020
_MARKED_END = 0x0002

# LZMA properties in a zip file: a version, and how many bytes follow.
_PROPERTIES = struct.Struct("<2sH")


class _Content:
    """Unpacked bytes whose checksum is verified at the end."""

    def __init__(self, source: Readable, record: _Record) -> None:
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
            msg = "its size or checksum is wrong"
            raise DamagedError(msg)


def zip_members(file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of a zip file in the order of its directory.

    Raises:
        DamagedError: The directory is missing or broken; members before the damage are returned.
        EOFError: It is cut off.
    """
    # One more than allowed, so that the excess is counted and reported.
    most = budget.members_left + 1
    found: list[_Record] = []
    error = _collect(found, islice(_records(file), most))
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


def _collect(found: list[_Record], some: Iterator[_Record]) -> BaseException | None:
    """Append records until one is broken; return its error."""
    try:
        found.extend(some)
    except DAMAGE as error:
        return error
    return None


def _obstacle(record: _Record, *, overlaps: bool) -> str:
    if record.flags & _ENCRYPTED:
        return M_("is encrypted")
    if overlaps:
        return M_("overlaps another file in its archive")
    if record.method not in _METHODS or record.flags & _PATCH:
        return M_("uses an unsupported compression method")
    return mode_obstacle(record.mode, record.size)


def _overlapping(found: Sequence[_Record]) -> set[int]:
    """Return the records that start within another, as in small files that unpack to huge ones."""
    overlapping = set()
    stop = 0
    for number in sorted(range(len(found)), key=lambda each: found[each].offset):
        record = found[number]
        if record.offset < stop:
            overlapping.add(number)
        stop = max(stop, record.offset + _HEADER.size + record.packed)
    return overlapping


def _content(file: BinaryIO, record: _Record, budget: Budget) -> Readable:
    file.seek(record.offset)
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size or not header.startswith(b"PK\3\4"):
        msg = "it is not at the offset that the archive gives"
        raise DamagedError(msg)
    # The lengths of name and extra field in the local header count, not those in the directory.
    start = record.offset + _HEADER.size + sum(_HEADER.unpack(header)[-2:])
    packed = Section(file, start, record.packed)
    return _Content(Metered(_unpacked(packed, record), budget), record)


def _unpacked(packed: Section, record: _Record) -> Readable:
    if record.method == _DEFLATED:
        return from_deflate(packed)
    if record.method == _BZIP2:
        return from_bzip2(packed)
    if record.method == _LZMA:
        return from_lzma(packed, _lzma_head(packed, record))
    return packed


def _lzma_head(packed: Section, record: _Record) -> bytes:
    """Return the properties and size of an LZMA stream in the form of an LZMA file's header."""
    _, length = _PROPERTIES.unpack(read_most(packed, _PROPERTIES.size))
    size = -1 if record.flags & _MARKED_END else record.size
    return read_most(packed, length) + struct.pack("<q", size)
