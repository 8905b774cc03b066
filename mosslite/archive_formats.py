"""The table of archive formats: the names and the first bytes by which they are known."""

import tarfile
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from mosslite.messages import M_


class ArchiveFormat(NamedTuple):
    """A kind of archive; what reads it is in ``intake.archives.expand``.

    Attributes:
        kind: What a file of this kind is called.
        suffixes: Of the names of such files, in lower case.
        signatures: Their possible first bytes.
        tar_suffixes: Suffixes that stand for a tar file in one of this kind.
    """

    kind: str
    suffixes: tuple[str, ...]
    signatures: tuple[bytes, ...] = ()
    tar_suffixes: tuple[str, ...] = ()


# A zip file begins with its first member, or with its end if it has none.
ZIP: Final = ArchiveFormat(
    M_("a zip archive"),
    (".zip", ".jar", ".war", ".egg", ".pyz", ".whl"),
    (b"PK\3\4", b"PK\5\6"),
)
# Its mark is not at its start.
TAR: Final = ArchiveFormat(M_("a tar archive"), (".tar",))
GZIP: Final = ArchiveFormat(M_("a gzip archive"), (".gz",), (b"\x1f\x8b",), (".tgz",))
# Behind the block size there is the mark of a block, or of the end.
BZIP2: Final = ArchiveFormat(
    M_("a bzip2 archive"),
    (".bz", ".bz2"),
    tuple(b"BZh%d%s" % (n, mark) for n in range(1, 10) for mark in (b"1AY&SY", b"\x17rE8P\x90")),
    (".tbz", ".tbz2"),
)
XZ: Final = ArchiveFormat(M_("an xz archive"), (".xz",), (b"\xfd7zXZ\0",), (".txz",))
# These are recognized, but not read.
SEVEN_ZIP: Final = ArchiveFormat(M_("a 7z archive"), (".7z",), (b"7z\xbc\xaf\x27\x1c",))
RAR: Final = ArchiveFormat(M_("a rar archive"), (".rar",), (b"Rar!\x1a\x07",))

_COMPRESSED: Final = (GZIP, BZIP2, XZ)
FORMATS: Final = (ZIP, TAR, *_COMPRESSED, SEVEN_ZIP, RAR)
_SUFFIXES: Final = tuple(each for row in FORMATS for each in (*row.suffixes, *row.tar_suffixes))

# Documents, programs and data in archive formats: their members are not submitted files.
# fmt: off
_DOCUMENTS: Final = frozenset({
    ".docm", ".docx", ".dotx", ".epub", ".key", ".numbers", ".odf", ".odg", ".odp", ".ods", ".odt",
    ".oxps", ".pages", ".potx", ".ppsx", ".pptm", ".pptx", ".vsdx", ".xlsb", ".xlsm", ".xlsx",
    ".xltx", ".xps",
    ".aab", ".apk", ".appx", ".crx", ".ipa", ".msix", ".nupkg", ".vsix", ".xpi",
    ".blend", ".fla", ".ggb", ".kmz", ".kra", ".mlx", ".npz", ".pkt", ".rda", ".rdata", ".rds",
    ".sb2", ".sb3", ".sketch", ".slx", ".svgz", ".twbx", ".usdz", ".xcf",
})
# fmt: on

# Number of first bytes that tell the format: a tar file has its mark at 257, and its checksum
# covers all of its first block.
HEAD_SIZE: Final = tarfile.BLOCKSIZE


def format_of(name: str, head: bytes) -> ArchiveFormat | None:
    """Return the format of the archive that starts with these ``HEAD_SIZE`` bytes, or all of it."""
    if PurePosixPath(name.lower()).suffix in _DOCUMENTS:
        return None
    found = next((each for each in FORMATS if head.startswith(each.signatures)), None)
    return TAR if found is None and _is_tar(name, head[:HEAD_SIZE]) else found


def _is_tar(name: str, block: bytes) -> bool:
    """Return whether a file is a tar file, by its magic number, or by name if it has none."""
    # Text can have the mark at the same place, but not the zeros that pad a header.
    if block[257:262] == b"ustar" and b"\0" in block:
        return True
    if not name.lower().endswith(TAR.suffixes):
        return False
    try:
        tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return block == bytes(HEAD_SIZE)
    return True


def is_named_zip(name: str) -> bool:
    """Return whether a file is named like a zip archive."""
    return name.lower().endswith(ZIP.suffixes)


def has_archive_name(name: str) -> bool:
    """Return whether a file is named like an archive, regardless of its content."""
    return without_suffix(name) != name


def without_suffix(name: str) -> str:
    """Return the name of an archive without its suffixes; any other name is unchanged."""
    while suffix := next((each for each in _SUFFIXES if name.lower()[1:].endswith(each)), ""):
        name = name[: -len(suffix)]
    return name


def unpacked_name(name: str) -> str:
    """Return the name of the file in a compressed one: that of ``a.tgz`` is ``a.tar``."""
    for row in _COMPRESSED:
        for suffixes, inner in ((row.suffixes, ""), (row.tar_suffixes, ".tar")):
            for suffix in suffixes:
                if name.lower().endswith(suffix):
                    return name[: -len(suffix)] + inner
    return name
