"""Expands archives, nested ones included, into entries."""

from __future__ import annotations

import io
import os
import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, BinaryIO

from mosslite.submissions.archives.kinds import HEAD, Kind, kind_of, may_hold_program
from mosslite.submissions.archives.members import (
    DAMAGE,
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
from mosslite.submissions.disk import OnDisk, opened
from mosslite.submissions.entries import (
    NO_FILES,
    Entry,
    LimitError,
    Names,
    NotReadError,
    empty_folders,
    too_large,
)
from mosslite.submissions.ignoring import NO_TEXT, looks_like_text, with_program
from mosslite.texts import M_

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mosslite.options import Limits
    from mosslite.submissions.archives.members import Budget
    from mosslite.submissions.ignoring import Rule

__all__ = [
    "DEEPEST",
    "Expansion",
    "OpenArchive",
    "archive_entries",
    "members_of",
    "opened_archive",
]


_UNPACKERS = {Kind.GZIP: from_gzip, Kind.BZIP2: from_bzip2, Kind.XZ: from_xz}

_SHORT_SUFFIX = re.compile(r"\.(tgz|tbz2?|txz)$", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(gz|bz2?|xz)$", re.IGNORECASE)


def _members_of(kind: Kind, name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of an archive, each to be read before the next one is asked for.

    Raises:
        ExhaustedError: It costs more than the budget allows.
        NotReadError: It is not read, whatever is in it.
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
    """Return the members of a compressed tar file, or the one file that was compressed."""
    inner = _SUFFIX.sub("", _SHORT_SUFFIX.sub(".tar", PurePosixPath(name).name))
    if kind_of(inner, stream.peek(BLOCK)) is Kind.TAR:
        yield from tar_members(stream)
    else:
        yield Member(inner, open=lambda: stream)


# However deep a user allows archives to lie in each other: Python's stack has an end.
DEEPEST = 50


def archive_entries(
    archive: Entry, limits: Limits, rule: Rule, budget: Budget | None = None
) -> list[Entry]:
    """Return all members of an archive, those of archives in it included.

    Every member is an entry with its bytes or an obstacle, but for folders and for what is
    ignored. What is wrong with an archive as a whole is an entry named like the archive.

    Args:
        archive: Its name and path begin those of its members.
        limits: What it may cost.
        rule: Tells for a member's name which part of it is ignored and why; one entry then
            stands for all that share that part, and none of it is unpacked.
        budget: What it may cost where it shares that with others; else its own.

    Returns:
        Entries of different names, in their order; folders without a file are ignored ones.
    """
    if archive.obstacle:
        return [archive]
    bare = replace(archive, content=b"")
    try:
        with opened_archive(archive.content) as file:
            entries = Expansion(bare, limits, rule).entries_of(file, budget)
    except NotReadError as error:
        return [replace(bare, obstacle=str(error))]
    except OSError as error:
        return [replace(bare, obstacle=damage(error))]
    return sorted(members_of(archive, entries), key=lambda each: each.name)


def members_of(archive: Entry, entries: Iterable[Entry]) -> list[Entry]:
    """Return entries that know the file on disk that they are members of."""
    if not isinstance(archive.content, OnDisk):
        return list(entries)
    return [replace(each, archive=archive.content) for each in entries]


def opened_archive(content: bytes | OnDisk) -> BinaryIO:
    """Open an archive by its bytes or the file that holds them.

    Raises:
        NotReadError: It cannot be opened, or is not the file any more that was found.
    """
    return io.BytesIO(content) if isinstance(content, bytes) else opened(content)


def _is_readable(name: str, head: bytes) -> bool:
    """Return whether a file without a known name is text or an archive all the same."""
    return looks_like_text(head) or kind_of(name, head) is not None


def _not_read(entry: Entry, error: ExhaustedError | NotReadError) -> Entry:
    """Return what stands for an entry that is not read."""
    return replace(entry, obstacle=str(error), limit=error.limit)


@dataclass(frozen=True, slots=True)
class OpenArchive:
    """An archive that is being read, at a depth of 1 if it is in no other."""

    entry: Entry
    kind: Kind
    file: BinaryIO
    budget: Budget
    depth: int

    def members(self) -> Iterator[Member]:
        """Return its members.

        Raises:
            ExhaustedError: It costs more than it may.
            NotReadError: It is damaged, or of a kind that is not read.
        """
        try:
            yield from _members_of(self.kind, self.entry.name, self.file, self.budget)
        except DAMAGE as error:
            raise NotReadError(damage(error)) from error


class Expansion:
    """What has been found in an archive that is in no other, or of one submission in it."""

    def __init__(self, outermost: Entry, limits: Limits, rule: Rule) -> None:
        """Begin with nothing."""
        self._outermost, self._limits, self._rule = outermost, limits, rule
        self._deepest = min(limits.depth, DEEPEST)
        self._entries: list[Entry] = []
        self._ignored: dict[str, int] = {}
        self._contents: dict[bytes, bytes] = {}
        self._names = Names()
        self._folders: list[str] = []

    def entries_of(self, file: BinaryIO, budget: Budget | None) -> list[Entry]:
        """Return the entries of the outermost archive, as they are found."""
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        kind = kind_of(self._outermost.name, file.read(HEAD))
        file.seek(0)
        if kind is None:
            return [replace(self._outermost, obstacle=M_("is not an archive"))]
        budget = budget or budget_of(self._limits, size)
        self._expand(OpenArchive(self._outermost, kind, file, budget, 1))
        return self.entries()

    def entries(self, others: Iterable[Entry] = ()) -> list[Entry]:
        """Return what has been found, and the folders that nothing is in, the others neither."""
        found = [*self._entries, *others]
        for folder in empty_folders(self._folders, [each.name for each in found]):
            name = self._names.distinct(folder)
            found.append(Entry(self._path(folder), name, obstacle=NO_FILES, is_ignored=True))
        return found

    def _expand(self, archive: OpenArchive) -> None:
        self.scan(archive, partial(self.read, archive))

    def scan(self, archive: OpenArchive, read: Callable[[Entry, Member], None]) -> None:
        """Hand the files of an archive to ``read``; add what any other member is, and any end."""
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
        """Return a member that is to be read, and its entry; add what any other one is."""
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
        """Return the first bytes of a member that is ignored, where they can tell any more."""
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
        """Let one entry stand for all that is ignored with a part of the path."""
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
        """Add an entry that its submission can no longer afford."""
        self._entries.append(
            replace(entry, obstacle=M_(f"is skipped, as its submission {error}"), limit=error.limit)
        )

    def _path(self, name: str) -> str:
        if not name.startswith(self._outermost.name):
            return name
        return self._outermost.path + name.removeprefix(self._outermost.name)

    def read(self, archive: OpenArchive, entry: Entry, member: Member) -> None:
        """Add what a member holds: a file, an archive's members, or why it cannot be read.

        Raises:
            ExhaustedError: It does not fit into what is left of the archive's budget.
        """
        try:
            content, kind = self._unpacked(entry, member, archive)
        except NotReadError as error:
            self._entries.append(_not_read(entry, error))
        except DAMAGE as error:
            self._entries.append(replace(entry, obstacle=damage(error)))
        else:
            if kind is None:
                # Files that are the same are kept once.
                same = self._contents.setdefault(content, content)
                self._entries.append(Entry(entry.path, entry.name, same))
                return
            part = part_of(archive.budget, self._limits, len(content))
            self._expand(OpenArchive(entry, kind, io.BytesIO(content), part, archive.depth + 1))
            archive.budget.settle(part)

    def _unpacked(
        self, entry: Entry, member: Member, archive: OpenArchive
    ) -> tuple[bytes, Kind | None]:
        """Unpack a member, no more than its first bytes before it is known what it is.

        Raises:
            ExhaustedError: It does not fit into what is left of the archive's budget.
            LimitError: It is larger than it may be, or an archive too deep.
        """
        budget = archive.budget
        budget.require_possible(member.size)
        source = member.open()
        head = read_most(source, HEAD)
        kind = kind_of(entry.name, head)
        most = self._limits.of(entry.name) if kind is None else budget.left + len(head)
        if kind is None and member.size > most:
            raise too_large(most)
        if kind is not None and archive.depth >= self._deepest:
            depth = archive.depth + 1
            msg = f"is an archive at depth {depth}, deeper than {self._deepest}"
            raise LimitError(msg, "--max-depth")
        budget.require(member.size - len(head))
        content = read_most(source, most + 1 - len(head), head=head)
        if len(content) > most:
            raise too_large(most)
        return content, kind
