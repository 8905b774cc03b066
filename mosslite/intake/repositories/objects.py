"""Objects of a git repository, read directly from its files and within limits.

A student's repository is hostile: git is not run; configuration, hooks and filters are not read; no
file outside of its folder is opened. Every object is verified by its id. The files of a
repository in an archive are read into memory beforehand (``places``).
"""

import hashlib
import io
import struct
import zlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import PurePath
from typing import BinaryIO, Final, NamedTuple, Self

from dulwich.errors import ApplyDeltaError, ChecksumMismatch, FileFormatException
from dulwich.object_format import SHA1
from dulwich.objects import RawObjectID
from dulwich.pack import UnpackedObject, apply_delta, load_pack_index_file, unpack_object

from mosslite import options
from mosslite.intake.entries import NotReadError, OnDisk, children_of, located, opened
from mosslite.messages import M_, said_by
from mosslite.reasons import Reason

# Exceptions that dulwich and zlib raise on damaged objects.
_DAMAGE: Final = (
    *(ApplyDeltaError, AssertionError, ChecksumMismatch, FileFormatException, LookupError),
    *(NotReadError, OSError, OverflowError, TypeError, ValueError, struct.error, zlib.error),
)

_KINDS: Final = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_BY_DISTANCE, _BY_ID = 6, 7
# Maximum size of an object's header: two numbers, or a number and an id.
_HEAD: Final = 32
_MOST_DIGITS: Final = 9


class MissingObjectError(Exception):
    """An object is missing, damaged, or larger than the limit."""


class SpentError(Exception):
    """A limit per repository is exceeded; the message names it."""


class _OnDisk:
    """Files in a folder on disk, by the components of their paths; of a bundle, by none.

    Links are not followed.
    """

    def __init__(self, folder: OnDisk) -> None:
        self._folder = folder

    def opened(self, *steps: str) -> BinaryIO:
        place = self._place(steps)
        if place.obstacle:
            raise NotReadError(place.obstacle)
        return opened(place)

    def children(self, *steps: str) -> list[tuple[str, bool]]:
        place = self._place(steps)
        if place.obstacle or not place.is_folder:
            return []
        try:
            return [(name, child.is_folder) for name, child in children_of(place)]
        except OSError:
            return []

    def _place(self, steps: tuple[str, ...]) -> OnDisk:
        path = PurePath(self._folder.path, *steps)
        return located(str(path), followed=self._folder.followed) if steps else self._folder


class _InMemory:
    """Files in memory, addressed likewise."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files, self._paths = files, sorted(files)

    def opened(self, *steps: str) -> BinaryIO:
        try:
            return io.BytesIO(self._files["/".join(steps)])
        except KeyError as error:
            raise NotReadError(Reason.MISSING) from error

    def children(self, *steps: str) -> list[tuple[str, bool]]:
        folder = "".join(f"{step}/" for step in steps)
        found = dict[str, bool]()
        for at in range(bisect_left(self._paths, folder), len(self._paths)):
            if not self._paths[at].startswith(folder):
                break
            name, slash, _ = self._paths[at].removeprefix(folder).partition("/")
            found[name] = found.get(name, False) or bool(slash)
        return sorted(found.items())


class _Pack(NamedTuple):
    """An open pack file, and the offset of each object in it."""

    number: int
    file: BinaryIO
    offset_of: Callable[[RawObjectID], int]

    def find(self, name: bytes) -> int | None:
        """Return the offset of an object, or None if the pack does not contain it."""
        try:
            return self.offset_of(RawObjectID(name))
        except _DAMAGE:
            return None


class Objects:
    """The objects of one repository; must be closed."""

    def __init__(self, place: OnDisk | Mapping[str, bytes]) -> None:
        self._own = _OnDisk(place) if isinstance(place, OnDisk) else _InMemory(place)
        self._files = ExitStack()
        self._spent = 0
        self._kept: dict[tuple[int, int], tuple[str, bytes]] = {}
        self._kept_bytes = 0
        self.remarks: dict[str, None] = {}
        self._packs = list[_Pack]()
        self._heads_of_bundle = ""
        is_bundle = not place.is_folder if isinstance(place, OnDisk) else "" in place
        if is_bundle:
            self._open_bundle()
            return
        if self.text("objects", "info", "alternates", most=1):
            self.remark(M_("it points to objects elsewhere (alternates), which are not read"))
        self._open_packs()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._files.close()

    def remark(self, words: str) -> None:
        """Add a remark on what is not read, once."""
        self.remarks[words] = None

    def text(self, *steps: str, most: int = 1 << 20) -> str:
        """Return the text of a small file of the repository; empty if it cannot be read."""
        if steps == ("packed-refs",) and self._heads_of_bundle:
            return self._heads_of_bundle
        try:
            with self._own.opened(*steps) as file:
                return (file.read(most) or b"").decode("utf-8", "replace")
        except (NotReadError, OSError):
            return ""

    def children(self, *steps: str) -> list[tuple[str, bool]]:
        """Return the names in a folder, each with whether it is a folder; empty if unreadable."""
        return self._own.children(*steps)

    def read(self, name: str, kind: str) -> bytes:
        """Return the content of an object.

        Raises:
            MissingObjectError: It is missing, of another kind, damaged or too large.
            SpentError: The limit per repository is exceeded.
        """
        self._spend(0)
        try:
            found, content = self._loose(name) or self._from_packs(name)
        except _DAMAGE as error:
            raise MissingObjectError(name) from error
        if found != kind or _digest(found, content) != name:
            raise MissingObjectError(name)
        return content

    def _loose(self, name: str) -> tuple[str, bytes] | None:
        try:
            with self._own.opened("objects", name[:2], name[2:]) as file:
                packed = file.read(options.LARGEST_OBJECT)
        except NotReadError:
            return None
        raw = zlib.decompressobj().decompress(packed, options.LARGEST_OBJECT + _HEAD)
        self._spend(len(raw))
        head, _, content = raw.partition(b"\0")
        kind, size = head.decode("ascii").split(" ")
        if int(size) != len(content):
            raise ValueError(size)
        return kind, content

    def _from_packs(self, name: str) -> tuple[str, bytes]:
        raw = bytes.fromhex(name)
        for pack in self._packs:
            offset = pack.find(raw)
            if offset is not None:
                return self._unpacked(pack, offset)
        raise LookupError(name)

    def _unpacked(self, pack: _Pack, offset: int) -> tuple[str, bytes]:
        """Return kind and content of the object at an offset, its deltas applied."""
        chain: list[tuple[int, bytes]] = []
        while (found := self._kept.get((pack.number, offset))) is None:
            unpacked, _ = self._unpacked_at(pack.file, offset)
            content = b"".join(unpacked.decomp_chunks)
            if unpacked.pack_type_num in _KINDS:
                found = _KINDS[unpacked.pack_type_num], content
                break
            chain.append((offset, content))
            if len(chain) > options.LONGEST_CHAIN:
                self.remark(M_("objects behind very long chains of deltas are not read"))
                raise LookupError(offset)
            offset = _base_of(pack, offset, unpacked)
        kind, content = found
        for place, delta in reversed(chain):
            _require_small_target(delta)
            content = b"".join(apply_delta(content, delta))
            self._spend(len(content))
            self._kept[pack.number, place] = kind, content
            self._kept_bytes += len(content)
            while self._kept_bytes > options.MOST_BASE_BYTES:
                oldest = next(iter(self._kept))
                self._kept_bytes -= len(self._kept.pop(oldest)[1])
        return kind, content

    def _unpacked_at(self, file: BinaryIO, offset: int) -> tuple[UnpackedObject, int]:
        """Return the object at an offset as it is packed, and the offset of its end."""
        file.seek(offset)
        _require_small(file.read(_HEAD))
        file.seek(offset)
        unpacked, unused = unpack_object(file.read, partial(hashlib.sha1, usedforsecurity=False))
        self._spend(sum(map(len, unpacked.decomp_chunks)))
        return unpacked, file.tell() - len(unused)

    def _spend(self, count: int) -> None:
        self._spent += count
        if self._spent > options.MOST_OBJECT_BYTES:
            most = options.MOST_OBJECT_BYTES >> 20
            raise SpentError(M_("no more than %(most)s MiB of its objects are read", most))

    def _open_bundle(self) -> None:
        """Open a bundle: lines of prerequisites and refs, then a pack without an index."""
        try:
            file = self._files.enter_context(self._own.opened())
            head, end, _ = file.read(options.LARGEST_BUNDLE_HEAD).partition(b"\n\n")
            if not end or not head.startswith((b"# v2 git bundle", b"# v3 git bundle")):
                raise ValueError(head[:_HEAD])
            lines = head.decode("utf-8", "replace").split("\n")[1:]
            if any(line.startswith("-") for line in lines):
                self.remark(M_("it is a bundle that needs commits that are not in it"))
            self._heads_of_bundle = "\n".join(line for line in lines if line[:1] not in "-@")
            self._index_bundle(file, len(head) + len(end))
        except _DAMAGE:
            self.remark(M_("it is a bundle that is damaged or cut"))
        except SpentError as error:
            self.remark(said_by(error))

    def _index_bundle(self, file: BinaryIO, start: int) -> None:
        """Determine the offset and id of each object in a pack."""
        file.seek(start)
        mark, version, count = struct.unpack(">4sLL", file.read(12))
        if mark != b"PACK" or version not in (2, 3) or count > options.MOST_OBJECTS:
            raise ValueError(count)
        known = dict[bytes, int]()
        self._packs.append(_Pack(0, file, known.__getitem__))
        # The base of a delta can come later in the pack: deltas wait for its offset or its id.
        offset, ready, waiting = start + 12, list[int](), defaultdict[int | bytes, list[int]](list)
        for _ in range(count):
            unpacked, stop = self._unpacked_at(file, offset)
            base = unpacked.delta_base
            if base is None:
                ready.append(offset)
            else:
                waiting[offset - base if isinstance(base, int) else bytes(base)].append(offset)
            offset = stop
        while ready:
            offset = ready.pop()
            name = self._id_of_object(offset)
            if name is not None:
                known[name] = offset
                ready += waiting.pop(offset, []) + waiting.pop(name, [])

    def _id_of_object(self, offset: int) -> bytes | None:
        """Return the id of the object at an offset of a bundle; None if it is damaged."""
        try:
            kind, content = self._unpacked(self._packs[0], offset)
        except _DAMAGE:
            return None
        return bytes.fromhex(_digest(kind, content))

    def _open_packs(self) -> None:
        found = [each for each in self.children("objects", "pack") if each[0].endswith(".idx")]
        if len(found) > options.MOST_PACKS:
            self.remark(M_("no more than %(most_packs)s of its packs are read", options.MOST_PACKS))
        for name, _ in found[: options.MOST_PACKS]:
            try:
                self._open_pack(name)
            except _DAMAGE:
                self.remark(M_("a damaged pack is not read"))

    def _open_pack(self, name: str) -> None:
        with self._own.opened("objects", "pack", name) as file:
            content = file.read(options.LARGEST_INDEX + 1)
        if len(content) > options.LARGEST_INDEX:
            self.remark(
                M_("a pack of more than %(most_objects)d objects is not read", options.MOST_OBJECTS)
            )
            return
        with io.BytesIO(content) as whole:
            index = load_pack_index_file(name, whole, SHA1)
        index.check()
        pack = self._own.opened("objects", "pack", name.removesuffix(".idx") + ".pack")
        stream = self._files.enter_context(pack)
        self._packs.append(_Pack(len(self._packs), stream, index.object_offset))


def _digest(kind: str, content: bytes) -> str:
    """Return the id of an object with this content."""
    head = f"{kind} {len(content)}\0".encode()
    return hashlib.sha1(head + content, usedforsecurity=False).hexdigest()


def _base_of(pack: _Pack, offset: int, unpacked: UnpackedObject) -> int:
    """Return the offset of a delta's base; it must be in the same pack."""
    base = unpacked.delta_base
    if isinstance(base, int):
        return offset - base
    found = pack.find(bytes(base or b""))
    if found is None:
        raise LookupError(base)
    return found


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Parse a number in groups of seven bits, lowest first; return it and the offset behind it."""
    value = 0
    for place in range(_MOST_DIGITS):
        value |= (data[at + place] & 0x7F) << (7 * place)
        if data[at + place] < 0x80:
            return value, at + place + 1
    raise ValueError(data[at : at + _MOST_DIGITS])


def _require_small(head: bytes) -> None:
    """Refuse, before unpacking, an object header that declares a large size or has no end."""
    number, behind = _number(head, 0)
    size = (number & 0xF) | (number >> 7) << 4
    kind = (head[0] >> 4) & 7
    if size > options.LARGEST_OBJECT or not (kind in _KINDS or kind in (_BY_DISTANCE, _BY_ID)):
        raise ValueError(size)
    if kind == _BY_DISTANCE:
        _number(head, behind)


def _require_small_target(delta: bytes) -> None:
    """Refuse a delta that declares a large result: few bytes can expand to many."""
    _, at = _number(delta, 0)
    size, _ = _number(delta, at)
    if size > options.LARGEST_OBJECT:
        raise ValueError(size)
