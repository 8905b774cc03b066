"""The views that a score looks at, and the evidence they find in pairs."""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.parallel import do_all
from mosslite.ranking.candidates import build_feature_index
from mosslite.ranking.score import (
    Evidence,
    grammar,
    pair_weights,
    skeleton,
    traces,
    uses,
    wording,
)
from mosslite.records import TraceKind, no_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from mosslite.records import (
        Comparable,
        FeatureSet,
        PairWeights,
        Progress,
        TokenizedSubmission,
    )

__all__ = [
    "COMPARING_STEPS",
    "VIEWS",
    "View",
    "digest_of",
    "evidence_of",
    "evidence_on",
]


# Traces that count in the score beside the wording of tokens, which names are in.
_TRACES = (TraceKind.COMMENT, TraceKind.STRING, TraceKind.NUMBER, TraceKind.WORD)
_LAYOUT = (TraceKind.LAYOUT,)

# Of fewer tokens a look takes no longer than a copy of this process, and of more as much memory as
# a third of all submissions, so that one process takes them all.
_LEAST_SHARED, _MOST_SHARED = 100_000, 4_000_000

COMPARING_STEPS: Final = 8
"""To find the pairs, six looks at them, and to prepare their matches."""


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
        submissions: All of the batch, as what is rare depends on all.
        pairs: ``(m, 2)`` submission numbers, in ascending order.
        populations: Among which submissions each is rare or not, as for ``build_feature_index``.
        progress: Called with how much is collected.
        processes: How many may look at pairs, this one among them.
    """
    digests = [digest_of(submission) for submission in submissions]

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
    return evidence_of(found, pairs, digests)


def evidence_of(
    found: Sequence[PairWeights], pairs: NDArray[np.int64], digests: Sequence[bytes]
) -> Evidence:
    """Return the evidence on pairs, given what each of the ``VIEWS`` finds in them.

    Args:
        found: In the order of the views.
        pairs: ``(m, 2)`` submission numbers.
        digests: ``digest_of`` each submission, by its number.
    """
    numbers: dict[bytes, int] = {}
    alike = np.array([numbers.setdefault(each, len(numbers)) for each in digests], np.int64)
    is_silent = np.array([not each for each in digests], np.bool_)
    return Evidence(
        wording=found[0],
        structure=tuple(found[1:4]),
        traces=found[4],
        layout=found[5],
        is_same=(alike[pairs[:, 0]] == alike[pairs[:, 1]]) & ~is_silent[pairs].any(axis=1),
    )


def digest_of(submission: TokenizedSubmission) -> bytes:
    """Return what is equal for the same tokens as they are written; empty where there are none."""
    lexemes = submission.comparable.lexemes
    return blake2b(lexemes.tobytes(), digest_size=16).digest() if len(lexemes) else b""


def _of_tokens(
    extract: Callable[[Sequence[Comparable]], FeatureSet],
) -> Callable[[Sequence[TokenizedSubmission]], FeatureSet]:
    return lambda submissions: extract([submission.comparable for submission in submissions])


def _of_traces(
    kinds: Sequence[TraceKind],
) -> Callable[[Sequence[TokenizedSubmission]], FeatureSet]:
    return lambda submissions: traces([each.documents for each in submissions], kinds)


class View(NamedTuple):
    """A view of submissions: the tokens it sees, and whether repeated items count again."""

    extract: Callable[[Sequence[TokenizedSubmission]], FeatureSet]
    with_repeats: bool


VIEWS: Final = (
    View(_of_tokens(wording), with_repeats=False),  # the longest look is to end with the others
    *(View(_of_tokens(extract), with_repeats=True) for extract in (skeleton, grammar, uses)),
    *(View(_of_traces(kinds), with_repeats=False) for kinds in (_TRACES, _LAYOUT)),
)
"""All that the score looks at."""
