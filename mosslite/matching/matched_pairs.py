"""Computes the matches on both sides of ranked pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache, partial
from itertools import chain
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
from mosslite.matching.sides import Side, extended, tiles_of
from mosslite.options import Options
from mosslite.parallel import blocks, do_all, processes_for
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
from mosslite.winnowing.significance import (
    BIT,
    MOST_BETWEEN,
    Bits,
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
    """The tiles of a pair, and which of them chance does not explain; ``(t,)`` each.

    Attributes:
        bits: Information in each, in units of 1/256 bit.
        chained: Information in the best chain through each.
        counts: Whether it counts as a match: chance does not explain it.
    """

    runs: Runs
    bits: Bits
    chained: Bits
    counts: NDArray[np.bool_]

    def only(self, chosen: NDArray[np.bool_]) -> Judged:
        """Return the tiles that are marked."""
        columns = (self.bits[chosen], self.chained[chosen], self.counts[chosen])
        return Judged(self.runs.where(chosen), *columns)


def judged(left: Side, right: Side, chance: float) -> Judged:
    """Judge the tiles of a pair; those count of which at most ``chance`` are expected."""
    runs = tiles_of(left, right)
    bits = bits_of_runs(runs, left.comparable.bits, right.comparable.bits)
    chained = chain_bits(runs, bits)
    left_found = left.are_all_files(runs.lefts, runs.lengths)
    right_found = right.are_all_files(runs.rights, runs.lengths)
    is_large = min(len(left.comparable), len(right.comparable)) >= _LEAST_CONTAINED
    contained = left_found | right_found if is_large else left_found & right_found
    counts = (chained >= least_bits(chance, left.size, right.size)) | contained
    return Judged(runs, bits, chained, counts)


def _coverage(left: Side, right: Side, runs: Runs) -> _Coverage:
    """Compute what the tiles of a pair cover."""
    matched = int(runs.lengths.sum())
    sizes = len(left.comparable), len(right.comparable)
    return _Coverage(
        _share(matched, sizes[0]),
        _share(matched, sizes[1]),
        _share(2 * matched, sum(sizes)),
        matched,
        min(
            left.count_lines(runs.lefts, runs.lengths), right.count_lines(runs.rights, runs.lengths)
        ),
        int(runs.lengths.max(initial=0)),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _matches(left: Side, right: Side, judged: Judged) -> Iterator[Match]:
    """Yield the matches of a pair, in order of position on the left."""
    lefts, rights, lengths, *_ = judged.runs
    ours, theirs = (
        map(Location, *(column.tolist() for column in side.submission.places_of(starts, lengths)))
        for side, starts in ((left, lefts), (right, rights))
    )
    surprise_of = cache(partial(_surprise, left=left.size, right=right.size))
    surprises = (map(surprise_of, column.tolist()) for column in (judged.bits, judged.chained))
    blocks = block_numbers(judged.runs)
    rows = zip(lengths.tolist(), blocks, ours, theirs, *surprises, strict=True)
    for length, block, place, other, alone, together in rows:
        lines = left.free_lines(place.document), right.free_lines(other.document)
        yield Match(*extended(place, other, *lines), length, block, alone, together)


def _by_chance(left: Side, right: Side, runs: Runs) -> ByChance:
    return ByChance(
        lefts=np.column_stack(left.submission.spans_of(runs.lefts, runs.lengths)),
        rights=np.column_stack(right.submission.spans_of(runs.rights, runs.lengths)),
        tokens=runs.lengths.astype(np.int32),
    )


def _surprise(bits: int, left: int, right: int) -> Surprise:
    expected = expected_matches(bits, left, right)
    return Surprise(round(bits / BIT, 1), float(f"{expected:.3g}"))


# Number of pairs matched in one task.
_TOGETHER: Final = 8

# Number of submissions that each process keeps prepared.
_PREPARED: Final = 64

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
    """Finds matches and evidence of pairs; the submissions used last are kept prepared."""

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
        self._submissions, self._frequencies, self.chance = submissions, frequencies, chance
        self.side = lru_cache(_PREPARED)(self._side)
        self.rare = lru_cache(_PREPARED)(self._rare)

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
                self._submissions[each.left],
                self._submissions[each.right],
                each.score,
                partial(self.find, each.left, each.right),
                {"placed_by": each.placed_by, **attributes},
            )
            for each, attributes in zip(ranking, known, strict=True)
        )

    def found(self, some: Sequence[Ranked], detail: Detail) -> list[Found]:
        """Match some pairs."""
        return [self._found(each.left, each.right, detail) for each in some]

    def _found(self, left: int, right: int, detail: Detail) -> Found:
        found = _shared(self.side(left), self.side(right), self.chance, detail)
        if detail is Detail.MATCHES:
            found["rare_evidence"] = self.evidence(left, right)
        return found

    def find(self, left: int, right: int, name: str) -> Found:
        """Return an attribute of a pair, together with those computed along with it."""
        if name == "rare_evidence":
            return {name: self.evidence(left, right)}
        detail = Detail.MATCHES if name in {"matches", "by_chance"} else Detail.COVERAGE
        return _shared(self.side(left), self.side(right), self.chance, detail)

    def evidence(self, left: int, right: int) -> object:
        """Return the rare evidence of a pair."""
        return rare_evidence(self.rare(left), self.rare(right), self.frequencies)

    def _side(self, number: int) -> Side:
        return Side(self._submissions[number])

    def _rare(self, number: int) -> RareTraces:
        return rare_of(self._submissions[number], self.frequencies)


def _shared(left: Side, right: Side, chance: float, detail: Detail) -> Found:
    """Find the matches of a pair."""
    found = judged(left, right, chance)
    counted, others = found.only(found.counts), found.only(~found.counts)
    shared: Found = {**_coverage(left, right, counted.runs)._asdict()}
    if detail is Detail.MATCHES:
        shared["matches"] = tuple(_matches(left, right, counted))
        shared["by_chance"] = _by_chance(left, right, others.runs)
    return shared


def _found_at_once(
    finder: Finder,
    ranking: Sequence[Ranked],
    progress: Progress,
    *,
    detail: Detail,
    processes: int,
) -> list[Found]:
    progress("matching", 0, len(ranking))
    if detail is Detail.MATCHES:
        _ = finder.frequencies  # before processes are forked
    # The pairs of a submission follow each other, while it is prepared.
    order = sorted(range(len(ranking)), key=lambda nth: (ranking[nth].left, ranking[nth].right))
    tasks = [
        partial(
            finder.found, [ranking[nth] for nth in order[block.start - 1 : block.stop - 1]], detail
        )
        for block in blocks(len(ranking), _TOGETHER)
    ]
    found = do_all(
        tasks,
        processes=processes,
        on_progress=lambda done: progress(
            "matching", len(ranking) * done // len(tasks), len(ranking)
        ),
    )
    by_rank = dict(zip(order, chain.from_iterable(found), strict=True))
    return [by_rank[nth] for nth in range(len(ranking))]
