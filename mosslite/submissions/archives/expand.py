"""Expands archives, nested ones included, into entries."""

import io
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import BinaryIO

from mosslite.archive_names import unpacked_name
from mosslite.options import Limits
from mosslite.submissions.archives.kinds import (
    HEAD,
    Kind,
    is_archive,
    is_named_zip,
    kind_in,
    kind_of,
    may_hold_program,
)
from mosslite.submissions.archives.members import (
    DAMAGE,
    Budget,
    ExhaustedError,
    Member,
    budget_of,
    damage,
    part_of,
    peeked,
    placed,
    read_most,
)
from mosslite.submissions.archives.seven_zip_files import seven_zip_members
from mosslite.submissions.archives.streams import Metered, from_bzip2, from_gzip, from_xz
from mosslite.submissions.archives.tar_files import BLOCK, tar_members
from mosslite.submissions.archives.zip_files import zip_members
from mosslite.submissions.disk import NotReadError, OnDisk, opened
from mosslite.submissions.entries import (
    NO_FILES,
    Entry,
    LimitError,
    Names,
    empty_folders,
    too_large,
)
from mosslite.submissions.ignoring import NO_TEXT, Rule, looks_like_text, with_program
from mosslite.texts import M_

_UNPACKERS = {Kind.GZIP: from_gzip, Kind.BZIP2: from_bzip2, Kind.XZ: from_xz}


def _members_of(kind: Kind, name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of an archive; each must be read before the next is requested.

    Raises:
        ExhaustedError: It exceeds the budget.
        NotReadError: Its format or encryption is not supported.
    """
    if kind is Kind.RAR:
        msg = "is a RAR archive, which is not supported: repack it as zip"
        raise NotReadError(msg)
    if kind is Kind.ZIP:
        return zip_members(file, budget)
    if kind is Kind.SEVEN_ZIP:
        return seven_zip_members(file, budget)
    if kind is Kind.TAR:
        return tar_members(Metered(file, budget, file=file))
    return _unpacked_members(name, Metered(_UNPACKERS[kind](file), budget))


def _unpacked_members(name: str, stream: Metered) -> Iterator[Member]:
    """Return the members of a compressed tar file, or the single compressed file."""
    inner = unpacked_name(PurePosixPath(name).name)
    if kind_of(inner, stream.peek(BLOCK)) is Kind.TAR:
        yield from tar_members(stream)
    else:
        yield Member(inner, open=lambda: stream)


# Maximum nesting of archives that a user can allow: Python's stack is limited.
DEEPEST = 50


def archive_entries(
    archive: Entry, limits: Limits, rule: Rule, budget: Budget | None = None
) -> list[Entry]:
    """Return all members of an archive, including those of nested archives.

    Every member except folders and ignored ones becomes an entry with its bytes or an obstacle. An
    error of the archive as a whole is an entry with the archive's name.

    Args:
        archive: Its name and path are the prefix of its members'.
        limits: The limits of unpacking it.
        rule: Maps a member's name to the part of it that is ignored and the reason; one entry then
            represents all members that share that part, and none of them is unpacked.
        budget: A budget shared with other archives; None creates one.

    Returns:
        Entries with distinct names, in archive order; folders without a file are ignored entries.
    """
    if archive.obstacle:
        return [archive]
    bare = replace(archive, content=b"", is_archive=False)
    try:
        with opened_archive(archive.content) as file:
            entries = Expansion(bare, limits, rule).entries_of(file, budget)
    except NotReadError as error:
        return [replace(bare, obstacle=str(error))]
    except OSError as error:
        return [replace(bare, obstacle=damage(error))]
    return sorted(members_of(archive, entries), key=lambda each: each.name)


def members_of(archive: Entry, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries with the file on disk that contains them."""
    if not isinstance(archive.content, OnDisk):
        return list(entries)
    return [replace(each, archive=archive.content) for each in entries]


def opened_archive(content: bytes | OnDisk) -> BinaryIO:
    """Open an archive from its bytes or from the file on disk.

    Raises:
        NotReadError: It cannot be opened, or is no longer the file that was found.
    """
    return io.BytesIO(content) if isinstance(content, bytes) else opened(content)


def _is_readable(name: str, head: bytes) -> bool:
    """Return whether a file with an unknown name is text or an archive nevertheless."""
    return looks_like_text(head) or kind_of(name, head) is not None


def _not_read(entry: Entry, error: ExhaustedError | NotReadError) -> Entry:
    """Return an entry whose obstacle is the error."""
    return replace(entry, obstacle=str(error), limit=error.limit)


@dataclass(frozen=True, slots=True)
class OpenArchive:
    """An archive being read; its depth is 1 if it is not in another.

    Attributes:
        contents: Bytes of the members read so far, by their paths in it.
    """

    entry: Entry
    kind: Kind
    file: BinaryIO
    budget: Budget
    depth: int
    contents: dict[str, bytes] = field(default_factory=dict)

    def members(self) -> Iterator[Member]:
        """Return the members.

        Raises:
            ExhaustedError: It exceeds the budget.
            NotReadError: It is damaged or of an unsupported kind.
        """
        try:
            yield from _members_of(self.kind, self.entry.name, self.file, self.budget)
        except DAMAGE as error:
            raise NotReadError(damage(error)) from error

    def resolved(self, member: Member) -> Member:
        """Return a member with the content of the one that it links to.

        Raises:
            NotReadError: That one was not read before.
        """
        if not member.link:
            return member
        content = self.contents.get(placed(member.link)[0])
        if content is None:
            msg = "is a hard link to a file that is not read"
            raise NotReadError(msg)
        same = Metered(io.BytesIO(content), self.budget)
        return replace(member, size=len(content), open=lambda: same)


class Expansion:
    """The entries found so far in an outermost archive, or in one submission of it."""

    def __init__(self, outermost: Entry, limits: Limits, rule: Rule) -> None:
        """Start without entries."""
        self._outermost, self._limits, self._rule = outermost, limits, rule
        self._deepest = min(limits.depth, DEEPEST)
        self._entries: list[Entry] = []
        self._ignored: dict[str, int] = {}
        self._contents: dict[bytes, bytes] = {}
        self._names = Names()
        self._folders: list[str] = []

    def entries_of(self, file: BinaryIO, budget: Budget | None) -> list[Entry]:
        """Return the entries of the outermost archive."""
        size = file.seek(0, os.SEEK_END)
        kind = kind_in(self._outermost.name, file)
        if kind is None:
            return [replace(self._outermost, obstacle=M_("is not an archive"))]
        budget = budget or budget_of(self._limits, size)
        self._expand(OpenArchive(self._outermost, kind, file, budget, 1))
        return self.entries()

    def entries(self, others: Iterable[Entry] = ()) -> list[Entry]:
        """Return the entries found, and folders that contain none of these and of ``others``."""
        found = [*self._entries, *others]
        for folder in empty_folders(self._folders, [each.name for each in found]):
            name = self._names.distinct(folder)
            found.append(Entry(self._path(folder), name, obstacle=NO_FILES, is_ignored=True))
        return found

    def _expand(self, archive: OpenArchive) -> None:
        self.scan(archive, partial(self.read, archive))

    def scan(self, archive: OpenArchive, read: Callable[[Entry, Member], None]) -> None:
        """Pass the files of an archive to ``read``; add other members and errors as entries."""
        is_empty = True
        try:
            for member in archive.members():
                archive.budget.take_member()
                found = self._found(member, archive)
                if found is not None:
                    read(*found)
                is_empty &= member.is_folder
        except (ExhaustedError, NotReadError) as error:
            self._entries.append(_not_read(archive.entry, error))
            return
        if is_empty:
            self._entries.append(replace(archive.entry, obstacle=NO_FILES))

    def _found(self, member: Member, archive: OpenArchive) -> tuple[Entry, Member] | None:
        """Return a member to read, with its entry; add any other member as an entry."""
        if member.is_folder:
            self._add_folder(member, archive)
            return None
        path, objection = placed(member.name)
        name = f"{archive.entry.name}/{path}"
        if not objection and (ignored := self._rule(name)):
            head, member = self._peeked(member, *ignored)
            if not (ignored[1] == NO_TEXT and _is_readable(name, head)):
                self._ignore(*ignored, holds_program=may_hold_program(name, head))
                return None
        name = self._names.distinct(name)
        entry = Entry(self._path(name), name, obstacle=objection or member.obstacle)
        if not entry.obstacle:
            return entry, member
        self._entries.append(entry)
        return None

    def _add_folder(self, member: Member, archive: OpenArchive) -> None:
        path, objection = placed(member.name)
        name = f"{archive.entry.name}/{path}"
        if objection:
            name = self._names.distinct(name)
            self._entries.append(Entry(self._path(name), name, obstacle=objection))
        elif ignored := self._rule(f"{name}/"):
            self._ignore(*ignored)
        else:
            self._folders.append(name)

    def _peeked(self, member: Member, prefix: str, reason: str) -> tuple[bytes, Member]:
        """Return the first bytes of an ignored member, if they can still change the reason."""
        is_telling = reason == NO_TEXT or with_program(reason) not in {reason, self._reason(prefix)}
        if member.obstacle or not is_telling:
            return b"", member
        try:
            return peeked(member, HEAD)
        except (*DAMAGE, NotReadError):
            return b"", member

    def _reason(self, prefix: str) -> str:
        return self._entries[self._ignored[prefix]].obstacle if prefix in self._ignored else ""

    def _ignore(self, prefix: str, reason: str, *, holds_program: bool = False) -> None:
        """Add one entry for everything ignored below a part of the path."""
        if holds_program:
            reason = with_program(reason)
        if prefix not in self._ignored:
            self._ignored[prefix] = len(self._entries)
            name = self._names.distinct(prefix)
            entry = Entry(self._path(prefix), name, obstacle=reason, is_ignored=True)
            self._entries.append(entry)
        elif holds_program:
            number = self._ignored[prefix]
            self._entries[number] = replace(self._entries[number], obstacle=reason)

    def leave_out(self, entry: Entry, error: ExhaustedError) -> None:
        """Add an entry for a file that exceeds its submission's budget."""
        self._entries.append(
            replace(entry, obstacle=M_(f"is skipped, as its submission {error}"), limit=error.limit)
        )

    def _path(self, name: str) -> str:
        if not name.startswith(self._outermost.name):
            return name
        return self._outermost.path + name.removeprefix(self._outermost.name)

    def read(self, archive: OpenArchive, entry: Entry, member: Member) -> None:
        """Add the file or the archive members in a member, or the reason why it cannot be read.

        Raises:
            ExhaustedError: It exceeds the rest of the archive's budget.
        """
        try:
            content, kind = self._unpacked(entry, archive.resolved(member), archive)
        except NotReadError as error:
            self._entries.append(_not_read(entry, error))
        except DAMAGE as error:
            self._entries.append(replace(entry, obstacle=damage(error)))
        else:
            # Identical files share one bytes object.
            same = self._contents.setdefault(content, content)
            archive.contents[entry.name.removeprefix(f"{archive.entry.name}/")] = same
            if kind is None:
                self._entries.append(Entry(entry.path, entry.name, same))
                return
            part = part_of(archive.budget, self._limits, len(content))
            self._expand(OpenArchive(entry, kind, io.BytesIO(content), part, archive.depth + 1))
            archive.budget.settle(part)

    def _unpacked(
        self, entry: Entry, member: Member, archive: OpenArchive
    ) -> tuple[bytes, Kind | None]:
        """Unpack a member; its kind is determined from the first bytes alone.

        Raises:
            ExhaustedError: It exceeds the rest of the archive's budget.
            LimitError: It is larger than allowed, or an archive nested too deep.
        """
        budget = archive.budget
        budget.require_possible(member.size)
        source = member.open()
        head = read_most(source, HEAD)
        kind = kind_of(entry.name, head)
        may_be_zip = kind is None and is_named_zip(entry.name)
        is_file = kind is None and not may_be_zip
        most = self._limits.of(entry.name) if is_file else budget.left + len(head)
        if is_file and member.size > most:
            raise too_large(most)
        if kind is not None and archive.depth >= self._deepest:
            depth = archive.depth + 1
            msg = f"is an archive at depth {depth}, deeper than {self._deepest}"
            raise LimitError(msg, "--max-depth")
        budget.require(member.size - len(head))
        content = read_most(source, most + 1 - len(head), head=head)
        if may_be_zip and is_archive(entry.name, content):
            return content, Kind.ZIP
        if len(content) > (self._limits.of(entry.name) if kind is None else most):
            raise too_large(most)
        return content, kind
