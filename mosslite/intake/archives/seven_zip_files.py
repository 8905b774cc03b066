"""Reads 7z files: the list of members here, within limits, and their bytes with ``lzma``."""

import io
import lzma
import stat
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import BinaryIO, Final, NamedTuple

from mosslite.archive_formats import BZIP2
from mosslite.intake.archives.budgets import Budget
from mosslite.intake.archives.members import (
    Checked,
    DamagedError,
    Member,
    Metered,
    Readable,
    Section,
    Unpacked,
    read_most,
    unpacked,
)
from mosslite.intake.disk import NotReadError
from mosslite.messages import M_
from mosslite.options import LONGEST_7Z_LIST, MOST_7Z_STREAMS, MOST_UNPACKER_MEMORY
from mosslite.reasons import Reason

# The start of a file: where its list is behind the packed streams, how long, and its CRC-32.
_START: Final = struct.Struct("<12xQQL")
# Kinds of the parts of a list.
_END, _LIST, _STREAMS, _FILES, _PACKS, _FOLDERS, _PARTS = 0, 1, 4, 5, 6, 7, 8
_SIZES, _CHECKSUMS, _FOLDER, _UNPACKED_SIZES, _COUNTS = 9, 10, 11, 12, 13
_NO_STREAM, _NO_FOLDER, _NAMES, _ATTRIBUTES, _PACKED_LIST = 14, 15, 17, 21, 23
_INVALID: Final = M_("its list of files is invalid")
# An honest list has each property of files once, and a stream passes few methods.
_MOST_PROPERTIES, _MOST_CODERS = 32, 32
# Attributes of Windows: a folder, and a name for another path; the upper half can be a Unix mode.
_IS_FOLDER, _IS_LINK, _HAS_MODE = 0x10, 0x400, 0x8000

_COPY, _LZMA, _LZMA_2, _BZIP_2, _DELTA = b"\0", b"\3\1\1", b"\x21", b"\4\2\2", b"\3"
_ENCRYPTED: Final = b"\6\xf1\7\1"
# Filters of machine code.
_CODE_FILTERS: Final = {
    **dict.fromkeys((b"\4", b"\3\3\1\3"), lzma.FILTER_X86),
    **dict.fromkeys((b"\5", b"\3\3\2\5"), lzma.FILTER_POWERPC),
    **dict.fromkeys((b"\6", b"\3\3\4\1"), lzma.FILTER_IA64),
    **dict.fromkeys((b"\7", b"\3\3\5\1"), lzma.FILTER_ARM),
    **dict.fromkeys((b"\x08", b"\3\3\7\1"), lzma.FILTER_ARMTHUMB),
    **dict.fromkeys((b"\x09", b"\3\3\x08\5"), lzma.FILTER_SPARC),
}
_MAIN_METHODS: Final = frozenset({_COPY, _LZMA, _LZMA_2, _BZIP_2})
_FILTERS: Final = frozenset({_DELTA, *_CODE_FILTERS})


class _Fields:
    """The fields of a list, read from front to back; beyond its end, an EOFError."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def take(self, count: int) -> bytes:
        taken = self._data[self._place : self._place + count]
        if len(taken) < count:
            raise EOFError
        self._place += count
        return taken

    def number(self, most: int | None = None) -> int:
        """Return a number; its first byte starts with a bit for each further byte."""
        (first,), more = self.take(1), 0
        while more < 8 and first & (0x80 >> more):
            more += 1
        upper = first & (0x7F >> more)
        number = (upper << 8 * more) | int.from_bytes(self.take(more), "little")
        if most is not None and number > most:
            raise NotReadError(Reason.LONG_7Z_LIST)
        return number

    def flags(self, count: int) -> list[bool]:
        bits = self.take((count + 7) // 8)
        return [bool(bits[at // 8] & (0x80 >> at % 8)) for at in range(count)]

    def known(self, count: int) -> list[bool]:
        return [True] * count if self.take(1) != b"\0" else self.flags(count)

    def integers(self, known: Sequence[bool]) -> list[int | None]:
        return [int.from_bytes(self.take(4), "little") if is_it else None for is_it in known]

    def names(self) -> list[str]:
        self.kind(_END)  # they are here, not elsewhere
        return self._data[self._place :].decode("utf-16-le", "replace").split("\0")

    def checksums(self, count: int) -> list[int | None]:
        return self.integers(self.known(count))

    def kind(self, *expected: int) -> int:
        """Return the kind of what follows."""
        (kind,) = self.take(1)
        if kind not in expected:
            raise DamagedError(_INVALID)
        return kind


class _Packed(NamedTuple):
    """A stream of one or more members: where it is, how it is packed, and what it unpacks to.

    The methods have their properties, and are in the order of unpacking.
    """

    start: int
    size: int
    methods: Sequence[tuple[bytes, bytes]]
    unpacked: int
    checksum: int | None

    @property
    def obstacle(self) -> str:
        main, *others = (method for method, _ in self.methods)
        if _ENCRYPTED in (main, *others):
            return Reason.ENCRYPTED.message()
        is_known = main in _MAIN_METHODS and _FILTERS.issuperset(others)
        return "" if is_known else Reason.METHOD.message()

    def content(self, file: BinaryIO) -> Readable:
        """Return the unpacked bytes; LZMA does not mark their end."""
        (main, properties), *filters = self.methods
        content: Readable = Section(file, self.start, self.size)
        if main == _BZIP_2:
            content = unpacked(content, BZIP2)
        elif main != _COPY:
            content = _decoded(content, [_filter(main, properties)])
        if not filters:
            return content
        chain = [*(_filter(*each) for each in reversed(filters)), _filter(_LZMA_2, b"\0")]
        return _decoded(_Framed(content, self.unpacked), chain)


def _decoded(source: Readable, filters: list[dict[str, int]]) -> Readable:
    return Unpacked(source, partial(lzma.LZMADecompressor, lzma.FORMAT_RAW, filters=filters))


class _Framed:
    """Bytes as a stream of LZMA2 that is not packed: filters defer some until its end is marked."""

    def __init__(self, source: Readable, size: int) -> None:
        self._source, self._left = source, size

    def read(self, most: int, /) -> bytes:
        if not self._left:
            return b"\0"
        data = self._source.read(min(most, self._left))
        if not data:
            raise EOFError
        self._left -= len(data)
        return b"\1" + (len(data) - 1).to_bytes(2, "big") + data


def _filter(method: bytes, properties: bytes) -> dict[str, int]:
    """Return a method as ``lzma`` describes it."""
    if method == _DELTA:
        return {"id": lzma.FILTER_DELTA, "dist": properties[0] + 1}
    if method in _CODE_FILTERS:
        return {"id": _CODE_FILTERS[method]}
    if method == _LZMA:
        rest, lc = divmod(properties[0], 9)
        size = int.from_bytes(properties[1:5], "little")
        found = {"id": lzma.FILTER_LZMA1, "lc": lc, "lp": rest % 5, "pb": rest // 5}
    else:
        size = (2 | properties[0] & 1) << (properties[0] // 2 + 11)
        found = {"id": lzma.FILTER_LZMA2}
    if size > MOST_UNPACKER_MEMORY:
        raise MemoryError
    return {**found, "dict_size": size}


class _Stream:
    """The unpacked bytes of a stream, read forward; what is skipped is charged, too."""

    def __init__(self, packed: _Packed, file: BinaryIO, budget: Budget) -> None:
        self._packed, self._file, self._budget = packed, file, budget
        self._content: Metered | None = None
        self._place = 0

    def seek(self, place: int, /) -> None:
        if place < self._place:
            raise EOFError
        if self._content is None:
            self._content = Metered(self._packed.content(self._file), self._budget)
        self._content.skip(place - self._place)
        self._place = place

    def read(self, most: int, /) -> bytes:
        data = self._content.read(most) if self._content else b""
        self._place += len(data)
        return data

    def part(self, start: int, size: int, checksum: int | None) -> Readable:
        return Checked(Section(self, start, size), size, checksum)


def seven_zip_members(_name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of a 7z file in their order."""
    start = read_most(file, _START.size)
    if len(start) < _START.size:
        raise EOFError
    place, size, checksum = _START.unpack(start)
    if not size:
        return
    plain = _Packed(_START.size + place, size, [(_COPY, b"")], size, checksum)
    fields = _list_in(plain, file)
    if fields.kind(_LIST, _PACKED_LIST) == _PACKED_LIST:
        ((packed, _),) = _streams(fields)
        fields = _list_in(packed, file)
        fields.kind(_LIST)
    streams, kind = list[tuple[_Packed, _Sizes]](), fields.kind(_STREAMS, _FILES, _END)
    if kind == _STREAMS:
        streams = _streams(fields)
        kind = fields.kind(_FILES, _END)
    if kind == _FILES:
        yield from _members(fields, _contents(streams, file, budget), budget)


def _list_in(packed: _Packed, file: BinaryIO) -> _Fields:
    if packed.unpacked > LONGEST_7Z_LIST:
        raise NotReadError(Reason.LONG_7Z_LIST)
    if packed.obstacle:
        raise NotReadError(packed.obstacle)
    found = read_most(packed.content(file), packed.unpacked)
    if len(found) < packed.unpacked or packed.checksum not in (None, zlib.crc32(found)):
        raise DamagedError(_INVALID)
    return _Fields(found)


_Sizes = Sequence[tuple[int, int | None]]
"""Sizes and checksums of the members in a stream."""


def _streams(fields: _Fields) -> list[tuple[_Packed, _Sizes]]:
    """Read how streams are packed, and what is in them."""
    packs, streams = list[tuple[int, int]](), list[_Packed]()
    kind = fields.kind(_PACKS, _FOLDERS, _PARTS, _END)
    if kind == _PACKS:
        place, count = fields.number(), fields.number(MOST_7Z_STREAMS)
        fields.kind(_SIZES)
        sizes = [fields.number() for _ in range(count)]
        packs = list(zip(accumulate(sizes, initial=_START.size + place), sizes, strict=False))
        if fields.kind(_CHECKSUMS, _END) == _CHECKSUMS:
            fields.checksums(count)
            fields.kind(_END)
        kind = fields.kind(_FOLDERS, _PARTS, _END)
    if kind == _FOLDERS:
        streams = _folders(fields, packs)
        kind = fields.kind(_PARTS, _END)
    if kind == _PARTS:
        parts = _parts(fields, streams)
        fields.kind(_END)
        return list(zip(streams, parts, strict=True))
    return [(each, [(each.unpacked, each.checksum)]) for each in streams]


def _folders(fields: _Fields, packs: Sequence[tuple[int, int]]) -> list[_Packed]:
    """Read the methods of streams, each of one or more packed ones."""
    fields.kind(_FOLDER)
    count = fields.number(MOST_7Z_STREAMS)
    fields.kind(_END)  # the methods are here, not elsewhere
    folders = [_folder(fields) for _ in range(count)]
    fields.kind(_UNPACKED_SIZES)
    sizes = [[fields.number() for _ in range(outputs)][last] for _, outputs, last, _ in folders]
    checksums: list[int | None] = [None] * count
    if fields.kind(_CHECKSUMS, _END) == _CHECKSUMS:
        checksums = fields.checksums(count)
        fields.kind(_END)
    firsts = accumulate((inputs for *_, inputs in folders), initial=0)
    return [
        _Packed(*packs[first], methods, size, checksum)
        for (methods, *_), size, checksum, first in zip(
            folders, sizes, checksums, firsts, strict=False
        )
    ]


def _folder(fields: _Fields) -> tuple[list[tuple[bytes, bytes]], int, int, int]:
    """Read the methods of a stream.

    Returns:
        The methods, the number of their outputs, which of these is the stream, and of how many
        packed ones it is made.
    """
    methods, inputs, outputs = list[tuple[bytes, bytes]](), 0, 0
    for _ in range(fields.number(_MOST_CODERS)):
        (kind,) = fields.take(1)
        method = fields.take(kind & 0xF) or _COPY
        inputs += fields.number(_MOST_CODERS) if kind & 0x10 else 1
        outputs += fields.number(_MOST_CODERS) if kind & 0x10 else 1
        methods.append((method, fields.take(fields.number()) if kind & 0x20 else b""))
    bound = [(fields.number(), fields.number()) for _ in range(outputs - 1)]
    packed = inputs - len(bound)
    if packed > 1:
        for _ in range(packed):
            fields.number()
    (last,) = set(range(outputs)) - {output for _, output in bound}
    return methods, outputs, last, packed


def _parts(fields: _Fields, streams: Sequence[_Packed]) -> list[_Sizes]:
    """Read the sizes and checksums of members; the last of a stream is what is left of it."""
    kind, counts = fields.kind(_COUNTS, _SIZES, _CHECKSUMS, _END), [1] * len(streams)
    if kind == _COUNTS:
        counts = [fields.number(LONGEST_7Z_LIST) for _ in streams]
        kind = fields.kind(_SIZES, _CHECKSUMS, _END)
    if kind != _SIZES and max(counts, default=0) > 1:
        raise DamagedError(_INVALID)
    sizes = list[list[int]]()
    for stream, count in zip(streams, counts, strict=True):
        own = [fields.number() for _ in range(count - 1)]
        sizes.append([*own, stream.unpacked - sum(own)] if count else [])
    if kind == _SIZES:
        kind = fields.kind(_CHECKSUMS, _END)
    is_known = [
        len(own) == 1 and each.checksum is not None
        for each, own in zip(streams, sizes, strict=True)
    ]
    unknown = sum(len(own) for own, known in zip(sizes, is_known, strict=True) if not known)
    given = iter(fields.checksums(unknown) if kind == _CHECKSUMS else [None] * unknown)
    if kind == _CHECKSUMS:
        fields.kind(_END)
    return [
        [(size, stream.checksum if known else next(given)) for size in own]
        for stream, own, known in zip(streams, sizes, is_known, strict=True)
    ]


def _contents(
    streams: Sequence[tuple[_Packed, _Sizes]], file: BinaryIO, budget: Budget
) -> Iterator[Member]:
    """Yield the members of streams, without names."""
    for packed, sizes in streams:
        stream, start = _Stream(packed, file, budget), 0
        for size, checksum in sizes:
            if size < 0:
                raise DamagedError("a file in it has a negative size")
            content = partial(stream.part, start, size, checksum)
            yield Member("", size, packed.obstacle, open=content)
            start += size


def _members(fields: _Fields, contents: Iterator[Member], budget: Budget) -> Iterator[Member]:
    """Yield all files with their names and attributes."""
    count = fields.number()
    budget.require_members(count)
    found, none = _properties(fields), [False] * count
    is_empty = found[_NO_STREAM].flags(count) if _NO_STREAM in found else none
    are_files = iter(found[_NO_FOLDER].flags(sum(is_empty)) if _NO_FOLDER in found else none)
    names = found[_NAMES].names() if _NAMES in found else [""] * count
    attributes: list[int | None] = [None] * count
    if _ATTRIBUTES in found:
        known = found[_ATTRIBUTES].known(count)
        found[_ATTRIBUTES].kind(_END)
        attributes = found[_ATTRIBUTES].integers(known)
    if len(names) < count:
        raise DamagedError(_INVALID)
    for name, attribute, has_no_stream in zip(names, attributes, is_empty, strict=False):
        member = Member("", open=io.BytesIO) if has_no_stream else next(contents)
        is_folder = has_no_stream and not next(are_files)
        if attribute is not None:
            is_folder = has_no_stream and bool(attribute & _IS_FOLDER)
            mode = attribute >> 16 if attribute & _HAS_MODE else 0
            is_link = attribute & _IS_LINK or stat.S_ISLNK(mode)
            member = replace(member, obstacle=Reason.LINK.message()) if is_link else member
        yield replace(member, name=name, is_folder=is_folder)


def _properties(fields: _Fields) -> dict[int, _Fields]:
    """Return the properties of all files by their kinds."""
    found = dict[int, _Fields]()
    for _ in range(_MOST_PROPERTIES):
        (kind,) = fields.take(1)
        if kind == _END:
            return found
        found[kind] = _Fields(fields.take(fields.number()))
    raise NotReadError(Reason.LONG_7Z_LIST)
