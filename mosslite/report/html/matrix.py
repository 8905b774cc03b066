"""A dense group as a table: who shares how much code with whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from mosslite.report.html.groups import Group

__all__ = ["Cell", "matrix_of"]

# A larger table is wider than any screen; the list of members remains.
_MOST_MEMBERS: Final = 60

# Shades from the threshold to score 1.
_SHADES: Final = 5


class Cell(NamedTuple):
    """A pair of the group.

    Attributes:
        rank: Of its page; 0 where it has none.
        shade: From 1 to 5, the higher the score the more.
    """

    score: float
    rank: int
    shade: int


def matrix_of(group: Group) -> dict[tuple[int, int], Cell]:
    """Return the pairs of a dense group by the numbers of both submissions, in either order.

    It is empty for a group that a picture with lines shows better, or that is too large.
    """
    if not group.is_dense or len(group.members) > _MOST_MEMBERS:
        return {}
    pairs = [(each.left, each.right, each.score, each.rank) for each in group.entries]
    pairs += [(each.left, each.right, each.score, 0) for each in group.unlisted]
    lowest = min(score for _, _, score, _ in pairs)
    cells = {}
    for left, right, score, rank in pairs:
        share = (score - lowest) / (1 - lowest) if lowest < 1 else 1.0
        cell = Cell(score, rank, min(int(share * _SHADES) + 1, _SHADES))
        cells[left, right] = cells[right, left] = cell
    return cells
