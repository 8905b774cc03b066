"""Scores of pairs, and matches and rare evidence of those that are shown.

Features are partitioned by their hashes, pairs by their left sides.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from mosslite.matching import Finder, Found
from mosslite.matching.rare_evidence import (
    FREQUENT,
    DocumentFrequencies,
    TraceCounts,
    count_traces,
    frequencies_of,
)
from mosslite.ranges import Postings, expand_ranges, postings, sums_of
from mosslite.ranking import Ranked
from mosslite.ranking.candidates import UNIT, FeaturePart, feature_parts
from mosslite.ranking.score import WEIGHTS, Scores, combined, pair_weights
from mosslite.ranking.views import VIEWS, bits_of, digest_of, evidence_of
from mosslite.records import (
    ByChance,
    Detail,
    FeatureIndex,
    Hashes,
    Lines,
    Location,
    Match,
    RareEvidence,
    Surprise,
    TokenizedSubmission,
)
from mosslite.spark.stages import Row, Stages, concatenated, pack_columns, split_by_key

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from mosslite.spark.reading import Blocks
    from mosslite.spark.search import Numbering

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class _Features:
    """What weighing features needs to know of all submissions.

    Attributes:
        populations: ``(n,) uint8``, as for ``build_feature_index``.
        sizes: Number of submissions in each population.
    """

    numbering: Numbering
    populations: NDArray[np.uint8]
    sizes: NDArray[np.int64]


def scores_of(
    stages: Stages,
    seen: DataFrame,
    numbering: Numbering,
    pairs: NDArray[np.int64],
    populations: NDArray[np.int64],
) -> Scores:
    """Score distinct pairs, ``(m, 2)`` in ascending order.

    Args:
        stages: The stages of the job.
        seen: The rows that ``features_of`` yields.
        numbering: The numbers of submissions.
        pairs: Submission numbers.
        populations: As for ``build_feature_index``.
    """
    if not len(pairs):
        return Scores(np.zeros(0), np.zeros(0, np.uint8), np.zeros(0, np.int64))
    sizes = np.bincount(populations, minlength=1)
    how = _Features(numbering, populations.astype(np.uint8), sizes)
    of_features = seen.filter(seen.kind == "features")
    weighed = stages.map_groups("weights", of_features, partial(_weighed, how=how))
    stages.depend_on(pairs=sha256(pairs.tobytes()).hexdigest())
    wanted = stages.write_rows("pairs", _wanted(pairs, numbering.blocks.size))
    is_pair = wanted.kind == "pairs"
    held = weighed.union(seen.filter(seen.kind == "digests")).union(wanted.filter(~is_pair))
    met = stages.map_groups("meetings", held, _sent)
    scored = stages.map_groups(
        "scores", met.union(wanted.filter(is_pair)), partial(_scored, how=how)
    )
    found = concatenated(stages.collect(scored, "scores"), "scores")
    order = np.argsort(found["places"])
    return Scores(found["scores"][order], found["placed_by"][order], found["bits"][order])


def features_of(
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


def _weighed(rows: list[Row], *, how: _Features) -> Iterator[Row]:
    """Weigh the features of a hash range in one view, and send them to their blocks."""
    columns, key = concatenated(rows, "features"), rows[0].key
    number, size = key // how.numbering.blocks.ranges, how.numbering.blocks.size
    view = VIEWS[number]
    order = np.argsort(columns["submissions"], kind="stable")
    holders, counts = np.unique(columns["submissions"], return_counts=True)
    seen = Hashes(columns["values"][order], np.append(0, np.cumsum(counts)))
    found: Postings = postings(seen)
    populations = how.populations[holders].astype(np.int64)
    parts = feature_parts(
        found,
        populations,
        how.sizes,
        with_repeats=view.with_repeats,
        power=view.power,
        files=columns["files"][order] if view.by_file else None,
    )
    for nth, part in enumerate(parts):
        items = _items(part, holders, populations)
        items["items"] += (2 * key + nth) << 31
        if part.files is not None:
            items["files"] = part.files
        yield from _by_block(items, _kind_of("items", number), size)
        totals = {"submissions": holders, "totals": part.totals}
        yield from _by_block(totals, _kind_of("totals", number), size)


def _kind_of(kind: str, view: int) -> str:
    """Return the kind of a row of one view."""
    return f"{kind}-{view}"


def _items(
    part: FeaturePart, holders: NDArray[np.int32], populations: NDArray[np.int64]
) -> Columns:
    """Return the submission, item number and weight of each feature."""
    own = part.weights[part.items, populations[part.submissions]]
    return {
        "submissions": holders[part.submissions],
        "items": part.items.astype(np.int64),
        "weights": (own / UNIT).astype(np.uint32),  # exact, as weights are whole numbers of it
    }


def _wanted(pairs: NDArray[np.int64], size: int) -> Iterator[Row]:
    """Yield pairs by groups of left sides, and the groups that need data of each block."""
    lefts = {"submissions": pairs[:, 0], "rights": pairs[:, 1], "places": np.arange(len(pairs))}
    yield from _by_block(lefts, "pairs", size)
    sides = np.concatenate([pairs[:, 0], pairs[:, 1]])
    both = np.unique(np.stack([sides, np.tile(pairs[:, 0] // size, 2)], axis=1), axis=0)
    yield from _by_block({"submissions": both[:, 0], "groups": both[:, 1]}, "wanted", size)


def _sent(rows: list[Row]) -> Iterator[Row]:
    """Send the data of the submissions of a block to the groups of pairs that need it."""
    wanted = concatenated(rows, "wanted")
    if not wanted:
        return
    groups = [
        (int(group), wanted["submissions"][wanted["groups"] == group])
        for group in np.unique(wanted["groups"])
    ]
    digests = concatenated(rows, "digests")
    for group, some in groups:
        here = np.isin(digests["submissions"], some)
        yield Row(group, "digests", pack_columns(**{n: each[here] for n, each in digests.items()}))
    for view in range(len(VIEWS)):
        held = _held(rows, view)
        for group, some in groups:
            yield Row(group, _kind_of("held", view), pack_columns(**held.of(some)))


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """The features of submissions in one view.

    Attributes:
        submissions: ``(h,) int32``, ascending.
        counts: ``(h,) int64``, number of items of each submission.
        totals: ``(h,) float64``, as in a ``FeatureIndex``.
        columns: Columns of items, ascending for each submission.
    """

    submissions: NDArray[np.int32]
    counts: NDArray[np.int64]
    totals: NDArray[np.float64]
    columns: Columns

    def of(self, some: NDArray[np.int64]) -> Columns:
        """Return the columns of some of these submissions."""
        here = np.isin(self.submissions, some)
        stops = np.cumsum(self.counts)[here]
        places = expand_ranges(stops - self.counts[here], self.counts[here])
        return {
            "submissions": self.submissions[here],
            "counts": self.counts[here],
            "totals": self.totals[here],
            **{name: each[places] for name, each in self.columns.items()},
        }


def _held(rows: list[Row], view: int) -> _Held:
    """Join the features of a block that come from different hash ranges."""
    totals = _of_features(rows, _kind_of("totals", view))
    items = _of_features(rows, _kind_of("items", view))
    submissions, places = np.unique(totals["submissions"], return_inverse=True)
    owners = np.searchsorted(submissions, items["submissions"])
    order = np.lexsort((items["items"], owners))
    return _Held(
        submissions,
        np.bincount(owners, minlength=len(submissions)),
        sums_of(totals["totals"], places, len(submissions)),
        {name: items[name][order] for name in ("items", "weights", *_files_of(view))},
    )


def _files_of(view: int) -> Sequence[str]:
    return ["files"] if VIEWS[view].by_file else []


def _of_features(rows: list[Row], kind: str) -> Columns:
    """Concatenate columns; they are empty if no submission has a feature of the view."""
    kinds = {
        "submissions": np.int32,
        "counts": np.int64,
        "totals": np.float64,
        "items": np.int64,
        "weights": np.uint32,
        "files": np.int32,
    }
    return concatenated(rows, kind) or {name: np.empty(0, kind) for name, kind in kinds.items()}


def _scored(rows: list[Row], *, how: _Features) -> Iterator[Row]:
    """Score the pairs of a group."""
    asked = concatenated(rows, "pairs")
    order = np.lexsort((asked["rights"], asked["submissions"]))
    sides = np.stack([asked["submissions"], asked["rights"]], axis=1)[order]
    numbers, local = np.unique(sides, return_inverse=True)
    pairs = local.reshape(-1, 2)
    found = [
        pair_weights(pairs, _index(numbers, _of_features(rows, _kind_of("held", view)), how, view))
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


def _index(numbers: NDArray[np.int64], held: Columns, how: _Features, view: int) -> FeatureIndex:
    """Index one view of the submissions of these numbers."""
    places = np.searchsorted(numbers, held["submissions"])
    counts, totals = np.zeros(len(numbers), np.int64), np.zeros(len(numbers))
    counts[places], totals[places] = held["counts"], held["totals"]
    order = np.argsort(places)
    begins = (np.cumsum(held["counts"]) - held["counts"])[order]
    of_items = expand_ranges(begins, held["counts"][order])
    distinct = np.unique(held["items"])
    ids = np.searchsorted(distinct, held["items"])  # takes a third of the time of return_inverse
    populations = how.populations[numbers].astype(np.int64)
    weights = np.zeros((len(distinct), len(how.sizes)))
    weights[ids, np.repeat(populations[places], held["counts"])] = held["weights"] * UNIT
    return FeatureIndex(
        offsets=np.append(0, np.cumsum(counts)),
        items=ids[of_items].astype(np.int32),
        weights=weights,
        populations=populations,
        totals=totals,
        files=held["files"][of_items] if VIEWS[view].by_file else None,
    )


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


def matches_of(
    stages: Stages, frame: DataFrame, shown: Shown, frequencies: DocumentFrequencies | None
) -> list[Found]:
    """Find what each pair shares, in the order of the pairs."""
    sent = stages.map_groups("shown", frame, partial(_to_groups, shown=shown))
    found = stages.map_groups(
        "matches", sent, partial(_matched, shown=shown, frequencies=frequencies)
    )
    by_place = {
        place: _attributes(attributes)
        for row in stages.collect(found, "matches")
        for place, attributes in json.loads(row.payload)
    }
    return [by_place[place] for place in range(len(shown.pairs))]


def _to_groups(rows: list[Row], *, shown: Shown) -> Iterator[Row]:
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


def _attributes(found: dict[str, Any]) -> Found:
    """Restore the attributes of a pair from JSON values."""
    if "matches" in found:
        found["matches"] = tuple(map(_match, found["matches"]))
        lefts, rights, tokens = (np.array(column, np.int32) for column in found["by_chance"])
        found["by_chance"] = ByChance(lefts.reshape(-1, 3), rights.reshape(-1, 3), tokens)
        found["rare_evidence"] = tuple(
            RareEvidence(kind, text, _lines(left), _lines(right), submissions, resembles)
            for kind, text, left, right, submissions, resembles in found["rare_evidence"]
        )
    return found


def _match(found: tuple[Any, ...]) -> Match:
    left, right, tokens, block, alone, together, _, _ = found
    places = Location(*left), Location(*right)
    return Match(*places, tokens, block, Surprise(*alone), Surprise(*together))


def _lines(found: tuple[int, list[int]]) -> Lines:
    document, numbers = found
    return Lines(document, tuple(numbers))


def frequencies_for(stages: Stages, frame: DataFrame, shown: Shown) -> DocumentFrequencies:
    """Return the document frequencies of the traces and words of the submissions that are shown.

    Args:
        stages: The stages of the job.
        frame: Tokenized submissions.
        shown: The pairs that are shown.
    """
    counted = stages.map_groups("traces", frame, partial(_traces, shown=shown))
    summed = stages.map_groups("trace-counts", counted, _trace_counts)
    codes = concatenated(stages.collect(summed, "codes"), "codes")
    words, asked = Counter[str](), list[str]()
    for row in stages.collect(summed, "words"):
        for word, count, is_asked in json.loads(row.payload):
            words[word] = count
            asked += [word] * is_asked
    order = np.argsort(codes["values"])
    counts = TraceCounts(codes["values"][order], codes["counts"][order], words)
    return frequencies_of(shown.numbering.count, counts, asked)


def _traces(rows: list[Row], *, shown: Shown) -> Iterator[Row]:
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
