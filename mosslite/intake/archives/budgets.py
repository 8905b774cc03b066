"""What may be spent on unpacking: per archive, and per submission in it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from mosslite.intake.entries import LimitError
from mosslite.options import (
    FREE_BYTES,
    FREE_MEMBERS,
    LEAST_LISTED,
    MEMBER_BYTES,
    MOST_LISTED,
    MOST_PASSED,
    Limits,
)
from mosslite.reasons import Reason


class ExhaustedError(Exception):
    """Reading an archive exceeds a limit; the message names it and its option."""


@dataclass(slots=True)
class Allowance:
    """Bytes or files that may be taken.

    Attributes:
        most: How many in all.
        words: What is said if there are more, as in ``contains more than 3 files``.
        option: The option that sets the limit.
        whole: What it is a share of; None if of nothing.
        taken: How many were taken so far.
    """

    most: int
    words: str
    option: str
    whole: "Allowance | None" = None
    taken: int = 0

    @property
    def left(self) -> int:
        """How many may still be taken."""
        return self.most - self.taken

    def take(self, count: int) -> None:
        """Take so many, or the rest and raise an ExhaustedError if they are more than are left."""
        possible = min(count, self.left)
        self.taken += possible
        if self.whole is not None:
            self.whole.take(possible)
        self.require(count - possible)

    def require(self, count: int) -> None:
        """Raise an ExhaustedError if so many are more than are left."""
        if count > self.left:
            raise ExhaustedError(Reason.OVER_LIMIT.message(self.words, self.option))

    def require_possible(self, count: int) -> None:
        """Raise a LimitError if so many are more than all together."""
        if count > self.most:
            raise LimitError(self.option, self.words)


# The reasons why bytes and members exceed a limit, one that other archives share, and a share.
_WHOLE: Final = Reason.UNPACKED, Reason.MEMBERS
_IN_TOTAL: Final = Reason.UNPACKED_IN_TOTAL, Reason.MEMBERS_IN_TOTAL
_SHARE: Final = Reason.UNPACKED_SHARE, Reason.MEMBERS_SHARE


@dataclass(slots=True)
class Budget:
    """What may be spent on an archive, nested ones included."""

    unpacked: Allowance
    members: Allowance

    def part(self, size: int, later: int, ratio: int) -> "Budget":
        """Return what an archive in this one may take, before others of ``later`` bytes.

        It is all but what these can need within the ratio, or a part by its size if that is more.
        """
        if not later:
            return self
        (of_bytes, of_members), needed = _SHARE, ratio * later
        return Budget(
            _part(self.unpacked, of_bytes, size, later, needed),
            _part(self.members, of_members, size, later, needed // MEMBER_BYTES),
        )


def _part(whole: Allowance, reason: Reason, size: int, later: int, needed: int) -> Allowance:
    by_size = -(-whole.left * size // (size + later))
    most = max(by_size, whole.left - needed)
    return Allowance(most, reason.message(most), whole.option, whole)


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
    of_size = min(MOST_LISTED, limits.ratio * size // MEMBER_BYTES)
    members = max(LEAST_LISTED, limits.members, of_size)
    return _budget(limits.unpacked + MOST_PASSED, members, _IN_TOTAL)


def _within_ratio(budget: Budget, limits: Limits, size: int) -> Budget:
    """Return what an archive of ``size`` bytes may take of a budget, which nothing was taken of."""
    most = limits.ratio * size
    words = Reason.RATIO.message(limits.ratio)
    if most < FREE_BYTES:
        words = Reason.LEAST_AND_RATIO.message(FREE_BYTES >> 20, limits.ratio)
    count = max(FREE_MEMBERS, most // MEMBER_BYTES)
    of_size = Allowance(max(FREE_BYTES, most), words, "--max-ratio")
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
            [min(each.unpacked, max(FREE_BYTES, ratio * each.packed)) for each in demands.values()],
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
