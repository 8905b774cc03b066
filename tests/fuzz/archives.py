"""Archives: any bytes, and archives that say what no honest program would write."""

import bz2
import gzip
import lzma
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from mosslite.intake.archives.expand import archive_entries, batch_entries, is_archive
from mosslite.intake.entries import Entry
from mosslite.intake.ignoring import usual_rule
from mosslite.options import Limits
from tests.archives import RawMember, pax_records, raw_tar, raw_zip, tar_header, tar_of, zip_of
from tests.fuzz.forms import seven_contents, seven_zip, tar, zipped
from tests.fuzz.inputs import chosen, joined, parted, written
from tests.fuzz.running import fuzz

_LIMITS: Final = (
    Limits(file=4_000, unpacked=60_000, members=50, depth=3),
    Limits(file=300, unpacked=2_000, members=20, depth=2),
    Limits(file=1 << 22, unpacked=1 << 24, members=10_000, depth=1),
)
_NAMES: Final = ("a.zip", "a.tar", "a.tar.gz", "a.7z", "hand in", "a.docx")


def TestOneInput(data: bytes) -> None:  # noqa: N802 - as libFuzzer calls it
    """Require of whatever is read names of their own, reasons of one line, and no more than may be.

    The numbers: how the archive is made, how it is packed, its name, and the limits.
    """
    content, (form, packing, name, limits) = parted(data, 4)
    archive = chosen(_PACKINGS, packing)(chosen(_FORMS, form)(content))
    _check(archive, chosen(_NAMES, name), chosen(_LIMITS, limits))


def _check(content: bytes, name: str, limits: Limits) -> None:
    archive = Entry(f"hw/{name}", name, content)
    entries = archive_entries(archive, limits, usual_rule)
    _check_entries(entries, content, name, limits)
    assert len([entry for entry in entries if "/" in entry.name]) <= limits.members
    # Whose a file is a name tells in any way: here all of one letter are of one student.
    entries = batch_entries(archive, limits, usual_rule, lambda some: [e.name[-4:-3] for e in some])
    _check_entries(entries, content, name, limits)
    assert len([entry for entry in entries if not entry.obstacle]) <= limits.members


def _check_entries(entries: Sequence[Entry], content: bytes, name: str, limits: Limits) -> None:
    assert entries
    assert [entry.name for entry in entries] == sorted({entry.name for entry in entries})
    if not is_archive(name, content):
        assert [entry.obstacle for entry in entries] == ["is not an archive"]
    total = 0
    for entry in entries:
        assert isinstance(entry.content, bytes)
        assert entry.is_ignored or entry.path == f"hw/{entry.name}"
        assert entry.name == name or entry.name.startswith(f"{name}/")
        assert not (entry.obstacle and entry.content)
        assert len(f"{entry.name} {entry.obstacle}".splitlines()) == 1
        assert entry.obstacle or ".." not in entry.name.split("/")
        assert len(entry.content) <= limits.file
        assert bool(entry.limit) == ("(--max-" in entry.obstacle)
        total += len(entry.content)
    assert total <= limits.unpacked


def _as_is(content: bytes) -> bytes:
    return content


def _in_a_zip(content: bytes) -> bytes:
    return zip_of({"inner.zip": content, "b/a.py": b"x = 1\n"})


def _in_three(content: bytes) -> bytes:
    return _in_a_zip(gzip.compress(_in_a_zip(content), mtime=0))


_FORMS: Final[tuple[Callable[[bytes], bytes], ...]] = (_as_is, zipped, tar, seven_zip)
_PACKINGS: Final[tuple[Callable[[bytes], bytes], ...]] = (
    *(_as_is, _as_is, _as_is, _in_a_zip, _in_three),
    *(lambda content: gzip.compress(content, mtime=0), bz2.compress, lzma.compress),
)


def seeds() -> Iterator[bytes]:
    """Yield archives of all kinds, honest and not."""
    files = {"main.py": b"print(1)\n" * 20, "src/a.py": b"a", "src/b.zip": zip_of({"c.py": b"c"})}
    for archive in (zip_of(files), tar_of(files)):
        for packing in range(len(_PACKINGS)):
            yield written(archive, 0, packing, 0, packing)
    for archive in _oddities():
        for limits in range(len(_LIMITS)):
            yield written(archive, 0, 0, 1, limits)
    names = [b"a.py", b"../a", b"/a", b"C:\\a", b"a/", b"\xff", b".git/a", b"a.py", b"n\n", b""]
    for number in range(8):
        about = bytes([number] * 5)
        content = joined((name, b"x = 1\n" + about) for name in names)
        yield written(content, 1, 0, 0, 0)
        yield written(content, 2, number, 1, 0)
    for content in seven_contents():
        yield written(content, 3, 0, 3, 0)


def _oddities() -> Iterator[bytes]:
    """Yield archives that few programs write."""
    small = tar_of({"a": b"a"})
    yield gzip.compress(small[:700], mtime=0) + gzip.compress(small[700:], mtime=0)
    yield bz2.compress(small[:700]) + bz2.compress(small[700:])
    yield lzma.compress(small[:700]) + bytes(4) + lzma.compress(small[700:])
    yield gzip.compress(b"print(1)\n", mtime=0)
    yield tar_of({str(number): b"" for number in range(60)})
    yield zip_of({str(number): bytes(300) for number in range(60)})
    yield zip_of({"a.zip": zip_of({"b.zip": zip_of({"c.zip": zip_of({"d.py": b"d"})})})})
    yield zip_of({"a": bytes(100_000)}, zipfile.ZIP_LZMA)
    yield zip_of({"a": b"abc"}, zipfile.ZIP_BZIP2)
    yield zip_of({})
    large = b"\1\0\x10\0" + (3).to_bytes(8, "little") * 2
    yield raw_zip(RawMember(b"a", b"abc", size=0xFFFFFFFF, extra=large, method=0))
    yield raw_zip(RawMember(b"a", b"abc"), end=b"PK\6\7" + bytes(16) + b"PK\5\6" + b"\xff" * 18)
    yield raw_tar(tar_header(b"a", b"x", 50), pax_records({b"path": b"b/c"}))
    yield raw_tar(tar_header(b"a", b"x", 50), pax_records({b"GNU.sparse.major": b"1"}))
    yield raw_tar(tar_header(b"a", b"L", 5), b"long\0", tar_header(b"a", b"0", 1), b"a")
    yield b"7z\xbc\xaf\x27\x1c\0\4" + bytes(24)
    yield b"Rar!\x1a\x07\1\0"


if __name__ == "__main__":
    sys.exit(fuzz("archives", sys.argv[1:]))
