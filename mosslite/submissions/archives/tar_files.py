"""Reads tar files, compressed or not, from front to back."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mosslite.submissions.archives.members import (
    UNIX_GUESSES,
    DamagedError,
    Member,
    Readable,
    decoded,
    read_most,
)
from mosslite.submissions.archives.streams import Metered
from mosslite.texts import M_

BLOCK: Final = 512
# The block that marks the end in place of a header.
NO_BLOCK: Final = bytes(BLOCK)

# Headers that extend the next one: GNU's long names, and PAX records for one member, as Solaris
# writes them, or for all members that follow (these cannot contain names).
_LONG_NAME, _LONG_LINK, _RECORDS, _SHARED_RECORDS = b"L", b"K", (b"x", b"X"), b"g"
_HARD_LINK, _SPARSE = b"1", b"S"
# Of a sparse file, offsets and sizes of the parts that are stored: in turn, or as one list.
_PARTS, _MAP = (b"GNU.sparse.offset", b"GNU.sparse.numbytes"), b"GNU.sparse.map"
_MOST_PARTS = 100_000
_MOST_DIGITS = 20
_INVALID = M_("it has an invalid header")
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
        link: Name of the member that it links to.
        parts: Of a sparse file, offset and size of the parts that are stored; else None.
        real_size: Of a sparse file, its size with the zeros between them.
    """

    name: bytes
    size: int
    kind: bytes
    link: bytes = b""
    parts: tuple[tuple[int, int], ...] | None = None
    real_size: int = 0


def is_header(block: bytes) -> bool:
    """Return whether a block has the checksum of a header."""
    try:
        return len(block) == BLOCK and _number(block[148:156]) == _sum(block)
    except ValueError:
        return False


def _next_header(stream: Readable) -> _Header | None:
    """Read the header of the next member; None at an end of the archive, marked or not.

    Raises:
        DamagedError: The block is not a header.
        EOFError: The file ends.
    """
    extra: dict[bytes, bytes] = {}
    for _ in range(_MOST_EXTRAS):
        block = stream.read(BLOCK)
        if 0 < len(block) < BLOCK:
            block = read_most(stream, BLOCK - len(block), head=block)
        if block == NO_BLOCK or not (block or extra):
            return None
        if len(block) < BLOCK:
            raise EOFError
        header = _header(block)
        if header.kind in (_LONG_NAME, _LONG_LINK, _SHARED_RECORDS, *_RECORDS):
            extra |= _extra(header, stream)
        elif header.kind == _SPARSE:
            return replace(_completed(header, extra), **_sparse(block, stream))
        else:
            return _completed(header, extra)
    msg = f"more than {_MOST_EXTRAS} headers belong to one file"
    raise DamagedError(msg)


def _header(block: bytes) -> _Header:
    _require(is_header(block), _INVALID)
    name = _text(block[:100])
    if block[257:263] == b"ustar\0" and block[345]:
        name = _text(block[345:500]) + b"/" + name
    size = _number(block[124:136])
    _require(size >= 0, M_("a file in it has a negative size"))
    return _Header(name, size, block[156:157], _text(block[157:257]))


def _sparse(block: bytes, stream: Readable) -> dict[str, Any]:
    """Return the parts and the size of a sparse file in GNU's old format.

    Further blocks of parts follow the header; they belong to no size.
    """
    parts = [*_old_parts(block[386:482])]
    is_continued = block[482] != 0
    while is_continued:
        more = read_most(stream, BLOCK)
        _require(len(more) == BLOCK and len(parts) < _MOST_PARTS, _INVALID)
        parts += _old_parts(more[:504])
        is_continued = more[504] != 0
    return {"parts": tuple(parts), "real_size": _number(block[483:495])}


def _old_parts(fields: bytes) -> Iterator[tuple[int, int]]:
    for at in range(0, len(fields), 24):
        if fields[at] == 0:
            return
        yield _number(fields[at : at + 12]), _number(fields[at + 12 : at + 24])


def _extra(header: _Header, stream: Readable) -> dict[bytes, bytes]:
    """Read the fields that an extension header sets for the next header."""
    _require(header.size <= _MOST_EXTRA, M_(f"a header in it has more than {_MOST_EXTRA:,} bytes"))
    padded = header.size + -header.size % BLOCK
    data = read_most(stream, padded)
    if len(data) < padded:
        raise EOFError
    if header.kind in (_LONG_NAME, _LONG_LINK):
        return {b"path" if header.kind == _LONG_NAME else b"linkpath": _text(data)}
    return _records(data[: header.size]) if header.kind in _RECORDS else {}


def _records(data: bytes) -> dict[bytes, bytes]:
    """Parse PAX records, each of the form ``12 key=value`` and a line feed, length included."""
    found: dict[bytes, bytes] = {}
    place = count = 0
    while place < len(data):
        count += 1
        _require(
            count <= _MOST_RECORDS, M_(f"a header in it has more than {_MOST_RECORDS} records")
        )
        digits = data[place : place + 20].partition(b" ")[0]
        length = _decimal(digits)
        key, _, value = data[place + len(digits) + 1 : place + length - 1].partition(b"=")
        _require(length > len(digits), _INVALID)
        if key in _PARTS:
            found[_MAP] = b",".join(filter(None, (found.get(_MAP), value)))
        elif key in (b"path", b"size", b"linkpath") or key.startswith(b"GNU.sparse."):
            found[key] = value
        place += length
    return found


def _completed(header: _Header, extra: dict[bytes, bytes]) -> _Header:
    size = _decimal(extra[b"size"]) if b"size" in extra else header.size
    name = extra.get(b"GNU.sparse.name", extra.get(b"path", header.name))
    whole = _Header(name, size, header.kind, extra.get(b"linkpath", header.link))
    real_size = extra.get(b"GNU.sparse.realsize", extra.get(b"GNU.sparse.size"))
    if real_size is None:
        return whole
    parts = tuple(_pairs_of(extra[_MAP].split(b","))) if extra.get(_MAP) else ()
    return replace(whole, parts=parts, real_size=_decimal(real_size))


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


def _decimal(digits: bytes) -> int:
    """Parse a decimal number of a usual length."""
    _require(digits.isdigit() and len(digits) <= _MOST_DIGITS, _INVALID)
    return int(digits)


def _sum(block: bytes) -> int:
    """Sum up the bytes of a block, its checksum field counted as spaces."""
    return sum(block) - sum(block[148:156]) + 8 * ord(" ")


# fmt: off
_OBSTACLES = {
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


class _Sparse:
    """The bytes of a sparse file: its stored parts, and zeros between them, which count too."""

    def __init__(self, body: _Body, header: _Header, stream: Metered) -> None:
        self._body, self._stream, self._place = body, stream, 0
        self._parts = deque(header.parts or _map_in(body))
        self._parts.append((header.real_size, 0))

    def read(self, most: int, /) -> bytes:
        while self._parts and self._place >= sum(self._parts[0]):
            self._parts.popleft()
        if not self._parts:
            return b""
        start, size = self._parts[0]
        if self._place >= start:
            data = self._body.read(min(most, start + size - self._place))
        else:
            data = bytes(min(most, start - self._place, _DRAIN))
            self._stream.charge(len(data))
        self._place += len(data)
        return data


def _map_in(body: _Body) -> list[tuple[int, int]]:
    """Read the parts of a sparse file from the start of its content, as the newest format does."""
    blocks, lines, wanted = list[bytes](), 0, 1
    while lines < wanted:
        blocks.append(read_most(body, BLOCK))
        _require(len(blocks) <= _MOST_EXTRA // BLOCK and len(blocks[-1]) == BLOCK, _INVALID)
        wanted = 1 + 2 * _decimal(blocks[0].partition(b"\n")[0])
        lines += blocks[-1].count(b"\n")
    return _pairs_of(b"".join(blocks).split(b"\n")[1:wanted])


def _pairs_of(numbers: Sequence[bytes]) -> list[tuple[int, int]]:
    pairs = zip(map(_decimal, numbers[::2]), map(_decimal, numbers[1::2]), strict=True)
    return list(pairs)


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
        yield _member(header, size, body, stream)
        stream.skip(body.left + -size % BLOCK)
    _require_nothing(stream)


def _member(header: _Header, size: int, body: _Body, stream: Metered) -> Member:
    name = decoded(header.name, UNIX_GUESSES)
    # Old archives have no kind for folders; their names end in a slash.
    is_folder = header.kind in _FOLDERS or (name.endswith("/") and not size)
    obstacle = _OBSTACLES.get(header.kind, "")
    if header.parts is not None:
        return Member(name, header.real_size, open=lambda: _Sparse(body, header, stream))
    link = decoded(header.link or b".", UNIX_GUESSES) if header.kind == _HARD_LINK else ""
    size = 0 if is_folder else size
    return Member(name, size, obstacle, is_folder, open=lambda: body, link=link)


def _require_nothing(stream: Metered) -> None:
    """Read to the end, so that a trailing checksum is verified; anything but zeros is an error."""
    while data := stream.read(_DRAIN):
        if data.strip(b"\0"):
            msg = "more data follows its end"
            raise DamagedError(msg)
