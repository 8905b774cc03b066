"""Members of archives, one after the other, with streams that unpack only what is read.

Zip and tar files are read by the standard library, with the limits and checks that it lacks.
"""

import bz2
import io
import lzma
import stat
import struct
import sys
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import PurePosixPath
from typing import IO, BinaryIO, Final, Protocol, Self, cast

from mosslite import options, signatures
from mosslite.intake.decoding import guessed_encoding
from mosslite.intake.entries import LimitError
from mosslite.messages import M_, said
from mosslite.reasons import Reason
from mosslite.signatures import ArchiveFormat, format_of

# --- limits --------------------------------------------------------------------------------------


class ExhaustedError(Exception):
    """Reading an archive exceeds a limit; the message names it and its option."""


@dataclass(slots=True)
class Allowance:
    """Bytes or files that may be taken.

    Attributes:
        most: How many in all.
        words: What is said if there are more, as in ``contains more than 3 files``.
        option: The option that sets the limit.
        whole: What it is a share of; None if of nothing.
        taken: How many were taken so far.
    """

    most: int
    words: str
    option: str
    whole: "Allowance | None" = None
    taken: int = 0

    @property
    def left(self) -> int:
        """How many may still be taken."""
        return self.most - self.taken

    def take(self, count: int) -> None:
        """Take so many, or the rest and raise an ExhaustedError if they are more than are left."""
        possible = min(count, self.left)
        self.taken += possible
        if self.whole is not None:
            self.whole.take(possible)
        self.require(count - possible)

    def require(self, count: int) -> None:
        """Raise an ExhaustedError if so many are more than are left."""
        if count > self.left:
            raise ExhaustedError(Reason.OVER_LIMIT.message(self.words, self.option))

    def require_possible(self, count: int) -> None:
        """Raise a LimitError if so many are more than all together."""
        if count > self.most:
            raise LimitError(self.option, self.words)

    def part(self, reason: Reason, size: int, later: int, needed: int) -> "Allowance":
        """Return a part for ``size`` bytes before ``later`` ones, which can need so many."""
        by_size = -(-self.left * size // (size + later))
        most = max(by_size, self.left - needed)
        return Allowance(most, reason.message(most), self.option, self)


@dataclass(slots=True)
class Budget:
    """What may be spent on an archive, nested ones included."""

    unpacked: Allowance
    members: Allowance

    def part(self, size: int, later: int, ratio: int) -> "Budget":
        """Return what an archive in this one may take, before others of ``later`` bytes.

        It is all but what these can need within the ratio, or a part by its size if that is more.
        """
        if not later:
            return self
        needed = ratio * later
        return Budget(
            self.unpacked.part(Reason.UNPACKED_SHARE, size, later, needed),
            self.members.part(Reason.MEMBERS_SHARE, size, later, needed // options.MEMBER_BYTES),
        )


# --- streams -------------------------------------------------------------------------------------

# So little is read at once that putting together many parts of a sparse file costs little.
_CHUNK: Final = 1 << 12


class DamagedError(ValueError):
    """An archive violates its format; the message says how, in words for the user."""

    def __init__(self, template: str, /, *values: object) -> None:
        super().__init__(said(template, *values))


# Exceptions that the libraries raise on damaged input.
DAMAGE: Final = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, OSError),
    *(RuntimeError, TypeError, ValueError, lzma.LZMAError, struct.error, zlib.error),
    *(tarfile.TarError, zipfile.BadZipFile),
)


def damage(error: BaseException) -> str:
    """Return the reason of one of ``DAMAGE``."""
    if isinstance(error, DamagedError):
        return Reason.DAMAGED_THUS.message(error)
    if isinstance(error, EOFError):
        return Reason.CUT.message()
    if isinstance(error, MemoryError):
        return Reason.NO_MEMORY.message()
    if isinstance(error, OSError) and error.errno is not None:
        return Reason.UNREADABLE.message(error)
    return Reason.DAMAGED.message()


class Readable(Protocol):
    """A readable stream of bytes."""

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes (at least one); empty at the end."""


def read_most(source: Readable, most: int, *, head: bytes = b"") -> bytes:
    """Read up to ``most`` bytes, starting with those in ``head``."""
    pieces = [head]
    while most > 0 and (piece := source.read(min(most, _CHUNK))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


class Again:
    """A stream of bytes already read, followed by the rest."""

    def __init__(self, head: bytes, rest: Readable) -> None:
        self._head, self._rest = head, rest

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes."""
        if not self._head:
            return self._rest.read(most)
        data, self._head = self._head[:most], self._head[most:]
        return data


class _Decompressor(Protocol):
    """What unpacks one stream, as ``bz2`` and ``lzma`` have it."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Gunzip:
    """Unpacks a stream of gzip, in the form of the decompressors of ``bz2`` and ``lzma``."""

    def __init__(self) -> None:
        self._own = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)

    eof = property(lambda self: self._own.eof)
    needs_input = property(lambda self: not self._own.unconsumed_tail)
    unused_data = property(lambda self: self._own.unused_data)

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return self._own.decompress(self._own.unconsumed_tail + data, max_length)


_DECOMPRESSORS: Final[Mapping[ArchiveFormat, Callable[[], _Decompressor]]] = {
    signatures.GZIP: _Gunzip,
    signatures.BZIP2: bz2.BZ2Decompressor,
    signatures.XZ: lzma.LZMADecompressor,
}


class Unpacked:
    """The bytes that a compressed file of one or more streams unpacks to.

    As by gzip and bzip2, zeros between streams and anything after the last one are ignored, but
    only so many packed bytes may unpack to almost nothing.
    """

    def __init__(
        self,
        packed: Readable,
        new: Callable[[], _Decompressor],
        signatures: tuple[bytes, ...] = (),
    ) -> None:
        """``signatures`` are the first bytes of a stream that may follow another."""
        self._packed, self._new, self._signatures = packed, new, signatures
        self._stream, self._rest, self._idle = new(), b"", 0

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes; raise an EOFError in the middle of a stream."""
        while not self._stream.eof or self._begins_next():
            is_hungry = self._stream.needs_input
            packed = self._taken() if is_hungry else b""
            if data := self._stream.decompress(packed, most):
                self._idle = max(0, self._idle - options.LEAST_UNPACKED * len(data))
                return data
            if is_hungry and not packed and not self._stream.eof:
                raise EOFError
        return b""

    def _taken(self) -> bytes:
        data, self._rest = self._rest, b""
        if not data:
            data = self._packed.read(_CHUNK)
            self._idle += len(data)
        if self._idle > options.MOST_PADDING:
            raise DamagedError(
                "more than %(most_padding)s MiB of it unpack to nothing", options.MOST_PADDING >> 20
            )
        return data

    def _begins_next(self) -> bool:
        """Go on with the next stream, or pass over the rest if none follows."""
        rest = self._stream.unused_data.lstrip(b"\0")
        longest = max(map(len, self._signatures), default=0)
        while len(rest) < longest and (more := self._taken()):
            rest = (rest + more).lstrip(b"\0")
        if rest.startswith(self._signatures):
            self._stream, self._rest = self._new(), rest
            return True
        while self._taken():
            pass
        return False


class FileRange:
    """A part of a file, which may be read at other places between calls."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self._file, self._place, self._stop = file, start, start + size

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes; raise an EOFError if the file ends before."""
        most = min(most, self._stop - self._place)
        if most <= 0:
            return b""
        self._file.seek(self._place)
        data = self._file.read(most)
        if not data:
            raise EOFError
        self._place += len(data)
        return data


class Metered:
    """A stream that is read forward and charges its bytes, including those skipped.

    Attributes:
        place: How many of its bytes were read or skipped.
    """

    def __init__(self, source: Readable, unpacked: Allowance) -> None:
        self._source, self._unpacked, self.place = source, unpacked, 0

    def read(self, most: int, /) -> bytes:
        """Return up to ``most`` of the next bytes; raise an ExhaustedError beyond the budget."""
        data = self._source.read(min(most, self._unpacked.left + 1))
        self.place += len(data)
        self._unpacked.take(len(data))
        return data

    def skip(self, count: int) -> None:
        """Skip bytes; raise an EOFError if there are fewer, or an ExhaustedError."""
        self._unpacked.require(count)
        while count:
            data = self.read(min(count, _CHUNK))
            if not data:
                raise EOFError
            count -= len(data)


# Likely encodings of names that are not UTF-8: those of DOS and Windows.
DOS_GUESSES: Final = ("cp437", "cp1252", "cp850")
UNIX_GUESSES: Final = ("cp1252", "cp850")


def _nothing() -> Readable:
    raise DamagedError("it has no content")


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an archive; its content must be read before the next one is requested.

    Attributes:
        name: As written in the archive, decoded.
        size: Unpacked size in bytes as declared; 0 if not declared.
        obstacle: Why it cannot be read, as in "is encrypted"; empty if it can.
        is_folder: It is a folder, without content.
        packed: Packed size in bytes; 0 if not declared.
        open: Opens a stream of its unpacked bytes.
        link: Name of an earlier member, of which it is another name; else empty.
    """

    name: str
    size: int = 0
    obstacle: str = ""
    is_folder: bool = False
    packed: int = 0
    open: Callable[[], Readable] = _nothing
    link: str = ""


def peeked(member: Member, most: int) -> tuple[bytes, Member]:
    """Return the first bytes of a member, and the member with these still to be read."""
    source = member.open()
    head = read_most(source, most)
    return head, replace(member, open=lambda: Again(head, source))


def decoded(name: bytes, guesses: tuple[str, ...], rest: str = "cp437") -> str:
    """Decode a name as UTF-8, else by the first guess of Latin letters, else as ``rest``."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        guessed = (_latin(name, guess) for guess in guesses)
        return next(filter(None, guessed), "") or name.decode(rest, "replace")


def _latin(name: bytes, encoding: str) -> str:
    """Decode a name if all of its non-ASCII characters become Latin letters; else return empty."""
    try:
        text = name.decode(encoding)
    except UnicodeDecodeError:
        return ""
    letters = (unicodedata.name(letter, "") for letter in text if not letter.isascii())
    # A capital amid small letters comes of a wrong guess.
    is_odd = any(a.islower() and b.isupper() and not b.isascii() for a, b in pairwise(text))
    return "" if is_odd or not all(each.startswith("LATIN ") for each in letters) else text


# The other encodings in which Windows writes names, and the share of letters in names.
_OTHERS: Final = (
    *("big5hkscs", "cp932", "cp949", "gb18030", "cp720", "cp737", "cp852", "cp857", "cp862"),
    *("cp866", "cp874", "cp1250", "cp1251", "cp1253", "cp1255", "cp1256"),
)
_LEAST_LETTERS: Final = 0.9


def _guesses_of(names: Iterable[bytes]) -> tuple[tuple[str, ...], str]:
    """Return the guesses and the rest by which ``decoded`` reads the names of a zip file.

    One machine wrote them, so one encoding that makes letters of all goes before a guess for each.
    """
    foreign = [name for name in names if name.decode("utf-8", "ignore").encode() != name]
    sample = b"\n".join(foreign)
    latin = sum(any(_latin(name, each) for each in DOS_GUESSES) for name in foreign)
    shared = next((each for each in DOS_GUESSES if _latin(sample, each)), "")
    if not shared and 3 * latin < 2 * len(foreign):
        shared = guessed_encoding(sample, _OTHERS)
    text = sample.decode(shared or "cp437", "replace")
    kinds = [unicodedata.category(each)[0] for each in text if not each.isascii()]
    is_sure = shared and sum(map("LM".count, kinds)) >= _LEAST_LETTERS * len(kinds)
    return ((), shared) if is_sure else (DOS_GUESSES, "cp437")


# --- zip files -----------------------------------------------------------------------------------

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
# Flag bits: encrypted, by the old method or a strong one; a patch to another file; in the upper
# half, a name in UTF-8.
_ENCRYPTED: Final = 0x0001 | 0x0040
_PATCH: Final = 0x0020
_UTF_8: Final = 0x08
_METHODS: Final = frozenset(
    {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA}
)
# The extra fields with a name in UTF-8, and with sizes beyond four bytes. Later versions of zipfile
# refuse all records for a damaged name, so it is hidden as a field of another kind.
_UNICODE_PATH: Final = 0x7075
_HIDDEN_PATH: Final = 0xFFFE
_ZIP_64: Final = 0x0001
_WIDE: Final = 0xFFFF_FFFF


class _Directory:
    """A zip file whose directory is refused if it has far more members than allowed.

    So it is if a record has much extra, as zipfile's time grows with the square of that. What makes
    zipfile refuse all records for one, and unzip none, is changed in the record.
    """

    def __init__(self, file: BinaryIO, members: Allowance) -> None:
        self._members = members
        self.seek, self.tell, self._read = file.seek, file.tell, file.read

    def read(self, most: int = -1, /) -> bytes:
        if most > max(options.LEAST_DIRECTORY, options.DIRECTORY_BYTES * self._members.left):
            self._members.require(self._members.left + 1)
        data = bytearray(self._read(most))
        place = 0 if data.startswith(_RECORD_MARK) else len(data)
        while place + _RECORD_SIZE <= len(data):
            name, extra, comment = _LENGTHS.unpack_from(data, place + _LENGTHS_AT)
            if extra > options.LONGEST_EXTRA:
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
    source = cast("IO[bytes]", _Directory(file, budget.members))
    try:
        # Latin-1 keeps the bytes of names.
        with zipfile.ZipFile(source, metadata_encoding="latin-1") as archive:
            records = archive.infolist()
    except zipfile.BadZipFile as error:
        raise DamagedError(_INVALID) from error
    overlapping = _overlapping(records)
    names = [_name_of(record) for record in records]
    guesses = _guesses_of(names)
    for number, record in enumerate(records):
        name = decoded(names[number], *guesses)
        yield Member(
            name,
            record.file_size,
            _obstacle(record, overlaps=number in overlapping),
            name.endswith(("/", "\\")) and not record.file_size,
            packed=record.compress_size,
            open=partial(_content, file, record, budget),
        )


def _name_of(record: zipfile.ZipInfo) -> bytes:
    """Return a name, or the UTF-8 name added to it if its checksum matches."""
    name = record.orig_filename.encode("latin-1")
    head = b"\1" + zlib.crc32(name).to_bytes(4, "little")
    place = 0
    while place + _FIELD.size < len(record.extra):
        kind, length = _FIELD.unpack_from(record.extra, place)
        field = record.extra[place + 4 : place + 4 + length]
        place += 4 + length
        if kind == _HIDDEN_PATH and field.startswith(head) and len(field) > len(head):
            return field[len(head) :]
    return name


def _obstacle(record: zipfile.ZipInfo, *, overlaps: bool) -> str:
    if record.flag_bits & _ENCRYPTED:
        return Reason.ENCRYPTED.message()
    if overlaps:
        return Reason.OVERLAPS.message()
    if record.compress_type not in _METHODS or record.flag_bits & _PATCH:
        return Reason.METHOD.message()
    # Programs that know no modes unpack any entry as a file, so a longer one is read.
    is_link = (
        stat.S_ISLNK(record.external_attr >> 16) and record.file_size <= options.LONGEST_TARGET
    )
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
    """Open a member; unlike ``ZipFile.open``, whatever name its own header says."""
    file.seek(record.header_offset)
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size or not header.startswith(b"PK\3\4"):
        raise DamagedError("it is not at the offset that the archive gives")
    # The lengths of name and extra field in the local header count, not those in the directory.
    file.seek(sum(_HEADER.unpack(header)[-2:]), io.SEEK_CUR)
    if record.compress_type != zipfile.ZIP_BZIP2:
        return Metered(zipfile.ZipExtFile(file, "r", record), budget.unpacked)
    # ``ZipExtFile`` unpacks a few bytes of bzip2 to gigabytes at once, and others to some ten MB.
    packed = FileRange(file, file.tell(), record.compress_size)
    return Metered(Unpacked(packed, bz2.BZ2Decompressor), budget.unpacked)


# --- tar files -----------------------------------------------------------------------------------

_INVALID_HEADER: Final = M_("it has an invalid header")

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
        self.left, self.latest = options.LONGEST_TAR_HEADER, b""

    def tell(self) -> int:
        return self._place

    def seek(self, place: int) -> None:
        if place < self._place:
            raise DamagedError(_INVALID_HEADER)
        self._skip(place - self._place)
        self._place = place

    def read(self, count: int) -> bytes:
        self.left -= count
        if self.left < 0:
            raise DamagedError(
                "a header in it has more than %(longest_tar_header)d bytes",
                options.LONGEST_TAR_HEADER,
            )
        self.latest = read_most(self._stream, count)
        self._place += len(self.latest)
        return self.latest


class _TarContent:
    """The bytes of a member."""

    def __init__(self, archive: tarfile.TarFile, info: tarfile.TarInfo) -> None:
        self._file = archive.extractfile(info) or io.BytesIO()

    def read(self, most: int, /) -> bytes:
        try:
            return self._file.read(min(most, _CHUNK))
        except tarfile.ReadError as error:
            raise EOFError from error


def _tar_members(
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
            member = _member(info, partial(_opened, archive, info, budget if charges else None))
            yield member if is_metered else replace(member, packed=member.size)
        source.left = options.LONGEST_TAR_HEADER
        archive.members.clear()  # type: ignore[attr-defined]  # a million would take much memory
    _require_end(source)


def plain_tar_members(_name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of a tar file that is not compressed: bytes that are skipped are free."""
    return _tar_members(file, lambda count: file.seek(count, io.SEEK_CUR), budget, is_metered=False)


def compressed_members(
    form: ArchiveFormat, name: str, file: Readable, budget: Budget
) -> Iterator[Member]:
    """Return the members of a compressed file: a tar file, or a single other one."""
    stream = Metered(Unpacked(file, _DECOMPRESSORS[form], form.signatures), budget.unpacked)
    head = read_most(stream, signatures.HEAD_SIZE)
    inner, whole = signatures.unpacked_name(PurePosixPath(name).name), Again(head, stream)
    if format_of(inner, head) is signatures.TAR:
        return _tar_members(whole, stream.skip, budget, is_metered=True)
    return iter([Member(inner, open=lambda: whole)])


def _opened(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget | None) -> Readable:
    content = _TarContent(archive, info)
    return content if budget is None else Metered(content, budget.unpacked)


def _member(info: tarfile.TarInfo, content: Callable[[], Readable]) -> Member:
    if info.size < 0:
        raise DamagedError("a file in it has a negative size")
    if info.sparse is not None and len(info.sparse) > options.MOST_SPARSE_PARTS:
        raise DamagedError(_INVALID_HEADER)
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
    if 0 < len(source.latest) < tarfile.BLOCKSIZE:
        raise EOFError
    if source.latest.strip(b"\0"):
        raise DamagedError(_INVALID_HEADER)
    source.left = sys.maxsize
    while data := source.read(_CHUNK):
        if data.strip(b"\0"):
            raise DamagedError("more data follows its end")
