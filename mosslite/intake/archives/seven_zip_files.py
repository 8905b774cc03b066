"""Reads 7z files through py7zr, if installed, after checking their headers."""

import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, BinaryIO, Final

from mosslite.intake.archives.budgets import Budget
from mosslite.intake.archives.members import DamagedError, Member, Metered, Readable, mode_obstacle
from mosslite.intake.disk import NotReadError
from mosslite.reasons import Reason

# An unpacked list of this size has some 7,000 files; the description of its packing is far
# shorter.
_MOST_LIST = 1 << 20
_MOST_ABOUT_LIST = 4096
_MOST_STREAMS = 4096
_MOST_PROPERTIES = 32

# Methods whose decompressors respect an output limit, and the filters used with them: copy,
# LZMA, LZMA2, bzip2; delta, and branches of x86, PowerPC, Itanium, ARM, ARM Thumb and SPARC.
# fmt: off
_METHODS: Final = frozenset({
    b"\0", b"\3\1\1", b"\x21", b"\4\2\2",
    b"\3", b"\4", b"\5", b"\6", b"\7", b"\x08", b"\x09",
    b"\3\3\1\3", b"\3\3\2\5", b"\3\3\3\1", b"\3\3\4\1", b"\3\3\5\1", b"\3\3\7\1", b"\3\3\x08\5",
})
# fmt: on
_CRYPT: Final = b"\6\xf1\7\1"

# First bytes of the sections of a member list.
_LIST, _PACKED_LIST, _STREAMS, _FILES, _END = b"\1", b"\x17", b"\4", b"\5", b"\0"
_PACKS, _FOLDERS = b"\6", b"\7\x0b"


def _check_headers(file: BinaryIO, budget: Budget) -> None:
    """Raise an error for headers that would cost too much to parse, or are broken."""
    library = import_module("py7zr.archiveinfo")
    signature = library.SignatureHeader.retrieve(file)
    start = file.tell()
    _require_at_most(_MOST_LIST, signature.nextheadersize)
    file.seek(start + signature.nextheaderofs)
    found = file.read(signature.nextheadersize)
    if found.startswith(_PACKED_LIST):
        found = _unpacked_list(library, file, found[1:], start)
    _check_list(library, io.BytesIO(found), budget)


def _obstacle_of(coders: list[dict[str, Any]]) -> str:
    """Return why data packed by these methods is not read; empty if it is."""
    methods = {coder["method"] for coder in coders}
    if _CRYPT in methods:
        return Reason.ENCRYPTED.message()
    return "" if methods <= _METHODS else Reason.METHOD.message()


def _unpacked_list(library: ModuleType, file: BinaryIO, about: bytes, start: int) -> bytes:
    _require_at_most(_MOST_ABOUT_LIST, len(about))
    streams = library.HeaderStreamsInfo.retrieve(io.BytesIO(about))
    (folder,) = streams.unpackinfo.folders
    obstacle = _obstacle_of(folder.coders)
    if obstacle:
        raise NotReadError(obstacle)
    _require_at_most(_MOST_LIST, *folder.unpacksizes)
    file.seek(start + streams.packinfo.packpos)
    unpacker = folder.get_decompressor(streams.packinfo.packsizes[0])
    found = b""
    while len(found) < folder.unpacksizes[-1]:
        place = file.tell()
        data = bytes(unpacker.decompress(file, folder.unpacksizes[-1] - len(found)))
        if not data and file.tell() == place:
            raise EOFError
        found += data
    return found


def _check_list(library: ModuleType, found: io.BytesIO, budget: Budget) -> None:
    if found.read(1) != _LIST:
        raise DamagedError("its list of files is invalid")
    part = found.read(1)
    if part == _STREAMS:
        _check_streams(library, found)
        library.StreamsInfo.retrieve(found)
        part = found.read(1)
    if part == _FILES:
        _check_files(library, found, budget)


def _check_streams(library: ModuleType, found: io.BytesIO) -> None:
    """Refuse too many streams; keep the position in the list."""
    place = found.tell()
    if found.read(1) == _PACKS:
        library.PackInfo.retrieve(found)
        if found.read(2) == _FOLDERS:
            _require_at_most(_MOST_STREAMS, library.read_uint64(found))
    found.seek(place)


def _check_files(library: ModuleType, found: io.BytesIO, budget: Budget) -> None:
    """Refuse too many files, and repeated properties of files."""
    budget.require_members(library.read_uint64(found))
    for _ in range(_MOST_PROPERTIES):
        if found.read(1) in (_END, b""):
            return
        found.seek(library.read_uint64(found), io.SEEK_CUR)
    _require_at_most(_MOST_PROPERTIES, _MOST_PROPERTIES + 1)


def _require_at_most(most: int, *counts: int) -> None:
    if max(counts) > most:
        raise NotReadError(Reason.LONG_7Z_LIST)


class _Packed:
    """The concatenated bytes of members that share one compressed stream (a 7z "folder")."""

    def __init__(self, file: BinaryIO, folder: Any, place: int, size: int) -> None:  # noqa: ANN401
        self._file, self._folder, self._place, self._size = file, folder, place, size

    def read(self, most: int, /) -> bytes:
        with _translated():
            unpacker = self._folder.get_decompressor(self._size)
            data, before = b"", -1
            while not data and before != self._place:
                before = self._place
                self._file.seek(self._place)
                data = bytes(unpacker.decompress(self._file, most))
                self._place = self._file.tell()
        return data


class _Content:
    """The bytes of one member; the checksum is verified at the end."""

    def __init__(self, stream: "_Stream", start: int, size: int, checksum: int | None) -> None:
        self._stream, self._place, self._stop = stream, start, start + size
        self._expected, self._checksum = checksum, 0

    def read(self, most: int, /) -> bytes:
        if self._place >= self._stop:
            if self._expected not in (None, self._checksum):
                raise DamagedError("its checksum is wrong")
            return b""
        data = self._stream.read_at(self._place, min(most, self._stop - self._place))
        self._place += len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        return data


class _Stream:
    """Concatenated members, of which those before a wanted one are skipped."""

    def __init__(self, source: Metered, obstacle: str) -> None:
        self.obstacle = obstacle
        self._source = source
        self._reached = self._planned = 0

    def content(self, size: int, checksum: int | None) -> _Content:
        """Return the next member's bytes."""
        start = self._planned
        self._planned += size
        return _Content(self, start, size, checksum)

    def read_at(self, place: int, most: int) -> bytes:
        self._source.skip(place - self._reached)
        self._reached = place
        data = self._source.read(most)
        if not data:
            raise EOFError
        self._reached += len(data)
        return data


def seven_zip_members(_name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of a 7z file in their order."""
    try:
        library = import_module("py7zr")
    except ImportError as error:
        raise NotReadError(Reason.NEEDS_PY7ZR) from error
    with _translated():
        _check_headers(file, budget)
        file.seek(0)
        archive = library.SevenZipFile(file)
        streams = _streams(file, archive, budget)
        members = [_member(each, streams) for each in archive.files]
    yield from members


def _streams(file: BinaryIO, archive: Any, budget: Budget) -> dict[int, _Stream]:  # noqa: ANN401
    """Return the streams by the identity of the folder that each unpacks."""
    about = getattr(archive.header, "main_streams", None)
    if about is None:
        return {}
    packs, folders = about.packinfo, about.unpackinfo.folders
    found = {}
    for folder, place, size in zip(folders, packs.packpositions, packs.packsizes, strict=False):
        packed = _Packed(file, folder, archive.afterheader + packs.packpos + place, size)
        found[id(folder)] = _Stream(Metered(packed, budget), _obstacle_of(folder.coders))
    return found


def _member(info: Any, streams: dict[int, _Stream]) -> Member:  # noqa: ANN401
    obstacle = mode_obstacle(info.st_fmt or 0, 0)
    if info.is_symlink or info.is_junction:
        obstacle = Reason.LINK.message()
    if info.emptystream:
        return Member(info.filename, 0, obstacle, bool(info.is_directory), open=io.BytesIO)
    if info.uncompressed < 0:
        raise DamagedError("a file in it has a negative size")
    stream = streams[id(info.folder)]
    content: Readable = stream.content(info.uncompressed, info.crc32)
    return Member(
        info.filename, info.uncompressed, obstacle or stream.obstacle, open=lambda: content
    )


@contextmanager
def _translated() -> Iterator[None]:
    """Convert the exceptions of py7zr to a DamagedError."""
    errors = import_module("py7zr.exceptions")
    try:
        yield
    except errors.PasswordRequired as error:
        raise NotReadError(Reason.ENCRYPTED) from error
    except errors.UnsupportedCompressionMethodError as error:
        raise NotReadError(Reason.METHOD) from error
    except errors.ArchiveError as error:
        raise DamagedError("its parts do not match") from error
