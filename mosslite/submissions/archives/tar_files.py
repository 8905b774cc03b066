"""Reads tar files, compressed or not, from front to back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mosslite.submissions.archives.members import (
    UNIX_GUESSES,
    DamagedError,
    Member,
    decoded,
    read_most,
)
from mosslite.texts import M_

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.submissions.archives.members import Readable
    from mosslite.submissions.archives.streams import Metered

__all__ = [
    "BLOCK",
    "NO_BLOCK",
    "is_header",
    "tar_members",
]


BLOCK: Final = 512
# The block that marks the end in place of a header.
NO_BLOCK: Final = bytes(BLOCK)

# Headers that extend the next one: GNU's long names, and PAX records for one member, as Solaris
# writes them, or for all members that follow (these cannot contain names).
_LONG_NAME, _LONG_LINK, _RECORDS, _SHARED_RECORDS = b"L", b"K", (b"x", b"X"), b"g"
_MOST_EXTRA = 1 << 20
_MOST_EXTRAS = 16
_MOST_RECORDS = 256


@dataclass(frozen=True, slots=True)
class _Header:
    """The header of a member.

    Attributes:
        name: As written in the archive.
        size: Size in bytes of the content, if the kind has one.
        kind: Type flag, one byte.
        is_sparse: The content is a list of parts with their offsets, not the file.
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


def _next_header(stream: Readable) -> _Header | None:
    """Read the header of the next member; None at a proper end of the archive.

    Raises:
        DamagedError: The block is not a header.
        EOFError: The file ends.
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


def _header(block: bytes) -> _Header:
    _require(is_header(block), M_("it has an invalid header"))
    name = _text(block[:100])
    if block[257:263] == b"ustar\0" and block[345]:
        name = _text(block[345:500]) + b"/" + name
    kind = block[156:157]
    return _Header(name, _number(block[124:136]), kind, is_sparse=kind == b"S")


def _extra(header: _Header, stream: Readable) -> dict[bytes, bytes]:
    """Read the fields that an extension header sets for the next header."""
    _require(header.size <= _MOST_EXTRA, M_(f"a header in it has more than {_MOST_EXTRA:,} bytes"))
    padded = header.size + -header.size % BLOCK
    data = read_most(stream, padded)
    if len(data) < padded:
        raise EOFError
    if header.kind == _LONG_NAME:
        return {b"path": _text(data)}
    return _records(data[: header.size]) if header.kind in _RECORDS else {}


def _records(data: bytes) -> dict[bytes, bytes]:
    """Parse PAX records, each of the form ``12 key=value`` and a line feed, length included."""
    found = {}
    place = count = 0
    while place < len(data):
        count += 1
        _require(
            count <= _MOST_RECORDS, M_(f"a header in it has more than {_MOST_RECORDS} records")
        )
        digits = data[place : place + 20].partition(b" ")[0]
        length = int(digits)
        key, _, value = data[place + len(digits) + 1 : place + length - 1].partition(b"=")
        _require(length > len(digits), M_("it has an invalid header"))
        if key in (b"path", b"size") or key.startswith(b"GNU.sparse."):
            found[key] = value
        place += length
    return found


def _completed(header: _Header, extra: dict[bytes, bytes]) -> _Header:
    size = int(extra.get(b"size", header.size))
    _require(size >= 0, M_("a file in it has a negative size"))
    is_sparse = header.is_sparse or any(key.startswith(b"GNU.sparse.") for key in extra)
    name = extra.get(b"GNU.sparse.name", extra.get(b"path", header.name))
    return _Header(name, size, header.kind, is_sparse)


def _require(is_so: bool, what: str) -> None:
    if not is_so:
        raise DamagedError(what)


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _number(field: bytes) -> int:
    """Parse a number: octal digits, or big-endian bytes if the first bit is set."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    return int(_text(field).strip() or b"0", 8)


def _sum(block: bytes) -> int:
    """Sum up the bytes of a block, its checksum field counted as spaces."""
    return sum(block) - sum(block[148:156]) + 8 * ord(" ")


# fmt: off
_OBSTACLES = {
    b"1": M_("is a hard link, which is not followed"),
    b"2": M_("is a symbolic link, which is not followed"),
    b"3": M_("is not a regular file"),
    b"4": M_("is not a regular file"),
    b"6": M_("is not a regular file"),
    b"M": M_("is part of a file"),
}
# fmt: on
# Kinds without content, whatever size is declared, and kinds that are not files: folders, and
# GNU's metadata about folders and volumes.
_BARE = (b"1", b"2", b"3", b"4", b"5", b"6")
_FOLDERS = (b"5", b"D", b"V")

_DRAIN = 1 << 18


class _Body:
    """The bytes of one member."""

    def __init__(self, stream: Metered, size: int) -> None:
        self._stream, self.left = stream, size

    def read(self, most: int, /) -> bytes:
        data = self._stream.read(min(most, self.left)) if self.left else b""
        if self.left and not data:
            raise EOFError
        self.left -= len(data)
        return data


def tar_members(stream: Metered) -> Iterator[Member]:
    """Return the members of a tar file in their order.

    Raises:
        DamagedError: A header is broken, or something follows the end.
        EOFError: The file is cut off.
        ExhaustedError: Skipped or unassigned bytes exceed the budget.
    """
    while (header := _next_header(stream)) is not None:
        size = 0 if header.kind in _BARE else header.size
        body = _Body(stream, size)
        yield _member(header, size, body)
        stream.skip(body.left + -size % BLOCK)
    _require_nothing(stream)


def _member(header: _Header, size: int, body: _Body) -> Member:
    name = decoded(header.name, UNIX_GUESSES)
    # Old archives have no kind for folders; their names end in a slash.
    is_folder = header.kind in _FOLDERS or (name.endswith("/") and not size)
    obstacle = _OBSTACLES.get(header.kind, "")
    if header.is_sparse:
        obstacle = M_("is a sparse file, which is not read")
    return Member(name, 0 if is_folder else size, obstacle, is_folder, open=lambda: body)


def _require_nothing(stream: Metered) -> None:
    """Read to the end, so that a trailing checksum is verified; anything but zeros is an error."""
    while data := stream.read(_DRAIN):
        if data.strip(b"\0"):
            msg = "more data follows its end"
            raise DamagedError(msg)
