"""The search for pairs in tasks, as the driver leads it, and the tasks.

Fingerprints and features are partitioned by their hashes, and pairs by their left sides.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, cast
from zlib import crc32

import numpy as np
from msgspec import convert
from numpy.typing import NDArray

from mosslite.matching import Finder, Found
from mosslite.matching.rare_evidence import (
    FREQUENT,
    DocumentFrequencies,
    TraceCounts,
    count_traces,
    frequencies_of,
)
from mosslite.ranges import chunks, expand_ranges, postings, run_starts, sums_of
from mosslite.ranking import Ranked
from mosslite.ranking.candidates import (
    FINGERPRINT_POWER,
    UNIT,
    FeaturePart,
    Strengths,
    Unused,
    feature_parts,
    in_order,
    index_of_parts,
    inverse_document_frequencies,
    lookups,
    most_lookups,
    partners,
    strongest_of,
)
from mosslite.ranking.ranked_pairs import Candidates, owners_of
from mosslite.ranking.score import WEIGHTS, Scores, combined, pair_weights
from mosslite.ranking.views import VIEWS, bits_of, digest_of, evidence_of
from mosslite.records import (
    ByChance,
    CommonPassage,
    Detail,
    FeatureIndex,
    Hashes,
    Match,
    RareEvidence,
    Role,
    TokenizedSubmission,
)
from mosslite.spark.reading import Blocks, Numbering
from mosslite.spark.stages import (
    Columns,
    Row,
    Stages,
    concatenated,
    pack_columns,
    split_by_key,
    unpack_columns,
)
from mosslite.winnowing.boilerplate import (
    LEAST_SUBMISSIONS,
    GramFiles,
    gram_files,
    passages_of,
    shortest_of,
)
from mosslite.winnowing.fingerprints import noise_hashes, winnowed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


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
    yield from _features_of(numbers, submissions, numbering.blocks)


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
    offsets = grams.offsets[: current + 1]
    found = postings(Hashes(grams.values[: offsets[-1]], offsets))
    yield Row(0, "likely", pack_columns(values=found.values[found.counts > current // 2]))


# --- passages that most submissions share --------------------------------------------------------


def _files_with(
    rows: list[Row], *, numbering: Numbering, likely: NDArray[np.uint64]
) -> Iterator[Row]:
    """Yield the shortest file of a block with each k-gram, and the number of submissions."""
    current = [each for each in numbering.submissions(rows) if each[1].role is Role.CURRENT]
    grams = noise_hashes([each.comparable for _, each in current])
    files, counts = gram_files(current, grams, lambda values, _: np.isin(values, likely))
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
        owners: As for ``candidate_pairs``.
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
    own_current = int(np.searchsorted(numbers, min((key + 1) * of.blocks.size, of.current)))
    are_looked_up = np.ones(len(weights), np.bool_)
    found = partners(index, own_current, owners[numbers], are_looked_up)
    here = strongest_of(found, len(numbers), *limits)
    kept = Strengths(numbers[here.lefts], numbers[here.others], here.strengths)
    yield Row(key, "ties", pack_columns(**kept._asdict()))


# --- scores --------------------------------------------------------------------------------------


def _features_of(
    numbers: NDArray[np.int64], submissions: Sequence[TokenizedSubmission], blocks: Blocks
) -> Iterator[Row]:
    """Send the features of a block in each view to the ranges of their hashes."""
    for nth, view in enumerate(VIEWS):
        seen = view.extract(submissions)
        columns: Columns = {
            "values": seen.values,
            "submissions": numbers[seen.owners].astype(np.int32),
        }
        if view.by_file:
            columns["files"] = cast("NDArray[np.int32]", seen.files)
        of_ranges = (seen.values % np.uint64(blocks.ranges)).astype(np.int64)
        yield from split_by_key(columns, nth * blocks.ranges + of_ranges, "features")
    digests = [digest_of(each).ljust(16, b"\0") for each in submissions]
    columns = {
        "submissions": numbers,
        "is_silent": np.array([not len(each.comparable) for each in submissions], np.bool_),
        "digests": np.frombuffer(b"".join(digests), np.dtype("V16")),
        "bits": bits_of(submissions),
    }
    yield from _by_block(columns, "digests", blocks.size)


def _by_block(columns: Columns, kind: str, size: int) -> Iterator[Row]:
    """Yield a row for each block of submissions."""
    return split_by_key(columns, columns["submissions"] // size, kind)


def _weighed(rows: list[Row], *, blocks: Blocks, populations: NDArray[np.uint8]) -> Iterator[Row]:
    """Weigh the features of a hash range in one view, and send them to their blocks."""
    columns, key = concatenated(rows, "features"), rows[0].key
    number = key // blocks.ranges
    view = VIEWS[number]
    order = np.argsort(columns["submissions"], kind="stable")
    holders, counts = np.unique(columns["submissions"], return_counts=True)
    seen = Hashes(columns["values"][order], np.append(0, np.cumsum(counts)))
    own = populations[holders].astype(np.int64)
    parts = feature_parts(
        postings(seen),
        own,
        np.bincount(populations),
        with_repeats=view.with_repeats,
        power=view.power,
        files=columns["files"][order] if view.by_file else None,
    )
    for nth, part in enumerate(parts):
        weights = part.weights[part.items, own[part.submissions]]
        items: Columns = {
            "submissions": holders[part.submissions],
            "items": part.items.astype(np.int64) + ((2 * key + nth) << 31),
            "weights": (weights / UNIT).astype(np.uint32),  # exact: whole numbers of it
        }
        if part.files is not None:
            items["files"] = part.files
        yield from _by_block(items, f"items-{number}", blocks.size)
        totals = {"submissions": holders, "totals": part.totals}
        yield from _by_block(totals, f"totals-{number}", blocks.size)


def _wanted_rows(pairs: NDArray[np.int64], size: int) -> Iterator[Row]:
    """Yield pairs by groups of left sides, and the groups that need data of each block."""
    lefts = {"submissions": pairs[:, 0], "rights": pairs[:, 1], "places": np.arange(len(pairs))}
    yield from _by_block(lefts, "pairs", size)
    sides = np.concatenate([pairs[:, 0], pairs[:, 1]])
    both = np.unique(np.stack([sides, np.tile(pairs[:, 0] // size, 2)], axis=1), axis=0)
    yield from _by_block({"submissions": both[:, 0], "groups": both[:, 1]}, "wanted", size)


def _sent_to_groups(rows: list[Row]) -> Iterator[Row]:
    """Send the data of the submissions of a block to the groups of pairs that need it."""
    wanted = concatenated(rows, "wanted")
    if not wanted:
        return
    groups = [
        (int(group), wanted["submissions"][wanted["groups"] == group])
        for group in np.unique(wanted["groups"])
    ]
    for kind in sorted({row.kind for row in rows} - {"wanted"}):
        columns = concatenated(rows, kind)
        if "totals" in columns:
            holders, places = np.unique(columns["submissions"], return_inverse=True)
            totals = sums_of(columns["totals"], places, len(holders))
            columns = {"submissions": holders, "totals": totals}
        for group, some in groups:
            here = np.isin(columns["submissions"], some)
            part = {name: each[here] for name, each in columns.items()}
            yield Row(group, kind, pack_columns(**part))


def _scored(rows: list[Row], *, populations: NDArray[np.uint8]) -> Iterator[Row]:
    """Score the pairs of a group."""
    asked = concatenated(rows, "pairs")
    order = np.lexsort((asked["rights"], asked["submissions"]))
    sides = np.stack([asked["submissions"], asked["rights"]], axis=1)[order]
    numbers, local = np.unique(sides, return_inverse=True)
    pairs = local.reshape(-1, 2)
    sizes = np.bincount(populations)
    found = [
        pair_weights(pairs, _index(rows, view, numbers, populations[numbers], len(sizes)))
        for view in range(len(VIEWS))
    ]
    evidence = evidence_of(found, pairs, *_identities(numbers, concatenated(rows, "digests")))
    scores = combined(evidence, WEIGHTS)
    columns = pack_columns(
        places=asked["places"][order],
        scores=scores.values,
        placed_by=scores.placed_by,
        bits=scores.bits,
    )
    yield Row(rows[0].key, "scores", columns)


def _index(
    rows: list[Row],
    view: int,
    numbers: NDArray[np.int64],
    populations: NDArray[np.uint8],
    count: int,
) -> FeatureIndex:
    """Index one view of the submissions of these numbers, of so many populations."""
    totals = concatenated(rows, f"totals-{view}") or _NO_FEATURES
    items = concatenated(rows, f"items-{view}") or _NO_FEATURES
    order = np.argsort(items["items"], kind="stable")
    submissions = np.searchsorted(numbers, items["submissions"][order])
    of_items = np.cumsum(run_starts(items["items"][order])) - 1
    own = populations.astype(np.int64)
    weights = np.zeros((int(of_items.max(initial=-1)) + 1, count))
    weights[of_items, own[submissions]] = items["weights"][order] * UNIT
    holders = np.searchsorted(numbers, totals["submissions"])
    part = FeaturePart(
        items=of_items.astype(np.int32),
        submissions=submissions.astype(np.int32),
        weights=weights,
        totals=sums_of(totals["totals"], holders, len(numbers)),
        files=items["files"][order] if VIEWS[view].by_file else None,
    )
    return index_of_parts([part], own)


# What there is of a view if no submission has a feature of it.
_NO_FEATURES: Final[Columns] = {
    name: np.empty(0, kind)
    for name, kind in (
        ("submissions", np.int32),
        ("totals", np.float64),
        ("items", np.int64),
        ("weights", np.uint32),
        ("files", np.int32),
    )
}


def _identities(
    numbers: NDArray[np.int64], columns: Columns
) -> tuple[list[bytes], NDArray[np.int64]]:
    """Return the digest and the information of the tokens of each submission."""
    places = np.searchsorted(
        columns["submissions"], numbers, sorter=(order := np.argsort(columns["submissions"]))
    )
    chosen = order[places]
    both = zip(columns["is_silent"][chosen].tolist(), columns["digests"][chosen], strict=True)
    digests = [b"" if is_silent else digest.tobytes() for is_silent, digest in both]
    return digests, columns["bits"][chosen]


# --- matches and rare evidence -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The pairs that are shown.

    Attributes:
        pairs: ``(m, 2) int64`` submission numbers.
        chance: As for ``Finder``.
        detail: How much is found of them.
    """

    numbering: Numbering
    pairs: NDArray[np.int64]
    chance: float
    detail: Detail

    @property
    def groups(self) -> NDArray[np.int64]:
        """``(m,) int64``, the group of each pair; the pairs of a group are matched in one task."""
        return self.pairs[:, 0] // self.numbering.blocks.size


def _submissions_to_groups(rows: list[Row], *, shown: Shown) -> Iterator[Row]:
    """Send the submissions of a block to the groups of pairs that need them."""
    sides = shown.pairs.T.ravel()
    wanted = np.unique(np.stack([sides, np.tile(shown.groups, 2)], axis=1), axis=0)
    for row in rows:
        number = shown.numbering.number_of(row)
        start, stop = np.searchsorted(wanted[:, 0], [number, number + 1])
        for group in wanted[start:stop, 1].tolist():
            yield Row(group, "tokenized", row.payload)


def _matched(
    rows: list[Row], *, shown: Shown, frequencies: DocumentFrequencies | None
) -> Iterator[Row]:
    """Find what each pair of a group shares."""
    key, held = rows[0].key, shown.numbering.submissions(rows)
    nth = {number: nth for nth, (number, _) in enumerate(held)}
    places = np.flatnonzero(shown.groups == key).tolist()
    sides = [[nth[side] for side in pair] for pair in shown.pairs[places].tolist()]
    pairs = [Ranked(0.0, left, right) for left, right in sides]
    finder = Finder(
        [each for _, each in held],
        lambda: cast("DocumentFrequencies", frequencies),
        shown.chance,
    )
    found = finder.found(pairs, shown.detail)
    payload = json.dumps([*zip(places, found, strict=True)], default=_columns)
    yield Row(key, "matches", payload.encode("ascii"))


def _columns(by_chance: ByChance) -> list[list[int]]:
    return [by_chance.lefts.tolist(), by_chance.rights.tolist(), by_chance.tokens.tolist()]


def _attributes_of(found: dict[str, Any]) -> Found:
    """Restore the attributes of a pair from JSON values."""
    if "matches" in found:
        found["matches"] = convert(found["matches"], tuple[Match, ...])
        found["rare_evidence"] = convert(found["rare_evidence"], tuple[RareEvidence, ...])
        lefts, rights, tokens = (np.array(column, np.int32) for column in found["by_chance"])
        found["by_chance"] = ByChance(lefts.reshape(-1, 3), rights.reshape(-1, 3), tokens)
    return found


def _traces_in(rows: list[Row], *, shown: Shown) -> Iterator[Row]:
    """Count the traces and words of a block, and send the counts to the ranges of their hashes."""
    found, ranges = shown.numbering.submissions(rows), shown.numbering.blocks.ranges
    counts = count_traces([each for _, each in found])
    sides = {*shown.pairs.ravel().tolist()}
    asked = [count_traces([each]) for number, each in found if number in sides]
    own = np.unique(np.concatenate([counts.codes[:0], *(each.codes for each in asked)]))
    is_asked = np.isin(counts.codes, own)
    columns = {"values": counts.codes, "counts": counts.counts, "is_asked": is_asked}
    yield from split_by_key(columns, counts.codes % np.uint64(ranges), "codes")
    asked_words = {word for each in asked for word in each.words}
    by_range = defaultdict[int, list[tuple[str, int, bool]]](list)
    for word in sorted(asked_words | counts.words.keys()):
        key = crc32(word.encode("utf-8", "surrogatepass")) % ranges
        by_range[key].append((word, counts.words[word], word in asked_words))
    for key, some in by_range.items():
        yield Row(key, "words", json.dumps(some).encode("ascii"))


def _trace_counts(rows: list[Row]) -> Iterator[Row]:
    """Sum the counts of a hash range, and keep those that the driver needs."""
    key = rows[0].key
    columns = concatenated(rows, "codes")
    if columns:
        values, places = np.unique(columns["values"], return_inverse=True)
        counts = np.bincount(places, columns["counts"]).astype(np.int64)
        is_asked = np.bincount(places, columns["is_asked"]) > 0
        yield Row(key, "codes", pack_columns(values=values[is_asked], counts=counts[is_asked]))
    words, asked = Counter[str](), set[str]()
    for row in rows:
        for word, count, is_it in json.loads(row.payload) if row.kind == "words" else ():
            words[word] += count
            asked |= {word} if is_it else set()
    kept = [(w, n, w in asked) for w, n in sorted(words.items()) if n >= FREQUENT or w in asked]
    yield Row(key, "words", json.dumps(kept).encode("ascii"))


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
        self._stages, self._frame, self._submissions = stages, frame, submissions
        current = sum(each.role is Role.CURRENT for each in submissions)
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
        owners = owners_of(self._submissions)
        weigh = partial(_strongest, of=of, owners=owners, sizes=sizes, limits=limits)
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
            populations: As for ``feature_indexes``.
        """
        if not len(pairs):
            return Scores(np.zeros(0), np.zeros(0, np.uint8), np.zeros(0, np.int64))
        stages, seen, blocks = self._stages, self._seen, self._numbering.blocks
        small = populations.astype(np.uint8)
        weigh = partial(_weighed, blocks=blocks, populations=small)
        weights = stages.map_groups("weights", seen.filter(seen.kind == "features"), weigh)
        stages.depend_on(pairs=sha256(pairs.tobytes()).hexdigest())
        wanted = stages.write_rows("pairs", _wanted_rows(pairs, blocks.size))
        is_pair = wanted.kind == "pairs"
        held = weights.union(seen.filter(seen.kind == "digests")).union(wanted.filter(~is_pair))
        asked = stages.map_groups("meetings", held, _sent_to_groups).union(wanted.filter(is_pair))
        found = self._stages.columns(
            stages.map_groups("scores", asked, partial(_scored, populations=small)), "scores"
        )
        order = np.argsort(found["places"])
        return Scores(found["scores"][order], found["placed_by"][order], found["bits"][order])

    def frequencies(self, pairs: NDArray[np.int64]) -> DocumentFrequencies:
        """Return the document frequencies of traces and words of the pairs that are shown."""
        stages, shown = self._stages, self._shown(pairs, 1.0, Detail.MATCHES)
        counted = stages.map_groups("traces", self._frame, partial(_traces_in, shown=shown))
        summed = stages.map_groups("trace-counts", counted, _trace_counts)
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
        match = partial(_matched, shown=shown, frequencies=frequencies)
        sent = stages.map_groups("shown", self._frame, partial(_submissions_to_groups, shown=shown))
        by_place = {
            place: _attributes_of(attributes)
            for row in stages.collect(stages.map_groups("matches", sent, match), "matches")
            for place, attributes in json.loads(row.payload)
        }
        return [by_place[place] for place in range(len(pairs))]

    def _shown(self, pairs: NDArray[np.int64], chance: float, detail: Detail) -> Shown:
        digest = sha256(pairs.tobytes()).hexdigest()
        self._stages.depend_on(shown=digest, chance=str(chance), detail=detail.name)
        return Shown(self._numbering, pairs, chance, detail)
