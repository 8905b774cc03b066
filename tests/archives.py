"""Archives for tests, most of which no honest program would write."""

import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from mosslite.intake.archives import archive_entries
from mosslite.intake.entries import Entry
from mosslite.intake.ignoring import Rule
from mosslite.options import Limits


def no_rule(_name: str) -> None:
    """Ignore nothing."""


def entries_of(
    content: bytes,
    name: str = "a.zip",
    *,
    limits: Limits | None = None,
    rule: Rule = no_rule,
) -> list[Entry]:
    """Return the entries of an archive that was found in the folder ``hw``."""
    archive = Entry(f"hw/{name}", name, content)
    return archive_entries(archive, Limits() if limits is None else limits, rule)


def read(
    content: bytes,
    name: str = "a.zip",
    *,
    limits: Limits | None = None,
    rule: Rule = no_rule,
) -> dict[str, bytes | str]:
    """Return the bytes of each entry, or the reason why it cannot be read."""
    entries = entries_of(content, name, limits=limits, rule=rule)
    assert len({entry.name for entry in entries}) == len(entries)
    found: dict[str, bytes | str] = {}
    for entry in entries:
        assert isinstance(entry.content, bytes)
        assert entry.path.startswith("hw/")
        found[entry.name] = entry.obstacle or entry.content
    return found


def seven_zip_of(files: Mapping[str, str | bytes], **how: object) -> bytes:
    """Return a 7z file of these."""
    py7zr = pytest.importorskip("py7zr")
    file = io.BytesIO()
    with py7zr.SevenZipFile(file, "w", **how) as archive:
        for name, content in files.items():
            archive.writestr(content, name)
    return file.getvalue()


def zip_of(files: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip file of these."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return file.getvalue()


def tar_of(
    files: Mapping[str, str | bytes], mode: str = "w", form: int = tarfile.PAX_FORMAT
) -> bytes:
    """Return a tar file of these, compressed as ``mode`` says, such as ``w:gz``."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode, format=form) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            content = text.encode() if isinstance(text, str) else text
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


@dataclass(frozen=True, slots=True)
class RawMember:
    """A member of a zip file, and what is said of it; None says what is true."""

    name: bytes
    content: bytes = b""
    flags: int = 0
    method: int = zipfile.ZIP_DEFLATED
    mode: int = 0
    size: int | None = None
    checksum: int | None = None
    offset: int | None = None
    extra: bytes = b""
    version: int = 20
    local_name: bytes | None = None


def raw_zip(*members: RawMember, comment: bytes = b"", end: bytes | None = None) -> bytes:
    """Return a zip file that says what the members say; ``end`` stands for its last record."""
    body, directory = b"", b""
    for member in members:
        offset = len(body) if member.offset is None else member.offset
        fixed, packed = _said_of(member)
        local_name = member.name if member.local_name is None else member.local_name
        body += struct.pack("<4s5H3L2H", b"PK\3\4", *fixed, len(local_name), 0)
        body += local_name + packed
        lengths = (len(member.name), len(member.extra), 0)
        directory += struct.pack(
            "<4s6H3L5H2L", b"PK\1\2", 0x300, *fixed, *lengths, 0, 0, member.mode << 16, offset
        )
        directory += member.name + member.extra
    last = struct.pack(
        "<4s4H2LH", b"PK\5\6", 0, 0, *2 * [len(members)], len(directory), len(body), len(comment)
    )
    return body + directory + (last if end is None else end) + comment


def _said_of(member: RawMember) -> tuple[tuple[int, ...], bytes]:
    packed = _packed(member)
    size = len(member.content) if member.size is None else member.size
    checksum = zlib.crc32(member.content) if member.checksum is None else member.checksum
    about = (member.version, member.flags, member.method, 0, 0)
    return (*about, checksum, len(packed), size), packed


def _packed(member: RawMember) -> bytes:
    if member.method != zipfile.ZIP_DEFLATED:
        return member.content
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(member.content) + packer.flush()


def tar_header(name: bytes, kind: bytes = b"0", size: int = 0, *, sized: bytes = b"") -> bytes:
    """Return a tar header, whose size can also be written in bytes of one's own."""
    header = tar_changed(bytes(512), {0: name, 124: sized or b"%011o\0" % size})
    return tar_changed(header, {156: kind, 257: b"ustar\x0000"})


def tar_changed(header: bytes, changes: Mapping[int, bytes]) -> bytes:
    """Return a tar header with other bytes at some places, and a checksum that fits."""
    block = bytearray(header)
    for start, content in changes.items():
        block[start : start + len(content)] = content
    block[148:156] = 8 * b" "
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def raw_tar(*parts: bytes) -> bytes:
    """Return a tar file of headers and contents, each filled up to a whole block, and its end."""
    return b"".join(map(padded, parts)) + bytes(1024)


def padded(part: bytes) -> bytes:
    """Fill up to a whole block."""
    return part + bytes(-len(part) % 512)


def pax_records(records: Mapping[bytes, bytes]) -> bytes:
    """Return PAX records, each with its length before it."""
    written = b""
    for key, value in records.items():
        rest = b" " + key + b"=" + value + b"\n"
        length = len(rest)
        while len(b"%d" % length) + len(rest) != length:
            length = len(b"%d" % length) + len(rest)
        written += b"%d" % length + rest
    return written
