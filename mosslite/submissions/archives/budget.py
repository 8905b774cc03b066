"""Counts what unpacking costs, and ends it in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mosslite.submissions.entries import LimitError

if TYPE_CHECKING:
    from mosslite.options import Limits

__all__ = [
    "Bound",
    "Budget",
    "ExhaustedError",
    "budget_of",
    "part_of",
]


# However small an archive is, it may unpack to this much: source code packs well.
_FREE_BYTES = 16 << 20
# What an archive in an archive may take although it is more than half of what is left.
_SHARE_BYTES = 16 << 20
_SHARE_MEMBERS = 1_000


class Bound(NamedTuple):
    """The most of something, and what to tell who wants more.

    Attributes:
        words: As in ``holds more than 3 files``.
        option: Which option sets it.
        is_share: It is less than the option says, as others need theirs.
    """

    most: int
    words: str
    option: str
    is_share: bool = False


class ExhaustedError(Exception):
    """An archive has cost what it may; the message names the limit and its option."""

    def __init__(self, bound: Bound) -> None:
        """Take the limit that was met."""
        super().__init__(f"{bound.words} ({bound.option})")
        self.limit = bound.option


@dataclass(slots=True)
class Budget:
    """What an archive, with those in it, may still cost.

    Attributes:
        unpacked: Bytes it may unpack to.
        members: How many it may hold.
        spent: Bytes it has been unpacked to; never more than may be.
        counted: Members that have been read; never more than may be.
        lacks_share: Something was refused that a larger share would allow.
    """

    unpacked: Bound
    members: Bound
    spent: int = 0
    counted: int = 0
    lacks_share: bool = False

    @property
    def left(self) -> int:
        """Bytes that may still be unpacked."""
        return self.unpacked.most - self.spent

    @property
    def members_left(self) -> int:
        """Members that may still be read."""
        return self.members.most - self.counted

    def take(self, count: int) -> None:
        """Count unpacked bytes.

        Raises:
            ExhaustedError: They are too many.
        """
        self.require(count)
        self.spent += count

    def require(self, count: int) -> None:
        """Refuse what cannot be unpacked any more, before it is.

        Raises:
            ExhaustedError: These bytes would be too many.
        """
        if count > self.left:
            raise self._exhausted(self.unpacked)

    def require_possible(self, count: int) -> None:
        """Refuse what could not be unpacked if there were nothing else.

        Raises:
            LimitError: These bytes alone would be too many.
        """
        if count > self.unpacked.most:
            raise LimitError(self.unpacked.words, self._exhausted(self.unpacked).limit)

    def take_member(self) -> None:
        """Count a member.

        Raises:
            ExhaustedError: It is one too many.
        """
        self.require_members(1)
        self.counted += 1

    def require_members(self, count: int) -> None:
        """Refuse an archive of so many members before they are read.

        Raises:
            ExhaustedError: These would be too many.
        """
        if count > self.members_left:
            raise self._exhausted(self.members)

    def settle(self, part: Budget) -> None:
        """Count what an archive in this one has cost."""
        self.spent += part.spent
        self.counted += part.counted
        self.lacks_share |= part.lacks_share

    def _exhausted(self, bound: Bound) -> ExhaustedError:
        self.lacks_share |= bound.is_share
        return ExhaustedError(bound)


def budget_of(limits: Limits, size: int) -> Budget:
    """Return the budget of an archive of ``size`` bytes that is in no other."""
    words = f"unpacks to more than {limits.unpacked:,} bytes"
    unpacked = Bound(limits.unpacked, words, "--max-unpacked")
    words = f"holds more than {limits.members:,} files"
    return Budget(
        min(bound_of_ratio(limits, size), unpacked), Bound(limits.members, words, "--max-members")
    )


def part_of(budget: Budget, limits: Limits, size: int) -> Budget:
    """Return the budget of an archive of ``size`` bytes in the one that ``budget`` is of.

    It is at most half of what is left, or little: then a bad archive leaves something for those
    beside it.
    """
    why = "as much as the archives around it allow"
    share = _share(budget.left, _SHARE_BYTES)
    words = f"unpacks to more than {share:,} bytes, {why}"
    unpacked = Bound(share, words, "--max-unpacked", budget.unpacked.is_share)
    share = _share(budget.members_left, _SHARE_MEMBERS)
    words = f"holds more than {share:,} files, {why}"
    files = Bound(share, words, "--max-members", budget.members.is_share)
    return Budget(min(bound_of_ratio(limits, size), unpacked), files)


def _share(left: int, little: int) -> int:
    return max(left // 2, min(left, little))


def bound_of_ratio(limits: Limits, size: int) -> Bound:
    most = limits.ratio * size
    if most >= _FREE_BYTES:
        return Bound(most, f"unpacks to more than {limits.ratio:,} times its size", "--max-ratio")
    words = f"{_FREE_BYTES >> 20} MiB and {limits.ratio:,} times its size"
    return Bound(_FREE_BYTES, f"unpacks to more than {words}", "--max-ratio")
