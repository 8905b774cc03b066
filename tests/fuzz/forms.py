"""Archives made from records, which say of their members what the records say."""

import bz2
import lzma
import struct
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Final

from tests.archives import RawMember, raw_tar, raw_zip, tar_header
from tests.fuzz.inputs import chosen, parted, records, written

# More than the limits allow, and few enough that making the archive takes no time.
_MOST_MEMBERS: Final = 500

# What is said of a member of a zip file.
_METHODS: Final = (8, 0, 12, 14, 9, 99)
_FLAGS: Final = (0, 0x800, 0x1, 0x2, 0x8, 0x20, 0x40, 0x2000)
_MODES: Final = (0, 0o100644, 0o120777, 0o040755, 0o010644, 0o020644, 0o140777)
_SIZES: Final = (None, 0, 1, 299, 301, 4_001, 60_001, 0xFFFFFFFF)
_OFFSETS: Final = (None, None, None, 0, 30, 0xFFFFFFFF)

# What a member of a tar file is.
_KINDS: Final = tuple(b"0\x001234567gxLKSMVDA")


def zipped(content: bytes) -> bytes:
    """Return a zip file of which each member is said to be what the end of its record says."""
    some = islice(records(content), _MOST_MEMBERS)
    return raw_zip(*(_zip_member(name, *parted(rest, 5)) for name, rest in some))


def _zip_member(name: bytes, content: bytes, about: tuple[int, ...]) -> RawMember:
    method, flags, mode, size, offset = about
    return RawMember(
        name=name[:5000],
        content=content,
        flags=chosen(_FLAGS, flags),
        method=chosen(_METHODS, method),
        mode=chosen(_MODES, mode),
        size=chosen(_SIZES, size),
        offset=chosen(_OFFSETS, offset),
    )


def tar(content: bytes) -> bytes:
    """Return a tar file of which each member is said to be what the end of its record says."""
    parts = []
    for name, rest in islice(records(content), _MOST_MEMBERS):
        body, (kind, size) = parted(rest, 2)
        said = chosen(_SIZES, size)
        length = len(body) if said is None else said
        parts += [tar_header(name[:100], bytes([chosen(_KINDS, kind)]), length), body]
    return raw_tar(*parts)


def seven_zip(content: bytes) -> bytes:
    """Return a 7z file with right checksums, of what is packed and of the list of members.

    The last byte is the start of the list.
    """
    both, (size,) = parted(content, 1)
    packed, about = both[:size], both[size:]
    start = struct.pack("<QQL", len(packed), len(about), zlib.crc32(about))
    magic = b"7z\xbc\xaf\x27\x1c\0\4"
    return magic + struct.pack("<L", zlib.crc32(start)) + start + packed + about


def seven_contents() -> Iterator[bytes]:
    """Yield what makes honest 7z files, each packed in another way."""
    texts = b"x = 1\n" * 3, b"y = 2\n" * 9
    whole = b"".join(texts)
    packer: list[dict[str, int]] = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 18}]
    small = lzma.compress(whole, lzma.FORMAT_RAW, filters=packer)
    for packed, coders, count in (
        (whole, b"\1\1\0", 1),
        (bz2.compress(whole), b"\1\3\4\2\2", 1),
        (small, b"\1\x21\x21\1\x0c", 1),
        (small, b"\2\x21\x21\1\x0c\4\3\3\1\3\1\0", 2),
        (whole, b"\1\x24\6\xf1\7\1\1\0", 1),
    ):
        about = _streams(len(packed), coders, bytes([len(whole)]) * count)
        sums = struct.pack("<2L", *map(zlib.crc32, texts))
        names = "a.py\0b/c.py\0".encode("utf-16-le")
        about += b"\x08\x0d\2\x09\x12\x0a\1" + sums + b"\0\0"
        files = b"\5\2\x11" + bytes([len(names) + 1]) + b"\0" + names + b"\0\0"
        listed = b"\1\4" + about + files
        yield written(packed + listed, len(packed))
        again = _streams(len(listed), b"\1\1\0", bytes([len(listed)]), place=len(packed))
        yield written(packed + listed + b"\x17" + again + b"\0", len(packed + listed))


def _streams(size: int, coders: bytes, sizes: bytes, *, place: int = 0) -> bytes:
    """Return what a list says of one stream; numbers below 128 are a byte each."""
    packs = b"\6" + bytes([place]) + b"\1\x09" + bytes([size]) + b"\0"
    return packs + b"\7\x0b\1\0" + coders + b"\x0c" + sizes + b"\0"
