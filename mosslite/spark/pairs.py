"""Tasks that score pairs, and that find matches and rare evidence of those that are shown.

Features are partitioned by their hashes, pairs by their left sides.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast
from zlib import crc32

import numpy as np
from msgspec import convert
from numpy.typing import NDArray

from mosslite.matching import Finder, Found
from mosslite.matching.rare_evidence import (
    FREQUENT,
    DocumentFrequencies,
    count_traces,
)
from mosslite.ranges import postings, run_starts, sums_of
from mosslite.ranking import Ranked
from mosslite.ranking.candidates import UNIT, FeaturePart, feature_parts, index_of_parts
from mosslite.ranking.score import WEIGHTS, combined, pair_weights
from mosslite.ranking.views import VIEWS, bits_of, digest_of, evidence_of
from mosslite.records import (
    ByChance,
    Detail,
    FeatureIndex,
    Hashes,
    Match,
    RareEvidence,
    TokenizedSubmission,
)
from mosslite.spark.stages import (
    Columns,
    Row,
    concatenated,
    pack_columns,
    split_by_key,
)

if TYPE_CHECKING:
    from mosslite.spark.reading import Blocks
    from mosslite.spark.search import Numbering


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


def weighed(rows: list[Row], *, blocks: Blocks, populations: NDArray[np.uint8]) -> Iterator[Row]:
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
        yield from _by_block(items, _kind_of("items", number), blocks.size)
        totals = {"submissions": holders, "totals": part.totals}
        yield from _by_block(totals, _kind_of("totals", number), blocks.size)


def _kind_of(kind: str, view: int) -> str:
    """Return the kind of a row of one view."""
    return f"{kind}-{view}"


def wanted_rows(pairs: NDArray[np.int64], size: int) -> Iterator[Row]:
    """Yield pairs by groups of left sides, and the groups that need data of each block."""
    lefts = {"submissions": pairs[:, 0], "rights": pairs[:, 1], "places": np.arange(len(pairs))}
    yield from _by_block(lefts, "pairs", size)
    sides = np.concatenate([pairs[:, 0], pairs[:, 1]])
    both = np.unique(np.stack([sides, np.tile(pairs[:, 0] // size, 2)], axis=1), axis=0)
    yield from _by_block({"submissions": both[:, 0], "groups": both[:, 1]}, "wanted", size)


def sent_to_groups(rows: list[Row]) -> Iterator[Row]:
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


def scored(rows: list[Row], *, populations: NDArray[np.uint8]) -> Iterator[Row]:
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
    totals = concatenated(rows, _kind_of("totals", view)) or _NO_FEATURES
    items = concatenated(rows, _kind_of("items", view)) or _NO_FEATURES
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


def submissions_to_groups(rows: list[Row], *, shown: Shown) -> Iterator[Row]:
    """Send the submissions of a block to the groups of pairs that need them."""
    sides = shown.pairs.T.ravel()
    wanted = np.unique(np.stack([sides, np.tile(shown.groups, 2)], axis=1), axis=0)
    for row in rows:
        number = shown.numbering.number_of(row)
        start, stop = np.searchsorted(wanted[:, 0], [number, number + 1])
        for group in wanted[start:stop, 1].tolist():
            yield Row(group, "tokenized", row.payload)


def matched(
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


def attributes_of(found: dict[str, Any]) -> Found:
    """Restore the attributes of a pair from JSON values."""
    if "matches" in found:
        found["matches"] = convert(found["matches"], tuple[Match, ...])
        found["rare_evidence"] = convert(found["rare_evidence"], tuple[RareEvidence, ...])
        lefts, rights, tokens = (np.array(column, np.int32) for column in found["by_chance"])
        found["by_chance"] = ByChance(lefts.reshape(-1, 3), rights.reshape(-1, 3), tokens)
    return found


def traces_in(rows: list[Row], *, shown: Shown) -> Iterator[Row]:
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


def trace_counts(rows: list[Row]) -> Iterator[Row]:
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
