"""Reads an archive that contains a whole batch, with a budget for each submission in it."""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import BinaryIO, Final, NamedTuple

from mosslite.options import Limits
from mosslite.submissions.archives.expand import (
    DEEPEST,
    Expansion,
    OpenArchive,
    members_of,
    opened_archive,
)
from mosslite.submissions.archives.kinds import (
    HEAD,
    Kind,
    is_archive,
    is_named_zip,
    kind_in,
    kind_of,
)
from mosslite.submissions.archives.members import (
    DAMAGE,
    Bound,
    Budget,
    ExhaustedError,
    Member,
    bound_of_ratio,
    budget_of,
    damage,
    read_most,
)
from mosslite.submissions.archives.streams import Metered
from mosslite.submissions.disk import NotReadError
from mosslite.submissions.entries import Entry, Names
from mosslite.submissions.ignoring import Rule
from mosslite.submissions.platforms import is_metadata
from mosslite.texts import M_

# Each round distributes what earlier rounds left over; most batches need one.
_MOST_ROUNDS: Final = 3


class _Shares:
    """Budgets of several submissions within a common limit.

    In each round the submissions waiting get equal shares. One that needs no more than its share is
    done, and the rest of it goes to the others, so that no submission loses by another's size.

    Attributes:
        waiting: Submissions to be read, or to be read again.
    """

    def __init__(self, limits: Limits, sizes: Mapping[str, int]) -> None:
        """Start with the submissions and how many bytes of the archive belong to each."""
        self.waiting: Sequence[str] = list(sizes)
        self._limits, self._sizes = limits, sizes
        self._unpacked, self._members = limits.unpacked, limits.members
        self._rounds = 0

    def budgets(self) -> dict[str, Budget]:
        """Return the budget of each waiting submission in this round."""
        share = self._unpacked // len(self.waiting)
        words = M_(f"unpacks to more than {share:,} bytes")
        unpacked = self._bound(share, words, "--max-unpacked")
        share = self._members // len(self.waiting)
        members = self._bound(share, M_(f"contains more than {share:,} files"), "--max-members")
        return {
            each: Budget(min(bound_of_ratio(self._limits, self._sizes[each]), unpacked), members)
            for each in self.waiting
        }

    def settle(self, budgets: Mapping[str, Budget]) -> list[str]:
        """End a round and return those finished: all, if another round would change nothing."""
        self._rounds += 1
        short = [each for each in self.waiting if budgets[each].lacks_share]
        if len(short) == len(self.waiting) or self._rounds == _MOST_ROUNDS:
            short = []
        waiting = set(short)
        done = [each for each in self.waiting if each not in waiting]
        self._unpacked -= sum(budgets[each].spent for each in done)
        self._members -= sum(budgets[each].counted for each in done)
        self.waiting = short
        return done

    def _bound(self, share: int, words: str, option: str) -> Bound:
        is_share = len(self._sizes) > 1
        words = M_(f"{words}, its share of the limit") if is_share else words
        return Bound(share, words, option, is_share)


Owners = Callable[[Sequence[Entry]], Sequence[str]]
"""Returns for entries whose each is: equal for all that one student or team handed in."""

# Bytes that may be unpacked only to reach members behind them: that costs time, not memory.
_MOST_PASSED: Final = 1 << 30
_LEAST_LISTED: Final = 1_000_000
# Bytes of platforms' own files that are read to recognize them.
_MOST_METADATA: Final = 16 << 20


def listed_in(archive: Entry, limits: Limits, rule: Rule) -> list[Entry]:
    """Return what is in an archive of many submissions, as ``batch_entries`` shows it to owners.

    Nothing is listed of an archive that cannot be read.
    """
    bare = replace(archive, content=b"", is_archive=False)
    try:
        with opened_archive(archive.content) as file:
            return _Batch(bare, file, limits, rule).listed()
    except (NotReadError, OSError):
        return []


def batch_entries(archive: Entry, limits: Limits, rule: Rule, owners: Owners) -> list[Entry]:
    """Read like ``archive_entries`` an archive of many submissions.

    It is listed first to find the owner of each member; then each submission has the limits of
    an archive of its own, and a share of the limits of the whole one. If its only content is an
    archive, that one contains the batch instead.
    """
    if archive.obstacle:
        return [archive]
    bare = replace(archive, content=b"", is_archive=False)
    try:
        with opened_archive(archive.content) as file:
            found = _Batch(bare, file, limits, rule).entries(owners)
    except NotReadError as error:
        return [replace(bare, obstacle=str(error))]
    except OSError as error:
        return [replace(bare, obstacle=damage(error))]
    names = Names()
    distinct = [(names.distinct(each.name), each) for each in found]
    named = [each if each.name == name else replace(each, name=name) for name, each in distinct]
    return sorted(members_of(archive, named), key=lambda each: each.name)


class _File(NamedTuple):
    """A file in the archive, and how many bytes of the archive it takes; 0 if unknown."""

    entry: Entry
    packed: int


class _Batch:
    """An archive of many submissions; its depth is 1 if it is not in another."""

    def __init__(
        self, archive: Entry, file: BinaryIO, limits: Limits, rule: Rule, *, depth: int = 1
    ) -> None:
        """List the members of an archive."""
        self._archive, self._file, self._limits, self._rule = archive, file, limits, rule
        self._depth = depth
        self._size = file.seek(0, os.SEEK_END)
        self._kind = kind_in(archive.name, file)
        self._others = Expansion(archive, limits, rule)
        self._files: list[_File] = []
        self._metadata_left = _MOST_METADATA
        if self._kind is not None:
            self._others.scan(self._opened(self._kind), self._list)

    def entries(self, owners: Owners) -> list[Entry]:
        """Return the entries of the archive, with an obstacle where one cannot be read."""
        if self._kind is None:
            return [replace(self._archive, obstacle=M_("is not an archive"))]
        inner = self._only_archive(self._kind)
        if inner is not None:
            return self._others.entries(inner.entries(owners))
        files = [each.entry for each in self._files]
        listed = self._others.entries(files)
        whose = dict(zip((each.name for each in listed), owners(listed), strict=True))
        shares = _Shares(self._limits, self._sizes(whose))
        found: list[Entry] = []
        while shares.waiting:
            budgets = shares.budgets()
            read = self._read(self._kind, whose, budgets)
            for owner in shares.settle(budgets):
                found += read[owner].entries()
        names = {each.name for each in files}
        return [*found, *(each for each in listed if each.name not in names)]

    def listed(self) -> list[Entry]:
        """Return the entries, without the bytes of files but for platforms' own."""
        inner = None if self._kind is None else self._only_archive(self._kind)
        if inner is not None:
            return inner.listed()
        return self._others.entries([each.entry for each in self._files])

    def _opened(self, kind: Kind) -> OpenArchive:
        """Open at the start, with a budget for skipping members that are not read."""
        self._file.seek(0)
        most = self._limits.unpacked + _MOST_PASSED
        passed = Bound(most, M_(f"unpacks to more than {most:,} bytes in total"), "--max-unpacked")
        most = max(_LEAST_LISTED, self._limits.members)
        listed = Bound(most, M_(f"contains more than {most:,} files in total"), "--max-members")
        return OpenArchive(self._archive, kind, self._file, Budget(passed, listed), self._depth)

    def _list(self, entry: Entry, member: Member) -> None:
        packed = member.size if self._kind is Kind.TAR else member.packed
        if is_metadata(entry.name) and not member.link:
            with suppress(*DAMAGE, ExhaustedError, NotReadError):
                content = read_most(member.open(), self._metadata_left)
                self._metadata_left -= len(content)
                entry = replace(entry, content=content)
        self._files.append(_File(entry, packed))

    def _sizes(self, whose: Mapping[str, str]) -> dict[str, int]:
        """Return how many bytes of the archive each submission takes; equal shares if unknown."""
        sizes: Counter[str] = Counter()
        for each in self._files:
            sizes[whose[each.entry.name]] += each.packed
        if self._kind in (Kind.TAR, Kind.ZIP):
            return dict(sizes)
        return dict.fromkeys(sizes, self._size // max(len(sizes), 1))

    def _only_archive(self, kind: Kind) -> _Batch | None:
        """Return the archive that is the only content to read, if there is one."""
        if len(self._files) != 1 or self._depth >= min(self._limits.depth, DEEPEST):
            return None
        entry, content = self._files[0].entry, list[bytes]()
        budget = budget_of(self._limits, self._size)

        def read(_: Entry, member: Member) -> None:
            with suppress(*DAMAGE, ExhaustedError, NotReadError):
                source = Metered(member.open(), budget)
                head = read_most(source, HEAD)
                if kind_of(entry.name, head) is not None or is_named_zip(entry.name):
                    content.append(read_most(source, budget.left + 1, head=head))

        Expansion(self._archive, self._limits, self._rule).scan(self._opened(kind), read)
        if not content or not is_archive(entry.name, content[0]):
            return None
        file, depth = io.BytesIO(content[0]), self._depth + 1
        return _Batch(entry, file, self._limits, self._rule, depth=depth)

    def _read(
        self, kind: Kind, whose: Mapping[str, str], budgets: Mapping[str, Budget]
    ) -> dict[str, Expansion]:
        """Read the members of the submissions that have a budget."""
        found = {each: Expansion(self._archive, self._limits, self._rule) for each in budgets}
        archive = self._opened(kind)

        def read(entry: Entry, member: Member) -> None:
            owner = whose.get(entry.name)  # None for members added in between
            if owner in found:
                own = replace(archive, budget=budgets[owner])
                _read_at_own_cost(found[owner], own, entry, member)

        Expansion(self._archive, self._limits, self._rule).scan(archive, read)
        return found


def _read_at_own_cost(
    expansion: Expansion, archive: OpenArchive, entry: Entry, member: Member
) -> None:
    """Read a member within the budget of its submission; beyond that, leave it out."""
    metered = replace(member, open=lambda: Metered(member.open(), archive.budget))
    try:
        archive.budget.take_member()
        expansion.read(archive, entry, metered)
    except ExhaustedError as error:
        expansion.leave_out(entry, error)
