"""Groups of submissions connected by pairs, and their pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.forests import DisjointSets
from mosslite.records import Pair, Report, Role, TokenizedSubmission
from mosslite.report.html.graph import Graph, Wanted, draw_graph
from mosslite.report.review import high_scores, threshold_of
from mosslite.report.timelines import timeline_of
from mosslite.report.wording import not_listed

if TYPE_CHECKING:
    from mosslite.report.html.site import Site

# A graph of two submissions shows no more than the row of the pair.
_LEAST_DRAWN: Final = 3

# In the graph of a larger group few scores have room.
_MOST_IN_GRAPH: Final = 9
# Larger matrices are wider than any screen; the list of members is shown instead.
_MOST_MEMBERS: Final = 60

# Shades from the threshold to score 1.
_SHADES: Final = 5


class _Cell(NamedTuple):
    """A pair of the group.

    Attributes:
        rank: Number of the pair's page; 0 without one.
        shade: From 1 to 5, increasing with the score.
    """

    score: float
    rank: int
    shade: int


def _matrix_of(group: Group) -> dict[tuple[int, int], _Cell]:
    """Return the pairs of a group by the numbers of both submissions, in either order.

    Empty for a group whose graph has room for its scores, and for one that is too large.
    """
    is_small = len(group.members) <= _MOST_IN_GRAPH and not group.is_dense
    if is_small or len(group.members) > _MOST_MEMBERS:
        return {}
    pairs = [(each.left, each.right, each.score, each.rank) for each in group.entries]
    pairs += [(each.left, each.right, each.score, 0) for each in group.unlisted]
    lowest = min(score for _, _, score, _ in pairs)
    cells = {}
    for left, right, score, rank in pairs:
        share = (score - lowest) / (1 - lowest) if lowest < 1 else 1.0
        cell = _Cell(score, rank, min(int(share * _SHADES) + 1, _SHADES))
        cells[left, right] = cells[right, left] = cell
    return cells


# A group with more pairs per member than this, and with this share of all possible pairs, is
# dense: it is shown as a matrix, not as a graph.
_LINES_PER_NODE: Final = 2
_DENSE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Entry:
    """A listed pair with its rank and the numbers of its submissions, all from 1.

    Attributes:
        limit: The threshold for a pair like this, which can differ between languages.
        others: Number of other submissions in pairs above the threshold with one of the two.
    """

    pair: Pair
    rank: int
    left: int
    right: int
    limit: float
    others: int

    @property
    def score(self) -> float:
        """The pair's score."""
        return self.pair.score

    @property
    def is_high(self) -> bool:
        """Whether it is above the threshold."""
        return self.score >= self.limit


class _Unlisted(NamedTuple):
    """A pair above the threshold without a page, by the numbers of its submissions."""

    left: int
    right: int
    score: float
    limit: float
    rank: int = 0
    is_high: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """Submissions connected by pairs above the threshold, by number, and these pairs by rank.

    Attributes:
        unlisted: Further pairs above the threshold, by descending score.
    """

    number: int
    members: tuple[int, ...]
    entries: tuple[Entry, ...]
    unlisted: tuple[_Unlisted, ...] = ()

    @property
    def score(self) -> float:
        """The highest score of its pairs."""
        listed, unlisted = self.entries[:1], self.unlisted[:1]
        return max([each.score for each in listed] + [each.score for each in unlisted])

    @property
    def pair_count(self) -> int:
        """Number of pairs above the threshold, listed or not."""
        return len(self.entries) + len(self.unlisted)

    @property
    def is_dense(self) -> bool:
        """Whether most members are paired with most others, so that edges would hide each other."""
        most = len(self.members) * (len(self.members) - 1) // 2
        return self.pair_count > max(_LINES_PER_NODE * len(self.members), most * _DENSE)


@dataclass(frozen=True, slots=True)
class Cases:
    """The listed pairs, and the groups connected by those above the threshold."""

    threshold: float
    entries: tuple[Entry, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class _Pictures:
    """The larger groups in one graph, with waiting submissions, and each in a graph of its own."""

    of_all: Graph
    of_each: tuple[Graph, ...]


def cases_of(report: Report) -> Cases:
    """Find the groups of a report."""
    threshold = threshold_of(report)
    entries = entries_of(report)
    return Cases(threshold, entries, groups_of(entries, _unlisted_of(report)))


def pictures_of(report: Report, cases: Cases) -> _Pictures:
    """Draw the groups of a report."""
    dense = {group.members for group in cases.groups if group.is_dense}
    large = [group for group in cases.groups if len(group.members) >= _LEAST_DRAWN]
    members, numbers = [group.members for group in large], [group.number for group in large]
    every = Wanted(_by_score([*cases.entries, *_unlisted_of(report)]), members, dense, numbers)
    each = (
        Wanted(_by_score([*group.entries, *group.unlisted]), [group.members], dense)
        for group in cases.groups
    )
    return _Pictures(
        draw_graph(report.submissions, every),
        tuple(draw_graph(report.submissions, one) for one in each),
    )


def _by_score(links: list[Entry | _Unlisted]) -> list[Entry | _Unlisted]:
    return sorted(links, key=lambda link: -link.score)


def entries_of(report: Report) -> tuple[Entry, ...]:
    """Return the listed pairs with ranks and submission numbers."""
    numbers, highs = _numbers(report), high_scores(report)
    ends = [(numbers[pair.left.name], numbers[pair.right.name]) for pair in report.pairs]
    high = [highs.hold(pair) for pair in report.pairs]
    near = _neighbours(
        [
            *(end for end, is_high in zip(ends, high, strict=True) if is_high),
            *((each.left, each.right) for each in _unlisted_of(report)),
        ]
    )
    return tuple(
        Entry(
            pair,
            rank,
            *end,
            limit=highs.limit_of(pair),
            others=len((near.get(end[0], set()) | near.get(end[1], set())) - {*end}),
        )
        for rank, (pair, end) in enumerate(zip(report.pairs, ends, strict=True), 1)
    )


def _unlisted_of(report: Report) -> tuple[_Unlisted, ...]:
    """Return the unlisted pairs above the threshold, with submission numbers."""
    numbers, highs = _numbers(report), high_scores(report)
    return tuple(
        _Unlisted(
            numbers[each.left.name], numbers[each.right.name], each.score, highs.limit_of(each)
        )
        for each in report.unlisted
    )


def groups_of(entries: Sequence[Entry], unlisted: Sequence[_Unlisted] = ()) -> tuple[Group, ...]:
    """Return the groups of the pairs above the threshold, by descending score.

    Args:
        entries: The listed pairs, by descending score.
        unlisted: Other pairs above the threshold, likewise.
    """
    high: list[Entry | _Unlisted] = [entry for entry in entries if entry.is_high]
    high += unlisted
    sets = DisjointSets()
    for pair in high:
        sets.join(pair.left, pair.right)
    inside: dict[int, tuple[list[Entry], list[_Unlisted]]] = {}
    for pair in sorted(high, key=lambda pair: -pair.score):
        listed, others = inside.setdefault(sets.find(pair.left), ([], []))
        listed.append(pair) if isinstance(pair, Entry) else others.append(pair)
    return tuple(
        Group(number, _members([*listed, *others]), tuple(listed), tuple(others))
        for number, (listed, others) in enumerate(inside.values(), 1)
    )


def _numbers(report: Report) -> dict[str, int]:
    return {submission.name: number for number, submission in enumerate(report.submissions, 1)}


def write_groups(report: Report, site: Site, cases: Cases, pictures: _Pictures) -> None:
    """Write a page for each group."""
    for group, graph in zip(cases.groups, pictures.of_each, strict=True):
        site.write_page(
            f"groups/{group.number}.html",
            "group.html",
            report=report,
            group=group,
            group_count=len(cases.groups),
            threshold=min((each.limit for each in group.entries), default=cases.threshold),
            graph=graph,
            hand_ins=timeline_of(group.members, report.submissions),
            links=_links(group),
            matrix=_matrix_of(group),
            not_listed=not_listed(report, site.texts),
            roles=other_roles(report.submissions[number - 1] for number in group.members),
        )


def other_roles(submissions: Iterable[TokenizedSubmission]) -> list[Role]:
    """Return the roles besides CURRENT that occur among submissions."""
    present = {submission.role for submission in submissions}
    return [role for role in (Role.PRIOR, Role.REFERENCE) if role in present]


def _links(group: Group) -> dict[int, int]:
    """Count, for each member, the others of its group with which it forms a pair."""
    pairs: list[Entry | _Unlisted] = [*group.entries, *group.unlisted]
    near = _neighbours((pair.left, pair.right) for pair in pairs)
    return {member: len(near[member]) for member in group.members}


def _neighbours(ends: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    near: dict[int, set[int]] = {}
    for left, right in ends:
        near.setdefault(left, set()).add(right)
        near.setdefault(right, set()).add(left)
    return near


def _members(pairs: Iterable[Entry | _Unlisted]) -> tuple[int, ...]:
    return tuple(sorted({end for pair in pairs for end in (pair.left, pair.right)}))
