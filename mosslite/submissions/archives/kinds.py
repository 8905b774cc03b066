"""Recognizes archives by their first bytes."""

import io
from enum import Enum, auto
from pathlib import PurePosixPath
from typing import BinaryIO

from mosslite.archive_names import ZIP_SUFFIXES
from mosslite.languages import is_program
from mosslite.submissions.archives.tar_files import BLOCK, NO_BLOCK, is_header
from mosslite.submissions.archives.zip_files import has_directory
from mosslite.submissions.disk import NotReadError, OnDisk, located, opened
from mosslite.submissions.ignoring import is_apple_double

# Number of first bytes read: a tar file has its mark at 257, and its checksum covers 512.
HEAD = 512


class Kind(Enum):
    """The reader for an archive."""

    ZIP = auto()
    TAR = auto()
    GZIP = auto()
    BZIP2 = auto()
    XZ = auto()
    SEVEN_ZIP = auto()
    RAR = auto()


# A zip file begins with its first member, or with its end if it has none.
_ZIP_MAGICS = (b"PK\3\4", b"PK\5\6")
# What follows the block size in a bzip2 file: the mark of a block, or of the end.
_BZIP2_MARKS = (b"1AY&SY", b"\x17rE8P\x90")
_BY_MAGIC = {
    b"\x1f\x8b": Kind.GZIP,
    b"BZh": Kind.BZIP2,
    b"\xfd7zXZ\0": Kind.XZ,
    b"7z\xbc\xaf\x27\x1c": Kind.SEVEN_ZIP,
    b"Rar!\x1a\x07": Kind.RAR,
}
_MAGICS = tuple(_BY_MAGIC)

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


def is_archive(name: str, content: bytes | str | OnDisk) -> bool:
    """Return whether a file is an archive to unpack; documents in archive formats are not.

    Args:
        name: Its name, which distinguishes documents from archives.
        content: Its bytes, the file on disk, or a path given by the user; little of it is read.
    """
    try:
        place = located(content) if isinstance(content, str) else content
        with io.BytesIO(place) if isinstance(place, bytes) else opened(place) as file:
            return kind_in(name, file) is not None
    except (OSError, NotReadError):
        return False


def kind_in(name: str, file: BinaryIO) -> Kind | None:
    """Return the kind of an archive in a file, which is then at its start.

    A zip file is read from its end, so that anything can stand before it.
    """
    file.seek(0)
    kind = kind_of(name, file.read(HEAD) or b"")
    if kind is None and is_named_zip(name) and has_directory(file):
        kind = Kind.ZIP
    file.seek(0)
    return kind


def is_named_zip(name: str) -> bool:
    """Return whether a file is named like a zip archive."""
    return name.lower().endswith(ZIP_SUFFIXES)


def kind_of(name: str, head: bytes) -> Kind | None:
    """Return the kind of archive that starts with these bytes: ``HEAD`` of them, or all."""
    kind = _packed_as(name, head)
    is_document = kind is not None and PurePosixPath(name.lower()).suffix in _DOCUMENTS
    return None if is_document else kind


def _packed_as(name: str, head: bytes) -> Kind | None:
    if head.startswith(_ZIP_MAGICS):
        return Kind.ZIP
    if head.startswith(_MAGICS):
        kind = next(kind for magic, kind in _BY_MAGIC.items() if head.startswith(magic))
        is_text = kind is Kind.BZIP2 and head[4:10] not in _BZIP2_MARKS
        return None if is_text else kind
    return Kind.TAR if _is_tar(name, head) else None


def _is_tar(name: str, head: bytes) -> bool:
    """Return whether a file is a tar file, by its magic number, or by name if it has none."""
    block = head[:BLOCK]
    is_named = name.lower().endswith(".tar")
    # Text can have the mark at the same place, but not the zeros that pad a header.
    if block[257:262] == b"ustar" and b"\0" in block:
        return True
    return is_named and (block == NO_BLOCK or is_header(block))


# Git pack files, whose extension ``.pack`` is also that of a language.
_PACK = b"PACK\0\0\0"


def may_hold_program(name: str, head: bytes) -> bool:
    """Return whether a file is named like a program or is an archive; macOS metadata is neither."""
    is_known = is_program(name) or kind_of(name, head) is not None
    return is_known and not is_apple_double(name, head) and not head.startswith(_PACK)


def head_of(content: bytes | str | OnDisk) -> bytes:
    """Return the first bytes of a file; empty if it cannot be read."""
    if isinstance(content, bytes):
        return content[:HEAD]
    try:
        with opened(located(content) if isinstance(content, str) else content) as file:
            return file.read(HEAD) or b""
    except (OSError, NotReadError):
        return b""
