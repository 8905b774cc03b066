"""The views of submissions that a score uses: their features, and the evidence from each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, reduce
from hashlib import blake2b
from operator import add
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.parallel import do_all
from mosslite.ranges import (
    expand_ranges,
    run_starts,
    segment_sums,
    window_counts,
    windows_within,
)
from mosslite.ranking.candidates import feature_indexes
from mosslite.ranking.score import Evidence, pair_weights
from mosslite.records import (
    Comparable,
    Document,
    Hashes,
    PairWeights,
    Progress,
    TokenizedSubmission,
    TokenKind,
    TraceKind,
    no_progress,
)
from mosslite.winnowing.fingerprints import extracted, files_of, sums_of_files
from mosslite.winnowing.significance import BIT
from mosslite.winnowing.winnow import kgram_hashes

# With fewer tokens, a view takes less time than forking a process; with more, as much memory as a
# third of all submissions, so that one process computes all views.
_LEAST_SHARED, _MOST_SHARED = 100_000, 4_000_000

COMPARING_STEPS: Final = 9
"""To find the pairs, seven looks at them, and to prepare their matches."""


def evidence_on(
    submissions: Sequence[TokenizedSubmission],
    pairs: NDArray[np.int64],
    populations: NDArray[np.int64] | None = None,
    progress: Progress = no_progress,
    *,
    processes: int = 1,
) -> Evidence:
    """Collect the evidence on pairs of submission numbers, ``(m, 2)`` in ascending order.

    Args:
        submissions: All of the batch, as rarity depends on all of them.
        pairs: ``(m, 2)`` submission numbers, in ascending order.
        populations: Groups within which frequencies are counted, as in ``feature_indexes``.
        progress: Called with the number of views done.
        processes: Maximum number of processes, including this one.
    """
    digests = [digest_of(submission) for submission in submissions]
    bits = bits_of(submissions)

    def weights_of(view: View) -> PairWeights:
        seen = view.extract(submissions)
        indexes = feature_indexes(
            seen, populations, with_repeats=view.with_repeats, power=view.power
        )
        return reduce(add, (pair_weights(pairs, index) for index in indexes))

    tokens = sum(len(submission.comparable) for submission in submissions)
    found = do_all(
        [partial(weights_of, view) for view in VIEWS],
        processes=processes if _LEAST_SHARED <= tokens <= _MOST_SHARED else 1,
        on_progress=lambda done: progress("comparing", 1 + done, COMPARING_STEPS),
    )
    return evidence_of(found, pairs, digests, bits)


def evidence_of(
    found: Sequence[PairWeights],
    pairs: NDArray[np.int64],
    digests: Sequence[bytes],
    bits: NDArray[np.int64],
) -> Evidence:
    """Return the evidence on pairs, from the weights found in each of the ``VIEWS``.

    Args:
        found: Weights in the order of the views.
        pairs: ``(m, 2)`` submission numbers.
        digests: ``digest_of`` each submission, by number.
        bits: ``bits_of`` the submissions.
    """
    numbers: dict[bytes, int] = {}
    alike = np.array([numbers.setdefault(each, len(numbers)) for each in digests], np.int64)
    is_silent = np.array([not each for each in digests], np.bool_)
    return Evidence(
        wording=found[0],
        structure=tuple(found[1:4]),
        traces=found[4],
        layout=found[5],
        passages=found[6],
        is_same=(alike[pairs[:, 0]] == alike[pairs[:, 1]]) & ~is_silent[pairs].any(axis=1),
        bits=bits[pairs].min(axis=1),
    )


def digest_of(submission: TokenizedSubmission) -> bytes:
    """Return a digest of the tokens as written, and of what imports name; empty without tokens."""
    lexemes = submission.comparable.lexemes
    digest = blake2b(lexemes.tobytes(), digest_size=16)
    for document in submission.documents:
        digest.update(document.traces.codes[document.traces.kinds == TraceKind.NAME].tobytes())
    return digest.digest() if len(lexemes) else b""


def bits_of(submissions: Sequence[TokenizedSubmission]) -> NDArray[np.int64]:
    """Return the information in all tokens of each submission, in units of 1/256 bit."""
    sums = [each.comparable.bits.sum(dtype=np.int64) for each in submissions]
    return np.array(sums, np.int64)


# --- features ------------------------------------------------------------------------------------

# A passage of a program may match each passage of the other: with as many bits, one in a million.
_LEAST_BITS: Final = 20 * BIT

# Odd numbers with mixed bits, so that symbols before and after a name hash differently.
_BEFORE, _AFTER = np.uint64(0x6A09E667F3BCC909), np.uint64(0xBB67AE8584CAA73B)

# Features of some submissions: hashes, and the number of them in each.
_Features = tuple[NDArray[np.uint64], NDArray[np.int64]]


def skeleton(submissions: Sequence[Comparable]) -> Hashes:
    """Extract k-grams of symbols without brackets, separators, modifiers and types."""
    return _kgrams(submissions, "codes", (TokenKind.FRAME, TokenKind.TYPE), share=1.0)


def grammar(submissions: Sequence[Comparable]) -> Hashes:
    """Extract k-grams of symbols without names; inserted calls and variables leave them intact."""
    return _kgrams(submissions, "codes", (TokenKind.NAME, TokenKind.TYPE), share=0.75)


def uses(submissions: Sequence[Comparable]) -> Hashes:
    """Extract k-grams of the uses of each name in a file: the symbols before and after each use.

    Code inserted between two uses, another order of statements, and renaming leave them intact.
    Names with fewer than k uses yield none.
    """
    return extracted(submissions, len, partial(_uses, share=0.5))


def wording(submissions: Sequence[Comparable]) -> Hashes:
    """Extract k-grams of tokens as written, including names, numbers and strings."""
    return _kgrams(submissions, "lexemes", (), share=0.5)


def passages(submissions: Sequence[Comparable]) -> Hashes:
    """Extract the passages of some lines that chance does not explain.

    These are k-grams four times as long as the detail length that carry ``_LEAST_BITS`` of
    information: programs of any size share short ones by chance, and long ones of repeated code.
    Each has the number of its file.
    """
    files = [np.empty(0, np.int32)]

    def extract(some: Sequence[Comparable]) -> _Features:
        values, of_files = _passages(some, share=4.0)
        counts = np.array([len(each.segments) for each in some], np.int64)
        numbers = expand_ranges(np.zeros_like(counts), counts)
        files.append(np.repeat(numbers, of_files).astype(np.int32))
        return values, segment_sums(of_files, counts)

    return replace(extracted(submissions, len, extract), files=np.concatenate(files))


def traces(submissions: Sequence[Sequence[Document]], kinds: Sequence[TraceKind]) -> Hashes:
    """Extract the stylistic features of these kinds in the documents of each submission."""

    def extract(some: Sequence[Sequence[Document]]) -> _Features:
        columns = [each.traces for documents in some for each in documents]
        of_each = np.concatenate([np.empty(0, np.uint8), *(each.kinds for each in columns)])
        is_seen = np.isin(of_each, list(kinds))
        codes = np.concatenate([np.empty(0, np.uint64), *(each.codes for each in columns)])
        return codes[is_seen], segment_sums(is_seen, np.array([*map(_trace_count, some)], np.int64))

    return extracted(submissions, _trace_count, extract)


def _trace_count(documents: Sequence[Document]) -> int:
    return sum(len(each.traces) for each in documents)


def _kgrams(
    submissions: Sequence[Comparable], name: str, left_out: Sequence[TokenKind], *, share: float
) -> Hashes:
    """Return k-grams of the tokens in the view, k being this share of the detail length."""

    def extract(some: Sequence[Comparable]) -> _Features:
        sizes, _, details = files_of(some)
        mask = np.isin(_column(some, "kinds"), left_out, invert=True)
        seen = segment_sums(mask, sizes)
        # A file with fewer tokens in the view yields one k-gram.
        lengths = np.maximum(np.minimum(_lengths(details, share), seen), 1)
        hashes = windows_within(_column(some, name)[mask], seen, lengths, kgram_hashes)
        return hashes, sums_of_files(window_counts(seen, lengths), some)

    return extracted(submissions, len, extract)


def _column(submissions: Sequence[Comparable], name: str) -> NDArray[np.uint64]:
    return np.concatenate([getattr(each, name) for each in submissions])


def _lengths(details: NDArray[np.int64], share: float) -> NDArray[np.int64]:
    lengths: NDArray[np.int64] = np.rint(share * details).astype(np.int64)
    return lengths


def _uses(submissions: Sequence[Comparable], share: float) -> _Features:
    """Return k-grams of uses of names, k being this share of the detail length."""
    sizes, _, details = files_of(submissions)
    files = np.repeat(np.arange(len(sizes)), sizes)
    lexemes = _column(submissions, "lexemes")
    names = np.flatnonzero(_column(submissions, "kinds") == TokenKind.NAME)
    # Grouped by name, in the order of the file.
    names = names[np.lexsort((lexemes[names], files[names]))]
    is_new = run_starts(files[names]) | run_starts(lexemes[names])
    counts = np.diff(np.append(np.flatnonzero(is_new), len(names)))
    of_files = files[names[is_new]]
    lengths = np.maximum(_lengths(details, share), 1)[of_files]
    contexts = _contexts(_column(submissions, "codes"), files)[names]
    found = np.bincount(of_files, window_counts(counts, lengths), len(sizes)).astype(np.int64)
    hashes = windows_within(contexts, counts, lengths, kgram_hashes)
    return hashes, sums_of_files(found, submissions)


def _passages(submissions: Sequence[Comparable], share: float) -> _Features:
    """Return the long k-grams with much information of each file.

    k is this share of the detail length.
    """
    sizes, _, details = files_of(submissions)
    lengths = _lengths(details, share)
    bits = np.concatenate([each.bits for each in submissions])
    is_rare = windows_within(bits, sizes, lengths, _window_sums) >= _LEAST_BITS
    hashes = windows_within(_column(submissions, "codes"), sizes, lengths, kgram_hashes)
    return hashes[is_rare], segment_sums(is_rare, window_counts(sizes, lengths))


def _window_sums(values: NDArray[np.int16], width: int) -> NDArray[np.int64]:
    """Sum up the values of each window."""
    sums = np.append(0, np.cumsum(values))
    windows: NDArray[np.int64] = sums[width:] - sums[:-width]
    return windows


def _contexts(codes: NDArray[np.uint64], files: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hash the symbols before and after each token, within its file: ``(n,) uint64``."""
    is_inside = files[1:] == files[:-1]
    contexts = np.zeros(len(codes), np.uint64)
    contexts[1:] += np.where(is_inside, codes[:-1], 0) * _BEFORE
    contexts[:-1] += np.where(is_inside, codes[1:], 0) * _AFTER
    return contexts


def _of_tokens(
    extract: Callable[[Sequence[Comparable]], Hashes],
) -> Callable[[Sequence[TokenizedSubmission]], Hashes]:
    return lambda submissions: extract([submission.comparable for submission in submissions])


def _of_traces(*kinds: TraceKind) -> Callable[[Sequence[TokenizedSubmission]], Hashes]:
    return lambda submissions: traces([each.documents for each in submissions], kinds)


class View(NamedTuple):
    """A view of submissions.

    Attributes:
        extract: Its feature extractor.
        with_repeats: Whether repeats count as features.
        power: As for ``inverse_document_frequencies``.
        by_file: Whether features have the number of their file.
    """

    extract: Callable[[Sequence[TokenizedSubmission]], Hashes]
    with_repeats: bool
    power: int = 1
    by_file: bool = False


VIEWS: Final = (
    View(_of_tokens(wording), with_repeats=False),  # slowest, so it is started first
    *(View(_of_tokens(extract), with_repeats=True) for extract in (skeleton, grammar, uses)),
    # Beside the wording of tokens, which includes names.
    View(
        _of_traces(TraceKind.COMMENT, TraceKind.STRING, TraceKind.NUMBER, TraceKind.WORD),
        with_repeats=False,
    ),
    View(_of_traces(TraceKind.LAYOUT), with_repeats=False),
    # Hundreds of passages of large programs are idioms that a tenth of all programs have.
    View(_of_tokens(passages), with_repeats=False, power=3, by_file=True),
)
"""All that the score looks at."""
