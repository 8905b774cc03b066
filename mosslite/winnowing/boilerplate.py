"""Marks code that is not a submission's own: base code, common code, and likely boilerplate."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import covered, postings, ranges_of, run_starts, segment_sums
from mosslite.records import CommonPassage, Hashes, Role, TokenizedSubmission, TokenStream
from mosslite.winnowing.winnow import kgram_hashes


def mark_common_code(
    streams: Sequence[TokenStream], owners: Sequence[int], noises: Sequence[int], limit: int
) -> list[NDArray[np.bool_]]:
    """Mark, in each stream, the k-grams that occur in more than ``limit`` submissions.

    Args:
        streams: Files of all submissions.
        owners: Submission number of each file.
        noises: Noise threshold k of each file.
        limit: MOSS' ``-m``.

    Returns:
        A ``(n,) bool`` mask for each stream.
    """
    hashes = [kgram_hashes(s.codes, k) for s, k in zip(streams, noises, strict=True)]
    sizes = np.repeat(np.array(owners, np.int64), [len(column) for column in hashes])
    common = hashes_of_many(np.concatenate([np.empty(0, np.uint64), *hashes]), sizes, limit)
    return [mark_hashes(s, k, common) for s, k in zip(streams, noises, strict=True)]


def hashes_of_many(
    values: NDArray[np.uint64], owners: NDArray[np.int64], limit: int
) -> NDArray[np.uint64]:
    """Return the hashes with more than ``limit`` owners, ascending.

    Args:
        values: ``(m,)``, with repeats.
        owners: ``(m,)``, owner of each.
        limit: Maximum number of owners.
    """
    order = np.lexsort((owners, values))
    values, owners = values[order], owners[order]
    is_first = run_starts(values) | run_starts(owners)
    found, counts = np.unique(values[is_first], return_counts=True)
    return found[counts > limit]


def mark_hashes(stream: TokenStream, noise: int, common: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Mark the tokens in k-grams with these hashes: ``(n,) bool``."""
    starts = np.flatnonzero(np.isin(kgram_hashes(stream.codes, noise), common))
    return covered(starts, starts + noise, len(stream))


# In a smaller class, code that most share can be chance; a shorter passage is idiomatic.
LEAST_SUBMISSIONS: Final = 6
_LEAST_TOKENS = 20

# Hashes are first counted by this many of their bits, a block at a time.
_BITS, _BLOCK = 16, 100_000


def common_passages(
    submissions: Sequence[TokenizedSubmission], grams: Hashes
) -> tuple[CommonPassage, ...]:
    """Find passages that more than half of the current submissions contain.

    Args:
        submissions: All submissions.
        grams: K-grams of noise threshold length of each, file by file.

    Returns:
        The passages of the submission that contains most of them, in order of position.
    """
    is_current = np.array([submission.role is Role.CURRENT for submission in submissions], np.bool_)
    count = int(is_current.sum())
    if count < LEAST_SUBMISSIONS:
        return ()
    chosen, held_by = _common_grams(grams, is_current, count // 2)
    number = int(tokens_in_passages(submissions, chosen).argmax())
    here = slice(*np.searchsorted(chosen, grams.offsets[number : number + 2]).tolist())
    return passages_of(submissions[number], chosen[here] - grams.offsets[number], held_by[here])


def _common_grams(
    grams: Hashes, is_current: NDArray[np.bool_], limit: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return positions of k-grams in more current submissions than ``limit``, and the counts."""
    sizes = np.diff(grams.offsets)
    is_likely = np.repeat(is_current, sizes) & _is_frequent(grams.values, limit)
    offsets = np.append(0, np.cumsum(segment_sums(is_likely, sizes)))
    values = grams.values[is_likely]
    found = postings(Hashes(values, offsets))
    counts = found.counts[np.searchsorted(found.values, values)]
    return np.flatnonzero(is_likely)[counts > limit], counts[counts > limit]


def _is_frequent(values: NDArray[np.uint64], limit: int) -> NDArray[np.bool_]:
    """Mark all hashes that occur more often than ``limit``, and possibly a few others."""
    shift = np.uint64(64 - _BITS)
    blocks = range(0, len(values), _BLOCK)
    counts = np.zeros(1 << _BITS, np.int64)
    for start in blocks:
        buckets = (values[start : start + _BLOCK] >> shift).astype(np.int64)
        counts += np.bincount(buckets, minlength=len(counts))
    is_frequent = counts > limit
    marks = [is_frequent[values[start : start + _BLOCK] >> shift] for start in blocks]
    return np.concatenate([np.empty(0, np.bool_), *marks])


def tokens_in_passages(
    submissions: Sequence[TokenizedSubmission], chosen: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Count each submission's tokens in passages of k-grams.

    Args:
        submissions: As in ``common_passages``.
        chosen: Positions of the k-grams among all of these submissions.
    """
    segments = [
        (number, segment.thresholds.noise, segment.stop - segment.start)
        for number, submission in enumerate(submissions)
        for segment in submission.comparable.segments
    ]
    owners, noises, sizes = np.array(segments, np.int64).reshape(-1, 3).T
    of = np.searchsorted(np.cumsum(sizes - noises + 1), chosen, side="right")
    # Positions of tokens, with a gap between files, so that no passage spans two.
    starts = chosen + (np.cumsum(noises) - noises)[of]
    stops = starts + noises[of]
    firsts = np.flatnonzero(np.append(True, starts[1:] > stops[:-1])[: len(starts)])
    tokens = stops[np.append(firsts, len(stops))[1:] - 1] - starts[firsts]
    tokens[tokens < _LEAST_TOKENS] = 0
    return np.bincount(owners[of[firsts]], tokens, len(submissions)).astype(np.float64)


def passages_of(
    submission: TokenizedSubmission, places: NDArray[np.int64], held_by: NDArray[np.int64]
) -> tuple[CommonPassage, ...]:
    """Join k-grams at these positions, among those of the submission, to passages.

    Args:
        submission: One of the batch.
        places: Ascending positions.
        held_by: Number of submissions with each.
    """
    return tuple(_passages(submission, places, held_by))


def _passages(
    submission: TokenizedSubmission, places: NDArray[np.int64], held_by: NDArray[np.int64]
) -> Iterator[CommonPassage]:
    first = 0
    for segment in submission.comparable.segments:
        k, size = segment.thresholds.noise, segment.stop - segment.start
        here = (places >= first) & (places < first + size - k + 1)
        begins = places[here] - first
        first += size - k + 1
        if not here.any():
            continue
        for start, stop in ranges_of(covered(begins, begins + k, size)).tolist():
            if stop - start >= _LEAST_TOKENS:
                inside = (begins >= start) & (begins < stop)
                yield CommonPassage(
                    submission=submission,
                    place=submission.place_of(segment.start + start, stop - start),
                    tokens=stop - start,
                    submissions=int(held_by[here][inside].min()),
                    is_whole=stop - start == size,
                )
