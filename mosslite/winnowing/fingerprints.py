"""Comparable tokens, their k-grams and fingerprints, and the resemblance of submissions."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mosslite.options import Thresholds
from mosslite.ranges import (
    by_value,
    chunks,
    covered,
    expand_ranges,
    segment_sums,
    window_counts,
    windows_within,
)
from mosslite.records import (
    Comparable,
    Document,
    Hashes,
    KGrams,
    Segment,
    TokenizedSubmission,
    TokenStream,
)
from mosslite.winnowing.significance import token_bits
from mosslite.winnowing.winnow import kgram_hashes, robust_winnow_each

# Approximate number of tokens hashed together, so that their columns stay in the CPU cache.
_TOGETHER = 100_000

Given = TypeVar("Given")


def comparable_tokens(documents: Sequence[Document]) -> Comparable:
    """Concatenate the comparable tokens of a submission's files."""
    return comparable_of(*own_tokens(documents))


def comparable_of(stream: TokenStream, segments: tuple[Segment, ...]) -> Comparable:
    """Put comparable tokens together; their information is measured when it is needed."""
    return Comparable(stream, segments, lambda: next(token_bits([stream])))


def own_tokens(documents: Sequence[Document]) -> tuple[TokenStream, tuple[Segment, ...]]:
    """Concatenate the comparable tokens of a submission's files, and return where each file is.

    Boilerplate is removed before k-grams are formed: percentages then refer to own work only, and
    a passage copied around a piece of the template is still one passage.

    A file shorter than the noise threshold is left out, except in a submission that has no other:
    there each file is a single k-gram, so that only an equal file can match it.
    """
    sizes = [len(each.stream) - int(each.is_boilerplate.sum()) for each in documents]
    found = list(zip(range(len(sizes)), sizes, documents, strict=True))
    chosen = [
        (number, size, each.thresholds)
        for number, size, each in found
        if size >= each.thresholds.noise
    ]
    if not chosen:
        chosen = [
            (
                number,
                size,
                Thresholds(noise=size, guarantee=size, detail=min(each.thresholds.detail, size)),
            )
            for number, size, each in found
            if size == len(each.stream) > 0
        ]
    stops = accumulate(size for _, size, _ in chosen)
    segments = (
        Segment(stop - size, stop, thresholds, number)
        for (number, size, thresholds), stop in zip(chosen, stops, strict=True)
    )
    parts = [_own(documents[number]) for number, _, _ in chosen]
    return TokenStream.joined(parts), tuple(segments)


def _own(document: Document) -> TokenStream:
    is_boilerplate = document.is_boilerplate
    return (
        document.stream.part(np.flatnonzero(~is_boilerplate))
        if is_boilerplate.any()
        else document.stream
    )


def noise_kgrams(comparable: Comparable) -> KGrams:
    """Return every k-gram of noise threshold length; none spans two files."""
    return sorted_kgrams(*_kgrams_in_order(comparable))


def fingerprints(comparable: Comparable) -> KGrams:
    """Select by robust winnowing, file by file, so that the guarantee holds in each."""
    hashes, starts = _kgrams_in_order(comparable)
    is_selected = _are_selected(hashes, [comparable])
    return sorted_kgrams(hashes[is_selected], starts[is_selected])


def _kgrams_in_order(comparable: Comparable) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the hashes of all k-grams and the first token of each, by position."""
    sizes, noises, _ = files_of([comparable])
    starts = expand_ranges(np.cumsum(sizes) - sizes, window_counts(sizes, noises))
    return noise_hashes([comparable]).values, starts


def sorted_kgrams(hashes: NDArray[np.uint64], starts: NDArray[np.int64]) -> KGrams:
    """Sort k-grams that are ordered by position by hash, and then position; n log n."""
    order, hashes = by_value(hashes)
    return KGrams(hashes, starts[order].astype(np.int32))


def noise_hashes(submissions: Sequence[Comparable]) -> Hashes:
    """Hash these k-grams of many submissions, by file and position."""

    def extract(some: Sequence[Comparable]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        sizes, lengths, _ = files_of(some)
        codes = np.concatenate([each.codes for each in some])
        hashes = windows_within(codes, sizes, lengths, kgram_hashes)
        return hashes, sums_of_files(window_counts(sizes, lengths), some)

    return extracted(submissions, len, extract)


def extracted(
    submissions: Sequence[Given],
    size_of: Callable[[Given], int],
    extract: Callable[[Sequence[Given]], tuple[NDArray[np.uint64], NDArray[np.int64]]],
) -> Hashes:
    """Extract features, of some submissions at a time.

    Args:
        submissions: All of them.
        size_of: Returns the largest number of features that one can have.
        extract: Returns the features of some, one submission after the other, and the number of
            them in each.
    """
    sizes = np.array([size_of(each) for each in submissions], np.int64)
    values = np.empty(int(sizes.sum()), np.uint64)
    counts, stop = [np.zeros(1, np.int64)], 0
    for block in chunks(sizes, _TOGETHER):
        found, of_each = extract(submissions[block])
        start, stop = stop, stop + len(found)
        values[start:stop] = found
        counts.append(of_each)
    return Hashes(values[:stop], np.cumsum(np.concatenate(counts)))


def files_of(submissions: Sequence[Comparable]) -> NDArray[np.int64]:
    """Return tokens, noise threshold and detail length of each file of some: ``(3, f) int64``."""
    rows = [
        (each.stop - each.start, each.thresholds.noise, each.thresholds.detail)
        for submission in submissions
        for each in submission.segments
    ]
    return np.array(rows, np.int64).reshape(-1, 3).T


def sums_of_files(
    of_files: NDArray[np.int64], submissions: Sequence[Comparable]
) -> NDArray[np.int64]:
    """Sum up the counts of the files of each submission."""
    return segment_sums(of_files, np.array([len(each.segments) for each in submissions], np.int64))


def winnowed(submissions: Sequence[Comparable], grams: Hashes) -> Hashes:
    """Select the fingerprints among the k-grams from ``noise_hashes``."""
    parts, counts = [np.empty(0, np.uint64)], [np.zeros(1, np.int64)]
    of_submissions = np.diff(grams.offsets)
    for block in chunks(of_submissions, _TOGETHER):
        hashes = grams.values[grams.offsets[block.start] : grams.offsets[block.stop]]
        is_selected = _are_selected(hashes, submissions[block])
        parts.append(hashes[is_selected])
        counts.append(segment_sums(is_selected, of_submissions[block]))
    return Hashes(np.concatenate(parts), np.cumsum(np.concatenate(counts)))


def _are_selected(
    hashes: NDArray[np.uint64], submissions: Sequence[Comparable]
) -> NDArray[np.bool_]:
    """Mark the k-grams that robust winnowing selects in each file of some submissions."""
    sizes, noises, _ = files_of(submissions)
    counts = window_counts(sizes, noises)
    # A file with fewer k-grams is one window; -t has no upper limit.
    given = [segment.thresholds.window for each in submissions for segment in each.segments]
    windows = np.minimum(given, counts).astype(np.int64)
    firsts = np.cumsum(counts) - counts
    is_selected = np.zeros(len(hashes), np.bool_)
    for w in sorted({*windows.tolist()} - {0}):
        is_one = windows == w
        places = expand_ranges(firsts[is_one], counts[is_one])
        is_selected[places[robust_winnow_each(hashes[places], counts[is_one], w)]] = True
    return is_selected


# The 32 smallest hashes estimate a resemblance to about 0.1 (Broder 1997).
SKETCH_SIZE: Final = 32
# Hexadecimal digits per hash: the upper half suffices, as small hashes differ there.
SKETCH_DIGITS: Final = 8
# Independent of -k, so that sketches of different runs are comparable.
_K: Final = 12


def resemblance(
    left: NDArray[np.uint64], right: NDArray[np.uint64], smallest: int | None = None
) -> float:
    """Return the Jaccard resemblance of two sets of fingerprints.

    Args:
        left: Distinct and ascending.
        right: Likewise.
        smallest: Use only this many of the smallest fingerprints in the union, as Broder and
            Heintze do; this estimate is unbiased. None uses all.
    """
    together = np.sort(np.concatenate((left[:smallest], right[:smallest])))
    is_first = np.ones(len(together), np.bool_)
    is_first[1:] = together[1:] != together[:-1]
    if smallest is not None:
        is_first = is_first[np.cumsum(is_first) <= smallest]
    distinct = int(is_first.sum())
    return (len(is_first) - distinct) / max(distinct, 1)


def share_found(submission: Comparable, other: Comparable) -> float:
    """Return the share of a submission's comparable tokens that k-grams of another one cover.

    An upper bound of the matched share, cheaper to compute: both may use a passage repeatedly.
    """
    grams = noise_kgrams(submission)
    starts = np.sort(grams.starts[np.isin(grams.hashes, noise_kgrams(other).hashes)])
    lengths = np.zeros(len(submission), np.int64)
    for segment in submission.segments:
        lengths[segment.start : segment.stop] = segment.thresholds.noise
    found = covered(starts, starts + lengths[starts], len(submission))
    return float(found.mean()) if len(found) else 0.0


def sketch_of(submission: TokenizedSubmission) -> str:
    """Return the smallest k-gram hashes of a submission's own code, as hexadecimal digits.

    They are ascending; empty for fewer than 12 tokens.
    """
    smallest = np.unique(kgram_hashes(submission.comparable.codes, _K))[:SKETCH_SIZE]
    return "".join(f"{int(each) >> 32:0{SKETCH_DIGITS}x}" for each in smallest)


def resemblance_of_sketches(sketch: str, other: str) -> float:
    """Estimate the resemblance of two submissions from sketches, in [0, 1]; 1 if both are empty."""
    if not sketch and not other:
        return 1.0
    return resemblance(_hashes(sketch), _hashes(other), SKETCH_SIZE)


def _hashes(sketch: str) -> NDArray[np.uint64]:
    parts = {sketch[at : at + SKETCH_DIGITS] for at in range(0, len(sketch), SKETCH_DIGITS)}
    return np.array(sorted(int(part, 16) for part in parts), np.uint64)
