"""The reader of each archive format."""

import bz2
import gzip
import io
import lzma
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import IO, BinaryIO, Final

from mosslite.archive_formats import (
    BZIP2,
    GZIP,
    HEAD_SIZE,
    RAR,
    SEVEN_ZIP,
    TAR,
    XZ,
    ZIP,
    ArchiveFormat,
    format_of,
    unpacked_name,
)
from mosslite.intake.archives.budgets import Budget
from mosslite.intake.archives.members import (
    DAMAGE,
    Again,
    FileRange,
    Member,
    Metered,
    Readable,
    Unpacked,
    damage,
    read_most,
    tar_members,
    zip_members,
)
from mosslite.intake.archives.seven_zip import seven_zip_members
from mosslite.intake.entries import NotReadError
from mosslite.reasons import Reason


def _plain_tar_members(_name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of a tar file that is not compressed: bytes that are skipped are free."""
    return tar_members(file, lambda count: file.seek(count, io.SEEK_CUR), budget, is_metered=False)


_Reader = Callable[[str, BinaryIO, Budget], Iterator[Member]]
"""Yields the members of a file with a name; each must be read before the next is requested."""


def _compressed(
    decompressed: Callable[[IO[bytes]], Readable],
) -> Callable[[str, Readable, Budget], Iterator[Member]]:
    """Return a reader of compressed files, each a tar file or a single other one."""

    def members(name: str, file: Readable, budget: Budget) -> Iterator[Member]:
        stream = Metered(Unpacked(file, decompressed), budget.unpacked)
        head = read_most(stream, HEAD_SIZE)
        inner, whole = unpacked_name(PurePosixPath(name).name), Again(head, stream)
        if format_of(inner, head) is TAR:
            return tar_members(whole, stream.skip, budget, is_metered=True)
        return iter([Member(inner, open=lambda: whole)])

    return members


_CHUNK: Final = 1 << 16
"""Bytes that are read at once."""

_PADDING: Final = 1 << 20
"""At the end of an xz file, so many bytes may be zeros."""


def _xz_members(name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Read an xz file up to its last mark: the zeros that may follow it are unknown to ``lzma``."""
    end = file.seek(0, io.SEEK_END)
    start = file.seek(max(end - _PADDING, 0))
    marks = file.read(_PADDING).rstrip(b"\0")
    return _compressed(lzma.LZMAFile)(name, FileRange(file, 0, start + len(marks)), budget)


class _Gunzipped:
    """The bytes of a gzip file; what follows its last stream is ignored, as by gzip itself."""

    def __init__(self, file: IO[bytes]) -> None:
        self._packed, self._file = file, gzip.GzipFile(fileobj=file)

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes."""
        try:
            return self._file.read1(most)
        except gzip.BadGzipFile as error:
            if "Not a gzipped file" in str(error):  # instead of another stream
                while self._packed.read(_CHUNK):
                    pass
                return b""
            raise


def _rar_members(_name: str, _file: BinaryIO, _budget: Budget) -> Iterator[Member]:
    raise NotReadError(Reason.RAR)


_READERS: Final[Mapping[ArchiveFormat, _Reader]] = {
    ZIP: zip_members,
    TAR: _plain_tar_members,
    GZIP: _compressed(_Gunzipped),
    BZIP2: _compressed(bz2.BZ2File),
    XZ: _xz_members,
    SEVEN_ZIP: seven_zip_members,
    RAR: _rar_members,
}


def members_in(found: ArchiveFormat, name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of an archive; each must be read before the next is requested.

    Raises:
        ExhaustedError: It exceeds the budget.
        NotReadError: It is damaged, or of an unsupported kind.
    """
    file.seek(0)
    try:
        yield from _READERS[found](name, file, budget)
    except DAMAGE as error:
        raise NotReadError(damage(error)) from error
