"""What a file is by its first bytes or its name: an archive, a document, a result of mosslite."""

import re
import tarfile
from codecs import BOM_UTF8
from enum import Enum
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from mosslite.messages import M_
from mosslite.reasons import Reason

# --- results of mosslite -------------------------------------------------------------------------

# They are not submissions, and no other files are ever overwritten.


class Signature(bytes, Enum):
    """First bytes of each kind of result."""

    JSON = b'{\n "format": 1,\n "mosslite": '
    CSV = b"left,right,score,similarity,left_similarity,"
    GRADES = b"Student,ID,Highest score,Partner,Group,"
    SARIF = b'{\n "$schema": "https://json.schemastore.org/sarif-2.1.0.json",'
    JUNIT = b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="mosslite"'
    MARKDOWN = b"<!-- mosslite -->\n\n## "
    # The key of an anonymous report.
    KEY = b"alias,name\n"
    # A review file, as saved by a report.
    REVIEW = b'{\n  "format": 1,\n  "marks": ['
    BASELINE = b'{\n "kind": "mosslite baseline"'
    ARCHIVE_EXPORT = b'{\n "kind": "mosslite archive"'
    LAB_JSON = b'{\n "format": 1,\n "experiment": '
    LAB_CSV = b"mosslite lab "
    COURSE_JSON = b'{\n "format": 1,\n "assignments": ['
    COURSE_CSV = b"left,right,stood_out,together,chance,"
    QUERY_JSON = b'{\n "kind": "mosslite query"'
    QUERY_CSV = b"term,name,containment,resemblance,"
    # A case file, a report in one file, or the page of a course.
    DOCUMENT_HTML = b'<!doctype html>\n<html lang="en" class="mosslite-document">'


# A file that marks a folder as a report, and one with its results.
REPORT_MARKER: Final = ".mosslite-report"
REPORT_RESULTS: Final = "results.json"
# Folders of a report with passages of submissions, to be given as base code.
LIKELY_BOILERPLATE: Final = "likely-boilerplate"
SHORT_PASSAGES: Final = "shared-passages"

# Application id of archives, "MsLt", stored at a fixed offset of an SQLite
# file's header.
APPLICATION_ID: Final = 0x4D734C74
_MARK: Final = slice(68, 72)


def is_own_result(content: bytes) -> bool:
    """Return whether the content of a file starts like one of mosslite's results."""
    return begins_with(content, *Signature)


def begins_with(content: bytes, *beginnings: bytes) -> bool:
    """Return whether content starts with one of the signatures, even after editing.

    Spreadsheets add a byte order mark and change line ends. Pages are in any language.
    """
    head = content[: len(BOM_UTF8) + 2 * max(map(len, beginnings))]
    head = re.sub(rb'(?<=<html lang=")[a-z]{2}(?=")', b"en", head.removeprefix(BOM_UTF8))
    return head.replace(b"\r\n", b"\n").startswith(beginnings)


def is_own_archive(content: bytes) -> bool:
    """Return whether an SQLite file, of which at least the header is given, is an archive."""
    return content[_MARK] == APPLICATION_ID.to_bytes(4, "big")


# --- archives ------------------------------------------------------------------------------------


class ArchiveFormat(NamedTuple):
    """A kind of archive; what reads it is in ``intake.archives``.

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
# Kinds that are told by their names, if the file is not text.
_BY_NAME: Final = ArchiveFormat(
    M_("an archive or a disk image"),
    (".arj", ".cpio", ".dmg", ".iso", ".lha", ".lzh", ".lzma", ".sit", ".sitx", ".zoo"),
)
# These are recognized, but not read.
UNSUPPORTED: Final = (
    _BY_NAME,
    ArchiveFormat(M_("a RAR archive"), (".rar",), (b"Rar!\x1a\x07",)),
    ArchiveFormat(M_("a Zstandard archive"), (".zst",), (b"\x28\xb5\x2f\xfd",), (".tzst",)),
    ArchiveFormat(M_("an LZ4 archive"), (".lz4",), (b"\x04\x22\x4d\x18",)),
    ArchiveFormat(M_("an lzip archive"), (".lz",), (b"LZIP\1",), (".tlz",)),
    ArchiveFormat(M_("a .Z archive"), (".z",), (b"\x1f\x9d",), (".taz",)),
    ArchiveFormat(M_("a cabinet archive"), (".cab",), (b"MSCF\0\0\0\0",)),
)

_COMPRESSED: Final = (GZIP, BZIP2, XZ)
FORMATS: Final = (ZIP, TAR, *_COMPRESSED, SEVEN_ZIP, *UNSUPPORTED)
_SUFFIXES: Final = tuple(each for row in FORMATS for each in (*row.suffixes, *row.tar_suffixes))

# Documents, programs and data in archive formats: their members are not submitted files.
# fmt: off
_NOT_UNPACKED: Final = frozenset({
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
    if PurePosixPath(name.lower()).suffix in _NOT_UNPACKED:
        return None
    found = next((each for each in FORMATS if head.startswith(each.signatures)), None)
    if found is None and _is_tar(name, head[:HEAD_SIZE]):
        return TAR
    is_named = name.lower().endswith(_BY_NAME.suffixes) and head and not looks_like_text(head)
    return _BY_NAME if found is None and is_named else found


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


# --- documents and other binary files ------------------------------------------------------------

_SQLITE = b"SQLite format 3\0"

# First bytes of files that contain somebody's text in a binary format.
_DOCUMENTS = (
    (b"%PDF-", M_("a PDF")),
    (b"{\\rtf", M_("an RTF document")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", M_("an old Office document")),
)
# Members by which a zip archive is recognized as such a file.
_ZIPPED = (
    (b"word/document", M_("a Word document")),
    (b"xl/workbook", M_("an Excel workbook")),
    (b"ppt/presentation", M_("a PowerPoint presentation")),
    (b"mimetypeapplication/vnd.oasis.opendocument", M_("an OpenDocument file")),
    (b"mimetypeapplication/epub", M_("an e-book")),
    (b"Index/Document.iwa", M_("a Pages, Numbers or Keynote document")),
)
_OTHERS = (
    (b"\x89PNG\r\n", M_("a PNG image")),
    (b"\xff\xd8\xff", M_("a JPEG image")),
    (b"GIF87a", M_("a GIF image")),
    (b"GIF89a", M_("a GIF image")),
    (b"\xca\xfe\xba\xbe", M_("a compiled Java class")),
    (b"\x7fELF", M_("a compiled program")),
    (b"\xcf\xfa\xed\xfe", M_("a compiled program")),
    (b"\0asm", M_("a compiled program")),
    (b"!<arch>\n", M_("a compiled library")),
    (_SQLITE, M_("an SQLite database")),
    *((start, row.kind) for row in FORMATS for start in row.signatures),
)

_BEGINNINGS = tuple(start for start, _ in (*_DOCUMENTS, *_OTHERS))
# First bytes of macOS metadata files, which are named like the file they describe after ``._``.
_APPLE_DOUBLE: Final = b"\0\5\x16\7"

# Control characters that text does not contain; a file in which one character in twenty is one of
# them is not text. (Tab, line feed, form feed, carriage return and escape do occur.)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\f\r\x1b")) + b"\x7f"
_MOST_CONTROLS = 0.05
_MOST_KINDS = 8


class BinaryKind(NamedTuple):
    """A kind of file that is not compared.

    Attributes:
        kind: What it is, as in ``a GIF image``.
        reason: Why such a file is ignored.
        is_text: Files of the kind can be plain text, so that only the first bytes identify them.
    """

    kind: str
    reason: str
    is_text: bool = False


def binary_kind(content: bytes) -> BinaryKind | None:
    """Return the kind of a binary file, by its first bytes."""
    if not content.startswith(_BEGINNINGS):
        return None
    kind = _kind(content, _DOCUMENTS)
    if content.startswith(ZIP.signatures[0]):
        kind = next((kind for name, kind in _ZIPPED if name in content), "")
    if kind:
        reason = Reason.DOCUMENT.message(kind)
        return BinaryKind(kind, reason, is_text=True)
    if content.startswith(_SQLITE) and is_own_archive(content):
        kind = M_("a mosslite archive")
        return BinaryKind(kind, Reason.OWN_ARCHIVE.message(kind))
    kind = _kind(content, _OTHERS)
    return BinaryKind(kind, Reason.OTHER_KIND.message(kind))


def is_apple_double(name: str, head: bytes = _APPLE_DOUBLE) -> bool:
    """Return whether a file is macOS metadata of another file, by its name and first bytes."""
    return name.rpartition("/")[2].startswith("._") and head.startswith(_APPLE_DOUBLE)


def looks_like_text(head: bytes) -> bool:
    """Return whether a file can be text in an ASCII-compatible encoding, by its first bytes."""
    return bool(head) and is_text(head.decode("latin-1"))


def is_text(text: str, *, is_program: bool = False, is_certain: bool = False) -> bool:
    """Return whether decoded bytes are plausible text: few controls, and NUL in programs only.

    Compilers of C and other languages skip NUL, and all skip comments. So a program may have many
    controls if its encoding is certain, or else if they are not of all kinds, as in binary files.
    """
    plain = text.encode("ascii", "ignore")
    shown = plain.translate(None, delete=_CONTROLS)
    if len(plain) - len(shown) <= _MOST_CONTROLS * len(text):
        return is_program or "\0" not in text
    is_usual = is_certain or len({*plain} & {*_CONTROLS}) <= _MOST_KINDS
    return is_program and is_usual and bool(shown.strip())


def _kind(content: bytes, kinds: tuple[tuple[bytes, str], ...]) -> str:
    return next((kind for start, kind in kinds if content.startswith(start)), "")
