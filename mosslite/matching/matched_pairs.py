"""Computes the matches on both sides of ranked pairs, for many pairs at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import chain, pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.matching.rare_evidence import (
    DocumentFrequencies,
    RareTraces,
    document_frequencies,
    rare_evidence,
    rare_of,
)
from mosslite.matching.sides import Side, Tiles, extended, segments_of, tiles_of
from mosslite.options import Options
from mosslite.parallel import blocks, do_all, processes_for
from mosslite.ranges import chunks, covered, expand_ranges, segment_sums
from mosslite.ranking import Ranked
from mosslite.records import (
    ByChance,
    Detail,
    Location,
    Match,
    Pair,
    Progress,
    Surprise,
    TokenizedSubmission,
)
from mosslite.winnowing.fingerprints import kgrams_in_order
from mosslite.winnowing.significance import (
    BIT,
    MOST_BETWEEN,
    Runs,
    bits_of_runs,
    chain_bits,
    expected_matches,
    least_bits,
)


def block_numbers(runs: Runs) -> tuple[int, ...]:
    """Return the block number of each match, from 1.

    As in SIGMOD 2003, section 5.2, consecutive matches on both sides are merged; here also with up
    to ``MOST_BETWEEN`` other tokens between them on either side, which allows for statements
    inserted or changed.

    Args:
        runs: The matches of one pair.
    """
    befores, afters = (slice(None, -1), slice(1, None))
    goes_on = np.ones(max(len(runs.lefts) - 1, 0), np.bool_)
    for starts in (runs.lefts, runs.rights):
        gaps = starts[afters] - starts[befores] - runs.lengths[befores]
        goes_on &= (gaps >= 0) & (gaps <= MOST_BETWEEN)
    for files in (runs.left_files, runs.right_files):
        goes_on &= files[afters] == files[befores]
    numbers = np.cumsum(np.append(True, ~goes_on))
    return tuple(numbers[: len(runs.lefts)].tolist())


_Sides = tuple["Side", "Side"]


class _Coverage(NamedTuple):
    """How much of a pair is matched; see ``Pair`` for the fields."""

    left_similarity: float
    right_similarity: float
    similarity: float
    matched_tokens: int
    matched_lines: int
    longest_match: int


# A submission of at least so many tokens that is wholly found in another one counts as contained,
# however likely its tokens are.
_LEAST_CONTAINED: Final = 60


class Judged(NamedTuple):
    """The tiles of some pairs, and what chance has to do with them; ``(t,)`` each.

    Attributes:
        runs: The tiles as ranges of the concatenated tokens of either side.
        owners: Number of the pair of each.
        bits: Information in each, in units of 1/256 bit.
        chained: Information in the best chain through each.
        counts: Whether it counts: chance does not explain it.
    """

    tiles: Tiles
    runs: Runs
    owners: NDArray[np.int64]
    bits: NDArray[np.int64]
    chained: NDArray[np.int64]
    counts: NDArray[np.bool_]

    def only(self, chosen: NDArray[np.bool_]) -> Judged:
        """Return the tiles that are marked."""
        owners = self.owners[chosen]
        counts = np.bincount(owners, minlength=len(self.tiles.counts))
        tiles = Tiles(counts, *(column[chosen] for column in self.tiles[1:]))
        runs = Runs(*(column[chosen] for column in self.runs))
        columns = (self.bits[chosen], self.chained[chosen], self.counts[chosen])
        return Judged(tiles, runs, owners, *columns)


def judged(pairs: Sequence[_Sides], tiles: Tiles, chance: float) -> Judged:
    """Judge the tiles of some pairs; those count of which at most ``chance`` are expected."""
    owners = np.repeat(np.arange(len(pairs)), tiles.counts)
    lefts, rights = [left for left, _ in pairs], [right for _, right in pairs]
    left = _on_side(lefts, tiles.lefts, tiles.lengths, owners)
    right = _on_side(rights, tiles.rights, tiles.lengths, owners)
    runs = Runs(left.starts, right.starts, tiles.lengths, left.files, right.files)
    bits = np.minimum(left.bits, right.bits)
    chained = chain_bits(runs, bits)
    least = [least_bits(chance, each.size, other.size) for each, other in pairs]
    is_large = np.minimum(left.sizes, right.sizes) >= _LEAST_CONTAINED
    is_equal = left.is_found & right.is_found
    counts = (
        (chained >= np.array(least, np.int64)[owners])
        | (left.is_found & is_large)
        | (right.is_found & is_large)
        | is_equal
    )
    return Judged(tiles, runs, owners, bits, chained, counts)


class _OnSide(NamedTuple):
    """The tiles of some pairs on one side; ``(t,)`` each.

    Attributes:
        starts: First token of each in the concatenated submissions.
        files: Number of the file of each; those of different submissions differ.
        bits: Information in each, in units of 1/256 bit.
        sizes: Number of comparable tokens of its submission.
        is_found: Whether it is a whole file of a submission of which each whole file is a tile.
    """

    starts: NDArray[np.int64]
    files: NDArray[np.int64]
    bits: NDArray[np.int64]
    sizes: NDArray[np.int64]
    is_found: NDArray[np.bool_]


def _on_side(
    sides: Sequence[Side],
    starts: NDArray[np.int64],
    lengths: NDArray[np.int64],
    owners: NDArray[np.int64],
) -> _OnSide:
    sizes = np.array([len(each.comparable) for each in sides], np.int64)
    shifted = starts + _shifts(sizes)[owners]
    firsts, stops, _ = segments_of(sides)
    files = np.searchsorted(stops, shifted, side="right")
    is_whole = (firsts[files] == shifted) & (stops[files] == shifted + lengths)
    found = np.bincount(owners, lengths * is_whole, len(sides)).astype(np.int64)
    bits = np.concatenate([each.comparable.bits for each in sides])
    return _OnSide(
        starts=shifted,
        files=files,
        bits=bits_of_runs(bits, shifted, lengths),
        sizes=sizes[owners],
        is_found=is_whole & (found == sizes)[owners],
    )


def _coverage_of(pairs: Sequence[_Sides], judged: Judged) -> list[_Coverage]:
    """Compute what the tiles of each pair cover."""
    tiles, owners = judged.tiles, judged.owners
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
    sizes = len(left.comparable), len(right.comparable)
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
    if not len(starts):
        return np.zeros(len(sides), np.int64)
    streams = [each.comparable.stream for each in sides]
    places = starts + _shifts([*map(len, streams)])[owners]
    firsts, stops, of_files = segments_of(sides)
    last_lines = np.concatenate([each.last_lines for each in streams])
    # The lines of all files in a row.
    line_counts = np.maximum.reduceat(last_lines, firsts).astype(np.int64)
    files = np.searchsorted(stops, places, side="right")
    shifts = np.repeat(_shifts(line_counts)[files], tiles.lengths)
    held = expand_ranges(places, tiles.lengths)
    first_lines = np.concatenate([each.lines for each in streams])[held] + shifts
    are_covered = covered(first_lines - 1, last_lines[held] + shifts, int(line_counts.sum()))
    by_file = segment_sums(are_covered, line_counts)
    return np.bincount(of_files, by_file, len(sides)).astype(np.int64)


def _shifts(sizes: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the start of each column after concatenation, and the end of the last."""
    return np.append(0, np.cumsum(sizes, dtype=np.int64))


def _matches_of(pairs: Sequence[_Sides], judged: Judged) -> Iterator[tuple[Match, ...]]:
    """Yield the matches of each pair, in order of position on the left."""
    stops = _shifts(judged.tiles.counts).tolist()
    for sides, (first, stop) in zip(pairs, pairwise(stops), strict=True):
        yield tuple(_matches(*sides, judged, slice(first, stop)))


def _matches(left: Side, right: Side, judged: Judged, here: slice) -> Iterator[Match]:
    _, lefts, rights, lengths = (column[here] for column in judged.tiles)
    ours, theirs = (
        map(Location, *(column.tolist() for column in _span(side, starts, lengths)))
        for side, starts in ((left, lefts), (right, rights))
    )
    blocks = block_numbers(Runs(*(column[here] for column in judged.runs)))
    surprises = [
        [_surprise(bits, left.size, right.size) for bits in column[here].tolist()]
        for column in (judged.bits, judged.chained)
    ]
    rows = zip(lengths.tolist(), blocks, ours, theirs, *surprises, strict=True)
    for length, block, place, other, alone, together in rows:
        lines = left.free_lines(place.document), right.free_lines(other.document)
        yield Match(*extended(place, other, *lines), length, block, alone, together)


def _by_chance(pairs: Sequence[_Sides], judged: Judged) -> Iterator[ByChance]:
    stops = _shifts(judged.tiles.counts).tolist()
    for (left, right), (first, stop) in zip(pairs, pairwise(stops), strict=True):
        _, lefts, rights, lengths = (column[first:stop] for column in judged.tiles)
        yield ByChance(
            lefts=np.column_stack(_span(left, lefts, lengths)[:3]),
            rights=np.column_stack(_span(right, rights, lengths)[:3]),
            tokens=lengths.astype(np.int32),
        )


def _surprise(bits: int, left: int, right: int) -> Surprise:
    expected = expected_matches(bits, left, right)
    return Surprise(round(bits / BIT, 1), float(f"{expected:.3g}"))


def _span(
    side: Side, starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> tuple[NDArray[np.int32], ...]:
    """Return the columns of the ``Location`` of each tile on one side."""
    stream, firsts, lasts = side.comparable.stream, starts, starts + lengths - 1
    while (is_end := (stream.starts[firsts] == stream.stops[firsts]) & (firsts < lasts)).any():
        firsts = firsts + is_end  # not at the end of a line above
    return (
        side.comparable.documents[firsts],
        stream.starts[firsts],
        stream.stops[lasts],
        stream.lines[firsts],
        stream.last_lines[lasts],
    )


# Number of pairs matched in one task, and of tokens in pairs processed together.
_TOGETHER = 8
_TOKENS_AT_ONCE = 200_000

Found = dict[str, object]
"""Attributes of a pair by name: what a process sends another that has the submissions, too."""


def matched(
    submissions: Sequence[TokenizedSubmission],
    ranking: Sequence[Ranked],
    options: Options,
    progress: Progress,
    *,
    detail: Detail = Detail.MATCHES,
) -> tuple[Pair, ...]:
    """Find the matches and the rare evidence of pairs, in the given order.

    Args:
        submissions: All of the batch, as rarity depends on all of them.
        ranking: The pairs to match.
        options: Maximum number of processes, and what counts as a match.
        progress: Called with the number of pairs matched.
        detail: What is computed at once.
    """
    finder = Finder(submissions, partial(document_frequencies, submissions), options.chance)
    if detail is Detail.SCORE or not ranking:
        return finder.pairs(ranking)
    processes = processes_for(options)
    found = _found_at_once(finder, ranking, progress, detail=detail, processes=processes)
    return finder.pairs(ranking, found)


class Finder:
    """Finds matches and evidence of pairs; each submission is prepared once."""

    def __init__(
        self,
        submissions: Sequence[TokenizedSubmission],
        frequencies: Callable[[], DocumentFrequencies],
        chance: float,
    ) -> None:
        """Store what is needed to match pairs.

        Args:
            submissions: By number.
            frequencies: Counts the features of the batch.
            chance: How many matches at most chance may be expected to give for one to count.
        """
        self._works, self._frequencies, self.chance = submissions, frequencies, chance
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
                {"placed_by": each.placed_by, **attributes},
            )
            for each, attributes in zip(ranking, known, strict=True)
        )

    def prepare(self, ranking: Sequence[Ranked], detail: Detail) -> None:
        """Prepare the submissions of pairs, before processes are forked."""
        for number in sorted({side for each in ranking for side in (each.left, each.right)}):
            self.side(number)
            if detail is Detail.MATCHES:
                self.rare(number)

    def found(self, some: Sequence[Ranked], detail: Detail) -> list[Found]:
        """Match some pairs."""
        sides = [(self.side(each.left), self.side(each.right)) for each in some]
        costs = [len(left.comparable) + len(right.comparable) for left, right in sides]
        found = [
            each
            for block in chunks(np.array(costs, np.int64), _TOKENS_AT_ONCE)
            for each in _shared(sides[block], self.chance, detail)
        ]
        if detail is Detail.MATCHES:
            for each, pair in zip(found, some, strict=True):
                each["rare_evidence"] = self.evidence(pair.left, pair.right)
        return found

    def find(self, left: int, right: int, name: str) -> Found:
        """Return an attribute of a pair, together with those computed along with it."""
        if name == "rare_evidence":
            return {name: self.evidence(left, right)}
        detail = Detail.MATCHES if name in {"matches", "by_chance"} else Detail.COVERAGE
        return next(_shared([(self.side(left), self.side(right))], self.chance, detail))

    def evidence(self, left: int, right: int) -> object:
        """Return the rare evidence of a pair."""
        return rare_evidence(self.rare(left), self.rare(right), self.frequencies)

    def _side(self, number: int) -> Side:
        submission = self._works[number]
        hashes, _ = kgrams_in_order(submission.comparable)
        return Side(submission, np.argsort(hashes, kind="stable").astype(np.int32))

    def _rare(self, number: int) -> RareTraces:
        return rare_of(self._works[number], self.frequencies)


def _shared(pairs: Sequence[tuple[Side, Side]], chance: float, detail: Detail) -> Iterator[Found]:
    """Find the matches of some pairs."""
    found = judged(pairs, tiles_of(pairs), chance)
    counted, others = found.only(found.counts), found.only(~found.counts)
    coverage = [each._asdict() for each in _coverage_of(pairs, counted)]
    if detail < Detail.MATCHES:
        yield from coverage
        return
    matched = _matches_of(pairs, counted), _by_chance(pairs, others)
    for numbers, matches, by_chance in zip(coverage, *matched, strict=True):
        yield numbers | {"matches": matches, "by_chance": by_chance}


def _found_at_once(
    finder: Finder,
    ranking: Sequence[Ranked],
    progress: Progress,
    *,
    detail: Detail,
    processes: int,
) -> list[Found]:
    progress("matching", 0, len(ranking))
    finder.prepare(ranking, detail)
    tasks = [
        partial(finder.found, ranking[block.start - 1 : block.stop - 1], detail)
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
