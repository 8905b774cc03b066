"""The directory at the end of a zip file, which says what the file holds.

The standard library's reader refuses the whole file if one name in it is broken or one member
wants a newer program, and holds as many records as an archive may claim to have.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from mosslite.intake.archives.members import DamagedError
from mosslite.intake.archives.names import DOS_GUESSES, decoded

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Record", "records"]

_RECORD = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_LOCATOR = struct.Struct("<4sLQL")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LONGEST_COMMENT = (1 << 16) - 1
# With room for the rest of it.
_ENDS = re.compile(rb"PK\x05\x06(?=.{18})", re.DOTALL)

# A number that does not fit is written like this; the real one is in an extra field.
_TOO_LARGE = 0xFFFF_FFFF
_LARGE_NUMBERS, _UNICODE_PATH = 0x0001, 0x7075


@dataclass(frozen=True, slots=True)
class Record:
    """What the directory says of a member.

    Attributes:
        name: Decoded.
        flags: Bit 0 means encrypted; others are in ``zips``.
        method: How it is compressed.
        checksum: CRC-32 of its content.
        packed: Bytes it takes.
        size: Bytes it unpacks to.
        offset: Where its own header begins.
        mode: Of its file in Unix; 0 if it comes from elsewhere.
    """

    name: str
    flags: int
    method: int
    checksum: int
    packed: int
    size: int
    offset: int
    mode: int


def records(file: BinaryIO) -> Iterator[Record]:
    """Return the records of a zip file in their order, as they are read.

    Raises:
        DamagedError: There is no directory, or something else in it.
        EOFError: A record is cut off.
    """
    start, size, shift = _place(file)
    file.seek(start)
    while size > 0:
        fixed = _RECORD.unpack(_exactly(file, _RECORD.size))
        if fixed[0] != b"PK\1\2":
            msg = "its directory holds something else"
            raise DamagedError(msg)
        lengths = fixed[10:13]
        name, extra, _ = (_exactly(file, length) for length in lengths)
        yield _record(fixed, name, extra, shift)
        size -= _RECORD.size + sum(lengths)


def _place(file: BinaryIO) -> tuple[int, int, int]:
    """Return where the directory begins, its size, and by how much offsets in it are too small."""
    end, fields = _end(file)
    size, offset = fields[5], fields[6]
    large = _large_end(file, end - _LOCATOR.size - _END_64.size)
    if large is not None:
        end -= _LOCATOR.size + _END_64.size
        size, offset = large[8], large[9]
    start = end - size
    if start < 0:
        msg = "its directory would begin before it"
        raise DamagedError(msg)
    return start, size, start - offset


def _end(file: BinaryIO) -> tuple[int, tuple[int, ...]]:
    """Find the record that every zip file ends with, but for a comment."""
    length = file.seek(0, io.SEEK_END)
    tail_start = max(0, length - _END.size - _LONGEST_COMMENT)
    file.seek(tail_start)
    tail = file.read(length - tail_start)
    places = [each.start() for each in re.finditer(_ENDS, tail)]
    if not places:
        msg = "it has no directory, as if it were cut off"
        raise DamagedError(msg)
    # The comment may hold what looks like an end; something may have been added after it.
    ends = ((place, _END.unpack_from(tail, place)) for place in places)
    fitting = (each for each in ends if each[0] + _END.size + each[1][-1] == len(tail))
    place, fields = next(fitting, (places[-1], _END.unpack_from(tail, places[-1])))
    return tail_start + place, fields


def _large_end(file: BinaryIO, place: int) -> tuple[int, ...] | None:
    """Read the record that larger zip files have before the last ones, if there is one."""
    if place < 0:
        return None
    file.seek(place)
    data = _exactly(file, _END_64.size + _LOCATOR.size)
    if not data.startswith(b"PK\6\6") or data[_END_64.size :][:4] != b"PK\6\7":
        return None
    return _END_64.unpack_from(data)


def _record(fixed: tuple[int, ...], name: bytes, extra: bytes, shift: int) -> Record:
    fields = _extra_fields(extra)
    packed, size, offset = _sizes(fixed, fields.get(_LARGE_NUMBERS, b""))
    return Record(
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
    """Return the packed size, size and offset, from the extra field those that are large."""
    numbers = iter(struct.unpack(f"<{len(large) // 8}Q", large[: len(large) // 8 * 8]))
    # The field has them in this order, and only those that did not fit.
    size, packed, offset = (
        next(numbers, number) if number == _TOO_LARGE else number
        for number in (fixed[9], fixed[8], fixed[16])
    )
    return packed, size, offset


def _extra_fields(extra: bytes) -> dict[int, bytes]:
    """Read the extra fields, each of which has its kind and length before it."""
    fields: dict[int, bytes] = {}
    place = 0
    while place + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, place)
        fields.setdefault(kind, extra[place + 4 : place + 4 + length])
        place += 4 + length
    return fields


def _name(name: bytes, unicode_path: bytes) -> str:
    """Decode a name, or take the one that was added in UTF-8 if it belongs to this one."""
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
