"""Headers of tar files: what is said of a member before it comes.

The standard library's reader takes time that grows with the square of a header's length, memory
without bound for the members' lists and maps, and a broken header for the end of the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mosslite.intake.archives.members import DamagedError, read_most

if TYPE_CHECKING:
    from mosslite.intake.archives.members import Readable

__all__ = ["BLOCK", "NO_BLOCK", "Header", "is_header", "next_header"]

BLOCK: Final = 512
# What stands where a header would be at the end.
NO_BLOCK: Final = bytes(BLOCK)

# Headers that say more about the next one: GNU's long names, and PAX's records, for a member,
# for all that follow (which say nothing about names) or as Solaris writes them.
_LONG_NAME, _LONG_LINK, _RECORDS, _SHARED_RECORDS = b"L", b"K", (b"x", b"X"), b"g"
_MOST_EXTRA = 1 << 20
_MOST_EXTRAS = 16
_MOST_RECORDS = 256


@dataclass(frozen=True, slots=True)
class Header:
    """What is said of a member.

    Attributes:
        name: As it is written.
        size: Bytes that follow, if it is of a kind that bytes follow.
        kind: One byte, as the format has it.
        is_sparse: What follows is not the file, but its parts and where they go.
    """

    name: bytes
    size: int
    kind: bytes
    is_sparse: bool = False


def is_header(block: bytes) -> bool:
    """Return whether a block has the checksum of a header."""
    try:
        return len(block) == BLOCK and _number(block[148:156]) == _sum(block)
    except ValueError:
        return False


def next_header(stream: Readable) -> Header | None:
    """Read the header of the next member; None if the archive ends here as it should.

    Raises:
        DamagedError: There is something else.
        EOFError: There is nothing.
    """
    extra: dict[bytes, bytes] = {}
    for _ in range(_MOST_EXTRAS):
        block = stream.read(BLOCK)
        if 0 < len(block) < BLOCK:
            block = read_most(stream, BLOCK - len(block), head=block)
        if len(block) < BLOCK:
            raise EOFError
        if block == NO_BLOCK:
            return None
        header = _header(block)
        if header.kind in (_LONG_NAME, _LONG_LINK, _SHARED_RECORDS, *_RECORDS):
            extra |= _extra(header, stream)
        else:
            return _completed(header, extra)
    msg = f"more than {_MOST_EXTRAS} headers belong to one file"
    raise DamagedError(msg)


def _header(block: bytes) -> Header:
    _require(is_header(block), "a header in it is none")
    name = _text(block[:100])
    if block[257:263] == b"ustar\0" and block[345]:
        name = _text(block[345:500]) + b"/" + name
    kind = block[156:157]
    return Header(name, _number(block[124:136]), kind, is_sparse=kind == b"S")


def _extra(header: Header, stream: Readable) -> dict[bytes, bytes]:
    """Read what a header says about the next one."""
    _require(header.size <= _MOST_EXTRA, f"a header in it has more than {_MOST_EXTRA:,} bytes")
    padded = header.size + -header.size % BLOCK
    data = read_most(stream, padded)
    if len(data) < padded:
        raise EOFError
    if header.kind == _LONG_NAME:
        return {b"path": _text(data)}
    return _records(data[: header.size]) if header.kind in _RECORDS else {}


def _records(data: bytes) -> dict[bytes, bytes]:
    """Read PAX's records, each like ``12 key=value`` and a line feed, all counted."""
    found = {}
    place = count = 0
    while place < len(data):
        count += 1
        _require(count <= _MOST_RECORDS, f"a header in it has more than {_MOST_RECORDS} records")
        digits = data[place : place + 20].partition(b" ")[0]
        length = int(digits)
        key, _, value = data[place + len(digits) + 1 : place + length - 1].partition(b"=")
        _require(length > len(digits), "a header in it is none")
        if key in (b"path", b"size") or key.startswith(b"GNU.sparse."):
            found[key] = value
        place += length
    return found


def _completed(header: Header, extra: dict[bytes, bytes]) -> Header:
    size = int(extra.get(b"size", header.size))
    _require(size >= 0, "a file in it has a negative size")
    is_sparse = header.is_sparse or any(key.startswith(b"GNU.sparse.") for key in extra)
    name = extra.get(b"GNU.sparse.name", extra.get(b"path", header.name))
    return Header(name, size, header.kind, is_sparse)


def _require(is_so: bool, what: str) -> None:
    if not is_so:
        raise DamagedError(what)


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _number(field: bytes) -> int:
    """Read a number: octal digits, or bytes if the first bit is set."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    return int(_text(field).strip() or b"0", 8)


def _sum(block: bytes) -> int:
    """Add up a block, its checksum counted as spaces."""
    return sum(block) - sum(block[148:156]) + 8 * ord(" ")
