"""Recognizes archives by their first bytes, and opens them."""

import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import BinaryIO, Final
from zipfile import is_zipfile

from mosslite.archive_formats import (
    BZIP2,
    FORMATS,
    GZIP,
    RAR,
    SEVEN_ZIP,
    TAR,
    XZ,
    ZIP,
    ArchiveFormat,
    unpacked_name,
)
from mosslite.intake.archives.budgets import Budget
from mosslite.intake.archives.members import (
    DAMAGE,
    Again,
    Member,
    Metered,
    damage,
    read_most,
    unpacked,
)
from mosslite.intake.archives.seven_zip_files import seven_zip_members
from mosslite.intake.archives.tar_files import BLOCK, is_tar_header, tar_members
from mosslite.intake.archives.zip_files import zip_members
from mosslite.intake.disk import NotReadError, OnDisk, opened
from mosslite.intake.entries import Content
from mosslite.intake.ignoring import is_apple_double
from mosslite.languages import is_program
from mosslite.reasons import Reason

# Number of first bytes that tell the format: a tar file has its mark at 257, and its checksum
# covers 512.
HEAD: Final = BLOCK
_Reader = Callable[[str, BinaryIO, Budget], Iterator[Member]]
"""Yields the members of a file with a name; each must be read before the next is requested."""


def _compressed(found: ArchiveFormat) -> _Reader:
    """Return a reader of compressed files, each a tar file or a single other one."""

    def members(name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
        stream = Metered(unpacked(file, found), budget)
        head = read_most(stream, HEAD)
        inner, whole = unpacked_name(PurePosixPath(name).name), Again(head, stream)
        if format_of(inner, head) is TAR:
            return tar_members(whole, stream.skip, budget, is_metered=True)
        return iter([Member(inner, open=lambda: whole)])

    return members


def _unsupported(_name: str, _file: BinaryIO, _budget: Budget) -> Iterator[Member]:
    raise NotReadError(Reason.RAR)


_READERS: Final[Mapping[ArchiveFormat, _Reader]] = {
    ZIP: zip_members,
    # Bytes of a tar file that are skipped cost nothing.
    TAR: lambda _, file, budget: tar_members(
        file, lambda count: file.seek(count, 1), budget, is_metered=False
    ),
    GZIP: _compressed(GZIP),
    BZIP2: _compressed(BZIP2),
    XZ: _compressed(XZ),
    SEVEN_ZIP: seven_zip_members,
    RAR: _unsupported,
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


# Documents, programs and data in archive formats: their members are not submitted files.
# fmt: off
_DOCUMENTS = frozenset({
    ".docm", ".docx", ".dotx", ".epub", ".key", ".numbers", ".odf", ".odg", ".odp", ".ods", ".odt",
    ".oxps", ".pages", ".potx", ".ppsx", ".pptm", ".pptx", ".vsdx", ".xlsb", ".xlsm", ".xlsx",
    ".xltx", ".xps",
    ".aab", ".apk", ".appx", ".crx", ".egg", ".ipa", ".msix", ".nupkg", ".pyz", ".vsix", ".whl",
    ".xpi",
    ".blend", ".fla", ".ggb", ".kmz", ".kra", ".mlx", ".npz", ".pkt", ".rda", ".rdata", ".rds",
    ".sb2", ".sb3", ".sketch", ".slx", ".svgz", ".twbx", ".usdz", ".xcf",
})
# fmt: on


def is_archive(name: str, content: Content) -> bool:
    """Return whether a file is an archive to unpack; by their names, documents are not."""
    try:
        with file_of(content) as file:
            return format_in(name, file) is not None
    except (OSError, NotReadError):
        return False


def file_of(content: Content) -> BinaryIO:
    """Open a file, wherever its bytes are."""
    if isinstance(content, OnDisk):
        return opened(content)
    return io.BytesIO(content if isinstance(content, bytes) else content.read())


def format_in(name: str, file: BinaryIO) -> ArchiveFormat | None:
    """Return the format of an archive in a file, which is then at its start.

    A zip file is read from its end, so anything can precede it.
    """
    file.seek(0)
    found = format_of(name, file.read(HEAD) or b"")
    if found is None and is_named_zip(name) and is_zipfile(file):
        found = ZIP
    file.seek(0)
    return found


def is_named_zip(name: str) -> bool:
    """Return whether a file is named like a zip archive."""
    return name.lower().endswith(ZIP.suffixes)


def format_of(name: str, head: bytes) -> ArchiveFormat | None:
    """Return the format of the archive that starts with these bytes: ``HEAD`` of them, or all."""
    if PurePosixPath(name.lower()).suffix in _DOCUMENTS:
        return None
    found = next((each for each in FORMATS if head.startswith(each.signatures)), None)
    return TAR if found is None and _is_tar(name, head) else found


def _is_tar(name: str, head: bytes) -> bool:
    """Return whether a file is a tar file, by its magic number, or by name if it has none."""
    block = head[:BLOCK]
    # Text can have the mark at the same place, but not the zeros that pad a header.
    if block[257:262] == b"ustar" and b"\0" in block:
        return True
    return name.lower().endswith(TAR.suffixes) and (block == bytes(BLOCK) or is_tar_header(block))


# Git pack files, whose extension ``.pack`` is also that of a language.
_PACK: Final = b"PACK\0\0\0"


def may_hold_program(name: str, head: bytes) -> bool:
    """Return whether a file is named like a program or is an archive; macOS metadata is neither."""
    is_known = is_program(name) or format_of(name, head) is not None
    return is_known and not is_apple_double(name, head) and not head.startswith(_PACK)


def head_of(content: Content) -> bytes:
    """Return the first bytes of a file; empty if it cannot be read."""
    try:
        with file_of(content) as file:
            return file.read(HEAD) or b""
    except (OSError, NotReadError):
        return b""
