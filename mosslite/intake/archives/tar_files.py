"""Reads tar files with tarfile, from front to back, within limits that it lacks."""

import io
import sys
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import IO, Final, Self, cast

from mosslite.intake.archives.budgets import Budget
from mosslite.intake.archives.members import (
    UNIX_GUESSES,
    DamagedError,
    Member,
    Metered,
    Readable,
    decoded,
    read_most,
)
from mosslite.messages import M_
from mosslite.options import LONGEST_TAR_HEADER, MOST_SPARSE_PARTS
from mosslite.reasons import Reason

BLOCK: Final = tarfile.BLOCKSIZE
# Little enough that putting together many parts of a sparse file costs little.
_CHUNK: Final = 1 << 14
_INVALID: Final = M_("it has an invalid header")

_OBSTACLES: Final = {
    tarfile.SYMTYPE: Reason.LINK,
    tarfile.CHRTYPE: Reason.IRREGULAR,
    tarfile.BLKTYPE: Reason.IRREGULAR,
    tarfile.FIFOTYPE: Reason.IRREGULAR,
    b"M": Reason.PART_OF_FILE,
}
# Kinds that are not files: folders, and GNU's metadata about folders and volumes.
_FOLDERS: Final = (tarfile.DIRTYPE, b"D", b"V")


class _Header(tarfile.TarInfo):
    """A header whose records for all that follows, which cannot contain names, are ignored.

    tarfile would copy them to each member.
    """

    is_passed = False

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        header = super().frombuf(buf, encoding, errors)
        if header.type == tarfile.XGLTYPE:
            header.type, header.is_passed = tarfile.REGTYPE, True
        return header


class _Source:
    """A tar file for tarfile, read forward only: no header leads back to an earlier one.

    Attributes:
        left: Bytes that may still be read for the next header.
        latest: What was read last.
    """

    def __init__(self, stream: Readable, skip: Callable[[int], object]) -> None:
        self._stream, self._skip = stream, skip
        self._place = 0
        self.left, self.latest = LONGEST_TAR_HEADER, b""

    def tell(self) -> int:
        return self._place

    def seek(self, place: int) -> None:
        if place < self._place:
            raise DamagedError(_INVALID)
        self._skip(place - self._place)
        self._place = place

    def read(self, count: int) -> bytes:
        self.left -= count
        if self.left < 0:
            raise DamagedError(
                "a header in it has more than %(longest_tar_header)d bytes", LONGEST_TAR_HEADER
            )
        self.latest = read_most(self._stream, count)
        self._place += len(self.latest)
        return self.latest


class _Content:
    """The bytes of a member."""

    def __init__(self, archive: tarfile.TarFile, info: tarfile.TarInfo) -> None:
        self._file = archive.extractfile(info) or io.BytesIO()

    def read(self, most: int, /) -> bytes:
        try:
            return self._file.read(min(most, _CHUNK))
        except tarfile.ReadError as error:
            raise EOFError from error


def is_tar_header(block: bytes) -> bool:
    """Return whether a block has the checksum of a header."""
    try:
        tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


def tar_members(
    stream: Readable, skip: Callable[[int], object], budget: Budget, *, is_metered: bool
) -> Iterator[Member]:
    """Return the members of a tar file in their order; ``skip`` skips bytes of the stream.

    ``is_metered`` says that reading the stream charges the budget already, except with holes.
    """
    source = _Source(stream, skip)
    archive = tarfile.TarFile(fileobj=cast("IO[bytes]", source), tarinfo=_Header, encoding="utf-8")
    while (info := archive.next()) is not None:
        source.left = sys.maxsize
        if not cast("_Header", info).is_passed:
            charges = not is_metered or info.issparse()
            member = _member(info, partial(_content, archive, info, budget if charges else None))
            yield member if is_metered else replace(member, packed=member.size)
        source.left = LONGEST_TAR_HEADER
        archive.members.clear()  # type: ignore[attr-defined]  # a million would take much memory
    _require_end(source)


def _content(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget | None) -> Readable:
    content = _Content(archive, info)
    return content if budget is None else Metered(content, budget)


def _member(info: tarfile.TarInfo, content: Callable[[], Readable]) -> Member:
    if info.size < 0:
        raise DamagedError("a file in it has a negative size")
    if info.sparse is not None and len(info.sparse) > MOST_SPARSE_PARTS:
        raise DamagedError(_INVALID)
    name, link = (
        decoded(each.encode("utf-8", "surrogateescape"), UNIX_GUESSES)
        for each in (info.name, info.linkname or ".")
    )
    is_link, obstacle = info.islnk(), _OBSTACLES.get(info.type)
    # Old archives have no kind for folders; their names end in a slash.
    is_folder = info.type in _FOLDERS or (name.endswith("/") and not info.size)
    return Member(
        name,
        0 if is_folder or is_link else info.size,
        obstacle.message() if obstacle else "",
        is_folder,
        open=content,
        link=link if is_link else "",
    )


def _require_end(source: _Source) -> None:
    """Read zeros to the end, to verify a checksum behind; tarfile stops at a broken header."""
    if 0 < len(source.latest) < BLOCK:
        raise EOFError
    if source.latest.strip(b"\0"):
        raise DamagedError(_INVALID)
    source.left = sys.maxsize
    while data := source.read(_CHUNK):
        if data.strip(b"\0"):
            raise DamagedError("more data follows its end")
