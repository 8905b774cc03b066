"""Marks code that is not a submission's own: base code, common code, and likely boilerplate."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.display import counted
from mosslite.messages import M_
from mosslite.ranges import covered, postings_in_parts, ranges_of, run_starts, segment_sums
from mosslite.records import CommonPassage, Document, Hashes, Role, TokenizedSubmission
from mosslite.winnowing.base_code import marked
from mosslite.winnowing.fingerprints import noise_hashes
from mosslite.winnowing.significance import least_bits
from mosslite.winnowing.winnow import kgram_hashes


def without_common_code(
    by_submission: Sequence[Sequence[Document]], limit: int
) -> list[list[Document]]:
    """Mark the k-grams that more submissions than MOSS' ``-m`` have in their files."""
    common = common_hashes([*map(distinct_kgrams, by_submission)], limit)
    return [without_hashes(documents, common, limit) for documents in by_submission]


def distinct_kgrams(documents: Iterable[Document]) -> NDArray[np.uint64]:
    """Return the hashes of all k-grams of noise threshold length, each once."""
    own = [kgram_hashes(each.stream.codes, each.thresholds.noise) for each in documents]
    return np.unique(np.concatenate([np.empty(0, np.uint64), *own]))


def common_hashes(hashes: Sequence[NDArray[np.uint64]], limit: int) -> NDArray[np.uint64]:
    """Return the hashes that more than ``limit`` submissions have; each has distinct ones."""
    values, counts = np.unique(
        np.concatenate([np.empty(0, np.uint64), *hashes]), return_counts=True
    )
    return values[counts > limit]


def without_hashes(
    documents: Iterable[Document], common: NDArray[np.uint64], limit: int
) -> list[Document]:
    """Mark the k-grams of a submission that more than ``limit`` have."""
    origin = common_origin(limit)
    return [marked(each, mark_hashes(each, common), origin) for each in documents]


def common_origin(limit: int) -> str:
    """Return the origin of boilerplate that more than ``limit`` submissions share."""
    return M_("code of more than %(submissions)s", counted(limit, "submission"))


def mark_hashes(document: Document, hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Mark the tokens in k-grams with these hashes: ``(n,) bool``."""
    noise, codes = document.thresholds.noise, document.stream.codes
    starts = np.flatnonzero(np.isin(kgram_hashes(codes, noise), hashes))
    return covered(starts, starts + noise, len(codes))


# In a smaller class, code that most share can be chance; a shorter passage is idiomatic.
LEAST_SUBMISSIONS: Final = 6
_LEAST_TOKENS = 20

# Idioms that most submissions contain are expected so often in two submissions of typical size.
_MOST_EXPECTED: Final = 0.1


class GramFiles(NamedTuple):
    """The shortest file with each of some k-grams, among current submissions.

    Attributes:
        values: ``(g,) uint64``, ascending.
        sizes: ``(g,) int64``, number of comparable tokens in the file.
        submissions: ``(g,) int64``, number of its submission.
        segments: ``(g,) int64``, index of the file among the segments of the submission.
    """

    values: NDArray[np.uint64]
    sizes: NDArray[np.int64]
    submissions: NDArray[np.int64]
    segments: NDArray[np.int64]


def common_passages(
    submissions: Sequence[TokenizedSubmission], grams: Hashes
) -> tuple[CommonPassage, ...]:
    """Find passages that more than half of the current submissions contain, and few by chance.

    Args:
        submissions: All submissions.
        grams: K-grams of noise threshold length of each, file by file.

    Returns:
        Each passage in the shortest file that contains it, in order of submission and position.
    """
    current = [each for each in enumerate(submissions) if each[1].role is Role.CURRENT]
    if len(current) < LEAST_SUBMISSIONS:
        return ()
    files, held_by = gram_files(current, grams, lambda _, held_by: held_by > len(current) // 2)
    tokens = np.array([each.tokens for _, each in current], np.int64)
    return passages_of(submissions, files, held_by, tokens)


def gram_files(
    current: Sequence[tuple[int, TokenizedSubmission]],
    grams: Hashes,
    are_chosen: Callable[[NDArray[np.uint64], NDArray[np.int64]], NDArray[np.bool_]],
) -> tuple[GramFiles, NDArray[np.int64]]:
    """Find the shortest file with each of some k-grams, and the number of submissions with it.

    Args:
        current: The current submissions with their numbers, ascending.
        grams: K-grams of noise threshold length: first those of these submissions, file by file.
        are_chosen: Marks k-grams, given their values and the number of submissions with each.
    """
    segments = [
        (segment.stop - segment.start, number, nth, segment.thresholds.noise)
        for number, submission in current
        for nth, segment in enumerate(submission.comparable.segments)
    ]
    sizes, numbers, nths, noises = np.array(segments, np.int64).reshape(-1, 4).T
    offsets = np.cumsum(np.append(0, sizes - noises + 1))
    chosen, counts = list[GramFiles](), list[NDArray[np.int64]]()
    for found in postings_in_parts(Hashes(grams.values[: offsets[-1]], offsets)):
        of = found.submissions  # numbers of files, here
        values = np.repeat(found.values, found.counts)
        held_by = segment_sums(run_starts(values) | run_starts(numbers[of]), found.counts)
        is_chosen = are_chosen(found.values, held_by)
        counts.append(held_by[is_chosen])
        kept = np.repeat(is_chosen, found.counts)
        of = of[kept]
        chosen.append(shortest_of(GramFiles(values[kept], sizes[of], numbers[of], nths[of])))
    return GramFiles(*map(np.concatenate, zip(*chosen, strict=True))), np.concatenate(counts)


def shortest_of(files: GramFiles) -> GramFiles:
    """Return the shortest file of each k-gram, the first one if several are as short."""
    order = np.lexsort(files[::-1])
    order = order[run_starts(files.values[order])]
    values, sizes, submissions, segments = files
    return GramFiles(values[order], sizes[order], submissions[order], segments[order])


def passages_of(
    submissions: Sequence[TokenizedSubmission],
    files: GramFiles,
    held_by: NDArray[np.int64],
    tokens: NDArray[np.int64],
) -> tuple[CommonPassage, ...]:
    """Join k-grams to passages, each in the shortest file that contains it.

    Args:
        submissions: All submissions.
        files: The shortest file with each k-gram.
        held_by: Number of submissions with each.
        tokens: Number of tokens of each current submission.
    """
    typical = int(np.median(tokens))
    least = least_bits(_MOST_EXPECTED, typical, typical)
    return tuple(
        passage
        for number in np.unique(files.submissions).tolist()
        for passage, bits in _passages(submissions[number], number, files, held_by)
        if bits >= least
    )


def _passages(
    submission: TokenizedSubmission, number: int, files: GramFiles, held_by: NDArray[np.int64]
) -> Iterator[tuple[CommonPassage, int]]:
    """Yield what a submission shows of common passages, and the bits of each."""
    comparable = submission.comparable
    grams = noise_hashes([comparable]).values
    of_grams = np.minimum(np.searchsorted(files.values, grams), len(files.values) - 1)
    is_common = files.values[of_grams] == grams
    is_own = is_common & (files.submissions[of_grams] == number)
    first = 0
    for nth, segment in enumerate(comparable.segments):
        k, size = segment.thresholds.noise, segment.stop - segment.start
        here = slice(first, first + size - k + 1)
        first = here.stop
        if not is_own[here].any():
            continue
        begins = np.flatnonzero(is_common[here])
        of = of_grams[here][begins]
        firsts = np.sort(np.unique(of, return_index=True)[1])  # what repeats is shown once
        is_shown = (files.submissions[of[firsts]] == number) & (files.segments[of[firsts]] == nth)
        mask = _between(begins, begins[firsts[is_shown]], k, size)
        tokens = slice(segment.start, segment.stop)
        document = submission.documents[segment.document]
        lines = document.lines_at(comparable.stream.starts[tokens])
        mask &= ~np.isin(lines, lines[~mask])  # whole lines
        for start, stop in ranges_of(mask).tolist():
            inside = of[slice(*np.searchsorted(begins, (start, stop - k + 1)))]
            if stop - start >= _LEAST_TOKENS and len(inside):
                passage = CommonPassage(
                    submission=submission,
                    place=submission.place_of(segment.start + start, stop - start),
                    tokens=stop - start,
                    submissions=int(held_by[inside].min()),
                    is_whole=stop - start == size,
                )
                yield passage, int(comparable.bits[tokens][start:stop].sum())


def _between(
    begins: NDArray[np.int64], shown: NDArray[np.int64], k: int, size: int
) -> NDArray[np.bool_]:
    """Mark each passage from the first to the last k-gram shown, or as a whole if it is a file.

    K-grams between these are shown with them, though a shorter file contains them, too.
    """
    mask = np.zeros(size, np.bool_)
    for start, stop in ranges_of(covered(begins, begins + k, size)).tolist():
        inside = shown[slice(*np.searchsorted(shown, (start, stop)))]
        if len(inside):
            is_whole = stop - start == size
            mask[start if is_whole else inside[0] : stop if is_whole else inside[-1] + k] = True
    return mask
