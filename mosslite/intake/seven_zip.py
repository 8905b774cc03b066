"""Reads 7z files: the list of members here, within limits, and their bytes with ``lzma``."""

import bz2
import io
import lzma
import stat
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import accumulate
from typing import BinaryIO, Final, NamedTuple

from mosslite.intake.entries import NotReadError
from mosslite.intake.members import (
    Budget,
    DamagedError,
    FileRange,
    Member,
    Metered,
    Readable,
    Unpacked,
    read_most,
)
from mosslite.messages import M_
from mosslite.options import LONGEST_7Z_LIST, MOST_7Z_STREAMS, MOST_UNPACKER_MEMORY
from mosslite.reasons import Reason

# The start of a file: the offset of its list, behind this start, and the list's size and CRC-32.
_START: Final = struct.Struct("<12xQQL")
# Ids of the properties in a list. A coder is a method that packed a stream; a stream that unpacks
# to several files consists of substreams.
_END, _LIST, _STREAMS, _FILES, _PACKED, _CODERS, _SUBSTREAMS = 0, 1, 4, 5, 6, 7, 8
_SIZES, _CHECKSUMS, _FOLDERS, _UNPACKED_SIZES, _SUBSTREAM_COUNTS = 9, 10, 11, 12, 13
_EMPTY_STREAMS, _EMPTY_FILES, _NAMES, _ATTRIBUTES, _PACKED_LIST = 14, 15, 17, 21, 23
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


class _Properties:
    """The properties in a list, read from front to back; beyond its end, an EOFError."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def take(self, count: int) -> bytes:
        taken = self._data[self._place : self._place + count]
        if len(taken) < count:
            raise EOFError
        self._place += count
        return taken

    def has(self, kind: int) -> bool:
        """Return whether a property of this kind follows, and pass over its id if so."""
        is_next = self._data[self._place : self._place + 1] == bytes([kind])
        self._place += is_next
        return is_next

    def require(self, kind: int) -> None:
        """Raise a DamagedError unless this id follows."""
        if self.take(1) != bytes([kind]):
            raise DamagedError(_INVALID)

    def number(self, most: int | None = None) -> int:
        """Return a number: its first byte begins with a bit 1 for each further byte."""
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

    def defined(self, count: int) -> list[bool]:
        """Return which of some values are defined: all, or those with a flag."""
        return [True] * count if self.take(1) != b"\0" else self.flags(count)

    def integers(self, defined: Sequence[bool]) -> list[int | None]:
        return [int.from_bytes(self.take(4), "little") if each else None for each in defined]

    def checksums(self, count: int) -> list[int | None]:
        has_some = self.has(_CHECKSUMS)
        return self.integers(self.defined(count)) if has_some else [None] * count

    def names(self) -> list[str]:
        self.require(_END)  # they are not in a stream of their own
        return self._data[self._place :].decode("utf-16-le", "replace").split("\0")


class _Stream(NamedTuple):
    """A stream of one or more files.

    Attributes:
        start: Where it is in the archive.
        size: Its packed size.
        coders: Methods that packed it, with their properties, in the order of unpacking.
        unpacked: Its unpacked size.
        checksum: CRC-32 of the unpacked bytes, if known.
        files: Size and checksum of each file in it.
    """

    start: int
    size: int
    coders: Sequence[tuple[bytes, bytes]]
    unpacked: int
    checksum: int | None
    files: Sequence[tuple[int, int | None]] = ()

    @property
    def obstacle(self) -> str:
        main, *others = (method for method, _ in self.coders)
        if _ENCRYPTED in (main, *others):
            return Reason.ENCRYPTED.message()
        is_known = main in _MAIN_METHODS and _FILTERS.issuperset(others)
        return "" if is_known else Reason.METHOD.message()

    def content(self, file: BinaryIO) -> Readable:
        """Return the unpacked bytes; LZMA does not mark their end."""
        (main, properties), *filters = self.coders
        content: Readable = FileRange(file, self.start, self.size)
        if main == _BZIP_2:
            content = Unpacked(content, bz2.BZ2Decompressor)
        elif main != _COPY:
            content = _decoded(content, [_filter(main, properties)])
        if not filters:
            return content
        chain = [*(_filter(*each) for each in reversed(filters)), _filter(_LZMA_2, b"\0")]
        return _decoded(_Framed(content, self.unpacked), chain)


def _decoded(source: Readable, filters: list[dict[str, int]]) -> Readable:
    return Unpacked(source, partial(lzma.LZMADecompressor, format=lzma.FORMAT_RAW, filters=filters))


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


def seven_zip_members(_name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of a 7z file in their order."""
    start = read_most(file, _START.size)
    if len(start) < _START.size:
        raise EOFError
    offset, size, checksum = _START.unpack(start)
    if not size:
        return
    plain = _Stream(_START.size + offset, size, [(_COPY, b"")], size, checksum)
    properties = _list_in(plain, file, budget)
    if properties.has(_PACKED_LIST):
        (packed,) = _streams(properties)
        properties = _list_in(packed, file, budget)
    properties.require(_LIST)
    streams = _streams(properties) if properties.has(_STREAMS) else []
    if properties.has(_FILES):
        yield from _members(properties, _contents(streams, file, budget), budget)
    else:
        properties.require(_END)


def _list_in(packed: _Stream, file: BinaryIO, budget: Budget) -> _Properties:
    if packed.unpacked > LONGEST_7Z_LIST:
        raise NotReadError(Reason.LONG_7Z_LIST)
    if packed.obstacle:
        raise NotReadError(packed.obstacle)
    # There may be thousands of small files with long lists in an archive.
    budget.unpacked.take(max(0, packed.unpacked - file.seek(0, io.SEEK_END)))
    found = read_most(packed.content(file), packed.unpacked)
    if len(found) < packed.unpacked or packed.checksum not in (None, zlib.crc32(found)):
        raise DamagedError(_INVALID)
    return _Properties(found)


def _streams(properties: _Properties) -> list[_Stream]:
    """Read how streams are packed, and which files are in each."""
    packed, streams = list[tuple[int, int]](), list[_Stream]()
    if properties.has(_PACKED):
        offset, count = properties.number(), properties.number(MOST_7Z_STREAMS)
        properties.require(_SIZES)
        sizes = [properties.number() for _ in range(count)]
        packed = list(zip(accumulate(sizes, initial=_START.size + offset), sizes, strict=False))
        properties.checksums(count)
        properties.require(_END)
    if properties.has(_CODERS):
        streams = _packed_streams(properties, packed)
    if properties.has(_SUBSTREAMS):
        streams = _with_files(properties, streams)
    properties.require(_END)
    return streams


def _packed_streams(properties: _Properties, packed: Sequence[tuple[int, int]]) -> list[_Stream]:
    """Read how each stream is packed, from one or more of the packed ranges of the file."""
    properties.require(_FOLDERS)
    count = properties.number(MOST_7Z_STREAMS)
    properties.require(_END)  # they are not in a stream of their own
    folders = [_folder(properties) for _ in range(count)]
    properties.require(_UNPACKED_SIZES)
    sizes = [[properties.number() for _ in range(each.outputs)] for each in folders]
    checksums = properties.checksums(count)
    properties.require(_END)
    streams, first = list[_Stream](), 0
    for folder, outputs, checksum in zip(folders, sizes, checksums, strict=True):
        unpacked = outputs[folder.last]
        files = [(unpacked, checksum)]
        streams.append(_Stream(*packed[first], folder.coders, unpacked, checksum, files))
        first += folder.packed
    return streams


class _Folder(NamedTuple):
    """How a stream is packed.

    Attributes:
        coders: Methods with their properties, in the order of unpacking.
        outputs: Number of outputs of all coders.
        last: The output that is the unpacked stream.
        packed: Number of packed ranges of the file that are unpacked together.
    """

    coders: Sequence[tuple[bytes, bytes]]
    outputs: int
    last: int
    packed: int


def _folder(properties: _Properties) -> _Folder:
    coders, inputs, outputs = list[tuple[bytes, bytes]](), 0, 0
    for _ in range(properties.number(_MOST_CODERS)):
        (head,) = properties.take(1)
        method = properties.take(head & 0xF) or _COPY
        inputs += properties.number(_MOST_CODERS) if head & 0x10 else 1
        outputs += properties.number(_MOST_CODERS) if head & 0x10 else 1
        coders.append((method, properties.take(properties.number()) if head & 0x20 else b""))
    bound = [(properties.number(), properties.number()) for _ in range(outputs - 1)]
    packed = inputs - len(bound)
    if packed > 1:
        for _ in range(packed):
            properties.number()  # the input that unpacks it: no such method is supported
    (last,) = set(range(outputs)) - {output for _, output in bound}
    return _Folder(coders, outputs, last, packed)


def _with_files(properties: _Properties, streams: Sequence[_Stream]) -> list[_Stream]:
    """Read sizes and checksums of files; the last of a stream is what the others leave of it."""
    counts = [1] * len(streams)
    if properties.has(_SUBSTREAM_COUNTS):
        counts = [properties.number(LONGEST_7Z_LIST) for _ in streams]
    if not properties.has(_SIZES) and max(counts, default=0) > 1:
        raise DamagedError(_INVALID)
    sizes = list[list[int]]()
    for stream, count in zip(streams, counts, strict=True):
        own = [properties.number() for _ in range(count - 1)]
        sizes.append([*own, stream.unpacked - sum(own)] if count else [])
    # The checksum of a stream that is one file is not repeated.
    are_known = [
        count == 1 and stream.checksum is not None
        for stream, count in zip(streams, counts, strict=True)
    ]
    unknown = sum(n for n, is_known in zip(counts, are_known, strict=True) if not is_known)
    checksums = iter(properties.checksums(unknown))
    properties.require(_END)
    return [
        stream if is_known else stream._replace(files=[(size, next(checksums)) for size in own])
        for stream, own, is_known in zip(streams, sizes, are_known, strict=True)
    ]


def _contents(streams: Iterable[_Stream], file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Yield the members of streams, without names."""
    for stream in streams:
        start = 0
        content = cache(partial(_content, stream, file, budget))
        for size, checksum in stream.files:
            if size < 0:
                raise DamagedError("a file in it has a negative size")
            own = partial(_Part, content, start, size, checksum)
            yield Member("", size, stream.obstacle, open=own)
            start += size


def _content(stream: _Stream, file: BinaryIO, budget: Budget) -> Metered:
    return Metered(stream.content(file), budget.unpacked)


class _Part:
    """The bytes of a file in a stream; their number and CRC-32 are verified at the end."""

    def __init__(
        self, content: Callable[[], Metered], start: int, size: int, checksum: int | None
    ) -> None:
        self._content, self._start, self._left = content(), start, size
        self._expected, self._checksum = checksum, 0

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes; raise a DamagedError at a wrong end."""
        self._content.skip(self._start - self._content.place)
        data = self._content.read(min(most, self._left)) if self._left else b""
        self._start += len(data)
        self._left -= len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        if not data and (self._left or self._expected not in (None, self._checksum)):
            raise DamagedError("its size or checksum is wrong")
        return data


def _members(
    properties: _Properties, contents: Iterator[Member], budget: Budget
) -> Iterator[Member]:
    """Yield all files and folders with their names."""
    count = properties.number()
    budget.members.require(count)
    found = _properties_of_files(properties)
    is_empty, are_files = [False] * count, [False] * count
    names, attributes = [""] * count, list[int | None]([None]) * count
    if _EMPTY_STREAMS in found:
        is_empty = found[_EMPTY_STREAMS].flags(count)
    if _EMPTY_FILES in found:  # other empty ones are folders
        are_files = found[_EMPTY_FILES].flags(sum(is_empty))
    if _NAMES in found:
        names = found[_NAMES].names()
    if _ATTRIBUTES in found:
        defined = found[_ATTRIBUTES].defined(count)
        found[_ATTRIBUTES].require(_END)  # they are not in a stream of their own
        attributes = found[_ATTRIBUTES].integers(defined)
    if len(names) < count:
        raise DamagedError(_INVALID)
    of_empty = iter(are_files)
    for name, attribute, has_no_stream in zip(names, attributes, is_empty, strict=False):
        member = Member("", open=io.BytesIO) if has_no_stream else next(contents)
        is_folder = has_no_stream and not next(of_empty)
        if attribute is not None:
            is_folder = has_no_stream and bool(attribute & _IS_FOLDER)
            mode = attribute >> 16 if attribute & _HAS_MODE else 0
            if attribute & _IS_LINK or stat.S_ISLNK(mode):
                member = replace(member, obstacle=Reason.LINK.message())
        yield replace(member, name=name, is_folder=is_folder)


def _properties_of_files(properties: _Properties) -> dict[int, _Properties]:
    found = dict[int, _Properties]()
    for _ in range(_MOST_PROPERTIES):
        (kind,) = properties.take(1)
        if kind == _END:
            return found
        found[kind] = _Properties(properties.take(properties.number()))
    raise NotReadError(Reason.LONG_7Z_LIST)
