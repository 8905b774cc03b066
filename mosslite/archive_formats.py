"""The table of archive formats: the names and the first bytes by which they are known."""

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
SEVEN_ZIP: Final = ArchiveFormat(M_("a 7z archive"), (".7z",), (b"7z\xbc\xaf\x27\x1c",))
RAR: Final = ArchiveFormat(M_("a rar archive"), (".rar",), (b"Rar!\x1a\x07",))

_COMPRESSED: Final = (GZIP, BZIP2, XZ)
FORMATS: Final = (ZIP, TAR, *_COMPRESSED, SEVEN_ZIP, RAR)
_SUFFIXES: Final = tuple(each for row in FORMATS for each in (*row.suffixes, *row.tar_suffixes))


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
