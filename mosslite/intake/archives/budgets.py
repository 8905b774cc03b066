"""What may be spent on unpacking: per archive, and per submission in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mosslite.intake.entries import LimitError
from mosslite.options import (
    FREE_BYTES,
    FREE_MEMBERS,
    LEAST_LISTED,
    MEMBER_BYTES,
    MOST_LISTED,
    MOST_PASSED,
    MOST_ROUNDS,
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
        is_share: It is lower than the option because other submissions share it.
        taken: How many were taken so far.
        is_short: Something was refused that a larger share would allow.
    """

    most: int
    words: str
    option: str
    is_share: bool = False
    taken: int = 0
    is_short: bool = False

    @property
    def left(self) -> int:
        """How many may still be taken."""
        return self.most - self.taken

    def take(self, count: int) -> None:
        """Take so many, or raise an ExhaustedError if they are more than are left."""
        self.require(count)
        self.taken += count

    def require(self, count: int) -> None:
        """Raise an ExhaustedError if so many are more than are left."""
        if count > self.left:
            self.is_short |= self.is_share
            raise ExhaustedError(Reason.OVER_LIMIT.message(self.words, self.option))

    def require_possible(self, count: int) -> None:
        """Raise a LimitError if so many are more than all together."""
        if count > self.most:
            self.is_short |= self.is_share
            raise LimitError(self.option, self.words)


@dataclass(slots=True)
class Budget:
    """What may be spent on an archive, nested ones included."""

    unpacked: Allowance
    members: Allowance

    @property
    def is_short(self) -> bool:
        """Whether something was refused that a larger share would allow."""
        return self.unpacked.is_short or self.members.is_short


# The reasons why bytes and members exceed a limit, one that other archives share, and a share.
_WHOLE: Final = Reason.UNPACKED, Reason.MEMBERS
_IN_TOTAL: Final = Reason.UNPACKED_IN_TOTAL, Reason.MEMBERS_IN_TOTAL
_SHARE: Final = Reason.UNPACKED_SHARE, Reason.MEMBERS_SHARE


def _budget(unpacked: int, members: int, reasons: tuple[Reason, Reason]) -> Budget:
    of_bytes, of_members = reasons
    is_share = reasons is _SHARE
    return Budget(
        Allowance(unpacked, of_bytes.message(unpacked), "--max-unpacked", is_share),
        Allowance(members, of_members.message(members), "--max-members", is_share),
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
        count = len(self.waiting)
        unpacked, members = self._rest.unpacked.left, self._rest.members.left
        reasons = _WHOLE if len(self._sizes) == 1 else _SHARE
        return {
            name: _within_ratio(
                _budget(unpacked // count, members // count, reasons),
                self._limits,
                self._sizes[name],
            )
            for name in self.waiting
        }

    def settle(self, budgets: Mapping[str, Budget]) -> list[str]:
        """End a round and return those finished: all, if another round would change nothing."""
        self._rounds += 1
        short = {each for each in self.waiting if budgets[each].is_short}
        if len(short) == len(self.waiting) or self._rounds == MOST_ROUNDS:
            short = set()
        done = [each for each in self.waiting if each not in short]
        for each in done:
            self._rest.unpacked.taken += budgets[each].unpacked.taken
            self._rest.members.taken += budgets[each].members.taken
        self.waiting = [each for each in self.waiting if each in short]
        return done
