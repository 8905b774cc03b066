"""Checks the headers of 7z files before py7zr reads them.

Its lists can take a thousand times the bytes that they are made from, and some of what they are
packed with unpacks without bound.
"""

from __future__ import annotations

import io
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from mosslite.intake.archives.members import DamagedError
from mosslite.intake.entries import NotReadError

if TYPE_CHECKING:
    from types import ModuleType

    from mosslite.intake.archives.budget import Budget

__all__ = ["check_headers", "obstacle_of"]

# Some 7,000 files have a list of this size, once it is unpacked; what says how it is packed is
# shorter by far.
_MOST_LIST = 1 << 20
_MOST_ABOUT_LIST = 4096
_MOST_STREAMS = 4096
_MOST_PROPERTIES = 32

# Those whose unpackers give no more than they are asked for, and what may go with them: copy,
# LZMA, LZMA2, bzip2; delta, and branches of x86, PowerPC, Itanium, ARM, ARM Thumb and SPARC.
# fmt: off
_METHODS: Final = frozenset({
    b"\0", b"\3\1\1", b"\x21", b"\4\2\2",
    b"\3", b"\4", b"\5", b"\6", b"\7", b"\x08", b"\x09",
    b"\3\3\1\3", b"\3\3\2\5", b"\3\3\3\1", b"\3\3\4\1", b"\3\3\5\1", b"\3\3\7\1", b"\3\3\x08\5",
})
# fmt: on
_CRYPT: Final = b"\6\xf1\7\1"

# What the parts of a list begin with.
_LIST, _PACKED_LIST, _STREAMS, _FILES, _END = b"\1", b"\x17", b"\4", b"\5", b"\0"
_PACKS, _FOLDERS = b"\6", b"\7\x0b"


def check_headers(file: BinaryIO, budget: Budget) -> None:
    """Refuse what would cost more to read than it is worth.

    Raises:
        ExhaustedError: There are more members than the budget allows.
        NotReadError: The list of members is encrypted, too long or packed in an unusual way.
        DamagedError: It is broken.
    """
    library = import_module("py7zr.archiveinfo")
    signature = library.SignatureHeader.retrieve(file)
    start = file.tell()
    _require_at_most(_MOST_LIST, signature.nextheadersize)
    file.seek(start + signature.nextheaderofs)
    found = file.read(signature.nextheadersize)
    if found.startswith(_PACKED_LIST):
        found = _unpacked_list(library, file, found[1:], start)
    _check_list(library, io.BytesIO(found), budget)


def obstacle_of(coders: list[dict[str, Any]]) -> str:
    """Say why what is packed in this way is not read; empty if it is."""
    methods = {coder["method"] for coder in coders}
    if _CRYPT in methods:
        return "is encrypted"
    return "" if methods <= _METHODS else "is compressed in a way that is not supported"


def _unpacked_list(library: ModuleType, file: BinaryIO, about: bytes, start: int) -> bytes:
    _require_at_most(_MOST_ABOUT_LIST, len(about))
    streams = library.HeaderStreamsInfo.retrieve(io.BytesIO(about))
    (folder,) = streams.unpackinfo.folders
    obstacle = obstacle_of(folder.coders)
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
    part = _next(found, after=_LIST)
    if part == _STREAMS:
        _check_streams(library, found)
        library.StreamsInfo.retrieve(found)
        part = found.read(1)
    if part == _FILES:
        _check_files(library, found, budget)


def _next(found: io.BytesIO, *, after: bytes) -> bytes:
    if found.read(1) != after:
        msg = "its list of files is none"
        raise DamagedError(msg)
    return found.read(1)


def _check_streams(library: ModuleType, found: io.BytesIO) -> None:
    """Refuse too many streams, and stay where the list was."""
    place = found.tell()
    if found.read(1) == _PACKS:
        library.PackInfo.retrieve(found)
        if found.read(2) == _FOLDERS:
            _require_at_most(_MOST_STREAMS, library.read_uint64(found))
    found.seek(place)


def _check_files(library: ModuleType, found: io.BytesIO, budget: Budget) -> None:
    """Refuse too many files, and properties of theirs that are said again and again."""
    budget.require_members(library.read_uint64(found))
    for _ in range(_MOST_PROPERTIES):
        if found.read(1) in (_END, b""):
            return
        found.seek(library.read_uint64(found), io.SEEK_CUR)
    _require_at_most(_MOST_PROPERTIES, _MOST_PROPERTIES + 1)


def _require_at_most(most: int, *counts: int) -> None:
    if max(counts) > most:
        msg = "is a 7z archive with too long a list of files: repack it as zip"
        raise NotReadError(msg)
