"""Computes the matches on both sides of ranked pairs, for many pairs at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.matching.rare_evidence import (
    DocumentFrequencies,
    RareTraces,
    document_frequencies,
    rare_evidence,
    rare_of,
)
from mosslite.matching.sides import Side, extended
from mosslite.matching.tiles import Tiles, tiles_of
from mosslite.parallel import blocks, do_all
from mosslite.ranges import chunks, covered, expand_ranges, segment_sums
from mosslite.ranking import Ranked
from mosslite.records import (
    Comparable,
    Detail,
    Location,
    Match,
    Pair,
    Progress,
    Tile,
    TokenizedSubmission,
)
from mosslite.winnowing.fingerprints import noise_kgrams


def block_numbers(
    left: Comparable, right: Comparable, tiles: Sequence[Tile], gap: int
) -> tuple[int, ...]:
    """Return the block number of each tile.

    As in SIGMOD 2003, section 5.2, consecutive matches on both sides are merged; here also with up
    to ``gap`` other tokens between them on either side, which allows for a statement inserted or
    changed.

    Args:
        left: Comparable tokens of one side.
        right: Comparable tokens of the other.
        tiles: In order of position on the left.
        gap: Maximum number of tokens between them.
    """
    begins = [1] * len(tiles[:1])
    for before, tile in pairwise(tiles):
        left_gap = tile.left_start - before.left_start - before.length
        right_gap = tile.right_start - before.right_start - before.length
        goes_on = (
            left_gap <= gap
            and 0 <= right_gap <= gap
            and left.documents[tile.left_start] == left.documents[before.left_start]
            and right.documents[tile.right_start] == right.documents[before.right_start]
        )
        begins.append(not goes_on)
    return tuple(accumulate(begins))


_Sides = tuple["Side", "Side"]


class _Coverage(NamedTuple):
    """How much of a pair is matched; see ``Pair`` for the fields."""

    left_similarity: float
    right_similarity: float
    similarity: float
    matched_tokens: int
    matched_lines: int
    longest_match: int


def _coverage_of(pairs: Sequence[_Sides], tiles: Tiles) -> list[_Coverage]:
    """Compute what the tiles of each pair cover."""
    owners = np.repeat(np.arange(len(pairs)), tiles.counts)
    longest = np.zeros(len(pairs), np.int64)
    np.maximum.at(longest, owners, tiles.lengths)
    lines = np.minimum(
        _line_counts([left for left, _ in pairs], tiles.lefts, tiles, owners),
        _line_counts([right for _, right in pairs], tiles.rights, tiles, owners),
    )
    tokens = segment_sums(tiles.lengths, tiles.counts)
    numbers = zip(tokens.tolist(), lines.tolist(), longest.tolist(), strict=True)
    return [_coverage(*sides, each) for sides, each in zip(pairs, numbers, strict=True)]


def _coverage(left: Side, right: Side, numbers: tuple[int, int, int]) -> _Coverage:
    matched, _, _ = numbers
    sizes = len(left.submission.comparable), len(right.submission.comparable)
    return _Coverage(
        _share(matched, sizes[0]),
        _share(matched, sizes[1]),
        _share(2 * matched, sum(sizes)),
        *numbers,
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _line_counts(
    sides: Sequence[Side], starts: NDArray[np.int64], tiles: Tiles, owners: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count the lines of each side that contain a token of its tiles."""
    places = [each.places for each in sides]
    line_counts = np.array([each.line_count for each in places], np.int64)
    sizes = np.array([len(each.shifts) for each in places], np.int64)
    held = expand_ranges(starts + _shifts(sizes)[owners], tiles.lengths)
    shifts = np.concatenate([each.shifts for each in places])
    shifts += np.repeat(_shifts(line_counts)[:-1], sizes)
    firsts = np.concatenate([each.first_lines for each in places])[held] + shifts[held]
    lasts = np.concatenate([each.last_lines for each in places])[held] + shifts[held]
    return segment_sums(covered(firsts - 1, lasts, int(line_counts.sum())), line_counts)


def _shifts(sizes: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the start of each column after concatenation, and the end of the last."""
    return np.append(0, np.cumsum(sizes, dtype=np.int64))


def _matches_of(pairs: Sequence[_Sides], tiles: Tiles) -> Iterator[tuple[Match, ...]]:
    """Yield the matches of each pair, in order of position on the left."""
    rows = zip(tiles.lefts.tolist(), tiles.rights.tolist(), tiles.lengths.tolist(), strict=True)
    all_tiles = [Tile(*row) for row in rows]
    for sides, (first, stop) in zip(pairs, pairwise(_shifts(tiles.counts).tolist()), strict=True):
        yield tuple(_matches(*sides, all_tiles[first:stop]))


def _matches(left: Side, right: Side, tiles: Sequence[Tile]) -> Iterator[Match]:
    ours = _places(left, [tile.left_start for tile in tiles], tiles)
    theirs = _places(right, [tile.right_start for tile in tiles], tiles)
    comparables = left.submission.comparable, right.submission.comparable
    gap = min((each.thresholds.noise for each in comparables[0].segments), default=0)
    blocks = block_numbers(*comparables, tiles, gap)
    for tile, block, place, other in zip(tiles, blocks, ours, theirs, strict=True):
        lines = left.free_lines[place.document], right.free_lines[other.document]
        yield Match(*extended(place, other, *lines), tile.length, block)


def _places(side: Side, starts: list[int], tiles: Sequence[Tile]) -> Iterator[Location]:
    """Yield the locations of tiles on one side."""
    lasts = [start + tile.length - 1 for start, tile in zip(starts, tiles, strict=True)]
    columns = (
        side.submission.comparable.documents[starts],
        side.places.starts[starts],
        side.places.stops[lasts],
        side.places.first_lines[starts],
        side.places.last_lines[lasts],
    )
    return map(Location, *(column.tolist() for column in columns))


# Number of pairs matched in one task, and of tokens in pairs processed together.
_TOGETHER = 8
_TOKENS_AT_ONCE = 200_000

Found = dict[str, object]
"""Attributes of a pair by name: what a process sends another that has the submissions, too."""


def matched(
    submissions: Sequence[TokenizedSubmission],
    ranking: Sequence[Ranked],
    progress: Progress,
    *,
    detail: Detail = Detail.MATCHES,
    processes: int = 1,
) -> tuple[Pair, ...]:
    """Find the matches and the rare evidence of pairs, in the given order.

    Args:
        submissions: All of the batch, as rarity depends on all of them.
        ranking: The pairs to match.
        progress: Called with the number of pairs matched.
        detail: What is computed at once.
        processes: Maximum number of processes, including this one.
    """
    finder = Finder(submissions, partial(document_frequencies, submissions))
    if detail is Detail.SCORE or not ranking:
        return finder.pairs(ranking)
    found = _found_at_once(finder, ranking, progress, detail=detail, processes=processes)
    return finder.pairs(ranking, found)


class Finder:
    """Finds matches and evidence of pairs; each submission is prepared once."""

    def __init__(
        self,
        submissions: Sequence[TokenizedSubmission],
        frequencies: Callable[[], DocumentFrequencies],
    ) -> None:
        """Store the submissions by number, and a function that counts features of the batch."""
        self._works, self._frequencies = submissions, frequencies
        self.side = cache(self._side)
        self.rare = cache(self._rare)

    @cached_property
    def frequencies(self) -> DocumentFrequencies:
        """The document frequencies of the batch."""
        return self._frequencies()

    def pairs(
        self, ranking: Sequence[Ranked], found: Sequence[Found] | None = None
    ) -> tuple[Pair, ...]:
        """Return pairs whose remaining attributes are computed on first access."""
        known: Sequence[Found] = [{}] * len(ranking) if found is None else found
        return tuple(
            Pair.deferred(
                self._works[each.left],
                self._works[each.right],
                each.score,
                partial(self.find, each.left, each.right),
                attributes,
            )
            for each, attributes in zip(ranking, known, strict=True)
        )

    def found(self, some: Sequence[Ranked], detail: Detail) -> list[Found]:
        """Match some pairs."""
        return _matcher_of(self, some, detail).found(some)

    def find(self, left: int, right: int, name: str) -> Found:
        """Return an attribute of a pair, together with those computed along with it."""
        if name == "rare_evidence":
            return {name: self.evidence(left, right)}
        detail = Detail.MATCHES if name == "matches" else Detail.COVERAGE
        return next(_shared([(self.side(left), self.side(right))], 0, detail))

    def evidence(self, left: int, right: int) -> object:
        """Return the rare evidence of a pair."""
        return rare_evidence(self.rare(left), self.rare(right), self.frequencies)

    def _side(self, number: int) -> Side:
        submission = self._works[number]
        return Side(submission, noise_kgrams(submission.comparable))

    def _rare(self, number: int) -> RareTraces:
        return rare_of(self._works[number], self.frequencies)


def _shared(pairs: Sequence[tuple[Side, Side]], distinct: int, detail: Detail) -> Iterator[Found]:
    """Find the matches of some pairs; ``distinct`` is as in ``tiles_of``."""
    tiles = tiles_of(pairs, distinct)
    coverage = [each._asdict() for each in _coverage_of(pairs, tiles)]
    if detail < Detail.MATCHES:
        yield from coverage
        return
    for numbers, matches in zip(coverage, _matches_of(pairs, tiles), strict=True):
        yield numbers | {"matches": matches}


def _found_at_once(
    finder: Finder,
    ranking: Sequence[Ranked],
    progress: Progress,
    *,
    detail: Detail,
    processes: int,
) -> list[Found]:
    progress("matching", 0, len(ranking))
    matcher = _matcher_of(finder, ranking, detail)
    tasks = [
        partial(matcher.found, ranking[block.start - 1 : block.stop - 1])
        for block in blocks(len(ranking), _TOGETHER)
    ]
    found = do_all(
        tasks,
        processes=processes,
        on_progress=lambda done: progress(
            "matching", len(ranking) * done // len(tasks), len(ranking)
        ),
    )
    return list(chain.from_iterable(found))


@dataclass(frozen=True, slots=True, eq=False)
class _Matcher:
    """The submissions of shown pairs, prepared before processes are forked.

    Attributes:
        sides: By submission number; equal k-grams have equal numbers in all of them.
        distinct: Number of distinct k-grams.
        evidence: Returns the rare evidence of two submissions.
    """

    sides: Mapping[int, Side]
    distinct: int
    detail: Detail
    evidence: Callable[[int, int], object]

    def found(self, some: Sequence[Ranked]) -> list[Found]:
        """Match some pairs."""
        sides = [(self.sides[each.left], self.sides[each.right]) for each in some]
        costs = [sum(len(side.submission.comparable) for side in both) for both in sides]
        found = [
            each
            for block in chunks(np.array(costs, np.int64), _TOKENS_AT_ONCE)
            for each in _shared(sides[block], self.distinct, self.detail)
        ]
        if self.detail is Detail.MATCHES:
            for each, pair in zip(found, some, strict=True):
                each["rare_evidence"] = self.evidence(pair.left, pair.right)
        return found


def _matcher_of(finder: Finder, ranking: Sequence[Ranked], detail: Detail) -> _Matcher:
    shown = sorted({side for each in ranking for side in (each.left, each.right)})
    sides = [finder.side(number) for number in shown]
    hashes = np.concatenate([side.grams.hashes for side in sides])
    values, numbers = np.unique(hashes, return_inverse=True)
    stops = np.cumsum([len(side.grams.hashes) for side in sides])[:-1]
    columns = np.split(numbers.astype(np.uint64), stops)
    if detail is Detail.MATCHES:
        for number in shown:
            finder.rare(number)
    return _Matcher(
        sides={
            number: side.numbered(column)
            for number, side, column in zip(shown, sides, columns, strict=True)
        },
        distinct=len(values),
        detail=detail,
        evidence=finder.evidence,
    )
