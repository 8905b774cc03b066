"""Counts what unpacking costs, and ends it in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mosslite.options import Limits

__all__ = ["Budget", "ExhaustedError", "budget_of", "part_of"]

# However small an archive is, it may unpack to this much: source code packs well.
_FREE_BYTES = 16 << 20
# What an archive in an archive may take although it is more than half of what is left.
_SHARE_BYTES = 16 << 20
_SHARE_MEMBERS = 1_000


class ExhaustedError(Exception):
    """An archive has cost what it may; the message names the limit and its option."""


@dataclass(slots=True)
class Budget:
    """What an archive, with those in it, may still cost.

    Attributes:
        most: Bytes it may unpack to.
        reason: Why no more, in words for the user.
        members: Members it may hold.
        members_reason: Why no more.
        spent: Bytes it has been unpacked to; never more than ``most``.
        counted: Members that have been read; never more than ``members``.
    """

    most: int
    reason: str
    members: int
    members_reason: str
    spent: int = 0
    counted: int = 0

    @property
    def left(self) -> int:
        """Bytes that may still be unpacked."""
        return self.most - self.spent

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
            raise ExhaustedError(self.reason)

    def take_member(self) -> None:
        """Count a member.

        Raises:
            ExhaustedError: It is one too many.
        """
        if self.counted == self.members:
            raise ExhaustedError(self.members_reason)
        self.counted += 1

    def settle(self, part: Budget) -> None:
        """Count what an archive in this one has cost."""
        self.spent += part.spent
        self.counted += part.counted


def budget_of(limits: Limits, size: int) -> Budget:
    """Give the budget of an archive of ``size`` bytes that is in no other."""
    most, reason = min(_of_ratio(limits, size), _of_all(limits))
    members_reason = f"holds more than {limits.members:,} files (--max-members)"
    return Budget(most, reason, limits.members, members_reason)


def part_of(budget: Budget, limits: Limits, size: int) -> Budget:
    """Give the budget of an archive of ``size`` bytes in the one that ``budget`` is of.

    It is at most half of what is left, or little: then a bad archive leaves something for those
    beside it.
    """
    share = _share(budget.left, _SHARE_BYTES)
    members = _share(budget.members - budget.counted, _SHARE_MEMBERS)
    why = "as much as the archives around it allow"
    reason = f"unpacks to more than {share:,} bytes, {why} (--max-unpacked)"
    members_reason = f"holds more than {members:,} files, {why} (--max-members)"
    return Budget(*min(_of_ratio(limits, size), (share, reason)), members, members_reason)


def _share(left: int, little: int) -> int:
    return max(left // 2, min(left, little))


def _of_ratio(limits: Limits, size: int) -> tuple[int, str]:
    most = limits.ratio * size
    if most >= _FREE_BYTES:
        return most, f"unpacks to more than {limits.ratio:,} times its size (--max-ratio)"
    words = f"{_FREE_BYTES >> 20} MiB and {limits.ratio:,} times its size"
    return _FREE_BYTES, f"unpacks to more than {words} (--max-ratio)"


def _of_all(limits: Limits) -> tuple[int, str]:
    return limits.unpacked, f"unpacks to more than {limits.unpacked:,} bytes (--max-unpacked)"
