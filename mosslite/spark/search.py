"""The search for pairs in tasks, as the driver leads it, and the tasks that find candidates.

Fingerprints are partitioned by their hashes, and pairs by their left sides.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mosslite.matching import Found
from mosslite.matching.rare_evidence import DocumentFrequencies, TraceCounts, frequencies_of
from mosslite.ranges import chunks, expand_ranges, postings, run_starts, sums_of
from mosslite.ranking.candidates import (
    FINGERPRINT_POWER,
    FeaturePart,
    Strengths,
    in_order,
    index_of_parts,
    inverse_document_frequencies,
    lookups,
    most_lookups,
    partners,
    strongest_of,
)
from mosslite.ranking.ranked_pairs import Candidates, Outline, Unused, outline_of
from mosslite.ranking.score import Scores
from mosslite.records import CommonPassage, Detail, Hashes, Role, TokenizedSubmission
from mosslite.spark.pairs import (
    Shown,
    attributes_of,
    features_of,
    matched,
    scored,
    sent_to_groups,
    submissions_to_groups,
    trace_counts,
    traces_in,
    wanted_rows,
    weighed,
)
from mosslite.spark.reading import Blocks
from mosslite.spark.stages import (
    Columns,
    Row,
    Stages,
    concatenated,
    pack_columns,
    split_by_key,
    unpack_columns,
)
from mosslite.spark.submissions import outline_in, unpack_submission
from mosslite.winnowing.boilerplate import (
    LEAST_SUBMISSIONS,
    GramFiles,
    passages_of,
    shortest_files,
    shortest_of,
)
from mosslite.winnowing.fingerprints import noise_hashes, winnowed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """The numbers of submissions in the ranking.

    Attributes:
        places: ``(n,) int64``, the number in the ranking of each number in the stage; None if they
            are the same.
        count: Number of submissions.
        current: Number of current submissions, which come first.
        blocks: How the work is partitioned.
    """

    places: NDArray[np.int64] | None
    count: int
    current: int
    blocks: Blocks

    def number_of(self, row: Row) -> int:
        """Return the number of the submission in a row."""
        number = outline_in(row.payload).number
        return number if self.places is None else int(self.places[number])

    def submissions(self, rows: Iterable[Row]) -> list[tuple[int, TokenizedSubmission]]:
        """Return the submissions in rows with their numbers, ascending."""
        found = [unpack_submission(row.payload) for row in rows if row.kind == "tokenized"]
        if self.places is not None:
            found = [(int(self.places[number]), each) for number, each in found]
        return sorted(found, key=lambda each: each[0])


# --- fingerprints and features of a block --------------------------------------------------------


def features_and_fingerprints(rows: list[Row], *, numbering: Numbering) -> Iterator[Row]:
    """Yield k-grams that may be common, and send fingerprints and features to their hash ranges.

    One function for all three, so that each submission is deserialized once.
    """
    found = numbering.submissions(rows)
    numbers = np.array([number for number, _ in found], np.int64)
    submissions = [each for _, each in found]
    comparables = [each.comparable for each in submissions]
    grams = noise_hashes(comparables)
    yield from _likely(grams, int(np.searchsorted(numbers, numbering.current)))
    yield from _fingerprints(winnowed(comparables, grams), numbers, numbering.blocks)
    yield from features_of(numbers, submissions, numbering.blocks)


def _fingerprints(selected: Hashes, numbers: NDArray[np.int64], blocks: Blocks) -> Iterator[Row]:
    """Send the distinct fingerprints of each submission to the ranges of their hashes."""
    found = postings(selected)
    values = np.repeat(found.values, found.counts)
    columns: Columns = {
        "values": values,
        "submissions": numbers[found.submissions].astype(np.int32),
    }
    return split_by_key(columns, values % np.uint64(blocks.ranges), "fingerprints")


def _likely(grams: Hashes, current: int) -> Iterator[Row]:
    """Yield the k-grams that more than half of the current submissions of a block have."""
    values, counts = _distinct(grams.values[: grams.offsets[current]], grams.offsets[: current + 1])
    yield Row(0, "likely", pack_columns(values=values[counts > current // 2]))


def _distinct(
    values: NDArray[np.uint64], offsets: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the distinct k-grams of submissions, and their document frequencies."""
    found = postings(Hashes(values, offsets))
    return found.values, found.counts


# --- passages that most submissions share --------------------------------------------------------


def _files_with(
    rows: list[Row], *, numbering: Numbering, likely: NDArray[np.uint64]
) -> Iterator[Row]:
    """Yield the shortest file of a block with each k-gram, and the number of submissions."""
    current = [each for each in numbering.submissions(rows) if each[1].role is Role.CURRENT]
    grams = noise_hashes([each.comparable for _, each in current])
    places = np.flatnonzero(np.isin(grams.values, likely))
    files = shortest_files(current, grams.values[places], places)
    own, counts = _distinct(grams.values, grams.offsets)
    counts = counts[np.searchsorted(own, files.values)]
    yield Row(0, "files", pack_columns(**files._asdict(), counts=counts))


# --- candidates ----------------------------------------------------------------------------------

# Postings in a row.
_POSTINGS_IN_A_ROW: Final = 2_000_000


def _postings(rows: list[Row], *, of: Numbering) -> Iterator[Row]:
    """Index a range of hashes: postings, sizes of submissions, and costs of look-ups."""
    columns = concatenated(rows, "fingerprints")
    order = np.lexsort((columns["submissions"], columns["values"]))
    submissions = columns["submissions"][order]
    firsts = np.flatnonzero(run_starts(columns["values"][order]))
    values = columns["values"][order][firsts]
    counts = np.diff(np.append(firsts, len(order)))
    weights = np.repeat(inverse_document_frequencies(counts, of.count, FINGERPRINT_POWER), counts)
    holders, places = np.unique(submissions, return_inverse=True)
    sums = sums_of(weights, places, len(holders))
    times = np.add.reduceat((submissions < of.current).astype(np.int64), firsts)
    key = rows[0].key
    yield Row(key, "postings", pack_columns(values=values, counts=counts, submissions=submissions))
    yield Row(key, "sizes", pack_columns(submissions=holders, sums=sums))
    frequencies, kinds = np.unique(counts, return_inverse=True)
    costs = sums_of(lookups(counts, times).astype(np.float64), kinds, len(frequencies))
    numbers = np.bincount(kinds)
    yield Row(key, "costs", pack_columns(frequencies=frequencies, costs=costs, numbers=numbers))


def _of_frequency(rows: list[Row], *, frequency: int, current: int) -> Iterator[Row]:
    """Yield the hashes of a document frequency, and the cost of looking up each."""
    columns = concatenated(rows, "postings")
    firsts = np.cumsum(columns["counts"]) - columns["counts"]
    times = np.add.reduceat((columns["submissions"] < current).astype(np.int64), firsts)
    chosen = columns["counts"] == frequency
    costs = lookups(columns["counts"], times)[chosen]
    yield Row(0, "hashes", pack_columns(values=columns["values"][chosen], costs=costs))


def _looked_up(
    rows: list[Row], *, of: Numbering, least_left_out: int, first_left_out: int
) -> Iterator[Row]:
    """Send postings to each block with current submissions, from the first of these on.

    Earlier submissions meet them in their own blocks, as numbers ascend.

    Args:
        rows: A range of hashes.
        of: The numbers of submissions.
        least_left_out: Document frequency from which on no fingerprint is looked up, but for those
            of this frequency with a hash below ``first_left_out``; 0 looks up all.
        first_left_out: The first hash that is not.
    """
    columns = concatenated(rows, "postings")
    counts, submissions = columns["counts"], columns["submissions"]
    numbers = np.repeat(np.arange(len(counts)), counts)
    lengths = np.repeat(np.cumsum(counts), counts) - np.arange(len(submissions))
    blocks = submissions // of.blocks.size
    is_wanted = (submissions < of.current) & (lengths > 1)
    if least_left_out:
        is_last = (counts == least_left_out) & (columns["values"] < np.uint64(first_left_out))
        is_wanted &= ((counts < least_left_out) | is_last)[numbers]
    firsts = np.flatnonzero(is_wanted & (run_starts(blocks) | run_starts(numbers)))
    firsts = firsts[np.argsort(blocks[firsts], kind="stable")]
    for some in chunks(lengths[firsts], _POSTINGS_IN_A_ROW):
        part = firsts[some]
        for block in np.split(part, np.flatnonzero(run_starts(blocks[part]))[1:]):
            yield Row(
                int(blocks[block[0]]),
                "looked-up",
                pack_columns(
                    frequencies=counts[numbers[block]],
                    lengths=lengths[block],
                    submissions=submissions[expand_ranges(block, lengths[block])],
                ),
            )


def _strongest(
    rows: list[Row],
    *,
    of: Numbering,
    owners: NDArray[np.int64],
    sizes: NDArray[np.float64],
    limits: tuple[int | None, int],
) -> Iterator[Row]:
    """Yield the ties of a block that can be among the strongest of all or of a submission.

    Args:
        rows: The postings of its submissions.
        of: The numbers of submissions.
        owners: As in ``Outline``.
        sizes: ``(n,)``, the total weight of the fingerprints of each submission.
        limits: Maximum number of ties, in total and of each submission.
    """
    key, columns = rows[0].key, concatenated(rows, "looked-up")
    weights = inverse_document_frequencies(columns["frequencies"], of.count, FINGERPRINT_POWER)
    numbers, own = np.unique(columns["submissions"], return_inverse=True)
    part = FeaturePart(
        items=np.repeat(np.arange(len(weights), dtype=np.int32), columns["lengths"]),
        submissions=own.astype(np.int32),
        weights=weights[:, None],
        totals=sizes[numbers],
    )
    index = index_of_parts([part], np.zeros(len(numbers), np.int64))
    is_left = (numbers // of.blocks.size == key) & (numbers < of.current)
    are_looked_up = np.ones(len(weights), np.bool_)
    found = partners(index, is_left, owners[numbers], are_looked_up)
    here = strongest_of(found, len(numbers), *limits)
    kept = Strengths(numbers[here.lefts], numbers[here.others], here.strengths)
    yield Row(key, "ties", pack_columns(**kept._asdict()))


# --- the search as a whole -----------------------------------------------------------------------


class RemoteSearch:
    """Searches submissions in the tasks that hold their tokens."""

    def __init__(
        self,
        stages: Stages,
        frame: DataFrame,
        submissions: Sequence[TokenizedSubmission],
        places: NDArray[np.int64] | None,
    ) -> None:
        self.outline: Outline = outline_of(submissions)
        self._stages, self._frame, self._submissions = stages, frame, submissions
        current = sum(role is Role.CURRENT for role in self.outline.roles)
        blocks = Blocks.of(len(submissions))
        self._numbering = Numbering(places, len(submissions), current, blocks)

    @cached_property
    def _seen(self) -> DataFrame:
        return self._stages.map_groups(
            "features", self._frame, partial(features_and_fingerprints, numbering=self._numbering)
        )

    def candidates(self, most: int | None, each: int) -> Candidates:
        """Find the pairs that share the most fingerprints for their size.

        Args:
            most: Maximum number of pairs; None for all that share a fingerprint.
            each: Number of strongest pairs of each submission that are added.
        """
        common, of = self._common(), self._numbering
        sent = self._seen.filter(self._seen.kind == "fingerprints")
        index = self._stages.map_groups("postings", sent, partial(_postings, of=of))
        costs = {} if most is None else self._stages.columns(index, "costs")
        least, first, unused = self._left_out(index, costs)
        look_up = partial(_looked_up, of=of, least_left_out=least, first_left_out=first)
        looked_up = self._stages.map_groups("look-ups", index, look_up)
        sums, limits = self._stages.columns(index, "sizes"), (most, each)
        sizes = sums_of(sums["sums"], sums["submissions"], of.count) if sums else np.zeros(of.count)
        weigh = partial(_strongest, of=of, owners=self.outline.owners, sizes=sizes, limits=limits)
        ties = self._stages.map_groups("ties", looked_up, weigh)
        found = (Strengths(**unpack_columns(row)) for row in self._stages.payloads(ties, "ties"))
        return Candidates(in_order(strongest_of(found, of.count, *limits)), common, unused)

    def _common(self) -> tuple[CommonPassage, ...]:
        """Find passages that more than half of the current submissions have.

        A k-gram that more than half of all have is one that more than half of some block have, so
        only those are counted.
        """
        current = self._numbering.current
        if current < LEAST_SUBMISSIONS:
            return ()
        likely = np.unique(self._stages.columns(self._seen, "likely")["values"])
        if not len(likely):
            return ()
        look = partial(_files_with, numbering=self._numbering, likely=likely)
        columns = self._stages.columns(
            self._stages.map_groups("common-passages", self._frame, look), "files"
        )
        _, places = np.unique(columns["values"], return_inverse=True)
        counts = np.bincount(places, columns.pop("counts")).astype(np.int64)
        files, is_common = shortest_of(GramFiles(**columns)), counts > current // 2
        if not is_common.any():
            return ()
        chosen = GramFiles(**{name: each[is_common] for name, each in files._asdict().items()})
        tokens = np.array([each.tokens for each in self._submissions[:current]], np.int64)
        return passages_of(self._submissions, chosen, counts[is_common], tokens)

    def _left_out(self, index: DataFrame, columns: Columns) -> tuple[int, int, Unused]:
        """Find the fingerprints that the budget of look-ups does not cover, from the rarest on.

        Returns:
            The document frequency of the first, its hash, and their number.
        """
        most = most_lookups(self._numbering.count)
        if not columns or columns["costs"].sum() <= most:
            return 0, 0, Unused(0, 0)
        frequencies, of = np.unique(columns["frequencies"], return_inverse=True)
        costs = np.cumsum(sums_of(columns["costs"], of, len(frequencies)))
        numbers = sums_of(columns["numbers"].astype(np.float64), of, len(frequencies))
        at = int(np.searchsorted(costs, most, side="right"))
        least = int(frequencies[at])
        spent = float(costs[at - 1]) if at else 0.0
        of_least = partial(_of_frequency, frequency=least, current=self._numbering.current)
        frequent = self._stages.columns(
            self._stages.map_groups("most-frequent", index, of_least), "hashes"
        )
        order = np.argsort(frequent["values"])
        is_beyond = spent + np.cumsum(frequent["costs"][order]) > most
        beyond = frequent["values"][order][is_beyond]
        count = len(beyond) + int(numbers[at + 1 :].sum())
        return least, int(beyond[0]), Unused(count, least)

    def scores(self, pairs: NDArray[np.int64], populations: NDArray[np.int64]) -> Scores:
        """Score distinct pairs, ``(m, 2)`` in ascending order.

        Args:
            pairs: Submission numbers.
            populations: As for ``build_feature_index``.
        """
        if not len(pairs):
            return Scores(np.zeros(0), np.zeros(0, np.uint8), np.zeros(0, np.int64))
        stages, seen, blocks = self._stages, self._seen, self._numbering.blocks
        small = populations.astype(np.uint8)
        weigh = partial(weighed, blocks=blocks, populations=small)
        weights = stages.map_groups("weights", seen.filter(seen.kind == "features"), weigh)
        stages.depend_on(pairs=sha256(pairs.tobytes()).hexdigest())
        wanted = stages.write_rows("pairs", wanted_rows(pairs, blocks.size))
        is_pair = wanted.kind == "pairs"
        held = weights.union(seen.filter(seen.kind == "digests")).union(wanted.filter(~is_pair))
        asked = stages.map_groups("meetings", held, sent_to_groups).union(wanted.filter(is_pair))
        found = self._stages.columns(
            stages.map_groups("scores", asked, partial(scored, populations=small)), "scores"
        )
        order = np.argsort(found["places"])
        return Scores(found["scores"][order], found["placed_by"][order], found["bits"][order])

    def frequencies(self, pairs: NDArray[np.int64]) -> DocumentFrequencies:
        """Return the document frequencies of traces and words of the pairs that are shown."""
        stages, shown = self._stages, self._shown(pairs, 1.0, Detail.MATCHES)
        counted = stages.map_groups("traces", self._frame, partial(traces_in, shown=shown))
        summed = stages.map_groups("trace-counts", counted, trace_counts)
        codes = self._stages.columns(summed, "codes")
        words, asked = Counter[str](), list[str]()
        for row in stages.collect(summed, "words"):
            for word, count, is_asked in json.loads(row.payload):
                words[word] = count
                asked += [word] * is_asked
        order = np.argsort(codes["values"])
        counts = TraceCounts(codes["values"][order], codes["counts"][order], words)
        return frequencies_of(self._numbering.count, counts, asked)

    def matches(
        self,
        pairs: NDArray[np.int64],
        chance: float,
        detail: Detail,
        frequencies: DocumentFrequencies | None,
    ) -> list[Found]:
        """Find what each pair that is shown shares, in the order of the pairs."""
        stages, shown = self._stages, self._shown(pairs, chance, detail)
        match = partial(matched, shown=shown, frequencies=frequencies)
        sent = stages.map_groups("shown", self._frame, partial(submissions_to_groups, shown=shown))
        by_place = {
            place: attributes_of(attributes)
            for row in stages.collect(stages.map_groups("matches", sent, match), "matches")
            for place, attributes in json.loads(row.payload)
        }
        return [by_place[place] for place in range(len(pairs))]

    def _shown(self, pairs: NDArray[np.int64], chance: float, detail: Detail) -> Shown:
        digest = sha256(pairs.tobytes()).hexdigest()
        self._stages.depend_on(shown=digest, chance=str(chance), detail=detail.name)
        return Shown(self._numbering, pairs, chance, detail)
