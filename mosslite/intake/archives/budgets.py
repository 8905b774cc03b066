"""What may be spent on unpacking: per archive, per archive in it, and per submission in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from mosslite.intake.entries import LimitError
from mosslite.messages import M_
from mosslite.options import (
    FREE_BYTES,
    FREE_MEMBERS,
    LEAST_LISTED,
    MEMBER_BYTES,
    MOST_LISTED,
    MOST_PASSED,
    MOST_ROUNDS,
    NESTED_BYTES,
    NESTED_MEMBERS,
    Limits,
)
from mosslite.reasons import Reason


class Bound(NamedTuple):
    """A limit, and the message for exceeding it.

    Attributes:
        words: The limit in words, as in ``contains more than 3 files``.
        option: The option that sets it.
        is_share: It is lower than the option because other submissions share it.
    """

    most: int
    words: str
    option: str
    is_share: bool = False


class ExhaustedError(Exception):
    """Reading an archive exceeds a limit; the message names it and its option."""

    def __init__(self, bound: Bound) -> None:
        super().__init__(Reason.OVER_LIMIT.message(bound.words, bound.option))


@dataclass(slots=True)
class Budget:
    """What may still be spent on an archive, nested ones included.

    Attributes:
        spent: Bytes unpacked so far; at most ``unpacked``.
        counted: Members read so far; at most ``members``.
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
        """Count unpacked bytes, or raise an ExhaustedError if they exceed the limit."""
        self.require(count)
        self.spent += count

    def require(self, count: int) -> None:
        """Raise an ExhaustedError if so many bytes exceed the rest of the budget."""
        if count > self.left:
            raise self._exhausted(self.unpacked)

    def require_possible(self, count: int) -> None:
        """Raise a LimitError if so many bytes exceed even the whole budget."""
        if count > self.unpacked.most:
            self.lacks_share |= self.unpacked.is_share
            raise LimitError(self.unpacked.option, self.unpacked.words)

    def take_member(self) -> None:
        """Count a member, or raise an ExhaustedError if it exceeds the limit."""
        self.require_members(1)
        self.counted += 1

    def require_members(self, count: int) -> None:
        """Raise an ExhaustedError if so many members, not read yet, exceed the limit."""
        if count > self.members_left:
            raise self._exhausted(self.members)

    def settle(self, part: "Budget") -> None:
        """Subtract the cost of a nested archive."""
        self.spent += part.spent
        self.counted += part.counted
        self.lacks_share |= part.lacks_share

    def _exhausted(self, bound: Bound) -> ExhaustedError:
        self.lacks_share |= bound.is_share
        return ExhaustedError(bound)


# The reasons why bytes and members exceed a limit, one that other archives share, and a share.
_WHOLE: Final = Reason.UNPACKED, Reason.MEMBERS
_IN_TOTAL: Final = Reason.UNPACKED_IN_TOTAL, Reason.MEMBERS_IN_TOTAL
_SHARE: Final = Reason.UNPACKED_SHARE, Reason.MEMBERS_SHARE


def _budget(unpacked: int, members: int, reasons: tuple[Reason, Reason], *why: str) -> Budget:
    """Return a budget; ``why`` it is lower than the options say, if it is a share."""
    of_bytes, of_members = reasons
    return Budget(
        Bound(unpacked, of_bytes.message(unpacked, *why), "--max-unpacked", bool(why)),
        Bound(members, of_members.message(members, *why), "--max-members", bool(why)),
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


def part_of(budget: Budget, limits: Limits, size: int) -> Budget:
    """Return the budget of a nested archive of ``size`` bytes within ``budget``.

    It is at most half of the rest, or a small minimum, so that a bad archive leaves something for
    its neighbours.
    """
    unpacked = max(budget.left // 2, min(budget.left, NESTED_BYTES))
    members = max(budget.members_left // 2, min(budget.members_left, NESTED_MEMBERS))
    part = _budget(unpacked, members, _SHARE, M_("the limit of the archives around it"))
    part.unpacked = part.unpacked._replace(is_share=budget.unpacked.is_share)
    part.members = part.members._replace(is_share=budget.members.is_share)
    return _within_ratio(part, limits, size)


def _within_ratio(budget: Budget, limits: Limits, size: int) -> Budget:
    """Return what an archive of ``size`` bytes may take of a budget, which nothing was taken of."""
    most = limits.ratio * size
    words = Reason.RATIO.message(limits.ratio)
    if most < FREE_BYTES:
        words = Reason.LEAST_AND_RATIO.message(FREE_BYTES >> 20, limits.ratio)
    count = max(FREE_MEMBERS, most // MEMBER_BYTES)
    of_files = Reason.MEMBERS_OF_SIZE.message(count)
    return Budget(
        min(Bound(max(FREE_BYTES, most), words, "--max-ratio"), budget.unpacked),
        min(Bound(count, of_files, "--max-ratio"), budget.members),
    )


class Shares:
    """Budgets of several submissions within a common limit.

    In each round the submissions waiting get equal shares. One that needs no more than its share is
    done, and the rest of it goes to the others, so that no submission loses by another's size.

    Attributes:
        waiting: Submissions to be read, or to be read again.
    """

    def __init__(self, limits: Limits, sizes: Mapping[str, int]) -> None:
        self.waiting: Sequence[str] = list(sizes)
        self._limits, self._sizes = limits, sizes
        self._rest = _budget(limits.unpacked, limits.members, _WHOLE)
        self._rounds = 0

    def budgets(self) -> dict[str, Budget]:
        """Return the budget of each waiting submission in this round."""
        share, count = self._rest, len(self.waiting)
        if len(self._sizes) > 1:
            unpacked, members = share.left // count, share.members_left // count
            share = _budget(unpacked, members, _SHARE, M_("its share of the limit"))
        return {
            name: _within_ratio(share, self._limits, self._sizes[name]) for name in self.waiting
        }

    def settle(self, budgets: Mapping[str, Budget]) -> list[str]:
        """End a round and return those finished: all, if another round would change nothing."""
        self._rounds += 1
        short = [each for each in self.waiting if budgets[each].lacks_share]
        if len(short) == len(self.waiting) or self._rounds == MOST_ROUNDS:
            short = []
        waiting = set(short)
        done = [each for each in self.waiting if each not in waiting]
        for each in done:
            self._rest.settle(budgets[each])
        self.waiting = short
        return done
