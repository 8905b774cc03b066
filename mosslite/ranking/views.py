"""The views of submissions that a score uses, and the evidence from each."""

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.parallel import do_all
from mosslite.ranking.candidates import build_feature_index
from mosslite.ranking.score import (
    Evidence,
    grammar,
    pair_weights,
    passages,
    skeleton,
    traces,
    uses,
    wording,
)
from mosslite.records import (
    Comparable,
    Hashes,
    PairWeights,
    Progress,
    TokenizedSubmission,
    TraceKind,
    no_progress,
)

# Stylistic features scored in addition to the wording of tokens, which includes names.
_TRACES = (TraceKind.COMMENT, TraceKind.STRING, TraceKind.NUMBER, TraceKind.WORD)
_LAYOUT = (TraceKind.LAYOUT,)

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
        populations: Groups within which frequencies are counted, as in ``build_feature_index``.
        progress: Called with the number of views done.
        processes: Maximum number of processes, including this one.
    """
    digests = [digest_of(submission) for submission in submissions]
    bits = bits_of(submissions)

    def weights_of(view: View) -> PairWeights:
        seen = view.extract(submissions)
        return pair_weights(
            pairs, build_feature_index(seen, populations, with_repeats=view.with_repeats)
        )

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


def _of_tokens(
    extract: Callable[[Sequence[Comparable]], Hashes],
) -> Callable[[Sequence[TokenizedSubmission]], Hashes]:
    return lambda submissions: extract([submission.comparable for submission in submissions])


def _of_traces(
    kinds: Sequence[TraceKind],
) -> Callable[[Sequence[TokenizedSubmission]], Hashes]:
    return lambda submissions: traces([each.documents for each in submissions], kinds)


class View(NamedTuple):
    """A view of submissions: its feature extractor, and whether repeats count as features."""

    extract: Callable[[Sequence[TokenizedSubmission]], Hashes]
    with_repeats: bool


VIEWS: Final = (
    View(_of_tokens(wording), with_repeats=False),  # slowest, so it is started first
    *(View(_of_tokens(extract), with_repeats=True) for extract in (skeleton, grammar, uses)),
    *(View(_of_traces(kinds), with_repeats=False) for kinds in (_TRACES, _LAYOUT)),
    View(_of_tokens(passages), with_repeats=False),
)
"""All that the score looks at."""
