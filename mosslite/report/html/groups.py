"""Groups of submissions connected by pairs, and their pages."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from mosslite.forests import DisjointSets
from mosslite.records import Pair, Report, Role, TokenizedSubmission, UnlistedPair
from mosslite.report.html.graph import Graph, Link, Wanted, draw_graph
from mosslite.report.html.site import Site
from mosslite.report.review import high_scores, threshold_of
from mosslite.report.timelines import timeline_of
from mosslite.report.wording import not_listed

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


# A group with more pairs per member than this, and with this share of all possible pairs, is
# dense: it is shown as a matrix, not as a graph.
_LINES_PER_NODE: Final = 2
_DENSE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Group:
    """Submissions connected by pairs above the threshold, by number, and these pairs by score."""

    number: int
    members: tuple[int, ...]
    links: tuple[Link, ...]

    @property
    def entries(self) -> list[Link]:
        """The listed pairs."""
        return [each for each in self.links if each.rank]

    @property
    def score(self) -> float:
        """The highest score of its pairs."""
        return self.links[0].score

    @property
    def is_dense(self) -> bool:
        """Whether most members are paired with most others, so that edges would hide each other."""
        most = len(self.members) * (len(self.members) - 1) // 2
        return len(self.links) > max(_LINES_PER_NODE * len(self.members), most * _DENSE)


def _matrix_of(group: Group) -> dict[tuple[int, int], _Cell]:
    """Return the pairs of a group by the numbers of both submissions, in either order.

    Empty for a group whose graph has room for its scores, and for one that is too large.
    """
    is_small = len(group.members) <= _MOST_IN_GRAPH and not group.is_dense
    if is_small or len(group.members) > _MOST_MEMBERS:
        return {}
    lowest, cells = min(each.score for each in group.links), {}
    for each in group.links:
        share = (each.score - lowest) / (1 - lowest) if lowest < 1 else 1.0
        cell = _Cell(each.score, each.rank, min(int(share * _SHADES) + 1, _SHADES))
        cells[each.left, each.right] = cells[each.right, each.left] = cell
    return cells


@dataclass(frozen=True, slots=True)
class Cases:
    """All pairs, the listed ones first, and the groups connected by those above the threshold."""

    threshold: float
    links: tuple[Link, ...]
    groups: tuple[Group, ...]

    @property
    def entries(self) -> list[Link]:
        """The listed pairs, by rank."""
        return [each for each in self.links if each.rank]


@dataclass(frozen=True, slots=True)
class _Pictures:
    """The larger groups in one graph, with waiting submissions, and each in a graph of its own."""

    of_all: Graph
    of_each: tuple[Graph, ...]


def cases_of(report: Report) -> Cases:
    """Find the groups of a report."""
    links = links_of(report)
    return Cases(threshold_of(report), links, groups_of(links))


def pictures_of(report: Report, cases: Cases) -> _Pictures:
    """Draw the groups of a report."""
    dense = {group.members for group in cases.groups if group.is_dense}
    large = [group for group in cases.groups if len(group.members) >= _LEAST_DRAWN]
    members, numbers = [group.members for group in large], [group.number for group in large]
    links = sorted(cases.links, key=lambda link: -link.score)
    each = (Wanted(group.links, [group.members], dense) for group in cases.groups)
    return _Pictures(
        draw_graph(report.submissions, Wanted(links, members, dense, numbers)),
        tuple(draw_graph(report.submissions, one) for one in each),
    )


def links_of(report: Report) -> tuple[Link, ...]:
    """Return the listed pairs, then those above the threshold that are not listed."""
    numbers, highs = report.numbers, high_scores(report)
    pairs: list[Pair | UnlistedPair] = [*report.pairs, *report.unlisted]
    ends = [(numbers[pair.left.name], numbers[pair.right.name]) for pair in pairs]
    near = _neighbours(end for pair, end in zip(pairs, ends, strict=True) if highs.hold(pair))
    return tuple(
        Link(
            pair,
            rank if rank <= len(report.pairs) else 0,
            left,
            right,
            limit=highs.limit_of(pair),
            others=len((near[left] | near[right]) - {left, right}),
        )
        for rank, (pair, (left, right)) in enumerate(zip(pairs, ends, strict=True), 1)
    )


def groups_of(links: Iterable[Link]) -> tuple[Group, ...]:
    """Return the groups of the pairs above the threshold, by descending score."""
    high = sorted((link for link in links if link.is_high), key=lambda link: -link.score)
    sets = DisjointSets[int]()
    for link in high:
        sets.join(link.left, link.right)
    inside: dict[int, list[Link]] = {}
    for link in high:
        inside.setdefault(sets.find(link.left), []).append(link)
    return tuple(
        Group(number, tuple(sorted({end for link in own for end in link.ends})), tuple(own))
        for number, own in enumerate(inside.values(), 1)
    )


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
    near = _neighbours(link.ends for link in group.links)
    return {member: len(near[member]) for member in group.members}


def _neighbours(ends: Iterable[tuple[int, int]]) -> Mapping[int, set[int]]:
    near = defaultdict[int, set[int]](set)
    for left, right in ends:
        near[left].add(right)
        near[right].add(left)
    return near
