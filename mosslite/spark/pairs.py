"""What is found of pairs: their scores, and of those that are shown matches and rare evidence.

Features meet by their hashes, the submissions of a pair by its left side.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

import numpy as np

from mosslite.matching import Finder
from mosslite.matching.rare_evidence import (
    FREQUENT,
    TraceCounts,
    count_traces,
    first_texts,
    frequencies_of,
)
from mosslite.ranges import expand_ranges, postings, sums_of
from mosslite.ranking import Ranked
from mosslite.ranking.candidates import UNIT, feature_parts
from mosslite.ranking.score import WEIGHTS, combined, pair_weights
from mosslite.ranking.views import VIEWS, digest_of, evidence_of
from mosslite.records import FeatureIndex, Hashes, Lines, Location, Match, RareEvidence
from mosslite.spark.stages import Row, joined, packed, parted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from pyspark.sql import DataFrame

    from mosslite.matching import Found
    from mosslite.matching.rare_evidence import DocumentFrequencies
    from mosslite.ranges import Postings
    from mosslite.ranking.candidates import FeaturePart
    from mosslite.records import Detail, TokenizedSubmission
    from mosslite.spark.reading import Blocks
    from mosslite.spark.search import Numbering
    from mosslite.spark.stages import Stages

    Columns = dict[str, NDArray[Any]]

__all__ = ["Shown", "features_of", "frequencies_for", "matches_of", "scores_of"]


@dataclass(frozen=True, slots=True, eq=False)
class _Features:
    """How features are sent around.

    Attributes:
        populations: ``(n,) uint8``, as for ``build_feature_index``.
        sizes: How many submissions each population has.
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
) -> NDArray[np.float64]:
    """Score distinct pairs, ``(m, 2)`` in ascending order.

    Args:
        stages: Those of the job.
        seen: What ``features_of`` yields.
        numbering: The numbers of submissions.
        pairs: Submission numbers.
        populations: As for ``build_feature_index``.
    """
    if not len(pairs):
        return np.zeros(0)
    sizes = np.bincount(populations, minlength=1)
    how = _Features(numbering, populations.astype(np.uint8), sizes)
    of_features = seen.filter(seen.kind == "features")
    weighed = stages.grouped("weights", of_features, partial(_weighed, how=how))
    stages.depend_on(pairs=sha256(pairs.tobytes()).hexdigest())
    wanted = stages.given("pairs", _wanted(pairs, numbering.blocks.size))
    is_pair = wanted.kind == "pairs"
    held = weighed.union(seen.filter(seen.kind == "digests")).union(wanted.filter(~is_pair))
    met = stages.grouped("meetings", held, _sent)
    scored = stages.grouped("scores", met.union(wanted.filter(is_pair)), partial(_scored, how=how))
    found = joined(stages.rows(scored, "scores"), "scores")
    scores = np.zeros(len(pairs))
    scores[found["places"]] = found["scores"]
    return scores


def features_of(
    numbers: NDArray[np.int64], submissions: Sequence[TokenizedSubmission], blocks: Blocks
) -> Iterator[Row]:
    """Send what each view sees of a block to the ranges of its hashes."""
    for nth, view in enumerate(VIEWS):
        seen = view.extract(submissions)
        columns: Columns = {
            "values": seen.items.values,
            "submissions": numbers[seen.items.owners].astype(np.int32),
            "is_reached": seen.is_reached,
        }
        of_ranges = (seen.items.values % np.uint64(blocks.ranges)).astype(np.int64)
        yield from parted(columns, nth * blocks.ranges + of_ranges, "features")
    digests = [digest_of(each).ljust(16, b"\0") for each in submissions]
    columns = {
        "submissions": numbers,
        "is_silent": np.array([not len(each.comparable) for each in submissions], np.bool_),
        "digests": np.frombuffer(b"".join(digests), np.dtype("V16")),
    }
    yield from _by_block(columns, "digests", blocks.size)


def _by_block(columns: Columns, kind: str, size: int) -> Iterator[Row]:
    """Yield a row for each block of submissions, of columns in any order."""
    return parted(columns, columns["submissions"] // size, kind)


def _weighed(rows: list[Row], *, how: _Features) -> Iterator[Row]:
    """Weigh the features of a range of hashes in one view, and send them where they are held."""
    columns, key = joined(rows, "features"), rows[0].key
    view, size = key // how.numbering.blocks.ranges, how.numbering.blocks.size
    order = np.argsort(columns["submissions"], kind="stable")
    holders, counts = np.unique(columns["submissions"], return_counts=True)
    seen = Hashes(columns["values"][order], np.append(0, np.cumsum(counts)))
    found: Postings = postings(seen, columns["is_reached"][order])
    populations = how.populations[holders].astype(np.int64)
    parts = feature_parts(found, populations, how.sizes, with_repeats=VIEWS[view].with_repeats)
    for nth, part in enumerate(parts):
        columns = _items(part, holders, populations)
        columns["items"] += (2 * key + nth) << 31
        yield from _by_block(columns, _kind_of("items", view), size)
        reached = {"submissions": holders, "reached": part.reached}
        yield from _by_block(reached, _kind_of("reached", view), size)


def _kind_of(kind: str, view: int) -> str:
    """Name what is of one view."""
    return f"{kind}-{view}"


def _items(
    part: FeaturePart, holders: NDArray[np.int32], populations: NDArray[np.int64]
) -> Columns:
    """Return what each submission has and what it says where that is, item by item."""
    own = part.weights[part.items, populations[part.submissions]]
    return {
        "submissions": holders[part.submissions],
        "items": part.items.astype(np.int64),
        "is_reached": part.is_reached,
        "weights": (own / UNIT).astype(np.uint32),  # exact, as weights are whole numbers of it
    }


def _wanted(pairs: NDArray[np.int64], size: int) -> Iterator[Row]:
    """Yield pairs by groups of left sides, and for each block which groups want what of it."""
    lefts = {"submissions": pairs[:, 0], "rights": pairs[:, 1], "places": np.arange(len(pairs))}
    yield from _by_block(lefts, "pairs", size)
    sides = np.concatenate([pairs[:, 0], pairs[:, 1]])
    both = np.unique(np.stack([sides, np.tile(pairs[:, 0] // size, 2)], axis=1), axis=0)
    yield from _by_block({"submissions": both[:, 0], "groups": both[:, 1]}, "wanted", size)


def _sent(rows: list[Row]) -> Iterator[Row]:
    """Send what is known of the submissions of a block to the groups that want it."""
    wanted = joined(rows, "wanted")
    if not wanted:
        return
    groups = [
        (int(group), wanted["submissions"][wanted["groups"] == group])
        for group in np.unique(wanted["groups"])
    ]
    digests = joined(rows, "digests")
    for group, some in groups:
        here = np.isin(digests["submissions"], some)
        yield Row(group, "digests", packed(**{n: each[here] for n, each in digests.items()}))
    for view in range(len(VIEWS)):
        held = _held(rows, view)
        for group, some in groups:
            yield Row(group, _kind_of("held", view), packed(**held.of(some)))


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """What submissions have in one view.

    Attributes:
        submissions: ``(h,) int32``, ascending.
        counts: ``(h,) int64``, how many items each has.
        reached: ``(h,) float64``, as in a ``FeatureIndex``.
        columns: Of items, ascending for each submission.
    """

    submissions: NDArray[np.int32]
    counts: NDArray[np.int64]
    reached: NDArray[np.float64]
    columns: Columns

    def of(self, some: NDArray[np.int64]) -> Columns:
        """Return the columns of some of these submissions, the items of one after the other."""
        here = np.isin(self.submissions, some)
        stops = np.cumsum(self.counts)[here]
        places = expand_ranges(stops - self.counts[here], self.counts[here])
        return {
            "submissions": self.submissions[here],
            "counts": self.counts[here],
            "reached": self.reached[here],
            **{name: each[places] for name, each in self.columns.items()},
        }


def _held(rows: list[Row], view: int) -> _Held:
    """Put together what the ranges of hashes say of a block."""
    reached = _of_features(rows, _kind_of("reached", view))
    items = _of_features(rows, _kind_of("items", view))
    submissions, places = np.unique(reached["submissions"], return_inverse=True)
    owners = np.searchsorted(submissions, items["submissions"])
    order = np.lexsort((items["items"], owners))
    return _Held(
        submissions,
        np.bincount(owners, minlength=len(submissions)),
        sums_of(reached["reached"], places, len(submissions)),
        {name: items[name][order] for name in ("items", "is_reached", "weights")},
    )


def _of_features(rows: list[Row], kind: str) -> Columns:
    """Put columns end to end; nobody may have any feature of a view."""
    kinds = {
        "submissions": np.int32,
        "counts": np.int64,
        "reached": np.float64,
        "items": np.int64,
        "is_reached": np.bool_,
        "weights": np.uint32,
    }
    return joined(rows, kind) or {name: np.empty(0, kind) for name, kind in kinds.items()}


def _scored(rows: list[Row], *, how: _Features) -> Iterator[Row]:
    """Score the pairs of a group."""
    asked = joined(rows, "pairs")
    order = np.lexsort((asked["rights"], asked["submissions"]))
    sides = np.stack([asked["submissions"], asked["rights"]], axis=1)[order]
    numbers, local = np.unique(sides, return_inverse=True)
    pairs = local.reshape(-1, 2)
    found = [
        pair_weights(pairs, _index(numbers, _of_features(rows, _kind_of("held", view)), how))
        for view in range(len(VIEWS))
    ]
    evidence = evidence_of(found, pairs, _digests(numbers, joined(rows, "digests")))
    scores = combined(evidence, WEIGHTS)
    yield Row(rows[0].key, "scores", packed(places=asked["places"][order], scores=scores))


def _index(numbers: NDArray[np.int64], held: Columns, how: _Features) -> FeatureIndex:
    """Index one view of the submissions of these numbers."""
    places = np.searchsorted(numbers, held["submissions"])
    counts, reached = np.zeros(len(numbers), np.int64), np.zeros(len(numbers))
    counts[places], reached[places] = held["counts"], held["reached"]
    order = np.argsort(places)
    begins = (np.cumsum(held["counts"]) - held["counts"])[order]
    of_items = expand_ranges(begins, held["counts"][order])
    distinct = np.unique(held["items"])
    ids = np.searchsorted(distinct, held["items"])  # a third of the time of an inverse
    populations = how.populations[numbers].astype(np.int64)
    weights = np.zeros((len(distinct), len(how.sizes)))
    weights[ids, np.repeat(populations[places], held["counts"])] = held["weights"] * UNIT
    return FeatureIndex(
        offsets=np.append(0, np.cumsum(counts)),
        items=ids[of_items].astype(np.int32),
        is_reached=held["is_reached"][of_items],
        weights=weights,
        populations=populations,
        reached=reached,
    )


def _digests(numbers: NDArray[np.int64], columns: Columns) -> list[bytes]:
    """Return the digest of the tokens of each submission, empty where it has none."""
    places = np.searchsorted(
        columns["submissions"], numbers, sorter=(order := np.argsort(columns["submissions"]))
    )
    chosen = order[places]
    both = zip(columns["is_silent"][chosen].tolist(), columns["digests"][chosen], strict=True)
    return [b"" if is_silent else digest.tobytes() for is_silent, digest in both]


# --- matches and rare evidence -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The pairs that are shown, and the batch that they are of.

    Attributes:
        pairs: ``(m, 2) int64`` submission numbers.
        detail: What is found of them.
    """

    numbering: Numbering
    pairs: NDArray[np.int64]
    detail: Detail

    @property
    def groups(self) -> NDArray[np.int64]:
        """The pairs of each group are matched in one task, ``(m,) int64``."""
        return self.pairs[:, 0] // self.numbering.blocks.size


def matches_of(
    stages: Stages, frame: DataFrame, shown: Shown, frequencies: DocumentFrequencies | None
) -> list[Found]:
    """Find what pairs share, in their order."""
    sent = stages.grouped("shown", frame, partial(_to_groups, shown=shown))
    found = stages.grouped("matches", sent, partial(_matched, shown=shown, frequencies=frequencies))
    by_place = {
        place: _attributes(attributes)
        for row in stages.rows(found, "matches")
        for place, attributes in json.loads(row.payload)
    }
    return [by_place[place] for place in range(len(shown.pairs))]


def _to_groups(rows: list[Row], *, shown: Shown) -> Iterator[Row]:
    """Send the submissions of a block to the groups of pairs that they are in."""
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
    """Find what the pairs of a group share."""
    key, held = rows[0].key, shown.numbering.submissions(rows)
    nth = {number: nth for nth, (number, _) in enumerate(held)}
    places = np.flatnonzero(shown.groups == key).tolist()
    pairs = [Ranked(0.0, *(nth[side] for side in shown.pairs[each].tolist())) for each in places]
    finder = Finder([each for _, each in held], lambda: cast("DocumentFrequencies", frequencies))
    found = finder.found(pairs, shown.detail)
    payload = json.dumps(list(zip(places, found, strict=True))).encode("ascii")
    yield Row(key, "matches", payload)


def _attributes(found: dict[str, Any]) -> Found:
    """Return attributes of a pair as they were before they were JSON."""
    if "matches" in found:
        found["matches"] = tuple(
            Match(Location(*left), Location(*right), tokens, block)
            for left, right, tokens, block, _, _ in found["matches"]
        )
        found["rare_evidence"] = tuple(
            RareEvidence(kind, text, _lines(left), _lines(right), submissions, resembles)
            for kind, text, left, right, submissions, resembles in found["rare_evidence"]
        )
    return found


def _lines(found: tuple[int, list[int]]) -> Lines:
    document, numbers = found
    return Lines(document, tuple(numbers))


def frequencies_for(
    stages: Stages, frame: DataFrame, shown: Shown, rewritten: NDArray[np.uint64]
) -> DocumentFrequencies:
    """Count in how many submissions the traces and words of those that are shown occur.

    Args:
        stages: Those of the job.
        frame: Tokenized submissions.
        shown: Which are shown.
        rewritten: Codes of traces that some submission disguises: how the first has it counts.
    """
    known = dict[int, str]()
    if len(rewritten):
        of_blocks = stages.grouped(
            "first-texts", frame, partial(_first_texts, numbering=shown.numbering, codes=rewritten)
        )
        firsts = [json.loads(row.payload) for row in stages.rows(of_blocks, "texts")]
        for code, _, text in sorted(chain.from_iterable(firsts), key=itemgetter(1), reverse=True):
            known[code] = text
    counted = stages.grouped("traces", frame, partial(_traces, shown=shown, known=known))
    summed = stages.grouped("trace-counts", counted, _trace_counts)
    codes = joined(stages.rows(summed, "codes"), "codes")
    words, asked = Counter[str](), list[str]()
    for row in stages.rows(summed, "words"):
        for word, count, is_asked in json.loads(row.payload):
            words[word] = count
            asked += [word] * is_asked
    order = np.argsort(codes["values"])
    counts = TraceCounts(codes["values"][order], codes["counts"][order], words)
    return frequencies_of(shown.numbering.count, counts, asked)


def _first_texts(
    rows: list[Row], *, numbering: Numbering, codes: NDArray[np.uint64]
) -> Iterator[Row]:
    found = first_texts(numbering.submissions(rows), codes)
    texts = [[code, *found[code]] for code in sorted(found)]
    yield Row(0, "texts", json.dumps(texts).encode("ascii"))


def _traces(rows: list[Row], *, shown: Shown, known: dict[int, str]) -> Iterator[Row]:
    """Count the traces and words of a block, and send them to ranges of their hashes."""
    found, ranges = shown.numbering.submissions(rows), shown.numbering.blocks.ranges
    counts = count_traces([each for _, each in found], known)
    sides = {*shown.pairs.ravel().tolist()}
    asked = [count_traces([each]) for number, each in found if number in sides]
    own = np.unique(np.concatenate([counts.codes[:0], *(each.codes for each in asked)]))
    is_asked = np.isin(counts.codes, own)
    columns = {"values": counts.codes, "counts": counts.counts, "is_asked": is_asked}
    yield from parted(columns, counts.codes % np.uint64(ranges), "codes")
    asked_words = {word for each in asked for word in each.words}
    by_range = defaultdict[int, list[tuple[str, int, bool]]](list)
    for word in sorted(asked_words | counts.words.keys()):
        key = crc32(word.encode("utf-8", "surrogatepass")) % ranges
        by_range[key].append((word, counts.words[word], word in asked_words))
    for key, some in by_range.items():
        yield Row(key, "words", json.dumps(some).encode("ascii"))


def _trace_counts(rows: list[Row]) -> Iterator[Row]:
    """Add up the traces and words of a range, and keep what the driver needs."""
    key = rows[0].key
    columns = joined(rows, "codes")
    if columns:
        values, places = np.unique(columns["values"], return_inverse=True)
        counts = np.bincount(places, columns["counts"]).astype(np.int64)
        is_asked = np.bincount(places, columns["is_asked"]) > 0
        yield Row(key, "codes", packed(values=values[is_asked], counts=counts[is_asked]))
    words, asked = Counter[str](), set[str]()
    for row in rows:
        for word, count, is_it in json.loads(row.payload) if row.kind == "words" else ():
            words[word] += count
            asked |= {word} if is_it else set()
    kept = [(w, n, w in asked) for w, n in sorted(words.items()) if n >= FREQUENT or w in asked]
    yield Row(key, "words", json.dumps(kept).encode("ascii"))
