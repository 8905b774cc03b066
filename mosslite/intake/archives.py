"""Expands archives into entries, nested ones included, within the budgets of their submissions."""

import io
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import BinaryIO, Final, NamedTuple
from zipfile import is_zipfile

from mosslite import options, signatures
from mosslite.intake.entries import (
    Content,
    Entry,
    LimitError,
    Names,
    NotReadError,
    OnDisk,
    empty_folders,
    opened,
    placed,
    too_large,
)
from mosslite.intake.ignoring import Rule
from mosslite.intake.members import (
    DAMAGE,
    Allowance,
    Budget,
    ExhaustedError,
    Member,
    Metered,
    compressed_members,
    damage,
    peeked,
    plain_tar_members,
    read_most,
    zip_members,
)
from mosslite.intake.platforms import is_metadata
from mosslite.intake.seven_zip import seven_zip_members
from mosslite.languages import is_program
from mosslite.messages import said_by
from mosslite.options import Limits
from mosslite.reasons import WITH_PROGRAM, Reason
from mosslite.signatures import ArchiveFormat, format_of


def is_archive(name: str, content: Content) -> bool:
    """Return whether a file is an archive to unpack; by their names, documents are not."""
    try:
        with _file_of(content) as file:
            return _format_in(name, file) is not None
    except (OSError, NotReadError):
        return False


def _file_of(content: Content) -> BinaryIO:
    """Open a file, wherever its bytes are."""
    if isinstance(content, OnDisk):
        return opened(content)
    return io.BytesIO(content if isinstance(content, bytes) else content.read())


def _format_in(name: str, file: BinaryIO) -> ArchiveFormat | None:
    """Return the format of an archive in a file, which is then at its start.

    A zip file is read from its end, so anything can precede it.
    """
    file.seek(0)
    found = format_of(name, file.read(signatures.HEAD_SIZE) or b"")
    if found is None and signatures.is_named_zip(name) and is_zipfile(file):
        found = signatures.ZIP
    file.seek(0)
    return found


# Git pack files, whose extension ``.pack`` is also that of a language.
_PACK: Final = b"PACK\0\0\0"


def may_hold_program(name: str, head: bytes) -> bool:
    """Return whether a file is named like a program or is an archive; macOS metadata is neither."""
    is_known = is_program(name) or format_of(name, head) is not None
    return is_known and not signatures.is_apple_double(name, head) and not head.startswith(_PACK)


def is_readable(name: str, head: bytes) -> bool:
    """Return whether a file, whatever its name says, begins like text or an archive."""
    return signatures.looks_like_text(head) or format_of(name, head) is not None


def head_of(content: Content) -> bytes:
    """Return the first bytes of a file; empty if it cannot be read."""
    try:
        with _file_of(content) as file:
            return file.read(signatures.HEAD_SIZE) or b""
    except (OSError, NotReadError):
        return b""


def _unsupported(kind: str, _name: str, _file: BinaryIO, _budget: Budget) -> Iterator[Member]:
    raise NotReadError(Reason.UNSUPPORTED, kind)


_READERS: Final[Mapping[ArchiveFormat, Callable[[str, BinaryIO, Budget], Iterator[Member]]]] = {
    signatures.ZIP: zip_members,
    signatures.TAR: plain_tar_members,
    signatures.GZIP: partial(compressed_members, signatures.GZIP),
    signatures.BZIP2: partial(compressed_members, signatures.BZIP2),
    signatures.XZ: partial(compressed_members, signatures.XZ),
    signatures.SEVEN_ZIP: seven_zip_members,
    **{each: partial(_unsupported, each.kind) for each in signatures.UNSUPPORTED},
}
"""Functions that yield the members of a file of a name, within a budget."""


def _members_in(archive: "_OpenArchive") -> Iterator[Member]:
    """Yield the members of an archive; each must be read before the next is requested.

    Raises:
        ExhaustedError: It exceeds the budget.
        NotReadError: It is damaged, or of an unsupported kind.
    """
    archive.file.seek(0)
    try:
        yield from _READERS[archive.format](archive.entry.name, archive.file, archive.budget)
    except DAMAGE as error:
        raise NotReadError(damage(error)) from error


# --- budgets -------------------------------------------------------------------------------------

# The reasons why bytes and members exceed a limit, one that other archives share, and a share.
_WHOLE: Final = Reason.UNPACKED, Reason.MEMBERS
_IN_TOTAL: Final = Reason.UNPACKED_IN_TOTAL, Reason.MEMBERS_IN_TOTAL
_SHARE: Final = Reason.UNPACKED_SHARE, Reason.MEMBERS_SHARE


def _budget(unpacked: int, members: int, reasons: tuple[Reason, Reason]) -> Budget:
    of_bytes, of_members = reasons
    return Budget(
        Allowance(unpacked, of_bytes.message(unpacked), "--max-unpacked"),
        Allowance(members, of_members.message(members), "--max-members"),
    )


def budget_of(limits: Limits, size: int) -> Budget:
    """Return the budget of an outermost archive of ``size`` bytes."""
    return _within_ratio(_budget(limits.unpacked, limits.members, _WHOLE), limits, size)


def listing_budget(limits: Limits, size: int) -> Budget:
    """Return the budget for passing all members of a batch of ``size`` bytes.

    Bytes that are passed cost little time and no memory, unlike files.
    """
    of_size = min(options.MOST_LISTED, limits.ratio * size // options.MEMBER_BYTES)
    members = max(options.LEAST_LISTED, limits.members, of_size)
    return _budget(limits.unpacked + options.MOST_PASSED, members, _IN_TOTAL)


def _within_ratio(budget: Budget, limits: Limits, size: int) -> Budget:
    """Return what an archive of ``size`` bytes may take of a budget, which nothing was taken of."""
    most = limits.ratio * size
    words = Reason.RATIO.message(limits.ratio)
    if most < options.FREE_BYTES:
        words = Reason.LEAST_AND_RATIO.message(options.FREE_BYTES >> 20, limits.ratio)
    count = max(options.FREE_MEMBERS, most // options.MEMBER_BYTES)
    of_size = Allowance(max(options.FREE_BYTES, most), words, "--max-ratio")
    files = Allowance(count, Reason.MEMBERS_OF_SIZE.message(count), "--max-ratio")
    return Budget(
        of_size if of_size.most <= budget.unpacked.most else budget.unpacked,
        files if files.most <= budget.members.most else budget.members,
    )


class Demand(NamedTuple):
    """What a submission in an archive takes: packed bytes, and those and files as declared."""

    packed: int
    unpacked: int
    members: int


class Shares:
    """Budgets of several submissions within a common limit, so that none loses by another's size.

    First each has as much as all can have that need so much, by the declared sizes. What is then
    left goes in equal parts to those with archives, of which nobody knows what they unpack to.
    """

    def __init__(self, limits: Limits, demands: Mapping[str, Demand]) -> None:
        self._limits, self._demands = limits, demands
        self._whole = _budget(limits.unpacked, limits.members, _WHOLE)
        ratio = limits.ratio
        unpacked = _level(
            limits.unpacked,
            [
                min(each.unpacked, max(options.FREE_BYTES, ratio * each.packed))
                for each in demands.values()
            ],
        )
        members = _level(limits.members, [each.members for each in demands.values()])
        self.budgets = {name: self._share(name, unpacked, members) for name in demands}

    def renew(self, waiting: Sequence[str]) -> None:
        """Give the first of some submissions an equal part of what is left."""
        budget, count = self.budgets[waiting[0]], len(waiting)
        unpacked = budget.unpacked.taken + self._whole.unpacked.left // count
        members = budget.members.taken + self._whole.members.left // count
        renewed = self._share(waiting[0], unpacked, members)
        renewed.unpacked.taken, renewed.members.taken = budget.unpacked.taken, budget.members.taken
        budget.unpacked, budget.members = renewed.unpacked, renewed.members

    def _share(self, name: str, unpacked: int, members: int) -> Budget:
        reasons = _WHOLE if len(self._demands) == 1 else _SHARE
        share = _budget(unpacked, members, reasons)
        budget = _within_ratio(share, self._limits, self._demands[name].packed)
        budget.unpacked.whole, budget.members.whole = self._whole.unpacked, self._whole.members
        return budget


def _level(total: int, demands: Iterable[int]) -> int:
    """Return the largest share for all such that together they take no more than a total."""
    waiting = sorted(demands)
    for number, demand in enumerate(waiting):
        others = len(waiting) - number
        if demand * others > total:
            return total // others
        total -= demand
    return total + max(waiting, default=0)


# --- entries -------------------------------------------------------------------------------------

Owners = Callable[[Sequence[Entry]], Sequence[str]]
"""Returns the owner of each entry: equal for all that one student or team handed in."""


def archive_entries(
    archive: Entry, limits: Limits, rule: Rule, budget: Budget | None = None
) -> list[Entry]:
    """Return all members of an archive, including those of nested archives, under distinct names.

    Every member except folders and ignored ones becomes an entry with its bytes or an obstacle. An
    error of the archive as a whole is an entry with the archive's name; one entry represents all
    that is ignored for the same part of its path, and an empty folder is an ignored entry.
    ``budget`` may be shared with other archives; None creates one. Names begin with the archive's,
    also those that the rule sees; if it has none, they are relative to it.
    """

    def expanded(whole: _OpenArchive) -> list[Entry]:
        expansion = _Expansion(whole, limits, rule)
        expansion.expand(whole if budget is None else replace(whole, budget=budget))
        return expansion.entries()

    return _entries(archive, limits, expanded)


def batch_entries(archive: Entry, limits: Limits, rule: Rule, owners: Owners) -> list[Entry]:
    """Read like ``archive_entries`` an archive of many submissions.

    It is listed first to find the owner of each member; then each submission has the limits of
    an archive of its own, and a share of the limits of the whole one. If its only content is an
    archive, that one contains the batch instead.
    """
    return _entries(archive, limits, lambda whole: _Batch(whole, limits, rule).entries(owners))


def listed_in(archive: Entry, limits: Limits, rule: Rule) -> list[Entry]:
    """Return what is in an archive of many submissions, as ``batch_entries`` shows it to owners.

    Nothing is listed of an archive that cannot be read.
    """
    found = _entries(archive, limits, lambda whole: _Batch(whole, limits, rule).listed())
    return [each for each in found if each.path != archive.path]


def _entries(
    archive: Entry, limits: Limits, expand: "Callable[[_OpenArchive], list[Entry]]"
) -> list[Entry]:
    """Open an archive and return its entries, sorted by name."""
    bare, content = replace(archive, content=b"", is_archive=False), archive.content
    if not archive.name:
        bare = replace(bare, name=archive.path.rpartition("/")[2], is_given=False)
    if archive.obstacle:
        return [bare]
    try:
        with _file_of(content) as file:
            found = _format_in(bare.name, file)
            if found is None:
                return [replace(bare, obstacle=Reason.NOT_ARCHIVE.message())]
            base, size = archive.name and f"{archive.name}/", file.seek(0, os.SEEK_END)
            budget = budget_of(limits, size)
            entries = expand(_OpenArchive(bare, base, found, file, size, budget))
    except NotReadError as error:
        return [replace(bare, obstacle=said_by(error))]
    except OSError as error:
        return [replace(bare, obstacle=damage(error))]
    names, on_disk = Names(), content if isinstance(content, OnDisk) else None
    named = [replace(e, name=names.distinct(e.name), archive=on_disk) for e in entries]
    return sorted(named, key=lambda each: each.name)


@dataclass(frozen=True, slots=True)
class _OpenArchive:
    """An archive being read; its depth is 1 if it is not in another.

    Attributes:
        base: What the names of its members begin with.
        contents: Bytes of the members read so far, by their paths in it.
    """

    entry: Entry
    base: str
    format: ArchiveFormat
    file: BinaryIO
    size: int
    budget: Budget
    depth: int = 1
    contents: dict[str, bytes] = field(default_factory=dict)

    def inner(
        self, entry: Entry, form: ArchiveFormat, content: bytes, budget: Budget
    ) -> "_OpenArchive":
        """Return an archive that is a member of this one."""
        base, file = f"{entry.name}/", io.BytesIO(content)
        return _OpenArchive(entry, base, form, file, len(content), budget, self.depth + 1)

    def resolved(self, member: Member) -> Member:
        """Return a member with the content of the one that it links to, if that was read."""
        if not member.link:
            return member
        content = self.contents.get(placed(member.link)[0])
        if content is None:
            raise NotReadError(Reason.HARD_LINK)
        same = Metered(io.BytesIO(content), self.budget.unpacked)
        return replace(member, size=len(content), open=lambda: same)


class _Expansion:
    """The entries found so far in an outermost archive, or in one submission of it."""

    def __init__(self, outermost: _OpenArchive, limits: Limits, rule: Rule) -> None:
        self._path, self._base = outermost.entry.path, outermost.base
        self._limits, self._rule = limits, rule
        self._entries: list[Entry] = []
        self._ignored: dict[str, Reason] = {}
        self._contents: dict[bytes, bytes] = {}
        self._names = Names()
        self._folders: list[str] = []
        self._nested: list[_OpenArchive] = []
        self._exhausted = 0

    def entries(self, others: Iterable[Entry] = ()) -> list[Entry]:
        """Return the entries found, and folders that contain none of these and of ``others``.

        One entry represents everything that is ignored below a part of the path.
        """
        ignored = [
            replace(self._new(prefix, reason.message()), is_ignored=True)
            for prefix, reason in self._ignored.items()
        ]
        found = [*self._entries, *ignored, *others]
        for folder in empty_folders(self._folders, [each.name for each in found]):
            empty = self._new(folder, Reason.NO_FILES.message())
            found.append(replace(empty, is_ignored="/" in folder))
        return found

    def expand(self, archive: _OpenArchive) -> None:
        """Add all members of an archive, and then those of archives in it."""
        self.scan(archive, partial(self.read, archive))
        self.expand_nested(archive.budget)

    @property
    def nested_size(self) -> int:
        """Bytes of the archives found that are not expanded yet."""
        return sum(each.size for each in self._nested)

    def expand_nested(self, budget: Budget) -> None:
        """Add the members of archives found: last, so that these cost no file beside them.

        Small ones come first: code is smaller than data. Each leaves something of the budget for
        those after it.
        """
        too_many = LimitError("--max-ratio", Reason.ARCHIVES, options.MOST_BOMBS)
        while self._nested:
            some, later, self._nested = self._nested, self.nested_size, []
            for nested in sorted(some, key=lambda each: each.size):
                later -= nested.size
                if self._exhausted >= options.MOST_BOMBS:
                    self.add(nested.entry, said_by(too_many))
                    continue
                part = budget.part(nested.size, later, self._limits.ratio)
                archive = replace(nested, budget=part)
                self.scan(archive, partial(self.read, archive))

    def scan(self, archive: _OpenArchive, read: Callable[[Entry, Member], None]) -> None:
        """Pass the files of an archive to ``read``; add other members and errors as entries."""
        is_empty = True
        try:
            for member in _members_in(archive):
                archive.budget.members.take(1)
                found = self._found(member, archive)
                if found is not None:
                    read(*found)
                is_empty &= member.is_folder
        except (ExhaustedError, NotReadError) as error:
            self._exhausted += isinstance(error, ExhaustedError)
            self.add(archive.entry, said_by(error))
        else:
            if is_empty:
                self.add(archive.entry, Reason.NO_FILES.message())

    def add(self, entry: Entry, obstacle: str) -> None:
        """Add an entry of something that is not read."""
        self._entries.append(replace(entry, obstacle=obstacle))

    def _new(self, name: str, obstacle: str) -> Entry:
        """Return an entry with a name of its own."""
        name = self._names.distinct(name)
        is_inside = name.startswith(self._base)
        path = f"{self._path}/{name.removeprefix(self._base)}" if is_inside else name
        return Entry(path, name, obstacle=obstacle)

    def _found(self, member: Member, archive: _OpenArchive) -> tuple[Entry, Member] | None:
        """Return a member to read, with its entry; add any other member as an entry."""
        path, objection = placed(member.name)
        if member.is_folder and Reason.of(objection) is Reason.NO_NAME:
            return None  # the folder that was packed
        name = archive.base + path
        ignored = None if objection else self._rule(f"{name}/" if member.is_folder else name)
        if ignored:
            prefix, reason = ignored
            head, member = self._peeked(member, prefix, reason)
            if not (reason is Reason.NOT_TEXT and is_readable(name, head)):
                if may_hold_program(name, head) and not member.is_folder:
                    self._ignored[prefix] = WITH_PROGRAM.get(reason, reason)
                self._ignored.setdefault(prefix, reason)
                return None
        if member.is_folder and not objection:
            self._folders.append(name)
            return None
        entry = self._new(name, objection or member.obstacle)
        if not entry.obstacle:
            return entry, member
        self._entries.append(entry)
        return None

    def _peeked(self, member: Member, prefix: str, reason: Reason) -> tuple[bytes, Member]:
        """Return the first bytes of an ignored member, if they can still change the reason."""
        known = self._ignored.get(prefix)
        is_telling = reason is Reason.NOT_TEXT or WITH_PROGRAM.get(reason, known) is not known
        if is_telling and not (member.is_folder or member.obstacle):
            with suppress(*DAMAGE, NotReadError):
                return peeked(member, signatures.HEAD_SIZE)
        return b"", member

    def read(self, archive: _OpenArchive, entry: Entry, member: Member) -> None:
        """Add what is in a member, or why it cannot be read; an exhausted budget raises."""
        try:
            content, found = self._unpacked(entry, archive.resolved(member), archive)
        except NotReadError as error:
            self.add(entry, said_by(error))
        except DAMAGE as error:
            self.add(entry, damage(error))
        else:
            # Identical files share one bytes object.
            same = self._contents.setdefault(content, content)
            archive.contents[entry.name.removeprefix(archive.base)] = same
            if found is None:
                self._entries.append(replace(entry, content=same))
                return
            self._nested.append(archive.inner(entry, found, content, archive.budget))

    def _unpacked(
        self, entry: Entry, member: Member, archive: _OpenArchive
    ) -> tuple[bytes, ArchiveFormat | None]:
        """Unpack a member within the limits; its first bytes alone determine its format."""
        unpacked, largest = archive.budget.unpacked, self._limits.of(entry.name)
        unpacked.require_possible(member.size)
        source = member.open()
        head = read_most(source, signatures.HEAD_SIZE)
        found = format_of(entry.name, head)
        may_be_zip = found is None and signatures.is_named_zip(entry.name)
        is_file = found is None and not may_be_zip
        most = largest if is_file else unpacked.left + len(head)
        if is_file and member.size > most:
            raise too_large(most)
        deepest = min(self._limits.depth, options.DEEPEST)
        if found is not None and archive.depth >= deepest:
            raise LimitError("--max-depth", Reason.TOO_DEEP, archive.depth + 1, deepest)
        unpacked.require(member.size - len(head))
        content = read_most(source, most + 1 - len(head), head=head)
        if may_be_zip and is_archive(entry.name, content):
            return content, signatures.ZIP
        if len(content) > (largest if found is None else most):
            raise too_large(most)
        return content, found


class _Batch:
    """An archive of many submissions."""

    def __init__(self, archive: _OpenArchive, limits: Limits, rule: Rule) -> None:
        self._archive, self._limits, self._rule = archive, limits, rule
        self._files: list[tuple[Entry, Member]] = []
        self._others, self._metadata_left = self._expansion(), options.MOST_METADATA
        self._others.scan(self._passed(), self._list)

    def entries(self, owners: Owners) -> list[Entry]:
        """Return the entries of the archive, with an obstacle where one cannot be read."""
        inner = self._only_archive()
        if inner is not None:
            return self._others.entries(inner.entries(owners))
        files = [entry for entry, _ in self._files]
        listed = self._others.entries(files)
        whose = dict(zip((each.name for each in listed), owners(listed), strict=True))
        found = self._read(whose, Shares(self._limits, self._demands(whose)))
        names = {each.name for each in files}
        return [*found, *(each for each in listed if each.name not in names)]

    def listed(self) -> list[Entry]:
        """Return the entries, without the bytes of files but for platforms' own."""
        inner = self._only_archive()
        if inner is not None:
            return inner.listed()
        return self._others.entries(entry for entry, _ in self._files)

    def _list(self, entry: Entry, member: Member) -> None:
        if is_metadata(entry.name) and not member.link:
            with suppress(*DAMAGE, ExhaustedError, NotReadError):
                content = read_most(member.open(), self._metadata_left)
                self._metadata_left -= len(content)
                entry = replace(entry, content=content)
        self._files.append((entry, member))

    def _expansion(self) -> _Expansion:
        return _Expansion(self._archive, self._limits, self._rule)

    def _passed(self) -> _OpenArchive:
        """Return the archive with a budget for members that are only skipped."""
        budget = listing_budget(self._limits, self._archive.size)
        return replace(self._archive, budget=budget)

    def _demands(self, whose: Mapping[str, str]) -> dict[str, Demand]:
        """Return what each submission takes; of packed bytes equal parts if they are unknown."""
        of_owner = defaultdict[str, list[Member]](list)
        for entry, member in self._files:
            of_owner[whose[entry.name]].append(member)
        is_known = any(member.packed for _, member in self._files)
        part = self._archive.size // max(len(of_owner), 1)
        return {
            owner: Demand(
                sum(each.packed for each in own) if is_known else part,
                sum(each.size for each in own),
                len(own),
            )
            for owner, own in of_owner.items()
        }

    def _only_archive(self) -> "_Batch | None":
        """Return the archive that is the only content to read, if there is one."""
        if len(self._files) != 1 or self._archive.depth >= min(self._limits.depth, options.DEEPEST):
            return None
        (entry, _), contents = self._files[0], list[bytes]()
        unpacked = budget_of(self._limits, self._archive.size).unpacked

        def read(_: Entry, member: Member) -> None:
            with suppress(*DAMAGE, ExhaustedError, NotReadError):
                source = Metered(member.open(), unpacked)
                head = read_most(source, signatures.HEAD_SIZE)
                if format_of(entry.name, head) is not None or signatures.is_named_zip(entry.name):
                    contents.append(read_most(source, unpacked.left + 1, head=head))

        self._expansion().scan(self._passed(), read)
        for content in contents:
            found = _format_in(entry.name, io.BytesIO(content))
            if found is not None:
                budget = budget_of(self._limits, len(content))
                inner = self._archive.inner(entry, found, content, budget)
                return _Batch(inner, self._limits, self._rule)
        return None

    def _read(self, whose: Mapping[str, str], shares: Shares) -> list[Entry]:
        """Read all members, and then the archives among them, those of the smallest first."""
        found = {owner: self._expansion() for owner in shares.budgets}
        archives = {
            owner: replace(self._archive, budget=budget) for owner, budget in shares.budgets.items()
        }

        def read(entry: Entry, member: Member) -> None:
            """Read a member within the budget of its submission; beyond that, leave it out."""
            if entry.name not in whose:  # added in between
                return
            owner = whose[entry.name]
            archive = archives[owner]
            metered = replace(member, open=lambda: Metered(member.open(), archive.budget.unpacked))
            try:
                archive.budget.members.take(1)
                found[owner].read(archive, entry, metered)
            except ExhaustedError as error:
                found[owner].add(entry, Reason.SHARE_SPENT.message(error))

        self._expansion().scan(self._passed(), read)
        waiting = sorted(
            (owner for owner in found if found[owner].nested_size),
            key=lambda owner: found[owner].nested_size,
        )
        while waiting:
            shares.renew(waiting)
            owner = waiting.pop(0)
            found[owner].expand_nested(shares.budgets[owner])
        return [entry for expansion in found.values() for entry in expansion.entries()]
