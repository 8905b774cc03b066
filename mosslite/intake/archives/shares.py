"""Divides what an archive may cost among the submissions in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.intake.archives.budget import Bound, Budget, bound_of_ratio

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mosslite.options import Limits

__all__ = ["Shares"]

# Each round shares out what those before have left over; most batches need one.
_MOST_ROUNDS: Final = 3


class Shares:
    """What each of several submissions may cost, where there is a limit to all of them together.

    In each round those that are waiting have equal shares. Who needs no more than a share is done,
    and what is left over is for the others, so that nobody goes short because of another one.

    Attributes:
        waiting: Those that are to be read, or to be read again.
    """

    def __init__(self, limits: Limits, sizes: Mapping[str, int]) -> None:
        """Take the submissions, and how many bytes of the archive are theirs."""
        self.waiting: Sequence[str] = list(sizes)
        self._limits, self._sizes = limits, sizes
        self._unpacked, self._members = limits.unpacked, limits.members
        self._rounds = 0

    def budgets(self) -> dict[str, Budget]:
        """Return what each of those that are waiting may cost in this round."""
        unpacked = self._bound(self._unpacked, "unpacks to more than {:,} bytes", "--max-unpacked")
        members = self._bound(self._members, "holds more than {:,} files", "--max-members")
        return {
            each: Budget(min(bound_of_ratio(self._limits, self._sizes[each]), unpacked), members)
            for each in self.waiting
        }

    def settle(self, budgets: Mapping[str, Budget]) -> list[str]:
        """End a round, and return who is done: all, where another round would change nothing."""
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

    def _bound(self, left: int, words: str, option: str) -> Bound:
        share = left // len(self.waiting)
        is_share = len(self._sizes) > 1
        whose = ", its share of what all may" if is_share else ""
        return Bound(share, words.format(share) + whose, option, is_share)
