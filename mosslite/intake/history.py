"""Git repositories: their objects, commits in topological order, and the files of each.

A student's repository is hostile: git is not run; configuration, hooks and filters are not read; no
file outside of its folder is opened. All is read from its files and within limits, and every object
is verified by its id. The files of a repository in an archive are read into memory beforehand
(``repositories``).
"""

import hashlib
import heapq
import io
import re
import struct
import zlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from graphlib import TopologicalSorter
from pathlib import PurePath
from typing import BinaryIO, Final, NamedTuple, Self

from dulwich.errors import ApplyDeltaError, ChecksumMismatch, FileFormatException
from dulwich.object_format import SHA1
from dulwich.objects import RawObjectID, parse_tree
from dulwich.pack import UnpackedObject, apply_delta, load_pack_index_file, unpack_object

from mosslite import options
from mosslite.display import iso_of, seconds_between
from mosslite.intake.entries import NotReadError, OnDisk, children_of, located, opened
from mosslite.messages import M_
from mosslite.reasons import Reason
from mosslite.records.results import Commit, RepositoryPlace, RepositorySummary

# --- objects -------------------------------------------------------------------------------------

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
# What is remarked on if an object of a kind cannot be read; any id may turn out to be no tag's.
_NOT_READ: Final = {
    "commit": M_("commits that are missing or damaged are not read"),
    "tree": M_("folders that are missing or damaged are not read"),
    "blob": M_("files that are missing, damaged or large are not read"),
}


class _SpentError(Exception):
    """The limit of a repository is exceeded."""


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

    def read(self, name: str, kind: str) -> bytes | None:
        """Return the content of an object; None with a remark if it cannot be read.

        It is missing, of another kind, damaged or too large, or too much was read before.
        """
        content = None
        with suppress(_SpentError):
            self._spend(0)
            with suppress(*_DAMAGE):
                found, content = self._loose(name) or self._from_packs(name)
                if found != kind or _digest(found, content) != name:
                    content = None
            if content is None and kind in _NOT_READ:
                self.remark(_NOT_READ[kind])
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
        raw = RawObjectID(bytes.fromhex(name))
        for pack in self._packs:
            with suppress(*_DAMAGE):
                return self._unpacked(pack, pack.offset_of(raw))
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
            base = unpacked.delta_base or b""  # it must be in the same pack
            offset = offset - base if isinstance(base, int) else pack.offset_of(RawObjectID(base))
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

    @property
    def is_spent(self) -> bool:
        """Whether more was read than one repository may take."""
        return self._spent > options.MOST_OBJECT_BYTES

    def _spend(self, count: int) -> None:
        self._spent += count
        if self.is_spent:
            most = options.MOST_OBJECT_BYTES >> 20
            self.remark(M_("no more than %(most)s MiB of its objects are read", most))
            raise _SpentError

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
        except _SpentError:
            return

    def _index_bundle(self, file: BinaryIO, start: int) -> None:
        """Determine the offset and id of each object in a pack."""
        file.seek(start)
        mark, version, count = struct.unpack(">4sLL", file.read(12))
        if mark != b"PACK" or version not in (2, 3) or count > options.MOST_OBJECTS:
            raise ValueError(count)
        known = dict[bytes, int]()
        pack = _Pack(0, file, known.__getitem__)
        self._packs.append(pack)
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
            with suppress(*_DAMAGE):
                name = bytes.fromhex(_digest(*self._unpacked(pack, offset)))
                known[name] = offset
                ready += waiting.pop(offset, []) + waiting.pop(name, [])

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


# --- commits -------------------------------------------------------------------------------------

_LONGEST_LINE: Final = 200

_ID: Final = re.compile(r"[0-9a-f]{40}")
_SHA_256: Final = re.compile(r"\b[0-9a-f]{64}\b")
_PERSON: Final = re.compile(r"(?P<who>.*?)[ ]*(?P<seconds>-?[0-9]{1,15})[ ](?P<zone>[^ ]*)")
_FOLDER, _FILE, _KIND = 0o040000, 0o100000, 0o170000
_NO_FILES: Final = {
    0o120000: M_("symbolic links are not read"),
    0o160000: M_("submodules are not read"),
}
_BRANCH: Final = "ref: "
# Places where git looks up the name of a branch or tag; and the usual default branches.
_REFS: Final = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}")
_USUAL: Final = ("main", "master", "origin/HEAD", "origin/main", "origin/master")
_MOST_SYMBOLIC: Final = 5
# Shortest prefix of an id that names a commit.
_LEAST_DIGITS: Final = 7
# Date of git's first version; earlier dates are false.
_GIT: Final = "2005-04-07T00:00:00+00:00"


class FileVersion(NamedTuple):
    """A file in a commit."""

    path: str
    blob: str


@dataclass(frozen=True, slots=True)
class _Node:
    """A commit with the data needed to walk its history."""

    commit: Commit
    tree: str
    parents: tuple[str, ...]
    seconds: int


class PackedFiles(NamedTuple):
    """The files of a repository in an archive, by path; a bundle has the empty path.

    Attributes:
        remarks: Files that were not read, in words.
    """

    files: dict[str, bytes]
    remarks: tuple[str, ...] = ()


class History:
    """The commits of a repository, parents before children; must be closed.

    Attributes:
        nodes: The commits that were read, in topological order.
        parents: Numbers of each commit's parents that were read.
        is_cut: For each commit, whether a parent was not read.
    """

    def __init__(self, place: RepositoryPlace, packed: PackedFiles | None = None) -> None:
        """Read the commits, but no files; ``packed`` are the repository's files from an archive."""
        on_disk = located(place.path, followed=place.followed)
        self._objects = Objects(on_disk if packed is None else packed.files)
        self.remarks = self._objects.remarks
        self.remarks |= dict.fromkeys(packed.remarks if packed else ())
        self._trees: dict[tuple[str, int], tuple[FileVersion, ...]] = {}
        self._folders = 0
        self._listed = 0
        self._is_spent = False
        if self._objects.text("shallow"):
            self._objects.remark(M_("it is a shallow clone: older commits are not in it"))
        self._refs = self._read_refs()
        found = self._reachable()
        self.nodes = _in_order(found)
        self._numbers = {node.commit.id: number for number, node in enumerate(self.nodes)}
        known = self._numbers
        self.parents = [[known[p] for p in n.parents if p in known] for n in self.nodes]
        self.is_cut = [any(p not in known for p in node.parents) for node in self.nodes]
        self._remark_dates()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._objects.__exit__()

    @property
    def summary(self) -> RepositorySummary:
        """Return the properties of the repository as a whole."""
        commits = [node.commit for node in self.nodes]
        return RepositorySummary(
            commits=len(commits),
            authors=len({each.author for each in commits}),
            first=commits[0] if commits else None,
            last=commits[-1] if commits else None,
            remarks=tuple(self.remarks),
        )

    def find(self, revision: str = "HEAD") -> int | None:
        """Return the number of the commit named by a branch, tag or id; None if it was not read.

        Without a HEAD that leads to a commit, as in many bundles, the default is a usual default
        branch, or else the last commit.
        """
        names = (revision, *_USUAL) if revision == "HEAD" else (revision,)
        for name in names:
            for pattern in _REFS:
                id_of = self._resolved(pattern.format(name))
                if id_of in self._numbers:
                    return self._numbers[id_of]
        if revision == "HEAD":
            return len(self.nodes) - 1 if self.nodes else None
        begins = [n for id_of, n in self._numbers.items() if id_of.startswith(revision.lower())]
        return begins[0] if len(begins) == 1 and len(revision) >= _LEAST_DIGITS else None

    def _resolved(self, ref: str) -> str:
        """Return the id of the commit that a ref leads to; empty if there is none."""
        for _ in range(_MOST_SYMBOLIC):
            target = self._refs.get(ref, "")
            if not target.startswith(_BRANCH):
                return self._peeled(target) if target else ""
            ref = target.removeprefix(_BRANCH)
        return ""

    def files(self, number: int, is_wanted: Callable[[str], bool]) -> tuple[FileVersion, ...]:
        """Return the wanted files of a commit; ``is_wanted`` must be the same in every call."""
        found = () if self._is_spent else self._files(self.nodes[number].tree, 0, is_wanted)
        self._is_spent |= self._objects.is_spent
        return () if self._is_spent else found

    def blob(self, name: str) -> bytes | None:
        """Return the content of a file, or None if it cannot be read."""
        return self._objects.read(name, "blob")

    def _files(
        self, tree: str, depth: int, is_wanted: Callable[[str], bool]
    ) -> tuple[FileVersion, ...]:
        key = tree, depth
        if key in self._trees:
            return self._trees[key]
        found: list[FileVersion] = []
        for name, mode, child in self._entries(tree):
            kind, deepest = mode & _KIND, options.DEEPEST_COMMITTED
            if kind == _FILE and is_wanted(name):
                found.append(FileVersion(name, child))
            elif kind in _NO_FILES:
                self._objects.remark(_NO_FILES[kind])
            elif kind == _FOLDER and depth == deepest:
                self._objects.remark(M_("folders deeper than %(deepest)s are not read", deepest))
            elif kind == _FOLDER:
                inside = self._files(child, depth + 1, is_wanted)
                found += [FileVersion(f"{name}/{path}", blob) for path, blob in inside]
            if len(found) >= (most := options.MOST_COMMIT_FILES):
                self._objects.remark(M_("no more than %(most)d files of a commit are read", most))
                del found[most:]
                break
        self._listed += len(found)
        if self._listed > (most := options.MOST_COMMITTED_FILES):
            self._give_up(M_("no more than %(most)d files of all its commits are read", most))
        self._trees[key] = tuple(found)
        return self._trees[key]

    def _give_up(self, why: str) -> None:
        """List no more files."""
        self._is_spent = True
        self._objects.remark(why)

    def _entries(self, tree: str) -> list[tuple[str, int, str]]:
        self._folders += 1
        if self._folders > (most := options.MOST_COMMIT_FOLDERS):
            self._give_up(M_("no more than %(most)d of its folders are read", most))
        content = None if self._is_spent else self._objects.read(tree, "tree")
        try:
            parsed = list(parse_tree(content or b"", 20))
        except (FileFormatException, ValueError):
            self._objects.remark(_NOT_READ["tree"])
            return []
        return [
            (name.decode("utf-8", "replace"), mode, child.decode("ascii"))
            for name, mode, child in parsed
        ]

    def _reachable(self) -> dict[str, _Node]:
        """Read all commits reachable from branches and tags, the newest first."""
        waiting, found = list[tuple[int, str, _Node]](), dict[str, _Node]()
        seen = set[str]()
        for name in self._heads():
            self._queue(name, seen, waiting)
        while waiting and len(found) < options.MOST_COMMITS:
            _, name, node = heapq.heappop(waiting)
            found[name] = node
            for parent in node.parents:
                self._queue(parent, seen, waiting)
        if waiting:
            remark = M_(
                "only the newest %(most_commits)d commits are read: what is found "
                "first there may be older",
                options.MOST_COMMITS,
            )
            self._objects.remark(remark)
        return found

    def _queue(self, name: str, seen: set[str], waiting: list[tuple[int, str, _Node]]) -> None:
        if name in seen or len(seen) > 2 * options.MOST_COMMITS:
            return
        seen.add(name)
        content = self._objects.read(name, "commit")
        if content is not None:
            try:
                node = _parsed(name, content)
            except ValueError:
                self._objects.remark(_NOT_READ["commit"])
            else:
                heapq.heappush(waiting, (-node.seconds, name, node))

    def _heads(self) -> list[str]:
        """Return the distinct ids of branches, tags and HEAD."""
        if self._objects.children("reftable"):
            self._objects.remark(M_("its branches are in a reftable, which is not read"))
        if any(_SHA_256.search(target) for target in self._refs.values()):
            self._objects.remark(M_("its ids are of SHA-256, which is not read"))
        ids = {target for target in self._refs.values() if _ID.fullmatch(target)}
        names = sorted({self._peeled(each) for each in ids})
        if not names:
            self._objects.remark(M_("it has no commit that can be read"))
        return names[: options.MOST_REFS]

    def _read_refs(self) -> dict[str, str]:
        """Return the value of each branch, tag and HEAD: an id, or the name of another ref."""
        lines = [line.partition(" ") for line in self._objects.text("packed-refs").splitlines()]
        refs = {name.strip(): target for target, _, name in lines if name and target != "#"}
        for kind in ("heads", "remotes", "tags"):
            refs |= self._loose_refs("refs", kind)
        head = self._objects.text("HEAD", most=options.LONGEST_REF).strip()
        return {**refs, "HEAD": head} if head else refs

    def _peeled(self, name: str) -> str:
        """Return the commit that an annotated tag points to; any other id unchanged."""
        content = self._objects.read(name, "tag") or b""
        line = content.partition(b"\n")[0].decode("ascii", "replace")
        target = line.removeprefix("object ")
        return target if _ID.fullmatch(target) else name

    def _loose_refs(self, *steps: str) -> dict[str, str]:
        """Return the values of all refs below a folder, limited in number and size."""
        found = dict[str, str]()
        waiting = [((*steps, name), inner) for name, inner in self._objects.children(*steps)]
        while waiting and len(found) < options.MOST_REFS:
            path, is_folder = waiting.pop()
            if is_folder and len(path) < options.DEEPEST_COMMITTED:
                waiting += [((*path, name), each) for name, each in self._objects.children(*path)]
            elif not is_folder:
                target = self._objects.text(*path, most=options.LONGEST_REF).strip()
                found["/".join(path)] = target
        return found

    def _remark_dates(self) -> None:
        """Add remarks on dates that contradict the order of commits or the age of git."""
        back = sum(
            any(node.seconds < self.nodes[parent].seconds for parent in self.parents[number])
            for number, node in enumerate(self.nodes)
        )
        if back:
            self._objects.remark(M_("commits dated before one that they build on: %(back)d", back))
        dates = [each.commit.committed for each in self.nodes]
        odd = sum(not date or (seconds_between(date, _GIT) or 0) > 0 for date in dates)
        if odd:
            self._objects.remark(M_("commits with a date that cannot be true: %(odd)d", odd))


def _in_order(found: dict[str, _Node]) -> list[_Node]:
    """Sort commits: parents before children, else by their dates, else by their ids."""
    sorter = TopologicalSorter({n: set(node.parents) & found.keys() for n, node in found.items()})
    sorter.prepare()
    ready, ordered = list[tuple[int, str]](), list[_Node]()
    while sorter.is_active():
        for name in sorter.get_ready():
            heapq.heappush(ready, (found[name].seconds, name))
        _, name = heapq.heappop(ready)
        ordered.append(found[name])
        sorter.done(name)
    return ordered


def _parsed(name: str, content: bytes) -> _Node:
    """Parse a commit; invalid dates and names do not affect its other fields.

    Raises:
        ValueError: It has no tree.
    """
    head, _, message = content.decode("utf-8", "replace").partition("\n\n")
    lines = [line.partition(" ") for line in head.split("\n")]
    trees = [value for key, _, value in lines if key == "tree"]
    if not trees or not _ID.fullmatch(trees[0]):
        raise ValueError(name)
    parents = [value for key, _, value in lines if key == "parent" and _ID.fullmatch(value)]
    author, authored, _ = _signed(next((v for key, _, v in lines if key == "author"), ""))
    _, committed, seconds = _signed(next((v for key, _, v in lines if key == "committer"), ""))
    subject = message.lstrip("\n").partition("\n")[0][:_LONGEST_LINE]
    commit = Commit(name, author[:_LONGEST_LINE], authored, committed, subject)
    return _Node(commit, trees[0], tuple(parents[: options.MOST_PARENTS]), seconds)


def _signed(line: str) -> tuple[str, str, int]:
    """Return name, ISO 8601 time and Unix time from an author or committer line."""
    found = _PERSON.fullmatch(line)
    if not found:
        return line, "", 0
    seconds = int(found["seconds"])
    return found["who"], iso_of(seconds, found["zone"]), seconds
