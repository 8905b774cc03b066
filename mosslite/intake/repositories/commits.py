"""History of a git repository: commits in topological order, and the files of each."""

import heapq
import re
from collections.abc import Callable
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Final, NamedTuple, Self

from dulwich.errors import FileFormatException
from dulwich.objects import parse_tree

from mosslite import options
from mosslite.display import iso_of, seconds_between
from mosslite.intake.archives.members import placed
from mosslite.intake.entries import Entry, located
from mosslite.intake.ignoring import Rule
from mosslite.intake.repositories.objects import MissingObjectError, Objects, SpentError
from mosslite.intake.repositories.places import PackedFiles
from mosslite.messages import M_, said_by
from mosslite.reasons import Reason
from mosslite.records.results import Commit, RepositoryPlace, RepositorySummary

_LONGEST_LINE: Final = 200

_ID: Final = re.compile(r"[0-9a-f]{40}")
_SHA_256: Final = re.compile(r"\b[0-9a-f]{64}\b")
_PERSON: Final = re.compile(r"(?P<who>.*?)[ ]*(?P<seconds>-?[0-9]{1,15})[ ](?P<zone>[^ ]*)")
_FOLDER, _FILE, _KIND = 0o040000, 0o100000, 0o170000
_NOT_READ: Final = {
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
        numbers = {node.commit.id: number for number, node in enumerate(self.nodes)}
        self.parents = [[numbers[p] for p in n.parents if p in numbers] for n in self.nodes]
        self.is_cut = [any(p not in numbers for p in node.parents) for node in self.nodes]
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
        numbers = {node.commit.id: number for number, node in enumerate(self.nodes)}
        names = (revision, *_USUAL) if revision == "HEAD" else (revision,)
        for name in names:
            for pattern in _REFS:
                id_of = self._resolved(pattern.format(name))
                if id_of in numbers:
                    return numbers[id_of]
        if revision == "HEAD":
            return len(self.nodes) - 1 if self.nodes else None
        begins = [n for id_of, n in numbers.items() if id_of.startswith(revision.lower())]
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
        if self._is_spent:
            return ()
        try:
            return self._files(self.nodes[number].tree, 0, is_wanted)
        except SpentError as error:
            self._is_spent = True
            self._objects.remark(said_by(error))
            return ()

    def blob(self, name: str) -> bytes | None:
        """Return the content of a file, or None if it cannot be read."""
        try:
            return self._objects.read(name, "blob")
        except MissingObjectError:
            self._objects.remark(M_("files that are missing, damaged or large are not read"))
        except SpentError as error:
            self._objects.remark(said_by(error))
        return None

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
            elif kind in _NOT_READ:
                self._objects.remark(_NOT_READ[kind])
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
            raise SpentError(M_("no more than %(most)d files of all its commits are read", most))
        self._trees[key] = tuple(found)
        return self._trees[key]

    def _entries(self, tree: str) -> list[tuple[str, int, str]]:
        self._folders += 1
        if self._folders > options.MOST_COMMIT_FOLDERS:
            most = options.MOST_COMMIT_FOLDERS
            raise SpentError(M_("no more than %(most)d of its folders are read", most))
        try:
            parsed = list(parse_tree(self._objects.read(tree, "tree"), 20))
        except (MissingObjectError, FileFormatException, ValueError):
            self._objects.remark(M_("folders that are missing or damaged are not read"))
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
        try:
            node = _parsed(name, self._objects.read(name, "commit"))
        except (MissingObjectError, ValueError):
            self._objects.remark(M_("commits that are missing or damaged are not read"))
        except SpentError as error:
            self._objects.remark(said_by(error))
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
        try:
            line = self._objects.read(name, "tag").split(b"\n", 1)[0].decode("ascii", "replace")
        except (MissingObjectError, SpentError):
            return name
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


class Snapshot(NamedTuple):
    """The files of a commit.

    Attributes:
        commit: The commit; None if none can be read.
        entries: Its files with their bytes, named by their paths; those that are not read or are
            ignored have an obstacle.
        remarks: Other parts that are not read, in words.
    """

    commit: Commit | None
    entries: tuple[Entry, ...]
    remarks: tuple[str, ...]


def snapshot(history: History, shown: str, rule: Rule, revision: str = "HEAD") -> Snapshot:
    """Return the files of a commit, named by a branch, a tag, an id or a prefix of one.

    ``shown`` is the prefix of their paths in messages.
    """
    number = history.find(revision)
    if number is None:
        if revision != "HEAD":
            history.remarks[M_("it has no commit called %(revision)r", revision)] = None
        return Snapshot(None, (), tuple(history.remarks))
    before = set(history.remarks)
    files = history.files(number, lambda _name: True)
    remarks = tuple(each for each in history.remarks if each not in before)
    entries: dict[str, Entry] = {}
    for path, blob in files:
        name, objection = placed(path)
        ignored = None if objection else rule(name)
        if ignored is not None:
            name, reason = ignored
            ignored_entry = Entry(
                f"{shown}/{name}", name, obstacle=reason.message(), is_ignored=True
            )
            entries.setdefault(name, ignored_entry)
        else:
            content = None if objection else history.blob(blob)
            if content is None and not objection:
                objection = Reason.NOT_COMMITTED.message(options.LARGEST_OBJECT >> 20)
            entries[name] = Entry(f"{shown}/{name}", name, content or b"", obstacle=objection)
    return Snapshot(history.nodes[number].commit, tuple(entries.values()), remarks)
