"""Reads 7z files through py7zr, if that is installed.

Its own extraction writes files, or chooses how much to keep in memory; so it is asked for the
members and the bytes of its streams alone.
"""

from __future__ import annotations

import io
import zlib
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO

from mosslite.intake.archives.members import DamagedError, Member, mode_obstacle
from mosslite.intake.archives.sevenheaders import check_headers, obstacle_of
from mosslite.intake.archives.streams import Metered
from mosslite.intake.entries import NotReadError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.intake.archives.budget import Budget
    from mosslite.intake.archives.members import Readable

__all__ = ["seven_zip_members"]


class _Packed:
    """The bytes that members are, end to end; py7zr calls what they are packed in a folder."""

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
    """The bytes of one member, checked when all have been read."""

    def __init__(self, stream: _Stream, start: int, size: int, checksum: int | None) -> None:
        self._stream, self._place, self._stop = stream, start, start + size
        self._expected, self._checksum = checksum, 0

    def read(self, most: int, /) -> bytes:
        if self._place >= self._stop:
            self._check()
            return b""
        data = self._stream.read_at(self._place, min(most, self._stop - self._place))
        self._place += len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        return data

    def _check(self) -> None:
        if self._expected not in (None, self._checksum):
            msg = "its checksum is not what it should be"
            raise DamagedError(msg)


class _Stream:
    """Members end to end, of which those in front of a wanted one are passed over."""

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


def seven_zip_members(file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of a 7z file in their order.

    Raises:
        ExhaustedError: It has more members than the budget allows.
        NotReadError: py7zr is missing, or the list of members is encrypted or too long.
        DamagedError: The list of members is broken.
    """
    try:
        library = import_module("py7zr")
    except ImportError as error:
        msg = "is a 7z archive: install mosslite[7z] to read it"
        raise NotReadError(msg) from error
    with _translated():
        check_headers(file, budget)
        file.seek(0)
        archive = library.SevenZipFile(file)
        streams = _streams(file, archive, budget)
        members = [_member(each, streams) for each in archive.files]
    yield from members


def _streams(file: BinaryIO, archive: Any, budget: Budget) -> dict[int, _Stream]:  # noqa: ANN401
    """Return the streams by the identity of what they are packed in."""
    about = getattr(archive.header, "main_streams", None)
    if about is None:
        return {}
    packs, folders = about.packinfo, about.unpackinfo.folders
    found = {}
    for folder, place, size in zip(folders, packs.packpositions, packs.packsizes, strict=False):
        packed = _Packed(file, folder, archive.afterheader + packs.packpos + place, size)
        found[id(folder)] = _Stream(Metered(packed, budget), obstacle_of(folder.coders))
    return found


def _member(info: Any, streams: dict[int, _Stream]) -> Member:  # noqa: ANN401
    obstacle = mode_obstacle(info.st_fmt or 0)
    if info.is_symlink or info.is_junction:
        obstacle = "is a symbolic link, which is not followed"
    if info.emptystream:
        return Member(info.filename, 0, obstacle, bool(info.is_directory), open=io.BytesIO)
    if info.uncompressed < 0:
        msg = "a file in it has a negative size"
        raise DamagedError(msg)
    stream = streams[id(info.folder)]
    content: Readable = stream.content(info.uncompressed, info.crc32)
    return Member(
        info.filename, info.uncompressed, obstacle or stream.obstacle, open=lambda: content
    )


@contextmanager
def _translated() -> Iterator[None]:
    """Let what py7zr raises, and nothing else does, be damage in our words."""
    errors = import_module("py7zr.exceptions")
    try:
        yield
    except errors.PasswordRequired as error:
        msg = "is encrypted"
        raise NotReadError(msg) from error
    except errors.UnsupportedCompressionMethodError as error:
        msg = "is compressed in a way that is not supported"
        raise NotReadError(msg) from error
    except errors.ArchiveError as error:
        msg = "its parts do not fit together"
        raise DamagedError(msg) from error
