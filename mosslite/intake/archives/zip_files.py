"""Reads zip files: the directory with zipfile, the members with budgets that it lacks."""

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import BinaryIO, Final

from mosslite.intake.archives.budgets import Budget
from mosslite.intake.archives.members import (
    DOS_GUESSES,
    ZIP_METHODS,
    Again,
    Checked,
    DamagedError,
    Member,
    Metered,
    Readable,
    Section,
    decoded,
    read_most,
    unpacked_member,
)
from mosslite.messages import M_
from mosslite.options import DIRECTORY_BYTES, LEAST_DIRECTORY, LONGEST_EXTRA, LONGEST_TARGET
from mosslite.reasons import Reason

_HEADER: Final = struct.Struct("<4s5H3L2H")
# A record of the directory: its size without what follows; where in it are the version that is
# needed to unpack, the upper half of the flags, the sizes, the lengths of what follows, and the
# offset of the member.
_RECORD_MARK, _RECORD_SIZE = b"PK\1\2", 46
_VERSION_AT, _FLAGS_AT, _SIZES_AT, _LENGTHS_AT, _OFFSET_AT = 6, 9, 20, 28, 42
_LENGTHS: Final = struct.Struct("<3H")
_FIELD: Final = struct.Struct("<2H")
_ANY_VERSION: Final = 20
_LONGEST: Final = 0xFFFF
_INVALID: Final = M_("its central directory is invalid")
# Flag bits: encrypted, by the old method or a strong one; a patch to another file; an LZMA
# stream with an end mark; in the upper half, a name in UTF-8.
_ENCRYPTED: Final = 0x0001 | 0x0040
_PATCH: Final = 0x0020
_MARKED_END: Final = 0x0002
_UTF_8: Final = 0x08
# The extra fields with a name in UTF-8, and with sizes beyond four bytes. Later versions of zipfile
# refuse all records for a damaged name, so it is hidden as a field of another kind.
_UNICODE_PATH: Final = 0x7075
_HIDDEN_PATH: Final = 0xFFFE
_ZIP_64: Final = 0x0001
_WIDE: Final = 0xFFFF_FFFF
# LZMA properties in a zip file: a version, and how many bytes follow.
_PROPERTIES: Final = struct.Struct("<2sH")


class _Directory:
    """A zip file whose directory is refused if it has far more members than allowed.

    So it is if a record has much extra, as zipfile's time grows with the square of that. What makes
    zipfile refuse all records for one, and unzip none, is changed in the record.
    """

    def __init__(self, file: BinaryIO, budget: Budget) -> None:
        self._budget = budget
        self.seek, self.tell, self._read = file.seek, file.tell, file.read

    def read(self, most: int = -1, /) -> bytes:
        if most > max(LEAST_DIRECTORY, DIRECTORY_BYTES * self._budget.members_left):
            self._budget.require_members(self._budget.members_left + 1)
        data = bytearray(self._read(most))
        place = 0 if data.startswith(_RECORD_MARK) else len(data)
        while place + _RECORD_SIZE <= len(data):
            name, extra, comment = _LENGTHS.unpack_from(data, place + _LENGTHS_AT)
            if extra > LONGEST_EXTRA:
                raise DamagedError(_INVALID)
            data[place + _VERSION_AT] = _ANY_VERSION  # the method decides whether it is read
            data[place + _FLAGS_AT] &= ~_UTF_8  # names are decoded below
            sizes = struct.unpack_from("<2L", data, place + _SIZES_AT)
            sizes += struct.unpack_from("<L", data, place + _OFFSET_AT)
            start = place + _RECORD_SIZE + name
            are_whole = _prepare_fields(data, start, start + extra, 8 * sizes.count(_WIDE))
            if not are_whole and extra + comment <= _LONGEST:
                _LENGTHS.pack_into(data, place + _LENGTHS_AT, name, 0, extra + comment)
            place = start + extra + comment
        return bytes(data)


def _prepare_fields(data: bytearray, place: int, stop: int, wide: int) -> bool:
    """Hide names in UTF-8 from zipfile; return whether it reads the extra fields of a record.

    ``wide`` is the number of bytes that the field of sizes must have.
    """
    while place + _FIELD.size <= stop:
        kind, length = _FIELD.unpack_from(data, place)
        if kind == _UNICODE_PATH:
            _FIELD.pack_into(data, place, _HIDDEN_PATH, length)
        if kind == _ZIP_64 and length < wide:
            return False
        place += _FIELD.size + length
    return place <= stop


def zip_members(_name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of a zip file in the order of its directory."""
    if not zipfile.is_zipfile(file):
        raise DamagedError("it has no central directory, as if it were truncated")
    try:
        # Latin-1 keeps the bytes of names.
        with zipfile.ZipFile(_Directory(file, budget), metadata_encoding="latin-1") as archive:
            records = archive.infolist()
    except zipfile.BadZipFile as error:
        raise DamagedError(_INVALID) from error
    overlapping = _overlapping(records)
    for number, record in enumerate(records):
        name = _name_of(record)
        yield Member(
            name,
            record.file_size,
            _obstacle(record, overlaps=number in overlapping),
            name.endswith(("/", "\\")) and not record.file_size,
            packed=record.compress_size,
            open=partial(_content, file, record, budget),
        )


def _name_of(record: zipfile.ZipInfo) -> str:
    """Decode a name, or use the UTF-8 name added to it if its checksum matches."""
    name = record.orig_filename.encode("latin-1")
    head = b"\1" + zlib.crc32(name).to_bytes(4, "little")
    place = 0
    while place + _FIELD.size < len(record.extra):
        kind, length = _FIELD.unpack_from(record.extra, place)
        field = record.extra[place + 4 : place + 4 + length]
        place += 4 + length
        if kind == _HIDDEN_PATH and field.startswith(head) and len(field) > len(head):
            return decoded(field[len(head) :], DOS_GUESSES)
    return decoded(name, DOS_GUESSES)


def _obstacle(record: zipfile.ZipInfo, *, overlaps: bool) -> str:
    if record.flag_bits & _ENCRYPTED:
        return Reason.ENCRYPTED.message()
    if overlaps:
        return Reason.OVERLAPS.message()
    if record.compress_type not in ZIP_METHODS or record.flag_bits & _PATCH:
        return Reason.METHOD.message()
    # Programs that know no modes unpack any entry as a file, so a longer one is read.
    is_link = stat.S_ISLNK(record.external_attr >> 16) and record.file_size <= LONGEST_TARGET
    return Reason.LINK.message() if is_link else ""


def _overlapping(records: Sequence[zipfile.ZipInfo]) -> set[int]:
    """Return the records that start within another, as in small files that unpack to huge ones."""
    overlapping = set()
    stop = 0
    for number in sorted(range(len(records)), key=lambda each: records[each].header_offset):
        record = records[number]
        if record.header_offset < stop:
            overlapping.add(number)
        stop = max(stop, record.header_offset + _HEADER.size + record.compress_size)
    return overlapping


def _content(file: BinaryIO, record: zipfile.ZipInfo, budget: Budget) -> Readable:
    """Open a member; unlike zipfile, whatever name its own header says, and within bounds."""
    file.seek(record.header_offset)
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size or not header.startswith(b"PK\3\4"):
        raise DamagedError("it is not at the offset that the archive gives")
    # The lengths of name and extra field in the local header count, not those in the directory.
    start = record.header_offset + _HEADER.size + sum(_HEADER.unpack(header)[-2:])
    packed: Readable = Section(file, start, record.compress_size)
    if record.compress_type == zipfile.ZIP_LZMA:
        _, length = _PROPERTIES.unpack(read_most(packed, _PROPERTIES.size))
        size = -1 if record.flag_bits & _MARKED_END else record.file_size
        packed = Again(read_most(packed, length) + struct.pack("<q", size), packed)
    unpacked = Metered(unpacked_member(packed, record.compress_type), budget)
    return Checked(unpacked, record.file_size, record.CRC)
