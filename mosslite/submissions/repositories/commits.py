"""The history of a git repository: commits in order, and which files each of them has."""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from dulwich.errors import FileFormatException
from dulwich.objects import parse_tree

from mosslite.display import iso_of, seconds_between
from mosslite.records.repositories import Commit, RepositorySummary
from mosslite.submissions.disk import located
from mosslite.submissions.repositories.objects import MissingObjectError, Objects, SpentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mosslite.records.repositories import RepositoryPlace

__all__ = ["FileVersion", "History"]


_MOST_COMMITS: Final = 5_000
_MOST_REFS: Final = 1_000
_MOST_FILES: Final = 5_000
_MOST_FOLDERS: Final = 200_000
# Files of all commits together; those of equal folders count once.
_MOST_LISTED: Final = 500_000
_DEEPEST: Final = 30
_MOST_PARENTS: Final = 64
_LONGEST_LINE: Final = 200

_ID: Final = re.compile(r"[0-9a-f]{40}")
_SHA_256: Final = re.compile(r"\b[0-9a-f]{64}\b")
_PERSON: Final = re.compile(r"(?P<who>.*?)[ ]*(?P<seconds>-?[0-9]{1,15})[ ](?P<zone>[^ ]*)")
_FOLDER, _FILE, _SUBMODULE, _KIND = 0o040000, 0o100000, 0o160000, 0o170000
# The first version of git is of April 2005.
_GIT: Final = "2005-04-07T00:00:00+00:00"


class FileVersion(NamedTuple):
    """A file as a commit has it."""

    path: str
    blob: str


@dataclass(frozen=True, slots=True)
class _Node:
    """A commit with what is needed to walk from it."""

    commit: Commit
    tree: str
    parents: tuple[str, ...]
    seconds: int


class History:
    """The commits of a repository, parents before children; to be closed.

    Attributes:
        nodes: The commits that were read, in order.
        parents: For each, the numbers of its parents that were read.
        is_cut: For each, whether a parent of it was not read.
    """

    def __init__(self, place: RepositoryPlace) -> None:
        """Read the commits, and no file yet."""
        folder = located(place.path, followed=place.followed)
        self._objects = Objects(folder)
        self.remarks = self._objects.remarks
        self._trees: dict[tuple[str, int], tuple[FileVersion, ...]] = {}
        self._folders = 0
        self._listed = 0
        if self._objects.text("shallow"):
            self.remarks["it is a shallow clone: older commits are not in it"] = None
        found = self._reachable()
        self.nodes = _in_order(found)
        numbers = {node.commit.id: number for number, node in enumerate(self.nodes)}
        self.parents = [[numbers[p] for p in n.parents if p in numbers] for n in self.nodes]
        self.is_cut = [any(p not in numbers for p in node.parents) for node in self.nodes]
        self._remark_dates()

    def __enter__(self) -> Self:
        """Use it in a block."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close its files."""
        self._objects.__exit__()

    @property
    def summary(self) -> RepositorySummary:
        """What is to be told of it as a whole."""
        commits = [node.commit for node in self.nodes]
        return RepositorySummary(
            commits=len(commits),
            authors=len({each.author for each in commits}),
            first=commits[0] if commits else None,
            last=commits[-1] if commits else None,
            remarks=tuple(self.remarks),
        )

    def files(self, number: int, is_wanted: Callable[[str], bool]) -> tuple[FileVersion, ...]:
        """Return the wanted files of a commit; ``is_wanted`` must be the same in every call."""
        try:
            return self._files(self.nodes[number].tree, 0, is_wanted)
        except SpentError as error:
            self.remarks[str(error)] = None
            return ()

    def blob(self, name: str) -> bytes | None:
        """Return the content of a file, or None where it is not read."""
        try:
            return self._objects.read(name, "blob")
        except MissingObjectError:
            self.remarks["files that are missing, damaged or large are not read"] = None
        except SpentError as error:
            self.remarks[str(error)] = None
        return None

    def _files(
        self, tree: str, depth: int, is_wanted: Callable[[str], bool]
    ) -> tuple[FileVersion, ...]:
        key = tree, depth
        if key not in self._trees:
            found: list[FileVersion] = []
            for each in self._below(tree, depth, is_wanted):
                found.append(each)
                if len(found) == _MOST_FILES:
                    self.remarks[f"no more than {_MOST_FILES:,} files of a commit are read"] = None
                    break
            self._listed += len(found)
            if self._listed > _MOST_LISTED:
                msg = f"no more than {_MOST_LISTED:,} files of all its commits are read"
                raise SpentError(msg)
            self._trees[key] = tuple(found)
        return self._trees[key]

    def _below(
        self, tree: str, depth: int, is_wanted: Callable[[str], bool]
    ) -> Iterator[FileVersion]:
        for name, mode, child in self._entries(tree):
            if mode & _KIND == _FILE and is_wanted(name):
                yield FileVersion(name, child)
            elif mode & _KIND == _SUBMODULE:
                self.remarks["submodules are not read"] = None
            elif mode & _KIND == _FOLDER and depth == _DEEPEST:
                self.remarks[f"folders deeper than {_DEEPEST} are not read"] = None
            elif mode & _KIND == _FOLDER:
                for path, blob in self._files(child, depth + 1, is_wanted):
                    yield FileVersion(f"{name}/{path}", blob)

    def _entries(self, tree: str) -> list[tuple[str, int, str]]:
        self._folders += 1
        if self._folders > _MOST_FOLDERS:
            msg = f"no more than {_MOST_FOLDERS:,} of its folders are read"
            raise SpentError(msg)
        try:
            parsed = list(parse_tree(self._objects.read(tree, "tree"), 20))
        except (MissingObjectError, FileFormatException, ValueError):
            self.remarks["folders that are missing or damaged are not read"] = None
            return []
        return [
            (name.decode("utf-8", "replace"), mode, child.decode("ascii"))
            for name, mode, child in parsed
        ]

    def _reachable(self) -> dict[str, _Node]:
        """Read all commits that a branch or tag leads to, the newest first."""
        waiting, found = list[tuple[int, str, _Node]](), dict[str, _Node]()
        seen = set[str]()
        for name in self._heads():
            self._queue(name, seen, waiting)
        while waiting and len(found) < _MOST_COMMITS:
            _, name, node = heapq.heappop(waiting)
            found[name] = node
            for parent in node.parents:
                self._queue(parent, seen, waiting)
        if waiting:
            self.remarks[
                f"only the newest {_MOST_COMMITS:,} commits are read: what is found first there "
                "may be older"
            ] = None
        return found

    def _queue(self, name: str, seen: set[str], waiting: list[tuple[int, str, _Node]]) -> None:
        if name in seen or len(seen) > 2 * _MOST_COMMITS:
            return
        seen.add(name)
        try:
            node = _parsed(name, self._objects.read(name, "commit"))
        except (MissingObjectError, ValueError):
            self.remarks["commits that are missing or damaged are not read"] = None
        except SpentError as error:
            self.remarks[str(error)] = None
        else:
            heapq.heappush(waiting, (-node.seconds, name, node))

    def _heads(self) -> list[str]:
        """Return the ids that branches, tags and HEAD have, each once."""
        texts = [self._objects.text("HEAD"), self._objects.text("packed-refs")]
        for kind in ("heads", "remotes", "tags"):
            texts += self._loose_refs("refs", kind)
        if self._objects.children("reftable"):
            self.remarks["its branches are in a reftable, which is not read"] = None
        whole = "\n".join(texts)
        if _SHA_256.search(whole):
            self.remarks["its ids are of SHA-256, which is not read"] = None
        ids = [line.split(" ")[0].lstrip("^") for line in whole.splitlines()]
        names = sorted({self._peeled(each) for each in ids if _ID.fullmatch(each)})
        if not names:
            self.remarks["it has no commit that can be read"] = None
        return names[:_MOST_REFS]

    def _peeled(self, name: str) -> str:
        """Return the commit that a tag is of; of all else, what it is."""
        try:
            line = self._objects.read(name, "tag").split(b"\n", 1)[0].decode("ascii", "replace")
        except (MissingObjectError, SpentError):
            return name
        target = line.removeprefix("object ")
        return target if _ID.fullmatch(target) else name

    def _loose_refs(self, *steps: str) -> list[str]:
        """Return the files of all refs below a folder, which are few and small."""
        found = list[str]()
        waiting = [((*steps, name), place) for name, place in self._objects.children(*steps)]
        while waiting and len(found) < _MOST_REFS:
            path, place = waiting.pop()
            if place.is_folder and len(path) < _DEEPEST:
                waiting += [((*path, name), each) for name, each in self._objects.children(*path)]
            elif not place.is_folder:
                found.append(self._objects.text(*path, most=100))
        return found

    def _remark_dates(self) -> None:
        """Remark dates that contradict the order of commits, or git's own age."""
        back = sum(
            any(node.seconds < self.nodes[parent].seconds for parent in self.parents[number])
            for number, node in enumerate(self.nodes)
        )
        if back:
            self.remarks[f"commits dated before one that they build on: {back:,}"] = None
        dates = [each.commit.committed for each in self.nodes]
        odd = sum(not date or (seconds_between(date, _GIT) or 0) > 0 for date in dates)
        if odd:
            self.remarks[f"commits with a date that cannot be true: {odd:,}"] = None


def _in_order(found: dict[str, _Node]) -> list[_Node]:
    """Sort commits: parents before children, else by their dates, else by their ids."""
    children, missing = defaultdict[str, list[str]](list), dict[str, int]()
    for name, node in found.items():
        parents = [parent for parent in dict.fromkeys(node.parents) if parent in found]
        missing[name] = len(parents)
        for parent in parents:
            children[parent].append(name)
    ready = [(found[name].seconds, name) for name, count in missing.items() if not count]
    heapq.heapify(ready)
    ordered = []
    while ready:
        _, name = heapq.heappop(ready)
        ordered.append(found[name])
        for child in children[name]:
            missing[child] -= 1
            if not missing[child]:
                heapq.heappush(ready, (found[child].seconds, child))
    return ordered


def _parsed(name: str, content: bytes) -> _Node:
    """Read a commit; nonsense in its dates and names is kept from nothing else.

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
    return _Node(commit, trees[0], tuple(parents[:_MOST_PARENTS]), seconds)


def _signed(line: str) -> tuple[str, str, int]:
    """Return who signed a commit, when in ISO 8601, and when in seconds since 1970."""
    found = _PERSON.fullmatch(line)
    if not found:
        return line, "", 0
    seconds = int(found["seconds"])
    return found["who"], iso_of(seconds, found["zone"]), seconds
